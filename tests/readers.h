/* SPDX-License-Identifier: MIT
 *
 * readers.h - what test modules with customslots.h show to Python, under the limited API, too.
 */
#ifndef TESTS_READERS_H
#define TESTS_READERS_H

#define ANY(arg) (arg)

/* name(object or class, id, position=0): the data of the slot that the function finds, None if there is none. */
#define FINDER(name, T, check, function) \
    static PyObject * \
    name(PyObject *module, PyObject *args) \
    { \
        PyObject *arg; \
        T *who; \
        const PyCustomSlot *slot; \
        unsigned long long id; \
        Py_ssize_t position = 0; \
        (void)module; \
        if (!PyArg_ParseTuple(args, "OK|n", &arg, &id, &position) || !(who = check(arg))) return NULL; \
        if (!(slot = function(who, (uintptr_t)id, position))) Py_RETURN_NONE; \
        return PyLong_FromUnsignedLongLong((unsigned long long)slot->data.flags); \
    }

/* intern(name): None stands for a NULL name. */
#define INTERN \
    static PyObject * \
    intern(PyObject *module, PyObject *arg) \
    { \
        const char *name = NULL; \
        uintptr_t id; \
        (void)module; \
        if (arg != Py_None && !(name = PyBytes_AsString(arg))) return NULL; \
        if (!(id = PyCustomSlots_Intern(name))) return NULL; \
        return PyLong_FromUnsignedLongLong((unsigned long long)id); \
    }

/* register_slot(cls, id, data); None as the class or as the ID: NULL for the type or for the slot. */
#define REGISTER_SLOT \
    static PyObject * \
    register_slot(PyObject *module, PyObject *args) \
    { \
        PyObject *type, *id; \
        unsigned long long data; \
        PyCustomSlot slot; \
        (void)module; \
        if (!PyArg_ParseTuple(args, "OOK", &type, &id, &data)) return NULL; \
        slot.data.flags = (uintptr_t)data; \
        slot.id = id == Py_None ? 0 : (uintptr_t)PyLong_AsUnsignedLongLong(id); \
        if (PyErr_Occurred()) return NULL; \
        if (PyCustomSlots_Register(type == Py_None ? NULL : (PyTypeObject *)type, \
                                   id == Py_None ? NULL : &slot) < 0) return NULL; \
        Py_RETURN_NONE; \
    }

#endif /* TESTS_READERS_H */
