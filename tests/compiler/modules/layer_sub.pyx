# cython: freethreading_compatible=True
# Classes derived from those of another module, and values that come from it.
from cython_customslots cimport metaclass, slot, PyCustomSlots_ID
cimport layer_base
from layer_base cimport Greet, GreetType, twice, half, exported

cdef class Loud(Greet):
    cdef int extra
    cdef long ping(self, long x) except? -1:
        return x + 100
    cpdef greet(self):
        return Greet.greet(self).upper() + "!"
    cdef object more(self, float x, signed char y, void *z):
        return None

cdef class MyMeta(GreetType):
    cdef double ratio
    cdef double (*late)(double) noexcept
    cdef long number

cdef double five() noexcept: return 5

# `func`, `late` and `number` are not known before C functions are imported.
@slot(PyCustomSlots_ID(1, 20, 0), pointer=half, position=3)
@slot(PyCustomSlots_ID(1, 21, 0), flags=21)
@metaclass(MyMeta, ratio=2.5, counter=99, func=layer_base.half, late=&twice,
           number=layer_base.exported + 1)
cdef class Deep(Loud):
    cpdef greet(self):
        return "deep"

cdef class Child(Deep): pass

@metaclass(MyMeta, number=1, func=twice)
cdef class OwnNumber(Child): pass

cdef class GrandChild(OwnNumber): pass

class Mixin:
    __slots__ = ()

@slot(PyCustomSlots_ID(1, 22, 0), pointer=<void *>&twice)
@metaclass(MyMeta, ratio=1.25, late=half)
cdef class Multi(Greet, Mixin): pass

def my_fields(cls):
    """(ratio, late(4), number, func(4)) of a class whose metaclass is MyMeta."""
    cdef MyMeta meta = cls
    return meta.ratio, meta.late(4) if meta.late is not NULL else None, meta.number, meta.func(4)

def pointers():
    return {"twice": <size_t><void *>twice, "half": <size_t><void *>half}

def ping_from_outside(Greet greet, long x):
    return greet.ping(x)
