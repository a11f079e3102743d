# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
cdef extern from *:
    @cs.extensible
    ctypedef class somewhere.A [object AO]: pass

_ERRORS = u"""
5:4: Decorators can only be followed by functions or classes
"""
