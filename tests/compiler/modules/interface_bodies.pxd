# SPDX-License-Identifier: MIT
# Interfaces some of whose methods have bodies.
cimport cython_customslots as customslots
from libc.math cimport sqrt

cdef struct Pair:
    double x, y

@customslots.interface(b"tests.Measured")
cdef class Measured:
    cdef double area(self) noexcept nogil
    cdef inline double side(self) noexcept nogil:
        """That of a square of this area."""
        return sqrt(self.area())
    cdef inline int check(self, double most) except -1:
        if self.side() > most:
            raise ValueError(f"found {self.side()}, expected {most} or less")
        return 0
    cdef inline Pair both(Measured this, Pair factors) except *:
        return Pair(this.area() * factors.x, this.side() * factors.y)
    cdef inline void fill(self, double *into) noexcept:
        into[0] = self.side()
        if into[0] > 100:
            raise OverflowError("too large")
    cpdef inline str label(self, str before):
        """What it is called."""
        return f"{before} {self.side()}"

@customslots.interface(b"tests.Heavy")
cdef class Heavy(Measured):
    cdef double density(self) noexcept nogil
    cdef inline double weight(self) noexcept nogil:
        return self.area() * self.density()

@customslots.interface(b"tests.Greeter")
cdef class Greeter:
    cpdef str name(self)
    cpdef inline str greet(self, str word):
        """Greets."""
        return ", ".join([word, self.name()])
    cdef inline int length(self) except -1:
        return len(self.name())

@customslots.interface(b"tests.LoudGreeter")
cdef class LoudGreeter(Greeter):
    cpdef inline str shout(self):
        return self.greet("HO").upper()
