# SPDX-License-Identifier: MIT
"""Look-ups in several threads: do they scale as work does that shares nothing?

Threads of C code, without a GIL or a thread state, call functions through the slots of
the same objects.  The yardstick are as many threads that each call the same function
through the vtables of objects of their own.  If a look-up wrote to shared memory, the
ratio would grow with the number of threads; what is judged is that it does not, against
the ratio that one thread has (bench_lookup.py: 1.2).  Measured is the processor time of a
look-up; more threads than the machine has CPUs take turns.
"""
from __future__ import annotations

import sys

from common import HERE, Case, Loop, Module, get_include, main

COPIES = 4
OBJECTS = 32
TARGET = 1.4            # one thread's 1.2, and what the machine's turns add to it
INNER = 20              # starting threads takes tens of microseconds: many loops a slice


def modules() -> list[Module]:
    return [Module("threads", [HERE / "threads.c"], include_dirs=[get_include()],
                   cflags=["-O2", "-std=gnu11"], ldflags=["-pthread"])]


def loop(kind: int, copies: list[list], threads: int) -> Loop:
    import threads as module

    runs = []
    for objects in copies:
        def run(repetitions, objects=objects):
            return module.run(kind, objects, threads, repetitions * INNER)

        runs.append(run)
    return Loop(runs, INNER * OBJECTS * threads)


def cases(types: int) -> list[Case]:
    import threads as module
    from cython_customslots import ExtensibleType

    copies = []
    for copy in range(COPIES):
        base = ExtensibleType(f"Base{copy}", (), {})
        module.provide(base)
        classes = [type(f"Sub{number}", (base,), {}) for number in range(types)]
        copies.append([classes[number % types]() for number in range(OBJECTS)])
    return [Case(f"{threads} thread{'s' if threads > 1 else ''}", loop(0, copies, threads),
                 "private vtables", loop(1, copies, threads), target=TARGET)
            for threads in (1, 2, 4, 8)]


def one_type() -> list[Case]:
    """All threads look in one type object."""
    return cases(1)


def many_types() -> list[Case]:
    """Each object has a class of its own, and all threads look in all of them."""
    return cases(OBJECTS)


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        "one type": one_type, "32 types": many_types}))
