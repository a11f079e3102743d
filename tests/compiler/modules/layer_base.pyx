# cython: freethreading_compatible=True
# Fields, slots and the vtable slot of static classes, within one module.
import cython

cdef double twice(double x) noexcept: return 2 * x
cdef double half(double x) noexcept: return x / 2
cdef long exported = 5

cdef extern from *:
    """
    static int layer_flag = 42;
    #define LAYER_NUMBER 11
    static long layer_sum(long a, long b) { return a + b; }
    """
    int layer_flag
    const int LAYER_NUMBER
    long layer_sum(long a, long b) noexcept

cdef enum Numbers:
    TWELVE = 12

# Above its metaclass, which is defined here and declared in the .pxd.
cdef class Greet:
    def __init__(self, name="World"):
        self.name = name
    cdef long ping(self, long x) except? -1:
        return x + 1
    cdef double scale(self, double x, unsigned int n=1) noexcept nogil:
        return x * n
    cpdef greet(self):
        return f"{(<GreetType>type(self)).sentence.decode()} {self.name}"
    def fields(self):
        return fields(type(self))

cdef class GreetType(extensibletype):
    """Has fields."""
    @property
    def count(cls):
        return cls.counter

def fields(cls):
    """(sentence, counter, func(4), point.x) of any class whose metaclass is GreetType."""
    cdef GreetType meta = cls
    return meta.sentence.decode(), meta.counter, meta.func(4), meta.point.x

def call_ping(Greet greet, long x):
    return greet.ping(x)


cdef int table[3]

def own_pointers():
    return {"flag": <size_t>&layer_flag, "twice": <size_t>&twice, "table": <size_t>&table[0]}

@customslots.slot(customslots.PyCustomSlots_ID(1, 3, 0), pointer=&layer_flag, position=2)
@customslots.slot(0x01000401, flags=layer_sum(40, 2))
@customslots.slot(customslots.PyCustomSlots_ID(1, 5, 0), objoffset=second)
@customslots.slot(customslots.PyCustomSlots_Intern("layer_base.interned"), pointer=twice)
@customslots.slot(customslots.PyCustomSlots_ID(1, 6, 0), flags=LAYER_NUMBER)
@customslots.slot(customslots.PyCustomSlots_ID(1, 7, 0), flags=TWELVE, position=6)
@customslots.slot(customslots.PyCustomSlots_ID(1, 8, 0), pointer=table)
@customslots.slot(customslots.PyCustomSlots_ID(1, 9, 0), objoffset=sizeof(Point))
cdef class Slots:
    cdef int first
    cdef int second

def offset_of_second():
    cdef Slots it = Slots()
    return <size_t>&it.second - <size_t><void *>it


cdef class Deeper(Greet): pass

@customslots.metaclass(GreetType, counter=100, func=half)
cdef class Counted(Deeper):
    cpdef greet(self):
        return "counted"

@cython.final
cdef class Last(Counted): pass


# Two bases: made in the module body.
class Mixin:
    __slots__ = ()
    def mixed(self):
        return "mixed"

@customslots.slot(customslots.PyCustomSlots_ID(1, 11, 0), pointer=&layer_flag)
@customslots.metaclass(GreetType, counter=33)
cdef class Several(Greet, Mixin): pass

cdef class UnderSeveral(Several): pass


def name_of(type t):
    return t.__name__

def name_of_typed(t: type):
    return t.__name__

cdef str c_name_of(type t):
    return t.__name__

def name_through_c(t):
    cdef type typed = t
    return c_name_of(typed)
