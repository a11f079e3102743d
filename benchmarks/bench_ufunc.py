# SPDX-License-Identifier: MIT
"""as_ufunc(): a NumPy ufunc over a typed function, a million doubles at a time.

The yardstick is a C loop over the same function pointer, in another library than the
function, as NumPy's is; it looks at the results of functions that may raise.  x * x + 1 is as little as a
function can do, so that the loop counts; exp(-x * x) is something.  Where numba is
installed, its `vectorize` stands beside: it compiles the function into the loop.
"""
from __future__ import annotations

import math
import sys
import time

from common import HERE, Case, Loop, Module, get_include, main

SIZE = 1_000_000


def modules() -> list[Module]:
    return [Module(name, [HERE / "ufunc.c"], layer=False, cflags=["-O2", *flags],
                   include_dirs=[get_include(), HERE])
            for name, flags in [("ufunc", []), ("ufunc_twin", ["-DTWIN"])]]


def arrays():
    import numpy

    x = numpy.linspace(-3, 3, SIZE)
    return x, numpy.zeros_like(x)


def ufunc_loop(ufunc) -> Loop:
    x, y = arrays()

    def run(repetitions):
        start = time.perf_counter_ns()
        for _ in range(repetitions):
            ufunc(x, y)
        return time.perf_counter_ns() - start
    return Loop([run], SIZE)


def c_loop(function) -> Loop:
    import ufunc_twin

    x, y = arrays()
    return Loop([lambda repetitions: ufunc_twin.loop(function, x, y, repetitions)], SIZE)


def against_c() -> list[Case]:
    import ufunc
    from cython_customslots import typed

    cases = []
    for text, function, target in [
            ("x*x + 1, nogil, raises nothing", ufunc.tiny_quiet, 1.1),
            ("x*x + 1, nogil, -1 may be an error", ufunc.tiny_checked, 1.1),
            ("x*x + 1, needs the GIL, -1 may be an error", ufunc.tiny_gil, 1.1),
            ("x*x + 1, needs the GIL, asked each time", ufunc.tiny_any, 1.1),
            ("exp(-x*x), nogil, raises nothing", ufunc.heavy_quiet, 1.1)]:
        cases.append(Case(f"as_ufunc: {text}", ufunc_loop(typed.as_ufunc(function)), "C loop",
                          c_loop(function), target))
    try:
        import numba
    except ImportError:
        return cases
    tiny = numba.vectorize("float64(float64)")(lambda x: x * x + 1.0)
    heavy = numba.vectorize("float64(float64)")(lambda x: math.exp(-x * x))
    return cases + [
        Case("numba.vectorize: x*x + 1", ufunc_loop(tiny), "C loop", c_loop(ufunc.tiny_quiet)),
        Case("numba.vectorize: exp(-x*x)", ufunc_loop(heavy), "C loop", c_loop(ufunc.heavy_quiet))]


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {"a million doubles": against_c}))
