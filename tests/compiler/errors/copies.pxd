# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
@cs.interface(b"tests.Shape")
cdef class Shape:
    cdef float area(self) noexcept
