# SPDX-License-Identifier: MIT
"""Providers in several versions and the modules that import them, built from text."""
import textwrap

import support
from cython_customslots.tools import building

#: Or a free-threaded build would warn, and switch to the GIL.
FREE = "# cython: freethreading_compatible=True\n"

HEAD = "cimport cython_customslots as customslots\n"


class Version:
    """A provider: its .pxd and its .pyx, and how they are compiled."""

    def __init__(self, pxd, pyx, *, layer=True, cplus=False, cflags=(), cython_args=()):
        self.files = {"provider.pxd": _text(pxd), "provider.pyx": FREE + _text(pyx)}
        self.options = {"layer": layer, "cplus": cplus, "cflags": (*support.CYTHON_FLAGS, *cflags),
                        "cython_args": list(cython_args)}


class Importer:
    """A module compiled with the .pxd files of one version of the provider."""

    def __init__(self, name, against, pyx, pxd=None, **options):
        files = Version(pxd or "", pyx, **options)
        self.name, self.against, self.options = name, against, files.options
        self.files = {f"{name}.pyx": files.files["provider.pyx"]}
        if pxd is not None:
            self.files[f"{name}.pxd"] = files.files["provider.pxd"]


def _text(text):
    return textwrap.dedent(text).lstrip("\n")


def _write(directory, files):
    for name, text in files.items():
        support.write_source(directory / name, text)


class Paths(dict):
    """{name: path} of {name: Version} and [Importer], each built when a test asks for it.

    Each version of the provider has a directory of its own, so that a child chooses one
    by its place on sys.path.  What an importer cimports is found beside its .pxd files; the
    version that it was compiled against need not be built for that.
    """

    def __init__(self, group, versions, importers):
        self.top = support.cache_directory("vtable", group)
        self.versions, self.importers = versions, {importer.name: importer for importer in importers}

    def __missing__(self, name):
        source, importer = self.top / "source" / name, self.importers.get(name)
        if importer is None:
            what, module = self.versions[name], "provider"
            _write(source, what.files)
        else:
            what, module = importer, name
            pxd = {n: t for other in self.importers.values() if other.against == importer.against
                   for n, t in other.files.items() if n.endswith(".pxd")}
            _write(source, {**pxd, **importer.files, "provider.pxd":
                            self.versions[importer.against].files["provider.pxd"]})
        self[name] = support.build(
            building.Module(module, [source / f"{module}.pyx"], **what.options), self.top / name)
        return self[name]


def run(paths, provider, importers, code):
    """The output of *code* in a child that finds this provider and these importers.

    A failing ``import`` is printed, an ImportError without its type.
    """
    lines = ["try:", *textwrap.indent(textwrap.dedent(code).strip(), "    ").splitlines(),
             "except ImportError as error:", "    print(error)",
             # With CYTHON_USE_MODULE_STATE, Cython makes one of any error of an import.
             "except SystemError as error:", "    print(error.__cause__ or repr(error))",
             "except Exception as error:", "    print(f'{type(error).__name__}: {error}')"]
    modules = [paths[name] for name in [*importers, provider]]
    return support.check_child("\n".join(lines), modules=modules)
