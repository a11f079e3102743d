# SPDX-License-Identifier: MIT
"""quad() and generic_filter() of SciPy, on the C code that was built here, with all kinds of callables."""
import ctypes
import functools

import functions
import numpy
import scipy_callbacks

scipy_callbacks.replace()

from scipy import LowLevelCallable, ndimage     # noqa: E402 (after that)
from scipy.integrate import quad                # noqa: E402

square = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x * x)
CALLABLES = {
    "a cpdef function": functions.square,
    "a partial of one": functools.partial(functions.scaled, 2.0),
    "a cached one": functools.lru_cache(functions.square),
    "a ufunc": numpy.square,
    "ctypes": square,
    "a LowLevelCallable": LowLevelCallable(square),
    "a Python function": lambda x: x * x,
}
for name, function in CALLABLES.items():
    print(f"{name:20} {quad(function, 0, 1)[0]:.4f}")
print(f"{'with an argument':20} {quad(lambda x, n: x ** n, 0, 1, args=(3,))[0]:.4f}")
for call in (lambda: quad(functions.until, 0, 1), lambda: quad(lambda x: [][int(x)], 0, 1),
             lambda: quad(LowLevelCallable(square, ctypes.c_void_p(1)), 0, 1)):
    try:
        call()
    except Exception as error:
        print(f"{type(error).__name__}: {str(error).rpartition(chr(39) + ': ')[2].rstrip(')')}")
print(ndimage.generic_filter(numpy.arange(6.0), lambda window: window.sum(), size=3))
