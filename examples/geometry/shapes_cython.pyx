# cython: language_level=3
"""Circles, and a consumer, in Cython with the compiler layer."""
from geometry cimport Labelled, Region, Shape


cdef class Circle(Shape, Region, Labelled):
    cdef double radius

    def __init__(self, double radius):
        self.radius = radius

    cdef double area(self) noexcept nogil:
        return 3.141592653589793 * self.radius * self.radius

    cdef int scale(self, double factor) except -1:
        if factor < 0:
            raise ValueError(f"found factor {factor}, expected none below 0")
        self.radius *= factor
        return 0

    cdef bint contains(self, double x, double y) noexcept nogil:
        return x * x + y * y <= self.radius * self.radius

    cpdef str label(self):
        return f"circle of {self.radius:g}"


def total_area(shapes):
    cdef Shape shape
    cdef double total = 0
    for shape in shapes:
        total += shape.area()
    return total


def scale(Shape shape not None, double factor):
    shape.scale(factor)


def describe(obj):
    """What is known of an object, by the interfaces that it implements."""
    cdef Labelled labelled = Labelled.of(obj)
    cdef Region region = Region.of(obj)
    words = [labelled.label() if labelled is not None else type(obj).__name__]
    if region is not None:
        words.append("around the origin" if region.contains(0, 0) else "elsewhere")
    return ", ".join(words)
