# SPDX-License-Identifier: MIT
cdef class Base:
    cdef int value
    cdef double at(self, double x)
