/* SPDX-License-Identifier: MIT
 *
 * example_array.c - the example in the head of typedarray.h, so that it compiles and runs.  What
 * stands between the marks is that text (test_header_examples.py compares them).
 */
#include "example_module.h"

/* [example.begin] */
#include "typedarray.h"

static double                                 // -1 with an exception, or the sum of products
dot(PyObject *x, PyObject *y)
{
    static const PyTypedArray_Spec spec = PyTypedArray_SPEC(double, 1, 0);
    PyTypedArray a, b;
    double sum = -1.0;
    Py_ssize_t i;
    if (PyTypedArray_Init(&a, x, &spec) < 0) return -1.0;
    if (PyTypedArray_Init(&b, y, &spec) == 0) {
        if (a.shape[0] != b.shape[0]) {
            PyErr_SetString(PyExc_ValueError, "found two lengths, expected one");
        }
        else {
            for (i = 0, sum = 0.0; i < a.shape[0]; i++) {
                sum += *(double *)PyTypedArray_At1(&a, i) * *(double *)PyTypedArray_At1(&b, i);
            }
        }
        PyTypedArray_Clear(&b);
    }
    PyTypedArray_Clear(&a);
    return sum;
}
/* [example.end] */

double
example_dot(PyObject *x, PyObject *y)
{
    return dot(x, y);
}
