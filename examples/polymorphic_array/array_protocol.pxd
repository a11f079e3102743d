# SPDX-License-Identifier: MIT
from cpython.object cimport PyObject
from libc.stdint cimport uintptr_t

cdef extern from "array_protocol.h" nogil:
    const uintptr_t ARRAY_ID
    const Py_ssize_t ARRAY_POSITION
    enum: ARRAY_MAX_NDIM
    ctypedef struct array_layout:
        Py_ssize_t ndim
        Py_ssize_t[8] shape
        Py_ssize_t[8] strides
        const char *data
        char dtype
    ctypedef struct array_vtable:
        int (*describe)(PyObject *self, array_layout *layout) noexcept nogil
        double (*get)(PyObject *self, const Py_ssize_t *index) noexcept nogil
