# cython: language_level=3
# SPDX-License-Identifier: MIT
"""Classes with @customslots.array, of which some promise that their items stay where they are."""
cimport cython_customslots as customslots
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cython_customslots.typedarray cimport DLDataType, DLTensor, kDLBfloat, kDLFloat, kDLInt
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc

cdef int gone = 0
def deallocated(): return gone
def writable(x):
    cdef Py_buffer buffer
    PyObject_GetBuffer(x, &buffer, PyBUF_WRITABLE)
    PyBuffer_Release(&buffer)
cdef DLDataType type_of(int number):
    return [DLDataType(kDLFloat, 64, 1), DLDataType(kDLInt, 64, 1), DLDataType(kDLBfloat, 16, 1)][number]

cdef class Base:
    cdef double *items
    cdef public Py_ssize_t n, step
    cdef public bint fixed, fails, empty
    cdef public int type
    def __cinit__(self, Py_ssize_t n, Py_ssize_t more=1):
        self.n, self.step = n, 1
        self.items = <double *>malloc(n * more * sizeof(double))
        for i in range(n * more): self.items[i] = i
    def __dealloc__(self):
        global gone
        gone += 1
        for i in range(self.n): self.items[i] = -1
        free(self.items)
    def __setitem__(self, Py_ssize_t i, double value): self.items[i] = value
    cdef double *first(self) except? NULL:
        if self.fails: raise ZeroDivisionError
        if self.empty: return NULL
        return self.items + (self.n - 1) * (self.step < 0)

@customslots.array(data=self.first(), shape=(self.n // abs(self.step),), strides=(self.step,), dtype=type_of(self.type),
                   readonly=self.fixed, stable=True)
cdef class Stable(Base): pass
@customslots.array(data=self.first(), shape=(self.n,), readonly=self.fixed, stable=False)
cdef class Moving(Base): pass
cdef class Below(Stable):
    cdef int more
cdef class OwnBuffer(Stable):
    def __getbuffer__(self, Py_buffer *buffer, int flags): PyObject_GetBuffer(Moving(self.n), buffer, flags)
@customslots.array(data=self.items, shape=(self.n,))
cdef class Unstable(Stable): pass
@customslots.array(fill, stable=True)
cdef class Matrix(Base):
    cdef int64_t numbers[2]
    cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1:
        self.numbers[0], self.numbers[1] = self.n, 3
        tensor.data, tensor.ndim, tensor.dtype = self.items, 2, DLDataType(kDLFloat, 64, 1)
        tensor.shape, tensor.strides = self.numbers, NULL
        return 0
