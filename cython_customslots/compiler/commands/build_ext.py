# SPDX-License-Identifier: MIT
"""setuptools' ``build_ext`` with the compiler layer: .pyx files are sources like any other.

    [tool.setuptools.cmdclass]
    build_ext = "cython_customslots.build_ext"

In setup.py: ``from cython_customslots import build_ext`` and ``cmdclass={"build_ext": build_ext}``.

It also links customslots_runtime.c, compiled once, to each extension whose C asks for it, as C
with ``runtime="linked"`` does, whatever generated it.
"""
import hashlib
import os
import re
import tempfile
import threading
from pathlib import Path

try:
    from setuptools.command.build_ext import build_ext as _setuptools_build_ext
except ImportError as error:
    raise ImportError(
        f"cython_customslots.build_ext is a command of setuptools, which could not be "
        f"imported ({error}); put setuptools into the build requirements") from error
from Cython.Distutils.build_ext import build_ext as _cython_build_ext

from setuptools.errors import OptionError

from ... import get_runtime_source
from .. import check_cython
from ..switches import metaclasses, runtime
from .build import instead_of_cythons

if not issubclass(_setuptools_build_ext, _cython_build_ext):
    # setuptools took Cython's class when it was imported, if there was one.
    class _setuptools_build_ext(_setuptools_build_ext, _cython_build_ext):
        pass


_LINKED = "PyExtensibleType_RUNTIME_LINKED"
_ASKS = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+{_LINKED}\b", re.MULTILINE)


class build_ext(_setuptools_build_ext):
    user_options = [*_setuptools_build_ext.user_options,
                    ("extend-all", None, "make every cdef class extensible, without a decorator"),
                    ("typed", None, "give every cpdef function a typed record"),
                    ("borrow-views", None, "typed memoryview arguments borrow the memory of NumPy's arrays"),
                    ("metaclass=", None, "metaclass that classes without a decorator have, too: "
                                         "[NAME=]METACLASS, with commas between several"),
                    ("runtime=", None, "implementation of extensible types: embedded, linked, installed or "
                                       "PACKAGE.MODULE")]
    boolean_options = [*_setuptools_build_ext.boolean_options, "extend-all", "typed", "borrow-views"]
    pyproject = "pyproject.toml"                 # the file for this build
    _runtime_directory = None                    # None: beside other objects
    _lock = threading.Lock()                     # extensions may be built in several threads

    def initialize_options(self):
        super().initialize_options()
        self.extend_all = self.typed = self.borrow_views = False
        self.metaclass = self.runtime = None

    def finalize_options(self):
        super().finalize_options()
        self._refuse_unread_switches()
        try:
            self.runtime = runtime.parse(self.runtime)
            self.metaclass = metaclasses.parse_named(self.metaclass)
            metaclasses.check_modules(self.metaclass, {e.name for e in self.extensions or ()})
        except ValueError as error:
            raise OptionError(str(error)) from error

    def _refuse_unread_switches(self):
        """Refuse switches in [tool.distutils]: setuptools ignores them, without a word, where no other table is
        for setuptools."""
        if self.pyproject is None or not os.path.exists(self.pyproject):
            return
        try:
            from setuptools.config.pyprojecttoml import load_file
        except ImportError:                      # before 61, which does not read pyproject.toml
            return
        table = load_file(self.pyproject).get("tool", {}).get("distutils", {}).get("build_ext", {})
        switches = {"extend_all", "typed", "borrow_views", "metaclass", "runtime"}
        given = self.distribution.get_option_dict("build_ext")
        unread = [name for name in table if name.replace("-", "_") in switches - given.keys()]
        if unread:
            raise OptionError(
                f"found {', '.join(unread)} in [tool.distutils.build_ext] of {self.pyproject}, which setuptools "
                "did not read, expected [project] in that file, too; or put what is said there into setup.cfg, "
                "under [build_ext]")

    def build_extensions(self):
        check_cython()                           # the build_ext of Cython 0.29 calls no cythonize()
        # Cython's class imports cythonize() for each extension.
        with instead_of_cythons(verbose=self.verbose > 1, extend_all=bool(self.extend_all),
                                typed=bool(self.typed), borrow_views=bool(self.borrow_views), metaclass=self.metaclass,
                                runtime=self.runtime):
            super().build_extensions()

    def swig_sources(self, sources, extension):
        """Called when there is C, and none of it is compiled yet."""
        sources = super().swig_sources(sources, extension)
        if _asks_for_runtime(sources, extension):
            self._link_runtime(extension)
        return sources

    def _link_runtime(self, extension):
        source = get_runtime_source()
        made_of = (Path(source).read_bytes(), getattr(self.compiler, "compiler_so", None),
                   self.compiler.macros, bool(self.debug))
        name = f"customslots_runtime-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]}"
        directory = Path(self._runtime_directory or self.build_temp)
        target = directory / (name + self.compiler.obj_extension)
        with self._lock:
            if not target.exists():
                directory.mkdir(parents=True, exist_ok=True)
                # Half an object is never linked, whatever is interrupted.
                with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=directory) as work:
                    made, = self.compiler.compile([source], output_dir=work, debug=self.debug)
                    os.replace(made, target)
        extension.extra_objects = [*(extension.extra_objects or ()), str(target)]


def _asks_for_runtime(sources, extension):
    """Does a C file of the extension, or its define_macros, say RUNTIME_LINKED?"""
    return _LINKED in [name for name, *_ in extension.define_macros] or any(
        _ASKS.search(Path(source).read_text(encoding="utf-8", errors="replace")) for source in sources)
