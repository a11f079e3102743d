# What layer_sample.pyx offers to other modules; NUMBER is that of the module's age.
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef class Meta(extensibletype):
    cdef public int level
    cdef public object note
    cdef readonly int fixed

@customslots.interface(b"ages.Measured")       # each module has a copy of the declaration
cdef class Measured:
    cdef int measure(self) noexcept nogil
    cpdef str named(self)

@customslots.metaclass(Meta, level=NUMBER, note=["NAME"], fixed=1)
cdef class Shape:
    cdef int sides
    cdef int around(self, int side) except -1
