# SPDX-License-Identifier: MIT
"""Wrong uses of interfaces, behind the header of interface_error_cases.py: (line, column, text)."""

#: {what is wrong: (source behind the header, [(line in it, column, text)])}
USING = {
    "a method without an object": ("""\
def f(Shape s): return Shape.area(s)
""", [
        (1, 28,
         "'Shape.area' has no code of its own: 'Shape' is an interface; call the "
         'method of an object'),
    ]),
    "a call without an object": ("""\
def f(): return Shape()
""", [
        (1, 21,
         'Shape() takes one object, found 0 arguments; an interface has no objects of'
         ' its own'),
    ]),
    "a call with two objects": ("""\
def f(a): return Shape(a, a)
""", [
        (1, 22,
         'Shape() takes one object, found 2 arguments; an interface has no objects of'
         ' its own'),
    ]),
    "a call with a keyword": ("""\
def f(a): return Shape(obj=a)
""", [
        (1, 22,
         'Shape() takes one object, found other arguments; an interface has no '
         'objects of its own'),
    ]),
    "of() without an object": ("""\
def f(): return Shape.of()
""", [
        (1, 24,
         'Shape.of() takes one object, found 0 arguments; an interface has no objects'
         ' of its own'),
    ]),
    "__new__": ("""\
def f(): return Shape.__new__(Shape)
""", [
        (1, 21,
         "'Shape' is an interface, which has no objects of its own; make one of a "
         'class that implements it'),
    ]),
    "sizeof": ("""\
def f(): return sizeof(Shape)
""", [
        (1, 16,
         "'Shape' is an interface, which has no objects of its own, so it has no size"),
    ]),
    "a memoryview of an interface": ("""\
cdef Shape[:] view
""", [
        (1, 10,
         "a memoryview cannot have elements of interface 'Shape'; use a list, or a "
         'memoryview of objects'),
    ]),
    "a fused type over interfaces": ("""\
ctypedef fused F:
    Shape
    double
""", [
        (1, 0,
         "a fused type cannot have interface 'Shape' among its types: whether an "
         'object implements it is known at run time only; use isinstance()'),
    ]),
    "an implementation that is not given": ("""\
def f(): Shape.register(list)
""", [
        (1, 23,
         'Shape.register() takes a type and the class whose methods implement the '
         'interface for it; number of arguments found: 1'),
    ]),
    "an implementation with a name": ("""\
def f(): Shape.register(list, implementation=Shape)
""", [
        (1, 23,
         'Shape.register() takes a type and the class whose methods implement the '
         "interface for it, and neither names nor '*'; write Shape.register(list, "
         'ListShape)'),
    ]),
    "of() with a keyword": ("""\
def f(a): return Shape.of(obj=a)
""", [
        (1, 25,
         'Shape.of() takes one object, found other arguments; an interface has no '
         'objects of its own'),
    ]),
    "an implementation that is no class": ("""\
def f(): Shape.register(list, 5)
""", [
        (1, 30,
         'Shape.register() takes a cdef class of this module as the implementation'),
    ]),
    "an implementation without the interface": ("""\
cdef class A:
    cdef int f(self): return 1
def f(): Shape.register(list, A)
""", [
        (3, 30,
         "'A' does not name interface 'Shape' among its bases, whose methods are to "
         'be registered'),
    ]),
    "an implementation with data": ("""\
cdef class A(Shape):
    cdef int x
    cdef double area(self) noexcept nogil: return 1
    cdef double scale(self, double factor) except? -1: return 1
    cpdef str label(self): return ''
def f(): Shape.register(list, A)
""", [
        (6, 30,
         "'A' has data or a base, which objects of another type do not have; register"
         ' a class of C methods only'),
    ]),
    "isinstance without the GIL": ("""\
def f(a):
    with nogil:
        isinstance(a, Shape)
""", [
        (3, 18,
         'Looking for an interface not allowed without gil'),
    ]),
}
