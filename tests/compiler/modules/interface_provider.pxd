# SPDX-License-Identifier: MIT
from interface_shapes cimport Colour, Painted, Point, Shape, Solid

cdef class Circle(Shape):
    cdef public double radius
    cdef double area(self) noexcept nogil
    cdef double scale(self, double factor) except? -1
    cdef bint is_larger(self, Shape other, const double *limits) except -1
    cpdef str label(self)

cdef class Ball(Circle, Solid, Painted):
    cdef public int painted
    cdef double volume(self) noexcept nogil
    cpdef Point centre(self) except *
    cdef Colour colour(self) noexcept nogil
    cpdef int paint(self, int colour) except -1
    cdef void wipe(self) except *

cdef class Named(Circle):
    cpdef str label(self)

cdef class Grown(Circle):
    cdef double more(self) noexcept
