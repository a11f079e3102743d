# cython: freethreading_compatible=True
# Objects that can be called: @callable above a C method.
cimport cython
cimport cython_customslots as customslots
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedMethod_CALLER, PyTypedMethod_Parse)
from libc.stdint cimport uint64_t

call = PyTypedMethod_CALLER("f8(f8)")

def total(f, int n):
    """f(0) + f(1) + ..., as any consumer gets it."""
    cdef PyTypedCallable held
    cdef uint64_t signature
    cdef double result = 0
    cdef int i
    PyTypedMethod_Parse(b"f8(f8)", &signature)
    PyTypedCallable_Init(&held, f, signature)
    try:
        for i in range(n):
            result += call(&held, i)
    finally:
        PyTypedCallable_Clear(&held)
    return result

cdef class Line:
    cdef public double factor

    def __init__(self, factor=1):
        self.factor = factor

    @customslots.callable
    cdef double at(self, double x) noexcept nogil:
        return self.factor * x

cdef class Shifted(Line):
    cdef double at(self, double x) noexcept nogil:
        return self.factor * x + 1

cdef class Again(Line):
    @customslots.callable
    cdef double at(self, double x) noexcept nogil:
        return self.factor * x + 2

cdef class OwnCall(Line):
    def __call__(self, x):
        return -1.0

cdef class Declared:
    def __init__(self, factor):
        self.factor = factor

    @customslots.callable
    cdef double at(self, double x) noexcept nogil:
        return self.factor * x

@cython.final
cdef class Final:
    @customslots.callable
    cdef double at(self, double x) except? -1:
        if x < 0:
            raise ValueError(f"found {x}, expected 0 or more")
        return x / 2

cdef class Objects:
    cdef list seen

    @customslots.callable
    cdef void note(self, object value, Line line=None) except *:
        if self.seen is None:
            self.seen = []
        self.seen.append((value, line))

    def notes(self):
        return self.seen

cdef class Dispatched:
    @customslots.callable
    cpdef double at(self, double x):
        return x

cdef class Wider(Line):
    @customslots.callable
    cdef double at(self, double x, double y=2) noexcept nogil:
        return x + y

cdef class Deeper(Wider):
    @customslots.callable
    cdef double at(self, double x, double y=2) noexcept nogil:
        return x + y + 1

@cython.final
cdef class FinalLine(Line):
    @customslots.callable
    cdef double at(self, double x) noexcept nogil:
        return x + 5
