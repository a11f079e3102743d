# cython: language_level=3, freethreading_compatible=True
# Functions whose arguments are arrays, with typed records.
cimport cython
cimport cython_customslots as cs
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef fused number:
    int8_t
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    float
    double
    cython.longdouble


# [total.begin]
cpdef double total(const double[::1] x) noexcept nogil:
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        sum += x[i]
    return sum
# [total.end]


cpdef double total_of_strided(const double[:] x) noexcept nogil:
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        sum += x[i]
    return sum


cpdef void fill(double[::1] x, double value) noexcept nogil:
    x[:] = value


cpdef void fill_strided(double[:] x, double value) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        x[i] = value


cpdef void shift(double[::1] x, double value) noexcept nogil:
    x[:2] = x[1:]                                # they overlap
    x[2] = value + x.T[2] - x[2]


cpdef double first_char(const char[::1] x) noexcept nogil:
    return x[0]


cpdef double first(number[::1] x) except? -1 nogil:
    return <double>x[0]


cpdef double complex first_complex(const double complex[::1] x) except *:
    return x[0]


cpdef double at(const double[:] x, Py_ssize_t i) except? -1:
    if i == 99:
        raise KeyError("ninety-nine")
    return x[i]


cpdef double maybe(const double[::1] x) except? -1 nogil:
    return x[7]


cpdef double dot(const double[::1] x, const double[::1] y, double factor=1) noexcept nogil:
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(min(x.shape[0], y.shape[0])):
        sum += x[i] * y[i]
    return sum * factor


cpdef double inner(const double[:] x) noexcept nogil:
    return total_of_strided(x[1:-1])                # a smaller slice, to another C function


cpdef double many(double[:] a, double[:] b, double[:] c, double[:] d, const double[:] e) noexcept nogil:
    return a[0] + b[0] + c[0] + d[0] + e[0]


# [oscillator.begin]
cpdef void oscillator(double t, const double[::1] y, double[::1] dy) noexcept nogil:
    dy[0] = y[1]
    dy[1] = -y[0]
# [oscillator.end]


cdef api void oscillator_in_c(double t, double *y, double *dy, double *p) noexcept nogil:
    dy[0] = y[1]
    dy[1] = -p[0] * y[0]


cpdef int of_floats(const float[::1] x) noexcept:
    return <int>x.shape[0]


cpdef int of_matrix(const double[:, ::1] x) noexcept:
    return <int>x.shape[0]


@cython.final
cdef class Model:
    cdef double slope

    def __init__(self, slope):
        self.slope = slope

    cpdef double value(self, const double[::1] x) noexcept nogil:
        return self.slope * x[0]


@cython.final
cdef class Called:
    @cs.callable
    cdef double value(self, const double[::1] x) noexcept nogil:
        return 2 * x[0]
