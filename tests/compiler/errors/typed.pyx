# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
@cs.typed("x")
cpdef int f(): return 1
@cs.typed(nope)
cpdef int f2(): return 1
@cs.typed(0)
cdef class A: pass
@cs.typed(None)
cdef class A2: pass
@cs.typed(len('a'))
cdef class A3: pass
@cs.typed(enabled=False)
cpdef int f3(): return 1
@cs.typed(True, False)
cpdef int f4(): return 1
@cs.typed(*(True,))
cpdef int f5(): return 1
@cs.typed(True)
@cs.typed(False)
cpdef int f6(): return 1
@cs.typed(False)
cdef int f7(): return 1
@cs.typed(False)
def f8(): pass
cdef class A6:
    @cs.typed(False)
    def f(self): pass
@cs.typed(False)
class C: pass
@cs.typed(False)
cdef extern class somewhere.A7 [object AO]: pass
@cs.borrow_views
cdef int f11(int[:] x): return 1
cdef class A9:
    @cs.borrow_views
    def f(self, int[:] x): pass
@cs.borrow_views
class C2: pass
@cs.borrow_views
cdef extern class somewhere.A10 [object AO]: pass
@cs.extensible
cpdef int f12(): return 1
def other(f13): return f13
@other
cpdef int f13(): return 1
def other2(f14): return f14
@cs.typed(True)
@other2
@other2
cpdef int f14(): return 1
def other3(f): return f
cdef class A11:
    @staticmethod
    @other3
    cdef int f(): return 1
def other4(f): return f
cdef class A12:
    @staticmethod
    @staticmethod
    @other4
    cdef int f(): return 1

_ERRORS = u"""
3:10: customslots.typed takes True or False, found 'x'
5:10: customslots.typed takes True or False, found 'nope'
7:10: customslots.typed takes True or False, found '0'
9:10: customslots.typed takes True or False, found None
11:13: customslots.typed takes True or False, found an expression
13:0: customslots.typed takes nothing but True or False
15:0: customslots.typed takes nothing but True or False
17:0: customslots.typed takes nothing but True or False
20:0: customslots.typed is given twice; remove one of them
22:0: customslots.typed is for cpdef functions, but stands on cdef function 'f7', which Python does not see; write 'cpdef', or remove the decorator
24:0: customslots.typed is for cdef classes and cpdef functions, but stands on function 'f8'
27:4: customslots.typed is for cdef classes and cpdef functions, but stands on method 'f'
27:13: Calling non-function type 'int'
29:0: customslots.typed is for cdef classes and cpdef functions, but stands on class 'C'; write 'cdef class'
31:0: 'A7' is declared extern: only the module that defines a class gives its methods typed records
33:0: customslots.borrow_views is for cpdef functions, but stands on cdef function 'f11', which Python does not see; write 'cpdef', or remove the decorator
36:4: Calling non-function type 'int'
36:4: customslots.borrow_views is for cdef classes, cpdef functions, and def functions that are in no cdef class, but stands on method 'f'
38:0: customslots.borrow_views is for cdef classes, cpdef functions, and def functions that are in no cdef class, but stands on class 'C2'; write 'cdef class'
40:0: 'A10' is declared extern: only the module that defines a class compiles its methods
42:0: customslots.extensible is for cdef classes, but stands on function 'f12'
45:0: Cdef functions cannot take arbitrary decorators.
49:0: Cdef functions cannot take arbitrary decorators.
54:4: Cdef functions cannot take arbitrary decorators.
59:4: Cdef functions cannot take arbitrary decorators.
"""
