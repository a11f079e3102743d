# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
@cs.interface(b"tests.Shape")
cdef class Shape:
    cdef double area(self) noexcept
    cdef int check(self) except -1
    cpdef int size(self) except -1
    cdef inline double twice(self) noexcept: return 2 * self.area()
@cs.interface(b"tests.Form")
cdef class Form:
    cdef double length(self) noexcept
cdef class A:
    cdef double length(self) noexcept
@cs.implements(Form)
cdef class B:
    cdef double length(self) noexcept
