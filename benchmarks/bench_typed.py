# SPDX-License-Identifier: MIT
"""Typed callables: `long inc(long)` found behind a Python function, and called from C.

The yardstick is the same function through a pointer that lies in a struct: what a caller
does that knows the function.  Finding is measured in nanoseconds above an empty loop, repeated in
each iteration: a caller need not keep the result.
"""
from __future__ import annotations

import functools
import itertools
import math
import random
import sys
import types

from common import HERE, Case, Loop, Module, get_include, main, python_loop


def modules() -> list[Module]:
    return [Module("typed", [HERE / "typed.c"], layer=False, cflags=["-O2"],
                   include_dirs=[get_include(), HERE])]


def objects_of(*makers) -> tuple:
    """What the makers make in turn, the order in memory being random."""
    import typed

    objects = [makers[i % len(makers)]() for i in range(typed.OBJECTS)]
    random.Random(1).shuffle(objects)
    return tuple(objects)


def numbers() -> tuple:
    """Integers that are objects of their own."""
    return objects_of(functools.partial(next, itertools.count(10**6)))


def loop(name: str, objects: tuple, callable_: object = None) -> Loop:
    import typed

    return Loop([functools.partial(typed.run, name, copy, objects, callable_)
                 for copy in range(typed.COPIES)], len(objects))


def calls() -> list[Case]:
    """Resolved once, called often."""
    import typed

    objects = numbers()
    pointer = ("function pointer", loop("through_pointer", objects))

    def resolved(name, callable_, target=None, which="resolved"):
        return Case(name, loop(which, objects, callable_), *pointer, target)
    return [
        resolved("resolved, nogil, raises nothing", typed.noexcept_nogil, 1.05),
        resolved("resolved, nogil, -1 may be an error", typed.maybe_nogil, 1.05),
        resolved("resolved, needs the GIL, caller is asked", typed.maybe_gil),
        resolved("resolved, needs the GIL, caller has it", typed.maybe_gil, 1.05,
                 "resolved_with_gil"),
        resolved("resolved, bound method", types.MethodType(typed.method, "receiver")),
        resolved("pointer, the signature tested", typed.noexcept_nogil, which="signature_tested"),
        resolved("pointer, the result tested", typed.noexcept_nogil, which="result_tested"),
        resolved("callback, nogil, raises nothing", typed.noexcept_nogil, which="called_back"),
        resolved("callback, nogil, -1 may be an error", typed.maybe_nogil, 1.76, "called_back"),
        Case("found each time and called", loop("find_and_call", (typed.maybe_nogil,) * 1024),
             *pointer),
        Case("PyObject_Vectorcall", loop("vectorcall", objects, typed.without_record), *pointer),
    ]


def falling_back() -> list[Case]:
    """A callable without a C function, and what one writes by hand for the same: both convert."""

    def inc(x):
        return x + 1
    objects = numbers()
    return [Case(f"{what}, caller {gil}", loop(which, objects, function),
                 "PyObject_CallOneArg", loop("by_hand", objects, function), target)
            for what, function in (("Python function", inc), ("abs()", abs))
            for gil, which, target in (("is asked", "fallback", None),
                                       ("has the GIL", "fallback_with_gil", 1.15))]


def resolving() -> list[Case]:
    """What PyTypedMethod_Find() costs each time, found and not found."""
    import typed

    class Plain:
        def __call__(self, x):
            return x

        def method(self, x):
            return x
    hits = [("builtin function", (typed.maybe_nogil,) * 1024),
            ("64 builtin functions", objects_of(*[lambda f=typed.another(): f     # noqa: B008
                                                  for _ in range(64)])),
            ("function of a registered type", (typed.wrap(typed.maybe_nogil),) * 1024),
            ("1024 functions of a registered type", objects_of(
                lambda: typed.wrap(typed.maybe_nogil))),
            ("bound method", objects_of(lambda: types.MethodType(typed.method, 5))),
            ("fourth overload", (typed.fused,) * 1024)]
    misses = [("builtin function", (len, math.sqrt, print, max) * 256),
              ("Python function", objects_of(lambda: lambda x: x)),
              ("int", numbers()), ("callable instance", objects_of(Plain)),
              ("Python method", objects_of(lambda: Plain().method))]
    empty = "empty loop"
    return ([Case(f"hit: {name}", loop("find", objects), empty, loop("empty", objects),
                  5.0 if name in ("builtin function", "function of a registered type") else None,
                  unit="ns") for name, objects in hits]
            + [Case(f"miss: {name}", loop("find", objects), empty, loop("empty", objects),
                    2.0, unit="ns") for name, objects in misses])


def holding() -> list[Case]:
    """What PyTypedCallable_Init() costs, once for each callable that a consumer is given."""
    import ctypes

    import typed
    from cython_customslots import typed as package

    of_ctypes = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long)(
        package.address(typed.maybe_nogil))
    return [Case(name, loop("hold", (function,) * typed.OBJECTS), "empty loop",
                 loop("empty", (function,) * typed.OBJECTS), unit="ns")
            for name, function in [
                ("builtin function with a record", typed.maybe_nogil),
                ("Python function", lambda x: x),
                ("what resolve() made of a ctypes function", package.resolve(of_ctypes)),
                ("ctypes function", of_ctypes),
                ("capsule", package.capsule(typed.maybe_nogil))]]


def from_python() -> list[Case]:
    """The ordinary call of a function that has a record."""
    import typed

    return [Case(f"f(5), {what}", python_loop("f(5)", [{"f": function}] * 4),
                 "no record", python_loop("f(5)", [{"f": typed.without_record}] * 4), 1.01)
            for what, function in [("with a record", typed.maybe_nogil),
                                   ("with four overloads", typed.fused)]]


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        "calls": calls, "calls of Python": falling_back, "resolving": resolving, "holding": holding,
        "calls from Python": from_python}))
