# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""4. The C field stands in the type object itself: Py_TYPE(self)->sentence.

The metaclass GreetType is a cdef class, so its instances, which are classes, have
C fields.  One load more than a field of the instance, and no look-up.
"""

cdef extern from "greetings.h":
    ctypedef struct greeting_class:
        const char *name
        const char *sentence
    const greeting_class greetings[]


cdef class GreetType(type):
    cdef const char *sentence


cdef class Greet:
    cdef str _name

    def __init__(self, name: str = "World"):
        self._name = name

    def greet(self) -> str:
        cdef GreetType cls = type(self)
        return f"{cls.sentence.decode('utf-8')} {self._name}!"


cdef int i = 0
while greetings[i].name != NULL:
    _name = greetings[i].name.decode("utf-8")
    _cls = GreetType.__new__(GreetType, _name, (Greet,), {"__module__": "greetings"})
    (<GreetType>_cls).sentence = greetings[i].sentence
    globals()[_name] = _cls
    i += 1
