/* SPDX-License-Identifier: MIT
 *
 * runtime/look_ups.c - the end of a look-up that finds nothing at the expected position (customslots.h).
 *
 * Readers call these two functions in any thread, without a GIL or a thread state, for a type that passes
 * the test.  If the type is not finished, they look in its bases.
 *
 * Another thread may finish a class at any moment.  A class is finished before its bases and its MRO are assigned for
 * the first time, and the bases and MRO that it had until then live as long as the class (change.c).  So tp_bases and
 * tp_mro of an unfinished class are loaded first, then etp_check once more, and are followed only if the class is
 * still unfinished.
 */
#include "runtime/look_ups.h"
#include "runtime/slots.h"

/* The slot that `type` declared under this ID, as it counts in unfinished classes below; NULL: none. */
static PyCustomSlot *
_Pycs_FindDeclared(PyTypeObject *type, uintptr_t id)
{
    PyCustomSlot *table = _Pycs_HasTable(type) ? _Pycs_TableOf(type) : NULL, *own;
    _Pycs_Record *record;
    Py_ssize_t i;
    if (table == NULL || (_Pycs_FrontOf(table)->absent & _Pycs_Bit(id)) != 0) return NULL;
    record = _Pycs_RecordAround(table);
    if (_Pycs_LOAD(PyTypeObject *, &record->owner) != type) return NULL;
    own = record->own + record->own_count;
    for (i = 0; i < record->own_count; i++) {
        if (own[i].id == id) return &own[i];
    }
    return NULL;
}

/* What a class that is not finished, or was not a moment ago, will have: the slot of the nearest class of its MRO that
   declares it; while it has no MRO, the slot of the first base that has one.  (Not inlined: look-ups in finished
   classes would save registers for it.) */
_Pycs_NOINLINE static PyCustomSlot *
_Pycs_FindUnfinished(PyTypeObject *type, uintptr_t id)
{
    PyObject *const mro = _Pycs_LOAD(PyObject *, &type->tp_mro), *const bases = _Pycs_LOAD(PyObject *, &type->tp_bases);
    PyObject *const types = mro != NULL ? mro : bases;
    PyCustomSlot *found = NULL, *table;
    Py_ssize_t i;
    if (_Pycs_HasTable(type)) {
        table = _Pycs_TableOf(type);
        return table->id == PyCustomSlots_EMPTY ? NULL : _Pycs_FindInRecord(_Pycs_RecordAround(table), id);
    }
    for (i = 0; found == NULL && types != NULL && i < PyTuple_GET_SIZE(types); i++) {
        PyTypeObject *item = _Pycs_TYPE_AT(types, i);
        if (mro != NULL) found = _Pycs_FindDeclared(item, id);
        else if ((item = _Pycs_FindOwner(item)) != NULL) found = _Pycs_find_in(item, _Pycs_TableOf(item), id);
    }
    return found;
}

/* The slot with this ID, which is not EMPTY or SKIP, of a type that passes the test and has, or had a moment ago, this
   table; NULL: none. */
_Pycs_PRIVATE PyCustomSlot *
_Pycs_find_in(PyTypeObject *type, PyCustomSlot *table, uintptr_t id)
{
    if (table->id == PyCustomSlots_EMPTY) return _Pycs_FindUnfinished(type, id);
    return _Pycs_FindInRecord(_Pycs_RecordAround(table), id);
}

/* The type that has the count and the table for `type` as a whole: `type` itself; if it is not finished and has
   bases with tables, the first of these. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_find_whole(PyTypeObject *type)
{
    PyObject *const bases = _Pycs_LOAD(PyObject *, &type->tp_bases);
    PyTypeObject *owner = NULL;
    Py_ssize_t i;
    if (!_Pycs_IsUnfinished(type)) return type;
    for (i = 0; owner == NULL && bases != NULL && i < PyTuple_GET_SIZE(bases); i++) {
        owner = _Pycs_FindOwner(_Pycs_TYPE_AT(bases, i));
    }
    return owner != NULL ? _Pycs_find_whole(owner) : type;
}
