# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""2. What belongs to the class stands in a C variable of the module.

As fast as can be, but one class has to be written for each greeting: the classes
cannot be made from the C array.
"""

cdef extern from "greetings.h":
    ctypedef struct greeting_class:
        const char *name
        const char *sentence
    const greeting_class greetings[]


cdef const char *_hello_sentence = greetings[0].sentence


cdef class Hello:
    cdef str name

    def __init__(self, name: str = "World"):
        self.name = name

    def greet(self) -> str:
        return f"{_hello_sentence.decode('utf-8')} {self.name}!"
