# SPDX-License-Identifier: MIT
"""Interfaces written by hand in C (probe_interface.c), for the tests beside this file."""
import itertools

#: Which functions Python can override: all but the first, which only C can.
AREA, SCALE, DRAW = range(3)
OVERRIDABLE = 0b110

_numbers = itertools.count(1)


class Interface:
    """An ID with a table of *count* functions, and the class that provides it."""

    def __init__(self, probe, *, count=3, overridable=OVERRIDABLE, name=None, bases=(), chosen=0):
        self.probe = probe
        self.name = name or f"probe.Shape{next(_numbers)}"
        self.id = probe.intern(self.name.encode())
        self.position = probe.interface_position(self.id)
        self.table = probe.interface_table(self.name, count, overridable, chosen)
        slots = [(0, 0)] * self.position + [(self.id, self.table)]
        self.provider = probe.interface_heap(self.name + "Provider", bases, slots, chosen, overridable)

    def call(self, obj, place, arg="x"):
        return self.probe.interface_call(obj, self.id, place, arg)

    def calls(self, cls, places=3):
        """What all functions say of an instance."""
        obj = cls()
        return [self.call(obj, place)[0] for place in range(places)]

    def found(self, cls):
        """(table, its base)"""
        return self.probe.interface_found(cls, self.id)[:2]

    SIGNATURES = ("double area(self) noexcept nogil", "unsigned int scale(self, short factor=1)",
                  "int draw(self, object canvas, dict[str, int] how) except -1")

    def declare(self, **how):
        """Tell Python of it; the class."""
        return self.probe.interface_class_of(self.spec(**how))

    def spec(self, *, only_in_c=0, count=3, doc="A shape.", seed=1, signatures=SIGNATURES, table=True, extends=0):
        """The address of a declaration, of which there is one for the process.

        *only_in_c*: how many functions Python cannot have.
        """
        mask = (1 << count) - 1 & ~((1 << only_in_c) - 1)
        declared = self.probe.interface_table(self.name, count, mask, 2, seed)
        return self.probe.interface_declare(self.id, self.name, doc, declared, declared if table else 0,
                                            signatures, extends)
