# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""The consumer: adds up functions it has never heard of.

Nothing is imported here at run time, neither the providers nor cython_customslots;
plain Cython compiles it, too.
"""
cimport cython_customslots as customslots
from cpython.object cimport PyObject
from libc.stdint cimport uintptr_t

cdef extern from "double_function.h":
    const char *DOUBLE_FUNCTION
    const Py_ssize_t DOUBLE_FUNCTION_POSITION
    ctypedef double (*double_function)(PyObject *self, double x) noexcept nogil

cdef extern from "Python.h":
    PyObject *PyTuple_GET_ITEM(PyObject *items, Py_ssize_t index) nogil

cdef uintptr_t double_function_id = customslots.PyCustomSlots_Intern(DOUBLE_FUNCTION)


def sum_at(functions, double x):
    """The sum of f(x) over `functions`, and how each of them was reached.

    Returns (total, {"slot": how many were called through their C slot,
    "python": how many could only be called the Python way,
    "skipped": how many are not functions at all}).
    """
    # The tuple keeps every object alive while the GIL is not held.
    cdef tuple items = tuple(functions)
    cdef PyObject *raw = <PyObject *>items
    cdef Py_ssize_t i, count = len(items), by_slot = 0
    cdef double total = 0.0
    cdef PyObject *item
    cdef const customslots.PyCustomSlot *slot

    with nogil:
        for i in range(count):
            item = PyTuple_GET_ITEM(raw, i)
            slot = customslots.PyCustomSlots_FindPtr(
                item, double_function_id, DOUBLE_FUNCTION_POSITION)
            if slot is not NULL:
                total += (<double_function>slot.data.pointer)(item, x)
                by_slot += 1

    # What has no slot is not lost: Python still knows how to call it.
    by_python = skipped = 0
    if by_slot < count:
        for function in items:
            if customslots.PyCustomSlots_Find(
                    function, double_function_id, DOUBLE_FUNCTION_POSITION) is not NULL:
                continue
            if callable(function):
                total += <double>function(x)
                by_python += 1
            else:
                skipped += 1
    return total, {"slot": by_slot, "python": by_python, "skipped": skipped}
