# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# An interface for which nothing is registered, until a test does that.
cimport cython_customslots as customslots

@customslots.interface(b"tests.Late")
cdef class Late:
    cdef int number(self) noexcept nogil

cdef class Early(Late):
    cdef int number(self) noexcept nogil:
        return 5

def is_late(obj):
    return isinstance(obj, Late)

def seen(list objects):
    """How many of them are of the interface, asked in one go."""
    cdef int count = 0
    for obj in objects:
        count += isinstance(obj, Late)
    return count

def number(Late obj):
    return obj.number()
