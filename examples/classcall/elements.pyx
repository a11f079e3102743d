# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""cdef classes whose metaclass has C fields: what a computer algebra system is made of."""
cimport cython_customslots as customslots
from classcall cimport ClasscallType


# [element.begin]
@customslots.metaclass(ClasscallType)
cdef class Element:
    """Something that has a parent."""
    cdef readonly object parent

    def __init__(self, parent):
        self.parent = parent

    def __repr__(self):
        return f"{type(self).__name__} of {self.parent}"


@customslots.metaclass(ClasscallType)
cdef class Number(Element):
    """`7 in Number` is true of all numbers, not only of instances."""
# [element.end]
    cdef readonly long value

    def __init__(self, parent, long value):
        Element.__init__(self, parent)
        self.value = value

    def __repr__(self):
        return f"{self.value} in {self.parent}"


# An object that exists only now, so it is no value for the decorator.
# [late.begin]
def number_contains(cls, x):
    return isinstance(x, (cls, int))

(<ClasscallType>Number).classcontains = number_contains
# [late.end]
