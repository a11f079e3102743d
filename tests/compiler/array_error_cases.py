# SPDX-License-Identifier: MIT
"""Wrong uses of @array, and what the compiler says: (line, column, text)."""

# [header.begin]
HEADER = """\
cimport cython_customslots as cs
from cython_customslots.typedarray cimport DLTensor
from libc.stdint cimport uint64_t
"""
# [header.end]

_TAKES = ("customslots.array takes data=... and shape=..., or one C function that fills a DLTensor, found ")
_FUNCTION = ("customslots.array takes a C function or C method of this module, 'cdef int fill(self, DLTensor *tensor, "
             "uint64_t *flags) except -1', found ")

#: {what is wrong: (source behind the header, [(line in it, column, text)])}
ARRAYS = {
    "an array that says nothing": ("""\
@cs.array
cdef class A: pass
""", [(1, 0, _TAKES + "0 positional arguments and no keywords")]),
    "an array without a shape": ("""\
@cs.array(data=self.x)
cdef class A:
    cdef double x[3]
""", [(1, 0, _TAKES + "0 positional arguments and data")]),
    "an array by a function and by expressions": ("""\
@cs.array(fill, data=self.x)
cdef class A:
    cdef double x[3]
""", [(1, 0, _TAKES + "1 positional arguments and data")]),
    "an argument of array that there is not": ("""\
@cs.array(data=self.x, shape=3, order="C")
cdef class A:
    cdef double x[3]
""", [(1, 38, "customslots.array has no argument 'order'; there are data, shape, strides, dtype, readonly")]),
    "array given twice": ("""\
@cs.array(data=self.x, shape=3)
@cs.array(data=self.x, shape=2)
cdef class A:
    cdef double x[3]
""", [(2, 0, "customslots.array is given twice; a class has one array")]),
    "an array and its slot": ("""\
@cs.slot(b"dlpack.exchange_api", flags=1)
@cs.array(data=self.x, shape=3)
cdef class A:
    cdef double x[3]
""", [(2, 0, "slot ID b'dlpack.exchange_api' stands in this class twice; each ID names one slot (first in line 4)")]),
    "array on a function": ("""\
@cs.array(data=self.x, shape=3)
def f(): pass
""", [(1, 0, "customslots.array is for cdef classes, but stands on function 'f'")]),
    "data that is an object": ("""\
@cs.array(data=self.x, shape=3)
cdef class A:
    cdef object x
""", [(1, 19, "the data of customslots.array must be a C pointer or a C array, found 'Python object'")]),
    "data of no type": ("""\
@cs.array(data=self.x, shape=3)
cdef class A:
    cdef void *x
""", [(1, 19, "the data of customslots.array is 'void *', which does not say a type of items; write "
              "dtype='float64' for example")]),
    "a type of items that there is not": ("""\
@cs.array(data=self.x, shape=3, dtype="double")
cdef class A:
    cdef double x[3]
""", [(1, 38, "the dtype of customslots.array is bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, "
              "float16, float32, float64, bfloat16, complex64, complex128, or a DLDataType, found 'double'")]),
    "a type of items that is a number": ("""\
@cs.array(data=self.x, shape=3, dtype=64)
cdef class A:
    cdef double x[3]
""", [(1, 38, "the dtype of customslots.array is a name in quotes, such as 'float64', or a DLDataType, found "
              "'long'")]),
    "a shape that is no integer": ("""\
@cs.array(data=self.x, shape=(1, self.x[0]))
cdef class A:
    cdef double x[3]
""", [(1, 39, "Cannot assign type 'double' to 'Py_ssize_t'")]),
    "a name that there is not": ("""\
@cs.array(data=self.x, shape=rows)
cdef class A:
    cdef double x[3]
""", [(1, 29, "undeclared name not builtin: rows")]),
    "nine dimensions": ("""\
@cs.array(data=self.x, shape=(1, 1, 1, 1, 1, 1, 1, 1, 1))
cdef class A:
    cdef double x[3]
""", [(1, 30, "customslots.array has at most 8 dimensions, found 9")]),
    "one stride too few": ("""\
@cs.array(data=self.x, shape=(1, 3), strides=1)
cdef class A:
    cdef double x[3]
""", [(1, 30, "customslots.array has as many strides as its shape has numbers, found 1 for 2")]),
    "a function that is not declared": ("""\
@cs.array(fill)
cdef class A: pass
""", [(1, 10, _FUNCTION + "'fill', which is not declared")]),
    "a function of Python": ("""\
@cs.array(fill)
cdef class A:
    def fill(self, x, y): pass
""", [(1, 10, _FUNCTION + "'fill' of type 'Python object'")]),
    "a function with other arguments": ("""\
@cs.array(fill)
cdef class A:
    cdef int fill(self, DLTensor *tensor) except -1: return 0
""", [(1, 10, _FUNCTION + "'fill' of type 'int (A, DLTensor *) except -1'")]),
    "a function of another class": ("""\
cdef class B: pass
cdef int fill(B self, DLTensor *tensor, uint64_t *flags) except -1: return 0
@cs.array(fill)
cdef class A: pass
""", [(3, 10, _FUNCTION + "'fill' of type 'int (B, DLTensor *, uint64_t *) except -1'")]),
    "an expression in place of a function": ("""\
@cs.array(A.fill)
cdef class A:
    cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1: return 0
""", [(1, 11, _FUNCTION + "an expression")]),
}

#: The same with a .pxd: ({file: text}, [(file, line, column, text)]).
ARRAYS_PXD = {
    "an array in the .pxd": ({"mod.pxd": """\
cimport cython_customslots as cs
@cs.array(data=self.x, shape=3)
cdef class A:
    cdef double x[3]
""", "mod.pyx": """\
cdef class A: pass
"""}, [("mod.pxd", 2, 0, "'A' is declared here, and customslots.array says how its objects are made arrays; write it "
                         "where the class is defined, in the .pyx")]),
}
