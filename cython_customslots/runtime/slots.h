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
 *                              |         | own[2 * own_count]             |
 *                              +-------->| index[]: of more than 4 slots  |
 *                                        | a byte a slot: for the merge   |
 *                                        +--------------------------------+
 *
 * A class that adds no slot shares the record of its base: no allocation for each
 * class.  The record says which type (`owner`) declared which slots (`own`), so that
 * tables can be merged again when bases change, and so that look-ups in an unfinished class
 * find what it will have (look_ups.c).
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
    PyTypeObject  *owner;             /* who declared `own`, or for whom it was merged; borrowed, to be compared
                             only; NULL once that type is dead */
    PyCustomSlot  *own;               /* the slots that the owner declared, behind the slots, in this block; and once
                             more, as they count in classes below it that are not finished (SetOwn) */
    Py_ssize_t     own_count;         /* EMPTY and SKIP among them */
    uint32_t      *index;             /* where each ID stands, see PlaceOf(); NULL: go through the slots */
    _Pycs_Front    front;             /* what readers see begins here */
    PyCustomSlot   slots[1];
} _Pycs_Record;

_Pycs_ASSERT(front_is_in_front,
             offsetof(_Pycs_Record, slots) == offsetof(_Pycs_Record, front) + sizeof(_Pycs_Front));

/* The slots that a class is about to get in place of those that it declared. */
typedef struct {
    PyTypeObject       *top;            /* borrowed from the caller, as they are */
    const PyCustomSlot *own;
    Py_ssize_t          own_count;      /* less than 0: they stay, and something else changes (finish.h) */
} _Pycs_Change;

/* Is it a class that we filled, in either state?  The class with which a metaclass's tp_new is
   tried out is not (DetectObjects): its fields are in its author's hands. */
static inline int
_Pycs_IsFilled(PyTypeObject *type)
{
    return _Pycs_HasTable(type) || _Pycs_IsUnfinished(type);
}

/* The record that a table with slots is in. */
static inline _Pycs_Record *
_Pycs_RecordAround(PyCustomSlot *table)
{
    return (_Pycs_Record *)(void *)((char *)table - offsetof(_Pycs_Record, slots));
}

/* The cell of an ID in an index: index[0] is the number of cells - 1, a power of two - 1; a cell
   holds 1 + the position of an entry, or 0 if it is free, as some are. */
static inline uint32_t *
_Pycs_PlaceOf(const PyCustomSlot *table, uint32_t *index, uintptr_t id)
{
    const uint32_t mask = index[0];
    uint32_t i = _Pycs_Hash(id) & mask;
    while (index[1 + i] != 0 && table[index[1 + i] - 1].id != id) i = (i + 1) & mask;
    return &index[1 + i];
}

/* The entry with this ID, which is not EMPTY or SKIP; NULL: none. */
static inline PyCustomSlot *
_Pycs_FindInRecord(_Pycs_Record *record, uintptr_t id)
{
    PyCustomSlot *slot = record->slots;
    if (record->index != NULL) {
        const uint32_t place = *_Pycs_PlaceOf(slot, record->index, id);
        return place != 0 ? slot + (place - 1) : NULL;
    }
    for (; slot->id != PyCustomSlots_EMPTY; slot++) {
        if (slot->id == id) return slot;
    }
    return NULL;
}

_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordIncref(_Pycs_Record *record);
_Pycs_PRIVATE void _Pycs_RecordDecref(_Pycs_Record *record);
_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordNew(
    PyTypeObject *owner, Py_ssize_t capacity, const PyCustomSlot *own, Py_ssize_t own_count);
_Pycs_PRIVATE void _Pycs_SetOwn(_Pycs_Record *record, const PyCustomSlot *own);
_Pycs_PRIVATE void _Pycs_NotePlaces(_Pycs_Record *record);
_Pycs_PRIVATE int _Pycs_RecordEquals(const _Pycs_Record *a, const _Pycs_Record *b);
_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordOf(PyTypeObject *type);
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
