# SPDX-License-Identifier: MIT
from interface_bodies cimport Heavy, Measured

cdef class Square(Measured):
    cdef double length
    cdef double area(self) noexcept nogil

cdef class Named(Square):
    cpdef str label(self, str before)

cdef class Brick(Square, Heavy):
    cdef double density(self) noexcept nogil
