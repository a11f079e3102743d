# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""6. A NULL sentence means: look for it in the bases.

Safe, but each read is a test, and for a Python subclass a walk along the MRO
with Python objects in it.
"""

cdef extern from "greetings.h":
    ctypedef struct greeting_class:
        const char *name
        const char *sentence
    const greeting_class greetings[]


cdef class GreetType(type):
    cdef const char *sentence


cdef inline const char *_get_sentence(GreetType cls) except NULL:
    """The sentence of the nearest class in the MRO that has one."""
    if cls.sentence != NULL:
        return cls.sentence
    for parent in (<object>cls).__mro__:
        if isinstance(parent, GreetType) and (<GreetType>parent).sentence != NULL:
            return (<GreetType>parent).sentence
    raise TypeError("No greeting sentence found in MRO")


cdef class Greet:
    cdef str _name

    def __init__(self, name: str = "World"):
        self._name = name

    def greet(self) -> str:
        return f"{_get_sentence(type(self)).decode('utf-8')} {self._name}!"


cdef int i = 0
while greetings[i].name != NULL:
    _name = greetings[i].name.decode("utf-8")
    _cls = GreetType.__new__(GreetType, _name, (Greet,), {"__module__": "greetings"})
    (<GreetType>_cls).sentence = greetings[i].sentence
    globals()[_name] = _cls
    i += 1
