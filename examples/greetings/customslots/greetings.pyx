# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""8. Ours: the C field stands in the type object, and subclasses inherit its value.

The decorator gives the static class Greet a type object with room for GreetType's
fields and fills them in.  Whatever is derived from it, in C, in Cython or in Python,
starts with the values of its base, before any of its own code runs.  A read stays
Py_TYPE(self)->sentence.
"""
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef extern from "greetings.h":
    ctypedef struct greeting_class:
        const char *name
        const char *sentence
    const greeting_class greetings[]


cdef class GreetType(extensibletype):
    cdef const char *sentence


@customslots.metaclass(GreetType, sentence=b"Good day")
cdef class Greet:
    cdef str _name

    def __init__(self, name: str = "World"):
        self._name = name

    def greet(self) -> str:
        return f"{(<GreetType>type(self)).sentence.decode('utf-8')} {self._name}!"


# A class known at compile time brings its sentence along ...
@customslots.metaclass(GreetType, sentence=b"Good night")
cdef class GoodNight(Greet):
    pass


# ... and those known only to the C library are made from its array.
cdef int i = 0
while greetings[i].name != NULL:
    _name = greetings[i].name.decode("utf-8")
    _cls = GreetType(_name, (Greet,), {"__module__": "greetings"})
    (<GreetType>_cls).sentence = greetings[i].sentence
    globals()[_name] = _cls
    i += 1
