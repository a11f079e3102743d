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

typedef char _Pycs_assert_declaration_is_in_front
    [offsetof(_Pycs_Record, slots)
         == offsetof(_Pycs_Record, declared) + sizeof(_Pycs_Declared)
     ? 1 : -1];

/* Counts are atomic: free-threaded builds drop classes in any thread. */
static inline _Pycs_Record *
_Pycs_RecordIncref(_Pycs_Record *record)
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
_Pycs_RecordEquals(const _Pycs_Record *a, const _Pycs_Record *b)
{
    return a->count == b->count
           && memcmp(a->slots, b->slots, sizeof(PyCustomSlot) * (size_t)a->count) == 0;
}

/* Is it a class that we filled, in either state?  The one that a metaclass's tp_new is tried
   out with is not (DetectObjects): its fields are in its author's hands. */
static inline int
_Pycs_IsFilled(PyTypeObject *type)
{
    return _Pycs_HasTable(type) || _Pycs_IsUnfinished(type);
}

/* The record of a finished type; borrowed, NULL if it has no slots.  Under the lock:
   SetRecord() stores etp_check before etp_private. */
static inline _Pycs_Record *
_Pycs_RecordOf(PyTypeObject *type)
{
    if (!_Pycs_HasTable(type)) return NULL;
    return (_Pycs_Record *)_Pycs_LOAD(void *, &_Pycs_CAST(type)->etp_private);
}

/* The slots that this record's owner declared, as it declared them. */
static inline PyCustomSlot *
_Pycs_DeclaredIn(const _Pycs_Record *record)
{
    return record->declared.own + 2 * record->declared.own_count;
}

/* The slots that `type` itself declared: their number, and in *own where they are. */
static inline Py_ssize_t
_Pycs_OwnSlots(PyTypeObject *type, PyCustomSlot **own)
{
    _Pycs_Record *record = _Pycs_RecordOf(type);
    if (record == NULL || _Pycs_LOAD(PyTypeObject *, &record->declared.owner) != type) {
        *own = NULL;
        return 0;
    }
    *own = _Pycs_DeclaredIn(record);
    return record->declared.own_count;
}

/* A linearisation, perhaps of a type that does not exist yet: borrowed, nearest first.
   `self`, if it is not NULL, is the type it belongs to and stands for nothing. */
typedef struct {
    PyObject *const *items;
    Py_ssize_t       count;
    PyTypeObject    *self;
    PyObject       **owned;           /* to be freed; NULL if items belong to a tuple */
    PyObject       **tuples;          /* the tuples the items were taken from; counted */
    Py_ssize_t       tuple_count;
} _Pycs_Mro;

#define _Pycs_MRO_INIT {NULL, 0, NULL, NULL, NULL, 0}

/* The i-th class, or NULL if it is the type itself or (a custom mro() may return
   anything) no type. */
static inline PyTypeObject *
_Pycs_MroItem(const _Pycs_Mro *mro, Py_ssize_t i)
{
    PyObject *item = mro->items[i];
    return item != (PyObject *)mro->self && PyType_Check(item) ? (PyTypeObject *)item : NULL;
}

/* The linearisation of a type whose tp_mro is `tuple`; valid while the tuple lives. */
static inline _Pycs_Mro
_Pycs_MroOfTuple(PyTypeObject *type, PyObject *tuple)
{
    _Pycs_Mro mro = _Pycs_MRO_INIT;
    mro.items = &PyTuple_GET_ITEM(tuple, 0);
    mro.count = PyTuple_GET_SIZE(tuple);
    mro.self = type;
    return mro;
}

/* The tp_base of a type with this MRO, borrowed from the MRO; NULL if another thread is about to
   change it: only the pointer is looked at. */
static inline PyTypeObject *
_Pycs_BaseIn(PyTypeObject *type, PyObject *mro)
{
    PyTypeObject *base = _Pycs_BASE(type);
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        if (PyTuple_GET_ITEM(mro, i) == (PyObject *)base) return base;
    }
    return NULL;
}

_Pycs_PRIVATE void _Pycs_RecordDecref(_Pycs_Record *record);
_Pycs_PRIVATE _Pycs_Record *_Pycs_RecordNew(
    PyTypeObject *owner, Py_ssize_t capacity, const PyCustomSlot *own, Py_ssize_t own_count);
_Pycs_PRIVATE void _Pycs_SetOwn(_Pycs_Record *record, const PyCustomSlot *own);
_Pycs_PRIVATE void _Pycs_NotePlaces(_Pycs_Record *record);
_Pycs_PRIVATE void _Pycs_DisownRecords(PyTypeObject *type, _Pycs_Record *record);
_Pycs_PRIVATE void _Pycs_SetStamp(PyTypeObject *type, int stamped);
_Pycs_PRIVATE void _Pycs_SetRecord(_Pycs_API *api, PyTypeObject *type, _Pycs_Record *record);
_Pycs_PRIVATE int _Pycs_CheckOwn(const char *name, const PyCustomSlot *own, Py_ssize_t count);
_Pycs_PRIVATE Py_ssize_t _Pycs_MergeBound(Py_ssize_t own_count, const _Pycs_Mro *mro);
_Pycs_PRIVATE int _Pycs_MergeInto(_Pycs_Record *record, const _Pycs_Record *primary, const _Pycs_Mro *mro);
_Pycs_PRIVATE _Pycs_Record *_Pycs_PrimaryRecord(PyTypeObject *base, const _Pycs_Mro *mro, int *dominates);
_Pycs_PRIVATE int _Pycs_MergeRecord(
    PyTypeObject *owner, const PyCustomSlot *own, Py_ssize_t own_count, PyTypeObject *base,
    const _Pycs_Mro *mro, _Pycs_Record **result);
_Pycs_PRIVATE void _Pycs_MroClear(_Pycs_Mro *mro);
_Pycs_PRIVATE int _Pycs_MroOfBases(_Pycs_API *api, PyObject *bases, _Pycs_Mro *mro);
_Pycs_PRIVATE int _Pycs_HasOwnMro(_Pycs_API *api, PyTypeObject *metaclass);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SLOTS_H */
