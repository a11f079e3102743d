# SPDX-License-Identifier: MIT
from cython_customslots cimport metaclass
from cython_customslots.provider cimport extensibletype
cdef class M(extensibletype):
    cdef object call
@metaclass(M, call=lambda x: x)
cdef class A:
    cdef int x
