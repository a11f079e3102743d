# SPDX-License-Identifier: MIT
"""Wrong interfaces, and what the compiler says: (line, column, text)."""

# [header.begin]
HEADER = """\
cimport cython_customslots as cs
@cs.interface(b"tests.Shape")
cdef class Shape:
    cdef double area(self) noexcept nogil
    cdef double scale(self, double factor) except? -1
    cpdef str label(self)
"""
# [header.end]

#: {what is wrong: (source behind the header, [(line in it, column, text)])}
IMPLEMENTING = {
    "a method that is missing": ("""\
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cpdef str label(self): return ''
""", [
        (1, 13,
         "'A' names interface 'Shape', but has no C method 'scale'; expected 'cdef "
         "double scale(self, double factor) except? -1'"),
    ]),
    "a float for a double": ("""\
cdef class A(Shape):
    cdef float area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
""", [
        (2, 4,
         "method 'area' of 'A' cannot implement that of interface 'Shape': the "
         "results differ; found 'cdef float area(self) noexcept nogil', expected "
         "'cdef double area(self) noexcept nogil'"),
    ]),
    "an argument of another type": ("""\
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, long factor) except? -1: return 1
    cpdef str label(self): return ''
""", [
        (3, 4,
         "method 'scale' of 'A' cannot implement that of interface 'Shape': argument "
         "'factor' differs; found 'cdef double scale(self, long factor) except? -1', "
         "expected 'cdef double scale(self, double factor) except? -1'"),
    ]),
    "an argument too many": ("""\
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor, int n) except? -1: return 1
    cpdef str label(self): return ''
""", [
        (3, 4,
         "method 'scale' of 'A' cannot implement that of interface 'Shape': it takes 2 arguments beside "
         "self, and not 1; found 'cdef double scale(self, double factor, int n) "
         "except? -1', expected 'cdef double scale(self, double factor) except? -1'"),
    ]),
    "an optional argument where there is none": ("""\
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor, int n=0) except? -1: return 1
    cpdef str label(self): return ''
""", [
        (3, 4,
         "method 'scale' of 'A' cannot implement that of interface 'Shape': it has "
         "optional arguments; found 'cdef double scale(self, double factor, int n) "
         "except? -1', expected 'cdef double scale(self, double factor) except? -1'"),
    ]),
    "a method with the GIL for one without": ("""\
cdef class A(Shape):
    cdef double area(self) noexcept: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
""", [
        (2, 4,
         "method 'area' of 'A' cannot implement that of interface 'Shape': it needs "
         "the GIL; found 'cdef double area(self) noexcept', expected 'cdef double "
         "area(self) noexcept nogil'"),
    ]),
    "a method that raises for one that does not": ("""\
cdef class A(Shape):
    cdef double area(self) except -1 nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
""", [
        (2, 4,
         "method 'area' of 'A' cannot implement that of interface 'Shape': it reports"
         " exceptions in another way; found 'cdef double area(self) except -1 nogil',"
         " expected 'cdef double area(self) noexcept nogil'"),
    ]),
    "another error value": ("""\
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -2: return 1
    cpdef str label(self): return ''
""", [
        (3, 4,
         "method 'scale' of 'A' cannot implement that of interface 'Shape': it "
         "reports exceptions in another way; found 'cdef double scale(self, double "
         "factor) except? -2', expected 'cdef double scale(self, double factor) "
         "except? -1'"),
    ]),
    "noexcept for except -1": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef int f(self) except -1
cdef class A(I):
    cdef int f(self) noexcept: return 1
""", [
        (5, 4,
         "method 'f' of 'A' cannot implement that of interface 'I': it reports "
         "exceptions in another way; found 'cdef int f(self) noexcept', expected "
         "'cdef int f(self) except -1'"),
    ]),
    "an object of another class": ("""\
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef bytes label(self): return b''
""", [
        (4, 4,
         "method 'label' of 'A' cannot implement that of interface 'Shape': the "
         "results differ; found 'cpdef bytes label(self)', expected 'cpdef str "
         "label(self)'"),
    ]),
    "a cdef method for a cpdef one": ("""\
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cdef str label(self): return ''
""", [
        (4, 4,
         "method 'label' of 'A' cannot implement that of interface 'Shape': Python "
         "code cannot call it; found 'cdef str label(self)', expected 'cpdef str "
         "label(self)'"),
    ]),
    "a def method": ("""\
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    def label(self): return ''
""", [
        (4, 4,
         "'A' names interface 'Shape', but has a Python method 'label'; expected "
         "'cpdef str label(self)'"),
    ]),
    "an attribute with the name of a method": ("""\
cdef class A(Shape):
    cdef double area
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
""", [
        (2, 16,
         "'A' names interface 'Shape', but has an attribute 'area'; expected 'cdef "
         "double area(self) noexcept nogil'"),
    ]),
    "a static method": ("""\
cdef class A(Shape):
    @staticmethod
    cdef double area(int x) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
""", [
        (2, 4,
         "method 'area' of 'A' cannot implement that of interface 'Shape': it is "
         "static; found 'cdef double area(self) noexcept nogil', expected 'cdef "
         "double area(self) noexcept nogil'"),
    ]),
    "an interface twice": ("""\
cdef class A(Shape, Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
""", [
        (1, 20,
         "'A' names interface 'Shape' twice"),
    ]),
}

DECLARING = {
    "a class and data below an interface": ("""\
cdef class D:
    cdef int x
@cs.interface(b"t.I")
cdef class I(D):
    cdef int f(self)
""", [
        (4, 13,
         "interface 'I' can extend an interface only, found 'D'"),
    ]),
    "an interface of two": ("""\
@cs.interface(b"t.J")
cdef class J:
    cdef int g(self)
@cs.interface(b"t.I")
cdef class I(Shape, J):
    cdef int f(self)
""", [
        (5, 20,
         "interface 'I' extends one interface, found 2; a class implements as many as"
         ' it names'),
    ]),
    "an interface below something that is no type": ("""\
x = 5
@cs.interface(b"t.I")
cdef class I(x):
    cdef int f(self)
""", [
        (3, 13,
         "interface 'I' can extend an interface only, found an expression that is not a "
         'type'),
    ]),
    "data": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef int x
    cdef int f(self)
""", [
        (3, 13,
         "interface 'I' cannot have data, found 'x'; declare C methods that get and "
         'set it'),
    ]),
    "public data": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef public int x
    cdef int f(self)
""", [
        (3, 20,
         "interface 'I' cannot have data, found 'x'; declare C methods that get and "
         'set it'),
    ]),
    "a pointer to a function": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef int (*f)(int)
    cdef int g(self)
""", [
        (3, 17,
         "interface 'I' cannot have data, found 'f'; declare C methods that get and "
         'set it'),
    ]),
    "a def method in an interface": ("""\
@cs.interface(b"t.I")
cdef class I:
    def f(self): pass
    cdef int g(self)
""", [
        (3, 4,
         "interface 'I' cannot have a def method, found 'f'; declare it with cdef or "
         'cpdef'),
    ]),
    "a special method": ("""\
@cs.interface(b"t.I")
cdef class I:
    def __len__(self): return 1
    cdef int g(self)
""", [
        (3, 4,
         "interface 'I' cannot have a special method, found '__len__'; declare it "
         'with cdef or cpdef, under another name'),
    ]),
    "a property": ("""\
@cs.interface(b"t.I")
cdef class I:
    @property
    def p(self): return 1
    cdef int g(self)
""", [
        (3, 4,
         "interface 'I' cannot have a property, found 'p'; declare C methods that get"
         ' and set it'),
    ]),
    "a Python statement": ("""\
@cs.interface(b"t.I")
cdef class I:
    x = 5
    cdef int g(self)
""", [
        (3, 8,
         "interface 'I' can have C methods only"),
    ]),
    "an attribute of the object in a body": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef int f(self): return self.x
""", [
        (3, 33,
         "the body of 'f' takes 'x' of its object, of which interface 'I' knows the "
         "methods only; declare a method that gets it, or write '(<object>self).x' "
         'for an attribute that Python sees'),
    ]),
    "a body without the GIL that needs it": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef int g(self) noexcept
    cdef int f(self) noexcept nogil: return self.g()
""", [
        (4, 50,
         "Calling gil-requiring function not allowed without gil"),
    ]),
    "two interfaces with a body of one name": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef int f(self): return 1
@cs.interface(b"t.J")
cdef class J:
    cdef int f(self): return 2
cdef class A(I, J): pass
""", [
        (7, 0,
         "'A' names interfaces 'I' and 'J', which both have a body for 'f'; write the "
         "method in the class"),
    ]),
    "an array with the name of a method that has a body": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef int f(self): return 1
cdef class A(I):
    cdef int f[3]
""", [
        (5, 14,
         "'A' names interface 'I', but has an attribute 'f'; expected 'cdef int f(self) except *'"),
    ]),
    "a static method in an interface": ("""\
@cs.interface(b"t.I")
cdef class I:
    @staticmethod
    cdef int f(I x)
""", [
        (3, 4,
         'a method of an interface cannot be static: its callers have an object'),
    ]),
    "an optional argument": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef int f(self, int x=1)
""", [
        (3, 14,
         "method 'f' of an interface cannot have optional arguments: how they are "
         "passed is private to Cython; declare two methods"),
    ]),
    "cpdef and nogil": ("""\
@cs.interface(b"t.I")
cdef class I:
    cpdef int f(self) except -1 nogil
""", [
        (3, 15,
         "method 'f' of an interface cannot be cpdef and nogil: Cython needs the GIL "
         'to look for an override; declare it with cdef'),
    ]),
    "more arguments": ("""\
@cs.interface(b"t.I")
cdef class I:
    cdef int f(self, ...)
""", [
        (3, 14,
         "method 'f' of an interface cannot have '...'"),
    ]),
    "a fused type": ("""\
ctypedef fused F:
    int
    double
@cs.interface(b"t.I")
cdef class I:
    cdef int f(self, F x)
""", [
        (6, 14,
         "argument 'x' of method 'f' of an interface cannot be of a fused type, 'F': "
         'declare a method for each type'),
    ]),
    "no method": ("""\
@cs.interface(b"t.I")
cdef class I:
    pass
""", [
        (1, 0,
         "interface 'I' has no C methods; declare at least one, as in 'cdef double "
         "area(self)'"),
    ]),
    "no ID": ("""\
@cs.interface
cdef class I:
    cdef int f(self)
""", [
        (1, 0,
         'customslots.interface takes the ID of the interface, and nothing else; '
         'write interface(b"package.Name")'),
    ]),
    "an ID that is empty": ("""\
@cs.interface(b'')
cdef class I:
    cdef int f(self)
""", [
        (1, 14,
         "the ID of an interface is a name with a dot, such as b'package.Name', found b''"),
    ]),
    "an ID without a dot": ("""\
@cs.interface(b'I')
cdef class I:
    cdef int f(self)
""", [
        (1, 14,
         "the ID of an interface is a name with a dot, such as b'package.Name', found b'I'"),
    ]),
    "an ID that is not UTF-8": ("""\
@cs.interface(b't.\\xff')
cdef class I:
    cdef int f(self)
""", [
        (1, 14,
         "the ID of an interface is a name with a dot, such as b'package.Name', found b't.\\xff'"),
    ]),
    "an ID that is no constant": ("""\
@cs.interface(1.5)
cdef class I:
    cdef int f(self)
""", [
        (1, 14,
         "the ID of an interface is a name with a dot, such as b'package.Name', or a constant, as "
         'PyCustomSlots_ID(0x04, 5, 0)'),
    ]),
    "something beside the ID": ("""\
@cs.interface(b't.I', 1)
cdef class I:
    cdef int f(self)
""", [
        (1, 0,
         'customslots.interface takes the ID of the interface, and nothing else; '
         'write interface(b"package.Name")'),
    ]),
    "two IDs": ("""\
@cs.interface(b't.I')
@cs.interface(b't.J')
cdef class I:
    cdef int f(self)
""", [
        (2, 0,
         'customslots.interface is given twice; remove one of them'),
    ]),
    "an extensible interface": ("""\
@cs.interface(b't.I')
@cs.extensible
cdef class I:
    cdef int f(self)
""", [
        (2, 0,
         "customslots.extensible is for classes that have objects, and 'I' is an "
         'interface; decorate the classes that implement it'),
    ]),
    "a function as an interface": ("""\
@cs.interface(b't.I')
cdef int f(): return 1
""", [
        (1, 0,
         "customslots.interface is for cdef classes, but stands on function 'f'"),
    ]),
    "a Python class as an interface": ("""\
@cs.interface(b't.I')
class A: pass
""", [
        (1, 0,
         "customslots.interface is for cdef classes, but stands on class 'A'; write "
         "'cdef class'"),
    ]),
    "a final interface": ("""\
cimport cython
@cs.interface(b"t.I")
@cython.final
cdef class I:
    cdef int f(self)
""", [
        (3, 0,
         "cython.final makes no sense for interface 'I', which has no objects of its own; "
         'decorate the classes that implement it'),
    ]),
    "a free list and no garbage collection": ("""\
cimport cython
@cython.freelist(8)
@cs.interface(b"t.I")
@cython.no_gc
cdef class I:
    cdef int f(self)
""", [
        (2, 0,
         "cython.freelist makes no sense for interface 'I', which has no objects of its own; "
         'decorate the classes that implement it'),
        (4, 0,
         "cython.no_gc makes no sense for interface 'I', which has no objects of its own; "
         'decorate the classes that implement it'),
    ]),
    "a dataclass": ("""\
import dataclasses
@cs.interface(b"t.I")
@dataclasses.dataclass
cdef class I:
    cdef int f(self)
""", [
        (3, 0,
         "dataclasses.dataclass makes no sense for interface 'I', which has no objects of its own; "
         'decorate the classes that implement it'),
    ]),
    "a dataclass of Cython": ("""\
cimport cython
@cs.interface(b"t.I")
@cython.dataclasses.dataclass(frozen=True)
cdef class I:
    cdef int f(self)
""", [
        (3, 0,
         "cython.dataclasses.dataclass makes no sense for interface 'I', which has no objects of its own; "
         'decorate the classes that implement it'),
    ]),
    "total ordering": ("""\
cimport cython
@cs.interface(b"t.I")
@cython.total_ordering
cdef class I:
    cdef int f(self)
""", [
        (3, 0,
         "cython.total_ordering makes no sense for interface 'I', which has no objects of its own; "
         'decorate the classes that implement it'),
    ]),
    "a public interface": ("""\
@cs.interface(b"t.I")
cdef public class I [object IObject, type IType]:
    cdef int f(self)
""", [
        (1, 0,
         "interface 'I' cannot be public: it has no object struct and no type object; "
         "write 'cdef class', and 'python -m cython_customslots interface' writes a "
         'header for C'),
    ]),
    "an interface of a C API": ("""\
@cs.interface(b"t.I")
cdef api class I [object IObject, type IType]:
    cdef int f(self)
""", [
        (1, 0,
         "interface 'I' cannot be api: it has no object struct and no type object; "
         "write 'cdef class', and 'python -m cython_customslots interface' writes a "
         'header for C'),
    ]),
    "the ID of another interface": ("""\
@cs.interface(b"tests.Shape")
cdef class I:
    cdef int f(self)
""", [
        (1, 0,
         "interface 'I' has the ID of interface 'Shape' in line 2; each has an ID of "
         'its own, so give it another one'),
    ]),
    "the same constant twice": ("""\
@cs.interface(5)
cdef class I:
    cdef int f(self)
@cs.interface(0x5)
cdef class J:
    cdef int f(self)
""", [
        (4, 0,
         "interface 'J' has the ID of interface 'I' in line 7; each has an ID of its "
         'own, so give it another one'),
    ]),
    "another signature below": ("""\
@cs.interface(b"t.I")
cdef class I(Shape):
    cdef float area(self) noexcept nogil
""", [
        (3, 19,
         'Signature not compatible with previous declaration'),
        (-2, 20,
         'Previous declaration is here'),
    ]),
}
