cdef class Declared:
    cdef double factor
    cdef double at(self, double x) noexcept nogil
