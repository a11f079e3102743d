# SPDX-License-Identifier: MIT
"""Typed callables for Python: finds C functions in other libraries' callables, and passes them to
other libraries.

    from cython_customslots import typed

    f = typed.resolve(ctypes_function)      # C consumers find the C function in f
    typed.signatures(f)                     # ['f8(f8)']
    typed.as_ufunc(f)(array)                # and as_numba, as_lowlevelcallable, as_ctypes
    f = typed.direct(f)                     # PyPy's JIT calls the C function itself
    print(typed.explain(anything))          # why something cannot be called unboxed

NumPy, SciPy, numba, cffi and ctypes are imported only when they are needed.

The module can be called, too: @typed(False) switches records off for the compiler layer, and
does nothing in Python.
"""
import sys as _sys
import types as _types

from ._typed import TypedFunction
from .ctext import canonical
from .export import (
    adapt, address, as_ctypes, as_lowlevelcallable, as_numba, capsule, explain, resolve, signatures)
from .pypy import direct, direct_module
from .search import adapt_any, why_not, why_not_any
from .ufuncs import as_ufunc

__all__ = [
    "TypedFunction", "adapt", "adapt_any", "address", "as_ctypes", "as_lowlevelcallable", "as_numba",
    "as_ufunc", "canonical", "capsule", "direct", "direct_module", "explain", "resolve", "signatures",
    "why_not", "why_not_any",
]


class _Module(_types.ModuleType):
    def __call__(self, _enabled=True, /):
        """Switch typed records for a function on or off (compiler layer only)."""
        return lambda function: function


_sys.modules[__name__].__class__ = _Module
