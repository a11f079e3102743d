# cython: freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""typedarray.pxd as its users write it; docs/arrays.md has parts of this file."""
# [total.begin]
from cython_customslots.typedarray cimport (
    PyTypedArray, PyTypedArray_At1, PyTypedArray_Clear, PyTypedArray_Init, PyTypedArray_MakeSpec, PyTypedArray_Spec,
    kDLFloat)

cdef PyTypedArray_Spec doubles = PyTypedArray_MakeSpec(kDLFloat, 64, 1, 0)

def total(x):
    cdef PyTypedArray a
    cdef double sum = 0
    cdef Py_ssize_t i
    PyTypedArray_Init(&a, x, &doubles)              # any array, or TypeError
    with nogil:
        for i in range(a.shape[0]):
            sum += (<double *>PyTypedArray_At1(&a, i))[0]
    PyTypedArray_Clear(&a)
    return sum
# [total.end]

# [scale.begin]
from cython_customslots.typedarray cimport (
    PyTypedArray_ANY_NDIM, PyTypedArray_Cursor, PyTypedArray_First, PyTypedArray_Next, PyTypedArray_WRITABLE)

cdef PyTypedArray_Spec writable = PyTypedArray_MakeSpec(kDLFloat, 64, PyTypedArray_ANY_NDIM, PyTypedArray_WRITABLE)

def scale(x, double factor):
    """Multiplies all items of an array with any number of dimensions, in place."""
    cdef PyTypedArray a
    cdef PyTypedArray_Cursor cursor
    cdef double *item
    PyTypedArray_Init(&a, x, &writable)
    with nogil:
        item = <double *>PyTypedArray_First(&a, &cursor)
        while item:
            item[0] *= factor
            item = <double *>PyTypedArray_Next(&a, &cursor)
    PyTypedArray_Clear(&a)
# [scale.end]

# [kept.begin]
from cython_customslots.typedarray cimport PyTypedArray_C_CONTIGUOUS, PyTypedArray_Own

cdef PyTypedArray_Spec matrix = PyTypedArray_MakeSpec(kDLFloat, 64, 2, PyTypedArray_C_CONTIGUOUS)

cdef class Table:
    """Keeps an array for as long as it lives, and reads it without the GIL."""
    cdef PyTypedArray a                             # starts as zeros, which Clear accepts

    def __init__(self, x):
        PyTypedArray_Clear(&self.a)                 # __init__ may be called twice
        PyTypedArray_Own(&self.a, x, &matrix)

    def __dealloc__(self):
        PyTypedArray_Clear(&self.a)

    cdef double *row(self, Py_ssize_t i) noexcept nogil:
        return <double *>self.a.data + i * self.a.shape[1]

    def __getitem__(self, Py_ssize_t i):
        if not 0 <= i < self.a.shape[0]:
            raise IndexError(i)
        with nogil:
            row = self.row(i)
        return [row[j] for j in range(self.a.shape[1])]
# [kept.end]
