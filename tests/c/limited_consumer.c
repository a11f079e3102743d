/* SPDX-License-Identifier: MIT
 *
 * limited_consumer.c - a consumer under the limited API: one binary for 3.10 and later; for 3.15 and later, with and
 * without a GIL, if Py_TARGET_ABI3T says so.
 */
#if !defined(Py_LIMITED_API) && !defined(Py_TARGET_ABI3T)
#  define Py_LIMITED_API 0x030A0000
#endif
#include "../abi.h"
#include "customslots.h"
#include "customslots.h"
#include "../module.h"
#include "../readers.h"

FINDER(find, PyObject, ANY, PyCustomSlots_Find)
FINDER(find_any, PyObject, ANY, PyCustomSlots_FindAny)
INTERN
REGISTER_SLOT

/* (check, count, address of the table) of a type */
static PyObject *
look(PyObject *module, PyObject *arg)
{
    PyTypeObject *type = (PyTypeObject *)arg;
    (void)module;
    if (!PyType_Check(arg)) {
        PyErr_SetString(PyExc_TypeError, "look: expected a class");
        return NULL;
    }
    return Py_BuildValue("inN", PyCustomSlots_CheckType(type), PyCustomSlots_CountType(type),
                         PyLong_FromVoidPtr((void *)PyCustomSlots_TableType(type)));
}

/* The first look-up of a process may be made without the GIL and with an exception
   pending: what it needs to read once must not disturb either. */
static PyObject *
find_quietly(PyObject *module, PyObject *args)
{
    PyObject *obj, *pending, *type, *value, *traceback;
    unsigned long long id;
    int fine;
    PyCustomSlot *slot;
    PyTypeObject *t;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOK", &obj, &pending, &id)) return NULL;
    t = Py_TYPE(obj);
    Py_BEGIN_ALLOW_THREADS
    slot = PyCustomSlots_FindType(t, (uintptr_t)id, 0);
    Py_END_ALLOW_THREADS
    PyErr_SetObject((PyObject *)Py_TYPE(pending), pending);
    fine = PyCustomSlots_Find(obj, (uintptr_t)id, 0) == slot;
    PyErr_Fetch(&type, &value, &traceback);
    fine = fine && value == pending;
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return PyBool_FromLong(fine && slot != NULL);
}

static PyMethodDef methods[] = {
    {"register_slot", register_slot, METH_VARARGS, NULL},
    {"find_any", find_any, METH_VARARGS, NULL},
    {"find", find, METH_VARARGS, NULL},
    {"look", look, METH_O, NULL},
    {"find_quietly", find_quietly, METH_VARARGS, NULL},
    {"intern", intern, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

#ifndef NAME
#  define NAME limited_consumer
#endif
MODULE(NAME, methods, )
