# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype
cdef class M(extensibletype):
    cdef const char *sentence
    cdef long counter
    cdef double (*func)(double) noexcept
class Python(type): pass
@cs.extensible(metaclass=Python)
cdef class A: pass
@cs.extensible(metaclass=ABCMeta)
cdef class A2: pass
from abc import ABCMeta
ABCMeta = None
@cs.extensible(metaclass=ABCMeta)
cdef class A3: pass
import abc
@cs.extensible(metaclass=abc)
cdef class A4: pass
@cs.extensible(metaclass=abc.get())
cdef class A5: pass
@cs.extensible(metaclass=M)
cdef class A6: pass
@cs.metaclass
cdef class A7: pass
@cs.metaclass(M)
@cs.metaclass(M)
cdef class A9: pass
cdef class B: pass
@cs.metaclass(B)
cdef class A10: pass
@cs.metaclass(type)
cdef class A11: pass
@cs.metaclass(Nope)
cdef class A12: pass
@cs.extensible
cdef class N(M): pass
cdef class N2(extensibletype):
    def __cinit__(self): pass
@cs.metaclass(M)
cpdef int f(): return 1
@cs.metaclass(M)
cdef class A13
@cs.metaclass(M)
cdef class A13: pass
@cs.metaclass(A14)
cdef class A14: pass
@cs.metaclass(B2)
cdef class A15(extensibletype): pass
@cs.metaclass(A15)
cdef class B2(extensibletype): pass
cdef extern class somewhere.X [object XO]:
    pass
@cs.metaclass(X)
cdef class A16: pass
cdef struct S:
    int x
@cs.metaclass(S)
cdef class A18: pass
@cs.metaclass(5)
cdef class A20: pass
cdef class N3
@cs.metaclass(N3)
cdef class A23: pass

_ERRORS = u"""
9:25: the class is made before the module body runs, so its metaclass must be found from an import statement above it, the only binding of its name: 'from abc import ABCMeta' and 'ABCMeta', or 'import abc' and 'abc.ABCMeta'
11:25: the class is made before the module body runs, so its metaclass must be found from an import statement above it, the only binding of its name: 'from abc import ABCMeta' and 'ABCMeta', or 'import abc' and 'abc.ABCMeta'
15:25: the class is made before the module body runs, so its metaclass must be found from an import statement above it, the only binding of its name: 'from abc import ABCMeta' and 'ABCMeta', or 'import abc' and 'abc.ABCMeta'
18:25: the class is made before the module body runs, so its metaclass must be found from an import statement above it, the only binding of its name: 'from abc import ABCMeta' and 'ABCMeta', or 'import abc' and 'abc.ABCMeta'
20:32: the class is made before the module body runs, so its metaclass must be found from an import statement above it, the only binding of its name: 'from abc import ABCMeta' and 'ABCMeta', or 'import abc' and 'abc.ABCMeta'
22:25: 'M' is a cdef class; write customslots.metaclass(M)
24:0: customslots.metaclass takes one metaclass and then fields by keyword, found 0 positional arguments
27:0: customslots.metaclass is given twice; a class has one metaclass
30:14: customslots.metaclass takes an extension type that derives from extensibletype, found 'B'
32:14: customslots.metaclass takes an extension type that derives from extensibletype, found 'type object'
34:14: customslots.metaclass takes an extension type that derives from extensibletype, found an expression that is not a type
36:0: 'N' is a metaclass, which cannot be extensible itself; decorate the classes that have it
39:4: metaclass 'N2' has a __cinit__, which would not be called for every class that has it; set fields in the decorator
40:0: customslots.metaclass is for cdef classes, but stands on function 'f'
44:14: customslots.metaclass is given here and in line 42; remove one of them
46:14: customslots.metaclass takes an extension type that derives from extensibletype, found 'A14'
48:0: 'A15' is a metaclass, which cannot be extensible itself; decorate the classes that have it
50:0: 'B2' is a metaclass, which cannot be extensible itself; decorate the classes that have it
54:14: customslots.metaclass takes an extension type that derives from extensibletype, found 'X'
58:14: customslots.metaclass takes an extension type that derives from extensibletype, found 'S'
60:14: customslots.metaclass takes an extension type that derives from extensibletype, found an expression that is not a type
62:0: C class 'N3' is declared but not defined
63:14: customslots.metaclass takes an extension type that derives from extensibletype, found 'N3'
"""
