# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""Metaclasses below one with objects, in plain Cython.

What Cython gives them to set up and release fields is that of the metaclass above, or calls it.
Some are registered, others nobody thought of.
"""
from cython_customslots.provider cimport extensibletype, inherit_fields

cdef class Objects(extensibletype):
    cdef object thing
    cdef list items

inherit_fields(Objects)

cdef class Registered(Objects):             # adds plain data
    cdef int extra

inherit_fields(Registered)

cdef class Same(Objects):                   # adds nothing
    pass

cdef class More(Objects):                   # an object of its own
    cdef object more

cdef class Far(More):
    cdef int extra
    cdef str far

cdef class Releasing(Objects):
    def __dealloc__(self):
        released.append(self.__name__)

inherit_fields(Releasing)

released = []

cdef class Unknown(extensibletype):         # not registered, and above it nobody is
    cdef object own


def get(Objects cls):
    return cls.thing, cls.items

def set(Objects cls, thing, list items):
    cls.thing, cls.items = thing, items

def get_more(More cls):
    return cls.more

def set_more(More cls, value):
    cls.more = value

def get_far(Far cls):
    return cls.far, cls.extra

def get_own(Unknown cls):
    return cls.own

def set_own(Unknown cls, value):
    cls.own = value
