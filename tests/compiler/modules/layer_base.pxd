# Classes that other modules derive from: decorated where they are declared.
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

ctypedef struct Point:
    int x
    double y

cdef double twice(double x) noexcept
cdef double half(double x) noexcept
cdef long exported

cdef class GreetType(extensibletype):
    cdef const char *sentence
    cdef long counter
    cdef double (*func)(double) noexcept
    cdef Point point

@customslots.metaclass(GreetType, sentence=b"Hello", counter=3 + 4, func=twice,
                       point={"x": 1, "y": 2.5})
cdef class Greet:
    cdef str name
    cdef long ping(self, long x) except? -1
    cdef double scale(self, double x, unsigned int n=*) noexcept nogil
    cpdef greet(self)
