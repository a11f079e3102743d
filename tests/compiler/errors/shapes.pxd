# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
@cs.interface(b"tests.Shape")
cdef class Shape:
    cdef double area(self) noexcept
@cs.interface(b"tests.Sided")
cdef class Sided:
    cdef inline int sides(self) noexcept: return 1
