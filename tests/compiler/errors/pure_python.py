# SPDX-License-Identifier: MIT
import cython
import cython.cimports.cython_customslots as cs
from cython.cimports.cython_customslots.provider import extensibletype

@cython.cclass
class M(extensibletype):
    counter = cython.declare(cython.long)

@cs.extensible
@cython.cfunc
def f(): pass

@cs.extensible
class A: pass

@cs.metaclass(M, nope=1)
@cython.cclass
class B: pass

@cs.interface(b"tests.Shape")
@cython.final
@cython.cclass
class Shape:
    @cython.cfunc
    def area(self) -> cython.double: ...


_ERRORS = """
10:0: customslots.extensible is for cdef classes, but stands on function 'f'
14:0: customslots.extensible is for cdef classes, but stands on class 'A'; write 'cdef class'
17:22: metaclass 'M' has no field 'nope'; it has counter
22:0: cython.final makes no sense for interface 'Shape', which has no objects of its own; decorate the classes that implement it
"""
