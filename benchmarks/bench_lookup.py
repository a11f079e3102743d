# SPDX-License-Identifier: MIT
"""Looking a slot up, against a call through a vtable in the object.

A caller that knows the struct of an object reads a function pointer from the vtable in it; that
cannot be beaten, and needs a base class shared by both sides.  PyCustomSlots_Find() asks
any object at all.  Judged are the look-up and the call together, in the loop in which the
vtable call is timed, and what it costs to be told "no".
"""
from __future__ import annotations

import abc
import functools
import itertools
import random
import sys

from common import HERE, Case, Loop, Module, get_include, main

HIT, MISS = 1.25, 1.0   # the target: ratio; nanoseconds above an empty loop
UNFINISHED = {"hit": 20.0, "miss": 45.0}
FAR, ABSENT = 5.2, 5.0  # of tables of any length, in nanoseconds above the vtable call or an empty loop


def modules() -> list[Module]:
    return [Module("lookup", [HERE / "lookup.c"], layer=False, cflags=["-O2"],
                   include_dirs=[get_include(), HERE])]


def objects_of(*classes: type) -> tuple:
    """Instances, the classes and the memory addresses in random order."""
    import lookup

    objects = [classes[i % len(classes)]() for i in range(lookup.OBJECTS)]
    random.Random(1).shuffle(objects)
    return tuple(objects)


def loop(name: str, objects: tuple) -> Loop:
    import lookup

    return Loop([functools.partial(lookup.run, name, copy, objects)
                 for copy in range(lookup.COPIES)], len(objects))


def speakers() -> dict[str, tuple]:
    """Sets of objects that speak the protocol."""
    import lookup

    static = lookup.static_types
    shared = [type(f"Shared{i}", (static[0],), {"__slots__": ()}) for i in range(32)]
    own = [type(f"Own{i}", (static[i],), {"__slots__": ()}) for i in range(32)]
    for cls in own:
        lookup.own_table(cls)
    deep = static[0]
    for i in range(5):
        deep = type(f"Deep{i}", (deep,), {"__slots__": ()})
    sets = {
        "static type": objects_of(static[0]),
        "Python class": objects_of(own[0]),
        "Python class, 5 deep": objects_of(deep),
        "32 static types": objects_of(*static),
        "32 Python classes": objects_of(*own),
        "32 Python classes, one table": objects_of(*shared),
        "16 static + 16 Python": objects_of(*static[:16], *own[16:]),
    }
    for objects in sets.values():
        lookup.link(objects)
    return sets


def hits() -> list[Case]:
    """Find and call, against the vtable call on the same objects."""
    judged = {"static type", "Python class", "32 static types", "32 Python classes",
              "32 Python classes, one table"}
    return [Case(f"Find + call, {name}", loop("call_slot", objects),
                 "vtable call", loop("call_vtable", objects),
                 target=HIT if name in judged else None)
            for name, objects in speakers().items()]


def limits() -> list[Case]:
    """The look-up and call, and the miss, without some of the tests."""
    sets = {**speakers(), **strangers()}
    return [Case(f"{tests}, {name}", loop(which, sets[name]), "vtable call", loop("call_vtable", sets[name]))
            for tests, which in [("no test", "call_untested"), ("ID tested", "call_id_tested"),
                                 ("ID and class tested", "call_class_tested"), ("Find + call", "call_slot")]
            for name in ("static type", "32 Python classes", "16 static + 16 Python")] + [
        Case(f"{tests}, {name}", loop(which, sets[name]), "empty loop", loop("empty", sets[name]), unit="ns")
        for tests, which in [("metaclass compared", "miss_metaclass"), ("Find", "miss_slot")]
        for name in ("int", "instance of a class", "instances of 32 classes")]


def variations() -> list[Case]:
    """The slot in other uses."""
    sets = speakers()
    cases = []
    for name in "static type", "Python class", "32 static types", "32 Python classes":
        objects = sets[name]
        for what, slot, against, vtable in [
                ("Find struct + call", "call_slot_struct", "vtable call", "call_vtable"),
                ("position 3, expected there", "call_slot_fourth", "vtable call",
                 "call_vtable"),
                ("position 3, expected at 0", "call_slot_scan", "vtable call",
                 "call_vtable"),
                ("Find, no call", "look_slot", "vtable read", "look_vtable"),
                ("chain of dependent Finds", "chain_slot", "chain by vtable",
                 "chain_vtable")]:
            cases.append(Case(f"{what}, {name}", loop(slot, objects), against,
                              loop(vtable, objects)))
    return cases


def tables() -> list[Case]:
    """Longer tables: the last slot of many, and one that is not there."""
    import lookup

    cases = []
    for count in 5, 64, 1000:
        cls = type(f"Long{count}", (lookup.static_types[0],), {"__slots__": ()})
        lookup.long_table(cls, count)
        objects = objects_of(cls)
        cases += [Case(f"Find the last of {count} + call", loop("call_slot_last", objects),
                       "vtable call", loop("call_vtable", objects), target=FAR, unit="ns"),
                  Case(f"Find what is not among {count}", loop("miss_in_table", objects),
                       "empty loop", loop("empty", objects), target=ABSENT, unit="ns")]
    cls = type("Long", (lookup.static_types[0],), {"__slots__": ()})
    lookup.long_table(cls, 5)
    for i in range(8):
        cls = type(f"Deep{i}", (cls,), {"__slots__": ()})
    objects = objects_of(type.__new__(type(cls), "Unfinished", (cls,), {"__slots__": ()}))
    for which, name, against in ("hit", "call_slot_last", "call_vtable"), ("miss", "miss_in_table", "empty"):
        cases.append(Case(f"a {which} in an unfinished class of eleven", loop(name, objects),
                          against, loop(against, objects), target=UNFINISHED[which], unit="ns"))
    return cases


def peers() -> list[Case]:
    """What else CPython offers."""
    sets = speakers()
    cases = []
    for what, name in [("PyObject_TypeCheck + call", "call_typecheck"),
                       ("attribute + capsule + call", "call_capsule")]:
        for which in "static type", "Python class", "Python class, 5 deep":
            cases.append(Case(f"{what}, {which}", loop(name, sets[which]),
                              "vtable call", loop("call_vtable", sets[which])))
    return cases


def strangers() -> dict[str, tuple]:
    """Sets of objects that know nothing of the protocol."""
    class Plain:
        pass

    class Abstract(abc.ABC):
        pass

    many = [type(f"Plain{i}", (), {}) for i in range(32)]
    numbers = itertools.count(10**6)
    mixture = itertools.cycle([int, str, list, dict, object, Plain, bytes, float])
    return {
        "int": objects_of(lambda: next(numbers)),
        "object()": objects_of(object),
        "instance of a class": objects_of(Plain),
        "instances of 32 classes": objects_of(*many),
        "instance of an ABC": objects_of(Abstract),
        "eight types mixed": objects_of(lambda: next(mixture)()),
    }


def misses() -> list[Case]:
    """Find of a slot that the object does not have, above an empty loop on the same objects."""
    judged = {"int", "object()", "instance of a class"}
    sets = strangers()
    cases = [Case(f"Find, {name}", loop("miss_slot", objects),
                  "empty loop", loop("empty", objects),
                  target=MISS if name in judged else None, unit="ns")
             for name, objects in sets.items()]
    for what, name in [("PyObject_TypeCheck", "miss_typecheck"),
                       ("attribute + capsule", "miss_capsule")]:
        for which in "int", "instance of a class":
            cases.append(Case(f"{what}, {which}", loop(name, sets[which]),
                              "empty loop", loop("empty", sets[which]), unit="ns"))
    return cases


def token() -> list[Case]:
    """PyType_GetBaseByToken(), of CPython 3.14, on heap types that have a token."""
    import lookup

    deep = lookup.TokenSpeaker
    for i in range(5):
        deep = type(f"Deep{i}", (deep,), {"__slots__": ()})
    found = speakers()["Python class"]
    cases = [Case("Find + call, Python class", loop("call_slot", found),
                  "vtable call", loop("call_vtable", found))]
    for name, cls in [("heap type", lookup.TokenSpeaker), ("Python class", deep.__mro__[4]),
                      ("Python class, 5 deep", deep)]:
        objects = objects_of(cls)
        cases.append(Case(f"token + call, {name}", loop("call_token", objects),
                          "vtable call", loop("call_vtable", objects)))
    sets = strangers()
    for which in "int", "instance of a class":
        cases.append(Case(f"token, {which}", loop("miss_token", sets[which]),
                          "empty loop", loop("empty", sets[which]), unit="ns"))
    return cases


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        "hits": hits, "misses": misses, "limits": limits, "variations": variations, "tables": tables, "peers": peers,
        **({"token": token} if sys.version_info >= (3, 14) else {})}))
