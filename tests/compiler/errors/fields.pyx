# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype
cdef class M(extensibletype):
    cdef const char *sentence
    cdef long counter
    cdef double (*func)(double) noexcept
@cs.metaclass(M, M)
cdef class A: pass
f = {}
@cs.metaclass(M, **f)
cdef class A2: pass
@cs.metaclass(M, counter=1, counter=2)
cdef class A3: pass
@cs.metaclass(M, number=1)
cdef class A4: pass
@cs.metaclass(M, etp_check=1)
cdef class A5: pass
@cs.metaclass(M, sentence=7)
cdef class A6: pass
cdef int wrong(int x) noexcept: return x
@cs.metaclass(M, func=wrong)
cdef class A7: pass
@cs.metaclass(M, sentence=str(5).encode())
cdef class A8: pass
@cs.metaclass(M, counter=nope)
cdef class A9: pass
number = 5
@cs.metaclass(M, counter=number)
cdef class A10: pass
cdef long number2 = 5
@cs.metaclass(M, counter=number2)
cdef class A11: pass
@cs.metaclass(M, counter=(y := 5))
cdef class A12: pass
numbers = 1, 2
@cs.metaclass(M, counter=len([x for x in numbers]))
cdef class A13: pass
cdef class N(extensibletype):
    cdef object call
@cs.metaclass(N, call=lambda x=number: x)
cdef class A14: pass
def f2(): return 1
@cs.metaclass(M, counter=f2())
cdef class A15: pass
cdef class N2(extensibletype):
    cdef int a[3]
@cs.metaclass(N2, a=[1,2,3])
cdef class A16: pass
@cs.metaclass(M, counter=1)
class C: pass
cdef class N3(extensibletype):
    cdef int x
@cs.metaclass(M)
cdef class B: pass
@cs.metaclass(N3)
cdef class A17(B): pass
cdef class N4(extensibletype):
    cdef dict __dict__
    cdef object __weakref__
    cdef object x
    def __dealloc__(self): pass
cdef class N7(extensibletype):
    cdef str label
@cs.metaclass(N7, label=5)
cdef class A18: pass
cdef extern from *:
    cdef cppclass Thing:
        Thing(int)
    cdef cppclass Thing2:
        Thing2()
from cython_customslots.typedmethod cimport PyTypedCallable
cdef class N11(extensibletype):
    cdef public void *address
    cdef Thing thing
    cdef Thing2 things[3]
    cdef PyTypedCallable held
    cdef int[:] view
    cdef int f(self): return 1
@cs.metaclass(M, counter=1)
cdef class A22(tuple): pass
@cs.metaclass(extensibletype, counter=1)
cdef class A23: pass
cdef class N17(extensibletype):
    cdef public int x
    property z:
        def __get__(self): return 1
@cs.metaclass(N17, z=2)
cdef class A24: pass
ctypedef fused F:
    int
    double
cdef class N18(extensibletype):
    cdef const int x
    cdef F y
@cs.metaclass(M, counter=None)
cdef class A26: pass
cdef double f3(double x): return x
@cs.metaclass(M, func=f3)
cdef class A27: pass
cdef int numbers2[3]
@cs.metaclass(M, counter=numbers2[1])
cdef class A29: pass
cdef class N21(extensibletype):
    cdef object numbers3
cdef int numbers3[3]
@cs.metaclass(N21, numbers3=numbers3)
cdef class A30: pass
cdef class N22(extensibletype):
    cdef object other
class P: pass
@cs.extensible
cdef class B3(object, P): pass
@cs.metaclass(N22, other=B3)
cdef class A32: pass
cimport libc.math
@cs.metaclass(M, counter=libc.math.nope)
cdef class A33: pass
@cs.metaclass(M, counter=(yield 5))
cdef class A34: pass
cdef class Meta(extensibletype):
    cdef public int level
    cdef readonly str name
@cs.metaclass(Meta)
cdef class A35:
    for level in (1, 2): pass
cdef class B4(A35):
    def name(self): pass
@cs.metaclass(Below)
cdef class C2:
    level = 3
cdef class Below(Meta): pass
@cs.extensible
cdef class Base:
    def __init_subclass__(cls, tag=None): pass
@cs.metaclass(M, counter=1, tag=5)
cdef class A36(Base): pass
@cs.metaclass(Meta, level=1)
cdef class A37:
    level = 2
cdef class B5(A37):
    level: int = 3
    level = 4
@cs.metaclass(Meta)
cdef class A38:
    level = 2
    def f(self, x=level): pass
level = 3
@cs.metaclass(Meta)
cdef class A39:
    level = number
cdef class B6(A39):
    own = 3
    level = own
cdef class C3(A39):
    level = 1.5
cdef class Sub(M):
    cdef long more
@cs.extensible
cdef class A40:
    def read(self): return (<M>type(self)).counter
@cs.metaclass(M)
cdef class B7:
    def read(self): return (<M>type(self)).counter, (<M?>type(self)).counter, (<Sub>type(self)).more
    def other(self, x): return (<M>type(x)).counter
def plain(A40 a not None, B7 b not None):
    cdef M cls = type(a)
    return cls.counter + (<M>type(b)).counter

_ERRORS = u"""
8:0: customslots.metaclass takes one metaclass and then fields by keyword, found 2 positional arguments
11:0: customslots.metaclass takes its arguments one by one, not from * or **
13:36: customslots.metaclass is given 'counter' twice
15:24: metaclass 'M' has no field 'number'; it has sentence, counter, func
17:27: metaclass 'M' has no field 'etp_check'; it has sentence, counter, func
19:26: Cannot assign type 'long' to 'const char *'
22:22: Cannot assign type 'int (int) noexcept' to 'double (*)(double) noexcept'
24:39: field 'sentence' would point into a Python object that is gone at once; use a literal or a C array
26:25: undeclared name not builtin: nope
29:25: field 'counter' is set before the module body runs, and 'number' gets its value there; use a literal, an address, a C function or an extern C value
32:25: field 'counter' is set before the module body runs, and 'number2' gets its value there; use a literal, an address, a C function or an extern C value
34:28: field 'counter' is set before the module body runs, where nothing can be assigned or awaited; write an expression without ':=', yield and await
37:41: field 'counter' is set before the module body runs, and 'numbers' gets its value there; use a literal, an address, a C function or an extern C value
41:31: field 'call' is set before the module body runs, and 'number' gets its value there; use a literal, an address, a C function or an extern C value
44:25: field 'counter' is set before the module body runs, and 'f2' is a Python function, which is made there; write 'cdef' in the place of its 'def'
48:20: field 'a' is an array, which a decorator cannot initialise; use a pointer to a C array
50:0: customslots.metaclass is for cdef classes, but stands on class 'C'; write 'cdef class'
56:14: metaclass conflict: 'N3' is wanted, but base 'B' has 'M', and neither derives from the other
59:14: field '__dict__' of metaclass 'N4' is not needed: classes have a __dict__ of their own; remove it
60:16: field '__weakref__' of metaclass 'N4' is not needed: classes have a __weakref__ of their own; remove it
62:4: metaclass 'N4' has a __dealloc__, which would not be called for every class that has it; its fields are released without it
65:24: Cannot assign type 'int object' to 'str object'
74:21: C attribute of type 'void *' cannot be accessed from Python
74:21: Cannot convert 'void *' to Python object
74:21: Cannot convert Python object to 'void *'
75:15: C++ class must have a nullary constructor to be stack allocated
76:22: field 'things' of metaclass 'N11' is a C array of C++ objects; use std::array or std::vector
77:25: field 'held' of metaclass 'N11' has a PyTypedCallable, which classes would inherit without a reference of their own; declare it 'object' and initialise a PyTypedCallable with it where it is used
78:16: field 'view' of metaclass 'N11' is a memoryview, which cannot be inherited by value; declare it 'object' and take the memoryview where it is used
79:4: metaclass 'N11' has the C method 'f': metaclasses have no vtable; write a C function that takes the class
81:15: inheritance from PyVarObject types like 'tuple' is not currently supported
82:38: metaclass 'extensibletype' has no field 'counter'; it has none
88:21: metaclass 'N17' has no field 'z'; it has x
94:19: field 'x' of metaclass 'N18' is const, and no class could set it; remove 'const'
95:4: Fused types not allowed here
96:25: Cannot assign None to long
99:22: Cannot assign type 'double (double) except? -1' to 'double (*)(double) noexcept'. Exception values are incompatible. Suggest adding 'noexcept' to the type of 'f3'.
102:25: field 'counter' is set before the module body runs, and 'numbers2' gets its value there; use a literal, an address, a C function or an extern C value
107:28: field 'numbers3' is set before the module body runs, and 'numbers3' gets its value there; use a literal, an address, a C function or an extern C value
114:25: field 'other' is set before the module body runs, and 'B3' gets its value there; use a literal, an address, a C function or an extern C value
117:34: cimported module has no attribute 'nope'
119:26: field 'counter' is set before the module body runs, where nothing can be assigned or awaited; write an expression without ':=', yield and await
126:8: 'level' in the body of 'A35' is a field of metaclass 'Meta', which only 'level = ...' below metaclass and base sets; write that, set it in customslots.metaclass, or choose another name
128:4: 'name' in the body of 'B4' is a field of metaclass 'Meta', which only 'name = ...' below metaclass and base sets; write that, set it in customslots.metaclass, or choose another name
131:4: 'level' in the body of 'C2' is a field of metaclass 'Below', which only 'level = ...' below metaclass and base sets; write that, set it in customslots.metaclass, or choose another name
136:32: metaclass 'M' has no field 'tag'; it has sentence, counter, func; __init_subclass__ of 'Base' gets keywords from Python classes alone: write 'tag = ...' into the body, where it finds cls.tag
140:12: field 'level' is given here and in customslots.metaclass; remove one of them
143:12: field 'level' is given twice in the body of 'B5'; remove one of them
147:18: 'level' in the body of 'A38' is a field of its metaclass, which the body cannot read; write its value
151:12: field 'level' is set before the module body runs, and 'number' gets its value there; use a literal, an address, a C function or an extern C value
154:12: field 'level' is set before the module body runs, and 'own' gets its value in the body of 'B6'; write the value itself
156:12: Cannot assign type 'double' to 'int'
161:28: 'A40' has no metaclass that is declared, so that its type may end before the fields of 'M': write 'cdef M cls = type(...)' or <M?>, which are checked, or give 'A40' that metaclass
164:79: 'B7' has the metaclass 'M', so that its type may end before the fields of 'Sub': write 'cdef Sub cls = type(...)' or <Sub?>, which are checked, or give 'B7' that metaclass
"""
