from cython_customslots.provider cimport extensibletype

cdef class HookMeta(extensibletype):
    cdef public int level

cdef class Hooked:
    cdef int number
