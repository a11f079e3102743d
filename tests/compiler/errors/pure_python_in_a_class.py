# SPDX-License-Identifier: MIT
import cython
import cython.cimports.cython_customslots as cs

@cython.cclass
class D:
    @cs.extensible
    @cython.cclass
    class E: pass


_ERRORS = """
9:4: cdef class 'E' is not at the top level of the module; move it there
"""
