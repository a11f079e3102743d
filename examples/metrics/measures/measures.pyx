# cython: language_level=3
"""One library: metrics, and no idea who uses them."""
from libc.math cimport fabs, pow, sqrt

from measures.metric cimport Metric


cdef class Euclidean(Metric):
    cdef double distance(self, const double *a, const double *b, Py_ssize_t n) except? -1 nogil:
        cdef double sum = 0
        cdef Py_ssize_t i
        for i in range(n):
            sum += (a[i] - b[i]) * (a[i] - b[i])
        return sqrt(sum)


cdef class Manhattan(Metric):
    cdef double distance(self, const double *a, const double *b, Py_ssize_t n) except? -1 nogil:
        cdef double sum = 0
        cdef Py_ssize_t i
        for i in range(n):
            sum += fabs(a[i] - b[i])
        return sum


cdef class Minkowski(Metric):
    cdef readonly double p

    def __init__(self, p):
        if p < 1:
            raise ValueError(f"found p = {p}, expected 1 or more: it would be no metric")
        self.p = p

    cdef double distance(self, const double *a, const double *b, Py_ssize_t n) except? -1 nogil:
        cdef double sum = 0
        cdef Py_ssize_t i
        for i in range(n):
            sum += pow(fabs(a[i] - b[i]), self.p)
        return pow(sum, 1 / self.p)
