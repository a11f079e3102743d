# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
cimport interface_shapes
from interface_shapes cimport Painted, Shape, Solid
from interface_provider cimport Ball, Circle

def is_shape(obj):
    return isinstance(obj, Shape), isinstance(obj, interface_shapes.Solid)

def of(obj):
    return Shape.of(obj)

def cast(obj):
    return Shape(obj)

def checked_cast(obj):
    return <Shape?>obj

def unchecked(obj):
    return (<Shape>obj).label()

def total(list shapes):
    cdef Shape shape
    cdef double sum = 0
    for shape in shapes:
        sum += shape.area()
    return sum

def elements(list shapes):
    return [(<Shape>shape).area() for shape in shapes]

def not_none(Shape shape not None, double factor):
    cdef double area
    with nogil:
        area = shape.area()
    shape.scale(factor)
    return area, shape.label(), shape

def area_of(Shape shape):
    return shape.area()

def label_of(Shape shape=None):
    return shape.label()

def scaled(Shape shape, double factor):
    return shape.scale(factor)

def label_method(Shape shape):
    return shape.label

def larger(Shape shape, Shape other, double limit):
    return shape.is_larger(other, &limit)

def solid(Solid s):
    cdef Shape shape = s
    return shape.area(), s.area(), s.volume(), s.centre(), s.label()

def down(Shape shape):
    cdef Solid s = <Solid?>shape
    return s.volume()

def from_class(Ball ball):
    cdef Solid s = ball
    cdef Circle circle = <Circle?>s
    return s.volume(), circle.radius

def paint(Painted thing, int colour):
    return thing.paint(colour), thing.colour()

def wipe(Painted thing):
    thing.wipe()

cdef class Box:
    cdef Shape held
    cdef public Shape shown
    def __init__(self, Shape shape):
        self.held = shape
    cdef Shape get(self):
        return self.held
    def area(self):
        return self.held.area() + self.get().area()
    cdef double replace(self, object by) noexcept:
        self.held = by
        return 2
    def scaled_by_replacing(self, by):
        return self.held.scale(self.replace(by)), self.held

def closure(Shape shape):
    def inner():
        return shape.area()
    return inner

def generator(Shape shape):
    for i in range(3):
        yield shape.area() + i

async def coroutine(Shape shape):
    return shape.area()

def reassigned(first, second):
    cdef Shape shape = first
    cdef double area = shape.area()
    try:
        shape = second
    except TypeError:
        return area, shape.area(), "kept"
    return area, shape.area()

def exchanged(a, b):
    cdef Shape s, t
    s, t = a, b
    t, s = s, t
    return s.area(), t.area()

def half_assigned(a, b):
    """The second value is refused; nothing is assigned."""
    cdef Shape s = a, t = a
    try:
        s, t = b, 3
    except TypeError:
        return s.label(), t.label()

def assigned_beside_a_call(a, b):
    cdef Shape s = a
    s, label = b, s.label()
    return label, s.label()

def unbound(obj):
    cdef Shape shape
    if obj is not None:
        shape = Shape(obj)
    return shape.area()

def deleted(obj, int times):
    cdef Shape shape = obj
    for _ in range(times):
        del shape
    return shape.area()

def inferred(obj):
    shape = Shape.of(obj)
    if shape is None:
        return None
    return shape.area()

cdef double optional(int n, Shape shape=None) except? -1:
    return n if shape is None else n * shape.area()

def with_optional(obj):
    return optional(2), optional(2, obj)

def changing(Shape shape, obj):
    """Calls a method, lets `obj()` change what it likes, and calls it again."""
    cdef double before = shape.area()
    obj()
    return before, shape.area()

cdef Shape kept = None

def keep(obj):
    global kept
    kept = obj
    return kept.area()

def python_view(Shape shape):
    return shape == shape, bool(shape), shape is None, [shape][0] is shape, shape.radius
