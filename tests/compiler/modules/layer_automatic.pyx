# cython: freethreading_compatible=True
# Compiled with --extend-all: no decorators, but as many kinds of classes as possible.
import cython
from layer_automatic_foreign cimport Foreign

cdef class Plain:
    cdef public int x
    cdef object __weakref__
    def __init__(self, x=0): self.x = x
    cdef int c_method(self): return self.x

cdef class Derived(Plain):
    cdef dict __dict__

@cython.final
@cython.internal
cdef class Internal:
    cdef int x

cdef class Error(Exception):
    cdef public int code

cdef class Meta(type):
    cdef int level

# What derives from a class whose metaclass has nothing to do with ours stays plain.
class Mixin:
    __slots__ = ()
cdef class UnderForeign(Foreign, Mixin):
    cdef int y
cdef public class PublicUnderForeign(Foreign) [object LayerForeignObject, type LayerForeignType]:
    cdef int y

def generator(n):
    for i in range(n): yield i

def internal(): return Internal()
