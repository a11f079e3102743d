# SPDX-License-Identifier: MIT
cimport copies
cimport cython_customslots as cs
from shapes cimport Shape, Sided
@cs.interface(b"tests.Shape")
cdef class Longer(Shape):
    cdef double length(self) noexcept
@cs.interface(b"tests.Sided")
cdef class Other:
    cdef long sides(self) noexcept
cdef class Both(Shape, copies.Shape):
    cdef double area(self) noexcept: return 1
@cs.implements(Sided)
cdef class A:
    pass

_ERRORS = u"""
5:0: interface 'Longer' has the ID of interface 'Shape', which it extends; each has an ID of its own, so give it another one
10:19: interface 'Other' has the ID of 'shapes.Sided', which is cimported, but another method 'sides': found 'cdef long sides(self) noexcept', expected 'cdef int sides(self) noexcept'; give it another ID, or change one of the two
11:29: 'Both' cannot implement interface 'copies.Shape' and 'shapes.Shape', which have one ID, but are no copies: found 'cdef float area(self) noexcept', expected 'cdef double area(self) noexcept'; name one of them, or give them two IDs
13:15: 'A' names interface 'Sided', but has no C method 'sides'; expected 'cdef int sides(self) noexcept'
"""
