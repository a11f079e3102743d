# cython: language_level=3, freethreading_compatible=True
# Calls methods with memoryviews of objects that other modules define; for methods that are not used, too.
from interface_arrays cimport Filter


def apply(Filter f, double[::1] x):
    with nogil:
        y = f.apply(x)
    return y


def scale(Filter f, x, factor):
    return f.scale(x[1:], factor)


def pairs(Filter f, x):
    return f.pairs(x)


cdef class Third(Filter):
    cpdef int scale(self, double[:] x, double factor) except -1:
        return 3

    cpdef double[:, ::1] pairs(self, double[:, ::1] x):
        return None
