/* SPDX-License-Identifier: MIT
 *
 * runtime/slots.c - which slots does a class have?  The rules of inheritance.
 *
 * A type's table is its own slots over the slots of every extensible class in its MRO, nearest first:
 *
 *     primary base   [A, B]          the table of tp_base (else of the first class in
 *     own            [A', C]         the MRO that has one) gives every inherited slot
 *     result         [A', B, C]      its position; an override stays in place; a new
 *                                    slot takes its own position if that is free, and
 *                                    is appended otherwise
 *
 * (The letter of SEP 200, "parents' slots are prepended, duplicates dropped", would
 * give [B, A', C] and A would lose the position its consumers expect.)
 */
#include "runtime/slots.h"
#include "runtime/arguments.h"
#include "runtime/override_tables.h"
#include "runtime/state.h"

/* Adds to a count of references, which is atomic: free-threaded builds drop classes in any thread.  The new count. */
static Py_ssize_t
_Pycs_AddCount(Py_ssize_t *refcount, Py_ssize_t more)
{
    Py_ssize_t before;
    do {
        before = _Pycs_LOAD(Py_ssize_t, refcount);
    } while (!_Pycs_SwapWord((uintptr_t *)refcount, (uintptr_t)before, (uintptr_t)(before + more)));
    return before + more;
}

_Pycs_PRIVATE _Pycs_Record *
_Pycs_RecordIncref(_Pycs_Record *record)
{
    if (record != NULL) (void)_Pycs_AddCount(&record->refcount, 1);
    return record;
}

_Pycs_PRIVATE void
_Pycs_RecordDecref(_Pycs_Record *record)
{
    while (record != NULL) {          /* a loop: the retired list may be long */
        _Pycs_Record *retired;
        if (_Pycs_AddCount(&record->refcount, -1) != 0) return;
        retired = record->retired;    /* now that no thread can put another one there */
        PyMem_RawFree(record);
        record = retired;
    }
}

/* The record of a finished type; borrowed, NULL if it has no slots.  Under the lock:
   SetRecord() stores etp_check before etp_private. */
_Pycs_PRIVATE _Pycs_Record *
_Pycs_RecordOf(PyTypeObject *type)
{
    if (!_Pycs_HasTable(type)) return NULL;
    return (_Pycs_Record *)_Pycs_LOAD(void *, &_Pycs_CAST(type)->etp_private);
}

/* The slots that `type` itself declares once `change` (or NULL) is committed: their number, and in *own where they
   are.  Under the lock. */
_Pycs_PRIVATE Py_ssize_t
_Pycs_OwnSlots(PyTypeObject *type, const _Pycs_Change *change, const PyCustomSlot **own)
{
    _Pycs_Record *record = _Pycs_RecordOf(type);
    if (change != NULL && type == change->top && change->own_count >= 0) {
        *own = change->own;
        return change->own_count;
    }
    if (record == NULL || _Pycs_LOAD(PyTypeObject *, &record->owner) != type) {
        *own = NULL;
        return 0;
    }
    *own = record->own;
    return record->own_count;
}

/* More entries than any table has; the sizes of a record's parts do not overflow. */
#define _Pycs_MAX_SLOTS (1 << 24)

/* A new record with room for `capacity` entries, all EMPTY, and for `own_count`
   declared slots, copied from `own` (NULL: EMPTY for now).  NULL, without an exception,
   if there is no memory: it is called under the lock, too. */
_Pycs_PRIVATE _Pycs_Record *
_Pycs_RecordNew(PyTypeObject *owner, Py_ssize_t capacity, const PyCustomSlot *own, Py_ssize_t own_count)
{
    _Pycs_Record *record;
    const size_t head = offsetof(_Pycs_Record, slots);
    size_t slots, cells = 0;

    if (capacity < PyCustomSlots_MIN_CAPACITY) capacity = PyCustomSlots_MIN_CAPACITY;
    if (capacity > _Pycs_MAX_SLOTS) return NULL;        /* own_count is not larger */
    slots = (size_t)capacity + 1 + 2 * (size_t)own_count;
    if (capacity > PyCustomSlots_MIN_CAPACITY) {
        for (cells = 32; cells < 4 * (size_t)capacity; cells *= 2) { }
    }
    record = (_Pycs_Record *)PyMem_RawCalloc(
        1, head + sizeof(PyCustomSlot) * slots + sizeof(uint32_t) * (1 + cells) + (size_t)capacity);
    if (record == NULL) return NULL;
    record->refcount = 1;
    record->capacity = capacity;
    record->owner = owner;
    record->own_count = own_count;
    record->own = record->slots + capacity + 1;
    if (cells > 0) {
        record->index = (uint32_t *)(void *)(record->slots + slots);
        record->index[0] = (uint32_t)(cells - 1);
    }
    if (own != NULL) _Pycs_SetOwn(record, own);
    return record;
}

/* Copies the slots that the owner of an unpublished record declares into it, and once more as they count in
   unfinished classes below the owner: which functions of an interface such classes override is not
   known yet, so all that can be overridden look in Python. */
_Pycs_PRIVATE void
_Pycs_SetOwn(_Pycs_Record *record, const PyCustomSlot *own)
{
    Py_ssize_t i;
    record->watched = 0;
    for (i = 0; i < record->own_count; i++) {
        PyCustomSlot *below = &record->own[record->own_count + i];
        _Pycs_InterfaceNode *node = _Pycs_KnownInterface(own[i].id);
        record->own[i] = *below = own[i];
        if (node == NULL) continue;
        record->watched = 1;
        below->data.pointer = (void *)(uintptr_t)_Pycs_LookingInPython(node, own[i].data.pointer);
    }
}

/* Says in front of an unpublished table where each ID is, and which IDs are absent. */
_Pycs_PRIVATE void
_Pycs_NotePlaces(_Pycs_Record *record)
{
    uint32_t *index = record->index;
    Py_ssize_t i;
    if (index != NULL) memset(index + 1, 0, sizeof(*index) * ((size_t)index[0] + 1));
    record->front.absent = ~(uintptr_t)0;
    for (i = 0; i < record->count; i++) {
        const uintptr_t id = record->slots[i].id;
        if (id == PyCustomSlots_SKIP) continue;
        record->front.absent &= ~_Pycs_Bit(id);
        if (index != NULL) *_Pycs_PlaceOf(record->slots, index, id) = (uint32_t)(i + 1);
    }
}

/* Same entries in the same places? */
_Pycs_PRIVATE int
_Pycs_RecordEquals(const _Pycs_Record *a, const _Pycs_Record *b)
{
    return a->count == b->count && memcmp(a->slots, b->slots, sizeof(PyCustomSlot) * (size_t)a->count) == 0;
}

/* ----------------------------------------------------------- states of a type -- */

/* Called when `type` dies: what it declared must not be taken for a declaration of the next type
   at this address.  Other types may share its records, including those that it published earlier.
   Under the lock. */
_Pycs_PRIVATE void
_Pycs_DisownRecords(PyTypeObject *type, _Pycs_Record *record)
{
    for (; record != NULL; record = record->retired) {
        if (_Pycs_LOAD(PyTypeObject *, &record->owner) == type) {
            _Pycs_STORE(PyTypeObject *, &record->owner, NULL);
        }
    }
}

/* Gives a type its stamp, or takes it away.  CPython looks at flags without an atomic, so it is
   written only where it changes. */
_Pycs_PRIVATE void
_Pycs_SetStamp(PyTypeObject *type, int stamped)
{
#if _Pycs_STAMPS
    const _Pycs_Half stamp = stamped ? _Pycs_STAMP(type) : 0;
    if (_Pycs_LOAD(_Pycs_Half, _Pycs_UPPER(type)) != stamp) {
        _Pycs_STORE(_Pycs_Half, _Pycs_UPPER(type), stamp);
    }
#else
    (void)type;
    (void)stamped;
#endif
}

/* Makes `record` (a reference of it is stolen; NULL: no slots) the table of `type`.
   Cannot fail.  Under the lock.  The order is the one the readers in customslots.h rely
   on: a longer table before its count, both before etp_check, and the stamp last. */
_Pycs_PRIVATE void
_Pycs_SetRecord(_Pycs_API *api, PyTypeObject *type, _Pycs_Record *record)
{
    PyHeapExtensibleTypeObject *t = (PyHeapExtensibleTypeObject *)type;
    if (record != NULL && record->watched) {
        _Pycs_STORE(uintptr_t, api->state->overridable, 1);
    }
    if (record != NULL && record->front.looks == NULL) record->front.looks = _Pycs_LOOKS(api);
    _Pycs_STORE(PyCustomSlot *, &t->etp_custom_slots, record != NULL ? record->slots : api->state->empty.slots);
    _Pycs_STORE(Py_ssize_t, &t->etp_custom_slot_count, record != NULL ? record->count : 0);
    _Pycs_STORE(uintptr_t, &t->etp_check, (uintptr_t)type ^ _Pycs_READY);
    _Pycs_STORE(void *, &t->etp_private, (void *)record);
    _Pycs_SetStamp(type, 1);
}

/* More slots than any class declares; a count beyond it belongs to something else. */
#define _Pycs_MAX_OWN_SLOTS 65536

/* Checks a table that a provider declared; -1 with a ValueError that names the entry, or a
   MemoryError. */
_Pycs_PRIVATE int
_Pycs_CheckOwn(const char *name, const PyCustomSlot *own, Py_ssize_t count)
{
    Py_ssize_t i, j;

    if (count < 0 || count > _Pycs_MAX_OWN_SLOTS || (count > 0 && own == NULL)) {
        return _Pycs_Deny(PyExc_ValueError, "slot table of %.200s: found %zd slots at address %p, expected a count of "
                          "0 to %d and, unless it is 0, an array", name, count, (const void *)own, _Pycs_MAX_OWN_SLOTS);
    }
    for (i = 0; i < count; i++) {
        if (own[i].id <= PyCustomSlots_SKIP) {
            if (own[i].data.pointer != NULL) {
                return _Pycs_Deny(PyExc_ValueError, "slot table of %.200s: position %zd has ID %d, which is reserved "
                                  "for %s positions, but carries data; give the slot an ID from PyCustomSlots_ID(), "
                                  "PyCustomSlots_Intern() or, of an interface, its header's _Init()",
                                  name, i, (int)own[i].id, own[i].id ? "skipped" : "empty");
            }
            continue;
        }
        for (j = 0; j < i; j++) {
            if (own[j].id == own[i].id) {
                return _Pycs_Deny(PyExc_ValueError, "slot table of %.200s: ID %p stands at position %zd and again at "
                                  "%zd; an ID may be in a table once", name, (void *)own[i].id, j, i);
            }
        }
    }
    return count > 0 ? _Pycs_ReserveOverrides(own, count) : 0;
}

/* ------------------------------------------------------------------- merging -- */

/* An upper bound for the number of entries in a table of `own_count` own slots of `type` (or NULL) over the
   classes of `mro`: each class either appends a slot or pads the table up to the slot's index, so it adds
   no more entries than it declared.  This holds if the primary table is up to date; if another
   thread is about to replace it, it may hold slots that no class of the MRO declares, and the
   bound is larger by that table's length. */
_Pycs_PRIVATE Py_ssize_t
_Pycs_MergeBound(PyTypeObject *type, Py_ssize_t own_count, PyObject *mro)
{
    Py_ssize_t i, bound = own_count;
    const PyCustomSlot *ignored;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (item != type) bound += _Pycs_OwnSlots(item, NULL, &ignored);
    }
    return bound;
}

/* Puts one slot into `record` unless a nearer class decided about its ID already, as `decided` says of
   each place.  0, or -1 if the table is full. */
static int
_Pycs_Place(_Pycs_Record *record, char *decided, const PyCustomSlot *slot, Py_ssize_t wanted)
{
    Py_ssize_t i;
    if (slot->id <= PyCustomSlots_SKIP) return 0;
    for (i = 0; i < record->count && record->slots[i].id != slot->id; i++) { }
    if (i < record->count) {
        if (decided[i]) return 0;
    }
    else if (wanted < record->count && record->slots[wanted].id > PyCustomSlots_SKIP) {
        if (i == record->capacity) return -1;
        record->count = i + 1;                  /* the place is taken: append */
    }
    else {
        if (wanted >= record->capacity) return -1;
        i = wanted;
        while (record->count <= wanted) {
            record->slots[record->count++].id = PyCustomSlots_SKIP;
        }
    }
    record->slots[i] = *slot;
    decided[i] = 1;
    return 0;
}

/* Merges what the classes of the owner's MRO declare into `record`, which is new but for its own
   slots (SetOwn).  Under the lock.  0, or -1 if the capacity does not suffice (see MergeBound). */
_Pycs_PRIVATE int
_Pycs_MergeInto(_Pycs_Record *record, const _Pycs_Record *primary, PyObject *mro)
{
    const Py_ssize_t own_count = record->own_count, n = PyTuple_GET_SIZE(mro);
    const uint32_t *index = record->index;
    char *decided = (char *)(record->slots + record->capacity + 1 + 2 * own_count)     /* its last part */
                    + (index != NULL ? sizeof(*index) * (2 + (size_t)index[0]) : 0);
    const PyCustomSlot *own;
    Py_ssize_t i, k, count;

    memset(decided, 0, (size_t)record->capacity);
    record->count = 0;
    if (primary != NULL) {
        record->watched |= primary->watched;
        if (primary->count > record->capacity) return -1;
        record->count = primary->count;
        memcpy(record->slots, primary->slots, sizeof(PyCustomSlot) * (size_t)primary->count);
    }
    own = record->own;
    for (i = 0; i < own_count; i++) {
        if (_Pycs_Place(record, decided, &own[i], i) < 0) return -1;
    }
    for (k = 0; k < n; k++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, k);
        if (item == record->owner) continue;
        count = _Pycs_OwnSlots(item, NULL, &own);
        if (count > 0) record->watched |= _Pycs_RecordOf(item)->watched;
        for (i = 0; i < count; i++) {
            if (_Pycs_Place(record, decided, &own[i], i) < 0) return -1;
        }
    }
    /* No class of this MRO declares what only the primary record has. */
    for (i = 0; i < record->count; i++) {
        if (decided[i]) continue;
        record->slots[i].id = PyCustomSlots_SKIP;
        record->slots[i].data.pointer = NULL;
    }
    /* Padding that the provider asked for behind its last slot stays. */
    while (record->count < own_count) {
        if (record->count == record->capacity) return -1;
        record->slots[record->count++].id = PyCustomSlots_SKIP;
    }
    _Pycs_NotePlaces(record);
    return 0;
}

/* The record whose table gives the slots that `type` inherits their positions: the record of its tp_base,
   unless the MRO does not have the tp_base because another thread is about to change that; else the record of
   the first class of the MRO that has one.  Borrowed, NULL: nothing to inherit. */
_Pycs_PRIVATE _Pycs_Record *
_Pycs_PrimaryRecord(PyTypeObject *type, PyObject *mro)
{
    PyTypeObject *const base = _Pycs_BASE(type);
    _Pycs_Record *primary = NULL, *first = NULL;
    Py_ssize_t i;

    for (i = 0; primary == NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        _Pycs_Record *record = NULL;
        const int is_base = item == base;
        /* A base that knows nothing of us (static, or made by PyType_FromSpec() before 3.12) has the table of
           the nearest one above it that does. */
        if (is_base && !_Pycs_HasTable(base)) item = _Pycs_FindOwner(base);
        if (item != NULL && item != type) record = _Pycs_RecordOf(item);
        if (is_base) primary = record;
        if (first == NULL) first = record;
    }
    return primary != NULL ? primary : first;
}

/* The record for a class with this MRO and these own slots (checked):
   a new reference in *result, NULL there for "no slots".  Shares the record of a base
   wherever the table is the same.  Under the lock.  0, or -1, without an exception, if
   there is no memory. */
_Pycs_PRIVATE int
_Pycs_MergeRecord(PyTypeObject *owner, const PyCustomSlot *own, Py_ssize_t own_count, PyObject *mro,
                  _Pycs_Record **result)
{
    int merged = -1;
    _Pycs_Record *primary = _Pycs_PrimaryRecord(owner, mro), *record = NULL;
    Py_ssize_t bound;

    *result = NULL;
    if (own_count == 0 && primary == NULL) return 0;
    bound = _Pycs_MergeBound(owner, own_count, mro);
    while (merged < 0) {
        _Pycs_RecordDecref(record);
        record = _Pycs_RecordNew(owner, bound, own, own_count);
        if (record == NULL) return -1;
        merged = _Pycs_MergeInto(record, primary, mro);
        if (primary != NULL) bound += primary->count;   /* enough in any case */
    }
    if (own_count == 0 && _Pycs_RecordEquals(record, primary)) {
        _Pycs_RecordDecref(record);
        record = _Pycs_RecordIncref(primary);
    }
    *result = record;
    return 0;
}

/* ----------------------------------------------- the MRO before there is a type -- */

/* Does `type` stand behind the first place that is left in any of the lists? */
static int
_Pycs_MustComeLater(PyObject *lists, const Py_ssize_t *next, const PyObject *type)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(lists); i++) {
        if (_Pycs_PlaceIn(PyTuple_GET_ITEM(lists, i), type, next[i] + 1) >= 0) return 1;
    }
    return 0;
}

/* Appends the C3 merge of these tuples to `order`.  `next`: zeros, one a tuple.  1; 0 if there is no
   consistent order; -1 with an exception. */
static int
_Pycs_MergeLists(PyObject *lists, Py_ssize_t *next, PyObject *order)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(lists);
    Py_ssize_t i;
    for (;;) {
        PyObject *chosen = NULL, *list;
        int left = 0;
        for (i = 0; i < n && chosen == NULL; i++) {
            list = PyTuple_GET_ITEM(lists, i);
            if (next[i] >= PyTuple_GET_SIZE(list)) continue;
            left = 1;
            chosen = PyTuple_GET_ITEM(list, next[i]);
            if (_Pycs_MustComeLater(lists, next, chosen)) chosen = NULL;
        }
        if (chosen == NULL) return !left;
        if (PyList_Append(order, chosen) < 0) return -1;
        for (i = 0; i < n; i++) {
            list = PyTuple_GET_ITEM(lists, i);
            if (next[i] < PyTuple_GET_SIZE(list) && PyTuple_GET_ITEM(list, next[i]) == chosen) next[i]++;
        }
    }
}

/* What the MRO of a class with these bases will be, without the class itself: the C3 merge
   that CPython will do in a moment (unless a metaclass overrides mro()).  A new tuple, empty if
   there is no consistent order, or a base is not a finished type, so that CPython will refuse; NULL
   with an exception.  Not under the lock. */
_Pycs_PRIVATE PyObject *
_Pycs_MroOfBases(_Pycs_API *api, PyObject *bases)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(bases);
    PyObject *lists = n < 2 ? NULL : PyTuple_New(n + 1), *order = NULL, *mro = NULL;
    Py_ssize_t i, *next = NULL;
    int status = -1;

    if (n == 0) return _Pycs_FetchMro(api, &PyBaseObject_Type);
    if (n > 1 && lists == NULL) return NULL;
    for (i = 0; i < n; i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        mro = PyType_Check(base) ? _Pycs_FetchMro(api, (PyTypeObject *)base) : NULL;
        if (mro == NULL) {
            status = 0;
            goto done;
        }
        if (n == 1) return mro;
        PyTuple_SET_ITEM(lists, i, mro);
    }
    PyTuple_SET_ITEM(lists, n, Py_NewRef(bases));
    if (!(next = (Py_ssize_t *)PyMem_RawCalloc((size_t)n + 1, sizeof(*next)))) PyErr_NoMemory();
    else if ((order = PyList_New(0))) status = _Pycs_MergeLists(lists, next, order);
done:
    mro = status < 0 ? NULL : status > 0 ? PyList_AsTuple(order) : PyTuple_New(0);
    PyMem_RawFree(next);
    Py_XDECREF(lists);
    Py_XDECREF(order);
    return mro;
}

/* Is this MRO `type` followed by the MRO `above`?  Not if a metaclass has a mro() that gives another order. */
_Pycs_PRIVATE int
_Pycs_IsMroOver(const PyTypeObject *type, PyObject *mro, PyObject *above)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(above);
    return PyTuple_GET_SIZE(mro) == n + 1 && PyTuple_GET_ITEM(mro, 0) == (const PyObject *)type
           && memcmp(&PyTuple_GET_ITEM(mro, 1), &PyTuple_GET_ITEM(above, 0), (size_t)n * sizeof(PyObject *)) == 0;
}
