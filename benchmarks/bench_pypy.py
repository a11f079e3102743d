# SPDX-License-Identifier: MIT
"""Calls of `long inc(long)` from Python and C, on PyPy and CPython.

Python code calls the function of a record through typed.direct(), which on PyPy is compiled to a
call of the C function; cffi's function pointer is what PyPy can do at best. A loop of ten million
calls is timed as it is, too, as the paper on typed functions did.
"""
from __future__ import annotations

import sys
import time

from common import HERE, SMOKE, Case, Loop, Module, get_include, main, python_loop

IS_PYPY = sys.implementation.name == "pypy"
COPIES = 4
JUDGED = ("direct, noexcept nogil", "direct, without checks") if IS_PYPY else ()


def modules() -> list[Module]:
    return [Module("pypy_functions", [HERE / "pypy_functions.pyx"], cflags=["-O2"]),
            Module("pypy_consumer", [HERE / "pypy_consumer.c"], include_dirs=[get_include()], cflags=["-O2"])]


def functions() -> dict:
    """What calls inc(), by name."""
    import pypy_functions
    from cython_customslots import typed

    def in_python(x):
        return x + 1

    found = {"cpdef inc": pypy_functions.inc, "direct, noexcept nogil": typed.direct(pypy_functions.inc_nogil),
             "direct, without checks": typed.direct(pypy_functions.inc_nogil, checks=False),
             "direct, raises, nogil": typed.direct(pypy_functions.inc_raises),
             "direct, raises, needs the GIL": typed.direct(pypy_functions.inc), "in Python": in_python}
    try:
        import cffi
    except ImportError:                          # on CPython it need not be there
        return found
    pointer = cffi.FFI().cast("int64_t (*)(int64_t)", typed.address(pypy_functions.inc_nogil))
    return {**found, "cffi pointer": pointer}


def ten_million() -> list[dict]:
    """One loop of ten million calls of each, best of three, with the collector's work
    during the loop, which slices of a millisecond leave out."""
    count = 10_000 if SMOKE else 10_000_000
    names: dict = {}
    exec("def calls(f, count):\n    x = 0\n    for _ in range(count):\n        x = f(x)\n    return x\n", names)
    best = {}
    for name, function in functions().items():
        times = []
        for _ in range(3):
            start = time.perf_counter_ns()
            if names["calls"](function, count) != count:
                raise SystemExit(f"bench_pypy: {name} does not count")
            times.append((time.perf_counter_ns() - start) / count)
        best[name] = min(times)
    rows = []
    for against, unit, limit in ("cpdef inc", "faster", 60), ("cffi pointer", "x", 1.2):
        if against in best:                      # there is no pair of slices to compare: paired is the ratio
            rows += [{"name": name, "against": against, "unit": unit, "target": limit if name in JUDGED else None,
                      "ns": ns, "baseline_ns": best[against], "paired": ns / best[against]}
                     for name, ns in best.items()
                     if name != against and (name.startswith("direct") or against == "cpdef inc")]
    return rows


def from_python() -> list[Case]:
    """A loop in Python that hands each result to the next call."""
    loops = {name: python_loop("x = f(x)", [{"f": function, "x": 0} for _ in range(COPIES)], unroll=1)
             for name, function in functions().items()}
    cases = []
    for name, loop in loops.items():
        if name != "cpdef inc":
            cases.append(Case(name, loop, "cpdef inc", loops["cpdef inc"], unit="faster"))
        if name.startswith("direct") and "cffi pointer" in loops:
            cases.append(Case(name, loop, "cffi pointer", loops["cffi pointer"],
                              1.2 if name in JUDGED else None))
    return cases


def from_c() -> list[Case]:
    """A loop in C that sums up results."""
    import pypy_consumer
    import pypy_functions

    pypy_consumer.hold(pypy_functions.inc_nogil)

    def loop(name: str) -> Loop:
        run = getattr(pypy_consumer, name)
        return Loop([lambda count, copy=copy: run(copy, 1000 * count) for copy in range(COPIES)], 1000)

    limit = 1.05 if IS_PYPY else None
    return [Case("record, caller without the GIL", loop("by_record"), "function pointer", loop("by_pointer"), limit),
            Case("record, caller with the GIL", loop("by_record_with_gil"), "function pointer", loop("by_pointer"),
                 limit)]


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules,
                  {"a loop of ten million": ten_million, "from Python": from_python, "from C": from_c}))
