# SPDX-License-Identifier: MIT
"""Ordinary loops, with one look-up and one call a turn.

A value goes on from call to call: `x = f(x)` is chained, `x += f(1.0)` summed, and "if"
passes over objects that have no such slot.  The same loop calls through a vtable in the
object, or does nothing.  In C, C++ and Cython, by gcc and by clang if they are there.
"""
from __future__ import annotations

import functools
import itertools
import random
import shutil
import subprocess
import sys
import types

from common import HERE, SMOKE, Case, Loop, Module, Variant, get_include, load, main

HIT, MISS = 1.10, 0.40      # the target: ratio; nanoseconds above an empty loop
PLACES = (1,) if SMOKE else (1, 18, 36, 54)     # bytes into a cache line, see loops.h
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}
OBJECTS = 512       # with their types they stay in the first-level cache, although Cython's
                    # loops write to each of them: it counts references
LANGUAGES = {"C": "natural.c", "C++": "natural.cpp", "Cython": "natural.pyx"}


def found() -> dict[str, tuple[str, str]]:
    return {name: commands for name, commands in COMPILERS.items()
            if all(map(shutil.which, commands))}


def compilers() -> str:
    """What compiles the loops, and what is missing, in a line."""
    parts = []
    for name, commands in COMPILERS.items():
        if name in found():
            parts.append(subprocess.run([commands[0], "--version"], capture_output=True,
                                        text=True).stdout.partition("\n")[0])
        else:
            parts.append(f"no {' and '.join(commands)}: their loops are left out")
    return "; ".join(parts) + "; -O2"


def folder(language: str, compiler: str, place: int) -> str:
    return f"{language}-{compiler}-{place}"


def modules() -> list[Module | Variant]:
    options = {"layer": False, "include_dirs": [get_include(), HERE]}
    return [Module("natural_types", [HERE / "natural_types.c"], cflags=["-O2"], **options),
            Module("natural_objects", [HERE / "natural_objects.pyx"], cflags=["-O2"])] + [
        Variant(Module("natural", [HERE / source],
                       cflags=["-O2", "-falign-functions=64", f"-DNATURAL_PLACE={place}"],
                       **options),
                folder(language, compiler, place), commands)
        for compiler, commands in found().items()
        for language, source in LANGUAGES.items() for place in PLACES]


def objects_of(*makers) -> list:
    """What the makers make in turn, the order in memory being random."""
    objects = [makers[i % len(makers)]() for i in range(OBJECTS)]
    random.Random(1).shuffle(objects)
    return objects


@functools.cache
def steppers() -> dict[str, list]:
    """Sets of objects that have the slot."""
    import natural_types

    static = natural_types.static_types
    own = [type(f"Own{i}", (base,), {"__slots__": ()}) for i, base in enumerate(static)]
    for cls in own:
        natural_types.own_table(cls)
    return {"static type": objects_of(static[0]), "Python class": objects_of(own[0]),
            "32 static types": objects_of(*static), "32 Python classes": objects_of(*own)}


@functools.cache
def strangers() -> dict[str, list]:
    """Sets of objects that have not."""
    class Plain:
        pass

    many = [type(f"Plain{i}", (), {}) for i in range(32)]
    return {"int": objects_of(functools.partial(next, itertools.count(10**6))),
            "instance of a class": objects_of(Plain),
            "instances of 32 classes": objects_of(*many)}


def held(language: str, compiler: str) -> list[types.ModuleType]:
    """The copies of a module, which hold what their loops over no objects call."""
    import natural_types

    copies = [load("natural", folder(language, compiler, place)) for place in PLACES]
    for copy in copies:
        copy.hold(natural_types.step, natural_types.step_with_gil)
    return copies


def cases(language: str, compiler: str) -> list[Case]:
    copies = held(language, compiler)

    def loop(name: str, objects: list) -> Loop:
        return Loop([functools.partial(copy.run, name, objects) for copy in copies],
                    len(objects))

    listed = []
    for name, slot, vtable in [("chained", "chained_slot", "chained_vtable"),
                               ("summed", "summed_slot", "summed_vtable"),
                               ("if", "if_slot", "chained_vtable")]:
        listed += [Case(f"{name}, {which}", loop(slot, objects), "vtable call",
                        loop(vtable, objects), HIT) for which, objects in steppers().items()]
    listed += [Case(f"if, {which}", loop("if_slot", objects), "empty loop",
                    loop("empty", objects), MISS, unit="ns")
               for which, objects in strangers().items()]
    if language == "Cython":
        # What a look-up costs there beside Cython's own work, one test after the other.
        listed += [Case(f"chained, {tests}, {which}", loop(name, steppers()[which]), "vtable call",
                        loop("chained_vtable", steppers()[which]))
                   for tests, name in [("no test", "chained_untested"),
                                       ("ID tested", "chained_id_tested"),
                                       ("ID and class tested", "chained_class_tested")]
                   for which in ("static type", "32 Python classes")]
    objects = steppers()["32 Python classes"]
    listed.append(Case("chained FindAny, 32 Python classes", loop("chained_slot_any", objects),
                       "vtable call", loop("chained_vtable", objects)))
    listed += [Case(f"typed function, {name}", loop(f"{name}_typed", objects),
                    "function pointer", loop(f"{name}_pointer", objects))
               for name in ("chained", "summed")]
    return listed


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        f"{language}, {compiler}": functools.partial(cases, language, compiler)
        for compiler in found() for language in LANGUAGES}, compilers=compilers))
