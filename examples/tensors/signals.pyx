# cython: language_level=3
# SPDX-License-Identifier: MIT
"""Arrays in memory of one's own: a signal, and every n-th item of it."""
cimport cython_customslots as customslots
from libc.stdlib cimport calloc, free
from cython_customslots.typedarray cimport (
    PyTypedArray, PyTypedArray_At1, PyTypedArray_Clear, PyTypedArray_Init, PyTypedArray_MakeSpec, PyTypedArray_Spec,
    kDLFloat)


# [signal.begin]
@customslots.array(data=self.items, shape=self.length)
cdef class Signal:
    """Doubles that start as zeros."""
    cdef double *items
    cdef Py_ssize_t length

    def __cinit__(self, Py_ssize_t length):
        self.length = length
        self.items = <double *>calloc(max(length, 1), sizeof(double))
        if not self.items:
            raise MemoryError

    def __dealloc__(self):
        free(self.items)


@customslots.array(data=self.of.items, shape=(self.of.length + self.n - 1) // self.n, strides=self.n)
cdef class EveryNth:
    """A view, without a copy."""
    cdef Signal of
    cdef Py_ssize_t n

    def __init__(self, Signal of, Py_ssize_t n):
        if n < 1:
            raise ValueError(f"found n = {n}, expected 1 or more")
        self.of, self.n = of, n
# [signal.end]


# [energy.begin]
cdef PyTypedArray_Spec doubles = PyTypedArray_MakeSpec(kDLFloat, 64, 1, 0)

def energy(x):
    """The sum of squares of anybody's array."""
    cdef PyTypedArray a
    cdef double sum = 0
    cdef Py_ssize_t i
    PyTypedArray_Init(&a, x, &doubles)
    with nogil:
        for i in range(a.shape[0]):
            sum += (<double *>PyTypedArray_At1(&a, i))[0] ** 2
    PyTypedArray_Clear(&a)
    return sum
# [energy.end]
