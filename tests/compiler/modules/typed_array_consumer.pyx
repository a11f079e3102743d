# cython: language_level=3, freethreading_compatible=True
# Calls any callable with arrays: memory of C, which Python objects cannot keep.
from libc.stdint cimport uint64_t
from libc.string cimport memset
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedCallable_IsTyped, PyTypedMethod_CALLER,
    PyTypedMethod_Parse, PyTypedMethodArray)
from cython_customslots.typedcallback cimport (
    PyTypedCallable_InitAny, PyTypedCallback, PyTypedCallback_Clear, PyTypedCallback_Enter, PyTypedCallback_Leave,
    PyTypedCallbackForm)

call_reading = PyTypedMethod_CALLER("double(const double[::1])")
call_strided = PyTypedMethod_CALLER("double(const double[:])")
call_writing = PyTypedMethod_CALLER("void(double[::1], double)")
call_writing_strided = PyTypedMethod_CALLER("void(double[:], double)")
call_two = PyTypedMethod_CALLER("double(const double[::1], const double[::1])")
call_index = PyTypedMethod_CALLER("double(const double[:], Py_ssize_t)")
call_ints = PyTypedMethod_CALLER("double(int[::1])")


cdef extern from *:
    """
    static const PyTypedCallbackForm forms[] = {{PyTypedMethod_SIGNATURE(f8(const_array(f8))), NULL, NULL}, {0, NULL, NULL}};
    PyTypedCallback_CALLER(call_back, Py_NAN, f8, const_array(f8))
    """
    const PyTypedCallbackForm *forms
    double call_back(PyTypedCallback *callback, const PyTypedMethodArray *x) noexcept nogil


def sums(function, int times):
    """(Is it called as C?, the answers for arrays of one number), as a library in C gets them."""
    cdef PyTypedCallback f
    cdef double x, sum = 0
    cdef PyTypedMethodArray array = PyTypedMethodArray(data=&x, length=1, stride=sizeof(double))
    PyTypedCallable_InitAny(&f, function, forms)
    try:
        PyTypedCallback_Enter(&f)
        with nogil:
            for i in range(times):
                x = i
                sum += call_back(&f, &array)
        PyTypedCallback_Leave(&f)
        return f.is_typed, sum
    finally:
        PyTypedCallback_Clear(&f)


cdef class Holder:
    cdef PyTypedCallable f
    cdef double items[8]
    cdef readonly bint is_typed

    def __init__(self, function, str text):
        cdef uint64_t signature
        PyTypedMethod_Parse(text.encode(), &signature)
        PyTypedCallable_Init(&self.f, function, signature)
        self.is_typed = PyTypedCallable_IsTyped(&self.f)

    def __dealloc__(self):
        PyTypedCallable_Clear(&self.f)

    cdef PyTypedMethodArray array(self, values, Py_ssize_t step=1) except *:
        cdef PyTypedMethodArray array
        for i, value in enumerate(values):
            self.items[step * i] = value
        array.data, array.length, array.stride = self.items, len(values), step * sizeof(double)
        return array

    def example(self, double[::1] x):
        # [call.begin]
        cdef PyTypedMethodArray array
        array.data, array.length, array.stride = &x[0], x.shape[0], sizeof(double)
        return call_reading(&self.f, &array)
        # [call.end]

    def reading(self, values, gil=True):
        cdef PyTypedMethodArray array = self.array(values)
        if gil:
            return call_reading(&self.f, &array)
        with nogil:
            y = call_reading(&self.f, &array)
        return y

    def gaps(self, values):
        cdef PyTypedMethodArray array = self.array(values, 2)
        return call_reading(&self.f, &array)

    def strided(self, values):
        cdef PyTypedMethodArray array = self.array(values, 2)
        return call_strided(&self.f, &array)

    def writing(self, values, double value):
        cdef PyTypedMethodArray array = self.array(values)
        call_writing(&self.f, &array, value)
        return [self.items[i] for i in range(len(values))]

    def writing_strided(self, values, double value):
        memset(self.items, 0, sizeof(self.items))
        cdef PyTypedMethodArray array = self.array(values, 2)
        call_writing_strided(&self.f, &array, value)
        return list(self.items)

    def two(self, values):
        cdef PyTypedMethodArray array = self.array(values)
        return call_two(&self.f, &array, &array)

    def index(self, values, Py_ssize_t i):
        cdef PyTypedMethodArray array = self.array(values)
        return call_index(&self.f, &array, i)

    def ints(self, int value):
        cdef PyTypedMethodArray array = PyTypedMethodArray(data=&value, length=1, stride=sizeof(int))
        return call_ints(&self.f, &array)

    def nonsense(self, Py_ssize_t length):
        cdef PyTypedMethodArray array = PyTypedMethodArray(data=NULL, length=length, stride=8)
        return call_reading(&self.f, &array)

    def nothing(self):
        return call_reading(&self.f, NULL)
