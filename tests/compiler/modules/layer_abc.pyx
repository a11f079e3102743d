# cython: freethreading_compatible=True
# Classes that are extensible and abstract base classes.
import abc
from abc import ABCMeta, abstractmethod

cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef class Meta(extensibletype):
    cdef public long level
    cdef public object label

@customslots.extensible(metaclass=ABCMeta)
@customslots.slot(customslots.PyCustomSlots_ID(1, 40, 0), flags=40)
cdef class Shape:
    def area(self):
        return 1

cdef class Square(Shape): pass

@customslots.metaclass(Meta, level=4, label="round")
cdef class Circle(Shape): pass

@customslots.extensible(metaclass=abc.ABCMeta)
@customslots.metaclass(Meta, level=5)
cdef class Both: pass

@customslots.extensible(metaclass=ABCMeta)
cdef class Abstract:
    @abstractmethod
    def must(self):
        raise NotImplementedError

cdef class Concrete(Abstract):
    def must(self):
        return "did"

def level(cls):
    return (<Meta>cls).level
