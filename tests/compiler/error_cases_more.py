# SPDX-License-Identifier: MIT
"""More wrong uses: wrong places and wrong kinds."""

#: Behind the header of error_cases.
MORE = {
    "extensible given twice": ("""\
@cs.extensible
@cs.extensible
cdef class A: pass
""", [
        (2, 0,
         "customslots.extensible is given twice; remove one of them"),
    ]),
    "extensible on a C variable": ("""\
@cs.extensible
cdef int x
""", [
        (1, 0,
         "customslots.extensible is for cdef classes, but stands on a C declaration; "
         "write it where the function or class is defined"),
    ]),
    "slot on a C function": ("""\
@cs.slot(5, flags=1)
cdef int f(): return 1
""", [
        (1, 0,
         "customslots.slot is for cdef classes, but stands on function 'f'"),
    ]),
    "metaclass on a cpdef function": ("""\
@cs.metaclass(M)
cpdef int f(): return 1
""", [
        (1, 0,
         "customslots.metaclass is for cdef classes, but stands on function 'f'"),
    ]),
    "slot on a coroutine": ("""\
@cs.slot(5, flags=1)
async def f(): pass
""", [
        (1, 0,
         "customslots.slot is for cdef classes, but stands on function 'f'"),
    ]),
    "slot on a method": ("""\
cdef class A:
    @cs.slot(5, flags=1)
    def f(self): pass
""", [
        (2, 4,
         "customslots.slot is for cdef classes, but stands on method 'f'"),
        (2, 12,
         "Non-trivial keyword arguments and starred arguments not allowed in cdef "
         "functions."),
    ]),
    "slot on a C method": ("""\
cdef class A:
    @cs.slot(5, flags=1)
    cpdef int f(self): return 1
""", [
        (2, 4,
         "customslots.slot is for cdef classes, but stands on function 'f'"),
    ]),
    "a function of ours in place of a decorator": ("""\
@cs.PyCustomSlots_ID(1, 2, 0)
cdef class A: pass
""", [
        (1, 0,
         "customslots has no decorator 'PyCustomSlots_ID'; there are array, borrow_views, callable, extensible, "
         "implements, interface, metaclass, slot, typed"),
    ]),
    "the module in place of a decorator": ("""\
@cs
cdef class A: pass
""", [
        (1, 0,
         "Cdef functions/classes cannot take arbitrary decorators."),
    ]),
    "a struct": ("""\
@cs.extensible
cdef struct S:
    int x
""", [
        (4, 0,
         "Decorators can only be followed by functions or classes"),
    ]),
    "a class in a condition": ("""\
if True:
    @cs.extensible
    cdef class A: pass
""", [
        (3, 9,
         "cdef statement not allowed here"),
    ]),
    "a class in a function": ("""\
def f():
    @cs.extensible
    cdef class A: pass
""", [
        (2, 4,
         "Extension type definition not allowed here"),
    ]),
    "a Python class in a function": ("""\
def f():
    @cs.slot(5, flags=1)
    class A: pass
""", [
        (2, 4,
         "customslots.slot is for cdef classes, but stands on class 'A'; write 'cdef "
         "class'"),
    ]),
    "a nested class": ("""\
cdef class A:
    @cs.extensible
    cdef class B: pass
""", [
        (2, 4,
         "Extension type definition not allowed here"),
    ]),
    "an extern class with a slot": ("""\
@cs.slot(5, flags=1)
cdef extern class somewhere.A [object AO]:
    cdef int x
""", [
        (1, 0,
         "'A' is declared extern: only the module that defines a class can make it "
         "extensible"),
    ]),
    "a class that is declared only": ("""\
@cs.extensible
cdef class A
""", [
        (1, 0,
         "C class 'A' is declared but not defined"),
    ]),
    "two declarations with a metaclass": ("""\
@cs.metaclass(M)
cdef class A
@cs.metaclass(M)
cdef class A: pass
""", [
        (3, 14,
         "customslots.metaclass is given here and in line 7; remove one of them"),
    ]),
    "a class with a base that Cython does not know": ("""\
class P: pass
@cs.extensible
cdef class A(P): pass
""", [
        (3, 13,
         "First base of 'A' is not an extension type"),
    ]),
    "a final base": ("""\
cimport cython
@cython.final
@cs.extensible
cdef class B: pass
cdef class A(B): pass
""", [
        (5, 13,
         "Base class 'B' of type 'A' is final"),
    ]),
    "a tuple as base": ("""\
@cs.metaclass(M, counter=1)
cdef class A(tuple): pass
""", [
        (2, 13,
         "inheritance from PyVarObject types like 'tuple' is not currently supported"),
    ]),
    "a class that derives from itself": ("""\
cdef class A(A): pass
""", [
        (1, 0,
         "cdef class 'A' derives from itself"),
    ]),
    "two classes that derive from each other": ("""\
cdef class A(B): pass
cdef class B(A): pass
""", [
        (1, 0,
         "cdef class 'A' derives from itself"),
    ]),
    "a class that is its own metaclass": ("""\
@cs.metaclass(A)
cdef class A: pass
""", [
        (1, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found 'A'"),
    ]),
    "two metaclasses of each other": ("""\
@cs.metaclass(B)
cdef class A(extensibletype): pass
@cs.metaclass(A)
cdef class B(extensibletype): pass
""", [
        (1, 0,
         "'A' is a metaclass, which cannot be extensible itself; decorate the classes "
         "that have it"),
        (3, 0,
         "'B' is a metaclass, which cannot be extensible itself; decorate the classes "
         "that have it"),
    ]),
    "an extern metaclass that is no metaclass of ours": ("""\
cdef extern class somewhere.X [object XO]:
    pass
@cs.metaclass(X)
cdef class A: pass
""", [
        (3, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found 'X'"),
    ]),
    "a metaclass that is a C type": ("""\
@cs.metaclass(double)
cdef class A: pass
""", [
        (1, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found 'double'"),
    ]),
    "a metaclass that is a struct": ("""\
cdef struct S:
    int x
@cs.metaclass(S)
cdef class A: pass
""", [
        (3, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found 'S'"),
    ]),
    "a metaclass of a fused type": ("""\
ctypedef fused F:
    int
    double
@cs.metaclass(F)
cdef class A: pass
""", [
        (4, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found 'F'"),
    ]),
    "a metaclass that is a number": ("""\
@cs.metaclass(5)
cdef class A: pass
""", [
        (1, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found an expression that is not a type"),
    ]),
    "a metaclass that is a call": ("""\
@cs.metaclass(M())
cdef class A: pass
""", [
        (1, 15,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found an expression that is not a type"),
    ]),
    "a metaclass that is a Python class": ("""\
class P(type): pass
@cs.metaclass(P)
cdef class A: pass
""", [
        (2, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found an expression that is not a type"),
    ]),
    "a metaclass that is declared and not defined": ("""\
cdef class N
@cs.metaclass(N)
cdef class A: pass
""", [
        (2, 14,
         "customslots.metaclass takes an extension type that derives from "
         "extensibletype, found 'N'"),
        (1, 0,
         "C class 'N' is declared but not defined"),
    ]),
    "a field of extensibletype": ("""\
@cs.metaclass(extensibletype, counter=1)
cdef class A: pass
""", [
        (1, 38,
         "metaclass 'extensibletype' has no field 'counter'; it has none"),
    ]),
    "a property in place of a field": ("""\
cdef class N(extensibletype):
    cdef public int x
    property z:
        def __get__(self): return 1
@cs.metaclass(N, z=2)
cdef class A: pass
""", [
        (5, 19,
         "metaclass 'N' has no field 'z'; it has x"),
    ]),
    "a metaclass that is a dataclass": ("""\
cimport cython
@cython.dataclasses.dataclass
cdef class N(extensibletype):
    x: int = 4
""", [
        (2, 0,
         "metaclass 'N' cannot be a dataclass: its instances are classes, made by class "
         "statements"),
    ]),
    "a constant field": ("""\
cdef class N(extensibletype):
    cdef const int x
""", [
        (2, 19,
         "field 'x' of metaclass 'N' is const, and no class could set it; remove 'const'"),
    ]),
    "a field of a fused type": ("""\
ctypedef fused F:
    int
    double
cdef class N(extensibletype):
    cdef F x
""", [
        (5, 4,
         "Fused types not allowed here"),
    ]),
    "a fractional number for an integer": ("""\
@cs.metaclass(M, counter=1.5)
cdef class A: pass
""", [
        (1, 25,
         "Cannot assign type 'double' to 'long'"),
    ]),
    "None for an integer": ("""\
@cs.metaclass(M, counter=None)
cdef class A: pass
""", [
        (1, 25,
         "Cannot assign None to long"),
    ]),
    "a function that raises for one that does not": ("""\
cdef double f(double x): return x
@cs.metaclass(M, func=f)
cdef class A: pass
""", [
        (2, 22,
         "Cannot assign type 'double (double) except? -1' to 'double (*)(double) "
         "noexcept'. Exception values are incompatible. Suggest adding 'noexcept' to the"
         " type of 'f'."),
    ]),
    "a function that needs the GIL for one that does not": ("""\
cdef class N(extensibletype):
    cdef double (*func)(double) noexcept nogil
cdef double f(double x) noexcept: return x
@cs.metaclass(N, func=f)
cdef class A: pass
""", [
        (4, 22,
         "Cannot assign type 'double (double) noexcept' to 'double (*)(double) noexcept "
         "nogil'"),
    ]),
    "a specialisation that does not exist": ("""\
ctypedef fused T:
    int
    double
cdef T f(T x): return x
@cs.slot(5, pointer=f[str])
cdef class A: pass
""", [
        (5, 22,
         "Type not in fused type"),
    ]),
    "a method by its bare name": ("""\
@cs.slot(5, pointer=method)
cdef class A:
    cdef int method(self): return 1
""", [
        (1, 20,
         "'method' is a C method of this class; write A.method"),
    ]),
    "a method of self": ("""\
@cs.slot(5, pointer=&self.method)
cdef class A:
    cdef int method(self): return 1
""", [
        (1, 21,
         "undeclared name not builtin: self"),
        (1, 20,
         "Cannot take address of Python object attribute 'method'"),
    ]),
    "the address of a Python method": ("""\
@cs.slot(5, pointer=&A.method)
cdef class A:
    def method(self): return 1
""", [
        (1, 20,
         "Cannot take address of Python object attribute 'method'"),
    ]),
    "the address of an object": ("""\
cdef object thing = 1
@cs.slot(5, pointer=&thing)
cdef class A: pass
""", [
        (2, 20,
         "Cannot take address of Python variable 'thing'"),
    ]),
    "a memoryview of the module": ("""\
cdef int[:] view
@cs.slot(5, pointer=&view)
cdef class A: pass
""", [
        (2, 20,
         "Cannot take address of memoryview slice"),
    ]),
    "an element of an array": ("""\
cdef int numbers[3]
@cs.metaclass(M, counter=numbers[1])
cdef class A: pass
""", [
        (2, 25,
         "field 'counter' is set before the module body runs, and 'numbers' gets its "
         "value there; use a literal, an address, a C function or an extern C value"),
    ]),
    "the elements of an array": ("""\
cdef class N(extensibletype):
    cdef object numbers
cdef int numbers[3]
@cs.metaclass(N, numbers=numbers)
cdef class A: pass
""", [
        (4, 25,
         "field 'numbers' is set before the module body runs, and 'numbers' gets its "
         "value there; use a literal, an address, a C function or an extern C value"),
    ]),
    "the elements of an array in a call": ("""\
cdef struct S:
    int numbers[3]
cdef S things
@cs.metaclass(M, counter=sum(things.numbers))
cdef class A: pass
""", [
        (4, 35,
         "field 'counter' is set before the module body runs, and 'things' gets its "
         "value there; use a literal, an address, a C function or an extern C value"),
    ]),
    "a pointer that is a class": ("""\
@cs.slot(5, pointer=M)
cdef class A: pass
""", [
        (1, 20,
         "the pointer of a slot must be a C pointer, a C array or a C function, found 'type "
         "object'"),
    ]),
    "a class with several bases as a value": ("""\
cdef class N(extensibletype):
    cdef object other
class P: pass
@cs.extensible
cdef class B(object, P): pass
@cs.metaclass(N, other=B)
cdef class A: pass
""", [
        (6, 23,
         "field 'other' is set before the module body runs, and 'B' gets its value "
         "there; use a literal, an address, a C function or an extern C value"),
    ]),
    "a name that the other module does not have": ("""\
cimport libc.math
@cs.metaclass(M, counter=libc.math.nope)
cdef class A: pass
""", [
        (2, 34,
         "cimported module has no attribute 'nope'"),
    ]),
    "yield": ("""\
@cs.metaclass(M, counter=(yield 5))
cdef class A: pass
""", [
        (1, 26,
         "field 'counter' is set before the module body runs, where nothing can be "
         "assigned or awaited; write an expression without ':=', yield and await"),
    ]),
    "a slot's arguments from a tuple": ("""\
arguments = ()
@cs.slot(*arguments, flags=1)
cdef class A: pass
""", [
        (2, 0,
         "customslots.slot takes its arguments one by one, not from * or **"),
    ]),
    "a negative ID": ("""\
@cs.slot(-5, flags=1)
cdef class A: pass
""", [
        (1, 10,
         "a slot's ID is not negative, found -5; write a name, as b'package.Name', or "
         "PyCustomSlots_ID()"),
    ]),
    "an ID that is True": ("""\
@cs.slot(True, flags=1)
cdef class A: pass
""", [
        (1, 9,
         "a slot's ID is a name, as b'package.Name', or a constant, as "
         "PyCustomSlots_ID(0x04, 5, 0), found 'bint'"),
    ]),
    "an ID that is a fraction": ("""\
@cs.slot(1.5, flags=1)
cdef class A: pass
""", [
        (1, 9,
         "a slot's ID is a name, as b'package.Name', or a constant, as "
         "PyCustomSlots_ID(0x04, 5, 0), found 'double'"),
    ]),
    "an ID that no C integer holds": ("""\
@cs.slot(99999999999999999999999999999, flags=1)
cdef class A: pass
""", [
        (1, 9,
         "a slot's ID is a name, as b'package.Name', or a constant, as "
         "PyCustomSlots_ID(0x04, 5, 0), found 'int object'"),
    ]),
    "an ID from a C function of the module": ("""\
cdef int f() noexcept: return 99
@cs.slot(f(), flags=1)
cdef class A: pass
""", [
        (2, 10,
         "a slot's ID is needed before C functions of other modules are imported; "
         "write a name, as b'package.Name', or PyCustomSlots_ID()"),
    ]),
    "a position that is huge": ("""\
@cs.slot(5, flags=1, position=99999999999999999999999999)
cdef class A: pass
""", [
        (1, 30,
         "a slot's position is an integer constant from 0 to 255, found "
         "99999999999999999999999999"),
    ]),
    "a position that is a fraction": ("""\
@cs.slot(5, flags=1, position=1.5)
cdef class A: pass
""", [
        (1, 30,
         "a slot's position is an integer constant from 0 to 255, found 'double'"),
    ]),
    "a position that is None": ("""\
@cs.slot(5, flags=1, position=None)
cdef class A: pass
""", [
        (1, 30,
         "a slot's position is an integer constant from 0 to 255, found 'Python object'"),
    ]),
    "a position that is undeclared": ("""\
@cs.slot(5, flags=1, position=nope)
cdef class A: pass
""", [
        (1, 30,
         "undeclared name not builtin: nope"),
    ]),
    "an offset that is the name of a method": ("""\
@cs.slot(5, objoffset=f)
cdef class A:
    def f(self): pass
""", [
        (1, 22,
         "undeclared name not builtin: f"),
    ]),
    "flags that are a fraction": ("""\
@cs.slot(5, flags=1.5)
cdef class A: pass
""", [
        (1, 18,
         "the flags of a slot must be a C integer, found 'double'"),
    ]),
}
