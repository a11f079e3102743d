# SPDX-License-Identifier: MIT
"""What a generated C file was made from, for the tools that decide whether to make it again.

    stamp          version, content and switches of the layer, as one line
    files          the layer's own files, which a depfile lists
    tracking       cythonize() notices C that another layer, or none, has generated

Cython's build cache has the stamp in its fingerprint.  Build systems that read depfiles
(Meson, CMake, make) see the files.  cythonize() compares times, and the stamp, which it
leaves in the comment that Cython calls metadata.
"""

import contextlib
import functools
import hashlib
import os
import pathlib

from ... import __file__ as _package_file
from ..shared.replacing import replaced
from ..switches import in_force, metaclasses, runtime

_PACKAGE = pathlib.Path(_package_file).resolve().parent
_KEY = "cython-customslots"
_END_OF_METADATA = b"END: Cython Metadata"


@functools.lru_cache(maxsize=None)
def files():
    """The files that decide what the layer generates, sorted."""
    found = {_PACKAGE / "__init__.py", _PACKAGE / "tools/headers.py", *_PACKAGE.glob("*.pxd")}
    for directory in ("compiler", "include", "utility"):
        found.update(path for path in (_PACKAGE / directory).rglob("*")
                     if path.suffix in {".py", ".c", ".h", ".pxd"})
    return sorted(found)


@functools.lru_cache(maxsize=None)
def digest_of_files():
    """A hash of the contents and names of these files."""
    digest = hashlib.sha256()
    for path in files():
        # Not where the package lies: isolated builds install it in a new place each time.
        content = path.read_bytes()
        name = path.relative_to(_PACKAGE).as_posix().encode()
        digest.update(b"%d %s %d " % (len(name), name, len(content)) + content)
    return digest.hexdigest()[:16]


def stamp(**switches):
    """Version, content and switches of the layer; *switches* take the place of those in force."""
    from ... import __version__
    said = {**in_force.by_name(), **switches}
    named = metaclasses.text(metaclasses.parse_named(said.pop("metaclass")))
    who = runtime.parse(said.pop("runtime"))
    return " ".join([__version__, digest_of_files(), *(name for name in sorted(said) if said[name]),
                     *([f"metaclass={named}"] if named else []),
                     *([f"runtime={who}"] if who != runtime.EMBEDDED else [])])


def get_fingerprint(original, self):
    return f"{original(self)} {_KEY} {stamp()}"


def write_depfile(original, target, source, dependencies):
    known = {os.path.realpath(name) for name in dependencies}
    return original(target, source, [*dependencies, *(
        str(path) for path in files() if os.path.realpath(path) not in known)])


def c_file_out_of_date(original, self, source_path, output_path):
    """``cython --timestamps``: the compiler may be newer than what it has generated."""
    if original(self, source_path, output_path):
        return True
    generated = os.path.getmtime(output_path)
    return any(path.stat().st_mtime > generated for path in files())


# ------------------------------------------------------------------------ cythonize

@contextlib.contextmanager
def tracking(dependencies, named=()):
    """Within it, cythonize stamps what it generates and believes only what has its stamp.

    *dependencies* is the module Cython.Build.Dependencies; *named* are names that must belong to
    the modules that are compiled, or to classes in them (metaclasses.py).
    """
    from Cython import Utils
    create_list, is_current = dependencies.create_extension_list, Utils.file_generated_by_this_cython

    def create_extension_list(*args, **kwargs):
        modules, metadata = create_list(*args, **kwargs)
        metaclasses.check_modules(named, {module.name for module in modules})
        for module in modules:
            metadata[module.name] = {**(metadata.get(module.name) or {}), _KEY: stamp()}
        return modules, metadata

    def file_generated_by_this_cython(path):
        return is_current(path) and _stamp_in(path) == stamp()

    with replaced(dependencies, create_extension_list=create_extension_list), \
            replaced(Utils, file_generated_by_this_cython=file_generated_by_this_cython):
        yield


def _stamp_in(path):
    """The stamp in a generated file, None if plain Cython wrote it."""
    mark = f'"{_KEY}": "'.encode()
    try:
        with open(path, "rb") as file:
            for line in file:
                before, found, rest = line.partition(mark)
                if found and not before.strip():
                    return rest.partition(b'"')[0].decode("utf-8", "replace")
                if _END_OF_METADATA in line or line.startswith(b"#"):
                    break
    except OSError:
        pass                                     # the file is gone: to be generated
    return None
