# SPDX-License-Identifier: MIT
"""Wrong uses of the decorators, and what the compiler says: (line, column, text)."""

# [header.begin]
HEADER = """\
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype
cdef class M(extensibletype):
    cdef const char *sentence
    cdef long counter
    cdef double (*func)(double) noexcept
"""
# [header.end]

NOT_IMPORTED = (
    "the class is made before the module body runs, so its metaclass must be found from an "
    "import statement above it, the only binding of its name: 'from abc import ABCMeta' and "
    "'ABCMeta', or 'import abc' and 'abc.ABCMeta'")

#: {what is wrong: (source behind the header, [(line in it, column, text)])}
CASES = {
    "unknown decorator": ("""\
@cs.nosuch
cdef class A: pass
""", [
        (1, 0,
         "customslots has no decorator 'nosuch'; there are array, borrow_views, callable, extensible, "
         "implements, interface, metaclass, slot, typed"),
    ]),
    "extensible with arguments": ("""\
@cs.extensible()
cdef class A: pass
""", [
        (1, 0,
         "customslots.extensible takes nothing but metaclass=..., for a metaclass that is a "
         "Python class; without that, write it without parentheses"),
    ]),
    "extensible with something else": ("""\
from abc import ABCMeta
@cs.extensible(ABCMeta)
cdef class A: pass
""", [
        (2, 0,
         "customslots.extensible takes nothing but metaclass=..., for a metaclass that is a "
         "Python class; without that, write it without parentheses"),
    ]),
    "a Python metaclass that is not imported": ("""\
class Python(type): pass
@cs.extensible(metaclass=Python)
cdef class A: pass
""", [(2, 25, NOT_IMPORTED)]),
    "a Python metaclass that is imported below": ("""\
@cs.extensible(metaclass=ABCMeta)
cdef class A: pass
from abc import ABCMeta
""", [(1, 25, NOT_IMPORTED)]),
    "a Python metaclass with two bindings": ("""\
from abc import ABCMeta
ABCMeta = None
@cs.extensible(metaclass=ABCMeta)
cdef class A: pass
""", [(3, 25, NOT_IMPORTED)]),
    "a module in place of a Python metaclass": ("""\
import abc
@cs.extensible(metaclass=abc)
cdef class A: pass
""", [(2, 25, NOT_IMPORTED)]),
    "a call in place of a Python metaclass": ("""\
import abc
@cs.extensible(metaclass=abc.get())
cdef class A: pass
""", [(2, 32, NOT_IMPORTED)]),
    "a cdef metaclass in place of a Python one": ("""\
@cs.extensible(metaclass=M)
cdef class A: pass
""", [
        (1, 25, "'M' is a cdef class; write customslots.metaclass(M)"),
    ]),
    "metaclass without parentheses": ("""\
@cs.metaclass
cdef class A: pass
""", [
        (1, 0,
         "customslots.metaclass takes one metaclass and then fields by keyword, found "
         "0 positional arguments"),
    ]),
    "metaclass without a metaclass": ("""\
@cs.metaclass(counter=1)
cdef class A: pass
""", [
        (1, 0,
         "customslots.metaclass takes one metaclass and then fields by keyword, found "
         "0 positional arguments"),
    ]),
    "two metaclasses": ("""\
@cs.metaclass(M, M)
cdef class A: pass
""", [
        (1, 0,
         "customslots.metaclass takes one metaclass and then fields by keyword, found "
         "2 positional arguments"),
    ]),
    "metaclass given twice": ("""\
@cs.metaclass(M)
@cs.metaclass(M)
cdef class A: pass
""", [
        (2, 0, "customslots.metaclass is given twice; a class has one metaclass"),
    ]),
    "keywords from a dictionary": ("""\
f = {}
@cs.metaclass(M, **f)
cdef class A: pass
""", [
        (2, 0, "customslots.metaclass takes its arguments one by one, not from * or **"),
    ]),
    "a field twice": ("""\
@cs.metaclass(M, counter=1, counter=2)
cdef class A: pass
""", [
        (1, 36, "customslots.metaclass is given 'counter' twice"),
    ]),
    "a metaclass that is a plain class": ("""\
cdef class B: pass
@cs.metaclass(B)
cdef class A: pass
""", [
        (2, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found 'B'"),
    ]),
    "a metaclass that is type itself": ("""\
@cs.metaclass(type)
cdef class A: pass
""", [
        (1, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found 'type object'"),
    ]),
    "a metaclass that does not exist": ("""\
@cs.metaclass(Nope)
cdef class A: pass
""", [
        (1, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found an expression that is not a type"),
    ]),
    "an unknown field": ("""\
@cs.metaclass(M, number=1)
cdef class A: pass
""", [
        (1, 24, "metaclass 'M' has no field 'number'; it has sentence, counter, func"),
    ]),
    "a field of extensibletype itself": ("""\
@cs.metaclass(M, etp_check=1)
cdef class A: pass
""", [
        (1, 27, "metaclass 'M' has no field 'etp_check'; it has sentence, counter, func"),
    ]),
    "an initialiser of the wrong type": ("""\
@cs.metaclass(M, sentence=7)
cdef class A: pass
""", [
        (1, 26, "Cannot assign type 'long' to 'const char *'"),
    ]),
    "a function of the wrong type": ("""\
cdef int wrong(int x) noexcept: return x
@cs.metaclass(M, func=wrong)
cdef class A: pass
""", [
        (2, 22, "Cannot assign type 'int (int) noexcept' to 'double (*)(double) noexcept'"),
    ]),
    "a pointer into a temporary": ("""\
@cs.metaclass(M, sentence=str(5).encode())
cdef class A: pass
""", [
        (1, 39,
         "field 'sentence' would point into a Python object that is gone at once; "
         "use a literal or a C array"),
    ]),
    "an undeclared name": ("""\
@cs.metaclass(M, counter=nope)
cdef class A: pass
""", [
        (1, 25, "undeclared name not builtin: nope"),
    ]),
    "a Python variable of the module": ("""\
number = 5
@cs.metaclass(M, counter=number)
cdef class A: pass
""", [
        (2, 25,
         "field 'counter' is set before the module body runs, and 'number' gets its "
         "value there; use a literal, an address, a C function or an extern C value"),
    ]),
    "the value of a C variable of the module": ("""\
cdef long number = 5
@cs.metaclass(M, counter=number)
cdef class A: pass
""", [
        (2, 25,
         "field 'counter' is set before the module body runs, and 'number' gets its "
         "value there; use a literal, an address, a C function or an extern C value"),
    ]),
    "an assignment in an expression": ("""\
@cs.metaclass(M, counter=(y := 5))
cdef class A: pass
""", [
        (1, 28,
         "field 'counter' is set before the module body runs, where nothing can be "
         "assigned or awaited; write an expression without ':=', yield and await"),
    ]),
    "a comprehension over a variable of the module": ("""\
numbers = 1, 2
@cs.metaclass(M, counter=len([x for x in numbers]))
cdef class A: pass
""", [
        (2, 41,
         "field 'counter' is set before the module body runs, and 'numbers' gets its "
         "value there; use a literal, an address, a C function or an extern C value"),
    ]),
    "a lambda whose default is a variable of the module": ("""\
cdef class N(extensibletype):
    cdef object call
number = 5
@cs.metaclass(N, call=lambda x=number: x)
cdef class A: pass
""", [
        (4, 31,
         "field 'call' is set before the module body runs, and 'number' gets its "
         "value there; use a literal, an address, a C function or an extern C value"),
    ]),
    "a call of a function of the module": ("""\
def f(): return 1
@cs.metaclass(M, counter=f())
cdef class A: pass
""", [
        (2, 25,
         "field 'counter' is set before the module body runs, and 'f' gets its value"
         " there; use a literal, an address, a C function or an extern C value"),
    ]),
    "an array field": ("""\
cdef class N(extensibletype):
    cdef int a[3]
@cs.metaclass(N, a=[1,2,3])
cdef class A: pass
""", [
        (3, 19,
         "field 'a' is an array, which a decorator cannot initialise; use a pointer "
         "to a C array"),
    ]),
    "slot without parentheses": ("""\
@cs.slot
cdef class A: pass
""", [
        (1, 0,
         "customslots.slot takes one ID and then its value by keyword, found 0 "
         "positional arguments"),
    ]),
    "slot without value": ("""\
@cs.slot(5)
cdef class A: pass
""", [
        (1, 0, "customslots.slot takes exactly one of pointer, objoffset, flags, found 0"),
    ]),
    "slot without an ID": ("""\
@cs.slot(flags=5)
cdef class A: pass
""", [
        (1, 0,
         "customslots.slot takes one ID and then its value by keyword, found 0 "
         "positional arguments"),
    ]),
    "slot with two values": ("""\
@cs.slot(5, flags=5, objoffset=3)
cdef class A: pass
""", [
        (1, 0, "customslots.slot takes exactly one of pointer, objoffset, flags, found 2"),
    ]),
    "slot with an unknown argument": ("""\
@cs.slot(5, flag=5)
cdef class A: pass
""", [
        (1, 17,
         "customslots.slot has no argument 'flag'; there are pointer, objoffset, flags, "
         "position and capsule"),
    ]),
    "slot ID EMPTY": ("""\
@cs.slot(0, flags=5)
cdef class A: pass
""", [
        (1, 9,
         "slot ID 0 is reserved for empty entries; write a name, as b'package.Name', or "
         "PyCustomSlots_ID()"),
    ]),
    "slot ID SKIP": ("""\
@cs.slot(cs.PyCustomSlots_SKIP, flags=5)
cdef class A: pass
""", [
        (1, 11,
         "slot ID 1 is reserved for skipped entries; write a name, as b'package.Name', or "
         "PyCustomSlots_ID()"),
    ]),
    "slot ID SKIP as an expression": ("""\
@cs.slot(3 - 2, flags=5)
cdef class A: pass
""", [
        (1, 11,
         "slot ID 1 is reserved for skipped entries; write a name, as b'package.Name', or "
         "PyCustomSlots_ID()"),
    ]),
    "an ID twice": ("""\
@cs.slot(0x1000301, flags=5)
@cs.slot(cs.PyCustomSlots_ID(1, 3, 0), flags=6)
cdef class A: pass
""", [
        (2, 28,
         "slot ID 0x1000301 stands in this class twice; each ID names one slot (first "
         "in line 7)"),
    ]),
    "an ID twice by an enum": ("""\
cdef enum:
    ID = 77
@cs.slot(ID, flags=5)
@cs.slot(77, flags=6)
cdef class A: pass
""", [
        (4, 9, "slot ID 0x4d stands in this class twice; each ID names one slot (first in line 9)"),
    ]),
    "an ID that is a Python variable": ("""\
ID = 5
@cs.slot(ID, flags=5)
cdef class A: pass
""", [
        (2, 9,
         "a slot's ID is set before the module body runs, and 'ID' gets its value "
         "there; write the name itself in the decorator, as in slot(b'package.Name', ...)"),
    ]),
    "a negative position": ("""\
@cs.slot(5, flags=5, position=-1)
cdef class A: pass
""", [
        (1, 31, "a slot's position is an integer constant from 0 to 255, found -1"),
    ]),
    "a position that is too large": ("""\
@cs.slot(5, flags=5, position=256)
cdef class A: pass
""", [
        (1, 30, "a slot's position is an integer constant from 0 to 255, found 256"),
    ]),
    "a position that is not constant": ("""\
@cs.slot(5, flags=5, position=len('abc'))
cdef class A: pass
""", [
        (1, 33,
         "a slot's position is an integer constant from 0 to 255, found an expression "
         "that is not constant"),
    ]),
    "a position twice": ("""\
@cs.slot(5, flags=5, position=1)
@cs.slot(7, flags=5, position=1)
cdef class A: pass
""", [
        (2, 30, "position 1 is given to two slots of this class (first in line 7)"),
    ]),
    "a pointer that is an integer": ("""\
@cs.slot(5, pointer=5)
cdef class A: pass
""", [
        (1, 20, "the pointer of a slot must be a C pointer, a C array or a C function, found 'long'"),
    ]),
    "a pointer that is an object": ("""\
@cs.slot(5, pointer='abc')
cdef class A: pass
""", [
        (1, 20,
         "the pointer of a slot must be a C pointer, a C array or a C function, found 'str "
         "object'"),
    ]),
    "flags that are a string": ("""\
@cs.slot(5, flags='abc')
cdef class A: pass
""", [
        (1, 18, "the flags of a slot must be a C integer, found 'str object'"),
    ]),
    "an offset that is a string": ("""\
@cs.slot(5, objoffset='abc')
cdef class A: pass
""", [
        (1, 22,
         "the objoffset of a slot must be a C integer or the name of a C attribute of the "
         "class, found 'str object'"),
    ]),
    "the offset of an unknown attribute": ("""\
@cs.slot(5, objoffset=nope)
cdef class A: pass
""", [
        (1, 22, "undeclared name not builtin: nope"),
    ]),
    "extensible on a function": ("""\
@cs.extensible
def f(): pass
""", [
        (1, 0, "customslots.extensible is for cdef classes, but stands on function 'f'"),
    ]),
    "extensible on a Python class": ("""\
@cs.extensible
class C: pass
""", [
        (1, 0,
         "customslots.extensible is for cdef classes, but stands on class 'C'; write "
         "'cdef class'"),
    ]),
    "metaclass on a Python class": ("""\
@cs.metaclass(M, counter=1)
class C: pass
""", [
        (1, 0,
         "customslots.metaclass is for cdef classes, but stands on class 'C'; write "
         "'cdef class'"),
    ]),
    "extensible on a C function": ("""\
@cs.extensible
cdef int f(): pass
""", [
        (1, 0, "customslots.extensible is for cdef classes, but stands on function 'f'"),
    ]),
    "extensible on a method": ("""\
cdef class A:
    @cs.extensible
    def f(self): pass
""", [
        (2, 4, "customslots.extensible is for cdef classes, but stands on method 'f'"),
        (2, 4, "Calling non-function type 'int'"),           # Cython's word for it
    ]),
    "an extern class": ("""\
cdef extern from *:
    @cs.extensible
    ctypedef class somewhere.A [object AO]: pass
""", [
        (3, 4, "Decorators can only be followed by functions or classes"),
    ]),
    "extensible on a metaclass": ("""\
@cs.extensible
cdef class N(M): pass
""", [
        (1, 0,
         "'N' is a metaclass, which cannot be extensible itself; decorate the classes "
         "that have it"),
    ]),
    "extensible on a subclass of type": ("""\
@cs.extensible
cdef class N(type): pass
""", [
        (1, 0,
         "'N' is a metaclass, which cannot be extensible itself; decorate the classes "
         "that have it"),
    ]),
    "a class with a name in C": ("""\
@cs.slot(5, flags=1)
cdef public class A [object AObject, type AType]: pass
@cs.extensible
cdef class C: pass
cdef api class D(C) [object DObject, type DType]: pass
""", [
        (1, 0,
         "class 'A' cannot be extensible: it has the name 'AType' in C, and C code takes that for a PyTypeObject, "
         "which is shorter; take 'public' and 'api' away, or decorate a class that derives from it"),
        (5, 0,
         "class 'D' cannot be extensible, as its base 'C' is: it has the name 'DType' in C, and C code takes that for "
         "a PyTypeObject, which is shorter; take 'public' and 'api' away, or decorate a class that derives from it"),
    ]),
    "a metaclass conflict": ("""\
cdef class N(extensibletype):
    cdef int x
@cs.metaclass(M)
cdef class B: pass
@cs.metaclass(N)
cdef class A(B): pass
""", [
        (5, 14,
         "metaclass conflict: 'N' is wanted, but base 'B' has 'M', and neither derives"
         " from the other"),
    ]),
    "a metaclass with a dictionary": ("""\
cdef class N(extensibletype):
    cdef dict __dict__
""", [
        (2, 14,
         "field '__dict__' of metaclass 'N' is not needed: classes have a __dict__ of their "
         "own; remove it"),
    ]),
    "a metaclass with weak references": ("""\
cdef class N(extensibletype):
    cdef object __weakref__
""", [
        (2, 16,
         "field '__weakref__' of metaclass 'N' is not needed: classes have a __weakref__ of "
         "their own; remove it"),
    ]),
    "a metaclass with __cinit__": ("""\
cdef class N(extensibletype):
    def __cinit__(self): pass
""", [
        (2, 4,
         "metaclass 'N' has a __cinit__, which would not be called for every class that has "
         "it; set fields in the decorator"),
    ]),
    "a metaclass with __dealloc__": ("""\
cdef class N(extensibletype):
    cdef object x
    def __dealloc__(self): pass
""", [
        (3, 4,
         "metaclass 'N' has a __dealloc__, which would not be called for every class that has "
         "it; its fields are released without it"),
    ]),
    "an object field of the wrong type": ("""\
cdef class N(extensibletype):
    cdef str label
@cs.metaclass(N, label=5)
cdef class A: pass
""", [
        (3, 23, "Cannot assign type 'int object' to 'str object'"),
    ]),
    "an object field of another builtin type": ("""\
cdef class N(extensibletype):
    cdef list names
@cs.metaclass(N, names=("a", "b"))
cdef class A: pass
""", [
        (3, 24, "Cannot assign type 'tuple object' to 'list object'"),
    ]),
    "a field of a cdef class": ("""\
cdef class B: pass
cdef class N(extensibletype):
    cdef B b
@cs.metaclass(N, b="text")
cdef class A: pass
""", [
        (4, 19, "Cannot assign type 'str object' to 'B'"),
    ]),
    "an object field set to a variable of the module": ("""\
cdef class N(extensibletype):
    cdef object label
number = 5
@cs.metaclass(N, label=number)
cdef class A: pass
""", [
        (4, 23,
         "field 'label' is set before the module body runs, and 'number' gets its value "
         "there; use a literal, an address, a C function or an extern C value"),
    ]),
    "a public field that Python cannot see": ("""\
cdef class N(extensibletype):
    cdef public void *address
""", [
        (2, 21, "C attribute of type 'void *' cannot be accessed from Python"),
        (2, 21, "Cannot convert 'void *' to Python object"),
        (2, 21, "Cannot convert Python object to 'void *'"),
    ]),
    "a C++ class that cannot be made without arguments": ("""\
cdef extern from *:
    cdef cppclass Thing:
        Thing(int)
cdef class N(extensibletype):
    cdef Thing thing
""", [
        (5, 15, "C++ class must have a nullary constructor to be stack allocated"),
    ]),
    "a C array of C++ objects": ("""\
cdef extern from *:
    cdef cppclass Thing:
        Thing()
cdef class N(extensibletype):
    cdef Thing things[3]
""", [
        (5, 21,
         "field 'things' of metaclass 'N' is a C array of C++ objects; use std::array or "
         "std::vector"),
    ]),
    "a metaclass with a C method": ("""\
cdef class N(extensibletype):
    cdef int f(self): return 1
""", [
        (2, 4,
         "metaclass 'N' has the C method 'f': metaclasses have no vtable; write a C "
         "function that takes the class"),
    ]),
    "a field that holds an object in C": ("""\
from cython_customslots.typedmethod cimport PyTypedCallable
cdef class N(extensibletype):
    cdef PyTypedCallable f
""", [
        (3, 25,
         "field 'f' of metaclass 'N' has a PyTypedCallable, which classes would inherit without a reference of their "
         "own; declare it 'object' and initialise a PyTypedCallable with it where it is used"),
    ]),
    "a memoryview field": ("""\
cdef class N(extensibletype):
    cdef int[:] f
""", [
        (2, 16,
         "field 'f' of metaclass 'N' is a memoryview, which cannot be inherited by value; "
         "declare it 'object' and take the memoryview where it is used"),
    ]),
    "a fused function": ("""\
ctypedef fused T:
    int
    double
cdef T g(T x): return x
@cs.slot(5, pointer=&g)
cdef class A: pass
""", [
        (5, 20,
         "the pointer of a slot is a fused function; cast it to the type of the "
         "specialisation that is meant"),
    ]),
    "somebody else's decorator": ("""\
@print
@cs.extensible
cdef class A: pass
@register
cdef class Plain: pass
""", [
        (1, 0,
         "decorator 'print' does not return the class, and nothing can take the place of cdef class 'A'; call it in a "
         "line of its own"),
        (4, 0, "Cdef functions/classes cannot take arbitrary decorators."),
    ]),
}
