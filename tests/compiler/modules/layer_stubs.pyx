# cython: language_level=3
# distutils: language = c++
# SPDX-License-Identifier: MIT
"""What a stub has to say: fields of all kinds that Python sees, and signatures however they are known."""
from abc import ABCMeta, abstractmethod

cimport cython
from libcpp.map cimport map
from libcpp.string cimport string
from libcpp.vector cimport vector

cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

VERSION = "1.0"
LIMITS = (1, 2)
cdef class PluginType(extensibletype):
    cdef public int priority
    cdef public list tags
    cdef public double weight
    cdef public bint active
    cdef public object owner
    cdef public vector[double] weights
    cdef public map[string, int] counts
    cdef readonly long size
    cdef readonly str title
    cdef int hidden


cdef class ToolType(PluginType):
    cdef public str label
    cdef public Thing thing


cdef class Thing:
    cdef public int number

    def __len__(self):
        return 3

    def __eq__(self, other):
        return self is other


@customslots.metaclass(PluginType, priority=5, tags=[], size=4, title="plugin")
cdef class Plugin:
    """A plugin."""
    limit = 3

    def run(self, int times, *rest, name: str = "x", **more) -> list[str]:
        """Run it."""
        return []

    cpdef double area(self, double radius):
        return radius

    @classmethod
    def make(cls, count: int = 0) -> Plugin:
        return cls()

    @staticmethod
    def help(topic, /):
        return topic

    @property
    def state(self) -> str:
        return ""


class Urgent(Plugin, priority=10):
    def __init_subclass__(cls, *, level: int = 0, **keywords):
        super().__init_subclass__(**keywords)

    class Inner:
        size = 3


@customslots.metaclass(ToolType, label="tool")
cdef class Tool(Plugin): pass


@customslots.extensible(metaclass=ABCMeta)
@customslots.metaclass(PluginType, priority=1)
cdef class Shape:
    @abstractmethod
    def draw(self) -> None:
        raise NotImplementedError


@cython.embedsignature(True)
def embedded(int a, list b=None, *, double c=0.5, str d not None="x, y") -> str:
    """Says it."""
    return ""


cpdef long typed_function(long number, double ratio):
    return number


cpdef double scaled(double number, double factor=2.0) except? -1.0:
    return number * factor


cpdef enum Colour:
    RED = 1
    GREEN
