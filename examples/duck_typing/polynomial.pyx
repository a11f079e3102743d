# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""Provider one, in Cython: polynomials.  It knows nobody else in this folder."""
cimport cython_customslots as customslots
from libc.stdlib cimport free, malloc


@customslots.slot(b"functions.double", pointer=&evaluate)
cdef class Polynomial:
    """Polynomial(c0, c1, c2, ...) is the function c0 + c1*x + c2*x**2 + ..."""

    cdef double *coefficients
    cdef Py_ssize_t count

    def __cinit__(self, *coefficients):
        cdef Py_ssize_t i
        self.coefficients = <double *>malloc((len(coefficients) or 1) * sizeof(double))
        if self.coefficients is NULL:
            raise MemoryError
        for i in range(len(coefficients)):
            self.coefficients[i] = coefficients[i]
        self.count = len(coefficients)

    def __dealloc__(self):
        free(self.coefficients)

    def __call__(self, double x):
        return evaluate(self, x)


# This is what stands in the slot: a plain C function, its first argument the object.
cdef double evaluate(Polynomial self, double x) noexcept nogil:
    cdef double result = 0.0
    cdef Py_ssize_t i
    for i in range(self.count - 1, -1, -1):
        result = result * x + self.coefficients[i]
    return result
