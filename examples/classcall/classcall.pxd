# SPDX-License-Identifier: MIT
from cython_customslots.provider cimport extensibletype


# [fields.begin]
cdef class ClasscallType(extensibletype):
    """What a class says about itself, looked up once and kept in its type object."""
    cdef public object classcall      # called in place of the class; None: nothing
    cdef object own_classcall         # the same, but not for subclasses
    cdef public object classcontains  # answers `x in cls`
    cdef public object classget       # answers `instance.cls`, as a method would
# [fields.end]
