# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# Python classes derive from several of these: cython#4350, #4646.
cimport cython_customslots as customslots

@customslots.extensible
cdef class Base:
    cdef int value
    cdef double at(self, double x): return -x
    def twice(self): return 2 * self.at(1)

cdef class Better(Base):
    cdef double at(self, double x): return x / 2
    def twice(self): return 2 * self.at(1)

cdef class Best(Better):
    cdef double at(self, double x): return 100 * x

cdef class BelowBetter(Better):
    def name(self): return "nothing in C"

cdef class Other(Base):
    cpdef str new(self): return "Other"

cdef class Larger(Base):
    cdef object kept
    cpdef str own(self): return "Larger"

cdef class Bare(Base):
    def name(self): return "nothing in C"

made, freed = [], []
cdef class Counted(Base):
    def __cinit__(self): made.append(1)
    def __dealloc__(self): freed.append(1)
    cdef double at(self, double x): return 7

def at(Base base, double x): return base.at(x)
def new(Other other): return other.new()
def set_value(Base base, int value): base.value = value
def value(Base base): return base.value
