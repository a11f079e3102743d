# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype
cdef class M(extensibletype):
    cdef const char *sentence
    cdef long counter
    cdef double (*func)(double) noexcept
@cs.nosuch
cdef class A: pass
@cs.extensible()
cdef class A2: pass
from abc import ABCMeta
@cs.extensible(ABCMeta)
cdef class A3: pass
@cs.extensible
def f(): pass
@cs.extensible
class C: pass
@cs.extensible
cdef int f2(): pass
cdef class A4:
    @cs.extensible
    def f(self): pass
@cs.extensible
cdef class N(type): pass
@print
@cs.extensible
cdef class A5: pass
@register
cdef class Plain: pass
@cs.extensible
@cs.extensible
cdef class A6: pass
@cs.extensible
cdef int x
@cs.slot(5, flags=1)
async def f4(): pass
cdef class A8:
    @cs.slot(5, flags=1)
    cpdef int f(self): return 1
@cs.PyCustomSlots_ID(1, 2, 0)
cdef class A9: pass
@cs
cdef class A10: pass
@cs.extensible
cdef class A11
class P: pass
@cs.extensible
cdef class A12(P): pass
cimport cython
@cython.final
@cs.extensible
cdef class B: pass
cdef class A13(B): pass
@cs.callable
cdef class A14: pass
@cs.callable
cdef int f5(): return 1
cdef class B2:
    @cs.callable
    cdef int first(self): return 1
    @cs.callable
    cdef int second(self): return 2
cdef class C2:
    @cs.callable()
    cdef int called(self): return 1
@cs.slot(5, flags=1)
cdef public class Named [object NamedObject, type NamedType]: pass
@cs.extensible
cdef class C3: pass
cdef api class D(C3) [object DObject, type DType]: pass

_ERRORS = u"""
8:0: customslots has no decorator 'nosuch'; there are array, borrow_views, callable, extensible, implements, interface, metaclass, slot, typed
10:0: customslots.extensible takes nothing but metaclass=..., for a metaclass that is a Python class; without that, write it without parentheses
13:0: customslots.extensible takes nothing but metaclass=..., for a metaclass that is a Python class; without that, write it without parentheses
15:0: customslots.extensible is for cdef classes, but stands on function 'f'
17:0: customslots.extensible is for cdef classes, but stands on class 'C'; write 'cdef class'
19:0: customslots.extensible is for cdef classes, but stands on function 'f2'
22:4: Calling non-function type 'int'
22:4: customslots.extensible is for cdef classes, but stands on method 'f'
24:0: 'N' is a metaclass, which cannot be extensible itself; decorate the classes that have it
26:0: decorator 'print' does not return the class, and nothing can take the place of cdef class 'A5'; call it in a line of its own
29:0: Cdef functions/classes cannot take arbitrary decorators.
32:0: customslots.extensible is given twice; remove one of them
34:0: customslots.extensible is for cdef classes, but stands on a C declaration; write it where the function or class is defined
36:0: customslots.slot is for cdef classes, but stands on function 'f4'
39:4: customslots.slot is for cdef classes, but stands on function 'f'
41:0: customslots has no decorator 'PyCustomSlots_ID'; there are array, borrow_views, callable, extensible, implements, interface, metaclass, slot, typed
43:0: Cdef functions/classes cannot take arbitrary decorators.
45:0: C class 'A11' is declared but not defined
49:15: First base of 'A12' is not an extension type
54:15: Base class 'B' of type 'A13' is final
55:0: customslots.callable is for a C method of a class, but stands on the class; write it above the method
57:0: customslots.callable is for the C methods of cdef classes that are written with 'cdef', but stands on function 'f5'
62:4: customslots.callable stands on two methods of 'B2', whose objects can be called in one way; remove one of them
65:4: customslots.callable takes no arguments; write it without parentheses
67:0: class 'Named' cannot be extensible: it has the name 'NamedType' in C, and C code takes that for a PyTypeObject, which is shorter; take 'public' and 'api' away, or decorate a class that derives from it
71:0: class 'D' cannot be extensible, as its base 'C3' is: it has the name 'DType' in C, and C code takes that for a PyTypeObject, which is shorter; take 'public' and 'api' away, or decorate a class that derives from it
"""
