# cython: language_level=3
"""A plug-in that was compiled for the first release."""
from plugin_old cimport Undoable


cdef class Shout(Undoable):
    cpdef str apply(self, str text):
        return text.upper()

    cpdef str undo(self, str text):
        return text.lower()
