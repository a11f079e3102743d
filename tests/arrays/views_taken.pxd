# SPDX-License-Identifier: MIT
# C functions that views_given.pyx imports.
ctypedef fused real:
    float
    double

cdef double takes(const double[::1] x, double[:, :] y) noexcept nogil
cdef object calls(double[:] x, o)
cdef real scales(real[:] x, real by) except *
cpdef double both(double[:] x, int n) except? -1
cdef object keeps(double[:] x)
cdef object mixed(double[:] kept, double[:] read)
cdef object perhaps(double[:] x, bint really)
cdef int unlocked(double[:] x, bint really) except -1 nogil
cdef object rebinds(double[:] x)
cdef object closes(double[:] x)
