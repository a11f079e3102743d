cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef class HookMeta(extensibletype):
    cdef public int level

cdef class Hooked:
    cdef int number

@customslots.metaclass(HookMeta, level=5)
cdef class Declared:
    """Only the .pxd makes it extensible, and the next one."""
    cdef int number

@customslots.metaclass(HookMeta, level=6)
cdef class Both:
    """The .pyx says more."""
    cdef int number

@customslots.interface(b"hooks.Numbered")
cdef class Numbered:
    cdef int count(self) noexcept

cdef class Implementing(Numbered):
    cdef int count(self) noexcept
