# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
from cython_customslots.typedarray cimport DLTensor
from libc.stdint cimport uint64_t
@cs.array
cdef class A: pass
@cs.array(data=self.x)
cdef class A2:
    cdef double x[3]
@cs.array(fill, data=self.x)
cdef class A3:
    cdef double x[3]
@cs.array(data=self.x, shape=3, order="C")
cdef class A4:
    cdef double x[3]
@cs.array(data=self.x, shape=3)
@cs.array(data=self.x, shape=2)
cdef class A5:
    cdef double x[3]
@cs.slot(b"dlpack.exchange_api", flags=1)
@cs.array(data=self.x, shape=3)
cdef class A6:
    cdef double x[3]
@cs.array(data=self.x, shape=3)
def f(): pass
@cs.array(data=self.x, shape=3)
cdef class A7:
    cdef object x
@cs.array(data=self.x, shape=3)
cdef class A8:
    cdef void *x
@cs.array(data=self.x, shape=3, dtype="double")
cdef class A9:
    cdef double x[3]
@cs.array(data=self.x, shape=3, dtype=64)
cdef class A10:
    cdef double x[3]
@cs.array(data=self.x, shape=(1, self.x[0]))
cdef class A11:
    cdef double x[3]
@cs.array(data=self.x, shape=rows)
cdef class A12:
    cdef double x[3]
@cs.array(data=self.x, shape=(1, 1, 1, 1, 1, 1, 1, 1, 1))
cdef class A13:
    cdef double x[3]
@cs.array(data=self.x, shape=(1, 3), strides=1)
cdef class A14:
    cdef double x[3]
@cs.array(fill)
cdef class A15: pass
@cs.array(fill)
cdef class A16:
    def fill(self, x, y): pass
@cs.array(fill)
cdef class A17:
    cdef int fill(self, DLTensor *tensor) except -1: return 0
@cs.array(A18.fill)
cdef class A18:
    cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1: return 0
cdef class B: pass
cdef int fill_other(B self, DLTensor *tensor, uint64_t *flags) except -1: return 0
@cs.array(fill_other)
cdef class A19: pass
@cs.array(data=self.x, shape=3, stable=1)
cdef class A20:
    cdef double x[3]
@cs.array(data=self.x, shape=3, stable=True)
cdef class A22:
    cdef double x[3]
    def __getbuffer__(self, Py_buffer *buffer, int flags): pass
@cs.array(stable=True)
cdef class A23: pass
@cs.slot(cs.PyCustomSlots_ID(2, 2, 1), flags=1)
@cs.array(data=self.x, shape=3, stable=True)
cdef class A24:
    cdef double x[3]

_ERRORS = u"""
5:0: customslots.array takes data=... and shape=..., or one C function that fills a DLTensor, found 0 positional arguments and no keywords
7:0: customslots.array takes data=... and shape=..., or one C function that fills a DLTensor, found 0 positional arguments and data
10:0: customslots.array takes data=... and shape=..., or one C function that fills a DLTensor, found 1 positional arguments and data
13:38: customslots.array has no argument 'order'; there are data, shape, strides, dtype, readonly, stable
17:0: customslots.array is given twice; a class has one array
21:0: slot ID b'dlpack.exchange_api' stands in this class twice; each ID names one slot (first in line 20)
24:0: customslots.array is for cdef classes, but stands on function 'f'
26:19: the data of customslots.array must be a C pointer or a C array, found 'Python object'
29:19: the data of customslots.array is 'void *', which does not say a type of items; write dtype='float64' for example
32:38: the dtype of customslots.array is bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, bfloat16, complex64, complex128, or a DLDataType, found 'double'
35:38: the dtype of customslots.array is a name in quotes, such as 'float64', or a DLDataType, found 'long'
38:39: Cannot assign type 'double' to 'Py_ssize_t'
41:29: undeclared name not builtin: rows
44:30: customslots.array has at most 8 dimensions, found 9
47:30: customslots.array has as many strides as its shape has numbers, found 1 for 2
50:10: customslots.array takes a C function or C method of this module, 'cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1', found 'fill', which is not declared
52:10: customslots.array takes a C function or C method of this module, 'cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1', found 'fill' of type 'Python object'
55:10: customslots.array takes a C function or C method of this module, 'cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1', found 'fill' of type 'int (A17, DLTensor *) except -1'
58:13: customslots.array takes a C function or C method of this module, 'cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1', found an expression
63:10: customslots.array takes a C function or C method of this module, 'cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1', found 'fill_other' of type 'int (B, DLTensor *, uint64_t *) except -1'
65:39: customslots.array takes stable=True, for items that stay where they are as long as their object lives, or stable=False
68:0: stable=True is said of the buffer that customslots.array gives a class, and 'A22' has __getbuffer__() of its own; leave one of them out
72:0: customslots.array takes data=... and shape=..., or one C function that fills a DLTensor, found 0 positional arguments and no keywords
75:0: slot ID 0x2000203 stands in this class twice; each ID names one slot (first in line 74)
"""
