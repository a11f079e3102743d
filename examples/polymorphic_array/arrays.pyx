# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""Arrays of one's own: in memory, as views of memory, and computed.

Nothing here knows who uses them.
"""
cimport cython_customslots as customslots
from array_protocol cimport (
    ARRAY_ID, ARRAY_MAX_NDIM, ARRAY_POSITION, PyObject, array_layout, array_vtable)
from libc.stdlib cimport free, malloc

cdef array_vtable dense_vtable, range_vtable, constant_vtable   # filled in below


cdef class Array:
    """Base of all of them: what they have in common for Python."""
    cdef array_layout layout

    def __init__(self):
        raise TypeError(f"found {type(self).__name__}(), expected Dense, Range or Constant")

    @property
    def shape(self):
        return tuple([self.layout.shape[axis] for axis in range(self.layout.ndim)])

    def __len__(self):
        return self.layout.shape[0]

    def __getitem__(self, index):
        # Every subclass has brought its vtable; one that has not has no items.
        cdef const customslots.PyCustomSlot *slot
        cdef Py_ssize_t[8] place
        if not isinstance(index, tuple):
            index = (index,)
        if self.layout.ndim == 0 or len(index) != self.layout.ndim:
            raise IndexError(f"found {len(index)} indices, expected {self.layout.ndim}")
        for axis, i in enumerate(index):
            place[axis] = i
            if place[axis] < 0:
                place[axis] += self.layout.shape[axis]
            if not 0 <= place[axis] < self.layout.shape[axis]:
                raise IndexError(f"index {i} of axis {axis} is not below {self.layout.shape[axis]}")
        slot = customslots.PyCustomSlots_Find(self, ARRAY_ID, ARRAY_POSITION)
        if slot is NULL:
            raise TypeError(f"{type(self).__name__} has no items")
        return (<array_vtable *>slot.data.pointer).get(<PyObject *>self, place)


cdef int set_shape(Array self, shape) except -1:
    cdef Py_ssize_t axis
    if not 1 <= len(shape) <= ARRAY_MAX_NDIM:
        raise ValueError(f"found {len(shape)} dimensions, expected 1 to {ARRAY_MAX_NDIM}")
    self.layout.ndim = len(shape)
    self.layout.dtype = b"d"
    for axis in range(self.layout.ndim):
        self.layout.shape[axis] = shape[axis]
        if self.layout.shape[axis] < 0:
            raise ValueError(f"axis {axis}: found a length of {shape[axis]}, expected 0 or more")
    return 0


cdef int describe(PyObject *self, array_layout *layout) noexcept nogil:
    layout[0] = (<Array>self).layout
    return 0 if layout.ndim else -1             # -1: its __init__ never ran


# [dense.begin]
@customslots.slot(ARRAY_ID, pointer=&dense_vtable, position=0)
cdef class Dense(Array):
    """Dense(numbers, *shape): doubles in memory, its own or that of another one."""
    cdef double *items
    cdef Dense owner                            # of a view
# [dense.end]

    def __cinit__(self, numbers, *shape):
        cdef Py_ssize_t i, axis, stride = sizeof(double)
        cdef list values
        if numbers is None:                     # for a view, see below
            return
        values = [float(number) for number in numbers]
        set_shape(self, shape or (len(values),))
        count = 1
        for length in self.shape:
            count *= length
        if count != len(values):
            raise ValueError(f"found {len(values)} numbers, expected {count}")
        for axis in reversed(range(self.layout.ndim)):
            self.layout.strides[axis] = stride
            stride *= self.layout.shape[axis]
        self.items = <double *>malloc((count or 1) * sizeof(double))
        if self.items is NULL:
            raise MemoryError
        for i in range(count):
            self.items[i] = values[i]
        self.layout.data = <const char *>self.items

    def __init__(self, numbers, *shape):
        if numbers is None:
            raise TypeError("Dense: found None, expected numbers")

    def __dealloc__(self):
        free(self.items)

    def every(self, Py_ssize_t step, Py_ssize_t axis=0):
        """A view of every step-th item along an axis; backwards if step is negative."""
        cdef Dense view = Dense.__new__(Dense, None)
        cdef Py_ssize_t length
        if step == 0 or not 0 <= axis < self.layout.ndim:
            raise ValueError(f"found step {step} of axis {axis}, expected a step and one of "
                             f"{self.layout.ndim} axes")
        view.owner = self
        view.layout = self.layout
        length = self.layout.shape[axis]
        step = max(-length - 1, min(step, length + 1))      # beyond that all are alike
        if step < 0 < length:
            view.layout.data += (length - 1) * self.layout.strides[axis]
        view.layout.strides[axis] *= step
        view.layout.shape[axis] = -(-length // abs(step))
        return view

    @property
    def T(self):
        """The same with its axes the other way round: a view, too."""
        cdef Dense view = Dense.__new__(Dense, None)
        cdef Py_ssize_t axis, last = self.layout.ndim - 1
        view.owner = self
        view.layout = self.layout
        for axis in range(last + 1):
            view.layout.shape[axis] = self.layout.shape[last - axis]
            view.layout.strides[axis] = self.layout.strides[last - axis]
        return view


# [computed.begin]
@customslots.slot(ARRAY_ID, pointer=&range_vtable)
cdef class Range(Array):
    """Range(start, step, count): start, start + step, ...; computed, with no memory behind it."""
    cdef double start, step

    def __init__(self, double start, double step, Py_ssize_t count):
        set_shape(self, (count,))
        self.start, self.step = start, step


cdef double range_get(PyObject *self, const Py_ssize_t *index) noexcept nogil:
    return (<Range>self).start + index[0] * (<Range>self).step

range_vtable = array_vtable(describe, range_get)
# [computed.end]


@customslots.slot(ARRAY_ID, pointer=&constant_vtable)
cdef class Constant(Array):
    """Constant(value, *shape): the same number everywhere."""
    cdef double value

    def __init__(self, double value, *shape):
        set_shape(self, shape)
        self.value = value


cdef double constant_get(PyObject *self, const Py_ssize_t *index) noexcept nogil:
    return (<Constant>self).value

constant_vtable = array_vtable(describe, constant_get)


cdef double dense_get(PyObject *self, const Py_ssize_t *index) noexcept nogil:
    cdef const array_layout *layout = &(<Dense>self).layout
    cdef const char *place = layout.data
    cdef Py_ssize_t axis
    for axis in range(layout.ndim):
        place += index[axis] * layout.strides[axis]
    return (<const double *>place)[0]

dense_vtable = array_vtable(describe, dense_get)
