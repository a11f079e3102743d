# SPDX-License-Identifier: MIT
"""pyximport with the compiler layer: ``import`` builds .pyx files.

    from cython_customslots import pyximport
    pyximport.install()
    import circle                               # circle.pyx, with decorators in it

It is for trying things out, as pyximport itself is.
"""
from __future__ import annotations


def install(*args, extend_all: bool = False, typed: bool = False, metaclass=None, runtime=None,
            borrow_views: bool = False, **kwargs):
    """Do what pyximport.install does, with the compiler layer.

    The switches are those of cythonize(), *metaclass* for any module that may be imported.  Returns what uninstall()
    takes.  ImportError: setuptools is missing, which pyximport builds with; RuntimeError: Cython is older than 3.0;
    ValueError: *metaclass* is no name of a metaclass, *runtime* none of its values.
    """
    from .compiler import check_cython
    check_cython()                               # pyximport would make an ImportError of it
    from .compiler.commands.build_ext import build_ext as layered
    from .compiler.switches import metaclasses, runtime as runtimes
    from pyximport import pyxbuild
    from pyximport import pyximport as plain

    named, implementing = metaclasses.parse_named(metaclass), runtimes.parse(runtime)

    class build_ext(layered):
        pyproject = None                         # the module's project is not known

        def initialize_options(self):
            super().initialize_options()
            self.extend_all, self.typed, self.runtime = extend_all, typed, implementing
            self.borrow_views = borrow_views

        def finalize_options(self):
            super().finalize_options()
            self.metaclass = named               # names of all modules that it may ever import

    pyxbuild.build_ext = build_ext
    return plain.install(*args, **kwargs)


def uninstall(py_importer, pyx_importer):
    """Do what pyximport.uninstall does; pyximport is Cython's own again."""
    from Cython.Distutils.build_ext import build_ext
    from pyximport import pyxbuild
    from pyximport import pyximport as plain

    pyxbuild.build_ext = build_ext
    plain.uninstall(py_importer, pyx_importer)
