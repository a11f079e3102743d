# cython: language_level=3, freethreading_compatible=True
# Functions for direct(): what the JIT of PyPy may call, and what it may not.
cimport cython_customslots

cdef extern from *:
    """
    static volatile int inside = 0, met = 0;
    /* Takes some microseconds; two threads in it at once are noted. */
    static long busy(long turns) {
        volatile long i;
        if (inside) met++;
        inside++;
        for (i = 0; i < turns; i++) {}
        inside--;
        return met;
    }
    """
    long busy(long turns) noexcept nogil

cpdef long inc(long x) noexcept nogil:
    """Adds one."""
    return x + 1

cpdef long inc_with_gil(long x): return x + 1
cpdef double half(double x) noexcept nogil: return x / 2
cpdef float narrow(float x) noexcept nogil: return x
cpdef signed char byte(signed char x) noexcept nogil: return x
cpdef unsigned long long word(unsigned long long x) noexcept nogil: return x
cpdef int no_arguments() noexcept nogil: return 42
cpdef void nothing(int x) noexcept nogil: pass

cpdef double ratio(double a, double b=2.0) except? -1 nogil:
    if b == 0:
        with gil: raise ZeroDivisionError("no ratio")
    return a / b

cpdef long checked(long x) except? -1:
    if x < -1: raise ValueError(f"{x} is negative")
    return x

cpdef long always(long x) except *:
    if x < -1: raise ValueError(f"{x} is negative")
    return x

cpdef long named(long type, long int_=5, long keywords=7): return type + 10 * int_ + 100 * keywords
cpdef long outside(long turns): return busy(turns)
cpdef long calling(object f, long x): return f(x)

# Something else than numbers, or nothing that is known when it is called.
cpdef bint negated(bint x) noexcept nogil: return not x
cpdef void append(object x): pass
cpdef double complex turned(double complex z): return z * 1j
cpdef void raising_void(int x) except *:
    if x < 0: raise ValueError("negative")
def ordinary(double x): return x

ctypedef fused number:
    int
    double

cpdef number doubled(number x): return 2 * x

cdef class Sum:
    cdef public double total
    cpdef double add(self, double x):
        self.total += x
        return self.total
