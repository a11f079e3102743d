# SPDX-License-Identifier: MIT
"""setuptools' ``build_ext`` with the compiler layer: .pyx files are sources like any other.

    [tool.setuptools.cmdclass]
    build_ext = "cython_customslots.build_ext"

In setup.py: ``from cython_customslots import build_ext`` and ``cmdclass={"build_ext": build_ext}``.

It compiles the implementation of extensible types once, customslots_runtime.c, and links it to each extension that
carries it, whatever generated the C: to those that ask for it, as C with ``runtime="linked"`` does, and, unless
``runtime="embedded"``, to those whose only C file has the text of it, which is left out then.
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
_CARRIES = re.compile(r"^#define Py_CUSTOMSLOTS_RUNTIME_H$", re.MULTILINE)


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
    _may_link = False                            # what nobody asked for
    _lock = threading.Lock()                     # extensions may be built in several threads

    def initialize_options(self):
        super().initialize_options()
        self.extend_all = self.typed = self.borrow_views = False
        self.metaclass = self.runtime = None

    def finalize_options(self):
        super().finalize_options()
        self._refuse_unread_switches()
        self._may_link = self.runtime is None
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
        texts = [Path(source).read_text(encoding="utf-8", errors="replace") for source in sources]
        asks = _LINKED in [name for name, *_ in extension.define_macros] or any(map(_ASKS.search, texts))
        # Two C files of a module would both define what the linked object looks for; of other compilers nobody knows.
        if not asks and self._may_link and self.compiler.compiler_type == "unix" and len(texts) == 1 and (
                _CARRIES.search(texts[0])):
            extension.define_macros = [*extension.define_macros, (_LINKED, None)]
            asks = True
        if asks:
            self._link_runtime(extension)
        return sources

    def _link_runtime(self, extension):
        source = get_runtime_source()
        # The target's processor, for example; not the dialect, which may be one of C++.
        flags = [flag for flag in extension.extra_compile_args or () if not flag.startswith("-std")]
        made_of = (Path(source).read_bytes(), getattr(self.compiler, "compiler_so", None),
                   self.compiler.macros, bool(self.debug), flags)
        name = f"customslots_runtime-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]}"
        directory = Path(self._runtime_directory or self.build_temp)
        target = directory / (name + self.compiler.obj_extension)
        with self._lock:
            if not target.exists():
                directory.mkdir(parents=True, exist_ok=True)
                # Half an object is never linked, whatever is interrupted.
                with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=directory) as work:
                    made, = self.compiler.compile([source], output_dir=work, debug=self.debug, extra_postargs=flags)
                    os.replace(made, target)
        extension.extra_objects = [*(extension.extra_objects or ()), str(target)]
