# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""An adaptive integrator (Gauss-Kronrod) for any callable.

It knows no other library.  Where there is a C function `double f(double)` behind the callable,
that is called, without the GIL if it needs none; everything else is called by Python.
"""
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Init, PyTypedCallable_Clear, PyTypedCallable_IsTyped,
    PyTypedCallable_call_f8_f8, PyTypedMethod_SIG, PyTypedMethod_F8, PyTypedMethod_NOGIL)

cdef extern from "float.h" nogil:
    const double DBL_EPSILON
cdef extern from "math.h" nogil:
    double fabs(double x)

# Gauss and Kronrod's 7 and 15 places in [-1, 1]: Kronrod's, and the weights of both.
cdef double[8] PLACES = [
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0.0]
cdef double[8] KRONROD = [
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714]
cdef double[4] GAUSS = [
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327]


cdef struct State:
    PyTypedCallable f
    double tolerance        # for the whole
    double length           # of the whole
    double error
    long calls


cdef double piece(State *state, double a, double b, double *error) except? -1 nogil:
    """The integral over one piece, and how far the two rules are apart."""
    cdef double middle = (a + b) / 2, half = (b - a) / 2, kronrod, gauss, both
    cdef int i
    both = PyTypedCallable_call_f8_f8(&state.f, middle)
    kronrod = KRONROD[7] * both
    gauss = GAUSS[3] * both
    for i in range(7):
        both = (PyTypedCallable_call_f8_f8(&state.f, middle - half * PLACES[i])
                + PyTypedCallable_call_f8_f8(&state.f, middle + half * PLACES[i]))
        kronrod += KRONROD[i] * both
        if i % 2:
            gauss += GAUSS[i // 2] * both
    state.calls += 15
    error[0] = fabs(half * (kronrod - gauss))
    return half * kronrod


cdef double adapt(State *state, double a, double b, int depth) except? -1 nogil:
    cdef double error = 0.0, middle = (a + b) / 2
    cdef double value = piece(state, a, b, &error)
    if (error <= state.tolerance * fabs(b - a) / state.length
            or error <= 50 * DBL_EPSILON * fabs(value) or depth == 0):
        state.error += error
        return value
    return adapt(state, a, middle, depth - 1) + adapt(state, middle, b, depth - 1)


def integrate(f, double a, double b, double tolerance=1.5e-8):
    """The integral of f from a to b: (value, estimate of the error, number of calls, "C" or
    "Python").  What f raises is raised."""
    cdef State state
    cdef double value
    if a == b:
        return 0.0, 0.0, 0, "C"
    state.tolerance, state.length, state.error, state.calls = tolerance, fabs(b - a), 0.0, 0
    PyTypedCallable_Init(&state.f, f, PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8))
    try:
        # 40 halvings: then f is too much for this.
        if state.f.call.flags & PyTypedMethod_NOGIL:
            with nogil:
                value = adapt(&state, a, b, 40)
        else:                                   # so that not each call has to take the GIL
            value = adapt(&state, a, b, 40)
        return value, state.error, state.calls, "C" if PyTypedCallable_IsTyped(&state.f) else "Python"
    finally:
        PyTypedCallable_Clear(&state.f)
