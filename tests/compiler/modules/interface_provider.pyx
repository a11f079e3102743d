# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
from interface_shapes cimport GREEN, POOR, UNKNOWN, Colour, Grade, Painted, Point, Rated, Shape, Solid
from interface_changed cimport Changed

cdef class Circle(Shape):
    def __init__(self, double radius):
        self.radius = radius
    cdef double area(self) noexcept nogil:
        return 3 * self.radius * self.radius
    cdef double scale(self, double factor) except? -1:
        if factor < 0:
            raise ValueError("negative")
        self.radius *= factor
        return self.radius
    cdef bint is_larger(self, Shape other, const double *limits) except -1:
        return self.area() > other.area() and self.area() < limits[0]
    cpdef str label(self):
        return f"circle {self.radius}"

cdef class Ball(Circle, Solid, Painted):
    cdef double volume(self) noexcept nogil:
        return 4 * self.radius
    cpdef Point centre(self) except *:
        if self.radius == 0:
            raise ValueError("no ball")
        return Point(self.radius, -self.radius)
    cdef Colour colour(self) noexcept nogil:
        return GREEN
    cpdef int paint(self, int colour) except -1:
        if colour < 0:
            raise ValueError("no colour")
        self.painted = colour
        return colour + 1
    cdef void wipe(self) except *:
        if not self.painted:
            raise ValueError("not painted")
        self.painted = 0

cdef class Named(Circle):                     # overrides one method, and names no interface
    cpdef str label(self):
        return "named"

cdef class Grown(Circle):                     # overrides nothing
    cdef double more(self) noexcept:
        return 1

cdef class Odd(Changed):
    cdef double area(self) noexcept nogil:
        return 1

cdef class Poor(Rated):
    cdef Grade grade(self) except UNKNOWN:
        return POOR

def known(Circle circle):
    """No test: what a class implements is known."""
    cdef Shape shape = circle
    return shape.area()
