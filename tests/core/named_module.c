/* SPDX-License-Identifier: MIT
 *
 * A module whose slots have names as IDs, interned in the initialiser of the array and not
 * checked there.  See test_set_slots.py.
 */
#define PY_SSIZE_T_CLEAN
#include "extensibletype.h"
#include "../module.h"

static int data[2];

/* from_spec(one, two) */
static PyObject *
from_spec(PyObject *module, PyObject *args)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"named.Made", (int)sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    const char *one, *two;
    if (!PyArg_ParseTuple(args, "ss", &one, &two)) return NULL;
    {
        PyCustomSlot own[] = {{PyCustomSlots_Intern(one), {&data[0]}},
                              {PyCustomSlots_Intern(two), {&data[1]}}};
        return PyExtensibleType_FromSpec(NULL, module, &spec, NULL, own, 2);
    }
}

/* set_slots(cls, one, two) */
static PyObject *
set_slots(PyObject *module, PyObject *args)
{
    PyTypeObject *cls;
    const char *one, *two;
    if (!PyArg_ParseTuple(args, "O!ss", &PyType_Type, &cls, &one, &two)) return NULL;
    {
        PyCustomSlot own[] = {{PyCustomSlots_Intern(one), {&data[0]}},
                              {PyCustomSlots_Intern(two), {&data[1]}}};
        if (PyExtensibleType_SetSlots(cls, own, 2) < 0) return NULL;
    }
    Py_RETURN_NONE;
}

/* register(cls, name) */
static PyObject *
register_(PyObject *module, PyObject *args)
{
    PyTypeObject *cls;
    const char *name;
    if (!PyArg_ParseTuple(args, "O!s", &PyType_Type, &cls, &name)) return NULL;
    {
        PyCustomSlot slot = {PyCustomSlots_Intern(name), {&data[0]}};
        if (PyCustomSlots_Register(cls, &slot) < 0) return NULL;
    }
    Py_RETURN_NONE;
}

/* ready(one, two): the static type, which is readied when both names are good */
static PyObject *
ready(PyObject *module, PyObject *args)
{
    static PyHeapExtensibleTypeObject type;
    static PyCustomSlot slots[] = {{0, {&data[0]}}, {0, {&data[1]}}};
    PyTypeObject *base = (PyTypeObject *)&type;
    const char *one, *two;
    if (!PyArg_ParseTuple(args, "ss", &one, &two)) return NULL;
    slots[0].id = PyCustomSlots_Intern(one);
    slots[1].id = PyCustomSlots_Intern(two);
    base->tp_name = "named.Static";
    base->tp_basicsize = sizeof(PyObject);
    base->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    base->tp_new = PyType_GenericNew;
    type.etp_custom_slots = slots;
    type.etp_custom_slot_count = 2;
    if (PyExtensibleType_Ready(&type, 2) < 0) return NULL;
    Py_INCREF((PyObject *)base);
    return (PyObject *)base;
}

static PyMethodDef methods[] = {
    TAKES_ARGS(from_spec), TAKES_ARGS(ready),
    {"register", register_, METH_VARARGS, NULL},
    TAKES_ARGS(set_slots),
    {NULL, NULL, 0, NULL}
};

MODULE(named, methods, )
