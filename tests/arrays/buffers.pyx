# cython: language_level=3
# SPDX-License-Identifier: MIT
"""Arguments and variables in the old buffer syntax: with --borrow-views those whose items are numbers borrow.

test_borrowed_buffers.py calls each function with many kinds of objects, and a number or, if it is called *_called, a
function.  Those called *_2d get a matrix.
"""
cimport cython
cimport numpy as np
import numpy
np.import_array()
ctypedef fused number:
    signed char
    unsigned char
    short
    int
    long long
    unsigned long long
    float
    double
    long double
    float complex
    double complex
cdef packed struct P:
    int a
    double b

# ------------------------------------------------------------------ kinds of arguments
def buffers_item(np.ndarray[double, ndim=1] x, Py_ssize_t n): return x[n]
def buffers_object(object[double] x, Py_ssize_t n): return x[n]
def buffers_full(np.ndarray[double, mode="full"] x, Py_ssize_t n): return x[n], x[-n]
def buffers_full_2d(object[double, ndim=2, mode="full"] x, Py_ssize_t n): return x[n, -1]
def buffers_c(np.ndarray[double, mode="c"] x, Py_ssize_t n): return x[n]
def buffers_fortran(np.ndarray[double, mode="fortran"] x, Py_ssize_t n): return x[n]
def buffers_2d(np.ndarray[double, ndim=2] x, Py_ssize_t n): return x[n, 0], x[0, n]
def buffers_c_2d(np.ndarray[double, ndim=2, mode="c"] x, Py_ssize_t n): return x[n, 0], x[0, n]
def buffers_fortran_2d(np.ndarray[double, ndim=2, mode="fortran"] x, Py_ssize_t n): return x[n, 0], x[0, n]
def buffers_of_8(np.ndarray[double, ndim=8] x, Py_ssize_t n): return x[0, 0, 0, 0, 0, 0, 0, 0]
def buffers_char(np.ndarray[char] x, Py_ssize_t n): return x[n]
def buffers_char_object(object[char] x, Py_ssize_t n): return x[n]
def buffers_bint(np.ndarray[bint] x, Py_ssize_t n): return x[n]
def buffers_cast(np.ndarray[unsigned char, cast=True] x, Py_ssize_t n): return x[n]
def buffers_objects(np.ndarray[object] x, Py_ssize_t n): return x[n]
def buffers_struct(np.ndarray[P] x, Py_ssize_t n): return x[n].b
def buffers_number(np.ndarray[number] x, Py_ssize_t n=0): return x[n], number is double
def buffers_number_object(object[number] x, Py_ssize_t n=0):
    x[0] = x[0] + 1
    return x[n]
def buffers_default(np.ndarray[double] x=None, Py_ssize_t n=0): return x is None or x[n]
def buffers_default_array(Py_ssize_t n, np.ndarray[double] x=numpy.arange(4.0)): return x[1]
def buffers_both(np.ndarray[double] x, Py_ssize_t n, np.ndarray[double, mode="c"] y=None):
    return x[n], y is None or y[n]

# ------------------------------------------------------------------ writing
def buffers_write(np.ndarray[double] x, Py_ssize_t n):
    x[n] = 7
    return x[n]
def buffers_write_object(object[double] x, Py_ssize_t n):
    x[n] += 1
    x[-1] *= 2
def buffers_write_c_2d(np.ndarray[double, ndim=2, mode="c"] x, Py_ssize_t n):
    cdef Py_ssize_t i, j
    for i in range(x.shape[0]):
        for j in range(x.shape[1]): x[i, j] += i * j

# ------------------------------------------------------------------ uses
@cython.boundscheck(False)
@cython.wraparound(False)
def buffers_unchecked(np.ndarray[double] x, Py_ssize_t n):
    cdef double s = 0
    cdef unsigned int i
    for i in range(<unsigned int> x.shape[0]): s += x[i]
    return s
@cython.boundscheck(False)
@cython.wraparound(False)
def beyond(np.ndarray[double, ndim=2] x, Py_ssize_t n): return x[0, n], x[n, 0]
def buffers_nogil(np.ndarray[double] x, Py_ssize_t n):
    cdef double s = 0
    cdef Py_ssize_t i
    with nogil:
        for i in range(x.shape[0]): s += x[i]
    return s
def buffers_is_the_array(np.ndarray[double] x, Py_ssize_t n): return x is (<object> x), x
def buffers_finally(np.ndarray[double] x, Py_ssize_t n):
    try:
        if n == 1: return x[0]
        if n == 2: raise ValueError(x)
    finally:
        n = <Py_ssize_t> x[1]
    return n
cdef double in_c(np.ndarray[double] x, int n) except? -1: return x[n]
cdef double in_c_given(np.ndarray[double] x, y) except? -1:
    x = y
    return x[0]
cpdef double buffers_cpdef(np.ndarray[double] x, int n) except? -1: return x[n]
def buffers_in_c(x, Py_ssize_t n): return in_c(x, n) + in_c_given(x, x)
def buffers_inner(x, Py_ssize_t n):
    def inner(np.ndarray[double] y): return y[n]
    return inner(x)
cdef class Holder:
    def method(self, np.ndarray[double] x, Py_ssize_t n): return x[n]
    cpdef double cp(self, np.ndarray[double] x, int n) except? -1: return x[n]
    cdef double c(self, np.ndarray[double] x, int n) except? -1: return x[n]
    def calls(self, x, Py_ssize_t n): return self.c(x, n) + self.cp(x, n)
    @staticmethod
    def static(np.ndarray[double] x, Py_ssize_t n): return x[n]
def buffers_methods(x, Py_ssize_t n):
    holder = Holder()
    return holder.method(x, n), holder.cp(x, n), holder.calls(x, n), Holder.static(x, n)

# ------------------------------------------------------------------ other arrays for the variable, and none
def buffers_rebound_wrongly(np.ndarray[double] x, Py_ssize_t n):
    first = x[n]
    try: x = [numpy.arange(4), numpy.ones((2, 2)), "text"][n]
    except (ValueError, TypeError) as error: return first, x[n], str(error)
def buffers_swapped(np.ndarray[double] x, Py_ssize_t n):
    cdef np.ndarray[double] y = numpy.arange(4.0)
    for i in range(n): x, y = y, x
    return x[1], y[1]
def buffers_local(x, Py_ssize_t n):
    cdef np.ndarray[double] v = x
    return v[n]
def buffers_local_perhaps(x, Py_ssize_t n):
    cdef np.ndarray[double] v = None             # an unbound one crashes with plain Cython, too
    if n: v = x
    return v[0]
def buffers_local_in_loop(x, Py_ssize_t n):
    cdef np.ndarray[double] v
    cdef Py_ssize_t i
    s = 0
    for i in range(3):
        v = x if i % 2 else x[::-1]
        s += v[i]
    return s
def buffers_local_caught(x, Py_ssize_t n):
    cdef np.ndarray[double] v
    try: v = x
    except (ValueError, TypeError): v = numpy.arange(3.0)
    return v[n]

# ------------------------------------------------------------------ what happens meanwhile
def buffers_called(np.ndarray[double] x, n):
    first = x[0]
    n()
    return first, x[0], x[1], x[2]
def buffers_write_called(np.ndarray[double] x, n):
    n()
    x[0] = 9
    return x[0]
def buffers_2d_called(np.ndarray[double, ndim=2] x, n):
    n()
    return x[0, 0], x[1, 1], x[2, 2], x[-1, -1]
def buffers_local_called(x, n):
    cdef np.ndarray[double] v = x
    x = None
    n()
    return v[0], v[1], v[2]
def buffers_rebound_called(np.ndarray[double] x, n):
    first = x[0]
    x = x[1:]
    n()
    return first, x[0], x[1]
def buffers_fails_called(np.ndarray[double] x, n):
    try: x = n()
    except (ValueError, TypeError) as error: return x[0], str(error)
    return x is None or x[0]
