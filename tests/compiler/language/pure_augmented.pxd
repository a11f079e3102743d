# The declarations, and the decorators that other modules must know, of pure_augmented.py.
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype

@cs.slot(0x7F000401, pointer=negative)
@cs.metaclass(Meta, number=DEFAULT, other=Other)
cdef class Augmented:
    cdef int second
    cpdef int method(self)

@cs.extensible
cdef class Other:
    cdef int x

cdef enum:
    DEFAULT = 12

cdef double negative(double x) noexcept

cdef class Meta(extensibletype):
    cdef public long number
    cdef object other
