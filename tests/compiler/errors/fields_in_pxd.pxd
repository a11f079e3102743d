# SPDX-License-Identifier: MIT
from cython_customslots cimport array, metaclass, slot
from cython_customslots.provider cimport extensibletype
cdef class M(extensibletype):
    cdef public long counter
cdef class A:
    cdef int x
@metaclass(M)
cdef class B:
    cdef int x
@metaclass(M)
cdef class C:
    cdef int x
@metaclass(M, number=1)
cdef class D:
    cdef int x
@slot(0x55, flags=1)
cdef class E:
    cdef int x
@array(data=self.x, shape=3)
cdef class F:
    cdef double x[3]
cdef class N(extensibletype):
    cdef int[:] view
cdef class O(extensibletype):
    cdef public int level
