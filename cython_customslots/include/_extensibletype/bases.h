/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/bases.h - what was inherited follows when classes change.
 * Included by extensibletype.h; not for direct use.
 *
 * `C.__bases__ = ...` changes the MRO of C and of all its subclasses; declaring slots
 * for C changes their tables.  Both go the same way, in two steps so that a failure
 * changes nothing: prepare allocates a record for every class concerned, large enough
 * for whatever it may inherit; commit merges,
 * publishes and copies, and cannot fail.  What else may happen in between, and why the
 * tables are right in the end: changes.h.
 */
#ifndef Py_EXTENSIBLETYPE_BASES_H
#define Py_EXTENSIBLETYPE_BASES_H

/* What type.__subclasses__ says (itself: a metaclass may have its own idea of it).
   NULL, with or without an exception, if there are none.

   Free-threaded builds up to 3.15 walk the dict of subclasses there without the lock
   under which classes are added and removed, and may miss one or worse; so its values, weak
   references, are taken in one call that has that lock.  (What nobody outside CPython can
   help: it frees the dict when the last subclass dies, whoever is about to look into it or
   to add a class.) */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_DirectSubclasses(_PyExtensibleType_API *api, PyTypeObject *type)
{
    PyObject *dict = (PyObject *)_PyCustomSlots_LOAD(void *, &type->tp_subclasses);
#ifdef Py_GIL_DISABLED
    PyObject *references, *result = NULL, *subclass;
    Py_ssize_t i;
    (void)api;
    if (dict == NULL || !(references = PyDict_Values(dict))) return NULL;
    if (!(result = PyList_New(0))) goto done;
    for (i = 0; i < PyList_GET_SIZE(references); i++) {
        int status = PyWeakref_GetRef(PyList_GET_ITEM(references, i), &subclass);
        if (status == 0) continue;              /* it is dying */
        if (status > 0) {
            status = PyList_Append(result, subclass);
            Py_DECREF(subclass);
        }
        if (status < 0) {
            Py_CLEAR(result);
            goto done;
        }
    }
done:
    Py_DECREF(references);
    return result;
#else
    if (dict == NULL) return NULL;
    return PyObject_CallFunctionObjArgs(api->type_subclasses, (PyObject *)type, NULL);
#endif
}

/* A list of `type` and all its subclasses, each once; NULL with an exception. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_CollectSubclasses(_PyExtensibleType_API *api, PyTypeObject *type)
{
    PyObject *all = NULL, *seen = NULL, *direct = NULL, *address = NULL, *result = NULL;
    Py_ssize_t i, k;

    if (!(all = PyList_New(0)) || !(seen = PyDict_New())) goto done;
    if (PyList_Append(all, (PyObject *)type) < 0) goto done;
    for (i = 0; i < PyList_GET_SIZE(all); i++) {
        direct = _PyExtensibleType_DirectSubclasses(
            api, (PyTypeObject *)PyList_GET_ITEM(all, i));
        if (direct == NULL && !PyErr_Occurred()) continue;
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

/* Drops the references that `n` entries hold, and frees them. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_FreePending(_PyExtensibleType_Pending *pending, Py_ssize_t n)
{
    Py_ssize_t i;
    for (i = 0; i < n; i++) {
        _PyExtensibleType_RecordDecref(pending[i].record);
        Py_XDECREF(pending[i].mro);
        Py_XDECREF((PyObject *)pending[i].type);
    }
    PyMem_RawFree(pending);
}

/* Ends a refresh in any state; afterwards it is as REFRESH_INIT. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_RefreshDiscard(_PyExtensibleType_API *api,
                                 _PyExtensibleType_Refresh *refresh)
{
    _PyExtensibleType_Own *owns;
    _PyExtensibleType_Lock(api);
    _PyExtensibleType_Unregister(api, refresh);
    owns = _PyExtensibleType_TakeLimbo(api);
    _PyExtensibleType_Unlock(api);
    _PyExtensibleType_FreeOwn(owns);
    _PyExtensibleType_FreePending(refresh->pending, refresh->count);
    _PyExtensibleType_FreePending(refresh->late, refresh->late_count);
    PyMem_RawFree(refresh->scratch);
    _PyExtensibleType_EndFieldWork(&refresh->work);
    memset(refresh, 0, sizeof(*refresh));
}

/* The own slots that `type` has after the refresh: their number, and in *own where. */
_PyCustomSlots_UNUSED static inline Py_ssize_t
_PyExtensibleType_OwnAfter(const _PyExtensibleType_Refresh *refresh, PyTypeObject *type,
                           const PyCustomSlot **own)
{
    PyCustomSlot *kept;
    Py_ssize_t count;
    if (type == refresh->top && refresh->own_count >= 0) {
        *own = refresh->own;
        return refresh->own_count;
    }
    count = _PyExtensibleType_OwnSlots(type, &kept);
    *own = kept;
    return count;
}

/* Prepares one class, if it is one with a table.  `more`: entries that new bases or new
   own slots of the refresh's top may add.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_PrepareOne(_PyExtensibleType_API *api, PyTypeObject *type,
                             Py_ssize_t more, _PyExtensibleType_Refresh *refresh)
{
    _PyExtensibleType_Pending *entry = &refresh->pending[refresh->count];
    _PyExtensibleType_Record *old;
    _PyExtensibleType_Mro mro;
    const PyCustomSlot *own;
    Py_ssize_t own_count, capacity;
    uintptr_t marks;

    if (_PyExtensibleType_APIOf(Py_TYPE(type)) != api) return 0;
    if (_PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (!_PyExtensibleType_IsReady(type)) return 0;
    if (!(entry->mro = _PyExtensibleType_FetchMro(api, type))) return 0;
    Py_INCREF((PyObject *)type);
    entry->type = type;
    refresh->count++;

    _PyExtensibleType_Lock(api);
    marks = _PyExtensibleType_Marks(type);
    own_count = _PyExtensibleType_OwnAfter(refresh, type, &own);
    mro = _PyExtensibleType_MroOfTuple(type, entry->mro);
    old = _PyExtensibleType_RecordOf(type);
    capacity = _PyExtensibleType_MergeBound(own_count, &mro) + more;
    if (old != NULL && old->capacity > capacity) capacity = old->capacity;
    _PyExtensibleType_Unlock(api);

    entry->record = _PyExtensibleType_RecordNew(type, capacity, NULL, own_count);
    if (entry->record == NULL
            || _PyExtensibleType_ReserveDrops(api, Py_TYPE(type), &refresh->work) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    if (entry->record->capacity > refresh->scratch_size) {
        refresh->scratch_size = entry->record->capacity;
    }
    return (marks & _PyExtensibleType_EXPOSED) && refresh->own_count < 0
           ? _PyExtensibleType_KeepMro(api, type, entry->mro) : 0;
}

/* Registers the refresh and allocates for `top` and its subclasses.  `own`/`own_count`:
   the new own slots of `top`, own_count -1 if they stay; to be left alone until the
   commit.  `more`: entries that new bases may add.  0, or -1 with an exception and
   nothing to discard. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_RefreshPrepare(_PyExtensibleType_API *api, PyTypeObject *top,
                                 const PyCustomSlot *own, Py_ssize_t own_count,
                                 Py_ssize_t more, _PyExtensibleType_Refresh *refresh)
{
    PyObject *types = NULL;
    Py_ssize_t i, n;
    int status = -1;

    memset(refresh, 0, sizeof(*refresh));
    refresh->top = top;
    refresh->own = own;
    refresh->own_count = own_count;
    refresh->scratch_size = PyCustomSlots_MIN_CAPACITY;
    if (own_count > 0) more += own_count;
    refresh->collected = _PyCustomSlots_LOAD(uintptr_t, &api->generation);
    _PyExtensibleType_Register(api, refresh);       /* before the classes are collected */
    if (!(types = _PyExtensibleType_CollectSubclasses(api, top))) goto done;
    n = PyList_GET_SIZE(types);
    refresh->pending = (_PyExtensibleType_Pending *)PyMem_RawCalloc(
        (size_t)n, sizeof(_PyExtensibleType_Pending));
    if (refresh->pending == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (i = 0; i < n; i++) {
        if (_PyExtensibleType_PrepareOne(api, (PyTypeObject *)PyList_GET_ITEM(types, i),
                                         more, refresh) < 0) goto done;
    }
    refresh->scratch = (char *)PyMem_RawMalloc((size_t)refresh->scratch_size);
    if (refresh->scratch == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    status = 0;
done:
    Py_XDECREF(types);
    if (status < 0) _PyExtensibleType_RefreshDiscard(api, refresh);
    return status;
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
        if (_PyCustomSlots_LOAD(Py_ssize_t, &record->refcount) == 1
                && _PyCustomSlots_LOAD(PyTypeObject *, &record->declared.owner)
                       == wanted->declared.owner
                && record->capacity >= head->capacity
                && record->declared.own_count == wanted->declared.own_count
                && _PyExtensibleType_RecordEquals(record, wanted)
                && memcmp(record->declared.own, wanted->declared.own,
                          sizeof(PyCustomSlot) * (size_t)wanted->declared.own_count) == 0) {
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
    Py_ssize_t x = PyTuple_GET_SIZE(((const _PyExtensibleType_Pending *)a)->mro);
    Py_ssize_t y = PyTuple_GET_SIZE(((const _PyExtensibleType_Pending *)b)->mro);
    return (x > y) - (x < y);
}

/* Adds what came below `top` since its classes were collected.  Where memory runs out, a
   class keeps the table it has. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_CollectAgain(_PyExtensibleType_API *api, _PyExtensibleType_Refresh *refresh)
{
    PyObject *types, *error, *text, *traceback;
    Py_ssize_t i, k;

    PyErr_Fetch(&error, &text, &traceback);
    types = _PyExtensibleType_CollectSubclasses(api, refresh->top);
    for (i = 0; types != NULL && i < PyList_GET_SIZE(types); i++) {
        PyTypeObject *type = (PyTypeObject *)PyList_GET_ITEM(types, i);
        if (_PyExtensibleType_APIOf(Py_TYPE(type)) != api
                || !_PyExtensibleType_IsReady(type)) continue;
        for (k = 0; k < refresh->count && refresh->pending[k].type != type; k++) { }
        if (k < refresh->count) continue;
        _PyExtensibleType_Lock(api);
        (void)_PyExtensibleType_AddLate(refresh, type);
        _PyExtensibleType_Unlock(api);
    }
    Py_XDECREF(types);
    PyErr_Restore(error, text, traceback);
}

/* Takes over what was reported late, and fetches the MRO of every class.  The lock is
   held when this returns, with nothing missed since. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_LockForCommit(_PyExtensibleType_API *api,
                                _PyExtensibleType_Refresh *refresh)
{
    uintptr_t generation;
    Py_ssize_t i, late_count;

    if (refresh->collected != _PyCustomSlots_LOAD(uintptr_t, &api->generation)) {
        _PyExtensibleType_CollectAgain(api, refresh);
    }
    for (;;) {
        _PyExtensibleType_Pending *late, *all;
        _PyExtensibleType_Lock(api);
        generation = _PyCustomSlots_LOAD(uintptr_t, &api->generation);
        late = refresh->late;
        late_count = refresh->late_count;
        refresh->late = NULL;
        refresh->late_count = refresh->late_room = 0;
        _PyExtensibleType_Unlock(api);
        if (late_count > 0) {
            all = (_PyExtensibleType_Pending *)PyMem_RawRealloc(
                refresh->pending, (size_t)(refresh->count + late_count) * sizeof(*all));
            for (i = 0; all != NULL && i < late_count; i++) {
                refresh->pending = all;
                if (_PyExtensibleType_ReserveDrops(api, Py_TYPE(late[i].type),
                                                   &refresh->work) < 0) all = NULL;
            }
            if (all != NULL) {
                memcpy(all + refresh->count, late, (size_t)late_count * sizeof(*all));
                refresh->count += late_count;
                late_count = 0;
            }
        }
        _PyExtensibleType_FreePending(late, late_count);
        for (i = 0; i < refresh->count; i++) {
            PyObject *mro = _PyExtensibleType_FetchMro(api, refresh->pending[i].type);
            if (mro != NULL) Py_XSETREF(refresh->pending[i].mro, mro);
        }
        _PyExtensibleType_Lock(api);
        if (generation == _PyCustomSlots_LOAD(uintptr_t, &api->generation)
                && refresh->late_count == 0) return;
        _PyExtensibleType_Unlock(api);
    }
}

/* Makes entry->record and refresh->scratch large enough, with room for `extra` entries
   beyond the bound, which only takes memory where others changed the same classes
   meanwhile, and puts the own slots in.  0, or -1, without an exception, if there is no
   memory. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_FitRecord(_PyExtensibleType_Refresh *refresh,
                            _PyExtensibleType_Pending *entry,
                            const _PyExtensibleType_Mro *mro, Py_ssize_t extra)
{
    _PyExtensibleType_Record *old = _PyExtensibleType_RecordOf(entry->type);
    const PyCustomSlot *own;
    const Py_ssize_t own_count = _PyExtensibleType_OwnAfter(refresh, entry->type, &own);
    Py_ssize_t needed = _PyExtensibleType_MergeBound(own_count, mro) + extra;

    if (old != NULL && old->capacity > needed) needed = old->capacity;
    if (entry->record == NULL || extra > 0 || entry->record->declared.own_count != own_count
            || entry->record->capacity < needed) {
        _PyExtensibleType_RecordDecref(entry->record);
        entry->record = _PyExtensibleType_RecordNew(entry->type, needed, NULL, own_count);
        if (entry->record == NULL) return -1;
    }
    if (entry->record->capacity > refresh->scratch_size) {
        char *scratch = (char *)PyMem_RawRealloc(refresh->scratch,
                                                 (size_t)entry->record->capacity);
        if (scratch == NULL) return -1;
        refresh->scratch = scratch;
        refresh->scratch_size = entry->record->capacity;
    }
    if (own_count > 0) {
        memcpy(entry->record->declared.own, own, sizeof(PyCustomSlot) * (size_t)own_count);
    }
    return 0;
}

/* The value that a class with linearisation `mro` starts with after the commit.  (Its source
   may inherit, too, and be given another value by this commit, which copies are made for
   before.) */
_PyCustomSlots_UNUSED static const char *
_PyExtensibleType_ValueAfter(_PyExtensibleType_API *api, const _PyExtensibleType_Refresh *refresh,
                             const _PyExtensibleType_Mro *mro,
                             const _PyExtensibleType_FieldEntry *field)
{
    PyTypeObject *source = _PyExtensibleType_SourceOfField(api, mro, field);
    Py_ssize_t i;
    if (source == NULL) return _PyExtensibleType_DefaultOf(field);
    if (source == refresh->top && refresh->value != NULL) return refresh->value;
    if (!_PyExtensibleType_InheritsField(api, source, field)) {
        return _PyExtensibleType_FieldAt(source, field);
    }
    for (i = 0; i < refresh->count; i++) {
        const _PyExtensibleType_Pending *entry = &refresh->pending[i];
        if (entry->type == source && entry->mro != NULL) {
            const _PyExtensibleType_Mro next = _PyExtensibleType_MroOfTuple(source, entry->mro);
            return _PyExtensibleType_ValueAfter(api, refresh, &next, field);
        }
    }
    return _PyExtensibleType_FieldAt(source, field);
}

/* Copies the values with hooks that the types inherit now that they have their new MRO.
   Under the lock.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CopyForRefresh(_PyExtensibleType_API *api, _PyExtensibleType_Refresh *refresh)
{
    Py_ssize_t i;
    _PyExtensibleType_ASSERT_LOCKED(api);
    for (i = 0; api->hooked != 0 && i < refresh->count; i++) {
        PyTypeObject *type = refresh->pending[i].type;
        _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
        _PyExtensibleType_Mro mro;
        _PyExtensibleType_FieldEntry *field;
        if (refresh->own_count >= 0 || refresh->pending[i].mro == NULL) continue;
        mro = _PyExtensibleType_MroOfTuple(type, refresh->pending[i].mro);
        while ((field = _PyExtensibleType_NextField(&iter))) {
            if (_PyExtensibleType_IsHooked(field)
                    && _PyExtensibleType_InheritsField(api, type, field)
                    && _PyExtensibleType_MakeCopy(&refresh->work, type, field,
                           _PyExtensibleType_ValueAfter(api, refresh, &mro, field)) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

/* Gives a type what it inherits now, or the default if it inherits from nobody any more,
   in the fields that are not its own.  Under the lock.  Cannot fail. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_FollowFields(_PyExtensibleType_API *api, _PyExtensibleType_Pending *entry,
                               const _PyExtensibleType_Mro *mro,
                               _PyExtensibleType_FieldWork *work)
{
    PyTypeObject *type = entry->type;
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    const _PyExtensibleType_FieldEntry *field;
    _PyExtensibleType_ASSERT_LOCKED(api);
    while ((field = _PyExtensibleType_NextField(&iter))) {
        if (!_PyExtensibleType_InheritsField(api, type, field)) continue;
        _PyExtensibleType_Replace(api, work, type, field, _PyExtensibleType_FieldAt(type, field),
                                  _PyExtensibleType_ValueFor(api, mro, field));
    }
}

/* Merges and publishes one class.  Under the lock. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_CommitOne(_PyExtensibleType_API *api, _PyExtensibleType_Refresh *refresh,
                            _PyExtensibleType_Pending *entry)
{
    PyTypeObject *type = entry->type;
    _PyExtensibleType_Record *record, *old = _PyExtensibleType_RecordOf(type), *revived;
    _PyExtensibleType_Record *primary;
    _PyExtensibleType_Mro mro;
    PyCustomSlot *own = NULL;
    int ignored;
    _PyExtensibleType_ASSERT_LOCKED(api);

    if (entry->mro == NULL || !_PyExtensibleType_IsReady(type)) return;
    mro = _PyExtensibleType_MroOfTuple(type, entry->mro);
    if (refresh->own_count < 0) {               /* bases changed, and so do fields */
        _PyExtensibleType_FollowFields(api, entry, &mro, &refresh->work);
    }
    if (api->refreshes != NULL) {
        (void)_PyExtensibleType_ReportLate(api, type, entry->mro, refresh);
    }
    primary = _PyExtensibleType_PrimaryRecord(_PyExtensibleType_BaseIn(api, type, entry->mro),
                                              &mro, &ignored);
    if (_PyExtensibleType_FitRecord(refresh, entry, &mro, 0) < 0) return;
    if (_PyExtensibleType_MergeInto(entry->record, refresh->scratch, primary, &mro) < 0
            && (_PyExtensibleType_FitRecord(refresh, entry, &mro,
                                            primary != NULL ? primary->count : 0) < 0
                || _PyExtensibleType_MergeInto(entry->record, refresh->scratch, primary,
                                               &mro) < 0)) {
        return;
    }
    record = entry->record;
    if (old == NULL && record->count == 0) return;
    /* The same?  The old one may be shared with a base, which declared its own slots. */
    if (old != NULL && _PyExtensibleType_RecordEquals(old, record)
            && _PyExtensibleType_OwnSlots(type, &own) == record->declared.own_count
            && (record->declared.own_count == 0
                || memcmp(own, record->declared.own,
                          sizeof(PyCustomSlot) * (size_t)record->declared.own_count) == 0)) {
        return;
    }
    revived = _PyExtensibleType_ReviveRetired(old, record);
    if (revived == NULL) {
        revived = record;
        entry->record = NULL;
    }
    revived->retired = old;                     /* the type's reference moves */
    _PyExtensibleType_SetRecord(type, revived);
}

/* Merges and publishes, bases before what derives from them, and ends the refresh.
   0, or -1 with what the copy hook of a field raised; without such fields it cannot fail.
   Then nothing has changed and the refresh goes on, to be committed again or discarded;
   unless it is the `last` commit: that leaves alone what could not be copied, and sets no
   exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_RefreshCommit(_PyExtensibleType_API *api,
                                _PyExtensibleType_Refresh *refresh, int last)
{
    Py_ssize_t i;
    int status;

    _PyExtensibleType_LockForCommit(api, refresh);
    status = _PyExtensibleType_CopyForRefresh(api, refresh);
    if (status < 0 && !last) {
        _PyExtensibleType_Unlock(api);
        _PyExtensibleType_ForgetCopies(&refresh->work);
        return -1;
    }
    qsort(refresh->pending, (size_t)refresh->count, sizeof(*refresh->pending),
          _PyExtensibleType_ByDepth);
    for (i = 0; i < refresh->count; i++) {
        _PyExtensibleType_CommitOne(api, refresh, &refresh->pending[i]);
    }
    _PyCustomSlots_STORE(uintptr_t, &api->generation, api->generation + 1);
    _PyExtensibleType_Unregister(api, refresh);
    _PyExtensibleType_Unlock(api);
    if (status < 0) PyErr_Clear();              /* may run any code */
    _PyExtensibleType_RefreshDiscard(api, refresh);
    return 0;
}

/* How many entries a table can grow by if `base` becomes a base. */
_PyCustomSlots_UNUSED static Py_ssize_t
_PyExtensibleType_BoundOfBase(_PyExtensibleType_API *api, PyTypeObject *base)
{
    PyObject *tuple = _PyExtensibleType_FetchMro(api, base);
    _PyExtensibleType_Mro mro;
    Py_ssize_t bound;

    if (tuple == NULL) return 0;
    _PyExtensibleType_Lock(api);
    mro = _PyExtensibleType_MroOfTuple(NULL, tuple);    /* its own slots count, too */
    bound = _PyExtensibleType_MergeBound(0, &mro);
    _PyExtensibleType_Unlock(api);
    Py_DECREF(tuple);
    return bound;
}

/* A class that would get a base with C fields has no memory for them unless its metaclass
   has them, too; CPython does not look at metaclasses here.  -1 with a TypeError. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CheckMemory(_PyExtensibleType_API *api, PyTypeObject *type,
                              PyTypeObject *base)
{
    PyObject *mro = _PyExtensibleType_FetchMro(api, base);
    Py_ssize_t i, n = mro != NULL ? PyTuple_GET_SIZE(mro) : 0;
    int status = -1;
    for (i = 0; i < n; i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i), *m;
        const _PyExtensibleType_Layer *layer;
        const _PyExtensibleType_API *other;
        if (!PyType_Check((PyObject *)item) || PyType_IsSubtype(Py_TYPE(type), Py_TYPE(item))
                || (other = _PyExtensibleType_APIOf(Py_TYPE(item))) == NULL) continue;
        if (other != api) {
            PyErr_Format(PyExc_TypeError,
                         "__bases__ assignment: '%.200s' is an extensible type of another "
                         "interpreter; import its module in the main interpreter only",
                         item->tp_name);
            goto done;
        }
        m = Py_TYPE(item);
        while ((layer = _PyExtensibleType_NextLayer(api, &m))) {
            if (layer->size == 0 || PyType_IsSubtype(Py_TYPE(type), layer->metaclass)) continue;
            PyErr_Format(PyExc_TypeError,
                         "__bases__ assignment: '%.200s' has the C fields of metaclass "
                         "'%.200s', for which the class '%.200s' (metaclass '%.200s') has no "
                         "memory; make the class anew with that base",
                         item->tp_name, layer->metaclass->tp_name, type->tp_name,
                         Py_TYPE(type)->tp_name);
            goto done;
        }
    }
    status = 0;
done:
    Py_XDECREF(mro);
    return status;
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
        if (_PyExtensibleType_HasLayout(api, type)) {
            PyErr_Format(PyExc_TypeError,
                         "__bases__ assignment: found '%.200s', whose instances have attributes "
                         "in C that those of its base '%.200s' have not, below providers that "
                         "share a layout because a class derives from several of them; make the "
                         "class anew with those bases", type->tp_name,
                         _PyExtensibleType_BaseOf(api, type)->tp_name);
            return -1;
        }
        for (i = 0; i < PyTuple_GET_SIZE(value); i++) {
            PyObject *base = PyTuple_GET_ITEM(value, i);
            if (PyType_Check(base)) {
                if (_PyExtensibleType_CheckMemory(api, type, (PyTypeObject *)base) < 0) {
                    return -1;
                }
                more += _PyExtensibleType_BoundOfBase(api, (PyTypeObject *)base);
            }
        }
        if (_PyExtensibleType_RefreshPrepare(api, type, NULL, -1, more, &refresh) < 0) {
            return -1;
        }
    }
    former = _PyExtensibleType_FetchBases(api, type);
    status = Py_TYPE(descriptor)->tp_descr_set(descriptor, self, value);
    if (refresh.top != NULL && (status < 0
                                || _PyExtensibleType_RefreshCommit(api, &refresh, 0) < 0)) {
        PyObject *error, *text, *traceback;
        PyErr_Fetch(&error, &text, &traceback);
        /* Bases that were accepted before.  Should that fail now, they are the new ones, and
           fields whose values cannot be copied are stale, but valid. */
        if (status == 0 && Py_TYPE(descriptor)->tp_descr_set(descriptor, self, former) < 0) {
            PyErr_Clear();
        }
        /* Others may have gone by MROs that were changed and changed back: rule 4. */
        (void)_PyExtensibleType_RefreshCommit(api, &refresh, 1);
        PyErr_Restore(error, text, traceback);
        status = -1;
    }
    Py_XDECREF(former);
    return status;
}

#endif /* Py_EXTENSIBLETYPE_BASES_H */
