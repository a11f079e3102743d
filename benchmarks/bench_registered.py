# SPDX-License-Identifier: MIT
"""Registered slots: what the second door costs, for types that carry no table.

PyCustomSlots_FindAny() looks into the table first and then for what it remembers, or along the
MRO.  Its hits are measured against Find and a call where Find finds something, and its
answers on plain types against nothing but each other: the attribute with a capsule is
what is used for such types today.
"""
from __future__ import annotations

import functools
import itertools
import random
import sys

from common import HERE, Case, Loop, Module, get_include, main


def modules() -> list[Module]:
    return [Module("registered", [HERE / "registered.c"], layer=False, cflags=["-O2"],
                   include_dirs=[get_include(), HERE])]


def objects_of(*makers) -> tuple:
    """What the makers make in turn, the order in memory being random."""
    import registered

    objects = [makers[i % len(makers)]() for i in range(registered.OBJECTS)]
    random.Random(1).shuffle(objects)
    return tuple(objects)


def loop(name: str, objects: tuple) -> Loop:
    import registered

    return Loop([functools.partial(registered.run, name, copy, objects)
                 for copy in range(registered.COPIES)], len(objects))


def chain(base: type, depth: int) -> type:
    for i in range(depth):
        base = type(f"{base.__name__}{i}", (base,), {"__slots__": ()})
    return base


def speakers() -> dict[str, tuple]:
    """Sets of objects of types that were registered, or whose bases were."""
    import registered

    registered_type = type("Registered", (), {"__slots__": ()})
    registered.speak(registered_type)
    many = [type(f"Registered{i}", (), {"__slots__": ()}) for i in range(32)]
    for cls in many:
        registered.speak(cls)
    return {
        "registered type": objects_of(registered_type),
        "subclass 1 down": objects_of(chain(registered_type, 1)),
        "subclass 3 down": objects_of(chain(registered_type, 3)),
        "32 registered types": objects_of(*many),
    }


def extensible() -> tuple:
    import registered
    from cython_customslots import ExtensibleType

    cls = ExtensibleType("Extensible", (), {"__slots__": ()})
    registered.speak(cls)
    return objects_of(cls)


def hits() -> list[Case]:
    """Look up and call, against Find and the call for an extensible type."""
    table, sets = extensible(), speakers()
    baseline = loop("find", table)
    cases = [Case("FindAny + call, extensible type", loop("find_any", table),
                  "Find + call", baseline)]
    for name, objects in sets.items():
        cases.append(Case(f"FindAny + call, {name}", loop("find_any", objects),
                          "Find + call, ext.", baseline))
    for name, objects in sets.items():
        cases.append(Case(f"attribute + capsule + call, {name}", loop("capsule", objects),
                          "Find + call, ext.", baseline))
    return cases


def against_capsule() -> list[Case]:
    """The second door against what is used today, on the same objects."""
    return [Case(f"FindAny + call, {name}", loop("find_any", objects),
                 "attribute + capsule", loop("capsule", objects))
            for name, objects in speakers().items()]


def misses() -> list[Case]:
    """Nothing to find, above an empty loop on the same objects; ten types are registered
    for the ID, so that the MRO must be asked."""
    import registered

    for i in range(10):
        registered.speak(type(f"Other{i}", (), {}))
    plain = type("Plain", (), {"__slots__": ()})
    numbers = itertools.count(10**6)
    cases = []
    for name, objects in [("int", objects_of(lambda: next(numbers))),
                          ("instance of a class", objects_of(plain)),
                          ("instance, 3 down", objects_of(chain(plain, 3)))]:
        for what, which in [("FindAny", "miss_any"),
                            ("FindAny, ID never registered", "miss_any_unknown"),
                            ("Find", "miss_find"), ("attribute + capsule", "miss_capsule")]:
            cases.append(Case(f"{what}, {name}", loop(which, objects), "empty loop",
                              loop("empty", objects), unit="ns"))
    return cases


def scale() -> list[Case]:
    """One ID, a thousand, a subclass, a miss, above an empty loop on the same objects; `object`
    has a hundred IDs.  Without a GIL 10 is allowed: there each look-up once took a lock."""
    import registered

    registered.more_ids(object, 0, 100)
    classes = [type(name, (), {"__slots__": ()}) for name in ("One", "Many")]
    for cls in classes:
        registered.speak(cls)
    registered.more_ids(classes[1], 100, 1099)
    free = not getattr(sys, "_is_gil_enabled", lambda: True)()
    cases = []
    for name, cls, which, target in [
            ("1 ID", classes[0], "find_any", 6), ("1,000 IDs", classes[1], "find_any", 8),
            ("subclass of that", chain(classes[1], 1), "find_any", 8),
            ("miss", type("Plain", (), {"__slots__": ()}), "miss_any", 3)]:
        objects = objects_of(cls)
        cases.append(Case(f"FindAny, {name}", loop(which, objects), "empty loop",
                          loop("empty", objects), 10 if free else target, "ns"))
    return cases


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        "hits": hits, "scale": scale, "against capsule": against_capsule, "misses": misses}))
