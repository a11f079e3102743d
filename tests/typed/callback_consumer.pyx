# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""A library in Cython around C code that takes a function pointer, with typedcallback.pxd."""
# [sum_of.begin]
from cython_customslots.typedcallback cimport (
    PyTypedCallback, PyTypedCallable_InitAny, PyTypedCallback_Clear, PyTypedCallback_Enter,
    PyTypedCallback_Leave, PyTypedCallback_NeedsGIL, PyTypedCallback_WhyNot, PyTypedCallback_call_f8_f8,
    PyTypedCallback_f8_f8, PyTypedCallback_f8_f8_last, PyTypedCallback_forms_f8_f8)


cdef double c_sum(double (*f)(double, void *) noexcept nogil, void *data, int n) noexcept nogil:
    cdef double total = 0.0
    cdef int i
    for i in range(n):
        total += f(i, data)
    return total


def sum_of(function, int n):
    """The sum, and why it was slow."""
    cdef PyTypedCallback f
    cdef double total
    PyTypedCallable_InitAny(&f, function, PyTypedCallback_forms_f8_f8)
    try:
        PyTypedCallback_Enter(&f)
        if PyTypedCallback_NeedsGIL(&f):        # released, each call would take it again
            total = c_sum(PyTypedCallback_f8_f8_last, &f, n)
        else:
            with nogil:
                total = c_sum(PyTypedCallback_f8_f8_last, &f, n)
        total += PyTypedCallback_call_f8_f8(&f, 0.0)
        total += PyTypedCallback_f8_f8(0.0)
        PyTypedCallback_Leave(&f)
        return total, PyTypedCallback_WhyNot(&f)
    finally:
        PyTypedCallback_Clear(&f)
# [sum_of.end]


def needs_gil(function):
    cdef PyTypedCallback f
    PyTypedCallable_InitAny(&f, function, PyTypedCallback_forms_f8_f8)
    try:
        return bool(PyTypedCallback_NeedsGIL(&f))
    finally:
        PyTypedCallback_Clear(&f)


# [hook.begin]
from libc.stdint cimport int32_t
from cython_customslots.typedcallback cimport PyTypedCallbackForm, PyTypedCallback_call_f8_i4_pointer
from cython_customslots.typedmethod cimport PyTypedMethod_F8, PyTypedMethod_I4, PyTypedMethod_POINTER, PyTypedMethod_SIG


cdef double with_list(void *callback, int32_t n, void *x) except? -1:       # with the GIL
    function = <object>(<PyTypedCallback *>callback).callable.callable
    return function([(<double *>x)[i] for i in range(n)])


cdef PyTypedCallbackForm[2] points              # the second one is 0 and ends the list
points[0].signature = PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_I4, PyTypedMethod_POINTER)
points[0].prototype = "double (int, double *)"
points[0].hook = <void *>with_list


def value_at(function, double x, double y):
    """function([x, y]), or in C: function(2, a pointer to x and y)."""
    cdef double[2] point = [x, y]
    cdef PyTypedCallback f
    PyTypedCallable_InitAny(&f, function, points)
    try:
        PyTypedCallback_Enter(&f)
        value = PyTypedCallback_call_f8_i4_pointer(&f, 2, point)        # C code would do this
        PyTypedCallback_Leave(&f)
        return value
    finally:
        PyTypedCallback_Clear(&f)
# [hook.end]
