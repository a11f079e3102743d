# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
@cs.extensible
cdef struct S:
    int x

_ERRORS = u"""
6:0: Decorators can only be followed by functions or classes
"""
