# SPDX-License-Identifier: MIT
"""The same integrator for callables of all kinds; with SciPy beside it, if there is one."""
import ctypes
import ctypes.util
import math
import time

from functions import Damped, Polynomial, bell, careful
from integrate import integrate

from cython_customslots import typed

cases = [
    ("lambda x: math.exp(-x * x)", lambda x: math.exp(-x * x), 0.0, 2.0),
    ("bell, a cpdef function", bell, 0.0, 2.0),
    ("careful, which may raise", careful, 0.0, 2.0),
    ("Damped(0.5).value, a method", Damped(0.5).value, 0.0, 2.0),
    ("Polynomial(1, 2, 3), a slot", Polynomial(1, 2, 3), 0.0, 2.0),
]

name = ctypes.util.find_library("m")
if name:
    libm = ctypes.CDLL(name)
    libm.sin.argtypes, libm.sin.restype = [ctypes.c_double], ctypes.c_double
    cases.append(("sin of libm, by ctypes", libm.sin, 0.0, 2.0))
    cases.append(("the same, resolved once", typed.resolve(libm.sin), 0.0, 2.0))

try:
    import numba
except ImportError:
    pass
else:
    @numba.cfunc("float64(float64)")
    def compiled(x):
        return math.exp(-x * x)
    cases.append(("a numba cfunc", compiled, 0.0, 2.0))


def seconds(call, repeat=5):
    best = math.inf
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(200):
            call()
        best = min(best, time.perf_counter() - start)
    return best / 200


try:
    from scipy.integrate import quad
except ImportError:
    quad = None

for text, function, a, b in cases:
    value, error, calls, through = integrate(function, a, b)
    print(f"{text:<28}{value:>13.9f}   {calls:>3} calls of {through}")

try:
    integrate(careful, -1, 1)
except ValueError as refusal:
    print(f"ValueError: {refusal}")

if quad is not None:
    print()
    print(f"{'microseconds':<28}{'here':>10}{'scipy.quad':>12}")
    for text, function, a, b in cases:
        assert abs(integrate(function, a, b)[0] - quad(function, a, b)[0]) < 1e-7
        here = seconds(lambda: integrate(function, a, b)) * 1e6
        theirs = seconds(lambda: quad(function, a, b), 3) * 1e6
        print(f"{text:<28}{here:>10.1f}{theirs:>12.1f}")
