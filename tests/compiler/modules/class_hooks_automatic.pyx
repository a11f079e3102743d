# customslots: extend_all=True
# cython: freethreading_compatible=True
# Derives, without a decorator, from a class whose hook is in another module.
from class_hooks cimport Hooked

cdef class Automatic(Hooked):
    label = "automatic"
