# cython: language_level=3, freethreading_compatible=True
# Derives from the class and the metaclass of PROVIDER, a module of another age (layer_ages.py).
cimport cython_customslots as customslots
from PROVIDER cimport Meta, Shape

cdef class More(Meta):
    cdef public int extra

@customslots.slot(customslots.PyCustomSlots_ID(1, 950, 0), flags=NUMBER)
@customslots.metaclass(More, level=NUMBER, extra=NUMBER + 1)
cdef class Triangle(Shape):
    def __cinit__(self):
        self.sides = 3
    cdef int around(self, int side) except -1:
        return self.sides * side

def extra(cls):
    cdef More meta = cls
    return meta.level, meta.note, meta.extra

def around(Shape shape, int side):
    return shape.around(side)
