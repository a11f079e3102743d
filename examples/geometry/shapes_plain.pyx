# cython: language_level=3
"""Triangles, and a consumer, in Cython as it comes, by the generated .pxd."""
from geometry_plain cimport (
    geometry_Shape_area, geometry_Shape_Cast, geometry_Shape_Init, geometry_Shape_Provided,
    geometry_Shape_Ref, geometry_Shape_Register, geometry_Shape_Release)


cdef class Triangle:
    cdef double base, height

    def __init__(self, double base, double height):
        self.base, self.height = base, height


cdef double area(object self) noexcept nogil:
    return (<Triangle>self).base * (<Triangle>self).height / 2


cdef int scale(object self, double factor) except -1:
    (<Triangle>self).base *= factor
    (<Triangle>self).height *= factor
    return 0


cdef geometry_Shape_Provided triangle

geometry_Shape_Init()
triangle.functions.area = area
triangle.functions.scale = scale
geometry_Shape_Register(Triangle, &triangle)


def total_area(shapes):
    cdef geometry_Shape_Ref ref
    cdef double total = 0
    for shape in shapes:
        geometry_Shape_Cast(shape, &ref)
        total += geometry_Shape_area(ref)
        geometry_Shape_Release(&ref)
    return total
