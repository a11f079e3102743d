cimport cython_customslots as customslots


@customslots.interface(b"doubles.Doubles")
cdef class Doubles:
    """A sequence of doubles, in whatever form it keeps them."""
    cdef Py_ssize_t size(self) except -1
    cdef Py_ssize_t read(self, Py_ssize_t start, double *into, Py_ssize_t count) except -1
