# SPDX-License-Identifier: MIT
"""Wrong uses in the bodies of classes: values of fields, callables, the class of an object."""

#: Behind the header of error_cases.
BODIES = {
    "fields of the metaclass in the body of a class, but not as values": ("""\
from cython_customslots.provider cimport extensibletype
cdef class Meta(extensibletype):
    cdef public int level
    cdef readonly str name
@cs.metaclass(Meta)
cdef class A:
    for level in (1, 2): pass
cdef class B(A):
    def name(self): pass
@cs.metaclass(Below)
cdef class C:
    level = 3
cdef class Below(Meta): pass
""", [
        (7, 8,
         "'level' in the body of 'A' is a field of metaclass 'Meta', which only 'level = ...' below metaclass and base "
         "sets; write that, set it in customslots.metaclass, or choose another name"),
        (9, 4,
         "'name' in the body of 'B' is a field of metaclass 'Meta', which only 'name = ...' below metaclass and base "
         "sets; write that, set it in customslots.metaclass, or choose another name"),
        (12, 4,
         "'level' in the body of 'C' is a field of metaclass 'Below', which only 'level = ...' below metaclass and "
         "base sets; write that, set it in customslots.metaclass, or choose another name"),
    ]),
    "a keyword of __init_subclass__ for a cdef class": ("""\
@cs.extensible
cdef class Base:
    def __init_subclass__(cls, tag=None): pass
@cs.metaclass(M, counter=1, tag=5)
cdef class A(Base): pass
""", [
        (4, 32,
         "metaclass 'M' has no field 'tag'; it has sentence, counter, func; __init_subclass__ of 'Base' gets keywords "
         "from Python classes alone: write 'tag = ...' into the body, where it finds cls.tag"),
    ]),
    "callable where it cannot stand": ("""\
@cs.callable
cdef class A: pass
@cs.callable
cdef int f(): return 1
cdef class B:
    @cs.callable
    cdef int first(self): return 1
    @cs.callable
    cdef int second(self): return 2
cdef class C:
    @cs.callable()
    cdef int called(self): return 1
""", [
        (1, 0,
         "customslots.callable is for a C method of a class, but stands on the class; write it above the method"),
        (3, 0,
         "customslots.callable is for the C methods of cdef classes that are written with 'cdef', but stands on "
         "function 'f'"),
        (8, 4,
         "customslots.callable stands on two methods of 'B', whose objects can be called in one way; remove one of "
         "them"),
        (11, 4, "customslots.callable takes no arguments; write it without parentheses"),
    ]),
    "callable on methods that no signature can express": ("""\
cdef struct S:
    int x
cdef class A:
    @cs.callable
    cdef double sum(self, double[:] x): return x[0]
cdef class B:
    @cs.callable
    cdef double far(self, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k): return a
""", [
        (4, 4, "'sum' cannot be what calls of 'A' objects run: a subclass may override it, and keep the memoryview; "
               "make the class final"),
        (7, 4, "'far' cannot be what calls of 'B' objects run: it has more than 10 arguments"),
    ]),
    "a field that is given twice": ("""\
from cython_customslots.provider cimport extensibletype
cdef class Meta(extensibletype):
    cdef public int level
@cs.metaclass(Meta, level=1)
cdef class A:
    level = 2
cdef class B(A):
    level: int = 3
    level = 4
""", [
        (6, 12, "field 'level' is given here and in customslots.metaclass; remove one of them"),
        (9, 12, "field 'level' is given twice in the body of 'B'; remove one of them"),
    ]),
    "a value of a field that is read in the body": ("""\
from cython_customslots.provider cimport extensibletype
cdef class Meta(extensibletype):
    cdef public int level
@cs.metaclass(Meta)
cdef class A:
    level = 2
    def f(self, x=level): pass
level = 3
""", [
        (7, 18, "'level' in the body of 'A' is a field of its metaclass, which the body cannot read; write its value"),
    ]),
    "values in the body of a class that need the body": ("""\
from cython_customslots.provider cimport extensibletype
cdef class Meta(extensibletype):
    cdef public int level
number = 5
@cs.metaclass(Meta)
cdef class A:
    level = number
cdef class B(A):
    own = 3
    level = own
cdef class C(A):
    level = 1.5
""", [
        (10, 12,
         "field 'level' is set before the module body runs, and 'own' gets its value in the body of 'B'; write the "
         "value itself"),
        (7, 12,
         "field 'level' is set before the module body runs, and 'number' gets its value there; use a literal, an "
         "address, a C function or an extern C value"),
        (12, 12, "Cannot assign type 'double' to 'int'"),
    ]),
    "a class taken for an instance of a metaclass that it need not have": ("""\
cdef class Sub(M):
    cdef long more
@cs.extensible
cdef class A:
    def read(self): return (<M>type(self)).counter
@cs.metaclass(M)
cdef class B:
    def read(self): return (<M>type(self)).counter, (<M?>type(self)).counter, (<Sub>type(self)).more
    def other(self, x): return (<M>type(x)).counter
def plain(A a not None, B b not None):
    cdef M cls = type(a)
    return cls.counter + (<M>type(b)).counter
""", [
        (5, 28,
         "'A' has no metaclass that is declared, so that its type may end before the fields of 'M': write "
         "'cdef M cls = type(...)' or <M?>, which are checked, or give 'A' that metaclass"),
        (8, 79,
         "'B' has the metaclass 'M', so that its type may end before the fields of 'Sub': write "
         "'cdef Sub cls = type(...)' or <Sub?>, which are checked, or give 'B' that metaclass"),
    ]),
}
