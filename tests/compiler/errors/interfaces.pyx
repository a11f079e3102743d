# SPDX-License-Identifier: MIT
cimport cython_customslots as cs
@cs.interface(b"tests.Shape")
cdef class Shape:
    cdef double area(self) noexcept nogil
    cdef double scale(self, double factor) except? -1
    cpdef str label(self)
@cs.interface(b"tests.Area")
cdef class Area:
    cdef double area(self) noexcept nogil
@cs.interface(b"tests.Scale")
cdef class Scale:
    cdef double scale(self, double factor) except? -1
@cs.interface(b"tests.Label")
cdef class Label:
    cpdef str label(self)
cdef class A(Shape):
    cdef double area(self) noexcept nogil: return 1
    cpdef str label(self): return ''
cdef class A2(Area):
    cdef float area(self) noexcept nogil: return 1
cdef class A3(Scale):
    cdef double scale(self, long factor) except? -1: return 1
cdef class A4(Scale):
    cdef double scale(self, double factor, int n) except? -1: return 1
cdef class A5(Scale):
    cdef double scale(self, double factor, int n=0) except? -1: return 1
cdef class A6(Area):
    cdef double area(self) noexcept: return 1
cdef class A8(Scale):
    cdef double scale(self, double factor) except? -2: return 1
@cs.interface(b"t.I")
cdef class I:
    cdef int f(self) except -1
cdef class A9(I):
    cdef int f(self) noexcept: return 1
cdef class A11(Label):
    cdef str label(self): return ''
cdef class A12(Label):
    def label(self): return ''
cdef class A13(Area):
    cdef double area
cdef class A14(Area):
    @staticmethod
    cdef double area(int x) noexcept nogil: return 1
cdef class A15(Label, Label):
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
    cdef int (*h)(int)
    def f(self): pass
    def __len__(self): return 1
    @property
    def p(self): return 1
    z = 5
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
@cs.interface(b'I24')
cdef class I24:
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
cdef class A20(Label):
    cdef int x
    cpdef str label(self): return ''
def f14(): Label.register(list, A20)
def f15(a):
    with nogil:
        isinstance(a, Shape)
@cs.implements
cdef class A21: pass
@cs.implements(A21, 5)
cdef class B: pass
@cs.implements(Area)
cdef class C(Area):
    cdef double area(self) noexcept nogil: return 1
@cs.implements(Area)
cdef class D2: pass
@cs.implements(Area)
def f16(): pass
@cs.interface(b"tests.Shape3")
cdef class Shape3

_ERRORS = u"""
5:20: Previous declaration is here
17:13: 'A' names interface 'Shape', but has no C method 'scale'; expected 'cdef double scale(self, double factor) except? -1'
21:4: method 'area' of 'A2' cannot implement that of interface 'Area': the results differ; found 'cdef float area(self) noexcept nogil', expected 'cdef double area(self) noexcept nogil'
23:4: method 'scale' of 'A3' cannot implement that of interface 'Scale': argument 'factor' differs; found 'cdef double scale(self, long factor) except? -1', expected 'cdef double scale(self, double factor) except? -1'
25:4: method 'scale' of 'A4' cannot implement that of interface 'Scale': it takes 2 arguments beside self, and not 1; found 'cdef double scale(self, double factor, int n) except? -1', expected 'cdef double scale(self, double factor) except? -1'
27:4: method 'scale' of 'A5' cannot implement that of interface 'Scale': it has optional arguments; found 'cdef double scale(self, double factor, int n) except? -1', expected 'cdef double scale(self, double factor) except? -1'
29:4: method 'area' of 'A6' cannot implement that of interface 'Area': it needs the GIL; found 'cdef double area(self) noexcept', expected 'cdef double area(self) noexcept nogil'
31:4: method 'scale' of 'A8' cannot implement that of interface 'Scale': it reports exceptions in another way; found 'cdef double scale(self, double factor) except? -2', expected 'cdef double scale(self, double factor) except? -1'
36:4: method 'f' of 'A9' cannot implement that of interface 'I': it reports exceptions in another way; found 'cdef int f(self) noexcept', expected 'cdef int f(self) except -1'
38:4: method 'label' of 'A11' cannot implement that of interface 'Label': Python code cannot call it; found 'cdef str label(self)', expected 'cpdef str label(self)'
40:4: 'A12' names interface 'Label', but has a Python method 'label'; expected 'cpdef str label(self)'
42:16: 'A13' names interface 'Area', but has an attribute 'area'; expected 'cdef double area(self) noexcept nogil'
44:4: method 'area' of 'A14' cannot implement that of interface 'Area': it is static; found 'cdef double area(self) noexcept nogil', expected 'cdef double area(self) noexcept nogil'
46:22: 'A15' names interface 'Label' twice
51:14: interface 'I2' can extend an interface only, found 'D'
57:21: interface 'I3' extends one interface, found 2; a class implements as many as it names
61:14: interface 'I4' can extend an interface only, found an expression that is not a type
65:13: interface 'I5' cannot have data, found 'x'; declare C methods that get and set it
66:17: interface 'I5' cannot have data, found 'h'; declare C methods that get and set it
67:4: interface 'I5' cannot have a def method, found 'f'; declare it with cdef or cpdef
68:4: interface 'I5' cannot have a special method, found '__len__'; declare it with cdef or cpdef, under another name
69:4: interface 'I5' cannot have a property, found 'p'; declare C methods that get and set it
71:8: interface 'I5' can have C methods only
75:33: the body of 'f' takes 'x' of its object, of which interface 'I12' knows the methods only; declare a method that gets it, or write '(<object>self).x' for an attribute that Python sees
79:50: Calling gil-requiring function not allowed without gil
86:0: 'A16' names interfaces 'I14' and 'J2', which both have a body for 'f'; write the method in the class
91:14: 'A17' names interface 'I15', but has an attribute 'f'; expected 'cdef int f(self) except *'
94:4: a method of an interface cannot be static: its callers have an object
98:14: method 'f' of an interface cannot have optional arguments: how they are passed is private to Cython; declare two methods
101:15: method 'f' of an interface cannot be cpdef and nogil: Cython needs the GIL to look for an override; declare it with cdef
104:14: method 'f' of an interface cannot have '...'
110:14: argument 'x' of method 'f' of an interface cannot be of a fused type, 'F': declare a method for each type
111:0: interface 'I21' has no C methods; declare at least one, as in 'cdef double area(self)'
114:0: customslots.interface takes the ID of the interface, and nothing else; write interface(b"package.Name")
117:14: the ID of an interface is a name with a dot, such as b'package.Name', found b'I24'
120:14: the ID of an interface is a name with a dot, such as b'package.Name', or a constant, as PyCustomSlots_ID(0x04, 5, 0)
123:0: customslots.interface takes the ID of the interface, and nothing else; write interface(b"package.Name")
127:0: customslots.interface is given twice; remove one of them
131:0: customslots.extensible is for classes that have objects, and 'I29' is an interface; decorate the classes that implement it
134:0: customslots.interface is for cdef classes, but stands on function 'f'
136:0: customslots.interface is for cdef classes, but stands on class 'A18'; write 'cdef class'
140:0: cython.final makes no sense for interface 'I30', which has no objects of its own; decorate the classes that implement it
144:0: cython.no_gc makes no sense for interface 'I31', which has no objects of its own; decorate the classes that implement it
149:0: dataclasses.dataclass makes no sense for interface 'I32', which has no objects of its own; decorate the classes that implement it
153:0: cython.dataclasses.dataclass makes no sense for interface 'I33', which has no objects of its own; decorate the classes that implement it
156:0: interface 'I35' cannot be public: it has no object struct and no type object; write 'cdef class', and 'python -m cython_customslots interface' writes a header for C
159:0: interface 'I36' cannot be api: it has no object struct and no type object; write 'cdef class', and 'python -m cython_customslots interface' writes a header for C
162:0: interface 'I37' has the ID of interface 'Shape' in line 3; each has an ID of its own, so give it another one
168:0: interface 'J3' has the ID of interface 'I38' in line 165; each has an ID of its own, so give it another one
173:19: Signature not compatible with previous declaration
174:29: 'Shape.area' has no code of its own: 'Shape' is an interface; call the method of an object
175:22: Shape() takes one object, found 0 arguments; an interface has no objects of its own
176:23: Shape() takes one object, found 2 arguments; an interface has no objects of its own
177:23: Shape() takes one object, found other arguments; an interface has no objects of its own
178:25: Shape.of() takes one object, found 0 arguments; an interface has no objects of its own
179:22: 'Shape' is an interface, which has no objects of its own; make one of a class that implements it
180:17: 'Shape' is an interface, which has no objects of its own, so it has no size
181:10: a memoryview cannot have elements of interface 'Shape'; use a list, or a memoryview of objects
182:0: a fused type cannot have interface 'Shape' among its types: whether an object implements it is known at run time only; use isinstance()
185:24: Shape.register() takes a type and the class whose methods implement the interface for it; number of arguments found: 1
186:25: Shape.register() takes a type and the class whose methods implement the interface for it, and neither names nor '*'; write Shape.register(list, ListShape)
187:27: Shape.of() takes one object, found other arguments; an interface has no objects of its own
188:32: Shape.register() takes a cdef class of this module as the implementation
191:32: 'A19' does not name interface 'Shape' among its bases, whose methods are to be registered
195:32: 'A20' has data or a base, which objects of another type do not have; register a class of C methods only
198:18: Looking for an interface not allowed without gil
199:0: customslots.implements takes interfaces; write implements(Shape)
201:15: customslots.implements takes interfaces, found 'A21'
201:20: customslots.implements takes interfaces, found an expression that is not a type
204:13: 'C' names interface 'Area' twice
206:15: 'D2' names interface 'Area', but has no C method 'area'; expected 'cdef double area(self) noexcept nogil'
208:0: customslots.implements is for cdef classes, but stands on function 'f16'
210:0: C class 'Shape3' is declared but not defined
"""
