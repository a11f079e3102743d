# SPDX-License-Identifier: MIT
# Three interfaces, one of which extends another one.
cimport cython_customslots as customslots

cdef struct Point:
    double x, y

cdef enum Colour:
    RED, GREEN

cdef enum Grade:
    POOR, UNKNOWN = 9

@customslots.interface(b"tests.Rated")
cdef class Rated:
    cdef Grade grade(self) except UNKNOWN

@customslots.interface(b"tests.Shape")
cdef class Shape:
    """What has an area."""
    cdef double area(self) noexcept nogil
    cdef double scale(self, double factor) except? -1
    cdef bint is_larger(self, Shape other, const double *limits) except -1
    cpdef str label(self)

@customslots.interface(b"tests.Solid")
cdef class Solid(Shape):
    """A shape with a volume."""
    cdef double volume(self) noexcept nogil
    cpdef Point centre(self) except *

@customslots.interface(customslots.PyCustomSlots_ID(0x01, 0xF00D, 0))
cdef class Painted:
    cdef Colour colour(self) noexcept nogil
    cpdef int paint(self, int colour) except -1
    cdef void wipe(self) except *

@customslots.interface(b"tests.Drawable")
cdef class Drawable:
    """What Python can implement."""
    cpdef int draw(self, list canvas) except -1
    cpdef double weight(self, double factor, Point at) except? -1
    cpdef Drawable next(Drawable self)
    cpdef Drawable next(self)

@customslots.interface(b"tests.Animated")
cdef class Animated(Drawable):
    cpdef object move(self, int steps)
