# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""Rectangle, a cdef class with a slot, and total_area(), which adds up what has that slot."""
cimport cython_customslots as customslots
from cpython.object cimport PyObject
from libc.stdint cimport uintptr_t

# What the slot's data points to.  It cannot fail; it is called with the GIL.
cdef struct Shape:
    double (*area)(PyObject *) noexcept

cdef Shape rectangle_shape


@customslots.slot(customslots.PyCustomSlots_Intern(b"other_languages.shape"),
                  pointer=&rectangle_shape)
cdef class Rectangle:
    cdef public double width, height

    def __init__(self, double width, double height):
        self.width, self.height = width, height


cdef double rectangle_area(PyObject *rectangle) noexcept:
    return (<Rectangle>rectangle).width * (<Rectangle>rectangle).height

rectangle_shape.area = rectangle_area


def total_area(shapes):
    """Whatever is in `shapes`, of whatever language: the sum of their areas."""
    cdef uintptr_t shape_id = customslots.PyCustomSlots_Intern(b"other_languages.shape")
    cdef double total = 0.0
    for shape in shapes:
        slot = customslots.PyCustomSlots_FindAny(shape, shape_id, 0)
        if slot is NULL:
            raise TypeError(f"total_area: found an object of {type(shape)}, which has no slot "
                            "'other_languages.shape', expected shapes only")
        total += (<const Shape *>slot.data.pointer).area(<PyObject *>shape)
    return total
