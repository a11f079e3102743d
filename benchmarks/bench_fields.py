# SPDX-License-Identifier: MIT
"""Reading a C field of an object's class, in the ways of examples/greetings.

The yardstick is a C field of the instance, which costs memory in every object and cannot
tell what the class knows.  "loop" is how many reads a second, "chain" is how long one
takes: there each read says where the next object is.
"""
from __future__ import annotations

import functools
import random
import sys

from common import HERE, Case, Loop, Module, get_include, main

NAMES = {"field": "class field", "limit": "its two loads alone", "map": "dictionary map",
         "walk": "MRO walk", "metameta": "meta-metaclass", "metameta_checked": "meta-metaclass, type test"}

#: Ways that read what another one has made.
MADE_AS = {"limit": "field", "metameta_checked": "metameta"}


def modules() -> list[Module]:
    return [Module("fields", [HERE / "fields.pyx"], include_dirs=[get_include(), HERE], cflags=["-O2"])]


def loop(name: str, objects: tuple) -> Loop:
    import fields

    return Loop([functools.partial(fields.run, name, copy, objects)
                 for copy in range(fields.COPIES)], len(objects))


def objects_of(way: str, depth: int, number_of_classes: int = 1) -> tuple:
    """Instances of Python subclasses, `depth` below a class with a value of its own."""
    import fields

    classes = []
    for number in range(number_of_classes):
        cls = fields.make(MADE_AS.get(way, way), number + 1)
        for level in range(depth):
            cls = type(cls)(f"Sub{level}", (cls,), {"__slots__": ()})
            if way == "map":      # knows registered classes only; be kind and register
                cls = fields.make(way, number + 1)
        classes.append(cls)
    objects = [classes[i % len(classes)](i % len(classes) + 1)
               for i in range(fields.OBJECTS)]
    random.Random(1).shuffle(objects)
    if number_of_classes == 1 and not fields.check(way, tuple(objects), 1):
        raise SystemExit(f"bench_fields: {way} does not find the value of its class")
    fields.link(tuple(objects))
    return tuple(objects)


def pair(way: str, prefix: str, what: str, depth: int, classes: int = 1) -> Case:
    """A way to read against reading a field of the same objects."""
    objects = objects_of(way, depth, classes)
    kind = "chain" if prefix else "loop"
    return Case(f"{kind}: {NAMES[way]}, {what}", loop(prefix + way, objects),
                "instance field", loop(prefix + "instance", objects))


SITUATIONS = [("the class itself", 0, 1), ("subclass 1 deep", 1, 1),
              ("subclass 5 deep", 5, 1), ("32 classes", 0, 32)]


def class_field() -> list[Case]:
    """The class field against the instance field, and the limit: three loads where there were two
    (1.5) summed, four where there were three (1.33) chained."""
    return [pair(way, prefix, *situation) for prefix in ("", "chain_")
            for way, situation in [*(("field", each) for each in SITUATIONS),
                                   ("limit", SITUATIONS[0]), ("limit", SITUATIONS[-1])]]


def others() -> list[Case]:
    """The other ways against the instance field."""
    cases = []
    for way in "map", "walk", "metameta", "metameta_checked":
        for situation in SITUATIONS:
            # Depth means nothing to the dictionary.
            if way != "map" or situation[1] == 0:
                cases += [pair(way, prefix, *situation) for prefix in ("", "chain_")]
    return cases


def against_field() -> list[Case]:
    """How many times the class field's time the other ways take."""
    cases = []
    for prefix, kind in ("", "loop"), ("chain_", "chain"):
        for way, what, depth in [("map", "any class", 0), ("walk", "the class itself", 0),
                                 ("walk", "subclass 1 deep", 1),
                                 ("walk", "subclass 5 deep", 5),
                                 ("metameta", "any class", 0)]:
            cases.append(Case(f"{kind}: {NAMES[way]}, {what}",
                              loop(prefix + way, objects_of(way, depth)),
                              "class field", loop(prefix + "field", objects_of("field", depth))))
    return cases


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        "class field": class_field, "others": others, "against the class field": against_field}))
