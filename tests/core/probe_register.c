/* SPDX-License-Identifier: MIT
 *
 * probe_register.c - slots for types that are not extensible.
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

PyMethodDef register_methods[] = {
    TAKES_ARGS(register_slot), TAKES_ARGS(find_any_times), TAKES_NONE(table_state), TAKES_ARGS(forge_answer),
    TAKES_ONE(table_lock_as),
    {NULL, NULL, 0, NULL}
};
