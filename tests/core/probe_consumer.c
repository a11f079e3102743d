/* SPDX-License-Identifier: MIT
 *
 * probe_consumer.c - every function of customslots.h, for objects and for types.
 */
#include "probe.h"
#include "../readers.h"

PyObject *
list_of_slots(const PyCustomSlot *slots, Py_ssize_t count)
{
    PyObject *list = PyList_New(0);
    Py_ssize_t i;
    for (i = 0; list != NULL && i < count; i++) {
        PyObject *row = Py_BuildValue("KK", (unsigned long long)slots[i].id,
                                      (unsigned long long)slots[i].data.flags);
        if (row == NULL || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyTypeObject *
expect_type(PyObject *arg)
{
    if (PyType_Check(arg)) return (PyTypeObject *)arg;
    PyErr_Format(PyExc_TypeError, "found %R, expected a class", arg);
    return NULL;
}

/* name(object or class): what the function says of it. */
#define READER(name, T, check, expression) \
    static PyObject * \
    name(PyObject *module, PyObject *arg) \
    { \
        T *who = check(arg); \
        (void)module; \
        return who != NULL ? expression : NULL; \
    }

static PyObject *
slots_or_none(const PyCustomSlot *slots, Py_ssize_t count)
{
    if (slots == NULL) Py_RETURN_NONE;
    return list_of_slots(slots, count);
}

READER(check, PyObject, ANY, PyBool_FromLong(PyCustomSlots_Check(who)))
READER(check_type, PyTypeObject, expect_type, PyBool_FromLong(PyCustomSlots_CheckType(who)))
READER(count, PyObject, ANY, PyLong_FromSsize_t(PyCustomSlots_Count(who)))
READER(count_type, PyTypeObject, expect_type, PyLong_FromSsize_t(PyCustomSlots_CountType(who)))
READER(table, PyObject, ANY, slots_or_none(PyCustomSlots_Table(who), PyCustomSlots_Count(who)))
READER(table_type, PyTypeObject, expect_type,
       slots_or_none(PyCustomSlots_TableType(who), PyCustomSlots_CountType(who)))
/* What a reader may touch even if the count is smaller. */
READER(first_entries, PyTypeObject, expect_type,
       list_of_slots(PyCustomSlots_TableType(who), PyCustomSlots_MIN_CAPACITY))
READER(address, PyTypeObject, expect_type, PyLong_FromVoidPtr(PyCustomSlots_TableType(who)))

FINDER(find, PyObject, ANY, PyCustomSlots_Find)
FINDER(find_type, PyTypeObject, expect_type, PyCustomSlots_FindType)
FINDER(find_any, PyObject, ANY, PyCustomSlots_FindAny)
FINDER(find_any_type, PyTypeObject, expect_type, PyCustomSlots_FindAnyType)

/* Where the slot that Find returns stands in the table; -1: not found. */
static PyObject *
find_position(PyObject *module, PyObject *args)
{
    PyTypeObject *type;
    unsigned long long id;
    Py_ssize_t position = 0;
    PyCustomSlot *slot;
    if (!PyArg_ParseTuple(args, "O!K|n", &PyType_Type, &type, &id, &position)) return NULL;
    slot = PyCustomSlots_FindType(type, (uintptr_t)id, position);
    return PyLong_FromSsize_t(slot == NULL ? -1 : slot - PyCustomSlots_TableType(type));
}

/* All look-ups on an object and its type, with `pending` raised, also the very first: True if it still is,
   and if a look-up without a pending exception leaves none. */
static PyObject *
leaves_exceptions_alone(PyObject *module, PyObject *args)
{
    PyObject *obj, *pending, *type, *value, *traceback;
    unsigned long long id;
    int round, fine = 1;
    volatile uintptr_t sink = 0;

    if (!PyArg_ParseTuple(args, "OOK", &obj, &pending, &id)) return NULL;
    for (round = 1; round >= 0; round--) {
        if (round) PyErr_SetObject((PyObject *)Py_TYPE(pending), pending);
        sink += (uintptr_t)PyCustomSlots_Check(obj) + (uintptr_t)PyCustomSlots_Count(obj)
                + (uintptr_t)PyCustomSlots_Table(obj)
                + (uintptr_t)PyCustomSlots_Find(obj, (uintptr_t)id, 0)
                + (uintptr_t)PyCustomSlots_Find(obj, (uintptr_t)id, 77)
                + (uintptr_t)PyCustomSlots_FindAny(obj, (uintptr_t)id, 0)
                + (uintptr_t)PyCustomSlots_FindAnyType(Py_TYPE(obj), (uintptr_t)id, -1);
        if (PyType_Check(obj)) {
            PyTypeObject *t = (PyTypeObject *)obj;
            sink += (uintptr_t)PyCustomSlots_CheckType(t)
                    + (uintptr_t)PyCustomSlots_CountType(t)
                    + (uintptr_t)PyCustomSlots_TableType(t)
                    + (uintptr_t)PyCustomSlots_FindType(t, (uintptr_t)id, -1);
        }
        PyErr_Fetch(&type, &value, &traceback);
        fine = fine && value == (round ? pending : NULL);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    (void)sink;             /* a clang says otherwise that it is never read */
    return PyBool_FromLong(fine);
}

/* Find() without the GIL or an attached thread state, `times` times: the number of hits. */
static PyObject *
find_without_gil(PyObject *module, PyObject *args)
{
    PyTypeObject *type;
    unsigned long long id;
    Py_ssize_t times, i, hits = 0;
    if (!PyArg_ParseTuple(args, "O!Kn", &PyType_Type, &type, &id, &times)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    for (i = 0; i < times; i++) {
        const PyCustomSlot *slot = PyCustomSlots_FindType(type, (uintptr_t)id, i & 7);
        hits += slot != NULL && slot->id == (uintptr_t)id;
    }
    Py_END_ALLOW_THREADS
    return PyLong_FromSsize_t(hits);
}

static PyObject *
constants(PyObject *module, PyObject *ignored)
{
    return Py_BuildValue(
        "{s:i, s:n, s:n, s:n, s:n}",
        "min_capacity", PyCustomSlots_MIN_CAPACITY,
        "slot_size", (Py_ssize_t)sizeof(PyCustomSlot),
        "heaptype_size", (Py_ssize_t)sizeof(PyHeapTypeObject),
        "type_size", (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject),
        "static_mark", _Pycs_STATIC_MARK);
}

INTERN

PyMethodDef consumer_methods[] = {
    TAKES_ONE(check), TAKES_ONE(check_type), TAKES_ONE(count), TAKES_ONE(count_type), TAKES_ONE(table),
    TAKES_ONE(table_type), TAKES_ONE(first_entries), TAKES_ONE(address), TAKES_ARGS(find), TAKES_ARGS(find_type),
    TAKES_ARGS(find_any), TAKES_ARGS(find_any_type), TAKES_ARGS(find_position), TAKES_ARGS(leaves_exceptions_alone),
    TAKES_ARGS(find_without_gil), TAKES_NONE(constants), TAKES_ONE(intern),
    {NULL, NULL, 0, NULL}
};
