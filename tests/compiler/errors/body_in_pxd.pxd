# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
@cs.interface(b"tests.Shape")
cdef class Shape:
    cdef inline double area(Shape shape) noexcept: return shape.side
