/* SPDX-License-Identifier: MIT
 *
 * example_typed.c - the examples in the head of typedmethod.h, so that they compile and
 * run.  What stands between the marks is that text (test_header_examples.py compares them).
 */
#define PY_SSIZE_T_CLEAN
#include "example_module.h"

/* [example.begin] */
#include "typedmethod.h"

PyTypedMethod_CALLER(call_f8_f8, f8, f8)      // double call_f8_f8(PyTypedCallable *, double)

static double                                 // -1 with an exception, or the integral
integrate(PyObject *callable, double from, double to, int steps)
{
    PyTypedCallable f;
    double sum = 0.0;
    if (PyTypedCallable_Init(&f, callable, PyTypedMethod_SIGNATURE(f8(f8))) < 0) return -1.0;
    for (int i = 0; i < steps && !PyErr_Occurred(); i++) {
        sum += call_f8_f8(&f, from + (to - from) * (i + 0.5) / steps);
    }
    PyTypedCallable_Clear(&f);
    return PyErr_Occurred() ? -1.0 : sum * (to - from) / steps;
}
/* [example.end] */

double
example_integrate(PyObject *callable, double from, double to, int steps)
{
    return integrate(callable, from, to, steps);
}
