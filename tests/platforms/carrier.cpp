/* SPDX-License-Identifier: MIT
 *
 * carrier.cpp - the same for C++: all of carrier.c, and the class for callers.
 */
#include "carrier.c"
#include "typedmethod.hpp"

double call_from_cpp(PyObject *function, double x);

double
call_from_cpp(PyObject *function, double x)
{
    customslots::callable<double(double)> f(function);
    return f ? f(x) : -1.0;
}
