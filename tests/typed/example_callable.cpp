/* SPDX-License-Identifier: MIT
 *
 * example_callable.cpp - the example of typedmethod.hpp that docs/typed.md quotes.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* [example.begin] */
#include "typedmethod.hpp"

static double                                 // -1 with an exception, or the integral
integrate(PyObject *function, double from, double to, int steps)
{
    customslots::callable<double(double)> f(function);
    double sum = 0.0;
    if (!f) return -1.0;                      // TypeError is set
    for (int i = 0; i < steps && !PyErr_Occurred(); i++) {
        sum += f(from + (to - from) * (i + 0.5) / steps);
    }
    return PyErr_Occurred() ? -1.0 : sum * (to - from) / steps;
}
/* [example.end] */

double example_integrate(PyObject *function, double from, double to, int steps);

double
example_integrate(PyObject *function, double from, double to, int steps)
{
    return integrate(function, from, to, steps);
}
