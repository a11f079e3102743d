# cython: freethreading_compatible=True
# Classes whose objects are arrays: expressions over self, and a C function.
from cython_customslots.typedarray cimport DLDataType, kDLCPU, kDLFloat


# [matrix.begin]
cimport cython_customslots as customslots
from cython_customslots.typedarray cimport DLTensor
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free


@customslots.array(data=self.items, shape=(self.rows, self.columns))
cdef class Matrix:
    cdef double *items
    cdef Py_ssize_t rows, columns

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t columns):
        self.rows, self.columns = rows, columns
        self.items = <double *>calloc(max(rows * columns, 1), sizeof(double))
        if not self.items:
            raise MemoryError

    def __dealloc__(self):
        free(self.items)
# [matrix.end]


cdef class Below(Matrix):
    cdef int more


# [signal.begin]
@customslots.array(data=self.owner.items + self.column, shape=self.owner.rows, strides=self.owner.columns)
cdef class Column:
    """A column of a matrix, which lives as long."""
    cdef Matrix owner
    cdef Py_ssize_t column

    def __init__(self, Matrix owner, Py_ssize_t column):
        self.owner, self.column = owner, column
# [signal.end]


@customslots.array(data=<void *>self.memory, dtype="float16", shape=self.shape, strides=self.strides,
                   readonly=self.fixed)
cdef class Halves:
    cdef char memory[64]
    cdef public int fixed
    cdef int shape[2]
    cdef long strides[2]

    def __init__(self, *numbers):
        self.shape[0], self.shape[1], self.strides[0], self.strides[1] = numbers


@customslots.array(data=<const int *>&self.number, shape=())
cdef class Number:
    cdef int number

    def __init__(self, number):
        self.number = number


@customslots.array(data=self.items, shape=[self.length_of("x")], dtype=self.dtype)
cdef class Raising:
    cdef char items[8]
    cdef DLDataType dtype
    cdef object number

    def __init__(self, number, bits=64):
        self.number = number
        self.dtype.code, self.dtype.bits, self.dtype.lanes = kDLFloat, bits, 1

    def length_of(self, x):
        if isinstance(self.number, Exception):
            raise self.number
        return self.number


# [fill.begin]
@customslots.array(fill)
cdef class Filled:
    cdef double items[6]
    cdef DLTensor tensor            # starts as zeros
    cdef long long numbers[4]

    cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1:
        tensor[0] = self.tensor
        return 0
# [fill.end]

    def __init__(self, ndim):
        if ndim == -1:
            return
        if ndim != -2:
            self.tensor.device.device_type = kDLCPU
        self.tensor.data = self.items
        self.tensor.ndim = max(ndim, 0)
        self.tensor.dtype.code, self.tensor.dtype.bits, self.tensor.dtype.lanes = kDLFloat, 64, 1


cdef int fill_object(Filled self, DLTensor *tensor, uint64_t *flags) except -1:
    tensor.device = self.tensor.device
    raise RuntimeError("not today")


@customslots.array(fill_object)
cdef class Other(Filled): pass


class FromPython(Matrix): pass
