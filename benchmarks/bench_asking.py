# SPDX-License-Identifier: MIT
"""Every way of asking an object for a C function, side by side.

The loop is an ordinary one: one question and one call a turn, summed.  Asked are
instances of a Python class that derives from one in C; told "no" is by instances of a class that
has nothing to do with it.
"""
from __future__ import annotations

import functools
import random
import sys

from common import HERE, Case, Loop, Module, get_include, main


def modules() -> list[Module]:
    return [Module("asking", [HERE / "asking.c"], layer=False, cflags=["-O2"],
                   include_dirs=[get_include(), HERE])]


def objects_of(cls: type) -> tuple:
    """Instances, their memory addresses in random order."""
    import asking

    objects = [cls() for _ in range(asking.OBJECTS)]
    random.Random(1).shuffle(objects)
    return tuple(objects)


def loop(name: str, objects: tuple) -> Loop:
    import asking

    return Loop([functools.partial(asking.run, name, copy, objects)
                 for copy in range(asking.COPIES)], len(objects))


def ways() -> list[tuple[str, str]]:
    """(what it is called, the loop's name)"""
    token = [("token of a base class, PyType_GetBaseByToken", "token")] * (sys.version_info >= (3, 14))
    return [("slot, PyCustomSlots_Find", "slot"),
            ("registered slot, PyCustomSlots_FindAny", "any"),
            ("flag bit of the type, set for each class by hand", "flag"),
            ("shared base class, PyObject_TypeCheck", "typecheck"), *token,
            ("dictionary of classes, each entered by hand", "dictionary"),
            ("attribute with a capsule", "capsule")]


def alternatives() -> list[Case]:
    import asking

    class Asked(asking.Speaker):
        __slots__ = ()

    class Plain(asking.Plain):
        __slots__ = ()

    class Stranger:
        pass

    asking.mark(Asked)
    asked, plain, strangers = objects_of(Asked), objects_of(Plain), objects_of(Stranger)
    hits = [Case(what, loop(f"call_{name}", objects), "vtable call", loop("call_vtable", objects))
            for what, name in [*ways(), ("method of Python", "method")]
            for objects in [plain if name == "any" else asked]]
    return hits + [Case(f"no: {what}", loop(f"miss_{name}", strangers), "empty loop",
                        loop("empty", strangers), unit="ns") for what, name in ways()]


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {"alternatives": alternatives}))
