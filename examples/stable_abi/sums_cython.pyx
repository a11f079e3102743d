# SPDX-License-Identifier: MIT
# cython: language_level=3
"""The same as sums_c.c, in Cython as it comes."""
from libc.stdint cimport int64_t, uintptr_t

cimport cython_customslots as customslots
from cython_customslots.typedarray cimport (
    PyTypedArray, PyTypedArray_At1, PyTypedArray_Clear, PyTypedArray_Init, PyTypedArray_MakeSpec, PyTypedArray_Spec,
    kDLInt)
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_call_i8_i8, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedCallable_IsTyped,
    PyTypedMethod_I8, PyTypedMethod_SIG)

ctypedef double (*area_function)(object) noexcept

cdef uintptr_t AREA = customslots.PyCustomSlots_Intern(b"shapes.area")
cdef PyTypedArray_Spec SPEC = PyTypedArray_MakeSpec(kDLInt, 64, 1, 0)


def total(things):
    """The sum of the areas of all that have one."""
    cdef double sum = 0.0
    for thing in things:
        slot = customslots.PyCustomSlots_FindAny(thing, AREA, 0)
        if slot is not NULL:
            sum += (<area_function>slot.data.pointer)(thing)
    return sum


def apply(function, numbers):
    """The sum of function(x) for x in an array, and whether the function was called as C."""
    cdef PyTypedCallable f
    cdef PyTypedArray a
    cdef int64_t sum = 0
    PyTypedCallable_Init(&f, function, PyTypedMethod_SIG(PyTypedMethod_I8, PyTypedMethod_I8))
    try:
        PyTypedArray_Init(&a, numbers, &SPEC)
        try:
            for i in range(a.shape[0]):
                sum += PyTypedCallable_call_i8_i8(&f, (<int64_t *>PyTypedArray_At1(&a, i))[0])
            return sum, bool(PyTypedCallable_IsTyped(&f))
        finally:
            PyTypedArray_Clear(&a)
    finally:
        PyTypedCallable_Clear(&f)
