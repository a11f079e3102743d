# SPDX-License-Identifier: MIT
# cython: language_level=3
"""cdef classes that differ only in what their type objects carry, and one that has a hook."""
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype


cdef class Plain:
    cdef long number

    def c_method(self):
        pass


@customslots.slot(customslots.PyCustomSlots_ID(1, 0xBE05, 0), flags=1)
cdef class SlotProvider:
    cdef long number

    def c_method(self):
        pass


cdef class FieldType(extensibletype):
    cdef const char *sentence
    cdef long number


@customslots.metaclass(FieldType, sentence=b"Hello", number=7)
cdef class FieldProvider:
    cdef long number

    def c_method(self):
        pass


cdef class Hooked(SlotProvider):
    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
