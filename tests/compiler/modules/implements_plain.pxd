# The public declarations of an existing package: nothing of ours.
cdef class Disc:
    cdef double radius
    cdef double area(self) noexcept nogil
    cdef double scale(self, double factor) except? -1
    cpdef str label(self)
