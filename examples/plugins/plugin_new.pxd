# The interface as it is now: a method was appended.
cimport cython_customslots as customslots


@customslots.interface(b"editor.Plugin")
cdef class Plugin:
    """Changes a text."""
    cpdef str apply(self, str text)
    cdef int cost(self) noexcept
