# SPDX-License-Identifier: MIT
"""What each kind of callable costs in a C loop, in SciPy's quad() and in a loop of numba's.

All calculate x * x + 1.  The C loop calls what PyTypedCallable_Init() found in the callable; quad() and numba get the
callable itself, or what the module `typed` makes of it.  Nanoseconds of one call, with all that the loop or quad()
does around it: the empty loop is a turn of Python's, which is next to nothing beside 512 calls.
"""
from __future__ import annotations

import ctypes
import functools
import importlib.util
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path

from common import HERE, Case, Elsewhere, LeftOut, Loop, Module, Variant, get_include, load, main

COPIES, ITEMS = 4, 512
POINTS = [i / 50 for i in range(1, 50)]     # between these quad() evaluates 21 times
QUAD = 21 * (len(POINTS) + 1)
#: The libraries that are not here, and what is left out without them.
MISSING = {name: without for name, without in {
    "numpy": "ufuncs and the loops of numba", "scipy": "quad() and LowLevelCallable",
    "numba": "its loops, njit and cfunc", "cffi": "its function"}.items() if not importlib.util.find_spec(name)}


def modules() -> list[Variant]:
    module = Module("kinds", [HERE / "kinds.pyx"], cflags=["-O2"], include_dirs=[get_include(), HERE])
    return [Variant(module, f"copy{i}") for i in range(COPIES)]


@functools.cache
def copies() -> list[types.ModuleType]:
    return [load("kinds", f"copy{i}") for i in range(COPIES)]


def kinds() -> dict[str, Callable]:
    """Functions of f8(f8), as many as can be made here."""
    from cython_customslots import typed

    module = copies()[0]
    of_ctypes = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(typed.address(module.quiet))
    found = {"lambda": lambda x: x * x + 1, "Cython def": module.in_def, "cpdef": module.raising,
             "cpdef noexcept nogil": module.quiet, "object with customslots.callable": module.Parabola(),
             "ctypes function": of_ctypes}
    if "cffi" not in MISSING:
        import cffi
        found["cffi function"] = cffi.FFI().cast("double (*)(double)", typed.address(module.quiet))
    if "scipy" not in MISSING:
        import scipy
        found["scipy.LowLevelCallable"] = scipy.LowLevelCallable(of_ctypes)
    if "numba" not in MISSING:
        import numba
        found["numba.njit"] = numba.njit(lambda x: x * x + 1)
        found["numba.cfunc"] = numba.cfunc("float64(float64)")(lambda x: x * x + 1)
    if "numpy" not in MISSING:
        found["NumPy ufunc"] = typed.as_ufunc(module.quiet)
    return found


def repeated(run: Callable[[], object], repetitions: int) -> int:
    start = time.perf_counter_ns()
    for _ in range(repetitions):
        run()
    return time.perf_counter_ns() - start


def case(name: str, runs: list[Callable[[int], float]], calls: int) -> Case:
    return Case(name, Loop(runs, calls), "empty loop", Loop([functools.partial(repeated, int)], calls), unit="ns")


def converted(convert: Callable, function: Callable) -> object:
    """What a library gets that looks for no exceptions: those of a function that may raise are printed."""
    try:
        return convert(function, "f8(f8)")
    except TypeError:
        return convert(function, "f8(f8)", unraisable=True)


def in_c() -> list[Case]:
    return [case(name, [functools.partial(copy.summed, function) for copy in copies()], ITEMS)
            for name, function in kinds().items()]


def in_quad(convert: Callable[[Callable], object]) -> list[Case]:
    from scipy.integrate import quad

    return [case(name, [functools.partial(repeated, functools.partial(
        quad, convert(function), 0, 1, points=POINTS, limit=len(POINTS) + 2))], QUAD)
        for name, function in kinds().items()]


def in_quad_as_it_is() -> list[Case]:
    return in_quad(lambda function: function)


def in_quad_low_level() -> list[Case]:
    from cython_customslots import typed

    return in_quad(functools.partial(converted, typed.as_lowlevelcallable))


def in_numba() -> list[Case]:
    import numba
    import numpy
    from cython_customslots import typed

    @numba.njit
    def summed(function, items, repetitions):
        total = 0.0
        for _ in range(repetitions):
            for x in items:
                total += function(x)
        return total

    def run(function, repetitions):
        start = time.perf_counter_ns()
        summed(function, items, repetitions)
        return time.perf_counter_ns() - start
    items = numpy.zeros(ITEMS)
    return [case(name, [functools.partial(run, converted(typed.as_numba, function))], ITEMS)
            for name, function in kinds().items()]


def left_out(name: str, directory: Path, rounds: int, processes: int) -> tuple:
    raise LeftOut(f"{MISSING[name]}: found no {name} here: pip install {name}")


GROUPS = {"C loop": (in_c, []), "quad(f)": (in_quad_as_it_is, ["scipy"]),
          "quad(as_lowlevelcallable(f))": (in_quad_low_level, ["scipy"]),
          "numba loop, as_numba(f)": (in_numba, ["numba", "numpy"])}

if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {name: group for name, (group, needed) in GROUPS.items()
                                               if not MISSING.keys() & needed},
                  elsewhere=[Elsewhere(name, functools.partial(left_out, name)) for name in MISSING]))
