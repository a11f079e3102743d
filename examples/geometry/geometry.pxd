cimport cython_customslots as customslots


@customslots.interface(b"geometry.Shape")
cdef class Shape:
    """A figure of the plane."""
    cdef double area(self) noexcept nogil
    cdef int scale(self, double factor) except -1


@customslots.interface(b"geometry.Region")
cdef class Region:
    """A set of points."""
    cdef bint contains(self, double x, double y) noexcept nogil


@customslots.interface(b"geometry.Labelled")
cdef class Labelled:
    """What has a name to be shown."""
    cpdef str label(self)
