# cython: language_level=3, freethreading_compatible=True
# Callers that a line declares, and those that know whether they have the GIL.
from libc.stdint cimport uint64_t
from cython_customslots cimport typedmethod
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedCallable_call_f8_f8,
    PyTypedMethod_CALLER, PyTypedMethod_Parse)

# [line.begin]
call_mixed = PyTypedMethod_CALLER("double(double, long)")
# [line.end]
call_nothing = typedmethod.PyTypedMethod_CALLER("void(i4)")
call_object = PyTypedMethod_CALLER("object(object,bool)")
call_bool = PyTypedMethod_CALLER("bool(u8, Py_ssize_t)")
call_none = PyTypedMethod_CALLER("i8()")
call_eleven = PyTypedMethod_CALLER("f4(i1, i2, i4, i8, u1, u2, u4, u8, f4, f16, size_t)")


cdef class Holder:
    cdef PyTypedCallable held

    def __cinit__(self, callable, text):
        cdef uint64_t signature
        PyTypedMethod_Parse(text.encode(), &signature)
        PyTypedCallable_Init(&self.held, callable, signature)

    def __dealloc__(self):
        PyTypedCallable_Clear(&self.held)

    def mixed(self, double x, long n): return call_mixed(&self.held, x, n)
    def nothing(self, int n): return call_nothing(&self.held, n)
    def object(self, x, bint y): return call_object(&self.held, x, y)
    def bool(self, uint64_t x, Py_ssize_t y): return call_bool(&self.held, x, y)
    def none(self): return call_none(&self.held)
    def eleven(self): return call_eleven(&self.held, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    def f8(self, double x): return PyTypedCallable_call_f8_f8(&self.held, x)

    def mixed_without_gil(self, double x, long n):
        with nogil:
            x = call_mixed(&self.held, x, n)
            call_nothing_if(&self.held, 0)
        return x


cdef int call_nothing_if(PyTypedCallable *held, int n) except -1 nogil:
    if n:
        call_nothing(held, n)
    return 0


cdef double in_nogil(PyTypedCallable *held, double x) except? -1 nogil:
    return PyTypedCallable_call_f8_f8(held, x)

cdef double in_with_gil_block(PyTypedCallable *held, double x) except? -1 nogil:
    with gil:
        return PyTypedCallable_call_f8_f8(held, x)

cdef double in_with_gil_function(PyTypedCallable *held, double x) noexcept with gil:
    return PyTypedCallable_call_f8_f8(held, x)

cdef double in_function(PyTypedCallable *held, double x) except? -1:
    return PyTypedCallable_call_f8_f8(held, x)


def everywhere(Holder holder, double x):
    cdef PyTypedCallable *held = &holder.held
    cdef double a, b, c
    with nogil:
        a = in_nogil(held, x)
        b = in_with_gil_block(held, x)
        c = in_with_gil_function(held, x)
        with gil:
            x = typedmethod.PyTypedCallable_call_f8_f8(held, x)
    return a, b, c, in_function(held, x), x
