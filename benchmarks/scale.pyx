# cython: language_level=3
# SPDX-License-Identifier: MIT
"""An interface and a class that provides it, whose names scale.py replaces; and registered slots."""
cimport cython_customslots as customslots


@customslots.interface(b"scale.Shape0000")
cdef class Shape0000:
    cpdef double area(self)


@customslots.implements(Shape0000)
cdef class Square0000:
    cpdef double area(self):
        return 1


def area(Shape0000 shape):
    return shape.area()


def registered(long count):
    """So many plain classes, each with a registered slot that is found."""
    cdef customslots.PyCustomSlot slot
    slot.id = customslots.PyCustomSlots_Intern(b"scale.registered")
    slot.data.pointer = <void *>&slot
    kept = [type("C", (), {}) for _ in range(count)]
    for cls in kept:
        customslots.PyCustomSlots_Register(cls, &slot)
    for cls in kept:
        assert customslots.PyCustomSlots_FindAnyType(cls, slot.id, 0) is not NULL
    return kept
