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

typedef struct _PyExtensibleType_Record {
    Py_ssize_t     refcount;
    Py_ssize_t     capacity;          /* entries in memory, >= PyCustomSlots_MIN_CAPACITY,
                                         not counting the EMPTY one that ends a full table */
    Py_ssize_t     count;             /* entries in use */
    struct _PyExtensibleType_Record *retired;   /* counted */
    uintptr_t      watched;           /* not 0: it has the slot of an interface (overriding.h) */
    _PyCustomSlots_Declared declared; /* owner: who declared `own`, or for whom it was merged;
                                         own, index: behind the slots, in this block, see SetOwn()
                                         and NotePlaces() */
    PyCustomSlot   slots[1];
} _PyExtensibleType_Record;

typedef char _PyExtensibleType_assert_declaration_is_in_front
    [offsetof(_PyExtensibleType_Record, slots)
         == offsetof(_PyExtensibleType_Record, declared) + sizeof(_PyCustomSlots_Declared)
     ? 1 : -1];

/* Counts are atomic: free-threaded builds drop classes in any thread. */
static inline _PyExtensibleType_Record *
_PyExtensibleType_RecordIncref(_PyExtensibleType_Record *record)
{
    if (record != NULL) {
#if defined(__GNUC__) || defined(__clang__)
        (void)__atomic_add_fetch(&record->refcount, 1, __ATOMIC_RELAXED);
#elif defined(_WIN64)
        (void)_InterlockedIncrement64((volatile long long *)&record->refcount);
#else
        (void)_InterlockedIncrement((volatile long *)&record->refcount);
#endif
    }
    return record;
}

/* Same entries in the same places? */
static inline int
_PyExtensibleType_RecordEquals(const _PyExtensibleType_Record *a,
                               const _PyExtensibleType_Record *b)
{
    return a->count == b->count
           && memcmp(a->slots, b->slots, sizeof(PyCustomSlot) * (size_t)a->count) == 0;
}

/* Is it a class that we filled, in either state?  The one that a metaclass's tp_new is tried
   out with is not (DetectObjects): its fields are in its author's hands. */
static inline int
_PyExtensibleType_IsKnown(PyTypeObject *type)
{
    return _PyExtensibleType_IsReady(type) || _PyCustomSlots_IsUnfinished(type);
}

/* The record of a finished type; borrowed, NULL if it has no slots.  Under the lock:
   SetRecord() stores etp_check before etp_private. */
static inline _PyExtensibleType_Record *
_PyExtensibleType_RecordOf(PyTypeObject *type)
{
    if (!_PyExtensibleType_IsReady(type)) return NULL;
    return (_PyExtensibleType_Record *)_PyCustomSlots_LOAD(
        void *, &_PyCustomSlots_CAST(type)->etp_private);
}

/* The slots that this record's owner declared, as it declared them. */
static inline PyCustomSlot *
_PyExtensibleType_DeclaredIn(const _PyExtensibleType_Record *record)
{
    return record->declared.own + 2 * record->declared.own_count;
}

/* The slots that `type` itself declared: their number, and in *own where they are. */
static inline Py_ssize_t
_PyExtensibleType_OwnSlots(PyTypeObject *type, PyCustomSlot **own)
{
    _PyExtensibleType_Record *record = _PyExtensibleType_RecordOf(type);
    if (record == NULL || _PyCustomSlots_LOAD(PyTypeObject *, &record->declared.owner) != type) {
        *own = NULL;
        return 0;
    }
    *own = _PyExtensibleType_DeclaredIn(record);
    return record->declared.own_count;
}

/* A linearisation, perhaps of a type that does not exist yet: borrowed, nearest first.
   `self`, if it is not NULL, is the type it belongs to and stands for nothing. */
typedef struct {
    PyObject *const *items;
    Py_ssize_t       count;
    PyTypeObject    *self;
    PyObject       **owned;           /* to be freed; NULL if items belong to a tuple */
    PyObject       **held;            /* the tuples the items were taken from; counted */
    Py_ssize_t       held_count;
} _PyExtensibleType_Mro;

#define _PyExtensibleType_MRO_INIT {NULL, 0, NULL, NULL, NULL, 0}

/* The i-th class, or NULL if it is the type itself or (a custom mro() may return
   anything) no type. */
static inline PyTypeObject *
_PyExtensibleType_MroItem(const _PyExtensibleType_Mro *mro, Py_ssize_t i)
{
    PyObject *item = mro->items[i];
    return item != (PyObject *)mro->self && PyType_Check(item) ? (PyTypeObject *)item : NULL;
}

/* The linearisation of a type whose tp_mro is `tuple`; valid while the tuple lives. */
static inline _PyExtensibleType_Mro
_PyExtensibleType_MroOfTuple(PyTypeObject *type, PyObject *tuple)
{
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    mro.items = &PyTuple_GET_ITEM(tuple, 0);
    mro.count = PyTuple_GET_SIZE(tuple);
    mro.self = type;
    return mro;
}

_PyExtensibleType_PRIVATE void _PyExtensibleType_RecordDecref(_PyExtensibleType_Record *record);
_PyExtensibleType_PRIVATE _PyExtensibleType_Record *_PyExtensibleType_RecordNew(
    PyTypeObject *owner, Py_ssize_t capacity, const PyCustomSlot *own, Py_ssize_t own_count);
_PyExtensibleType_PRIVATE void _PyExtensibleType_SetOwn(
    _PyExtensibleType_Record *record, const PyCustomSlot *own);
_PyExtensibleType_PRIVATE void _PyExtensibleType_NotePlaces(_PyExtensibleType_Record *record);
_PyExtensibleType_PRIVATE void _PyExtensibleType_DisownRecords(
    PyTypeObject *type, _PyExtensibleType_Record *record);
_PyExtensibleType_PRIVATE void _PyExtensibleType_SetStamp(PyTypeObject *type, int stamped);
_PyExtensibleType_PRIVATE void _PyExtensibleType_SetRecord(
    _PyExtensibleType_API *api, PyTypeObject *type, _PyExtensibleType_Record *record);
_PyExtensibleType_PRIVATE int _PyExtensibleType_CheckOwn(
    const char *name, const PyCustomSlot *own, Py_ssize_t count);
_PyExtensibleType_PRIVATE Py_ssize_t _PyExtensibleType_MergeBound(
    Py_ssize_t own_count, const _PyExtensibleType_Mro *mro);
_PyExtensibleType_PRIVATE int _PyExtensibleType_MergeInto(
    _PyExtensibleType_Record *record, const _PyExtensibleType_Record *primary,
    const _PyExtensibleType_Mro *mro);
_PyExtensibleType_PRIVATE _PyExtensibleType_Record *_PyExtensibleType_EffectiveRecord(
    PyTypeObject *base);
_PyExtensibleType_PRIVATE _PyExtensibleType_Record *_PyExtensibleType_PrimaryRecord(
    PyTypeObject *base, const _PyExtensibleType_Mro *mro, int *dominates);
_PyExtensibleType_PRIVATE int _PyExtensibleType_MergeRecord(
    PyTypeObject *owner, const PyCustomSlot *own, Py_ssize_t own_count, PyTypeObject *base,
    const _PyExtensibleType_Mro *mro, _PyExtensibleType_Record **result);
_PyExtensibleType_PRIVATE void _PyExtensibleType_MroClear(_PyExtensibleType_Mro *mro);
_PyExtensibleType_PRIVATE int _PyExtensibleType_MroOfBases(
    _PyExtensibleType_API *api, PyObject *bases, _PyExtensibleType_Mro *mro);
_PyExtensibleType_PRIVATE int _PyExtensibleType_HasOwnMro(
    _PyExtensibleType_API *api, PyTypeObject *metaclass);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SLOTS_H */
