# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# A provider whose methods Python may override, and who calls them.
cimport cython_customslots as customslots
from interface_shapes cimport Drawable, Point, Shape, Solid

cdef class Line(Drawable):
    cpdef int draw(self, list canvas) except -1:
        canvas.append("line")
        return len(canvas)
    cpdef double weight(self, double factor, Point at) except? -1:
        return factor * at.x
    cpdef Drawable next(self):
        return self

def draw(Drawable thing, list canvas):
    return thing.draw(canvas)

def weigh(Drawable thing, double factor):
    return thing.weight(factor, Point(2, 3))

def following(Drawable thing):
    return thing.next()

cdef class Holder:
    cdef Drawable held
    def __init__(self, Drawable thing):
        self.held = thing
    def draw(self, list canvas):
        return self.held.draw(canvas)

def value():
    return Shape

def one_of(obj):
    return isinstance(obj, (Shape, int)), isinstance(obj, (str, Solid))

def made(name, bases, namespace):
    class Made(Drawable):
        def draw(self, canvas):
            return 17
        def weight(self, factor, at):
            return 1
        def next(self):
            return None
    return Made

# Nothing is registered for it until a test does that.
@customslots.interface(b"tests.Late")
cdef class Late:
    cdef int number(self) noexcept nogil

cdef class Early(Late):
    cdef int number(self) noexcept nogil:
        return 5

def is_late(obj):
    return isinstance(obj, Late)

def seen(list objects):
    """How many of them are of the interface, asked in one go."""
    cdef int count = 0
    for obj in objects:
        count += isinstance(obj, Late)
    return count

def number(Late obj):
    return obj.number()
