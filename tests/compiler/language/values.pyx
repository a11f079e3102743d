# cython: freethreading_compatible=True
# cython: language_level=3
# Values of all kinds, most of them declared below the classes that have them.
cimport cython
cimport cython_customslots as cs
cimport values_other
from cython_customslots.provider cimport extensibletype
from values_other cimport ANONYMOUS, NAMED, Pair, Seen, chosen, may_fail, triple

cdef extern from *:
    """
    typedef struct { int width; int sizes[4]; } values_config;
    static values_config values_theirs = {5, {1, 2, 3, 4}};
    static values_config *values_pointer = &values_theirs;
    #define VALUES_NUMBER 12
    static int values_sum(int a, int b) { return a + b; }
    static const char *values_name(void) { return "a name"; }
    """
    ctypedef struct Config "values_config":
        int width
        int sizes[4]
    Config theirs "values_theirs"
    Config *their_pointer "values_pointer"
    const int VALUES_NUMBER
    int values_sum(int, int) noexcept
    const char *values_name() noexcept


@cs.metaclass(Meta, number=sizeof(int) * (ENUM_BELOW + 1) - (3 if sizeof(char) == 1 else 4),
              real=7, short_one=<short>70000, flag=1 < VALUES_NUMBER < 13,
              text="ascii", function=below, pair=Pair(a=3, b=4),
              address=&numbers_below[2], tuple=(1, 2.5), cplx=1 + 2j, enum=MINE)
cdef class Early:
    def python_method(self):
        return "called"

@cs.metaclass(Meta, number=values_sum(values_sum(1, 2), theirs.width), real=theirs.sizes[2],
              text=values_name(), function=<double (*)(double) noexcept>&below,
              address=&theirs.sizes[1], pair={"a": their_pointer.width, "b": VALUES_NUMBER},
              flag=not VALUES_NUMBER)
cdef class Extern: pass

@cs.metaclass(Meta, number=may_fail(may_fail(ANONYMOUS)), real=<int>NAMED, function=triple,
              pair=values_other.pair, address=&values_other.numbers[1],
              obj=values_other.thing, flag=Seen.SEEN == 43)
cdef class Cimported: pass

@cs.metaclass(Meta, function=chosen(), number=local_call(5), real=len("four") + abs(-1.5),
              obj={"squares": [x * x for x in range(4)], "map": {n: -n for n in (1, 2)}, "sum": sum(x for x in (1, 2))})
cdef class Calls: pass

@cs.metaclass(Meta, obj=lambda x, y=may_fail(1): (x, y, python_below), other=Early)
cdef class Lambda: pass

@cs.metaclass(Meta, obj=None, other=Right)
cdef class Left: pass

@cs.metaclass(Meta, obj=(1, "text", b"bytes", 2.5, [None, ...], f"{VALUES_NUMBER:03}"),
              other=Left)
cdef class Right: pass

# A value may be the class itself.
@cs.metaclass(Meta, other=Itself, number=<long>b"A"[0])
@cs.slot(ID_BELOW, pointer=<void *>Itself)
@cs.slot(ID_BELOW + 2, pointer=&Itself.method)
@cs.slot(ID_BELOW + 4, pointer=&struct_below.inside[1])
@cs.slot(ID_BELOW + 6, pointer=struct_below.inside)
@cs.slot(ID_BELOW + 8, pointer=&values_other.pair.b)
@cs.slot(ID_BELOW + 10, pointer=fused[int])
@cs.slot(ID_BELOW + 12, pointer=&pointer_below)
@cs.slot(ID_BELOW + 14, pointer=<void *>&cpdef_below)
@cs.slot(ID_BELOW + 16, pointer=NULL)
@cs.slot(ID_BELOW + 18, flags=values_other.SEEN, position=POSITION_BELOW)
@cs.slot(ID_BELOW + 20, pointer=static_struct)
cdef class Itself:
    cdef int method(self) noexcept:
        return 5

class Mixin:
    __slots__ = ()

# Made in the module body, where classes of the module are as well known.
@cs.metaclass(Meta, obj=[n for n in (1, 2)], number=may_fail(1), other=Early)
cdef class Several(Early, Mixin): pass


ctypedef fused number_type:
    int
    double

cdef number_type fused(number_type x) noexcept nogil:
    return x * 5

cdef enum:
    ENUM_BELOW = 4
    POSITION_BELOW = 9
    ID_BELOW = 0x7F000101

cdef enum Mine:
    MINE = 6

cdef struct Struct:
    int before
    int inside[3]

cdef Struct struct_below
cdef Struct static_struct[1]
cdef long *pointer_below = NULL
cdef int view_below[3]
cdef long numbers_below[3]
numbers_below[2] = 22
python_below = "of the module"

cdef double below(double x) noexcept: return -x
cpdef int cpdef_below(int x) noexcept: return x
cdef long local_call(long x) noexcept: return x * 11

@cs.metaclass(Meta, other=(<int[:3]>view_below)[1], obj={
    "closure": (lambda x: (lambda y: x + y))(1)(2),
    "nested": [[x * y for x in range(2)] for y in range(3)],
    "generator": list(lambda_generator() for lambda_generator in (lambda: 1, lambda: 2)),
    "method": Early.python_method, "c function": below, "theirs": values_other.numbers})
@cs.slot(ID_BELOW + 22, pointer=&numbers_below[1] if sizeof(int) > 2 else &numbers_below[2])
@cs.slot(ID_BELOW + 24, pointer=&numbers_below[0] + 1)
cdef class Objects: pass

def addresses():
    return {"number": <size_t>&numbers_below[1], "numbers": <size_t>&numbers_below[2], "sizes": <size_t>&theirs.sizes[1]}

def expected_slots():
    """By distance from ID_BELOW."""
    return {0: id(Itself), 4: <size_t>&struct_below.inside[1], 6: <size_t>&struct_below.inside[0],
            8: <size_t>&values_other.pair.b, 10: <size_t><void *>fused[int],
            12: <size_t>&pointer_below, 14: <size_t><void *>&cpdef_below, 16: 0, 18: 43,
            20: <size_t>&static_struct[0]}

def fields(cls):
    cdef Meta c = cls
    cdef long *address = <long *>c.address
    return {
        "number": c.number, "real": c.real, "short_one": c.short_one, "flag": c.flag,
        "text": None if c.text is NULL else c.text, "pair": (c.pair.a, c.pair.b),
        "function": None if c.function is NULL else c.function(2),
        "address": <size_t>c.address, "tuple": c.tuple, "cplx": c.cplx, "enum": c.enum,
        "obj": c.obj, "other": c.other}

cdef class Meta(extensibletype):
    cdef long number
    cdef double real
    cdef short short_one
    cdef bint flag
    cdef const char *text
    cdef double (*function)(double) noexcept
    cdef Pair pair
    cdef const void *address
    cdef (int, double) tuple
    cdef double complex cplx
    cdef Mine enum
    cdef object obj
    cdef object other
