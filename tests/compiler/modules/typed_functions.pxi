# What the typed records of two modules are made of: one whose functions are Cython's own
# objects (binding=True), and one with builtin functions.
cimport cython
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint16_t, uint64_t

cdef extern from *:
    """
    #include <stdbool.h>
    typedef short Hidden;               /* which Cython takes for an int */
    typedef float HiddenFloat;          /* and this for a double */
    """
    ctypedef int Hidden
    ctypedef double HiddenFloat
    ctypedef bint c_bool "bool"

ctypedef int64_t Alias

cpdef enum Colour:
    RED = 1
    GREEN = 2


cpdef int8_t same_i1(int8_t x): return x
cpdef int32_t same_i4(int32_t x): return x
cpdef uint16_t same_u2(uint16_t x): return x
cpdef uint64_t same_u8(uint64_t x): return x
cpdef float same_f4(float x): return x
cpdef double same_f8(double x): return x
cpdef long double same_long_double(long double x): return x
cpdef long long same_long_long(long long x): return x
cpdef unsigned long same_unsigned_long(unsigned long x): return x
cpdef char same_char(char x): return x
cpdef size_t same_size(size_t x): return x
cpdef Py_ssize_t same_ssize(Py_ssize_t x): return x
cpdef Alias same_alias(Alias x): return x
cpdef Hidden same_hidden(Hidden x): return x
cpdef HiddenFloat same_hidden_float(HiddenFloat x): return x
cpdef bint negated(bint x): return not x
cpdef c_bool negated_bool(c_bool x): return not x
cpdef Colour same_colour(Colour x): return x
cpdef const char *shortened(const char *text): return text + 1

cpdef float complex turned_c8(float complex z): return z * 1j
cpdef double complex turned_c16(double complex z): return z * 1j


cpdef double mixed(int8_t a, double b, uint16_t c, float d, object e, long f):
    return a + b + c + d + len(e) + f

cpdef int64_t eleven(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k):
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k

cpdef double thirteen(int a, double b, int c, double d, int e, double f, int g, double h, int i,
                      double j, int k, double l, object m):
    return a + b + c + d + e + f + g + h + i + j + k + l + len(m)

cpdef double optional(double a, int b=2, object c="three"):
    """Has a docstring."""
    return a + 10 * b + 100 * len(c)

cpdef int nothing_at_all(): return 42

store = []

cpdef void append(object item): store.append(item)


cpdef int noexcept_int(int x) noexcept: return -x
cpdef int except_value(int x) except -7:
    if x == 0: raise ValueError("zero")
    return x
cpdef int except_maybe(int x) except? -7:
    if x == 0: raise ValueError("zero")
    return x
cpdef int except_default(int x):
    if x == 0: raise ValueError("zero")
    return x
cpdef int except_always(int x) except *:
    if x == 0: raise ValueError("zero")
    return x
cpdef double except_double(double x) except? 0.1:
    if x == 0: raise ValueError("zero")
    return x
cpdef float except_float(float x) except? 0.1:
    if x == 0: raise ValueError("zero")
    return x
cpdef unsigned int except_unsigned(unsigned int x):
    if x == 0: raise ValueError("zero")
    return x
cpdef void except_void(int x) except *:
    if x == 0: raise ValueError("zero")
cpdef object except_object(int x):
    if x == 0: raise ValueError("zero")
    return x
cpdef c_bool except_bool(int x):
    if x == 0: raise ValueError("zero")
    return x > 0
cpdef double complex except_complex(int x):
    if x == 0: raise ValueError("zero")
    return x
cpdef const char *except_pointer(int x) except NULL:
    if x == 0: raise ValueError("zero")
    return b"text"

cpdef int nogil_noexcept(int x) noexcept nogil: return x + 1
cpdef int nogil_raises(int x) except? -1 nogil:
    if x == 0:
        with gil: raise ValueError("zero")
    return x


cpdef int length(list items): return -1 if items is None else len(items)
cpdef int length_noexcept(list items) noexcept: return -1 if items is None else len(items)
cpdef void length_void(list items) noexcept: pass
cpdef tuple pair(dict first, str second): return first, second


cdef class Shape:
    cdef public double size

    def __init__(self, size=1.0): self.size = size
    def __reduce__(self): return type(self), (self.size,)

    cpdef double area(self): return self.size * self.size
    cpdef double scaled(self, double by, double plus=0.0) except? -1:
        """The size, scaled."""
        return self.size * by + plus
    cpdef double noexcept_area(self) noexcept: return self.size * self.size
    cpdef Shape larger(self, Shape other): return other if other is not None and other.size > self.size else self
    cpdef double twice(self): return 2 * self.area()

cdef class Square(Shape):
    cpdef double area(self): return 1000 + Shape.area(self)
    cpdef double scaled(self, double by, double plus=0.0, int more=0) except? -1:
        return self.size * by + plus + more

@cython.final
cdef class Final:
    cpdef int nogil_method(self, int x) noexcept nogil: return x + 1
    cpdef void nogil_nothing(self) noexcept nogil: pass
    cpdef int nogil_with(self, Final other, Shape shape, list items) noexcept nogil: return 5
    cpdef int with_gil(self, int x) noexcept with gil: return x + len("a")

cpdef double area_of(Shape shape): return shape.area()


ctypedef fused number:
    int
    double

ctypedef fused container:
    list
    dict

cpdef number doubled(number x): return 2 * x
cpdef number added(number x, int y=1): return x + y
cpdef int entries_of(container c): return len(c)

cdef class Fused:
    cdef public int base
    cpdef number plus(self, number x): return self.base + x


cpdef double first(double[:, :] view): return view[0, 0]
def ordinary(double x): return x
