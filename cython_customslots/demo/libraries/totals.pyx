# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""The demo's consumer, which knows no provider."""
from libc.stdint cimport uintptr_t
cimport cython_customslots as customslots
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedCallable_IsTyped,
    PyTypedCallable_call_f8_f8, PyTypedMethod_F8, PyTypedMethod_SIG)
from shapes cimport Scalable

ctypedef double (*area_function)(object) noexcept nogil

cdef uintptr_t AREA = customslots.PyCustomSlots_Intern(b"shapes.area")


def total(things):
    cdef double sum = 0.0
    for thing in things:
        # [slot.begin]
        slot = customslots.PyCustomSlots_FindAny(thing, AREA, 0)
        if slot is not NULL:                        # absent is not an error
            sum += (<area_function>slot.data.pointer)(thing)
        # [slot.end]
    return sum


# [interface.begin]
def scale_all(things, double factor):
    cdef Scalable thing
    for thing in things:
        thing.scale(factor)
# [interface.end]


def tabulate(function, int n):
    """The sum of function(0.0), function(1.0), ..., and how it was called."""
    cdef PyTypedCallable f
    cdef double sum = 0.0
    cdef int i
    PyTypedCallable_Init(&f, function, PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8))
    try:
        # [typed.begin]
        for i in range(n):                          # f was made of any callable
            sum += PyTypedCallable_call_f8_f8(&f, i)
        # [typed.end]
        return sum, "called as C" if PyTypedCallable_IsTyped(&f) else "called by Python"
    finally:
        PyTypedCallable_Clear(&f)
