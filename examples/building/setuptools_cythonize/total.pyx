# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""The user of the slot: it has never heard of circles."""
cimport cython_customslots as customslots
from libc.stdint cimport uintptr_t

cdef extern from "area.h":
    const char *AREA
    ctypedef double (*area_function)(object self) noexcept

cdef uintptr_t area_id = customslots.PyCustomSlots_Intern(AREA)


def area(things):
    """The sum of the areas of those things that have one."""
    cdef double sum = 0.0
    for thing in things:
        slot = customslots.PyCustomSlots_FindAny(thing, area_id, 0)
        if slot is not NULL:
            sum += (<area_function>slot.data.pointer)(thing)
    return sum
