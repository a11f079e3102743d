# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""A consumer in Cython: everything that typedmethod.pxd declares, but for registering (typed_registrar.pyx)."""
from libc.stdint cimport uint64_t

from cython_customslots.typedmethod cimport *
from cpython.object cimport PyObject

# [own_caller.begin]
cdef extern from * nogil:
    "PyTypedMethod_CALLER(call_mixed, double, double, long)"
    double call_mixed(PyTypedCallable *held, double x, long n) except? -1
# [own_caller.end]

NUMBERS = (PyTypedMethod_ABI_VERSION, PyTypedMethod_MAGIC, PyTypedMethod_NATIVE_CALL,
           PyTypedMethod_CTX)


cdef class Function:
    """Any callable, called with C values."""
    cdef PyTypedCallable held
    cdef object kept

    def __cinit__(self, callable, text, strictly=False):
        cdef uint64_t signature
        PyTypedMethod_Parse(text.encode(), &signature)
        if strictly:
            PyTypedCallable_InitTyped(&self.held, callable, signature)
        else:
            PyTypedCallable_Init(&self.held, callable, signature)

    def __dealloc__(self):
        PyTypedCallable_Clear(&self.held)

    @property
    def typed(self):
        return PyTypedCallable_IsTyped(&self.held)

    @property
    def why_not(self):
        return PyTypedCallable_WhyNot(&self.held)

    def f8_f8(self, double x):
        with nogil:
            x = PyTypedCallable_call_f8_f8(&self.held, x)
        return x

    def mixed(self, double x, long n):
        with nogil:
            x = call_mixed(&self.held, x, n)
        return x

    def others(self, which):
        cdef PyTypedCallable *f = &self.held
        if which == "void": return PyTypedCallable_call_void(f)
        if which == "f8": return PyTypedCallable_call_f8(f)
        if which == "f8_f8": return PyTypedCallable_call_f8_f8(f, 1)
        if which == "f8_f8_f8": return PyTypedCallable_call_f8_f8_f8(f, 1, 2)
        if which == "f8_f8_f8_f8": return PyTypedCallable_call_f8_f8_f8_f8(f, 1, 2, 3)
        if which == "f8_i4": return PyTypedCallable_call_f8_i4(f, 1)
        if which == "f8_i8": return PyTypedCallable_call_f8_i8(f, 1)
        if which == "i4": return PyTypedCallable_call_i4(f)
        if which == "i4_i4": return PyTypedCallable_call_i4_i4(f, 1)
        if which == "i4_i4_i4": return PyTypedCallable_call_i4_i4_i4(f, 1, 2)
        if which == "i8": return PyTypedCallable_call_i8(f)
        if which == "i8_i8": return PyTypedCallable_call_i8_i8(f, 1)
        if which == "i8_i8_i8": return PyTypedCallable_call_i8_i8_i8(f, 1, 2)
        if which == "object": return PyTypedCallable_call_object(f)
        if which == "object_object": return PyTypedCallable_call_object_object(f, "a")
        return PyTypedCallable_call_object_object_object(f, "a", "b")

    def others_with_gil(self, which):
        cdef PyTypedCallable *f = &self.held
        if which == "void": return PyTypedCallable_call_void_with_gil(f)
        if which == "f8": return PyTypedCallable_call_f8_with_gil(f)
        if which == "f8_f8": return PyTypedCallable_call_f8_f8_with_gil(f, 1)
        if which == "f8_f8_f8": return PyTypedCallable_call_f8_f8_f8_with_gil(f, 1, 2)
        if which == "f8_f8_f8_f8": return PyTypedCallable_call_f8_f8_f8_f8_with_gil(f, 1, 2, 3)
        if which == "f8_i4": return PyTypedCallable_call_f8_i4_with_gil(f, 1)
        if which == "f8_i8": return PyTypedCallable_call_f8_i8_with_gil(f, 1)
        if which == "i4": return PyTypedCallable_call_i4_with_gil(f)
        if which == "i4_i4": return PyTypedCallable_call_i4_i4_with_gil(f, 1)
        if which == "i4_i4_i4": return PyTypedCallable_call_i4_i4_i4_with_gil(f, 1, 2)
        if which == "i8": return PyTypedCallable_call_i8_with_gil(f)
        if which == "i8_i8": return PyTypedCallable_call_i8_i8_with_gil(f, 1)
        return PyTypedCallable_call_i8_i8_i8_with_gil(f, 1, 2)


def find(callable, text):
    cdef PyTypedMethodCall call
    cdef const PyTypedMethodRecord *record
    cdef PyObject *bound
    cdef uint64_t signature
    PyTypedMethod_Parse(text.encode(), &signature)
    found = PyTypedMethod_Find(callable, signature, &call)
    assert found == (call.function is not NULL)
    count = record.count if PyTypedMethod_Overloads(callable, &record, &bound) else 0
    return found, count, PyTypedMethod_Signatures(callable), PyTypedMethod_WhyNot(callable, signature)


def f8_i4():
    return PyTypedMethod_Format(PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_I4))
