# cython: language_level=3
# SPDX-License-Identifier: MIT
"""Typed memoryviews in local variables: with --borrow-views those called borrow_* do, and those called other_* do not.

test_local_views.py calls each function with many kinds of objects, and a number or a function.
"""
import numpy as np
cdef double[:] glob
def drop():
    global glob
    glob = np.zeros(1)
cdef double perhaps(double[:] x, bint really) except? -1 nogil:
    global glob
    if really: glob = x
    return x[0]
def locals_perhaps(x, n):
    cdef double[:] borrow_v
    if n: borrow_v = x
    return borrow_v[0]
def locals_given(x, n):
    cdef double[:] borrow_v = x
    cdef double[:] w
    if n:
        w = borrow_v[1:]
        if n == 1: return w
        return borrow_v, w[::2]
    return borrow_v[0], borrow_v.size
def locals_const(x, n):
    cdef const double[:] borrow_v = x
    return np.asarray(borrow_v) if n else borrow_v[0]
def locals_called(x, n):
    cdef double[:] borrow_v = x
    n()
    return borrow_v[0]
def locals_called_const(x, n):
    cdef const double[:] borrow_v = x
    x = None
    n()
    return borrow_v[0]
def locals_raise(x, n):
    cdef double[:] borrow_v = x
    if n: raise ValueError(borrow_v if n == 2 else n)
    return borrow_v[0]
def locals_finally(x, n):
    cdef double[:] other_v
    cdef double[:] borrow_w
    try:
        borrow_w = x
        if n == 1: return borrow_w[0]
        if n == 2: raise ValueError(borrow_w)
    finally:
        other_v = x
        n = other_v[0]
    return n
def locals_new(x, n):
    out = np.zeros(len(x))
    cdef double[::1] borrow_v = out
    cdef double[::1] borrow_w = np.ones(len(x))
    for i in range(borrow_v.shape[0]): borrow_v[i] = borrow_w[i]
    return out
def locals_always(x, n):
    cdef double[:] other_v = x
    return other_v
def locals_rebound(x, n):
    cdef double[:] other_v = x
    n = other_v[0]
    other_v = np.ones(2)
    return other_v[0], n
def locals_deleted(x, n):
    cdef double[:] other_v = x
    del other_v
    return n
def locals_loop(x, n):
    cdef double[:] other_v
    for i in range(3): other_v = x
    return other_v[0]
def locals_closure(x, n):
    cdef double[:] other_v = x
    return [f() for f in [lambda: other_v[0]]]
def locals_yielded(x, n):
    cdef double[:] other_v = x
    yield other_v[0]
def locals_none(x, n):
    cdef double[:] borrow_v = x
    return borrow_v is None or borrow_v[0]
cdef double in_c(x, n) except? -1:
    cdef double[:] borrow_v = x
    perhaps(borrow_v, n == 1)
    return borrow_v[0]
def locals_in_c(x, n): return in_c(x, n)
cdef double in_nogil_c(int n) except? -1 nogil:
    cdef double[:] other_v
    with gil: other_v = np.ones(2)
    return other_v[0]
def locals_in_nogil_c(x, n): return in_nogil_c(1)
def locals_nogil(x, n):
    cdef double[:] borrow_v = x
    cdef double s = 0
    with nogil: s = perhaps(borrow_v, borrow_v.shape[0] == 7)
    return s
def locals_cast(x, n):
    cdef double[2] array
    array[0] = array[1] = 1.5
    cdef double[:] borrow_v = array
    return borrow_v[0]
cdef class Local:
    cpdef double method(self, x) except? -1:
        cdef double[:] borrow_v = x
        return borrow_v[0]
def locals_method(x, n): return Local().method(x)
