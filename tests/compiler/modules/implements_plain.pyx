# cython: freethreading_compatible=True
# An existing package whose class implements an interface without its .pxd telling of it.
cimport cython_customslots as customslots

@customslots.interface(b"tests.Sized")
cdef class Sized:
    cdef double area(self) noexcept nogil
    cpdef str label(self)

@customslots.interface(b"tests.Scaled")
cdef class Scaled:
    cdef double scale(self, double factor) except? -1

@customslots.implements(Sized, Scaled)
cdef class Disc:
    def __init__(self, radius):
        self.radius = radius

    cdef double area(self) noexcept nogil:
        return 3 * self.radius * self.radius

    cdef double scale(self, double factor) except? -1:
        self.radius *= factor
        return self.radius

    cpdef str label(self):
        return f"disc {self.radius}"

def area_of(Sized sized):
    return sized.area()

def scaled(Scaled thing, double factor):
    return thing.scale(factor)

def label_of(Disc disc):
    cdef Sized sized = disc                     # known here, so no test
    return sized.label()
