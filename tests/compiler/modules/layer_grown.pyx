# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""Providers without attributes of their instances, and classes below them that have some."""
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef class GrownType(extensibletype):
    cdef public int level

@customslots.metaclass(GrownType)
cdef class Root:
    pass

@customslots.metaclass(GrownType, level=1)
cdef class One(Root):
    def one(self):
        return (<GrownType>type(self)).level

@customslots.metaclass(GrownType, level=2)
cdef class Two(Root):
    def two(self):
        return -(<GrownType>type(self)).level

cdef class Before(One):
    cdef public list items
    cdef int size(self):
        return len(self.items)
    def __cinit__(self):
        self.items = []

cdef class Deeper(Before):
    cdef public object deeper
    cdef int size(self):
        return 100 + len(self.items)
    cdef int last(self):
        return self.size() + 1

def size_of(Before obj not None):
    return obj.size()

def last_of(Deeper obj not None):
    return obj.last()
