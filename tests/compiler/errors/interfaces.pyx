# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
@cs.interface(b"tests.Shape")
cdef class Shape:
    cdef double area(self) noexcept nogil
    cdef double scale(self, double factor) except? -1
    cpdef str label(self)
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cpdef str label(self): return ''
cdef class A2(Shape):
    cdef float area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
cdef class A3(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, long factor) except? -1: return 1
    cpdef str label(self): return ''
cdef class A4(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor, int n) except? -1: return 1
    cpdef str label(self): return ''
cdef class A5(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor, int n=0) except? -1: return 1
    cpdef str label(self): return ''
cdef class A6(Shape):
    cdef double area(self) noexcept: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
cdef class A7(Shape):
    cdef double area(self) except -1 nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
cdef class A8(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -2: return 1
    cpdef str label(self): return ''
@cs.interface(b"t.I")
cdef class I:
    cdef int f(self) except -1
cdef class A9(I):
    cdef int f(self) noexcept: return 1
cdef class A10(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef bytes label(self): return b''
cdef class A11(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cdef str label(self): return ''
cdef class A12(Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    def label(self): return ''
cdef class A13(Shape):
    cdef double area
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
cdef class A14(Shape):
    @staticmethod
    cdef double area(int x) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
cdef class A15(Shape, Shape):
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
cdef class D:
    cdef int x
@cs.interface(b"t.I2")
cdef class I2(D):
    cdef int f(self)
@cs.interface(b"t.J")
cdef class J:
    cdef int g(self)
@cs.interface(b"t.I3")
cdef class I3(Shape, J):
    cdef int f(self)
x = 5
@cs.interface(b"t.I4")
cdef class I4(x):
    cdef int f(self)
@cs.interface(b"t.I5")
cdef class I5:
    cdef int x
    cdef int f(self)
@cs.interface(b"t.I6")
cdef class I6:
    cdef public int x
    cdef int f(self)
@cs.interface(b"t.I7")
cdef class I7:
    cdef int (*f)(int)
    cdef int g(self)
@cs.interface(b"t.I8")
cdef class I8:
    def f(self): pass
    cdef int g(self)
@cs.interface(b"t.I9")
cdef class I9:
    def __len__(self): return 1
    cdef int g(self)
@cs.interface(b"t.I10")
cdef class I10:
    @property
    def p(self): return 1
    cdef int g(self)
@cs.interface(b"t.I11")
cdef class I11:
    x = 5
    cdef int g(self)
@cs.interface(b"t.I12")
cdef class I12:
    cdef int f(self): return self.x
@cs.interface(b"t.I13")
cdef class I13:
    cdef int g(self) noexcept
    cdef int f(self) noexcept nogil: return self.g()
@cs.interface(b"t.I14")
cdef class I14:
    cdef int f(self): return 1
@cs.interface(b"t.J2")
cdef class J2:
    cdef int f(self): return 2
cdef class A16(I14, J2): pass
@cs.interface(b"t.I15")
cdef class I15:
    cdef int f(self): return 1
cdef class A17(I15):
    cdef int f[3]
@cs.interface(b"t.I16")
cdef class I16:
    @staticmethod
    cdef int f(I16 x)
@cs.interface(b"t.I17")
cdef class I17:
    cdef int f(self, int x=1)
@cs.interface(b"t.I18")
cdef class I18:
    cpdef int f(self) except -1 nogil
@cs.interface(b"t.I19")
cdef class I19:
    cdef int f(self, ...)
ctypedef fused F:
    int
    double
@cs.interface(b"t.I20")
cdef class I20:
    cdef int f(self, F x)
@cs.interface(b"t.I21")
cdef class I21:
    pass
@cs.interface
cdef class I22:
    cdef int f(self)
@cs.interface(b'')
cdef class I23:
    cdef int f(self)
@cs.interface(b'I24')
cdef class I24:
    cdef int f(self)
@cs.interface(b't.\xff')
cdef class I25:
    cdef int f(self)
@cs.interface(1.5)
cdef class I26:
    cdef int f(self)
@cs.interface(b't.I27', 1)
cdef class I27:
    cdef int f(self)
@cs.interface(b't.I28')
@cs.interface(b't.J')
cdef class I28:
    cdef int f(self)
@cs.interface(b't.I29')
@cs.extensible
cdef class I29:
    cdef int f(self)
@cs.interface(b't.I')
cdef int f(): return 1
@cs.interface(b't.I')
class A18: pass
cimport cython
@cs.interface(b"t.I30")
@cython.final
cdef class I30:
    cdef int f(self)
@cython.freelist(8)
@cs.interface(b"t.I31")
@cython.no_gc
cdef class I31:
    cdef int f(self)
import dataclasses
@cs.interface(b"t.I32")
@dataclasses.dataclass
cdef class I32:
    cdef int f(self)
@cs.interface(b"t.I33")
@cython.dataclasses.dataclass(frozen=True)
cdef class I33:
    cdef int f(self)
@cs.interface(b"t.I34")
@cython.total_ordering
cdef class I34:
    cdef int f(self)
@cs.interface(b"t.I35")
cdef public class I35 [object IObject, type IType]:
    cdef int f(self)
@cs.interface(b"t.I36")
cdef api class I36 [object IObject, type IType]:
    cdef int f(self)
@cs.interface(b"tests.Shape")
cdef class I37:
    cdef int f(self)
@cs.interface(5)
cdef class I38:
    cdef int f(self)
@cs.interface(0x5)
cdef class J3:
    cdef int f(self)
@cs.interface(b"t.I39")
cdef class I39(Shape):
    cdef float area(self) noexcept nogil
def f2(Shape s): return Shape.area(s)
def f3(): return Shape()
def f4(a): return Shape(a, a)
def f5(a): return Shape(obj=a)
def f6(): return Shape.of()
def f7(): return Shape.__new__(Shape)
def f8(): return sizeof(Shape)
cdef Shape[:] view
ctypedef fused F2:
    Shape
    double
def f9(): Shape.register(list)
def f10(): Shape.register(list, implementation=Shape)
def f11(a): return Shape.of(obj=a)
def f12(): Shape.register(list, 5)
cdef class A19:
    cdef int f13(self): return 1
def f13(): Shape.register(list, A19)
cdef class A20(Shape):
    cdef int x
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
def f14(): Shape.register(list, A20)
def f15(a):
    with nogil:
        isinstance(a, Shape)
@cs.interface(b"tests.Shape2")
cdef class Shape2:
    cdef double area(self) noexcept
@cs.implements
cdef class A21: pass
@cs.implements(A21, 5)
cdef class B: pass
@cs.implements(Shape2)
cdef class C(Shape2):
    cdef double area(self) noexcept: return 1
@cs.implements(Shape2)
cdef class D2: pass
@cs.implements(Shape2)
def f16(): pass
@cs.interface(b"tests.Shape3")
cdef class Shape3

_ERRORS = u"""
5:20: Previous declaration is here
8:13: 'A' names interface 'Shape', but has no C method 'scale'; expected 'cdef double scale(self, double factor) except? -1'
12:4: method 'area' of 'A2' cannot implement that of interface 'Shape': the results differ; found 'cdef float area(self) noexcept nogil', expected 'cdef double area(self) noexcept nogil'
17:4: method 'scale' of 'A3' cannot implement that of interface 'Shape': argument 'factor' differs; found 'cdef double scale(self, long factor) except? -1', expected 'cdef double scale(self, double factor) except? -1'
21:4: method 'scale' of 'A4' cannot implement that of interface 'Shape': it takes 2 arguments beside self, and not 1; found 'cdef double scale(self, double factor, int n) except? -1', expected 'cdef double scale(self, double factor) except? -1'
25:4: method 'scale' of 'A5' cannot implement that of interface 'Shape': it has optional arguments; found 'cdef double scale(self, double factor, int n) except? -1', expected 'cdef double scale(self, double factor) except? -1'
28:4: method 'area' of 'A6' cannot implement that of interface 'Shape': it needs the GIL; found 'cdef double area(self) noexcept', expected 'cdef double area(self) noexcept nogil'
32:4: method 'area' of 'A7' cannot implement that of interface 'Shape': it reports exceptions in another way; found 'cdef double area(self) except -1 nogil', expected 'cdef double area(self) noexcept nogil'
37:4: method 'scale' of 'A8' cannot implement that of interface 'Shape': it reports exceptions in another way; found 'cdef double scale(self, double factor) except? -2', expected 'cdef double scale(self, double factor) except? -1'
43:4: method 'f' of 'A9' cannot implement that of interface 'I': it reports exceptions in another way; found 'cdef int f(self) noexcept', expected 'cdef int f(self) except -1'
47:4: method 'label' of 'A10' cannot implement that of interface 'Shape': the results differ; found 'cpdef bytes label(self)', expected 'cpdef str label(self)'
51:4: method 'label' of 'A11' cannot implement that of interface 'Shape': Python code cannot call it; found 'cdef str label(self)', expected 'cpdef str label(self)'
55:4: 'A12' names interface 'Shape', but has a Python method 'label'; expected 'cpdef str label(self)'
57:16: 'A13' names interface 'Shape', but has an attribute 'area'; expected 'cdef double area(self) noexcept nogil'
61:4: method 'area' of 'A14' cannot implement that of interface 'Shape': it is static; found 'cdef double area(self) noexcept nogil', expected 'cdef double area(self) noexcept nogil'
65:22: 'A15' names interface 'Shape' twice
72:14: interface 'I2' can extend an interface only, found 'D'
78:21: interface 'I3' extends one interface, found 2; a class implements as many as it names
82:14: interface 'I4' can extend an interface only, found an expression that is not a type
86:13: interface 'I5' cannot have data, found 'x'; declare C methods that get and set it
90:20: interface 'I6' cannot have data, found 'x'; declare C methods that get and set it
94:17: interface 'I7' cannot have data, found 'f'; declare C methods that get and set it
98:4: interface 'I8' cannot have a def method, found 'f'; declare it with cdef or cpdef
102:4: interface 'I9' cannot have a special method, found '__len__'; declare it with cdef or cpdef, under another name
106:4: interface 'I10' cannot have a property, found 'p'; declare C methods that get and set it
111:8: interface 'I11' can have C methods only
115:33: the body of 'f' takes 'x' of its object, of which interface 'I12' knows the methods only; declare a method that gets it, or write '(<object>self).x' for an attribute that Python sees
119:50: Calling gil-requiring function not allowed without gil
126:0: 'A16' names interfaces 'I14' and 'J2', which both have a body for 'f'; write the method in the class
131:14: 'A17' names interface 'I15', but has an attribute 'f'; expected 'cdef int f(self) except *'
134:4: a method of an interface cannot be static: its callers have an object
138:14: method 'f' of an interface cannot have optional arguments: how they are passed is private to Cython; declare two methods
141:15: method 'f' of an interface cannot be cpdef and nogil: Cython needs the GIL to look for an override; declare it with cdef
144:14: method 'f' of an interface cannot have '...'
150:14: argument 'x' of method 'f' of an interface cannot be of a fused type, 'F': declare a method for each type
151:0: interface 'I21' has no C methods; declare at least one, as in 'cdef double area(self)'
154:0: customslots.interface takes the ID of the interface, and nothing else; write interface(b"package.Name")
157:14: the ID of an interface is a name with a dot, such as b'package.Name', found b''
160:14: the ID of an interface is a name with a dot, such as b'package.Name', found b'I24'
163:14: the ID of an interface is a name with a dot, such as b'package.Name', found b't.\xff'
166:14: the ID of an interface is a name with a dot, such as b'package.Name', or a constant, as PyCustomSlots_ID(0x04, 5, 0)
169:0: customslots.interface takes the ID of the interface, and nothing else; write interface(b"package.Name")
173:0: customslots.interface is given twice; remove one of them
177:0: customslots.extensible is for classes that have objects, and 'I29' is an interface; decorate the classes that implement it
180:0: customslots.interface is for cdef classes, but stands on function 'f'
182:0: customslots.interface is for cdef classes, but stands on class 'A18'; write 'cdef class'
186:0: cython.final makes no sense for interface 'I30', which has no objects of its own; decorate the classes that implement it
189:0: cython.freelist makes no sense for interface 'I31', which has no objects of its own; decorate the classes that implement it
191:0: cython.no_gc makes no sense for interface 'I31', which has no objects of its own; decorate the classes that implement it
196:0: dataclasses.dataclass makes no sense for interface 'I32', which has no objects of its own; decorate the classes that implement it
200:0: cython.dataclasses.dataclass makes no sense for interface 'I33', which has no objects of its own; decorate the classes that implement it
204:0: cython.total_ordering makes no sense for interface 'I34', which has no objects of its own; decorate the classes that implement it
207:0: interface 'I35' cannot be public: it has no object struct and no type object; write 'cdef class', and 'python -m cython_customslots interface' writes a header for C
210:0: interface 'I36' cannot be api: it has no object struct and no type object; write 'cdef class', and 'python -m cython_customslots interface' writes a header for C
213:0: interface 'I37' has the ID of interface 'Shape' in line 3; each has an ID of its own, so give it another one
219:0: interface 'J3' has the ID of interface 'I38' in line 216; each has an ID of its own, so give it another one
224:19: Signature not compatible with previous declaration
225:29: 'Shape.area' has no code of its own: 'Shape' is an interface; call the method of an object
226:22: Shape() takes one object, found 0 arguments; an interface has no objects of its own
227:23: Shape() takes one object, found 2 arguments; an interface has no objects of its own
228:23: Shape() takes one object, found other arguments; an interface has no objects of its own
229:25: Shape.of() takes one object, found 0 arguments; an interface has no objects of its own
230:22: 'Shape' is an interface, which has no objects of its own; make one of a class that implements it
231:17: 'Shape' is an interface, which has no objects of its own, so it has no size
232:10: a memoryview cannot have elements of interface 'Shape'; use a list, or a memoryview of objects
233:0: a fused type cannot have interface 'Shape' among its types: whether an object implements it is known at run time only; use isinstance()
236:24: Shape.register() takes a type and the class whose methods implement the interface for it; number of arguments found: 1
237:25: Shape.register() takes a type and the class whose methods implement the interface for it, and neither names nor '*'; write Shape.register(list, ListShape)
238:27: Shape.of() takes one object, found other arguments; an interface has no objects of its own
239:32: Shape.register() takes a cdef class of this module as the implementation
242:32: 'A19' does not name interface 'Shape' among its bases, whose methods are to be registered
248:32: 'A20' has data or a base, which objects of another type do not have; register a class of C methods only
251:18: Looking for an interface not allowed without gil
255:0: customslots.implements takes interfaces; write implements(Shape)
257:15: customslots.implements takes interfaces, found 'A21'
257:20: customslots.implements takes interfaces, found an expression that is not a type
260:13: 'C' names interface 'Shape2' twice
262:15: 'D2' names interface 'Shape2', but has no C method 'area'; expected 'cdef double area(self) noexcept'
264:0: customslots.implements is for cdef classes, but stands on function 'f16'
266:0: C class 'Shape3' is declared but not defined
"""
