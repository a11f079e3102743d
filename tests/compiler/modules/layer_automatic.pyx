# cython: freethreading_compatible=True
# Compiled with --extend-all: no decorators, but as many kinds of classes as possible.
import cython
from cython cimport dataclasses
from layer_automatic_foreign cimport Foreign

cdef class Plain:
    cdef public int x
    cdef object __weakref__
    def __init__(self, x=0): self.x = x
    cdef int c_method(self): return self.x
    def __add__(self, other): return Plain(self.x + other.x)

cdef class Derived(Plain):
    cdef dict __dict__

@cython.freelist(4)
cdef class Pooled:
    cdef object it
    def __cinit__(self, it): self.it = it

@cython.final
@cython.internal
cdef class Internal:
    cdef int x

@dataclasses.dataclass
cdef class Data:
    a: int
    b: str = "b"

cdef class Error(Exception):
    cdef public int code

cdef class Dictionary(dict):
    cdef int extra

cdef class List(list):
    pass

cdef class Meta(type):
    cdef int level

cdef class Iterator:
    cdef int left
    def __init__(self, n): self.left = n
    def __iter__(self): return self
    def __next__(self):
        if self.left == 0: raise StopIteration
        self.left -= 1
        return self.left

cdef class Buffer:
    cdef char data[4]
    def __getbuffer__(self, Py_buffer *buffer, int flags):
        buffer.buf = <void *>self.data
        buffer.format = NULL
        buffer.internal = NULL
        buffer.itemsize = 1
        buffer.len = 4
        buffer.ndim = 1
        buffer.obj = self
        buffer.readonly = 0
        buffer.shape = NULL
        buffer.strides = NULL
        buffer.suboffsets = NULL
    def __releasebuffer__(self, Py_buffer *buffer): pass

cdef public class Public [object LayerPublicObject, type LayerPublicType]:
    cdef int x

cdef api class Api [object LayerApiObject, type LayerApiType]:
    cdef int x

# What derives from a class whose metaclass has nothing to do with ours stays plain.
class Mixin:
    __slots__ = ()
cdef class UnderForeign(Foreign, Mixin):
    cdef int y
cdef public class PublicUnderForeign(Foreign) [object LayerForeignObject, type LayerForeignType]:
    cdef int y

def closure(n):
    def inner(m): return n + m
    return inner

def generator(n):
    for i in range(n): yield i

def total(double[:] view):
    cdef double result = 0
    for i in range(view.shape[0]): result += view[i]
    return result

def internal(): return Internal()

def call_c_method(Plain plain): return plain.c_method()

def name_of(type t): return t.__name__
