# The interface as it was in the first release.
cimport cython_customslots as customslots


@customslots.interface(b"editor.Plugin")
cdef class Plugin:
    """Changes a text."""
    cpdef str apply(self, str text)


@customslots.interface(b"editor.Undoable")
cdef class Undoable(Plugin):
    """What not every plug-in can do."""
    cpdef str undo(self, str text)
