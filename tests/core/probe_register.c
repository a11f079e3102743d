/* SPDX-License-Identifier: MIT
 *
 * probe_register.c - slots for types that are not extensible, and what __customslots__
 * may be made of.
 */
#include "probe.h"
#include "../readers.h"

REGISTER_SLOT

/* find_any_times(cls, id, times): how often it was found, and the sum of the data. */
static PyObject *
find_any_times(PyObject *module, PyObject *args)
{
    PyTypeObject *type;
    unsigned long long id;
    Py_ssize_t times, i, hits = 0;
    uintptr_t sum = 0;
    if (!PyArg_ParseTuple(args, "O!Kn", &PyType_Type, &type, &id, &times)) return NULL;
    for (i = 0; i < times; i++) {
        const PyCustomSlot *slot = PyCustomSlots_FindAnyType(type, (uintptr_t)id, 0);
        if (slot == NULL) continue;
        hits++;
        sum += slot->data.flags;
    }
    return Py_BuildValue("nK", hits, (unsigned long long)sum);
}

/* What the process's table is made of now; it is made if there is none.  `count`: slots of
   types; `entries`: those and what ended ones left behind; `names`: interned ones; `functions`: PyMethodDefs and types
   that lead to one. */
static PyObject *
table_state(PyObject *module, PyObject *ignored)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable("table_state");
    _Pycs_Cells *cells;
    Py_ssize_t slots = 0, entries = 0, names = 0, functions = 0;
    size_t i;
    if (table == NULL) return NULL;
    cells = table->cells;
    for (i = 0; cells != NULL && i <= cells->mask; i++) {
        const void *value = cells->cells[i].value;
        uintptr_t kind = cells->cells[i].key & _Pycs_KEY_KIND;
        const _Pycs_Entry *entry = NULL;
        const _Pycs_Name *name = NULL;
        if (kind == _Pycs_KEY_SLOTS) entry = (const _Pycs_Entry *)value;
        else if (kind == _Pycs_KEY_NAME) name = (const _Pycs_Name *)value;
        else functions += value != NULL && kind % 4 <= _Pycs_KEY_LAYOUT;
        for (; entry != NULL; entry = entry->next) {     /* (of its own key: once) */
            if (cells->cells[i].key != _Pycs_SlotKey(entry->type, entry->slot.id)) continue;
            entries++;
            slots += entry->referent != NULL;
        }
        for (; name != NULL; name = name->next) names++;
    }
    return Py_BuildValue("{s:n, s:n, s:n, s:n, s:n, s:n, s:N}", "count", slots, "entries", entries, "names", names,
                         "functions", functions,
                         "used", cells != NULL ? (Py_ssize_t)cells->used : 0,
                         "cells", cells != NULL ? (Py_ssize_t)cells->mask + 1 : 0,
                         "address", PyLong_FromVoidPtr(table));
}

/* forge_answer(cls, id, wrong): remembers that there is nothing, with a word of this name that is not
   what it should be; "main": as the main interpreter would.  False: nothing is remembered here. */
static PyObject *
forge_answer(PyObject *module, PyObject *args)
{
    PyTypeObject *type;
    unsigned long long id;
    const char *wrong;
    if (!PyArg_ParseTuple(args, "O!Ks", &PyType_Type, &type, &id, &wrong)) return NULL;
#if _Pycs_REMEMBERS
    {
        _Pycs_ProcessTable *table = _Pycs_GetTable("forge_answer");
        _Pycs_Answer found;
        if (table == NULL) return NULL;
        found.type = type;
        found.id = (uintptr_t)id;
        found.generation = table->generation - (strcmp(wrong, "generation") == 0);
        found.version = _Pycs_GetVersion(type) - (strcmp(wrong, "version") == 0);
        found.mro = strcmp(wrong, "mro") == 0 ? type->tp_bases : type->tp_mro;
        found.interpreter = strcmp(wrong, "main") == 0 ? (void *)PyInterpreterState_Main()
            : (char *)_Pycs_VersionOwner(type) + (strcmp(wrong, "interpreter") == 0);
        found.slot = NULL;
        _Pycs_Remember(table, &found);
        _Pycs_AnswerFor(table, type, found.id)->sequence += strcmp(wrong, "sequence") == 0;
        Py_RETURN_TRUE;
    }
#else
    Py_RETURN_FALSE;
#endif
}

/* A process of this number holds the lock: what fork() may leave behind. */
static PyObject *
table_lock_as(PyObject *module, PyObject *arg)
{
    _Pycs_ProcessTable *table;
    unsigned long long number = PyLong_AsUnsignedLongLong(arg);
    if (PyErr_Occurred() || !(table = _Pycs_GetTable("table_lock_as"))) return NULL;
    table->owner = (uintptr_t)number;
    Py_RETURN_NONE;
}

/* A static type that PyType_Ready() has not seen, handed to Register. */
static PyObject *
register_unready(PyObject *module, PyObject *ignored)
{
    static PyTypeObject unready;
    PyCustomSlot slot = {257, {NULL}};
    memcpy((void *)&unready, (const void *)static_head, sizeof(*static_head));
    unready.tp_name = "probe.Unready";
    Py_SET_TYPE((PyObject *)&unready, &PyType_Type);
    if (PyCustomSlots_Register(&unready, &slot) < 0) return NULL;
    Py_RETURN_NONE;
}

/* ------------------------------------------- what __customslots__ may be made of -- */

static PyObject *
capsule_address(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *name;
    void *pointer;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &name)) return NULL;
    pointer = PyCapsule_GetPointer(capsule, name);
    return pointer != NULL ? PyLong_FromVoidPtr(pointer) : NULL;
}

static void
make_noise(PyObject *capsule)
{
    PyObject *callback = (PyObject *)PyCapsule_GetPointer(capsule, NULL), *result;
    result = PyObject_CallFunction(callback, "s", "freed");
    if (result == NULL) PyErr_WriteUnraisable(callback);
    Py_XDECREF(result);
    Py_DECREF(callback);
}

/* A capsule without a name that calls callback("freed") when it dies. */
static PyObject *
noisy_capsule(PyObject *module, PyObject *callback)
{
    PyObject *capsule = PyCapsule_New((void *)callback, NULL, make_noise);
    if (capsule != NULL) Py_INCREF(callback);
    return capsule;
}

/* object_at(obj, offset): the object that a field of `obj` holds */
static PyObject *
object_at(PyObject *module, PyObject *args)
{
    PyObject *obj, *held;
    Py_ssize_t offset;
    if (!PyArg_ParseTuple(args, "On", &obj, &offset)) return NULL;
    memcpy((void *)&held, (char *)obj + offset, sizeof(held));
    if (held == NULL) Py_RETURN_NONE;
    Py_INCREF(held);
    return held;
}

PyMethodDef register_methods[] = {
    TAKES_ARGS(capsule_address), TAKES_ONE(noisy_capsule), TAKES_ARGS(object_at), TAKES_ARGS(register_slot),
    TAKES_ARGS(find_any_times), TAKES_NONE(table_state), TAKES_ARGS(forge_answer), TAKES_ONE(table_lock_as),
    TAKES_NONE(register_unready),
    {NULL, NULL, 0, NULL}
};
