# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# Another library, with a copy of the interfaces that has other names.
from interface_copy cimport Body, Changed, Form, Marked, Place

cdef class Square(Form):
    cdef double side
    def __init__(self, side):
        self.side = side
    cdef double area(self) noexcept nogil:
        return self.side * self.side
    cdef double scale(self, double factor) noexcept:
        self.side *= factor
        return self.side
    cdef bint is_larger(self, Form other, const double *limits) except -1:
        return self.area() > other.area()
    cpdef str label(self):
        return f"square {self.side}"

cdef class Cube(Square, Body):
    cdef double volume(self) noexcept nogil:
        return self.side ** 3
    cpdef Place centre(self) except *:
        return Place(1, 2)
    cdef int corners(self) noexcept:
        return 8

def area_of(Form form):
    return form.area()

def corners_of(Body body):
    return body.corners()

def changed(Changed thing):
    return thing.area()

def grade_of(Marked thing):
    return thing.grade()
