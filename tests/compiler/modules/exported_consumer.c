/* SPDX-License-Identifier: MIT
 *
 * A module that knows `exported` by the header of its api.
 */
#include "exported_api.h"

static PyObject *
types(PyObject *self, PyObject *args)
{
    (void)self; (void)args;
    return Py_BuildValue("OO", &ExportedHiddenType, &ExportedBothType);
}

/* The number in an instance of Hidden, -1 for others. */
static PyObject *
number(PyObject *self, PyObject *obj)
{
    (void)self;
    if (!PyObject_TypeCheck(obj, &ExportedHiddenType)) return PyLong_FromLong(-1);
    return PyLong_FromLong(((struct ExportedHidden *)obj)->number);
}

static PyMethodDef methods[] = {
    {"types", types, METH_NOARGS, NULL},
    {"number", number, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static int
exec_module(PyObject *module)
{
    (void)module;
    return import_exported();
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)exec_module},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "exported_consumer", NULL, 0, methods, slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_exported_consumer(void)
{
    return PyModuleDef_Init(&definition);
}
