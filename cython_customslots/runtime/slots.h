/* SPDX-License-Identifier: MIT
 *
 * runtime/slots.h - a slot table in memory, shared by the types that use it.
 *
 *   type object                          record (one block, counted)
 *   +-----------------------+            +--------------------------------+
 *   | etp_custom_slot_count |            | refcount capacity count        |
 *   | etp_custom_slots -----|--------+   | retired -> older record        |
 *   | etp_check             |        |   | watched                        |
 *   | etp_private ----------|--+     |   | declared: owner own own_count  |
 *   +-----------------------+  |     |   |           index absent         |
 *                              |     |   +--------------------------------+
 *                              |     +-->| slots[capacity]  EMPTY-padded  |
 *                              |         | own[3 * own_count]             |
 *                              +-------->| index[]: of more than 4 slots  |
 *                                        | a byte a slot: for the merge   |
 *                                        +--------------------------------+
 *
 * A class that adds no slot shares the record of its base: no allocation for each
 * class.  The record says which type (`owner`) declared which slots (`own`), so that
 * tables can be merged again when bases change, and so that readers of an unfinished class
 * can find what it will have (customslots.h).
 *
 * Readers take no lock.  Hence a record that was once published by a type lives as
 * long as that type (on the `retired` list of its successor), its slots never change,
 * and a successor never has fewer entries in memory.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SLOTS_H
#define Py_CUSTOMSLOTS_RUNTIME_SLOTS_H

#include "runtime/runtime.h"

typedef struct _Pycs_Record {
    Py_ssize_t     refcount;
    Py_ssize_t     capacity;          /* entries in memory, >= PyCustomSlots_MIN_CAPACITY,
                             not counting the EMPTY one that ends a full table */
    Py_ssize_t     count;             /* entries in use */
    struct _Pycs_Record *retired;               /* counted */
    uintptr_t      watched;           /* not 0: it has the slot of an interface (overriding.h) */
    _Pycs_Declared declared;          /* owner: who declared `own`, or for whom it was merged;
                             own, index: behind the slots, in this block, see SetOwn()
                             and NotePlaces() */
    PyCustomSlot   slots[1];
} _Pycs_Record;

_Pycs_ASSERT(declaration_is_in_front,
             offsetof(_Pycs_Record, slots) == offsetof(_Pycs_Record, declared) + sizeof(_Pycs_Declared));

/* The slots that a class is about to get in place of those that it declared. */
typedef struct {
    PyTypeObject       *top;            /* borrowed from the caller, as they are */
    const PyCustomSlot *own;
    Py_ssize_t          own_count;      /* less than 0: they stay, and something else changes (refresh.h) */
} _Pycs_Change;

/* Is it a class that we filled, in either state?  The one that a metaclass's tp_new is tried
   out with is not (DetectObjects): its fields are in its author's hands. */
static inline int
_Pycs_IsFilled(PyTypeObject *type)
{
    return _Pycs_HasTable(type) || _Pycs_IsUnfinished(type);
}

_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordIncref(_Pycs_Record *record);
_Pycs_PRIVATE void _Pycs_RecordDecref(_Pycs_Record *record);
_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordNew(
    PyTypeObject *owner, Py_ssize_t capacity, const PyCustomSlot *own, Py_ssize_t own_count);
_Pycs_PRIVATE void _Pycs_SetOwn(_Pycs_Record *record, const PyCustomSlot *own);
_Pycs_PRIVATE void _Pycs_NotePlaces(_Pycs_Record *record);
_Pycs_PRIVATE int _Pycs_RecordEquals(const _Pycs_Record *a, const _Pycs_Record *b);
_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordOf(PyTypeObject *type);
_Pycs_PRIVATE PyCustomSlot *_Pycs_DeclaredIn(const _Pycs_Record *record);
_Pycs_PRIVATE Py_ssize_t _Pycs_OwnSlots(PyTypeObject *type, const _Pycs_Change *change, const PyCustomSlot **own);
_Pycs_PRIVATE void _Pycs_DisownRecords(PyTypeObject *type, _Pycs_Record *record);
_Pycs_PRIVATE void _Pycs_SetStamp(PyTypeObject *type, int stamped);
_Pycs_PRIVATE void _Pycs_SetRecord(_Pycs_API *api, PyTypeObject *type, _Pycs_Record *record);
_Pycs_PRIVATE int _Pycs_CheckOwn(const char *name, const PyCustomSlot *own, Py_ssize_t count);
_Pycs_PRIVATE Py_ssize_t _Pycs_MergeBound(PyTypeObject *type, Py_ssize_t own_count, PyObject *mro);
_Pycs_PRIVATE int _Pycs_MergeInto(_Pycs_Record *record, const _Pycs_Record *primary, PyObject *mro);
_Pycs_PRIVATE _Pycs_Record *_Pycs_PrimaryRecord(PyTypeObject *type, PyObject *mro);
_Pycs_PRIVATE int _Pycs_MergeRecord(
    PyTypeObject *owner, const PyCustomSlot *own, Py_ssize_t own_count, PyObject *mro, _Pycs_Record **result);
_Pycs_PRIVATE PyObject *_Pycs_MroOfBases(_Pycs_API *api, PyObject *bases);
_Pycs_PRIVATE int _Pycs_IsMroOver(const PyTypeObject *type, PyObject *mro, PyObject *above);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SLOTS_H */
