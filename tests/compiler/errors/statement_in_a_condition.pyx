# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
if True:
    @cs.extensible
    cdef class A: pass

_ERRORS = u"""
5:9: cdef statement not allowed here
"""
