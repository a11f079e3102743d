# cython: freethreading_compatible=True
# cython: language_level=3
cdef Pair pair = Pair(1, 2.5)
cdef long numbers[3]
numbers[:] = [7, 8, 9]
cdef object thing = ["thing"]
cdef bint failing = False

cdef double triple(double x) noexcept: return 3 * x
cdef Unary chosen() noexcept: return triple
cdef long may_fail(long x) except? -1:
    if failing:
        raise LookupError("values_other is told to fail")
    return x + 1

def set_failing(bint value):
    global failing
    failing = value

def get_thing():
    return thing

def addresses():
    return {"number": <size_t>&numbers[1]}
