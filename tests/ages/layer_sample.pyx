# cython: language_level=3, freethreading_compatible=True
# A module for each age (layer_ages.py, which says what NUMBER and NAME are): a provider, a consumer,
# a metaclass with fields, and a typed function.  They know of each other what they find.
from abc import ABCMeta, abstractmethod
cimport cython_customslots as customslots
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_call_f8_f8, PyTypedCallable_Clear, PyTypedCallable_Init,
    PyTypedCallable_IsTyped, PyTypedMethod_F8, PyTypedMethod_SIG)

cdef int number = NUMBER

cdef class Meta(extensibletype):
    pass

@customslots.slot(customslots.PyCustomSlots_Intern("ages.number"), pointer=&number)
@customslots.slot(customslots.PyCustomSlots_ID(1, 950, 0), flags=NUMBER)
cdef class Shape:
    def __cinit__(self):
        self.sides = 4
    cdef int around(self, int side) except -1:
        return self.sides * side

@customslots.slot(customslots.PyCustomSlots_Intern("ages.number"), pointer=&number)
cdef class Mark:
    """Has no C data: a base beside others."""

cdef class Gauge(Measured):
    cdef int measure(self) noexcept nogil:
        return NUMBER
    cpdef str named(self):
        return "NAME"

class Mixin:
    __slots__ = ()

# Two bases, and a metaclass of Python's: made in the module body.
@customslots.slot(customslots.PyCustomSlots_ID(1, 950, 0), flags=NUMBER + 3)
@customslots.metaclass(Meta, level=NUMBER + 3)
cdef class Several(Shape, Mixin):
    pass

@customslots.slot(customslots.PyCustomSlots_Intern("ages.number"), pointer=&number)
@customslots.extensible(metaclass=ABCMeta)
cdef class Abstract:
    @abstractmethod
    def run(self):
        raise NotImplementedError


# ------------------------------------------------------------------------ metaclass

def fields(cls):
    cdef Meta meta = cls
    return meta.level, meta.note

def around(Shape shape, int side):
    return shape.around(side)


# ------------------------------------------------------------------------- consumer

cdef object values(const customslots.PyCustomSlot *first, const customslots.PyCustomSlot *second):
    return (None if first is NULL else (<int *>first.data.pointer)[0],
            None if second is NULL else second.data.flags)

def slots(cls):
    """What two slots of any class say; None: it has not that one."""
    return values(
        customslots.PyCustomSlots_FindType(cls, customslots.PyCustomSlots_Intern("ages.number"), 0),
        customslots.PyCustomSlots_FindType(cls, customslots.PyCustomSlots_ID(1, 950, 0), 1))

def find(thing):
    """The same of any object."""
    return values(
        customslots.PyCustomSlots_Find(thing, customslots.PyCustomSlots_Intern("ages.number"), 0),
        customslots.PyCustomSlots_Find(thing, customslots.PyCustomSlots_ID(1, 950, 0), 1))


def measured(Measured thing not None):
    return thing.measure(), thing.named()


# ------------------------------------------------------------------- typed functions

cpdef double times(double x) noexcept nogil:
    return NUMBER * x

def call(function, double x):
    """(function(x), was it its C function that was called?)"""
    cdef PyTypedCallable f
    PyTypedCallable_Init(&f, function, PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8))
    try:
        return PyTypedCallable_call_f8_f8(&f, x), bool(PyTypedCallable_IsTyped(&f))
    finally:
        PyTypedCallable_Clear(&f)
