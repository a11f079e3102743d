cimport cython_customslots as cs


@cs.interface(b"tests.Filter")
cdef class Filter:
    cdef inline double apply(self, const double[::1] x) except? -1 nogil:
        return x[0]
    cpdef int scale(self, double[:] x, double factor) except -1
    cpdef double[:, ::1] pairs(self, double[:, ::1] x)
