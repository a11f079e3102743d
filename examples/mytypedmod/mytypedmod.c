/* SPDX-License-Identifier: MIT
 *
 * mytypedmod.c - a module written by hand that says what is behind its functions: one line
 * for each, and one call when the module is executed.
 */
#include <Python.h>
#include "typedmethod.h"

static long
inc_impl(long arg)
{
    return arg + 1;
}

/* [typed.begin] */
/* -1 is an answer, too: whether it is an error, PyErr_Occurred() says. */
static long
dec_impl(long arg)
{
    if (arg == LONG_MIN) {
        PyErr_SetString(PyExc_OverflowError, "dec: there is nothing below this number");
        return -1;
    }
    return arg - 1;
}

PyTypedMethod_FUNCTION(inc, inc_impl, PyTypedMethod_NOGIL, 0, long(long));
PyTypedMethod_FUNCTION(dec, dec_impl, PyTypedMethod_RAISES_MAYBE, -1, long(long));
/* [typed.end] */

/* What Python calls has not changed. */
static PyObject *
inc(PyObject *module, PyObject *obj)
{
    long arg = PyLong_AsLong(obj);
    (void)module;
    if (arg == -1 && PyErr_Occurred()) return NULL;
    return PyLong_FromLong(inc_impl(arg));
}

static PyObject *
dec(PyObject *module, PyObject *obj)
{
    long arg = PyLong_AsLong(obj), result;
    (void)module;
    if (arg == -1 && PyErr_Occurred()) return NULL;
    result = dec_impl(arg);
    if (result == -1 && PyErr_Occurred()) return NULL;
    return PyLong_FromLong(result);
}

static PyMethodDef mytypedmod_methods[] = {
    {"inc", inc, METH_O, "Add one to an int"},
    {"dec", dec, METH_O, "Take one from an int"},
    {NULL, NULL, 0, NULL}
};

/* [register.begin] */
static int
mytypedmod_exec(PyObject *module)
{
    static const PyTypedMethodRecord *const typed[] = {&inc_typed, &dec_typed};
    (void)module;
    return PyTypedMethod_RegisterMethods(mytypedmod_methods, typed, 2);
}
/* [register.end] */

static PyModuleDef_Slot mytypedmod_slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)mytypedmod_exec},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static struct PyModuleDef mytypedmod_definition = {
    PyModuleDef_HEAD_INIT, "mytypedmod", "A C extension module with type information exposed.",
    0, mytypedmod_methods, mytypedmod_slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_mytypedmod(void)
{
    return PyModuleDef_Init(&mytypedmod_definition);
}
