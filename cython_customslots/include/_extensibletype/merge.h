/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/merge.h - which slots does a class have?  The rules of inheritance.
 * Included by extensibletype.h; not for direct use.
 *
 * A type's table is its own slots over those of every extensible class in its MRO,
 * nearest first:
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
#ifndef Py_EXTENSIBLETYPE_MERGE_H
#define Py_EXTENSIBLETYPE_MERGE_H

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
_PyCustomSlots_UNUSED static inline PyTypeObject *
_PyExtensibleType_MroItem(const _PyExtensibleType_Mro *mro, Py_ssize_t i)
{
    PyObject *item = mro->items[i];
    return item != (PyObject *)mro->self && PyType_Check(item) ? (PyTypeObject *)item : NULL;
}

/* The linearisation of a type whose tp_mro is `tuple`; valid while the tuple lives. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Mro
_PyExtensibleType_MroOfTuple(PyTypeObject *type, PyObject *tuple)
{
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    mro.items = &PyTuple_GET_ITEM(tuple, 0);
    mro.count = PyTuple_GET_SIZE(tuple);
    mro.self = type;
    return mro;
}

/* Checks a table that a provider declared; -1 with a ValueError that names the entry. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CheckOwn(const char *name, const PyCustomSlot *own, Py_ssize_t count)
{
    Py_ssize_t i, j;

    if (count < 0 || (count > 0 && own == NULL)) {
        PyErr_Format(PyExc_ValueError,
                     "slot table of %.200s: found %zd slots at address %p, expected a "
                     "count of 0 or more and, unless it is 0, an array",
                     name, count, (const void *)own);
        return -1;
    }
    for (i = 0; i < count; i++) {
        if (own[i].id <= PyCustomSlots_SKIP) {
            if (own[i].data.pointer != NULL) {
                PyErr_Format(PyExc_ValueError,
                             "slot table of %.200s: position %zd has ID %d, which is "
                             "reserved for %s positions, but carries data; give the "
                             "slot an ID from PyCustomSlots_ID() or "
                             "PyCustomSlots_Intern()",
                             name, i, (int)own[i].id, own[i].id ? "skipped" : "empty");
                return -1;
            }
            continue;
        }
        for (j = 0; j < i; j++) {
            if (own[j].id == own[i].id) {
                PyErr_Format(PyExc_ValueError,
                             "slot table of %.200s: ID %p stands at position %zd and "
                             "again at %zd; an ID may stand in a table once",
                             name, (void *)own[i].id, j, i);
                return -1;
            }
        }
    }
    return 0;
}

/* Upper bound of the entries of a table of `own_count` own slots over the classes of
   `mro`: each class either appends a slot or pads the table up to the slot's index,
   so it adds no more entries than it declared.  That is if the primary table is up to
   date; one that another thread is about to replace may hold slots that no class of the
   MRO declares, and then the bound is larger by that table's length. */
_PyCustomSlots_UNUSED static Py_ssize_t
_PyExtensibleType_MergeBound(Py_ssize_t own_count, const _PyExtensibleType_Mro *mro)
{
    Py_ssize_t i, bound = own_count;
    PyCustomSlot *ignored;
    for (i = 0; i < mro->count; i++) {
        PyTypeObject *type = _PyExtensibleType_MroItem(mro, i);
        if (type != NULL) bound += _PyExtensibleType_OwnSlots(type, &ignored);
    }
    return bound;
}

/* Puts one slot into `record` unless a nearer class decided about its ID already.
   decided[i] belongs to record->slots[i].  0, or -1 if the table is full. */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_Place(_PyExtensibleType_Record *record, char *decided,
                        const PyCustomSlot *slot, Py_ssize_t wanted)
{
    Py_ssize_t i;
    if (slot->id <= PyCustomSlots_SKIP) return 0;
    for (i = 0; i < record->count && record->slots[i].id != slot->id; i++) { }
    if (i < record->count) {
        if (decided[i]) return 0;
    }
    else if (wanted < record->count && record->slots[wanted].id > PyCustomSlots_SKIP) {
        if (i == record->capacity) return -1;
        record->count = i + 1;                  /* its place is taken: append */
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

/* Merges into `record`, which is new but for its own slots.  `scratch`: capacity bytes.
   Under the lock.  0, or -1 if the capacity does not suffice (see MergeBound). */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_MergeInto(_PyExtensibleType_Record *record, char *scratch,
                            const _PyExtensibleType_Record *primary,
                            const _PyExtensibleType_Mro *mro)
{
    Py_ssize_t i, k, count;
    PyCustomSlot *own = NULL;

    memset(scratch, 0, (size_t)record->capacity);
    record->count = 0;
    if (primary != NULL) {
        if (primary->count > record->capacity) return -1;
        record->count = primary->count;
        memcpy(record->slots, primary->slots, sizeof(PyCustomSlot) * (size_t)primary->count);
    }
    for (i = 0; i < record->declared.own_count; i++) {
        if (_PyExtensibleType_Place(record, scratch, &record->declared.own[i], i) < 0) return -1;
    }
    for (k = 0; k < mro->count; k++) {
        PyTypeObject *type = _PyExtensibleType_MroItem(mro, k);
        count = type != NULL ? _PyExtensibleType_OwnSlots(type, &own) : 0;
        for (i = 0; i < count; i++) {
            if (_PyExtensibleType_Place(record, scratch, &own[i], i) < 0) return -1;
        }
    }
    /* Padding that the provider asked for behind its last slot stays. */
    while (record->count < record->declared.own_count) {
        if (record->count == record->capacity) return -1;
        record->slots[record->count++].id = PyCustomSlots_SKIP;
    }
    return 0;
}

/* The finished record that speaks for `base`: its own, or, if it is a type that
   knows nothing of us (static, or made by PyType_FromSpec before 3.12), that of its
   nearest base.  Borrowed; NULL: no slots. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Record *
_PyExtensibleType_EffectiveRecord(PyTypeObject *base)
{
    _PyCustomSlots_Type *owner = _PyCustomSlots_FindOwner(base);
    return owner == NULL ? NULL : _PyExtensibleType_RecordOf((PyTypeObject *)owner);
}

#ifndef Py_GIL_DISABLED
/* Do the same classes declare slots in both MROs, in the same order?  (A metaclass's mro()
   may have another one, or leave classes out.) */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_SameDeclarers(const _PyExtensibleType_Mro *a, const _PyExtensibleType_Mro *b)
{
    PyCustomSlot *ignored;
    Py_ssize_t i = 0, k = 0;
    for (;;) {
        PyTypeObject *x = NULL, *y = NULL;
        for (; i < a->count && x == NULL; i++) {
            x = _PyExtensibleType_MroItem(a, i);
            if (x != NULL && _PyExtensibleType_OwnSlots(x, &ignored) == 0) x = NULL;
        }
        for (; k < b->count && y == NULL; k++) {
            y = _PyExtensibleType_MroItem(b, k);
            if (y != NULL && _PyExtensibleType_OwnSlots(y, &ignored) == 0) y = NULL;
        }
        if (x != y) return 0;
        if (x == NULL) return 1;
    }
}
#endif

/* The record whose table gives inherited slots their positions: that of tp_base (NULL
   if it is not known yet), else of the first class of the MRO that has one.  Borrowed,
   NULL: nothing to inherit.  *dominates: every other table is merged into it already. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Record *
_PyExtensibleType_PrimaryRecord(PyTypeObject *base, const _PyExtensibleType_Mro *mro,
                                int *dominates)
{
    _PyExtensibleType_Record *primary = NULL;
    PyTypeObject *type;
    Py_ssize_t i;

    if (base != NULL) primary = _PyExtensibleType_EffectiveRecord(base);
    for (i = 0; i < mro->count && primary == NULL; i++) {
        if (!(type = _PyExtensibleType_MroItem(mro, i))) continue;
        base = type;
        primary = _PyExtensibleType_RecordOf(type);
    }
    *dominates = 1;
#ifdef Py_GIL_DISABLED
    /* The MRO of `base` may be changing: merge and see, unless there is one table only. */
    for (i = 0; i < mro->count && primary != NULL; i++) {
        _PyExtensibleType_Record *other;
        if (!(type = _PyExtensibleType_MroItem(mro, i))) continue;
        other = _PyExtensibleType_RecordOf(type);
        if (other != NULL && other != primary) *dominates = 0;
    }
#else
    if (primary != NULL) {
        const _PyExtensibleType_Mro above = _PyExtensibleType_MroOfTuple(NULL, base->tp_mro);
        *dominates = _PyExtensibleType_SameDeclarers(mro, &above);
    }
#endif
    return primary;
}

/* The record for a class with linearisation `mro` and these own slots (checked):
   a new reference in *result, NULL there for "no slots".  Shares the record of a base
   wherever the table is the same.  Under the lock.  0, or -1, without an exception, if
   there is no memory. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_MergeRecord(PyTypeObject *owner, const PyCustomSlot *own,
                              Py_ssize_t own_count, PyTypeObject *base,
                              const _PyExtensibleType_Mro *mro,
                              _PyExtensibleType_Record **result)
{
    const Py_ssize_t bound = _PyExtensibleType_MergeBound(own_count, mro);
    int dominates, merged = -1, status = -1;
    _PyExtensibleType_Record *primary, *record = NULL;
    Py_ssize_t extra = 0;
    char *scratch = NULL;

    *result = NULL;
    primary = _PyExtensibleType_PrimaryRecord(base, mro, &dominates);
    if (own_count == 0 && dominates) {
        *result = _PyExtensibleType_RecordIncref(primary);
        return 0;
    }
    while (merged < 0) {
        _PyExtensibleType_RecordDecref(record);
        PyMem_RawFree(scratch);
        scratch = NULL;
        record = _PyExtensibleType_RecordNew(owner, bound + extra, own, own_count);
        if (record == NULL) goto done;
        if (!(scratch = (char *)PyMem_RawMalloc((size_t)record->capacity))) goto done;
        merged = _PyExtensibleType_MergeInto(record, scratch, primary, mro);
        extra = primary != NULL ? primary->count : 0;   /* with it, it fits */
    }
    if (own_count == 0 && _PyExtensibleType_RecordEquals(record, primary)) {
        *result = _PyExtensibleType_RecordIncref(primary);
    }
    else {
        *result = _PyExtensibleType_RecordIncref(record);
    }
    status = 0;
done:
    PyMem_RawFree(scratch);
    _PyExtensibleType_RecordDecref(record);
    return status;
}

/* ---------------------------------------------- linearisation before the type -- */

_PyCustomSlots_UNUSED static void
_PyExtensibleType_MroClear(_PyExtensibleType_Mro *mro)
{
    Py_ssize_t i;
    for (i = 0; i < mro->held_count; i++) Py_XDECREF(mro->held[i]);
    PyMem_RawFree(mro->held);
    PyMem_RawFree(mro->owned);
    mro->owned = mro->held = NULL;
    mro->count = mro->held_count = 0;
}

/* What the MRO of a class with these bases will be, without the class itself: the C3
   merge that CPython will do in a moment (unless a metaclass overrides mro()).
   1: done; 0: there is no consistent order, or a base is not a finished type, and
   CPython will refuse; -1 with a MemoryError.  The types live until MroClear().  Neither
   is for under the lock. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_MroOfBases(_PyExtensibleType_API *api, PyObject *bases,
                             _PyExtensibleType_Mro *mro)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(bases);
    Py_ssize_t total = n, i, j, k, *next = NULL;
    int status = -1;

    memset(mro, 0, sizeof(*mro));
    mro->held = (PyObject **)PyMem_RawCalloc((size_t)n + 1, sizeof(PyObject *));
    if (mro->held == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    mro->held_count = n;
    for (i = 0; i < n; i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        if (!PyType_Check(base)
                || !(mro->held[i] = _PyExtensibleType_FetchMro(api, (PyTypeObject *)base))) {
            status = 0;
            goto done;
        }
        total += PyTuple_GET_SIZE(mro->held[i]);
    }
    mro->owned = (PyObject **)PyMem_RawCalloc((size_t)total + 1, sizeof(PyObject *));
    mro->items = mro->owned;
    next = (Py_ssize_t *)PyMem_RawCalloc((size_t)n + 1, sizeof(Py_ssize_t));
    if (mro->owned == NULL || next == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    /* List i < n is the MRO of base i from next[i] on; list n is `bases` itself. */
#define _PyExtensibleType_LIST(i) \
    ((i) < n ? mro->held[i] : bases)
    for (;;) {
        PyObject *chosen = NULL;
        int left = 0;
        for (i = 0; i <= n && chosen == NULL; i++) {
            PyObject *list = _PyExtensibleType_LIST(i);
            if (next[i] >= PyTuple_GET_SIZE(list)) continue;
            left = 1;
            chosen = PyTuple_GET_ITEM(list, next[i]);
            for (j = 0; j <= n && chosen != NULL; j++) {
                PyObject *other = _PyExtensibleType_LIST(j);
                for (k = next[j] + 1; k < PyTuple_GET_SIZE(other); k++) {
                    if (PyTuple_GET_ITEM(other, k) == chosen) {
                        chosen = NULL;          /* it must come later */
                        break;
                    }
                }
            }
        }
        if (chosen == NULL) {
            status = left ? 0 : 1;
            goto done;
        }
        mro->owned[mro->count++] = chosen;
        for (j = 0; j <= n; j++) {
            PyObject *list = _PyExtensibleType_LIST(j);
            if (next[j] < PyTuple_GET_SIZE(list)
                    && PyTuple_GET_ITEM(list, next[j]) == chosen) {
                next[j]++;
            }
        }
    }
#undef _PyExtensibleType_LIST
done:
    PyMem_RawFree(next);
    if (status <= 0) _PyExtensibleType_MroClear(mro);
    return status;
}

#endif /* Py_EXTENSIBLETYPE_MERGE_H */
