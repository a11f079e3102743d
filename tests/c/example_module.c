/* SPDX-License-Identifier: MIT
 *
 * example_module.c - a module around the examples of the headers: translation units
 * that all include them, the headers included twice in this one.
 */
#include "example_module.h"
#include "extensibletype.h"
#include "typedmethod.h"
#include "typedarray.h"
#include "customslots.h"
#include "customslots.h"
#include "typedarray.h"
#include "typedmethod.h"
#include "extensibletype.h"
#include "../module.h"

#ifndef EXAMPLE_NAME
#  define EXAMPLE_NAME example_module
#endif

static PyObject *
call_or_zero(PyObject *module, PyObject *args)
{
    PyObject *obj;
    double x;
    (void)module;
    if (!PyArg_ParseTuple(args, "Od", &obj, &x)) return NULL;
    return PyFloat_FromDouble(example_call_or_zero(obj, x));
}

static PyObject *
twice_type(PyObject *module, PyObject *ignored)
{
    (void)module, (void)ignored;
    return example_twice_type();
}

static PyObject *
integrate(PyObject *module, PyObject *args)
{
    PyObject *callable;
    double from, to, result;
    int steps;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oddi", &callable, &from, &to, &steps)) return NULL;
    result = example_integrate(callable, from, to, steps);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(result);
}

static PyObject *
dot(PyObject *module, PyObject *args)
{
    PyObject *x, *y;
    double result;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &x, &y)) return NULL;
    result = example_dot(x, y);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(result);
}

static PyMethodDef methods[] = {
    {"call_or_zero", call_or_zero, METH_VARARGS, NULL},
    {"dot", dot, METH_VARARGS, NULL},
    {"integrate", integrate, METH_VARARGS, NULL},
    {"twice_type", twice_type, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static int
exec_module(PyObject *module)
{
    /* The static asserts of the headers and one call in this translation unit, too. */
    return example_init() == 0 && PyCustomSlots_Find(module, PyCustomSlots_ID(1, 7, 0), 0) == NULL
           && PyExtensibleType_Import() != NULL ? 0 : -1;
}

MODULE(EXAMPLE_NAME, methods, EXECUTE(exec_module))
