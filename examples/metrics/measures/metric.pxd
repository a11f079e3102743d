cimport cython_customslots as customslots


@customslots.interface(b"distances.Metric")
cdef class Metric:
    """How far two points of n coordinates are from each other."""
    cdef double distance(self, const double *a, const double *b, Py_ssize_t n) except? -1 nogil
