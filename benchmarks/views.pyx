# cython: language_level=3, boundscheck=False, wraparound=False
# SPDX-License-Identifier: MIT
"""For bench_arrays.py, compiled plain and with --borrow-views: what functions do with typed memoryviews and buffers."""
cimport numpy as np

def first(double[:] x):
    return x[0]

# [buffer.begin]
def first_of_buffer(np.ndarray[double] x):
    return x[0]
# [buffer.end]

# [dot.begin]
def dot(double[::1] x, double[::1] y):
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(min(x.shape[0], y.shape[0])):
        sum += x[i] * y[i]
    return sum
# [dot.end]

def size(double[::1] x):
    return x.size

def attributes(double[::1] x):
    return x.size, x.ndim, x.itemsize, x.nbytes

def both(double[::1] x=None, double[::1] y=None):
    return 0 if x is None or y is None else 1

def local(x):
    cdef double[::1] v = x
    return v[0]

def copy(double[::1] x, double[::1] y):
    x[:] = y

def rarely(double[::1] x):
    return x if x[0] < 0 else None

def always(double[::1] x):
    return x
