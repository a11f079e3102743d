# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
from cython_customslots cimport PyCustomSlot, PyCustomSlots_FindType
from libc.stdint cimport uintptr_t

def find(cls, uintptr_t number, Py_ssize_t position):
    cdef PyCustomSlot *slot = PyCustomSlots_FindType(<type>cls, number, position)
    return <uintptr_t>slot.data.pointer if slot is not NULL else None
