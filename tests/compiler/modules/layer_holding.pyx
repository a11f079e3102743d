# cython: language_level=3, freethreading_compatible=True
"""Objects that hold callables and arrays in C, and that those may lead back to."""
from cython_customslots.typedarray cimport (PyTypedArray, PyTypedArray_Clear, PyTypedArray_Own, PyTypedArray_Spec,
                                            PyTypedArray_MakeSpec)
from cython_customslots.typedcallback cimport (PyTypedCallable_InitAny, PyTypedCallback, PyTypedCallback_Clear,
                                               PyTypedCallback_forms_f8_f8)
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedCallable_call_f8_f8, PyTypedMethod_F8,
    PyTypedMethod_SIG)

cimport cython

cdef struct Pair:
    int n
    PyTypedCallable[2] both

ctypedef Pair Alias

cdef PyTypedCallable_Fill(PyTypedCallable *held, f):
    PyTypedCallable_Clear(held)
    PyTypedCallable_Init(held, f, PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8))

cdef class Callable:
    cdef PyTypedCallable held
    cdef object __weakref__
    def hold(self, f): PyTypedCallable_Fill(&self.held, f)
    def run(self, double x): return PyTypedCallable_call_f8_f8(&self.held, x)
    def __dealloc__(self): PyTypedCallable_Clear(&self.held)

cdef class Below(Callable):
    cdef public object more

@cython.freelist(4)
cdef class Nested:
    cdef Alias pair
    cdef object __weakref__
    def hold(self, f): PyTypedCallable_Fill(&self.pair.both[1], f)
    def run(self, double x): return PyTypedCallable_call_f8_f8(&self.pair.both[1], x)
    def __dealloc__(self):
        PyTypedCallable_Clear(&self.pair.both[0])
        PyTypedCallable_Clear(&self.pair.both[1])

cdef class Callback:
    cdef PyTypedCallback held
    cdef object __weakref__
    def hold(self, f):
        PyTypedCallback_Clear(&self.held)
        PyTypedCallable_InitAny(&self.held, f, PyTypedCallback_forms_f8_f8)
    def run(self, double x): return PyTypedCallable_call_f8_f8(&self.held.callable, x)
    def __dealloc__(self): PyTypedCallback_Clear(&self.held)

cdef class Array:
    cdef PyTypedArray held
    cdef object __weakref__
    def hold(self, memory):
        cdef PyTypedArray_Spec spec = PyTypedArray_MakeSpec(2, 64, 1, 0)
        PyTypedArray_Clear(&self.held)
        PyTypedArray_Own(&self.held, memory, &spec)
    def run(self, double x): return (<double *>self.held.data)[0] * x
    def __dealloc__(self): PyTypedArray_Clear(&self.held)

@cython.no_gc_clear
cdef class OnlySeen(Callable):
    cdef PyTypedCallable other

@cython.no_gc
cdef class NotSeen:
    cdef PyTypedCallable held
    def hold(self, f): PyTypedCallable_Fill(&self.held, f)
    def __dealloc__(self): PyTypedCallable_Clear(&self.held)

cdef class Model:
    """Its bound methods are held by what it holds."""
    cdef public object holder
    cdef object __weakref__
    cpdef double rhs(self, double x): return 2 * x

@cython.no_gc_clear
cdef class Memory:
    """An array that leads to what holds it."""
    cdef public object holder
    cdef double item
    cdef object __weakref__
    cdef Py_ssize_t[1] shape
    def __getbuffer__(self, Py_buffer *buffer, int flags):
        self.item, self.shape[0] = 2, 1
        buffer.buf, buffer.obj, buffer.len, buffer.itemsize, buffer.readonly = &self.item, self, 8, 8, 0
        buffer.ndim, buffer.format, buffer.shape, buffer.strides = 1, b"d", self.shape, self.shape
        buffer.strides = &buffer.itemsize
        buffer.suboffsets = buffer.internal = NULL

def generate(f, x):
    """A generator keeps its local variables in an object, too."""
    cdef PyTypedCallable held
    PyTypedCallable_Init(&held, f, PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8))
    try:
        while True:
            yield PyTypedCallable_call_f8_f8(&held, x)
    finally:
        PyTypedCallable_Clear(&held)
