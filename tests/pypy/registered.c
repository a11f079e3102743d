/* SPDX-License-Identifier: MIT
 *
 * What customslots.h offers on PyPy: names, and slots of registered types.
 */
#include "../module.h"
#include "customslots.h"

static PyObject *
intern(PyObject *module, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);
    uintptr_t id = text != NULL ? PyCustomSlots_Intern(text) : 0;
    return id != 0 ? PyLong_FromSize_t((size_t)id) : NULL;
}

/* register(type, id, number) */
static PyObject *
register_slot(PyObject *module, PyObject *args)
{
    PyObject *type;
    Py_ssize_t id, number;
    PyCustomSlot slot;
    if (!PyArg_ParseTuple(args, "Onn", &type, &id, &number)) return NULL;
    slot.id = (uintptr_t)id;
    slot.data.flags = (uintptr_t)number;
    if (PyCustomSlots_Register((PyTypeObject *)type, &slot) < 0) return NULL;
    Py_RETURN_NONE;
}

/* find(object, id) -> number or None, what Find() says and whether there is an error */
static PyObject *
find(PyObject *module, PyObject *args)
{
    PyObject *obj;
    Py_ssize_t id;
    const PyCustomSlot *slot;
    if (!PyArg_ParseTuple(args, "On", &obj, &id)) return NULL;
    slot = PyCustomSlots_FindAny(obj, (uintptr_t)id, 0);
    if (PyErr_Occurred()) return NULL;
    if (PyCustomSlots_Find(obj, (uintptr_t)id, 0) != NULL || PyCustomSlots_Check(obj)
            || PyCustomSlots_Count(obj) != 0) {
        PyErr_SetString(PyExc_AssertionError, "found a table in a type object of PyPy");
        return NULL;
    }
    if (slot == NULL) Py_RETURN_NONE;
    return PyLong_FromSize_t((size_t)slot->data.flags);
}

static PyMethodDef methods[] = {
    TAKES_ONE(intern), {"register", register_slot, METH_VARARGS, NULL}, TAKES_ARGS(find), {NULL, NULL, 0, NULL}};

MODULE(NAME, methods, )
