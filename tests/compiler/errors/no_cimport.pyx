# SPDX-License-Identifier: MIT
import cython_customslots
@cython_customslots.extensible
cdef class A: pass
from cython_customslots import slot
@slot(5, flags=1)
cdef class A2: pass
from cython_customslots cimport metaclass
from nowhere cimport X
@metaclass(X)
cdef class A3: pass

_ERRORS = u"""
3:0: 'cython_customslots' is imported, and the compiler knows only what is cimported: write 'cimport cython_customslots', or 'import cython.cimports.cython_customslots' in pure-Python mode
6:0: 'slot' is imported, and the compiler knows only what is cimported: write 'cimport cython_customslots', or 'import cython.cimports.cython_customslots' in pure-Python mode
9:0: 'nowhere.pxd' not found
9:0: 'nowhere/X.pxd' not found
10:11: customslots.metaclass takes an extension type that derives from extensibletype, found an expression that is not a type
"""
