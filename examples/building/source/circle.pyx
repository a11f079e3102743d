# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""The provider: a class with a slot.  It needs the compiler layer."""
cimport cython_customslots as customslots

cdef extern from "area.h":
    ctypedef double (*area_function)(object self) noexcept


@customslots.slot(b"shapes.area", pointer=<area_function>area)
cdef class Circle:
    cdef double radius

    def __init__(self, double radius):
        self.radius = radius


cdef double area(Circle self) noexcept nogil:
    return 3.0 * self.radius * self.radius       # biblical, but exact
