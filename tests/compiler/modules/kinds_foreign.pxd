# A class of another module, which was compiled by plain Cython.
cdef class Foreign:
    cdef public long number
    cdef long doubled(self)
    cpdef long tripled(self)
