# SPDX-License-Identifier: MIT
# The copy of another library: the same IDs, other names; and what it knows is newer.
from cython_customslots cimport interface

cdef struct Place:
    double x, y

cdef enum Mark:
    BAD, UNKNOWN = 9

@interface(b"tests.Rated")
cdef class Marked:
    cdef Mark grade(self) except UNKNOWN

@interface(b"tests.Shape")
cdef class Form:
    cdef double area(self) noexcept nogil
    cdef double scale(self, double factor) except? -1
    cdef bint is_larger(self, Form other, const double *limits) except -1
    cpdef str label(self)

@interface(b"tests.Solid")
cdef class Body(Form):
    cdef double volume(self) noexcept nogil
    cpdef Place centre(self) except *
    cdef int corners(self) noexcept

@interface(b"tests.Changed")
cdef class Changed:
    cdef float area(self) noexcept nogil
