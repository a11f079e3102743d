# SPDX-License-Identifier: MIT
# cython: language_level=3
"""The loops of natural.c, in ordinary Cython."""
from cpython.object cimport PyObject
from cython_customslots cimport PyCustomSlot, PyCustomSlots_Find, PyCustomSlots_FindAny
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedCallable_InitTyped,
    PyTypedCallable_call_f8_f8, PyTypedCallable_call_f8_f8_with_gil, PyTypedMethod_F8, PyTypedMethod_SIG)
from libc.stdint cimport int64_t, uint64_t, uintptr_t

cdef extern from "natural.h":
    const uintptr_t STEP
    ctypedef double (*Step)(object, double) except? -1.0
    ctypedef struct StepTable:
        Step step
    ctypedef struct Stepper:
        const StepTable *vtable
    double items[512]
    void natural_place() noexcept nogil
    int64_t bench_now() noexcept nogil

cdef extern from "untested.h" nogil:
    PyCustomSlot *find_untested(object) noexcept
    PyCustomSlot *find_id_tested(object, uintptr_t) noexcept
    PyCustomSlot *find_class_tested(object, uintptr_t) noexcept

ctypedef double (*Function)(double) except? -1.0
ctypedef double (*Method)(void *, double) except? -1.0


# ------------------------------------------------------------------------ over objects --


def chained_vtable(list objects):
    cdef double x = 0.0
    natural_place()
    for obj in objects:
        x = (<Stepper *>obj).vtable.step(obj, x)
    return x


def chained_slot(list objects):
    cdef double x = 0.0
    natural_place()
    for obj in objects:
        slot = PyCustomSlots_Find(obj, STEP, 0)
        if slot is NULL:
            raise TypeError("found an object without the slot")
        x = (<Step>slot.data.pointer)(obj, x)
    return x


def chained_slot_any(list objects):
    cdef double x = 0.0
    natural_place()
    for obj in objects:
        slot = PyCustomSlots_FindAny(obj, STEP, 0)
        if slot is NULL:
            raise TypeError("found an object without the slot")
        x = (<Step>slot.data.pointer)(obj, x)
    return x


def chained_untested(list objects):
    cdef double x = 0.0
    natural_place()
    for obj in objects:
        slot = find_untested(obj)
        if slot is NULL:
            raise TypeError("found an object without the slot")
        x = (<Step>slot.data.pointer)(obj, x)
    return x


def chained_id_tested(list objects):
    cdef double x = 0.0
    natural_place()
    for obj in objects:
        slot = find_id_tested(obj, STEP)
        if slot is NULL:
            raise TypeError("found an object without the slot")
        x = (<Step>slot.data.pointer)(obj, x)
    return x


def chained_class_tested(list objects):
    cdef double x = 0.0
    natural_place()
    for obj in objects:
        slot = find_class_tested(obj, STEP)
        if slot is NULL:
            raise TypeError("found an object without the slot")
        x = (<Step>slot.data.pointer)(obj, x)
    return x


def summed_vtable(list objects):
    cdef double x = 0.0
    natural_place()
    for obj in objects:
        x += (<Stepper *>obj).vtable.step(obj, 1.0)
    return x


def summed_slot(list objects):
    cdef double x = 0.0
    natural_place()
    for obj in objects:
        slot = PyCustomSlots_Find(obj, STEP, 0)
        if slot is NULL:
            raise TypeError("found an object without the slot")
        x += (<Step>slot.data.pointer)(obj, 1.0)
    return x


def if_slot(list objects):
    """Objects without the slot are passed over."""
    cdef double x = 0.0
    natural_place()
    for obj in objects:
        slot = PyCustomSlots_Find(obj, STEP, 0)
        if slot is not NULL:
            x = (<Step>slot.data.pointer)(obj, x)
    return x


def empty(list objects):
    """What a miss is compared with."""
    natural_place()
    for obj in objects:
        pass


# --------------------------------------------------------------------- of one function --


cdef PyTypedCallable held, needing, object_     # what the loops over no objects call


def hold(function, other):
    """A function that needs no GIL, and one that needs it."""
    cdef uint64_t signature = PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8)
    PyTypedCallable_Clear(&held)
    PyTypedCallable_Clear(&needing)
    PyTypedCallable_InitTyped(&held, function, signature)
    PyTypedCallable_InitTyped(&needing, other, signature)


def hold_object(line):
    """What is called with the items of an array."""
    PyTypedCallable_Clear(&object_)
    PyTypedCallable_Init(&object_, line, PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8))


def chained_pointer(list objects):
    cdef double x = 0.0
    natural_place()
    for _ in range(len(objects)):
        x = (<Function>held.call.function)(x)
    return x


def chained_typed(list objects):
    cdef double x = 0.0
    natural_place()
    for _ in range(len(objects)):
        x = PyTypedCallable_call_f8_f8(&held, x)
    return x


def summed_pointer(list objects):
    cdef double x = 0.0
    cdef Py_ssize_t i
    natural_place()
    for i in range(len(objects)):
        x += (<Function>held.call.function)(i)
    return x


def summed_typed(list objects):
    cdef double x = 0.0
    cdef Py_ssize_t i
    natural_place()
    for i in range(len(objects)):
        x += PyTypedCallable_call_f8_f8(&held, i)
    return x


def array_pointer(list objects):
    cdef double x = 0.0
    cdef Py_ssize_t i
    natural_place()
    for i in range(len(objects)):
        x += (<Method>object_.call.function)(object_.call.context, items[i])
    return x


def array_object(list objects):
    cdef double x = 0.0
    cdef Py_ssize_t i
    natural_place()
    for i in range(len(objects)):
        x += PyTypedCallable_call_f8_f8(&object_, items[i])
    return x


def array_python(list objects):
    """The same object by its __call__."""
    cdef double x = 0.0
    cdef Py_ssize_t i
    function = <object>object_.callable
    natural_place()
    for i in range(len(objects)):
        x += function(items[i])
    return x


def summed_with_gil(list objects):
    """What the compiler layer makes of that name without `_with_gil` here."""
    cdef double x = 0.0
    cdef Py_ssize_t i
    natural_place()
    for i in range(len(objects)):
        x += PyTypedCallable_call_f8_f8_with_gil(&needing, i)
    return x


def summed_asked(list objects):
    cdef double x = 0.0
    cdef Py_ssize_t i
    natural_place()
    for i in range(len(objects)):
        x += PyTypedCallable_call_f8_f8(&needing, i)
    return x


# -------------------------------------------------------------------------- the module --


def run(str name, list objects, Py_ssize_t repetitions):
    """Nanoseconds."""
    loop = globals()[name]
    cdef int64_t start = bench_now()
    for _ in range(repetitions):
        loop(objects)
    return bench_now() - start
