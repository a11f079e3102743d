# SPDX-License-Identifier: MIT
"""Calls of typed callables in loops as everybody writes them, against a function pointer.

One call a turn: `x += f(i)` is summed, `x = f(x)` chained.  In C, in C++ with the class
customslots::callable, and in Cython, by gcc and by clang if they are there.  The loops are those
of bench_natural.py, which has the look-ups of slots.
"""
from __future__ import annotations

import functools
import sys

from bench_natural import LANGUAGES, PLACES, compilers, folder, found, modules
from common import Case, Loop, load, main

TARGET = 1.03
TURNS = 512


def cases(language: str, compiler: str) -> list[Case]:
    import natural_types

    copies = [load("natural", folder(language, compiler, place)) for place in PLACES]
    for copy in copies:
        copy.hold(natural_types.step, natural_types.step_with_gil)
    turns = [None] * TURNS          # how many, to the loops: they look at none

    def loop(name: str) -> Loop:
        return Loop([functools.partial(copy.run, name, turns) for copy in copies], TURNS)

    def case(what: str, name: str, target: float | None = TARGET) -> Case:
        return Case(what, loop(name), "function pointer", loop(f"{name.partition('_')[0]}_pointer"),
                    target)
    return [
        case("summed", "summed_typed"),
        case("summed, needs the GIL, caller has it", "summed_with_gil"),
        case("chained", "chained_typed", None),
        case("summed, needs the GIL, caller is asked", "summed_asked", None),
        Case("asking whether the GIL is there", loop("summed_asked"), "caller that has it",
             loop("summed_with_gil"), unit="ns")]


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        f"{language}, {compiler}": functools.partial(cases, language, compiler)
        for compiler in found() for language in LANGUAGES}, compilers=compilers))
