# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# Classes that leave methods to the bodies, in a module that imports nothing of who declares them.
cimport cython_customslots as customslots
from interface_bodies cimport Greeter, Heavy, LoudGreeter, Measured

cdef class Square(Measured):
    def __init__(self, length):
        self.length = length
    cdef double area(self) noexcept nogil:
        return self.length * self.length

cdef class Named(Square):
    cpdef str label(self, str before):
        return f"{before} the {self.side()}"

cdef class Brick(Square, Heavy):
    cdef double density(self) noexcept nogil:
        return 5

cdef class Plain:
    cdef double area(self) noexcept nogil:
        return 1

@customslots.implements(Measured)
cdef class Decorated(Plain):
    """Its base has a method of the interface, and knows of none."""

cdef class Person(Greeter):
    cpdef str name(self):
        return "person"

cdef class Loud(Person, LoudGreeter): pass

cdef class Estate(Measured, Greeter):
    cdef double area(self) noexcept nogil:
        return 16
    cpdef str name(self):
        return "estate"

cdef class ListMeasured(Measured):
    cdef double area(self) noexcept nogil:
        return 4

Measured.register(list, ListMeasured)

def directly(Square square):
    """By the class, without the interface."""
    return square.side(), square.label("square"), square.check(10)
