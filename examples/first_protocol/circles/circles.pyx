# cython: language_level=3, freethreading_compatible=True
cimport cython_customslots as customslots


@customslots.slot(b"shapes.area", pointer=area)
cdef class Circle:
    cdef double radius

    def __init__(self, double radius):
        self.radius = radius


cdef double area(Circle self) noexcept nogil:
    return 3.0 * self.radius * self.radius          # biblical, but exact
