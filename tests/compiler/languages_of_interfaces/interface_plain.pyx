# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# A consumer and a provider in plain Cython, by the generated .pxd.
from interface_shapes_plain cimport (
    tests_Shape_Cast, tests_Shape_Init, tests_Shape_Provided, tests_Shape_Ref,
    tests_Shape_Register, tests_Shape_Release, tests_Shape_area, tests_Shape_scale)

def total(tuple shapes):
    cdef double sum = 0
    cdef tests_Shape_Ref ref
    for shape in shapes:
        tests_Shape_Cast(shape, &ref)
        with nogil:
            sum += tests_Shape_area(ref)
        tests_Shape_Release(&ref)
    return sum

def scaled(shape, double factor):
    cdef tests_Shape_Ref ref
    tests_Shape_Cast(shape, &ref)
    try:
        return tests_Shape_scale(ref, factor)
    finally:
        tests_Shape_Release(&ref)

cdef class Triangle:
    cdef double height
    def __init__(self, height):
        self.height = height

cdef double area(object self) noexcept nogil:
    return (<Triangle>self).height

cdef double scale(object self, double factor) except? -1:
    (<Triangle>self).height *= factor
    return factor

cdef int is_larger(object self, object other, const double *limits) except -1:
    return (<Triangle>self).height > limits[0]

cdef object label(object self):
    return "triangle"

cdef tests_Shape_Provided triangle

tests_Shape_Init()
triangle.functions.area = area
triangle.functions.scale = scale
triangle.functions.is_larger = is_larger
triangle.functions.label = label
tests_Shape_Register(Triangle, &triangle)
