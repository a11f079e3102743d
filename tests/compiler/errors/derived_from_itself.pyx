# SPDX-License-Identifier: MIT
cdef class A(A): pass

_ERRORS = u"""
2:0: cdef class 'A' derives from itself
"""
