# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""Several providers of one metaclass, with and without attributes of their instances."""
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef class SiblingType(extensibletype):
    cdef public int level
    cdef public object thing
    cdef public list items

cdef int number(object anything) except? -1:
    return 5

@customslots.metaclass(SiblingType, level=number(None), thing={"a": 1}, items=[1, 2])
cdef class First:
    def seen(self):
        cls = <SiblingType>type(self)
        return cls.level, cls.thing, cls.items

@customslots.metaclass(SiblingType)
cdef class Second:
    def seen_too(self):
        cls = <SiblingType>type(self)
        return cls.level, cls.thing, cls.items

cdef class Below(Second): pass

@customslots.metaclass(SiblingType, level=9)
cdef class Attributed:
    cdef public object attribute

@customslots.metaclass(SiblingType, level=10)
cdef class Left(First): pass

@customslots.metaclass(SiblingType, level=11)
cdef class Right(First): pass

@customslots.metaclass(SiblingType, level=12)
cdef class Failing(Exception): pass

@customslots.metaclass(SiblingType, level=13)
cdef class Failure(Failing): pass

@customslots.metaclass(SiblingType, level=14)
cdef class Trouble(Failing): pass
