/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/bases.h - what was inherited follows when classes change.
 * Included by extensibletype.h; not for direct use.
 *
 * `C.__bases__ = ...` changes the MRO of C and of all its subclasses; declaring slots
 * for C changes their tables.  Both go the same way, in two steps so that a failure
 * changes nothing: prepare allocates a record for every class concerned, large enough
 * for whatever it may inherit, and notes which C fields it inherits; commit merges,
 * publishes and copies, and cannot fail.
 */
#ifndef Py_EXTENSIBLETYPE_BASES_H
#define Py_EXTENSIBLETYPE_BASES_H

typedef struct {
    PyTypeObject             *type;       /* kept alive by `types` below */
    _PyExtensibleType_Record *record;     /* the one to publish */
    char                     *inherited;  /* for each C field: does the type inherit it? */
} _PyExtensibleType_Pending;

typedef struct {
    PyObject                  *types;     /* list: the class and all its subclasses */
    _PyExtensibleType_Pending *pending;   /* those of them that carry a table */
    Py_ssize_t                 count;
    char                      *scratch;
    _PyExtensibleType_FieldWork work;
} _PyExtensibleType_Refresh;

#define _PyExtensibleType_REFRESH_INIT \
    {NULL, NULL, 0, NULL, _PyExtensibleType_FIELD_WORK_INIT}

/* A list of `type` and all its subclasses, each once; NULL with an exception.
   Asks type.__subclasses__ itself: a metaclass may have its own idea of it. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_CollectSubclasses(_PyExtensibleType_API *api, PyTypeObject *type)
{
    PyObject *all = NULL, *seen = NULL, *direct = NULL, *address = NULL, *result = NULL;
    Py_ssize_t i, k;

    if (!(all = PyList_New(0)) || !(seen = PyDict_New())) goto done;
    if (PyList_Append(all, (PyObject *)type) < 0) goto done;
    for (i = 0; i < PyList_GET_SIZE(all); i++) {
        direct = PyObject_CallFunctionObjArgs(api->type_subclasses,
                                              PyList_GET_ITEM(all, i), NULL);
        if (direct == NULL || !PyList_Check(direct)) goto done;
        for (k = 0; k < PyList_GET_SIZE(direct); k++) {
            /* By address: a metaclass may define __eq__ and __hash__. */
            PyObject *subclass = PyList_GET_ITEM(direct, k);
            int known;
            if (!(address = PyLong_FromVoidPtr(subclass))) goto done;
            known = PyDict_Contains(seen, address);
            if (known < 0 || (!known && (PyDict_SetItem(seen, address, Py_None) < 0
                                         || PyList_Append(all, subclass) < 0))) goto done;
            Py_CLEAR(address);
        }
        Py_CLEAR(direct);
    }
    result = all;
    all = NULL;
done:
    Py_XDECREF(address);
    Py_XDECREF(direct);
    Py_XDECREF(seen);
    Py_XDECREF(all);
    return result;
}

/* Notes which C fields of a type it inherits, and reserves room for what they hold.
   -1 with a MemoryError. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_NoteInherited(_PyExtensibleType_API *api, _PyExtensibleType_Pending *pending,
                                _PyExtensibleType_FieldWork *work)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(pending->type));
    _PyExtensibleType_Mro mro = _PyExtensibleType_MroOfType(pending->type);
    const _PyExtensibleType_FieldEntry *field;
    Py_ssize_t count = 0, objects = 0;

    while ((field = _PyExtensibleType_NextField(&iter))) {
        count++;
        objects += _PyExtensibleType_IsObject(field);
    }
    if (count == 0) return 0;
    if (_PyExtensibleType_ReserveDrops(work, objects) < 0) return -1;
    if (!(pending->inherited = (char *)PyMem_RawCalloc((size_t)count, 1))) {
        PyErr_NoMemory();
        return -1;
    }
    iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(pending->type));
    for (count = 0; (field = _PyExtensibleType_NextField(&iter)); count++) {
        pending->inherited[count]
            = (char)_PyExtensibleType_InheritsField(api, pending->type, &mro, field);
    }
    return 0;
}

/* Copies the values with hooks that the types inherit now that they have their new MRO.
   -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CopyForRefresh(_PyExtensibleType_API *api, _PyExtensibleType_Refresh *refresh)
{
    Py_ssize_t i;
    for (i = 0; api->hooked != 0 && i < refresh->count; i++) {
        PyTypeObject *type = refresh->pending[i].type;
        const char *inherited = refresh->pending[i].inherited;
        _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
        _PyExtensibleType_Mro mro = _PyExtensibleType_MroOfType(type);
        _PyExtensibleType_FieldEntry *field;
        for (; inherited != NULL && (field = _PyExtensibleType_NextField(&iter)); inherited++) {
            if (*inherited && _PyExtensibleType_IsHooked(field)
                    && _PyExtensibleType_MakeCopy(&refresh->work, type, field,
                           _PyExtensibleType_ValueFor(api, &mro, field)) < 0) return -1;
        }
    }
    return 0;
}

/* Gives a type what it inherits now, or the default if it inherits from nobody any more,
   in the fields that it inherited before.  Cannot fail. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_FollowFields(_PyExtensibleType_API *api, _PyExtensibleType_Pending *pending,
                               _PyExtensibleType_FieldWork *work)
{
    PyTypeObject *type = pending->type;
    const char *inherited = pending->inherited;
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    _PyExtensibleType_Mro mro = _PyExtensibleType_MroOfType(type);
    const _PyExtensibleType_FieldEntry *field;
    for (; inherited != NULL && (field = _PyExtensibleType_NextField(&iter)); inherited++) {
        if (!*inherited) continue;
        _PyExtensibleType_Replace(work, type, field, _PyExtensibleType_FieldAt(type, field),
                                  _PyExtensibleType_ValueFor(api, &mro, field));
    }
}

_PyCustomSlots_UNUSED static void
_PyExtensibleType_RefreshDiscard(_PyExtensibleType_Refresh *refresh)
{
    Py_ssize_t i;
    for (i = 0; i < refresh->count; i++) {
        _PyExtensibleType_RecordDecref(refresh->pending[i].record);
        PyMem_RawFree(refresh->pending[i].inherited);
    }
    PyMem_RawFree(refresh->pending);
    PyMem_RawFree(refresh->scratch);
    _PyExtensibleType_EndFieldWork(&refresh->work);
    Py_CLEAR(refresh->types);
    memset(refresh, 0, sizeof(*refresh));
}

/* Allocates for `top` and its subclasses.  `own`/`own_count`: the new own slots of
   `top`, own_count -1 if they stay.  `more`: entries that new bases may add.
   0, or -1 with an exception and nothing to discard. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_RefreshPrepare(_PyExtensibleType_API *api, PyTypeObject *top,
                                 const PyCustomSlot *own, Py_ssize_t own_count,
                                 Py_ssize_t more, _PyExtensibleType_Refresh *refresh)
{
    Py_ssize_t i, n, largest = PyCustomSlots_MIN_CAPACITY;

    memset(refresh, 0, sizeof(*refresh));
    if (!(refresh->types = _PyExtensibleType_CollectSubclasses(api, top))) return -1;
    n = PyList_GET_SIZE(refresh->types);
    refresh->pending = (_PyExtensibleType_Pending *)PyMem_RawCalloc(
        (size_t)n, sizeof(_PyExtensibleType_Pending));
    if (refresh->pending == NULL) goto no_memory;
    for (i = 0; i < n; i++) {
        PyTypeObject *type = (PyTypeObject *)PyList_GET_ITEM(refresh->types, i);
        _PyExtensibleType_Record *record, *old;
        _PyExtensibleType_Mro mro;
        Py_ssize_t keep, capacity;
        PyCustomSlot *kept;

        if (_PyExtensibleType_APIOf(Py_TYPE(type)) != api || type->tp_mro == NULL) continue;
        if (_PyExtensibleType_Resolve(api, type) < 0) goto bad;
        if (!_PyExtensibleType_IsReady(type)) continue;
        keep = _PyExtensibleType_OwnSlots(type, &kept);
        if (type == top && own_count >= 0) {
            kept = (PyCustomSlot *)own;
            keep = own_count;
        }
        mro = _PyExtensibleType_MroOfType(type);
        old = _PyExtensibleType_RecordOf(type);
        capacity = _PyExtensibleType_MergeBound(keep, &mro) + more
                   + (own_count > 0 ? own_count : 0);
        if (old != NULL && old->capacity > capacity) capacity = old->capacity;
        if (!(record = _PyExtensibleType_RecordNew(type, capacity, kept, keep))) goto bad;
        if (record->capacity > largest) largest = record->capacity;
        refresh->pending[refresh->count].type = type;
        refresh->pending[refresh->count++].record = record;
        if (own_count < 0 && _PyExtensibleType_NoteInherited(
                api, &refresh->pending[refresh->count - 1], &refresh->work) < 0) goto bad;
    }
    if (!(refresh->scratch = (char *)PyMem_RawMalloc((size_t)largest))) goto no_memory;
    return 0;
no_memory:
    PyErr_NoMemory();
bad:
    _PyExtensibleType_RefreshDiscard(refresh);
    return -1;
}

/* Takes the record out of the chain behind `head` that holds the same entries and
   own slots as `wanted` and may replace `head`; NULL if there is none.  So a program
   that switches bases to and fro does not collect tables for ever. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Record *
_PyExtensibleType_ReviveRetired(_PyExtensibleType_Record *head,
                                const _PyExtensibleType_Record *wanted)
{
    _PyExtensibleType_Record **link = head != NULL ? &head->retired : NULL;
    for (; link != NULL && *link != NULL; link = &(*link)->retired) {
        _PyExtensibleType_Record *record = *link;
        if (record->refcount == 1 && record->owner == wanted->owner
                && record->capacity >= head->capacity
                && record->own_count == wanted->own_count
                && _PyExtensibleType_RecordEquals(record, wanted)
                && memcmp(record->own, wanted->own,
                          sizeof(PyCustomSlot) * (size_t)wanted->own_count) == 0) {
            *link = record->retired;
            record->retired = NULL;
            return record;
        }
    }
    return NULL;
}

/* A base has a shorter MRO than what derives from it. */
static int
_PyExtensibleType_ByDepth(const void *a, const void *b)
{
    Py_ssize_t x = PyTuple_GET_SIZE(((const _PyExtensibleType_Pending *)a)->type->tp_mro);
    Py_ssize_t y = PyTuple_GET_SIZE(((const _PyExtensibleType_Pending *)b)->type->tp_mro);
    return (x > y) - (x < y);
}

/* Merges and publishes, bases before what derives from them.  Cannot fail. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_RefreshCommit(_PyExtensibleType_API *api,
                                _PyExtensibleType_Refresh *refresh)
{
    Py_ssize_t i;
    int ignored;

    qsort(refresh->pending, (size_t)refresh->count, sizeof(*refresh->pending),
          _PyExtensibleType_ByDepth);
    for (i = 0; i < refresh->count; i++) {
        PyTypeObject *type = refresh->pending[i].type;
        _PyExtensibleType_Record *record = refresh->pending[i].record, *old, *revived;
        _PyExtensibleType_Mro mro = _PyExtensibleType_MroOfType(type);

        _PyExtensibleType_FollowFields(api, &refresh->pending[i], &refresh->work);
        if (_PyExtensibleType_MergeBound(record->own_count, &mro) > record->capacity) {
            /* A custom mro() made bases that were not announced: the old table is
               stale, but valid. */
            continue;
        }
        _PyExtensibleType_MergeInto(
            record, refresh->scratch,
            _PyExtensibleType_PrimaryRecord(type->tp_base, &mro, &ignored), &mro);
        old = _PyExtensibleType_RecordOf(type);
        if (old == NULL && record->count == 0) continue;
        if (old != NULL && old->own_count == record->own_count
                && (old->owner == type || record->own_count == 0)
                && _PyExtensibleType_RecordEquals(old, record)
                && memcmp(old->own, record->own,
                          sizeof(PyCustomSlot) * (size_t)record->own_count) == 0) {
            continue;
        }
        revived = _PyExtensibleType_ReviveRetired(old, record);
        if (revived == NULL) {
            revived = record;
            refresh->pending[i].record = NULL;
        }
        revived->retired = old;                  /* the type's reference moves */
        _PyExtensibleType_SetRecord(type, revived);
    }
    _PyExtensibleType_RefreshDiscard(refresh);
}

/* The setter of __bases__ on the metaclass, around type's. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_set_bases(PyObject *self, PyObject *value, void *closure)
{
    PyTypeObject *type = (PyTypeObject *)self;
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(Py_TYPE(self));
    PyObject *descriptor = api->type_bases, *former;
    _PyExtensibleType_Refresh refresh = _PyExtensibleType_REFRESH_INIT;
    Py_ssize_t i, more = 0;
    int status;

    (void)closure;
    if (value != NULL && PyTuple_Check(value) && (type->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        if (_PyExtensibleType_ResolveAll(api, value) < 0) return -1;
        for (i = 0; i < PyTuple_GET_SIZE(value); i++) {
            PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(value, i);
            _PyExtensibleType_Mro mro;
            if (!PyType_Check((PyObject *)base) || base->tp_mro == NULL) continue;
            mro = _PyExtensibleType_MroOfType(base);
            mro.self = NULL;                     /* its own slots count, too */
            more += _PyExtensibleType_MergeBound(0, &mro);
        }
        if (_PyExtensibleType_RefreshPrepare(api, type, NULL, -1, more, &refresh) < 0) {
            return -1;
        }
    }
    former = type->tp_bases;
    Py_XINCREF(former);
    status = Py_TYPE(descriptor)->tp_descr_set(descriptor, self, value);
    if (status == 0 && refresh.types != NULL
            && _PyExtensibleType_CopyForRefresh(api, &refresh) < 0) {
        PyObject *error, *text, *traceback;
        PyErr_Fetch(&error, &text, &traceback);
        /* Bases that were accepted before.  Should that fail now, fields with hooks keep
           values that are stale, but valid. */
        if (Py_TYPE(descriptor)->tp_descr_set(descriptor, self, former) < 0) PyErr_Clear();
        PyErr_Restore(error, text, traceback);
        status = -1;
    }
    if (refresh.types != NULL) {
        if (status == 0) _PyExtensibleType_RefreshCommit(api, &refresh);
        else _PyExtensibleType_RefreshDiscard(&refresh);
    }
    Py_XDECREF(former);
    return status;
}

#endif /* Py_EXTENSIBLETYPE_BASES_H */
