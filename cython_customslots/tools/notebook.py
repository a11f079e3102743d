# SPDX-License-Identifier: MIT
"""``%load_ext cython_customslots``: IPython's ``%%cython`` with the compiler layer.

It is Cython's own magic, with all its options, and these:

    %%cython --extend-all --metaclass=abc.ABCMeta --runtime=installed
"""
from __future__ import annotations

import functools
import re


def load(shell) -> None:
    """Register the magics in an IPython shell, in place of Cython's.

    ImportError: IPython or setuptools is missing; RuntimeError: Cython is older than 3.0.
    """
    magics = _magics_class()
    shell.register_magics(magics)


def _magics_class():
    from ..compiler import check_cython           # first: needs Cython
    try:
        from Cython.Build import IpythonMagic
    except ImportError as error:
        # The magic needs IPython, and, because Python 3.12 has no distutils, setuptools.
        missing = (error.name or "").partition(".")[0].lower()
        package = {"distutils": "setuptools"}.get(missing, missing or "cython ipython setuptools")
        raise ImportError(
            f"%load_ext cython_customslots: Cython's %%cython magic could not be imported "
            f"({error}); install what is missing: pip install {package}") from error
    from IPython.core.error import UsageError
    from IPython.core.magic import cell_magic, magics_class

    from ..compiler.commands.build import cythonize
    from ..compiler.commands.build_ext import build_ext as layered
    from ..compiler.commands.cli import SWITCHES, VALUED, misspelt, split_switches
    from ..compiler.reports import tracking
    from ..compiler.shared.replacing import replaced

    check_cython()
    plain = IpythonMagic.CythonMagics

    class build_ext(layered):
        pyproject = None                         # a notebook has no project

        def build_extension(self, ext):
            ext._needs_stub = False              # Cython names the extension after setuptools has asked for this
            super().build_extension(ext)

    @magics_class
    class CustomslotsMagics(plain):
        @cell_magic
        @functools.wraps(plain.cython)
        def cython(self, line, cell):
            words = line.split()
            if (message := misspelt(words)) is not None:
                raise UsageError(f"%%cython: {message}")
            try:
                switches, _ = split_switches(words)
            except ValueError as error:
                raise UsageError(f"%%cython: {error}") from error
            for option in (*VALUED, *SWITCHES):  # the rest of the line may have quotes
                line = re.sub(rf"(?<!\S){option}" + (r"(?:=|\s+)\S+" if option in VALUED else r"(?!\S)"), "", line)
            # A module is built once for each text and compiler; this is another compiler.
            layered_cythonize = functools.partial(cythonize, verbose=int("--verbose" in words), **switches)
            with replaced(IpythonMagic, cythonize=layered_cythonize,
                          cython_version=f"{IpythonMagic.cython_version} {tracking.stamp(**switches)}"):
                return super().cython(line, cell)

        def _get_build_extension(self, *args, **kwargs):
            return super()._get_build_extension(*args, **{**kwargs, "_build_ext": build_ext})

        @cell_magic
        @functools.wraps(plain.cython_pyximport)
        def cython_pyximport(self, line, cell):
            if not self._pyximport_installed:
                from .. import pyximport
                pyximport.install()
                self._pyximport_installed = True
            return super().cython_pyximport(line, cell)

    return CustomslotsMagics
