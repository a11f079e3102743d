# cython: language_level=3, freethreading_compatible=True
# Looks C functions up and says what it found; calls those that ctypes cannot call.
from cpython.exc cimport PyErr_Clear, PyErr_Occurred
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint32_t, uint64_t, uintptr_t
from cython_customslots.typedmethod cimport (
    PyTypedMethod_Find, PyTypedMethod_Parse, PyTypedMethod_Signatures, PyTypedMethod_WhyNot,
    PyTypedMethodCall)

cdef extern from "<complex.h>":
    pass

cdef extern from "<stdbool.h>":
    ctypedef bint c_bool "bool"


cdef bint look_up(object function, str text, PyTypedMethodCall *call) except -1:
    cdef uint64_t signature
    PyTypedMethod_Parse(text.encode(), &signature)
    if not PyTypedMethod_Find(function, signature, call):
        raise LookupError(PyTypedMethod_WhyNot(function, signature))
    return True


def signatures(function):
    return PyTypedMethod_Signatures(function)


def find(function, str text):
    """(address, context, flags, error as an int, as a float) or LookupError."""
    cdef PyTypedMethodCall call
    look_up(function, text, &call)
    return <uintptr_t>call.function, <uintptr_t>call.context, call.flags, call.error.i, call.error.f


cdef object report(bint equal):
    """(did it return the error value, what it raised)"""
    if PyErr_Occurred() is NULL:
        return equal, None
    PyErr_Clear()
    return equal, "raised"


def outcome(function, str text, x):
    """Call without looking at the convention, and say what the caller could see."""
    cdef PyTypedMethodCall call
    cdef int i4
    cdef float f4
    cdef double f8
    cdef uint32_t u4
    cdef c_bool b
    cdef double complex c16
    cdef void *p
    look_up(function, text, &call)
    if text == "i4(i4)":
        i4 = (<int (*)(int) noexcept>call.function)(<int>x)
        return report(i4 == call.error.i)
    if text == "i4(object)":
        i4 = (<int (*)(object) noexcept>call.function)(x)
        return report(i4 == call.error.i)
    if text == "void(object)":
        (<void (*)(object) noexcept>call.function)(x)
        return report(False)
    if text == "f8(f8)":
        f8 = (<double (*)(double) noexcept>call.function)(<double>x)
        return report(f8 == call.error.f)
    if text == "f4(f4)":
        f4 = (<float (*)(float) noexcept>call.function)(<float>x)
        return report(f4 == <float>call.error.f)
    if text == "u4(u4)":
        u4 = (<uint32_t (*)(uint32_t) noexcept>call.function)(<uint32_t>x)
        return report(u4 == <uint32_t>call.error.u)
    if text == "bool(i4)":
        b = (<c_bool (*)(int) noexcept>call.function)(<int>x)
        return report(b == <c_bool>call.error.u)
    if text == "c16(i4)":
        c16 = (<double complex (*)(int) noexcept>call.function)(<int>x)
        return report(False)
    if text == "void(i4)":
        (<void (*)(int) noexcept>call.function)(<int>x)
        return report(False)
    if text == "pointer(i4)":
        p = (<void *(*)(int) noexcept>call.function)(<int>x)
        return report(p == call.error.p)
    raise KeyError(text)


def call_c8(function, float complex z):
    cdef PyTypedMethodCall call
    look_up(function, "c8(c8)", &call)
    return (<float complex (*)(float complex) noexcept>call.function)(z)


def call_c16(function, double complex z):
    cdef PyTypedMethodCall call
    look_up(function, "c16(c16)", &call)
    return (<double complex (*)(double complex) noexcept>call.function)(z)


def call_without_gil(function, int x):
    """For i4(i4) functions that need no GIL."""
    cdef PyTypedMethodCall call
    cdef int result
    look_up(function, "i4(i4)", &call)
    with nogil:
        result = (<int (*)(int) noexcept nogil>call.function)(x)
    return result


def call_method_without_gil(function, receiver, int x):
    """For i4(object, i4) functions that need no GIL; they raise what they raise."""
    cdef PyTypedMethodCall call
    cdef PyObject *borrowed = <PyObject *>receiver
    cdef int result
    look_up(function, "i4(object, i4)", &call)
    with nogil:
        result = (<int (*)(PyObject *, int) except? -1 nogil>call.function)(borrowed, x)
    return result
