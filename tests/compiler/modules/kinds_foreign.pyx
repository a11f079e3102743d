# cython: freethreading_compatible=True, language_level=3
cdef class Foreign:
    def __init__(self, number=1): self.number = number
    cdef long doubled(self): return 2 * self.number
    cpdef long tripled(self): return 3 * self.number

def call_doubled(Foreign it): return it.doubled()
