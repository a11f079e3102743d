# cython: language_level=3, freethreading_compatible=True
# An interface whose methods take memoryviews, and a class that implements it.

cdef class Sum(Filter):
    cdef double apply(self, const double[::1] x) except? -1 nogil:
        cdef double sum = 0
        cdef Py_ssize_t i
        if x.shape[0] == 0:
            raise ValueError("empty")
        for i in range(x.shape[0]):
            sum += x[i]
        return sum

    cpdef int scale(self, double[:] x, double factor) except -1:
        cdef Py_ssize_t i
        for i in range(x.shape[0]):
            x[i] *= factor
        return <int>x.shape[0]

    cpdef double[:, ::1] pairs(self, double[:, ::1] x):
        return x[1:]
