/* SPDX-License-Identifier: MIT
 *
 * counting.c - a module that calls what it is given, a long at a time.  It knows nothing of
 * mytypedmod; if there is a C function `long f(long)`, it calls that.
 */
#include <Python.h>
#include "typedmethod.h"

/* [count.begin] */
PyTypedMethod_CALLER(call_long_long, long, long)

/* count(f, start, times) -> (f(f(...f(start))), "C" or "Python") */
static PyObject *
count(PyObject *module, PyObject *args)
{
    PyObject *callable, *result = NULL;
    PyTypedCallable f;
    long i, start, times;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oll", &callable, &start, &times)) return NULL;
    if (PyTypedCallable_Init(&f, callable, PyTypedMethod_SIGNATURE(long(long))) < 0) return NULL;
    for (i = start; times > 0; times--) {
        i = call_long_long(&f, i);
        if (i == -1 && PyErr_Occurred()) goto done;
    }
    result = Py_BuildValue("ls", i, PyTypedCallable_IsTyped(&f) ? "C" : "Python");
done:
    PyTypedCallable_Clear(&f);
    return result;
}
/* [count.end] */

static PyMethodDef methods[] = {
    {"count", count, METH_VARARGS, "count(f, start, times): call f again and again"},
    {NULL, NULL, 0, NULL}
};

static PyModuleDef_Slot slots[] = {
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "counting", NULL, 0, methods, slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_counting(void)
{
    return PyModuleDef_Init(&definition);
}
