# cython: freethreading_compatible=True
# Derives from a class whose hook is in another module.
cimport cython_customslots as customslots
from class_hooks cimport Both, Hooked

@customslots.extensible
cdef class Derived(Hooked):
    label = "derived"

cdef class UnderDerived(Derived): pass

cdef class Further(Both):
    """Its metaclass is not cimported here."""
    level = 9
