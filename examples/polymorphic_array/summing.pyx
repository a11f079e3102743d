# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""The consumer: adds up arrays that it has never heard of.  Plain Cython compiles it."""
cimport cython_customslots as customslots
from array_protocol cimport (
    ARRAY_ID, ARRAY_POSITION, PyObject, array_layout, array_vtable)


# [total.begin]
def total(array):
    """(the sum of all items, how they were reached: "memory", "vtable" or "Python")."""
    cdef const array_vtable *vtable
    cdef array_layout layout
    cdef double result
    slot = customslots.PyCustomSlots_FindAny(array, ARRAY_ID, ARRAY_POSITION)
    if slot is not NULL:
        vtable = <const array_vtable *>slot.data.pointer
        if vtable.describe(<PyObject *>array, &layout) == 0:
            with nogil:
                result = add_up(<PyObject *>array, vtable, &layout)
            return result, "memory" if in_memory(&layout) else "vtable"
    result = 0.0
    for i in range(len(array)):
        result += <double>array[i]
    return result, "Python"
# [total.end]


cdef bint in_memory(const array_layout *layout) noexcept nogil:
    return layout.data is not NULL and layout.dtype == b"d"


cdef double add_up(PyObject *array, const array_vtable *vtable, const array_layout *layout) noexcept nogil:
    """Goes through all indices; the last axis is the inner loop."""
    cdef Py_ssize_t[8] index
    cdef Py_ssize_t axis, i, last = layout.ndim - 1
    cdef const char *row
    cdef double result = 0.0
    for axis in range(layout.ndim):
        index[axis] = 0
        if layout.shape[axis] == 0:
            return 0.0
    if layout.ndim == 0:
        return vtable.get(array, index)
    while True:
        if in_memory(layout):
            row = layout.data
            for axis in range(last):
                row += index[axis] * layout.strides[axis]
            for i in range(layout.shape[last]):
                result += (<const double *>(row + i * layout.strides[last]))[0]
        else:
            for i in range(layout.shape[last]):
                index[last] = i
                result += vtable.get(array, index)
        axis = last - 1                         # the next row, like an odometer
        while axis >= 0:
            index[axis] += 1
            if index[axis] < layout.shape[axis]:
                break
            index[axis] = 0
            axis -= 1
        if axis < 0:
            return result
