/* SPDX-License-Identifier: MIT
 *
 * A module that knows `exported` by the header of its api.
 */
#include "exported_api.h"
#include "../../module.h"

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

MODULE(exported_consumer, methods, EXECUTE(exec_module))
