# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""Metaclasses below one with objects.

What Cython gives them to set up and release fields is that of the metaclass above, or calls it.
"""
from cython_customslots.provider cimport extensibletype

cdef class Objects(extensibletype):
    cdef object thing
    cdef list items

cdef class Plain(Objects):                  # adds plain data
    cdef int extra

cdef class Same(Objects):                   # adds nothing
    pass

cdef class More(Objects):                   # an object of its own
    cdef object more

cdef class Far(More):
    cdef int extra
    cdef str far


def get(Objects cls):
    return cls.thing, cls.items

def set(Objects cls, thing, list items):
    cls.thing, cls.items = thing, items
