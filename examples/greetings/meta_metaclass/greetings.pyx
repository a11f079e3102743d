# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""7. A metaclass for each greeting; the C field is in the metaclass.

A Python subclass gets its base's metaclass, and with it the sentence:
Py_TYPE(Py_TYPE(self))->sentence.  The price is two type objects for each class
(Intersec measured 30 % more memory and gave it up).
"""

cdef extern from "greetings.h":
    ctypedef struct greeting_class:
        const char *name
        const char *sentence
    const greeting_class greetings[]


cdef class GreetMetaType(type):
    cdef const char *sentence


cdef class Greet:
    cdef str _name

    def __init__(self, name: str = "World"):
        self._name = name

    def greet(self) -> str:
        cdef GreetMetaType metacls = type(type(self))
        return f"{metacls.sentence.decode('utf-8')} {self._name}!"


cdef int i = 0
while greetings[i].name != NULL:
    _name = greetings[i].name.decode("utf-8")
    # A metaclass for this greeting alone ...
    _metacls = GreetMetaType.__new__(
        GreetMetaType, _name + "Type", (type,), {"__module__": "greetings"})
    (<GreetMetaType>_metacls).sentence = greetings[i].sentence
    # ... and the class made with it.
    _cls = _metacls.__new__(_metacls, _name, (Greet,), {"__module__": "greetings"})
    globals()[_name] = _cls
    i += 1
