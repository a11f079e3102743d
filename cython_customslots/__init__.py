# SPDX-License-Identifier: MIT
"""C-level slots and C fields for any Python type.

Most of this package is read by compilers: ``__init__.pxd`` and ``provider.pxd`` by
Cython, ``include/`` and ``runtime/`` by C, ``utility/`` by the compiler layer.  This module is for
build scripts (``get_include``, ``cythonize``), for looking at types from Python
(``ExtensibleType``, ``table``) and at which implementation serves them (``runtime_info``), and, as no-ops, the
decorators of pure-Python mode.
"""

import pathlib as _pathlib
import sys as _sys

__version__ = "0.1.0"

# What __all__ has, and what is needed for it.  Without `array` and `callable`, which are names of Python's.
_ALWAYS = [
    "ExtensibleType", "Slotted", "combine", "explain", "extensible", "fields", "get_cmake_dir",
    "get_include", "get_pkgconfig_dir", "get_runtime_source", "get_utility_dir", "implements", "interface",
    "interfaces", "layout", "metaclass", "runtime_info", "signatures", "slot", "slots", "table", "typed",
]
_CPYTHONS = ["ExtensibleType", "Slotted", "layout", "table"]    # elsewhere an ImportError says so
_WHERE_INSTALLED = {"build_ext": ("Cython", "setuptools"), "cythonize": ("Cython",)}


def _redirect_to_installed():
    """In a checkout, become the installed package; in an editable install, know its files.

    ``python -m cython_customslots`` and ``python -m pytest`` put the current directory
    first on sys.path, where a checkout has this directory: the sources, without the
    compiled module and without headers in the .pxd files.  What runs must be what was
    installed.
    """
    from importlib.machinery import EXTENSION_SUFFIXES, PathFinder

    here = _pathlib.Path(__file__).resolve().parent
    if any((here / "typed" / f"_typed{suffix}").exists() for suffix in EXTENSION_SUFFIXES):
        return
    # In an editable install the loader knows the files, which are in several places.
    reader = getattr(__spec__.loader, "get_resource_reader", lambda name: None)(__name__)
    files = reader.files() if hasattr(reader, "files") else here
    if any(files.joinpath("typed", f"_typed{suffix}").is_file() for suffix in EXTENSION_SUFFIXES):
        from .tools.editable import stage
        staged = stage(files)
        globals()["__file__"] = str(staged / "__init__.py")
        if str(staged.parent) not in _sys.path:
            _sys.path.append(str(staged.parent))              # where Cython looks for .pxd files
        return
    elsewhere = [entry for entry in _sys.path
                 if _pathlib.Path(entry or ".").resolve() != here.parent]
    spec = PathFinder.find_spec(__name__, elsewhere)
    if spec is None or spec.origin is None:
        raise ImportError(
            f"{__name__}: found the source tree at {here}, which has no compiled module, "
            f"and no installed package on sys.path; run 'pip install .' in {here.parent} first")
    __path__[:] = spec.submodule_search_locations
    globals()["__file__"] = spec.origin
    globals()["__spec__"] = spec


_redirect_to_installed()


def _directory(name, marker):
    package = _pathlib.Path(__file__).resolve().parent
    directory = package / name
    if not (directory / marker).is_file():
        raise FileNotFoundError(
            f"cython_customslots: expected {marker} in {directory}; the installation is "
            f"incomplete, reinstall the package")
    return str(directory)


def get_include():
    """Return the directory that holds ``customslots.h`` and ``extensibletype.h``."""
    return _directory("include", "customslots.h")


def get_utility_dir():
    """Return the directory of the Cython utility code that the compiler layer uses."""
    return _directory("utility", "CustomSlots.c")


def get_cmake_dir():
    """Return the directory of ``CythonCustomslotsConfig.cmake``, for CMAKE_PREFIX_PATH."""
    return _directory("tools/cmake", "CythonCustomslotsConfig.cmake")


def get_pkgconfig_dir():
    """Return the directory of ``cython-customslots.pc``, for PKG_CONFIG_PATH."""
    return _directory("tools/pkgconfig", "cython-customslots.pc")


def get_runtime_source():
    """Return the path of ``customslots_runtime.c``, whose object modules with ``runtime="linked"`` link."""
    return str(_pathlib.Path(_directory("include", "customslots_runtime.c"), "customslots_runtime.c"))


def load_ipython_extension(shell):
    """``%load_ext cython_customslots``: ``%%cython`` compiles with the layer."""
    from .tools.notebook import load
    load(shell)


# ------------------------------------------------------------- pure-Python mode

def extensible(cls=None, /, *, metaclass=None):
    """Make a cdef class extensible, in addition to what *metaclass* does for Python
    classes, ABCMeta for example.  Has an effect in the compiler layer only.
    """
    return cls if cls is not None else lambda cls: cls


def metaclass(_metaclass, /, **fields):
    """Give a cdef class a metaclass and initial C fields (compiler layer only)."""
    return lambda cls: cls


def slot(_id, /, *, pointer=None, objoffset=None, flags=None, position=None, capsule=None):
    """Give a cdef class a custom slot (compiler layer only)."""
    return lambda cls: cls


def array(fill=None, /, **how):
    """Make the objects of a cdef class arrays (compiler layer only)."""
    return lambda cls: cls


def implements(*interfaces):
    """Have a cdef class implement interfaces of which its public .pxd says nothing.  In a module that is
    not compiled, the class derives from them."""
    return lambda cls: type(cls)(cls.__name__, (cls, *interfaces), {
        name: getattr(cls, name) for name in ("__module__", "__qualname__", "__doc__")})


def callable(method, /):
    """Make a C method what calls of an object run, as __call__ if the class has none."""
    return _Called(method)


class _Called:
    def __init__(self, method):
        self.method = method

    def __set_name__(self, owner, name):
        setattr(owner, name, self.method)
        if "__call__" not in vars(owner):
            owner.__call__ = lambda self, *args, **kwargs: getattr(self, name)(*args, **kwargs)


def _all():
    """Names that `from cython_customslots import *` and help() can have here."""
    from importlib.util import find_spec

    def installed(package):
        try:
            return find_spec(package) is not None
        except ValueError:          # imported, but made without a __spec__
            return True

    names = _ALWAYS + [name for name, needs in _WHERE_INSTALLED.items() if all(map(installed, needs))]
    if _sys.implementation.name != "cpython":
        names = [name for name in names if name not in _CPYTHONS]
    return sorted(names)


#: {name: where it is}, imported late, so that a build script needs no compiled module and a program no compiler.
_ELSEWHERE = {
    "ExtensibleType": "provider:extensibletype", "table": "provider:table", "layout": "provider:layout",
    "runtime_info": "implementations:runtime_info", "Slotted": "python.slotted:Slotted",
    "combine": "combining:combine", "explain": "python.interface_objects:explain",
    "interface": "python.interface_objects:interface", "fields": "inspecting.classes:fields",
    "interfaces": "inspecting.classes:interfaces", "slots": "inspecting.classes:slots",
    "signatures": "typed:signatures", "cythonize": "compiler.commands.build:cythonize",
    "build_ext": "compiler.commands.build_ext:build_ext",
    "typed": "typed:",       # the package, which can be called: it is the decorator of pure-Python mode, too
}


def __getattr__(name):
    if name == "__all__":
        return _all()
    if name not in _ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import pkgutil
    return pkgutil.resolve_name(f"{__name__}.{_ELSEWHERE[name]}")


def __dir__():
    return sorted({*globals(), "__all__", *_all()})
