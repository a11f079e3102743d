# cython: freethreading_compatible=True, language_level=3
# Every kind of cdef class.  test_class_kinds.py compiles this text several times: as it
# is, with --extend-all, and with a field and a slot for each class below a line "#@ VALUE".
# What stands behind "#cpp" is for C++ only, behind "#3.2" for Cython 3.2 and later.
cimport cython
from cython cimport dataclasses
cimport kinds_foreign
from kinds_foreign cimport Foreign
#cpp from libcpp.vector cimport vector
#cpp from libcpp.string cimport string
#fields cimport cython_customslots as customslots
#fields from cython_customslots.provider cimport extensibletype

#fields cdef class KindType(extensibletype):
#fields     cdef public long level
#fields     cdef public object note
#fields def level_of(it): return (<KindType>type(it)).level
#fields def note_of(it): return (<KindType>type(it)).note

log = []


#@ 3
@cython.freelist(4)
cdef class Pooled:
    cdef public object it
    def __init__(self, it=None): self.it = it
cdef class UnderPooled(Pooled):
    cdef public object more
#@ 4
@cython.no_gc
cdef class NoCollector:
    cdef public object it
#@ 5
@cython.no_gc_clear
cdef class NoClear:
    cdef public object it
    def __dealloc__(self): log.append(("NoClear", self.it is not None))
#@ 6
@cython.final
cdef class Final:
    cdef public int x
    cdef int c_method(self): return self.x
    def call(self): return self.c_method()
#@ 7
@cython.internal
cdef class Internal:
    cdef public int x
def internal(): return Internal()
#@ 10
#3.2 @cython.collection_type("sequence")
cdef class Sequence:
    def __len__(self): return 2
    def __getitem__(self, index):
        if isinstance(index, slice): return index.indices(2)
        if not -2 <= index < 2: raise IndexError(index)
        return index + 10
    def __contains__(self, it): return it == 10
    def __iter__(self): return iter((10, 11))

#@ 12
cdef class Pickled:
    cdef int a
    cdef public object b
    cdef double c[2]
    cdef dict __dict__
    def __init__(self, a=0, b=None): self.a, self.b, self.c = a, b, [a, a + 1]
    def values(self): return self.a, self.b, self.c[0], self.c[1]
@cython.auto_pickle(True)
cdef class UnderPickled(Pickled):
    cdef public bint more
#@ 13
@cython.auto_pickle(False)
cdef class Unpicklable:
    cdef int a
    def __cinit__(self): self.a = 1
#@ 15
@dataclasses.dataclass(order=True)
cdef class Data:
    a: int
    b: str = "b"
    c: list = dataclasses.field(default_factory=list, compare=False)
#@ 16
@dataclasses.dataclass(frozen=True)
cdef class Frozen:
    a: int

#@ 17
cdef class Life:
    cdef public object it
    cdef readonly str name
    def __cinit__(self, *args, **kwargs):
        self.name = "life"
        log.append("Life.__cinit__")
        if args == ("fail",): raise ValueError("fail")
    def __init__(self, *args): log.append("Life.__init__")
    def __dealloc__(self): log.append("Life.__dealloc__")
#@ 18
cdef class Longer(Life):
    def __cinit__(self): log.append("Longer.__cinit__")
    def __del__(self): log.append("Longer.__del__")
    def __dealloc__(self): log.append("Longer.__dealloc__")
#@ 19
cdef class Empty: pass
#@ 20
cdef class Referenced:
    cdef object __weakref__
    cdef public list items
    cdef public Other other
#@ 21
cdef class Other:
    cdef public Referenced back
#@ 34
cdef class List(list):
    cdef public int extra
    def first(self): return self[0] if self else None
#@ 35
cdef class Dict(dict):
    cdef public object extra
    def __missing__(self, key): return f"no {key}"
#@ 47
cdef class Bytes(bytearray):
    cdef public int extra
#@ 39
cdef class UnderForeign(Foreign):
    cdef public int extra
    cdef long doubled(self): return 200 + self.number
cdef class Deeper(UnderForeign):
    cpdef long tripled(self): return 300 + self.doubled()
def call_doubled(Foreign it): return kinds_foreign.Foreign.doubled(it), it.doubled(), it.tripled()
cdef extern from "datetime.h":
    ctypedef class datetime.date [object PyDateTime_Date]: pass
#@ 40
cdef class Date(date):
    cdef public int extra
#cpp #@ 47
#cpp cdef class Cpp:
#cpp     cdef vector[int] numbers
#cpp     cdef public string text
#cpp     def __cinit__(self): self.numbers.push_back(5); self.text = b"text"
#cpp     def total(self): return self.numbers.size(), self.numbers[0]
