# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# A class of another module below one that leaves methods to the bodies, and an interface of its own.
cimport cython_customslots as customslots
from interface_bodies cimport Measured
from interface_bodies_classes cimport Square

cdef class Round(Square):
    cdef double side(self) noexcept nogil:
        return -self.length

cdef double factor = 3

@customslots.interface(b"tests.Scaled")
cdef class Scaled(Measured):
    cdef double scaled(self) noexcept:
        return factor * self.side()

cdef class Scale(Round, Scaled): pass

def scaled(Scaled thing not None):
    return thing.scaled(), thing.label("scaled")
