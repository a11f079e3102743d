# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""Loops that do the same in several ways, for the demo's table."""
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport uintptr_t
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype
from cython_customslots.typedarray cimport (
    PyTypedArray, PyTypedArray_Clear, PyTypedArray_Init, PyTypedArray_MakeSpec, PyTypedArray_Spec, kDLFloat)
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedCallable_call_f8_f8,
    PyTypedMethod_F8, PyTypedMethod_SIG)
from shapes cimport Scalable

ctypedef double (*area_function)(object) noexcept nogil
ctypedef double (*double_function)(double) noexcept nogil

cdef uintptr_t AREA = customslots.PyCustomSlots_Intern(b"shapes.area")
cdef PyTypedArray_Spec DOUBLES = PyTypedArray_MakeSpec(kDLFloat, 64, 1, 0)


cdef class ThingType(extensibletype):
    cdef double number


@customslots.slot(b"shapes.area", pointer=area)
@customslots.metaclass(ThingType, number=1.0)
cdef class Thing:
    cdef double own_number

    cdef double own_area(self) noexcept nogil:
        return 0.5 * self.own_number + 1


cdef double area(Thing self) noexcept nogil:
    return 0.5 * self.own_number + 1


class Plain(Thing):
    capsule = PyCapsule_New(<void *>area, b"shapes.area", NULL)


cdef class Sized(Scalable):
    cdef double number

    cdef int scale(self, double factor) except -1:
        self.number *= factor
        return 0

    cdef int own_scale(self, double factor) except -1:
        self.number *= factor
        return 0


class Scaled(Sized):
    pass


def by_method(list things):
    cdef double sum = 0
    for thing in things:
        sum += (<Thing>thing).own_area()
    return sum


def by_capsule(list things):
    cdef double sum = 0
    for thing in things:
        sum += (<area_function>PyCapsule_GetPointer(type(thing).capsule, b"shapes.area"))(thing)
    return sum


def by_slot(list things):
    cdef double sum = 0
    for thing in things:
        slot = customslots.PyCustomSlots_FindAny(thing, AREA, 0)
        if slot is not NULL:
            sum += (<area_function>slot.data.pointer)(thing)
    return sum


def by_own_field(list things):
    cdef double sum = 0
    for thing in things:
        sum += (<Thing>thing).own_number
    return sum


def by_class_field(list things):
    cdef double sum = 0
    for thing in things:
        sum += (<ThingType>type(thing)).number
    return sum


def by_interface(list things):
    cdef Scalable thing
    for thing in things:
        thing.scale(1.0)


def by_cdef_method(list things):
    cdef Sized thing
    for thing in things:
        thing.own_scale(1.0)


def by_typedarray(array, int n):
    cdef PyTypedArray doubles
    cdef int _
    for _ in range(n):
        PyTypedArray_Init(&doubles, array, &DOUBLES)
        PyTypedArray_Clear(&doubles)


def by_memoryview(array, int n):
    cdef double[:] doubles
    cdef int _
    for _ in range(n):
        doubles = array
        doubles = None


def by_pointer(uintptr_t address, int n):
    cdef double_function f = <double_function>address
    cdef double sum = 0
    cdef int i
    for i in range(n):
        sum += f(i)
    return sum


def by_typed_call(function, int n):
    cdef PyTypedCallable f
    cdef double sum = 0
    cdef int i
    PyTypedCallable_Init(&f, function, PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8))
    for i in range(n):
        sum += PyTypedCallable_call_f8_f8(&f, i)
    PyTypedCallable_Clear(&f)
    return sum
