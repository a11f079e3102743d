# cython: freethreading_compatible=True
# SPDX-License-Identifier: MIT
# Fields of which nothing but bytes and a docstring tells a debugger what they are.
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype

cdef class Numbers(extensibletype):
    cdef public double ratio
    cdef public float single
    cdef public long long big
    cdef public unsigned char small
    cdef public bint flag
    cdef public double complex z
    cdef public float complex w

@cs.metaclass(Numbers, ratio=1e300, single=0.5, big=-9000000000, small=200, flag=True, z=1+2j, w=0.5j)
cdef class Counted:
    pass
