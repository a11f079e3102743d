# cython: freethreading_compatible=True
# Fields that are Python objects, and fields that Python sees.
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef struct Point:
    int x
    double y

cdef class Tag:
    cdef public object of
    cdef object __weakref__

cdef class Labelled(extensibletype):
    """Has fields of all kinds."""
    cdef public str label
    cdef public list names
    cdef readonly object token
    cdef public Tag tag
    cdef object hidden
    cdef public long number
    cdef public const char *text
    cdef public Point point
    cdef public int array[3]
    cdef readonly double ratio
    cdef long secret

# Derives from another metaclass with fields, and adds its own.
cdef class Deeper(Labelled):
    cdef public object extra
    cdef public short small

@customslots.metaclass(Labelled, label="first", names=["a", "b"], token=(1, 2), hidden=None,
                       number=7, text=b"literal", point={"x": 1, "y": 2.5}, ratio=0.5, secret=3)
cdef class Base: pass

@customslots.metaclass(Labelled, label="second", number=8)
cdef class Second(Base): pass

cdef class Inheriting(Second): pass

@customslots.metaclass(Deeper, extra={"k": 1}, small=5, label="deep")
cdef class Deep(Base): pass

class Mixin:
    __slots__ = ()

# Two bases: made in the module body.
@customslots.metaclass(Labelled, label="several", number=9)
cdef class Several(Base, Mixin): pass

def all_of(cls):
    cdef Labelled c = cls
    return (c.label, c.names, c.token, c.tag, c.hidden, c.number, c.text, c.point.x,
            [c.array[0], c.array[1], c.array[2]], c.ratio, c.secret)
