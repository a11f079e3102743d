# What values.pyx and values_failing.pyx cimport.
cdef enum:
    ANONYMOUS = 41
cdef enum Named:
    NAMED = 42
cpdef enum Seen:
    SEEN = 43
cdef struct Pair:
    int a
    double b
cdef Pair pair
cdef long numbers[3]
cdef object thing
ctypedef double (*Unary)(double) noexcept
cdef double triple(double x) noexcept
cdef long may_fail(long x) except? -1
cdef Unary chosen() noexcept
