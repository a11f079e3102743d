# SPDX-License-Identifier: MIT
# Everything that a method of an interface may take and give, for the files that other languages read.
cimport cython_customslots as customslots
from libc.stdint cimport int8_t, uint64_t
from libc.stdio cimport FILE

cdef extern from "time.h":
    struct tm:
        int tm_year
    ctypedef long time_t

cdef extern from "Python.h":
    ctypedef void (*PyOS_sighandler_t)(int) noexcept

cdef enum Level:
    LOW = 3, MIDDLE
cpdef enum Bits:
    ONE = 1 << 0
    FIVE = (1 << 2) | ONE
cdef struct Inner:
    int values[3]
    char *name
cdef struct Outer:
    Inner inner
    Outer *next
    double matrix[2][3]
cdef union Either:
    int i
    double d
ctypedef double real
ctypedef real *reals
ctypedef Level (*Chooser)(int, const char *) except MIDDLE

@customslots.interface(b"tests.Kinds")
cdef class Kinds:
    cdef bint integers(self, bint b, char c, unsigned char u, unsigned short s, int8_t i) except -1
    cdef long long wide(self, unsigned long long a, size_t b, uint64_t c) noexcept nogil
    cdef double complex complexes(self, double complex z, float complex w, long double d) noexcept
    cdef Py_UCS4 texts(self, const char *a, char **b, const char *const *c) noexcept
    cdef const void *pointers(self, const void *a, void **b, Py_buffer *c) noexcept
    cdef Level enums(self, Bits bits) except? MIDDLE
    cdef Outer structs(self, Inner inner, const Outer *outer, Either either) except *
    cdef reals arrays(self, int[3] a, const real b[6], reals c) noexcept
    cdef int others(self, tm *t, time_t n, FILE *f, PyOS_sighandler_t handler) except -1
    cdef Chooser choosers(self, Chooser first, Chooser second) except NULL
    cdef object words(self, int ref, int ref_, int template, int new, int n, list register)
