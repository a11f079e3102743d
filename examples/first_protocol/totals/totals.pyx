# cython: language_level=3, freethreading_compatible=True
from libc.stdint cimport uintptr_t
cimport cython_customslots as customslots

ctypedef double (*area_function)(object) noexcept

cdef uintptr_t AREA = customslots.PyCustomSlots_Intern(b"shapes.area")


def total(things):
    cdef double sum = 0.0
    for thing in things:
        slot = customslots.PyCustomSlots_FindAny(thing, AREA, 0)
        if slot is not NULL:                        # absent is not an error
            sum += (<area_function>slot.data.pointer)(thing)
    return sum
