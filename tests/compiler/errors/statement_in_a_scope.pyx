# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
def f():
    @cs.extensible
    cdef class A: pass
cdef class A:
    @cs.extensible
    cdef class B: pass

_ERRORS = u"""
4:4: Extension type definition not allowed here
7:4: Extension type definition not allowed here
"""
