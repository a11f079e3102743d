# SPDX-License-Identifier: MIT
# distutils: language = c++
cimport cython_customslots as cs
from libcpp.vector cimport vector
@cs.interface(b"tests.Cpp")
cdef class Cpp:
    cdef int by_value(self, vector[int] x)
    cdef int by_reference(self, vector[int] &x)
    cdef int raises(self) except +

_ERRORS = u"""
7:21: argument 'x' of method 'by_value' of an interface cannot be a C++ object, 'vector[int]': pass a pointer
8:25: argument 'x' of method 'by_reference' of an interface cannot be a C++ reference, 'vector[int] &': pass a pointer
9:19: method 'raises' of an interface cannot be 'except +': C++ exceptions do not cross libraries; catch them in the method and raise
"""
