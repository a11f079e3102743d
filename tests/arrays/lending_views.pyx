# cython: language_level=3
# SPDX-License-Identifier: MIT
"""Makes memoryview objects and arrays of Cython's, which lend if this is compiled with --borrow-views."""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBUF_WRITABLE
from cython cimport view
cdef double[:] last
def borrows(const double[:] x): return x[0]
def view_of(o, bint writable=True):
    """A memoryview of any object, of a type of items that nobody has said."""
    return view.memoryview(o, PyBUF_STRIDES | PyBUF_FORMAT | (PyBUF_WRITABLE if writable else 0))
def slice_of(o, bint writable=True): return view_of(o, writable)[...][:]
def doubles(double[:] x): return x
def const_doubles(const double[:] x): return x
def rows(double[:, :] x): return x
def copied(double[:, :] x): return x.copy()
def pointed(double[:, :] x):
    """Its first dimension is one of pointers."""
    cdef Py_ssize_t i
    cdef double[::view.indirect, :] rows = Pointers(x)
    return rows
def array_of(shape, format="d", itemsize=8, mode="c"):
    made = view.array(shape, itemsize, format, mode)
    if format == "d":
        for i in range(made.shape[0]): made[i] = i + 1.5
    return made
cdef class Pointers:
    cdef object owner
    cdef char *rows[9]
    cdef Py_ssize_t numbers[6]
    def __init__(self, double[:, :] x):
        self.owner = x
        for i in range(x.shape[0]): self.rows[i] = <char *>&x[i, 0]
        self.numbers[:] = [x.shape[0], x.shape[1], sizeof(char *), sizeof(double), 0, -1]
    def __getbuffer__(self, Py_buffer *b, int flags):
        b.buf, b.obj, b.itemsize, b.readonly, b.ndim = self.rows, self, sizeof(double), 0, 2
        b.len = self.numbers[0] * self.numbers[1] * b.itemsize
        b.format, b.shape, b.strides, b.suboffsets = "d", self.numbers, self.numbers + 2, self.numbers + 4
        b.internal = NULL
