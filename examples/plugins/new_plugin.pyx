# cython: language_level=3
"""Plug-ins that were compiled for today's."""
from plugin_new cimport Plugin


cdef class Reverse(Plugin):
    cpdef str apply(self, str text):
        return text[::-1]

    cdef int cost(self) noexcept:
        return 2


cdef class Nothing(Plugin):
    cpdef str apply(self, str text):
        return text

    cdef int cost(self) noexcept:
        return 0
