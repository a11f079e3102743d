# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype

cdef class PluginType(extensibletype):
    cdef public int priority
    cdef public object label
    cdef const char *path

@cs.metaclass(PluginType, priority=10, label="plugin", path="/plugins")
cdef class Plugin:
    cpdef double weigh(self, double x):
        return 2 * x
