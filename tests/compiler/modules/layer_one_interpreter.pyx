# cython: language_level=3, freethreading_compatible=True
# customslots: extend_all=True
"""What a module with static types can have, for the one interpreter that imports it."""
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef class Meta(extensibletype):
    cdef public int number
    cdef public object label

@customslots.interface(b"layer_one_interpreter.Shape")
cdef class Shape:
    cpdef double area(self) except? -1

@customslots.metaclass(Meta, number=5, label=["label"])
@customslots.slot(b"layer_one_interpreter.answer", flags=42)
cdef class Base:
    cdef int c_method(self): return 1
    def method(self): return self.c_method()

cdef class Derived(Base):
    cdef int c_method(self): return 2

cdef class Square(Shape):
    cdef double side
    def __init__(self, side): self.side = side
    cpdef double area(self) except? -1: return self.side * self.side

cdef class Plain:
    cdef public object x

def area(Shape shape): return shape.area()

def find(obj, bytes name):
    cdef const customslots.PyCustomSlot *slot = customslots.PyCustomSlots_FindAny(
        obj, customslots.PyCustomSlots_Intern(name), 0)
    return None if slot is NULL else slot.data.flags
