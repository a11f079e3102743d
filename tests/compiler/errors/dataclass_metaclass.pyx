# SPDX-License-Identifier: MIT
from cython_customslots.provider cimport extensibletype
cimport cython
@cython.dataclasses.dataclass
cdef class N(extensibletype):
    x: int = 4

_ERRORS = u"""
4:0: metaclass 'N' cannot be a dataclass: its instances are classes, made by class statements
"""
