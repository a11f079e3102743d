# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
ctypedef struct S:
    int x
@cs.typed(True)
cpdef int f(S s): return s.x
@cs.typed(True)
cpdef int[:] f2(int x): return None
@cs.typed(True)
cpdef int f3(int[:, ::1] view): return view[0, 0]
@cs.typed(True)
cpdef int f4(bint[::1] view): return view[0]
@cs.typed(True)
cpdef int f5(object[:] view): return 1
from cython cimport view as v
@cs.typed(True)
cpdef int f6(int[::v.indirect] view): return 1
@cs.typed(True)
cpdef int f7(int[:] view):
    print(view)
    return 1
@cs.typed(True)
cpdef int f8(int[:] view): return (<int (*)(int[:])> NULL)(view)
@cs.typed(True)
cpdef (int, int) f9(int x): return (x, x)
cdef struct S2:
    int x
cdef class A:
    @cs.callable
    cdef double sum(self, double[:] x): return x[0]
cdef class B:
    @cs.callable
    cdef double far(self, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k): return a

_ERRORS = u"""
5:0: 'f' cannot have a typed record: argument 's' is a struct by value
7:0: 'f2' cannot have a typed record: its result is a memoryview
9:0: 'f3' cannot have a typed record: argument 'view' is a memoryview of 2 dimensions, not of one
11:0: 'f4' cannot have a typed record: argument 'view' is a memoryview that is lent for the call, and its items are of type 'bint'
13:0: 'f5' cannot have a typed record: argument 'view' is a memoryview that is lent for the call, and its items are of type 'Python object'
16:0: 'f6' cannot have a typed record: argument 'view' is a memoryview that is lent for the call, and its items may be reached by pointers
18:0: 'f7' cannot have a typed record: argument 'view' is a memoryview that is lent for the call, and it is made a Python object, in line 20
22:0: 'f8' cannot have a typed record: argument 'view' is a memoryview that is lent for the call, and it is passed to a function that is not known, in line 23
24:0: 'f9' cannot have a typed record: its result is a C tuple
29:4: 'sum' cannot be what calls of 'A' objects run: a subclass may override it, and keep the memoryview; make the class final
32:4: 'far' cannot be what calls of 'B' objects run: it has more than 10 arguments
"""
