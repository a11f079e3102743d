# cython: freethreading_compatible=True, language_level=3
# Every kind of cdef class.  test_class_kinds.py compiles this text several times: as it
# is, with --extend-all, and with a field and a slot for each class below a line "#@ VALUE".
# What stands behind "#cpp" is for C++ only, behind "#3.2" for Cython 3.2 and later, and behind
# "#static" not for heap types: for that class Cython writes a type spec that CPython refuses.
cimport cython
from cython cimport dataclasses
from cpython.ref cimport PyObject
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


# ------------------------------------------------------------------ directives
#@ 1
@cython.binding(True)
cdef class Bound:
    def method(self, int a, b=2):
        """Adds."""
        return a + b
    @staticmethod
    def static(a): return a
    @classmethod
    def of(cls, *args): return cls, args
#@ 2
@cython.binding(False)
cdef class Unbound:
    def method(self, int a, b=2): return a + b
    @staticmethod
    def static(a): return a
    @classmethod
    def of(cls, *args): return cls, args
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
#@ 8
@cython.trashcan(True)
cdef class Nested:
    cdef public object inner
def nested(n):
    result = None
    for _ in range(n):
        outer = Nested()
        outer.inner = result
        result = outer
    return result
#@ 9
@cython.total_ordering
cdef class Ordered:
    cdef public int x
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x
    def __lt__(self, other): return self.x < other.x
    def __hash__(self): return self.x
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
#3.2 #@ 11
#3.2 @cython.collection_type("mapping")
#3.2 cdef class Mapping:
#3.2     def __len__(self): return 1
#3.2     def __getitem__(self, key): return key * 2
#3.2     def keys(self): return ["a"]
#3.2     def get(self, key, default=None): return key * 2 if key == "a" else default

# ---------------------------------------------------------- pickling, dataclasses
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
#@ 14
cdef class Reduced:
    cdef PyObject *pointer
    cdef public int a
    def __init__(self, a=0): self.a = a
    def __reduce__(self): return type(self), (self.a,)
#@ 15
@dataclasses.dataclass(order=True)
cdef class Data:
    a: int
    b: str = "b"
    c: list = dataclasses.field(default_factory=list, compare=False)
@dataclasses.dataclass
cdef class MoreData(Data):
    d: cython.double = 1.5
#@ 16
@dataclasses.dataclass(frozen=True)
cdef class Frozen:
    a: int

# ------------------------------------------------------------------------ life
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
#@ 22
cdef class Fields:
    """Has properties."""
    cdef public int number
    cdef readonly double real
    cdef public str text
    cdef public (int, int) pair
    cdef object hidden
    def __init__(self): self.real = 1.5
    @property
    def prop(self):
        """A property."""
        return self.hidden
    @prop.setter
    def prop(self, value): self.hidden = value
    @prop.deleter
    def prop(self): self.hidden = "deleted"

# -------------------------------------------------------------------- protocols
#@ 23
cdef class Buffer:
    cdef char data[4]
    cdef public int exported
    def __getbuffer__(self, Py_buffer *buffer, int flags):
        self.exported += 1
        buffer.buf = <void *>self.data
        buffer.format = 'b'
        buffer.internal = NULL
        buffer.itemsize = 1
        buffer.len = 4
        buffer.ndim = 1
        buffer.obj = self
        buffer.readonly = 0
        buffer.shape = NULL
        buffer.strides = NULL
        buffer.suboffsets = NULL
    def __releasebuffer__(self, Py_buffer *buffer): self.exported -= 1
#@ 24
cdef class Iterator:
    cdef int left
    def __init__(self, n): self.left = n
    def __iter__(self): return self
    def __next__(self):
        if self.left == 0: raise StopIteration
        self.left -= 1
        return self.left
#@ 25
cdef class AsyncIterator:
    cdef int left
    def __init__(self, n): self.left = n
    def __aiter__(self): return self
    async def __anext__(self):
        if self.left == 0: raise StopAsyncIteration
        self.left -= 1
        return self.left
    def __await__(self):
        yield "awaited"
        return self.left
    async def __aenter__(self): return self
    async def __aexit__(self, *args): self.left = -1
#@ 26
cdef class Number:
    cdef public double x
    def __init__(self, x=0): self.x = x
    def __add__(self, other): return ("add", self.x, other) if other is not None else NotImplemented
    def __radd__(self, other): return "radd", self.x, other
    def __iadd__(self, other): self.x += other; return self
    def __sub__(self, other): return "sub", other
    def __mul__(self, other): return "mul", other
    def __matmul__(self, other): return "matmul", other
    def __truediv__(self, other): return "truediv", other
    def __floordiv__(self, other): return "floordiv", other
    def __mod__(self, other): return "mod", other
    def __divmod__(self, other): return "divmod", other
    def __pow__(self, other, modulo): return "pow", other, modulo
    def __lshift__(self, other): return "lshift", other
    def __and__(self, other): return "and", other
    def __ror__(self, other): return "ror", other
    def __neg__(self): return "neg"
    def __abs__(self): return "abs"
    def __invert__(self): return "invert"
    def __bool__(self): return self.x != 0
    def __int__(self): return 5
    def __index__(self): return 6
    def __float__(self): return 7.5
cdef class UnderNumber(Number):
    def __sub__(self, other): return "under", super().__sub__(other)
#@ 27
cdef class Container:
    cdef dict d
    def __cinit__(self): self.d = {}
    def __len__(self): return len(self.d)
    def __getitem__(self, key): return self.d[key]
    def __setitem__(self, key, value): self.d[key] = value
    def __delitem__(self, key): del self.d[key]
    def __contains__(self, key): return key in self.d
    def __reversed__(self): return "reversed"
#@ 28
cdef class Attributes:
    cdef dict d
    cdef public int real
    def __cinit__(self): self.d = {}
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return self.d.get(name, f"no {name}")
    def __setattr__(self, name, value): self.d[name] = value
    def __delattr__(self, name): del self.d[name]
#@ 29
cdef class Watched:
    def __getattribute__(self, name): return f"<{name}>" if name == "watched" else object.__getattribute__(self, name)
    def __dir__(self): return ["watched"]
#@ 30
cdef class Compared:
    cdef public int x
    def __init__(self, x): self.x = x
    def __richcmp__(self, other, int op): return op, self.x
    def __hash__(self): return 5
#@ 31
cdef class Callable:
    def __call__(self, a, *args, key=None, **kwargs): return a, args, key, kwargs
    def __repr__(self): return "a repr"
    def __str__(self): return "a str"
    def __format__(self, spec): return f"a format {spec}"
    def __enter__(self): return "entered"
    def __exit__(self, *args): log.append("exit"); return True
#@ 32
cdef class Descriptor:
    def __get__(self, it, owner): return "get", it is None
    def __set__(self, it, value): log.append(("set", value))
    def __delete__(self, it): log.append("delete")
#@ 33
cdef class Hooked:
    @classmethod
    def seen(cls): return "seen"
    @classmethod
    def __class_getitem__(cls, it): return cls.__name__, it

#static #@ 42
#static cdef class Both:
#static     cdef object __weakref__
#static     cdef dict __dict__

# ------------------------------------------------------------- bases of all kinds
#@ 34
cdef class List(list):
    cdef public int extra
    def first(self): return self[0] if self else None
#@ 35
cdef class Dict(dict):
    cdef public object extra
    def __missing__(self, key): return f"no {key}"
#@ 36
cdef class Set(set):
    cdef public int extra
#@ 37
cdef class Float(float):
    cdef public object extra
#@ 47
cdef class Bytes(bytearray):
    cdef public int extra
#@ 38
cdef class Error(Exception):
    cdef public int code
    def __init__(self, *args, int code=7):
        super().__init__(*args)
        self.code = code
#@ 39
cdef class UnderForeign(Foreign):
    cdef public int extra
    cdef long doubled(self): return 200 + self.number
cdef class Deeper(UnderForeign):
    cpdef long tripled(self): return 300 + self.doubled()
def call_doubled(Foreign it): return kinds_foreign.Foreign.doubled(it), it.doubled(), it.tripled()
cdef extern from "datetime.h":
    ctypedef class datetime.date [object PyDateTime_Date]: pass
    ctypedef class datetime.tzinfo [object PyDateTime_TZInfo]: pass
#@ 40
cdef class Date(date):
    cdef public int extra
#@ 41
cdef class Zone(tzinfo):
    cdef public int extra
    def utcoffset(self, when): return None
class Mixin:
    __slots__ = ()
    def mixed(self): return "mixed", self.x
#@ 43
cdef class First:
    cdef public int x
    def mixed(self): return "first"
#@ 44
cdef class Several(First, Mixin):
    cdef public int y
    def both(self): return self.mixed(), Mixin.mixed(self)
cdef class UnderSeveral(Several):
    cdef public int z

# --------------------------------------------------------------- inside of methods
cpdef enum Colour:
    RED = 1
    GREEN = 2
cdef enum Hidden:
    HIDDEN = 5
ctypedef fused number:
    int
    double
cdef struct Point:
    int x
    double y
#@ HIDDEN
cdef class Methods:
    cdef public Colour colour
    cdef Point point
    cdef int matrix[2][2]
    def __cinit__(self): self.point, self.colour = Point(1, 2.5), GREEN
    def generator(self, n):
        for i in range(n): yield i, self.point.x
    async def coroutine(self, it): return (await it), self.point.y
    async def asyncgen(self, n):
        for i in range(n): yield i
    def closure(self, n):
        def inner(m): return n + m + self.point.x
        return inner
    def comprehension(self): return [x + self.point.x for x in range(3)], sorted([2, 1], key=lambda x: -x)
    def fused(self, number x): return "int" if number is int else "double"
    cpdef over(self, x=1): return "C", x
    def call_over(self): return self.over(), self.over(3)
    def matrices(self):
        self.matrix = [[1, 2], [3, 4]]
        return self.matrix, self.point
    def __private(self): return "private"
    def call_private(self): return self.__private()
    value_of_class = [1, 2]
    def local_class(self):
        class Local(Empty): pass
        return Local
#@ 46
cdef class Doubled(Methods):
    cpdef over(self, x=1): return "D", Methods.over(self, x)
#cpp #@ 47
#cpp cdef class Cpp:
#cpp     cdef vector[int] numbers
#cpp     cdef public string text
#cpp     def __cinit__(self): self.numbers.push_back(5); self.text = b"text"
#cpp     def total(self): return self.numbers.size(), self.numbers[0]
