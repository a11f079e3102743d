# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""What is integrated and filtered: functions for Python, whose C functions are found."""
cimport cython_customslots as customslots      # functions get records
from libc cimport math


cpdef double square(double x) noexcept nogil:
    return x * x


cpdef double sqrt(double x) noexcept nogil:
    return math.sqrt(x)


cpdef double log(double x) noexcept nogil:
    return math.log(x)


cpdef double kink(double x) noexcept nogil:
    """Quadrature halves its interval around the kink again and again."""
    return x - 1 / 3.0 if x > 1 / 3.0 else 1 / 3.0 - x


cpdef double step(double x) noexcept nogil:
    return 1.0 if x > 1 / 3.0 else 0.0


cpdef double scaled(double factor, double x) noexcept nogil:
    return factor * x


cpdef double until(double x) except? -1:
    if x > 0.9:
        raise ValueError("more than 0.9")
    return x


# What SciPy's users write: user data behind all arguments.
cdef api double shifted(double x, void *data) noexcept nogil:
    return x + (<double *>data)[0]


cdef api int mean(double *window, Py_ssize_t size, double *result, void *data) noexcept nogil:
    cdef Py_ssize_t i
    result[0] = 0.0
    for i in range(size):
        result[0] += window[i] / size
    return 1
