/* SPDX-License-Identifier: MIT
 *
 * runtime/change.c - what was inherited follows when classes change.
 *
 * `C.__bases__ = ...` changes the MRO of C and of all its subclasses; declaring slots
 * for C changes their tables.  Both go the same way, in two steps so that a failure
 * changes nothing: prepare allocates a record for every class concerned, large enough
 * for whatever it may inherit; commit merges,
 * publishes and copies, and cannot fail.  What else may happen in between, and why the
 * tables are right in the end: change.h.
 */
#include "runtime/change.h"

#include "runtime/fields.h"
#include "runtime/guard.h"
#include "runtime/late.h"
#include "runtime/layers.h"
#include "runtime/layouts.h"
#include "runtime/override_tables.h"
#include "runtime/overriding.h"
#include "runtime/refresh.h"
#include "runtime/resolve.h"
#include "runtime/sidecar.h"
#include "runtime/slots.h"
#include "runtime/state.h"
#include "runtime/subclasses.h"

/* Keeps the present bases and MRO of a type that keeps none.  0, or -1 with a MemoryError. */
static int
_PyExtensibleType_Keep(_PyExtensibleType_API *api, PyTypeObject *type, PyObject *mro)
{
    _PyExtensibleType_Sidecar *made, *sidecar;
    PyObject *bases = _PyExtensibleType_FetchBases(api, type);
    PyObject *both = PyTuple_Pack(2, mro, bases != NULL ? bases : Py_None);

    Py_XDECREF(bases);
    if (both == NULL) return -1;
    made = (_PyExtensibleType_Sidecar *)PyMem_RawCalloc(1, sizeof(*made));
    if (made == NULL) {
        Py_DECREF(both);
        PyErr_NoMemory();
        return -1;
    }
    _PyExtensibleType_Lock(api);
    if (_PyExtensibleType_Kept(api, type) == NULL) {
        sidecar = _PyExtensibleType_SidecarOf(type);
        if (sidecar == NULL) {
            sidecar = made;
            made = NULL;
        }
        sidecar->held = both;
        both = NULL;
        _PyExtensibleType_SetSidecar(type, sidecar);
    }
    _PyExtensibleType_Unlock(api);
    PyMem_RawFree(made);
    Py_XDECREF(both);
    return 0;
}

/* What a type keeps for readers, a tuple; borrowed, NULL if there is nothing.  Under the lock, or
   in tp_traverse: there the collector has stopped all other threads, none of them while it holds
   the lock.  (Waiting for the lock there could deadlock: PyMutex may hand the lock to a thread that
   has waited long, and that thread cannot run until the collector is done.) */
_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_Kept(const _PyExtensibleType_API *api, PyTypeObject *type)
{
    const _PyExtensibleType_Sidecar *sidecar
        = _PyExtensibleType_IsReady(type) ? _PyExtensibleType_SidecarOf(type) : NULL;
    (void)api;
    return sidecar != NULL && sidecar->when == 0 ? (PyObject *)sidecar->held : NULL;
}

/* Takes that away from `type`: the caller owns the reference.  NULL if there is nothing. */
_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_TakeKept(_PyExtensibleType_API *api, PyTypeObject *type)
{
    PyObject *kept;
    if (!_PyExtensibleType_IsReady(type) || _PyExtensibleType_SidecarOf(type) == NULL) return NULL;
    _PyExtensibleType_Lock(api);
    if ((kept = _PyExtensibleType_Kept(api, type)) != NULL) {
        _PyExtensibleType_SidecarOf(type)->held = NULL;
    }
    _PyExtensibleType_Unlock(api);
    return kept;
}

/* Drops the references that `n` entries hold, and frees them. */
static void
_PyExtensibleType_FreePending(_PyExtensibleType_Pending *pending, Py_ssize_t n)
{
    Py_ssize_t i;
    for (i = 0; i < n; i++) {
        _PyExtensibleType_RecordDecref(pending[i].record);
        _PyExtensibleType_FreeOverrides(pending[i].plan);
        Py_XDECREF(pending[i].mro);
        Py_XDECREF((PyObject *)pending[i].type);
    }
    PyMem_RawFree(pending);
}

/* Ends a refresh in any state; afterwards it is as REFRESH_INIT left it. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_RefreshDiscard(_PyExtensibleType_API *api,
                                 _PyExtensibleType_Refresh *refresh)
{
    _PyExtensibleType_Setting *settings;
    _PyExtensibleType_Lock(api);
    _PyExtensibleType_LeaveRefresh(api, refresh);
    settings = _PyExtensibleType_TakeLimbo(api);
    _PyExtensibleType_Unlock(api);
    _PyExtensibleType_FreeSettings(settings);
    _PyExtensibleType_FreePending(refresh->pending, refresh->count);
    _PyExtensibleType_FreePending(refresh->late, refresh->late_count);
    PyMem_RawFree(refresh->scratch);
    _PyExtensibleType_EndFieldWork(&refresh->work);
    memset(refresh, 0, sizeof(*refresh));
}

/* Prepares one class, if it has a table.  `more`: how many entries new bases or new own slots of
   the refresh's top may add.  0, or -1 with an exception. */
static int
_PyExtensibleType_PrepareOne(_PyExtensibleType_API *api, PyTypeObject *type,
                             Py_ssize_t more, _PyExtensibleType_Refresh *refresh)
{
    _PyExtensibleType_Pending *entry = &refresh->pending[refresh->count];
    _PyExtensibleType_Record *old;
    _PyExtensibleType_Mro mro;
    const PyCustomSlot *own;
    Py_ssize_t own_count, capacity;
    int keeps;

    if (_PyExtensibleType_APIOf(Py_TYPE(type)) != api) return 0;
    if (_PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (!_PyExtensibleType_IsReady(type)) return 0;
    if (!(entry->mro = _PyExtensibleType_FetchMro(api, type))) return 0;
    Py_INCREF((PyObject *)type);
    entry->type = type;
    refresh->count++;

    _PyExtensibleType_Lock(api);
    keeps = _PyExtensibleType_Kept(api, type) != NULL;
    own_count = _PyExtensibleType_OwnAfter(api, refresh, type, &own);
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
    return !keeps && refresh->own_count == _PyExtensibleType_BASES
           ? _PyExtensibleType_Keep(api, type, entry->mro) : 0;
}

/* Enters the refresh and allocates for `top` and its subclasses.  `own`/`own_count`:
   the new own slots of `top`, own_count BASES or ATTRIBUTES if they stay; to be left alone
   until the commit.  `more`: entries that new bases may add.  0, or -1 with an exception and
   nothing to discard. */
_PyExtensibleType_PRIVATE int
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
    refresh->collected = _PyCustomSlots_LOAD(uintptr_t, &api->state->generation);
    _PyExtensibleType_EnterRefresh(api, refresh);       /* before the classes are collected */
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

/* Takes a record out of the chain behind `head`, one that has the same entries and own slots as
   `wanted` and may replace `head`; NULL if there is none.  Thanks to this, a program that
   switches bases back and forth does not accumulate tables. */
static _PyExtensibleType_Record *
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
                && memcmp(_PyExtensibleType_DeclaredIn(record),
                          _PyExtensibleType_DeclaredIn(wanted),
                          sizeof(PyCustomSlot) * (size_t)wanted->declared.own_count) == 0) {
            *link = record->retired;
            record->retired = NULL;
            return record;
        }
    }
    return NULL;
}

/* Adds the classes that came below `top` since its subclasses were collected.  If memory runs
   out, a class keeps the table it has. */
static void
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

/* Fetches the MRO of a class, and plans which functions it overrides; without memory for that,
   the entry is marked as unplanned. */
static void
_PyExtensibleType_LookAgain(_PyExtensibleType_API *api, const _PyExtensibleType_Refresh *refresh,
                            _PyExtensibleType_Pending *entry)
{
    PyObject *mro = _PyExtensibleType_FetchMro(api, entry->type);
    if (mro != NULL) Py_XSETREF(entry->mro, mro);
    _PyExtensibleType_FreeOverrides(entry->plan);
    entry->plan = NULL;
    entry->unplanned = 0;
    if (entry->mro != NULL && (_PyCustomSlots_LOAD(uintptr_t, api->state->overridable)
                               || _PyExtensibleType_HaveInterface(refresh->own,
                                                                  refresh->own_count))) {
        entry->unplanned = _PyExtensibleType_PlanOverrides(api, entry->type, entry->mro, refresh,
                                                           &entry->plan) < 0;
        if (entry->unplanned) PyErr_Clear();
    }
}

/* Takes over the classes that were reported late, and fetches the MRO of every class.  Returns
   with the lock held, and nothing missed since. */
static void
_PyExtensibleType_LockForCommit(_PyExtensibleType_API *api,
                                _PyExtensibleType_Refresh *refresh)
{
    uintptr_t generation;
    Py_ssize_t i, late_count;

    if (refresh->collected != _PyCustomSlots_LOAD(uintptr_t, &api->state->generation)) {
        _PyExtensibleType_CollectAgain(api, refresh);
    }
    for (;;) {
        _PyExtensibleType_Pending *late, *all;
        _PyExtensibleType_Lock(api);
        generation = _PyCustomSlots_LOAD(uintptr_t, &api->state->generation);
        late = refresh->late;
        late_count = refresh->late_count;
        refresh->late = NULL;
        refresh->late_count = refresh->late_room = 0;
        _PyExtensibleType_Unlock(api);
        late_count = _PyExtensibleType_OnlyNew(refresh, late, late_count);
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
            _PyExtensibleType_LookAgain(api, refresh, &refresh->pending[i]);
        }
        _PyExtensibleType_Lock(api);
        if (generation == _PyCustomSlots_LOAD(uintptr_t, &api->state->generation)
                && refresh->late_count == 0) return;
        _PyExtensibleType_Unlock(api);
    }
}

/* Makes entry->record and refresh->scratch large enough, and copies the own slots into the
   record.  `extra`: entries beyond the bound (MergeBound).  Memory is allocated only if other
   threads changed the same classes meanwhile.  0, or -1, without an exception, if there is no
   memory. */
static int
_PyExtensibleType_FitRecord(_PyExtensibleType_API *api, _PyExtensibleType_Refresh *refresh,
                            _PyExtensibleType_Pending *entry,
                            const _PyExtensibleType_Mro *mro, Py_ssize_t extra)
{
    _PyExtensibleType_Record *old = _PyExtensibleType_RecordOf(entry->type);
    const PyCustomSlot *own;
    const Py_ssize_t own_count = _PyExtensibleType_OwnAfter(api, refresh, entry->type, &own);
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
    _PyExtensibleType_SetOwn(entry->record, own);
    return 0;
}

/* The value that a class with linearisation `mro` starts with after the commit.  (The class that
   it comes from may itself inherit it, and get another value by this commit: copies are made
   before that.) */
_PyExtensibleType_PRIVATE const char *
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
static int
_PyExtensibleType_CopyForRefresh(_PyExtensibleType_API *api, _PyExtensibleType_Refresh *refresh)
{
    Py_ssize_t i;
    _PyExtensibleType_ASSERT_LOCKED(api);
    for (i = 0; api->state->hooked != 0 && i < refresh->count; i++) {
        PyTypeObject *type = refresh->pending[i].type;
        _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
        _PyExtensibleType_Mro mro;
        _PyExtensibleType_FieldEntry *field;
        if (refresh->own_count != _PyExtensibleType_BASES || refresh->pending[i].mro == NULL) continue;
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

/* Gives a type, in the fields that are not its own, what it inherits now, or the default if it no
   longer inherits from anybody.  Under the lock.  Cannot fail. */
static void
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
static void
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
    if (refresh->own_count == _PyExtensibleType_BASES) {         /* and so do fields */
        _PyExtensibleType_FollowFields(api, entry, &mro, &refresh->work);
    }
    if (api->state->refreshes != NULL) {
        (void)_PyExtensibleType_ReportLate(api, type, entry->mro, refresh);
    }
    primary = _PyExtensibleType_PrimaryRecord(_PyExtensibleType_BaseIn(api, type, entry->mro),
                                              &mro, &ignored);
    if (_PyExtensibleType_FitRecord(api, refresh, entry, &mro, 0) < 0) return;
    if (_PyExtensibleType_MergeInto(entry->record, refresh->scratch, primary, &mro) < 0
            && (_PyExtensibleType_FitRecord(api, refresh, entry, &mro,
                                            primary != NULL ? primary->count : 0) < 0
                || _PyExtensibleType_MergeInto(entry->record, refresh->scratch, primary,
                                               &mro) < 0)) {
        return;
    }
    record = entry->record;
    if (entry->unplanned) _PyExtensibleType_OverrideAll(type, record);
    else (void)_PyExtensibleType_ApplyOverrides(type, entry->plan, record, 1);
    _PyExtensibleType_NoteMixins(api, type, entry->mro, entry->plan);
    if (old == NULL && record->count == 0) return;
    /* Nothing changed?  (The old record may be shared with a base, which declared its own slots
       in it.) */
    if (old != NULL && _PyExtensibleType_RecordEquals(old, record)
            && _PyExtensibleType_OwnSlots(type, &own) == record->declared.own_count
            && (record->declared.own_count == 0
                || memcmp(own, _PyExtensibleType_DeclaredIn(record),
                          sizeof(PyCustomSlot) * (size_t)record->declared.own_count) == 0)) {
        return;
    }
    revived = _PyExtensibleType_ReviveRetired(old, record);
    if (revived == NULL) {
        revived = record;
        entry->record = NULL;
    }
    revived->retired = old;                     /* the type's reference moves */
    _PyExtensibleType_SetRecord(api, type, revived);
}

#if PY_VERSION_HEX < 0x030C0000
/* A cpdef method of Cython remembers that a class does not override it for as long as the class's
   own dict has the same version.  What changed may have been the dict of a base: so the dict gets
   a new version, by an entry that changes and changes back, which needs no memory. */
static void
_PyExtensibleType_NewVersion(PyTypeObject *type)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (type->tp_dict == NULL || !PyDict_Next(type->tp_dict, &at, &key, &value)) return;
    Py_INCREF(key);
    Py_INCREF(value);
    if (PyDict_SetItem(type->tp_dict, key, (PyObject *)type) < 0
            || PyDict_SetItem(type->tp_dict, key, value) < 0) PyErr_Clear();
    Py_DECREF(value);
    Py_DECREF(key);
}
#endif

/* Merges and publishes all classes, bases first, and ends the refresh.  0, or -1 with what the
   copy hook of a field raised; without such fields it cannot fail.  After -1 nothing has changed
   and the refresh goes on, to be committed again or discarded.  The `last` commit does not fail:
   it leaves alone what could not be copied, and sets no exception. */
_PyExtensibleType_PRIVATE int
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
    _PyCustomSlots_STORE(uintptr_t, &api->state->generation, api->state->generation + 1);
    _PyExtensibleType_LeaveRefresh(api, refresh);
    _PyExtensibleType_Unlock(api);
    if (status < 0) PyErr_Clear();              /* it may run any code when it is dropped */
#if PY_VERSION_HEX < 0x030C0000
    for (i = 0; i < refresh->count; i++) {
        const _PyExtensibleType_Pending *entry = &refresh->pending[i];
        if (entry->plan != NULL || entry->unplanned) _PyExtensibleType_NewVersion(entry->type);
    }
#endif
    _PyExtensibleType_RefreshDiscard(api, refresh);
    return 0;
}
