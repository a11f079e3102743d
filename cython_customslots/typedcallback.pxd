# SPDX-License-Identifier: MIT
"""Callbacks in libraries: any callable in one of several forms, errors kept until the C code
has returned.  docs/callbacks.md; every function is described in _typedmethod/callback.h and
running.h.  Cimporting this imports nothing at run time.

    cdef PyTypedCallback f
    PyTypedCallable_InitAny(&f, function, PyTypedCallback_forms_f8_f8)
    try:
        PyTypedCallback_Enter(&f)
        if PyTypedCallback_NeedsGIL(&f):
            y = c_library(PyTypedCallback_f8_f8_last, &f)
        else:
            with nogil:
                y = c_library(PyTypedCallback_f8_f8_last, &f)
        PyTypedCallback_Leave(&f)                       # raises what the function raised
    finally:
        PyTypedCallback_Clear(&f)
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from cpython.object cimport PyObject
from cython_customslots.typedmethod cimport PyTypedCallable    # and the text of typedmethod.h


cdef extern from *:

    ctypedef struct PyTypedCallbackForm:
        uint64_t signature      # without user data; 0 ends the list
        const char *prototype
        void *hook

    ctypedef struct PyTypedCallback:
        PyTypedCallable callable
        const PyTypedCallbackForm *forms
        int chosen
        bint is_typed
        void *data

    const int PyTypedCallback_MAX_DEPTH

    # Any callable, in the first form that it has a C function for, else Python.  Returns the form.
    int PyTypedCallable_InitAny(PyTypedCallback *callback, object callable, const PyTypedCallbackForm *forms) except -1
    str PyTypedCallback_WhyNot(const PyTypedCallback *callback)
    # Keep the GIL then: C code that has released it would take it again in each call.
    bint PyTypedCallback_NeedsGIL(const PyTypedCallback *callback) noexcept nogil
    void PyTypedCallback_Clear(PyTypedCallback *callback) noexcept
    void PyTypedCallback_Copy(PyTypedCallback *copy, const PyTypedCallback *callback) noexcept

    # A run of C code; Leave raises what was raised in it.
    int PyTypedCallback_Enter(PyTypedCallback *callback) except -1
    int PyTypedCallback_Leave(PyTypedCallback *callback) except -1
    void PyTypedCallback_Fail(PyTypedCallback *callback) noexcept
    PyTypedCallback *PyTypedCallback_Obtain() noexcept nogil
    bint PyTypedCallback_HasFailed(PyTypedCallback *callback) noexcept nogil

    # The callable's own C function and user data for C code, or a trampoline and the callback.
    void PyTypedCallback_Target(PyTypedCallback *callback, bint has_gil, void *trampoline, void **function, void **data) noexcept nogil


cdef extern from *:
    """
    #ifndef __PYX_CUSTOMSLOTS_CALLBACK
    #define __PYX_CUSTOMSLOTS_CALLBACK
    _Pycs_UNUSED static const PyTypedCallbackForm PyTypedCallback_forms_f8_f8[] = {
        {PyTypedMethod_SIGNATURE(f8(f8)), "double (double)", NULL}, {0, NULL, NULL}};
    PyTypedCallback_CALLER(PyTypedCallback_call_f8_f8, Py_NAN, f8, f8)
    PyTypedCallback_CALLER(PyTypedCallback_call_f8_i4_pointer, Py_NAN, f8, i4, pointer)
    _Pycs_UNUSED PyTypedCallback_TRAMPOLINE_LAST(PyTypedCallback_f8_f8_last, PyTypedCallback_call_f8_f8, f8, f8)
    _Pycs_UNUSED PyTypedCallback_TRAMPOLINE(PyTypedCallback_f8_f8, PyTypedCallback_call_f8_f8, f8, f8)
    #endif
    """
    # Ready-made for the commonest form; PyTypedCallback_CALLER() and
    # PyTypedCallback_TRAMPOLINE() in a verbatim block make others.  NaN after an error.
    const PyTypedCallbackForm *PyTypedCallback_forms_f8_f8
    double PyTypedCallback_call_f8_f8(PyTypedCallback *callback, double a) noexcept nogil
    double PyTypedCallback_call_f8_i4_pointer(PyTypedCallback *callback, int32_t n, void *x) noexcept nogil
    double PyTypedCallback_f8_f8_last(double a, void *callback) noexcept nogil
    double PyTypedCallback_f8_f8(double a) noexcept nogil
