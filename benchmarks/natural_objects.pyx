# SPDX-License-Identifier: MIT
# cython: language_level=3
"""An object that can be called: what natural_types.step() does, and a factor that the object has."""
cimport cython_customslots as customslots


cdef class Line:
    cdef double factor

    def __init__(self, factor=0.5):
        self.factor = factor

    @customslots.callable
    cdef double at(self, double x) noexcept nogil:
        return self.factor * x + 1.0
