# SPDX-License-Identifier: MIT
import cython
import cython.cimports.cython_customslots as cs

def g():
    @cs.extensible
    @cython.cclass
    class C: pass


_ERRORS = """
8:4: cdef class 'C' is not at the top level of the module; move it there
"""
