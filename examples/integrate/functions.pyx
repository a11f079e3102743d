# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""Functions to be integrated.  Nothing here knows the integrator."""
cimport cython_customslots as customslots
from cython_customslots.typedmethod cimport (
    PyTypedMethod_NATIVE_CALL, PyTypedMethodNative, PyTypedMethodRecord)

cdef extern from "math.h" nogil:
    double exp(double x)
    double sqrt(double x)


# A cpdef function gets its record from the compiler layer, since this module cimports
# cython_customslots.
cpdef double bell(double x) noexcept nogil:
    return exp(-x * x)


cpdef double careful(double x) except? -1:
    if x < 0:
        raise ValueError(f"careful() takes no negative numbers, found {x:.3g}")
    return sqrt(x)


cdef class Damped:
    """exp(-rate * x): its methods are callables with C functions, too."""
    cdef double rate

    def __init__(self, double rate):
        self.rate = rate

    cpdef double value(self, double x) noexcept:
        return exp(-self.rate * x)


# And by hand, with the native-call slot: instances are functions with data of their own.
cdef extern from *:
    """
    static double polynomial_at(void *coefficients, double x);
    PyTypedMethod_RECORD(polynomial_record, "Polynomial", PyTypedMethod_ENTRY(
        polynomial_at, PyTypedMethod_NOGIL | PyTypedMethod_CTX_FIRST, 0, f8(f8)));
    """
    const PyTypedMethodRecord polynomial_record


@customslots.slot(PyTypedMethod_NATIVE_CALL, objoffset=native, position=0)
cdef class Polynomial:
    """Polynomial(c0, c1, c2): c0 + c1 * x + c2 * x**2."""
    cdef double[3] coefficients
    cdef PyTypedMethodNative native

    def __init__(self, double c0=0, double c1=0, double c2=0):
        self.coefficients = [c0, c1, c2]
        self.native.record = &polynomial_record
        self.native.context = self.coefficients

    def __call__(self, double x):
        return polynomial_at(self.coefficients, x)


cdef double polynomial_at "polynomial_at"(void *coefficients, double x) noexcept nogil:
    cdef double *c = <double *>coefficients
    return c[0] + x * (c[1] + x * c[2])
