/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/record.h - a slot table in memory, shared by the types that use it.
 * Included by extensibletype.h; not for direct use.
 *
 *   type object                          record (one block, counted)
 *   +-----------------------+            +--------------------------------+
 *   | etp_custom_slot_count |            | refcount capacity count        |
 *   | etp_custom_slots -----|--------+   | retired -> older record        |
 *   | etp_check             |        |   | declared: owner own own_count  |
 *   | etp_private ----------|--+     |   +--------------------------------+
 *   +-----------------------+  |     +-->| slots[capacity]  EMPTY-padded  |
 *                              +-------->| own[own_count]                 |
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
#ifndef Py_EXTENSIBLETYPE_RECORD_H
#define Py_EXTENSIBLETYPE_RECORD_H

typedef struct _PyExtensibleType_Record {
    Py_ssize_t     refcount;
    Py_ssize_t     capacity;          /* entries in memory, >= PyCustomSlots_MIN_CAPACITY,
                                         not counting the EMPTY one that ends a full table */
    Py_ssize_t     count;             /* entries in use */
    struct _PyExtensibleType_Record *retired;   /* counted */
    _PyCustomSlots_Declared declared; /* owner: who declared `own`, or for whom it was merged;
                                         own: behind the slots, in this block */
    PyCustomSlot   slots[1];
} _PyExtensibleType_Record;

typedef char _PyExtensibleType_assert_declaration_is_in_front
    [offsetof(_PyExtensibleType_Record, slots)
         == offsetof(_PyExtensibleType_Record, declared) + sizeof(_PyCustomSlots_Declared)
     ? 1 : -1];

/* The table of types that have no slot.  Not const: consumers get PyCustomSlot *. */
static struct {
    _PyCustomSlots_Declared declared;
    PyCustomSlot slots[PyCustomSlots_MIN_CAPACITY];
} _PyExtensibleType_none;
#define _PyExtensibleType_empty (_PyExtensibleType_none.slots)

/* Counts are atomic: free-threaded builds drop classes in any thread. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Record *
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

_PyCustomSlots_UNUSED static void
_PyExtensibleType_RecordDecref(_PyExtensibleType_Record *record)
{
    while (record != NULL) {          /* a loop: the retired list may be long */
        _PyExtensibleType_Record *retired;
        Py_ssize_t left;
#if defined(__GNUC__) || defined(__clang__)
        left = __atomic_sub_fetch(&record->refcount, 1, __ATOMIC_ACQ_REL);
#elif defined(_WIN64)
        left = (Py_ssize_t)_InterlockedDecrement64((volatile long long *)&record->refcount);
#else
        left = (Py_ssize_t)_InterlockedDecrement((volatile long *)&record->refcount);
#endif
        if (left != 0) return;
        retired = record->retired;    /* now that nobody can put another one there */
        PyMem_RawFree(record);
        record = retired;
    }
}

/* A new record with room for `capacity` entries, all EMPTY, and for `own_count`
   declared slots, copied from `own` (NULL: EMPTY for now).  NULL, without an exception,
   if there is no memory: it is called under the lock, too. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Record *
_PyExtensibleType_RecordNew(PyTypeObject *owner, Py_ssize_t capacity,
                            const PyCustomSlot *own, Py_ssize_t own_count)
{
    _PyExtensibleType_Record *record;
    const size_t head = offsetof(_PyExtensibleType_Record, slots);
    const size_t limit = ((size_t)PY_SSIZE_T_MAX - head) / sizeof(PyCustomSlot) - 1;

    if (capacity < PyCustomSlots_MIN_CAPACITY) capacity = PyCustomSlots_MIN_CAPACITY;
    if ((size_t)capacity > limit || (size_t)own_count > limit - (size_t)capacity) return NULL;
    record = (_PyExtensibleType_Record *)PyMem_RawCalloc(
        1, head + sizeof(PyCustomSlot) * ((size_t)capacity + 1 + (size_t)own_count));
    if (record == NULL) return NULL;
    record->refcount = 1;
    record->capacity = capacity;
    record->declared.owner = owner;
    record->declared.own_count = own_count;
    record->declared.own = record->slots + capacity + 1;
    if (own_count > 0 && own != NULL) {
        memcpy(record->declared.own, own, sizeof(PyCustomSlot) * (size_t)own_count);
    }
    return record;
}

/* Same entries in the same places? */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_RecordEquals(const _PyExtensibleType_Record *a,
                               const _PyExtensibleType_Record *b)
{
    return a->count == b->count
           && memcmp(a->slots, b->slots, sizeof(PyCustomSlot) * (size_t)a->count) == 0;
}

/* ----------------------------------------------------------- states of a type -- */

_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsReady(PyTypeObject *type)
{
    return _PyCustomSlots_HasMemory(type) && _PyCustomSlots_IsReady(type);
}

_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsUnresolved(PyTypeObject *type)
{
    return _PyCustomSlots_HasMemory(type)
           && _PyCustomSlots_LOAD(uintptr_t, &_PyCustomSlots_CAST(type)->etp_check)
                  == ((uintptr_t)type ^ _PyCustomSlots_UNRESOLVED);
}

/* Is it a class that we filled, in either state?  The one that a metaclass's tp_new is tried
   out with is not (DetectObjects): its fields are in its author's hands. */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsKnown(PyTypeObject *type)
{
    return _PyExtensibleType_IsReady(type) || _PyExtensibleType_IsUnresolved(type);
}

/* Behind etp_check == READY, etp_private is the record, and in its lowest bits, which
   are 0 in any address of a record, stands what readers may hold (changes.h). */
/* [marks.begin] */
#define _PyExtensibleType_EXPOSED ((uintptr_t)1)
#define _PyExtensibleType_KEEPS   ((uintptr_t)2)
#define _PyExtensibleType_MARKS   ((uintptr_t)3)
/* [marks.end] */

/* The marks of a finished type; 0 for any other.  Under the lock, this and the next. */
_PyCustomSlots_UNUSED static inline uintptr_t
_PyExtensibleType_Marks(PyTypeObject *type)
{
    return !_PyExtensibleType_IsReady(type) ? 0
           : (uintptr_t)_PyCustomSlots_LOAD(void *, &_PyCustomSlots_CAST(type)->etp_private)
             & _PyExtensibleType_MARKS;
}

_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_SetMarks(PyTypeObject *type, uintptr_t marks)
{
    void **where = &_PyCustomSlots_CAST(type)->etp_private;
    const uintptr_t record = (uintptr_t)_PyCustomSlots_LOAD(void *, where)
                             & ~_PyExtensibleType_MARKS;
    _PyCustomSlots_STORE(void *, where, (void *)(record | marks));
}

/* The record of a finished type; borrowed, NULL if it has no slots.  Under the lock:
   SetRecord() stores etp_check before etp_private. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Record *
_PyExtensibleType_RecordOf(PyTypeObject *type)
{
    if (!_PyExtensibleType_IsReady(type)) return NULL;
    return (_PyExtensibleType_Record *)(
        (uintptr_t)_PyCustomSlots_LOAD(void *, &_PyCustomSlots_CAST(type)->etp_private)
        & ~_PyExtensibleType_MARKS);
}

/* The slots that `type` itself declared: their number, and in *own where they are. */
_PyCustomSlots_UNUSED static inline Py_ssize_t
_PyExtensibleType_OwnSlots(PyTypeObject *type, PyCustomSlot **own)
{
    _PyExtensibleType_Record *record = _PyExtensibleType_RecordOf(type);
    if (record == NULL || _PyCustomSlots_LOAD(PyTypeObject *, &record->declared.owner) != type) {
        *own = NULL;
        return 0;
    }
    *own = record->declared.own;
    return record->declared.own_count;
}

/* `type` dies: what it declared must not be taken for a declaration of the next type at this
   address.  Others may share the records, and those that it published before.  Under the
   lock. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_DisownRecords(PyTypeObject *type, _PyExtensibleType_Record *record)
{
    for (; record != NULL; record = record->retired) {
        if (_PyCustomSlots_LOAD(PyTypeObject *, &record->declared.owner) == type) {
            _PyCustomSlots_STORE(PyTypeObject *, &record->declared.owner, NULL);
        }
    }
}

/* Makes `record` (a reference of it is stolen; NULL: no slots) the table of `type`.
   Cannot fail.  Under the lock.  The order is the one the readers in customslots.h rely
   on: a longer table before its count, both before etp_check.  etp_private comes behind
   it: a reader of a type that is being finished finds there what it trusts in, or else,
   when it looks again, that the type is ready. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_SetRecord(PyTypeObject *type, _PyExtensibleType_Record *record)
{
    PyHeapExtensibleTypeObject *t = (PyHeapExtensibleTypeObject *)type;
    const uintptr_t marks = _PyExtensibleType_Marks(type);
    _PyCustomSlots_STORE(PyCustomSlot *, &t->etp_custom_slots,
                         record != NULL ? record->slots : _PyExtensibleType_empty);
    _PyCustomSlots_STORE(Py_ssize_t, &t->etp_custom_slot_count,
                         record != NULL ? record->count : 0);
    _PyCustomSlots_STORE(uintptr_t, &t->etp_check,
                         (uintptr_t)type ^ _PyCustomSlots_READY);
    _PyCustomSlots_STORE(void *, &t->etp_private, (void *)((uintptr_t)record | marks));
}

#endif /* Py_EXTENSIBLETYPE_RECORD_H */
