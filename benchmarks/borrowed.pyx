# cython: language_level=3, boundscheck=False, wraparound=False
# customslots: borrow_views=True
# SPDX-License-Identifier: MIT
"""For bench_arrays.py: dot_view(), first_view() and first_buffer() of arrays.pyx, word for word, with arguments that
borrow; and functions with typed records."""
cimport cython_customslots
cimport numpy as np

def first_borrowed(double[:] x):
    return x[0]

# [buffer.begin]
def first_borrowed_buffer(np.ndarray[double] x):
    return x[0]
# [buffer.end]

# [dot.begin]
def dot_borrowed(double[::1] x, double[::1] y):
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(min(x.shape[0], y.shape[0])):
        sum += x[i] * y[i]
    return sum
# [dot.end]

cpdef double first_record(const double[::1] x) noexcept nogil:
    return x[0]

cpdef double sum_record(const double[::1] x) noexcept nogil:
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(x.shape[0]):
        sum += x[i]
    return sum
