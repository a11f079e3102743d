# SPDX-License-Identifier: MIT
# cython: language_level=3
"""Loops over objects, as in ordinary code: through an interface, and in the other ways to call a C
function of an object.  Each returns nanoseconds."""
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer
from cython_customslots cimport PyCustomSlots_Find
from interface_classes cimport ID, Base, Functions
from interface_shapes cimport Shape
from libc.stdint cimport int64_t
from time import perf_counter_ns as now

cdef volatile double result


# ------------------------------------------------------------------ one object, many calls

def sum_interface(Shape shape, long n):
    cdef double x = 0
    cdef long i
    start = now()
    for i in range(n):
        x += shape.area()
    took = now() - start
    keep(x)
    return took

def sum_method(Base shape, long n):
    cdef double x = 0
    cdef long i
    start = now()
    for i in range(n):
        x += shape.area()
    took = now() - start
    keep(x)
    return took

def twice_interface(Shape shape, long n):
    """The method has its body from the interface."""
    cdef double x = 0
    cdef long i
    start = now()
    for i in range(n):
        x += shape.twice()
    took = now() - start
    keep(x)
    return took

def twice_method(Base shape, long n):
    cdef double x = 0
    cdef long i
    start = now()
    for i in range(n):
        x += shape.twice_method()
    took = now() - start
    keep(x)
    return took

def chained_interface(Shape shape, long n):
    cdef double x = 0
    cdef long i
    start = now()
    for i in range(n):
        x = shape.step(x)
    took = now() - start
    keep(x)
    return took

def chained_method(Base shape, long n):
    cdef double x = 0
    cdef long i
    start = now()
    for i in range(n):
        x = shape.step(x)
    took = now() - start
    keep(x)
    return took

cdef class Holder:
    cdef Shape shape
    cdef Base base

    def __init__(self, shape):
        self.shape = self.base = shape

    def interface(self, long n):
        cdef double x = 0
        cdef long i
        start = now()
        for i in range(n):
            x += self.shape.area()
        took = now() - start
        keep(x)
        return took

    def method(self, long n):
        cdef double x = 0
        cdef long i
        start = now()
        for i in range(n):
            x += self.base.area()
        took = now() - start
        keep(x)
        return took

def weight_interface(Shape shape, long n):
    cdef double x = 0
    cdef long i
    start = now()
    for i in range(n):
        x += shape.weight()
    took = now() - start
    keep(x)
    return took

def weight_method(Base shape, long n):
    cdef double x = 0
    cdef long i
    start = now()
    for i in range(n):
        x += shape.weight()
    took = now() - start
    keep(x)
    return took

def check(obj, long n):
    cdef long i, found = 0
    start = now()
    for i in range(n):
        found += isinstance(obj, Shape)
    took = now() - start
    keep(found)
    return took

def nothing(obj, long n):
    cdef long i
    start = now()
    for i in range(n):
        keep(i)
    return now() - start

cdef inline void keep(double x) noexcept nogil:
    global result
    result = x


# ------------------------------------------------------------------ many objects, one call

def list_interface(list shapes, long n):
    cdef double x = 0
    cdef Shape shape
    start = now()
    for _ in range(n):
        for shape in shapes:
            x += shape.area()
    took = now() - start
    keep(x)
    return took

def list_if(list shapes, long n):
    cdef double x = 0
    start = now()
    for _ in range(n):
        for obj in shapes:
            if isinstance(obj, Shape):
                x += (<Shape>obj).area()
    took = now() - start
    keep(x)
    return took

def list_method(list shapes, long n):
    cdef double x = 0
    cdef Base shape
    start = now()
    for _ in range(n):
        for shape in shapes:
            x += shape.area()
    took = now() - start
    keep(x)
    return took

def list_slot(list shapes, long n):
    cdef double x = 0
    start = now()
    for _ in range(n):
        for obj in shapes:
            slot = PyCustomSlots_Find(obj, ID, 1)
            if slot is NULL:
                raise TypeError("found an object without the slot")
            x += (<Functions *>slot.data.pointer).area(obj)
    took = now() - start
    keep(x)
    return took

def list_capsule(list shapes, long n):
    cdef double x = 0
    start = now()
    for _ in range(n):
        for obj in shapes:
            functions = <Functions *>PyCapsule_GetPointer(obj.capsule, b"functions")
            x += functions.area(obj)
    took = now() - start
    keep(x)
    return took

def list_def(list shapes, long n):
    cdef double x = 0
    start = now()
    for _ in range(n):
        for obj in shapes:
            x += obj.py_area()
    took = now() - start
    keep(x)
    return took

def list_call(list shapes, long n, function):
    """A Python function that is given each object: functools.singledispatch()."""
    cdef double x = 0
    start = now()
    for _ in range(n):
        for obj in shapes:
            x += function(obj)
    took = now() - start
    keep(x)
    return took

def list_abc(list shapes, long n, abstract):
    cdef double x = 0
    start = now()
    for _ in range(n):
        for obj in shapes:
            if isinstance(obj, abstract):
                x += obj.py_area()
    took = now() - start
    keep(x)
    return took
