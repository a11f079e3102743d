# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""The same with a C++ object, which only the compiler layer can describe."""
from libcpp.string cimport string
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef class Strings(extensibletype):
    cdef public string text

cdef class Plain(Strings):
    cdef public int extra

cdef class Same(Strings):
    pass

@customslots.metaclass(Plain, text=b"long enough to be on the heap, wherever", extra=3)
cdef class Provider:
    pass
