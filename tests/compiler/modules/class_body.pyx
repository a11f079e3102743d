# cython: freethreading_compatible=True
# Values of fields in the bodies of classes.
cimport cython
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype
from typing import ClassVar

cdef class Meta(extensibletype):
    cdef public int weight
    cdef readonly str name
    cdef public object call, names
    cdef int hidden

cdef enum:
    HEAVY = 30

@customslots.metaclass(Meta, name="plain")
cdef class Plain:
    """Has a body."""
    weight = 8
    half = 4                            # an attribute like any other
    hidden = 3                          # so is this: Python does not see the field

    def read(self):
        return (<Meta>type(self)).weight, (<Meta>type(self)).hidden

cdef class Typed(Plain):
    weight: int = 9
    name: ClassVar[str] = "typed"
    call = lambda x: x + 1
    names = [str(n) for n in range(3)]

@cython.final
cdef class Final(Plain):
    weight = 13

cdef class Inheriting(Typed): pass

cdef class Constant(Typed):
    weight = HEAVY + 1

@customslots.metaclass(Meta, name="decorated", call=None)
cdef class Decorated(Typed):
    weight = 10

class Mixin:
    __slots__ = ()

cdef class Several(Plain, Mixin):
    weight = 11

@customslots.interface(b"class_body.Drawable")
cdef class Drawable:
    cdef int draw(self) noexcept

cdef class Drawn(Plain, Drawable):
    weight = 12
    cdef int draw(self) noexcept: return 5
