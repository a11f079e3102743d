# The declaration as this library has it: its own names, the same ID.
cimport cython_customslots as customslots


@customslots.interface(b"distances.Metric")
cdef class Distance:
    cdef double distance(self, const double *x, const double *y, Py_ssize_t size) except? -1 nogil
