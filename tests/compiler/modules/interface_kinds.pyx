# SPDX-License-Identifier: MIT
cdef class Everything(Kinds):
    cdef bint integers(self, bint b, char c, unsigned char u, unsigned short s, int8_t i) except -1:
        return b and c == 1 and u == 255 and s == 65535 and i == -1
    cdef long long wide(self, unsigned long long a, size_t b, uint64_t c) noexcept nogil:
        return <long long>a + <long long>b + <long long>c
    cdef double complex complexes(self, double complex z, float complex w, long double d) noexcept:
        return z * w + <double>d
    cdef Py_UCS4 texts(self, const char *a, char **b, const char *const *c) noexcept:
        return a[0] + b[0][0] + c[0][0]
    cdef const void *pointers(self, const void *a, void **b, Py_buffer *c) noexcept:
        return a
    cdef Level enums(self, Bits bits) except? MIDDLE:
        if bits == ONE:
            raise ValueError("one")
        return MIDDLE if bits == FIVE else LOW
    cdef Outer structs(self, Inner inner, const Outer *outer, Either either) except *:
        cdef Outer result = outer[0]
        result.inner = inner
        result.matrix[1][2] = either.d
        return result
    cdef reals arrays(self, int[3] a, const real b[6], reals c) noexcept:
        c[0] = a[2] + b[5]
        return c
    cdef int others(self, tm *t, time_t n, FILE *f, PyOS_sighandler_t handler) except -1:
        handler(t.tm_year)
        return 5
    cdef Chooser choosers(self, Chooser first, Chooser second) except NULL:
        return first if first(1, b"") == LOW else second
    cdef object words(self, int ref, int ref_, int template, int new, int n, list register):
        return [ref, ref_, template, new, n, register]
