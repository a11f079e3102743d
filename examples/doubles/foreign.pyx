# cython: language_level=3
"""What lists, array.array and numpy.ndarray do to be read as doubles.

Their types are not ours: the methods of the classes below are registered for them, and `self` is an
object of theirs.
"""
import array
from libc.string cimport memcpy

from cpython.buffer cimport (
    PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer)

from doubles cimport Doubles


cdef class ListDoubles(Doubles):
    cdef Py_ssize_t size(self) except -1:
        return len(<list><object>self)

    cdef Py_ssize_t read(self, Py_ssize_t start, double *into, Py_ssize_t count) except -1:
        cdef list numbers = <list><object>self
        cdef Py_ssize_t i
        count = max(0, min(count, len(numbers) - start))
        for i in range(count):
            into[i] = numbers[start + i]
        return count


cdef class BufferDoubles(Doubles):
    cdef Py_ssize_t size(self) except -1:
        return len(<object>self)

    cdef Py_ssize_t read(self, Py_ssize_t start, double *into, Py_ssize_t count) except -1:
        cdef Py_buffer view
        cdef Py_ssize_t i, stride
        PyObject_GetBuffer(<object>self, &view, PyBUF_FORMAT | PyBUF_STRIDES)
        try:
            if view.format != b"d" or view.ndim != 1:
                raise TypeError(f"found {view.ndim} dimensions of format {view.format.decode()!r}, "
                                f"expected one of doubles")
            stride = view.strides[0]
            count = max(0, min(count, view.shape[0] - start))
            if stride == sizeof(double):
                memcpy(into, <char *>view.buf + start * stride, count * sizeof(double))
            else:
                for i in range(count):
                    into[i] = (<double *>(<char *>view.buf + (start + i) * stride))[0]
            return count
        finally:
            PyBuffer_Release(&view)


Doubles.register(list, ListDoubles)
Doubles.register(array.array, BufferDoubles)
try:
    import numpy
except ImportError:
    pass
else:
    Doubles.register(numpy.ndarray, BufferDoubles)
