# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
@cs.extensible
cdef class Shape:
    cdef double area(self, int k) noexcept: return 1
    cdef int check(self) except? -2: return 1
    cdef int size(self) except -1: return 1
    cdef double twice(self) noexcept: return 1
    cdef int other(self): return 1
    def f(self): pass
cdef class A(Form):
    cdef double length(self) noexcept: return 1
cdef class B:
    cdef double length(self) noexcept: return 1
@cs.interface(b"tests.Shape")
cdef class Shape2:
    cdef double area(self) noexcept

_ERRORS = u"""
3:0: interface 'Shape' is declared in the .pxd, where its decorators stand; remove this one
5:4: 'area' of interface 'Shape' is declared in another way in the .pxd: it takes 1 argument beside self, and not none; expected 'cdef double area(self) noexcept'
6:4: 'check' of interface 'Shape' is declared in another way in the .pxd: it reports exceptions in another way; expected 'cdef int check(self) except -1'
7:4: 'size' of interface 'Shape' is declared in another way in the .pxd: one of the two is cpdef; expected 'cpdef int size(self) except -1'
8:4: 'twice' of interface 'Shape' has a body in the .pxd already; remove one of them
9:4: interface 'Shape' is declared in the .pxd, and has bodies for methods of that here, and nothing else; declare 'other' there
10:4: interface 'Shape' is declared in the .pxd, and has bodies for methods of that here, and nothing else; declare methods there
11:13: 'A' is defined in the .pxd, which does not list interface 'Form' among its bases; add it there, so that modules that cimport the class know, or write implements(Form) above the class
15:0: interface 'Shape2' has the ID of interface 'Shape' in the .pxd; each has an ID of its own, so give it another one
interfaces_in_pxd.pxd:14:0: customslots.implements is for the .pyx; here name the interface among the bases of 'B'
"""
