/* SPDX-License-Identifier: MIT
 *
 * example_array.cpp - the example of typedarray.hpp that docs/arrays.md quotes.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* [example.begin] */
#include "typedarray.hpp"

static double                                 // 0 or more; or -1 with an exception
largest_row(PyObject *object)
{
    customslots::array<const double, 2> a(object);
    double largest = 0.0;
    if (!a) return -1.0;                      // TypeError is set
    for (auto row : a) {
        double sum = 0.0;
        for (double x : row) sum += x;
        if (sum > largest) largest = sum;
    }
    return largest;
}
/* [example.end] */

double example_largest_row(PyObject *object);

double
example_largest_row(PyObject *object)
{
    return largest_row(object);
}
