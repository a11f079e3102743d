/* SPDX-License-Identifier: MIT
 *
 * runtime/change.c - classes get slots of their own, and what was inherited follows when classes change.
 *
 * `C.__bases__ = ...` changes the MRO of C and of all its subclasses; declaring slots
 * for C changes their tables; and fields of subclasses follow those that are set.  All three go
 * the same way: the classes that follow are collected and looked at; then, under the lock,
 * everything is computed, and published.  What else may happen in between, and why everything is
 * right in the end: change.h.
 */
#include "runtime/change.h"
#include "runtime/arguments.h"
#include "runtime/prototypes.h"
#include "runtime/override_tables.h"
#include "runtime/overriding.h"

/* Keeps the present bases and MRO of a finished type, as long as it lives, if it has an MRO and keeps none yet: a
   reader that found the type unfinished may be about to follow them (look_ups.c).  0, or -1 with a MemoryError. */
static int
_Pycs_Keep(_Pycs_API *api, PyTypeObject *type, PyObject *mro)
{
    _Pycs_Sidecar *made, *sidecar;
    PyObject *bases, *both;
    int keeps;

    _Pycs_Lock(api);
    sidecar = _Pycs_SidecarOf(type);
    keeps = mro == NULL || (sidecar != NULL && sidecar->kept != NULL);
    _Pycs_Unlock(api);
    if (keeps) return 0;
    bases = _Pycs_FetchBases(api, type);
    both = PyTuple_Pack(2, mro, bases != NULL ? bases : Py_None);
    Py_XDECREF(bases);
    if (both == NULL) return -1;
    if (!(made = (_Pycs_Sidecar *)_Pycs_NewBlock(sizeof(*made)))) {
        Py_DECREF(both);
        return -1;
    }
    _Pycs_Lock(api);
    if ((sidecar = _Pycs_SidecarOf(type)) == NULL) {
        sidecar = made;
        made = NULL;
        _Pycs_STORE(void *, &_Pycs_CAST(type)->etp_extension, (void *)sidecar);
    }
    if (sidecar->kept == NULL) {
        sidecar->kept = both;
        both = NULL;
    }
    _Pycs_Unlock(api);
    PyMem_RawFree(made);
    Py_XDECREF(both);
    return 0;
}

/* ------------------------------------------------------------ classes that follow -- */

#ifdef _Py_TPFLAGS_STATIC_BUILTIN
#  define _Pycs_STATIC_BUILTIN _Py_TPFLAGS_STATIC_BUILTIN
#else
#  define _Pycs_STATIC_BUILTIN ((unsigned long)1 << 1)   /* private, from 3.12 on */
#endif

/* The direct subclasses, as type.__subclasses__ finds them (type's own: a metaclass may override
   it).  NULL, with or without an exception, if there are none.  Up to 3.15, type.__subclasses__
   of free-threaded builds walks the dict of subclasses without the lock under which classes are
   added and removed, and may miss one, or worse; so the dict's values, weak references, are taken
   in one call that takes that lock.  (One thing cannot be helped outside CPython: it frees the
   dict when the last subclass dies, even if another thread is about to read it or to add a
   class.  If its memory is another dict by then, the type no longer has it.) */
static PyObject *
_Pycs_DirectSubclasses(_Pycs_API *api, PyTypeObject *type)
{
#ifdef Py_GIL_DISABLED
    PyObject *dict = (PyObject *)_Pycs_LOAD(void *, &type->tp_subclasses);
    PyObject *references, *result = NULL, *subclass;
    Py_ssize_t i;
    /* CPython keeps the subclasses of its own static types elsewhere, out of our reach. */
    if (_Pycs_FLAGS(type) & _Pycs_STATIC_BUILTIN) {
        return PyObject_CallFunctionObjArgs(api->state->type_subclasses, (PyObject *)type, NULL);
    }
    if (dict == NULL || !(references = PyDict_Values(dict))) return NULL;
    if (_Pycs_LOAD(void *, &type->tp_subclasses) != (void *)dict) {
        Py_DECREF(references);
        return _Pycs_DirectSubclasses(api, type);
    }
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
    return PyObject_CallFunctionObjArgs(api->state->type_subclasses, (PyObject *)type, NULL);
#endif
}

/* Appends a type to a list unless `seen` has it.  0, or -1 with an exception. */
static int
_Pycs_AppendOnce(PyObject *all, PyObject *seen, PyObject *type)
{
    /* By address: a metaclass may define __eq__ and __hash__. */
    PyObject *address = PyLong_FromVoidPtr(type);
    int status = address != NULL ? PyDict_Contains(seen, address) : -1;
    if (status == 0) status = PyDict_SetItem(seen, address, Py_None) < 0 || PyList_Append(all, type) < 0 ? -1 : 0;
    Py_XDECREF(address);
    return status < 0 ? -1 : 0;
}

/* A list of the types of `n` entries, of `type`, and of all their subclasses, each once; NULL with an exception. */
static PyObject *
_Pycs_CollectBelow(_Pycs_API *api, PyTypeObject *type, const _Pycs_Pending *entries, Py_ssize_t n)
{
    PyObject *all = PyList_New(0), *seen = PyDict_New(), *direct = NULL;
    Py_ssize_t i, k;
    int status = all != NULL && seen != NULL ? 0 : -1;

    for (i = 0; status == 0 && i < n; i++) status = _Pycs_AppendOnce(all, seen, (PyObject *)entries[i].type);
    if (status == 0) status = _Pycs_AppendOnce(all, seen, (PyObject *)type);
    for (i = 0; status == 0 && i < PyList_GET_SIZE(all); i++) {
        PyTypeObject *parent = (PyTypeObject *)PyList_GET_ITEM(all, i);
        if (_Pycs_LOAD(void *, &parent->tp_subclasses) == NULL) continue;
        direct = _Pycs_DirectSubclasses(api, parent);
        if (direct == NULL) status = PyErr_Occurred() ? -1 : 0;
        for (k = 0; direct != NULL && status == 0 && k < PyList_GET_SIZE(direct); k++) {
            status = _Pycs_AppendOnce(all, seen, PyList_GET_ITEM(direct, k));
        }
        Py_CLEAR(direct);
    }
    if (status < 0) Py_CLEAR(all);
    Py_XDECREF(seen);
    return all;
}

/* A list of `type` and all its subclasses, each once; NULL with an exception. */
_Pycs_PRIVATE PyObject *
_Pycs_CollectSubclasses(_Pycs_API *api, PyTypeObject *type)
{
    return _Pycs_CollectBelow(api, type, NULL, 0);
}

/* Puts a refresh into the list, before the classes are collected; from now on it is to be discarded.  `own`,
   `own_count`: the new own slots of `top`, to be left alone until the commit; or what changes instead. */
_Pycs_PRIVATE void
_Pycs_RefreshEnter(_Pycs_API *api, _Pycs_Refresh *refresh, PyTypeObject *top,
                   const PyCustomSlot *own, Py_ssize_t own_count)
{
    memset(refresh, 0, sizeof(*refresh));
    refresh->change.top = top;
    refresh->change.own = own;
    refresh->change.own_count = own_count;
    _Pycs_Lock(api);
    refresh->next = api->state->refreshes;
    api->state->refreshes = refresh;
    refresh->generation = api->state->generation - 1;           /* nothing is collected yet */
    _Pycs_Unlock(api);
}

/* Drops the references that `n` entries hold, and frees them. */
static void
_Pycs_FreePending(_Pycs_Pending *pending, Py_ssize_t n)
{
    Py_ssize_t i;
    for (i = 0; i < n; i++) {
        if (pending[i].record != NULL) _Pycs_RecordDecref(pending[i].record);
        if (pending[i].plan != NULL) _Pycs_FreeOverrides(pending[i].plan);
        _Pycs_FreeValues(&pending[i].values);
        Py_XDECREF(pending[i].mro);
        Py_DECREF((PyObject *)pending[i].type);
    }
    PyMem_RawFree(pending);
}

/* Ends a refresh in any state: takes it out of the list, and drops what it holds. */
_Pycs_PRIVATE void
_Pycs_RefreshDiscard(_Pycs_API *api, _Pycs_Refresh *refresh)
{
    _Pycs_Refresh **link = &api->state->refreshes;
    _Pycs_Lock(api);
    while (*link != refresh) link = &(*link)->next;
    *link = refresh->next;
    _Pycs_Unlock(api);
    _Pycs_FreePending(refresh->pending, refresh->count);
    while (refresh->late_count > 0) Py_DECREF((PyObject *)refresh->late[--refresh->late_count]);
    PyMem_RawFree(refresh->late);
}

/* Adds the top, and the subclasses of all that are listed, finished: rule 2 of change.h.  0, or -1 with an exception;
   what was listed stays in any case. */
static int
_Pycs_Collect(_Pycs_API *api, _Pycs_Refresh *refresh)
{
    /* The new list begins with the classes that are listed already. */
    PyObject *types = _Pycs_CollectBelow(api, refresh->change.top, refresh->pending, refresh->count);
    const Py_ssize_t n = types != NULL ? PyList_GET_SIZE(types) : 0;
    void *pending;
    Py_ssize_t i = refresh->count;
    int status = types != NULL ? 0 : -1;

    if (status == 0 && (pending = PyMem_RawRealloc(refresh->pending, (size_t)n * sizeof(_Pycs_Pending))) == NULL) {
        PyErr_NoMemory();
        status = -1;
    }
    if (status == 0) refresh->pending = (_Pycs_Pending *)pending;
    for (; status == 0 && i < n; i++) {
        PyTypeObject *type = (PyTypeObject *)PyList_GET_ITEM(types, i);
        if (!_Pycs_HasTable(type)
                && (!PyType_IsSubtype(Py_TYPE(type), api->metaclass)
                    || (status = _Pycs_FinishType(api, type)) < 0 || !_Pycs_HasTable(type))) continue;
        memset(&refresh->pending[refresh->count], 0, sizeof(*refresh->pending));
        refresh->pending[refresh->count++].type = (PyTypeObject *)Py_NewRef((PyObject *)type);
    }
    Py_XDECREF(types);
    return status;
}

/* Adds the classes of `late`, which is freed, unless they are listed.  0, or -1 with a MemoryError. */
static int
_Pycs_AddLate(_Pycs_Refresh *refresh, PyTypeObject **late, Py_ssize_t n)
{
    _Pycs_Pending *all = (_Pycs_Pending *)PyMem_RawRealloc(
        refresh->pending, (size_t)(refresh->count + n + 1) * sizeof(*all));
    Py_ssize_t i, k;

    if (all != NULL) refresh->pending = all;
    else PyErr_NoMemory();
    for (i = 0; i < n; i++) {
        for (k = 0; all != NULL && k < refresh->count && all[k].type != late[i]; k++) { }
        if (all == NULL || k < refresh->count) {
            Py_DECREF((PyObject *)late[i]);
            continue;
        }
        memset(&all[k], 0, sizeof(all[k]));
        all[k].type = late[i];
        refresh->count++;
    }
    PyMem_RawFree(late);
    return all != NULL ? 0 : -1;
}

/* Fetches the MRO of a class, and plans, if need be, which functions it overrides; without memory
   for that, the entry is marked as unplanned. */
static void
_Pycs_LookAt(_Pycs_API *api, const _Pycs_Refresh *refresh, _Pycs_Pending *entry, int plans)
{
    PyObject *mro = _Pycs_FetchMro(api, entry->type);
    if (mro != NULL) Py_XSETREF(entry->mro, mro);
    if (entry->plan != NULL) _Pycs_FreeOverrides(entry->plan);
    entry->plan = NULL;
    entry->unplanned = 0;
    if (entry->mro != NULL && plans) {
        entry->unplanned = _Pycs_PlanOverrides(api, entry->type, entry->mro, &refresh->change, &entry->plan) < 0;
        if (entry->unplanned) PyErr_Clear();
    }
}

/* A base has a shorter MRO than a class that derives from it.  Types whose MRO could not be
   fetched come first; nothing is done for them. */
static int
_Pycs_ByDepth(const void *a, const void *b)
{
    const PyObject *mro_of_a = ((const _Pycs_Pending *)a)->mro;
    const PyObject *mro_of_b = ((const _Pycs_Pending *)b)->mro;
    const Py_ssize_t x = mro_of_a != NULL ? PyTuple_GET_SIZE(mro_of_a) : 0;
    const Py_ssize_t y = mro_of_b != NULL ? PyTuple_GET_SIZE(mro_of_b) : 0;
    return (x > y) - (x < y);
}

/* Takes the lock when nothing has changed since the classes that follow were collected and looked
   at; they are sorted, bases first.  `changed`: type's setter has run.  With `last` it cannot fail: without
   memory, it goes by the classes that are known.  0, or -1 with an exception and no lock. */
_Pycs_PRIVATE int
_Pycs_LockAsLooked(_Pycs_API *api, _Pycs_Refresh *refresh, int changed, int last)
{
    const int plans = ((changed || refresh->change.own_count >= 0) && _Pycs_LOAD(uintptr_t, api->state->overridable))
        || (refresh->change.own_count > 0 && _Pycs_HaveInterface(refresh->change.own, refresh->change.own_count));
    _Pycs_Lock(api);
    while (refresh->generation != api->state->generation || refresh->late_count > 0
            || refresh->looked < refresh->count) {
        PyTypeObject **late = refresh->late;
        const Py_ssize_t late_count = refresh->late_count;
        int status = 0;
        if (refresh->generation != api->state->generation) refresh->looked = -1;
        refresh->generation = api->state->generation;
        refresh->late = NULL;
        refresh->late_count = refresh->late_room = 0;
        _Pycs_Unlock(api);
        if (late_count > 0) status = _Pycs_AddLate(refresh, late, late_count);
        if (refresh->looked < 0) {
            if (status == 0) status = _Pycs_Collect(api, refresh);      /* below the late ones, too */
            refresh->looked = 0;
        }
        if (status < 0) {
            if (!last) return -1;
            PyErr_Clear();
        }
        for (; refresh->looked < refresh->count; refresh->looked++) {
            _Pycs_LookAt(api, refresh, &refresh->pending[refresh->looked], plans);
        }
        _Pycs_Lock(api);
    }
    if (refresh->count > 1) {
        qsort(refresh->pending, (size_t)refresh->count, sizeof(*refresh->pending), _Pycs_ByDepth);
    }
    return 0;
}

/* --------------------------------------------------------------------- the change -- */

/* Makes entry->record large enough for what the class may inherit, `more` entries beyond the bound
   (MergeBound) included, and copies the own slots into it.  Under the lock.  0, or -1, without an
   exception, if there is no memory. */
static int
_Pycs_Fit(const _Pycs_API *api, const _Pycs_Refresh *refresh, _Pycs_Pending *entry, Py_ssize_t more)
{
    const _Pycs_Record *old = _Pycs_RecordOf(entry->type);
    const PyCustomSlot *own;
    const Py_ssize_t own_count = _Pycs_OwnSlots(entry->type, &refresh->change, &own);
    Py_ssize_t needed;
    _Pycs_ASSERT_LOCKED(api);
    (void)api;

    if (entry->mro == NULL) return 0;
    needed = _Pycs_MergeBound(entry->type, own_count, entry->mro) + more;
    if (refresh->change.own_count > 0) needed += refresh->change.own_count;
    if (old != NULL && old->capacity > needed) needed = old->capacity;
    if (entry->record == NULL || entry->record->own_count != own_count
            || entry->record->capacity < needed) {
        _Pycs_RecordDecref(entry->record);
        entry->record = _Pycs_RecordNew(entry->type, needed, NULL, own_count);
        if (entry->record == NULL) return -1;
    }
    _Pycs_SetOwn(entry->record, own);
    return 0;
}

/* Enters the refresh and allocates for `top` and its subclasses, before type's setter changes what `what` says:
   _Pycs_CHANGED_BASES or _Pycs_ATTRIBUTES.  `more`: entries that new bases may add.  0, or -1 with an exception and
   nothing to discard. */
_Pycs_PRIVATE int
_Pycs_RefreshPrepare(_Pycs_API *api, _Pycs_Refresh *refresh, PyTypeObject *top, Py_ssize_t what, Py_ssize_t more)
{
    Py_ssize_t i;
    int status;

    _Pycs_RefreshEnter(api, refresh, top, NULL, what);
    status = _Pycs_LockAsLooked(api, refresh, 0, 0);
    if (status == 0) {
        for (i = 0; status == 0 && i < refresh->count; i++) {
            status = _Pycs_Fit(api, refresh, &refresh->pending[i], more);
        }
        _Pycs_Unlock(api);
        if (status < 0) PyErr_NoMemory();
    }
    for (i = 0; what == _Pycs_CHANGED_BASES && status == 0 && i < refresh->count; i++) {
        status = _Pycs_Keep(api, refresh->pending[i].type, refresh->pending[i].mro);
    }
    if (status < 0) _Pycs_RefreshDiscard(api, refresh);
    return status;
}

/* Takes a record out of the chain behind `head`, one that has the same entries and own slots as
   `wanted` and may replace `head`; NULL if there is none.  Thanks to this, a program that
   switches bases back and forth does not accumulate tables. */
static _Pycs_Record *
_Pycs_ReviveRetired(_Pycs_Record *head, const _Pycs_Record *wanted)
{
    _Pycs_Record **link = head != NULL ? &head->retired : NULL;
    for (; link != NULL && *link != NULL; link = &(*link)->retired) {
        _Pycs_Record *record = *link;
        if (_Pycs_LOAD(Py_ssize_t, &record->refcount) == 1
                && _Pycs_LOAD(PyTypeObject *, &record->owner) == wanted->owner
                && record->capacity >= head->capacity
                && record->own_count == wanted->own_count
                && _Pycs_RecordEquals(record, wanted)
                && memcmp(record->own, wanted->own, sizeof(PyCustomSlot) * (size_t)wanted->own_count) == 0) {
            *link = record->retired;
            record->retired = NULL;
            return record;
        }
    }
    return NULL;
}

/* Publishes a table of this type's own (a reference is stolen), or, if nothing changed, drops it.  Under the lock. */
static void
_Pycs_Publish(_Pycs_API *api, PyTypeObject *type, _Pycs_Record *record)
{
    _Pycs_Record *const old = _Pycs_RecordOf(type);
    const PyCustomSlot *own = NULL;
    const size_t size = sizeof(*own) * (size_t)record->own_count;
    _Pycs_Record *revived;
    _Pycs_ASSERT_LOCKED(api);
    /* (The old record may be shared with a base, which declared its own slots in it.) */
    const int same = old == NULL ? record->count == 0
                     : _Pycs_RecordEquals(old, record) && _Pycs_OwnSlots(type, NULL, &own) == record->own_count
                       && (size == 0 || memcmp(own, record->own, size) == 0);
    revived = same ? record : _Pycs_ReviveRetired(old, record);
    if (revived != NULL) _Pycs_RecordDecref(record);
    else revived = record;
    if (same) return;
    revived->retired = old;                     /* the type's reference moves */
    _Pycs_SetRecord(api, type, revived);
}

/* Merges and publishes one class.  Under the lock. */
static void
_Pycs_CommitOne(_Pycs_API *api, _Pycs_Refresh *refresh, _Pycs_Pending *entry)
{
    PyTypeObject *type = entry->type;
    _Pycs_Record *record, *primary;
    _Pycs_ASSERT_LOCKED(api);

    if (entry->mro == NULL || !_Pycs_HasTable(type)) return;
    _Pycs_PutValues(api, type, entry->values, 0);
    if (entry->record == NULL) return;
    primary = _Pycs_PrimaryRecord(type, entry->mro);
    if (_Pycs_MergeInto(entry->record, primary, entry->mro) < 0
            && (_Pycs_Fit(api, refresh, entry, primary != NULL ? primary->count : 0) < 0
                || _Pycs_MergeInto(entry->record, primary, entry->mro) < 0)) {
        return;
    }
    record = entry->record;
    if (entry->unplanned) _Pycs_OverrideAll(type, record);
    else if (entry->plan != NULL) {
        (void)_Pycs_ApplyOverrides(type, entry->plan, record, 1);
        _Pycs_NoteMixins(api, type, entry->mro, entry->plan);
    }
    entry->record = NULL;
    _Pycs_Publish(api, type, record);
}

#if PY_VERSION_HEX < 0x030C0000
/* A cpdef method of Cython remembers that a class does not override it for as long as the class's
   own dict has the same version.  The change may have been in the dict of a base: so the class's own
   dict gets a new version, by an entry that changes and changes back, which needs no memory. */
static void
_Pycs_NewVersion(PyTypeObject *type)
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

/* Reports the class whose bases were assigned to all other assignments that are under way: these may have stored an
   MRO in it that they computed before, when it was below their own class (change.h).  Under the lock.  0, or -1,
   without an exception, if there is no memory. */
static int
_Pycs_ReportMoved(_Pycs_API *api, const _Pycs_Refresh *refresh)
{
    _Pycs_Refresh *other;
    Py_ssize_t i;
    _Pycs_ASSERT_LOCKED(api);
    for (other = api->state->refreshes; other != NULL; other = other->next) {
        if (other == refresh || other->change.own_count != _Pycs_CHANGED_BASES) continue;
        for (i = 0; i < other->late_count && other->late[i] != refresh->change.top; i++) { }
        if (i == other->late_count && _Pycs_Report(other, refresh->change.top) < 0) return -1;
    }
    return 0;
}

/* Merges and publishes all classes, bases first, and ends the refresh.  0, or -1 with an exception:
   of a copy hook, or without memory for what other threads added in between, for copies or, if type's
   setter is not part of the change, for anything.  After -1 nothing has changed and the refresh goes
   on, to be committed again or discarded.  The `last` commit does not fail: it leaves alone what
   could not be copied or merged, and sets no exception. */
_Pycs_PRIVATE int
_Pycs_RefreshCommit(_Pycs_API *api, _Pycs_Refresh *refresh, int last)
{
    const int changed = refresh->change.own_count < 0;
    const _Pycs_FieldEntry *field;
    Py_ssize_t i;
    int status = 0;

    /* type's setter has changed an attribute, or MROs, also of classes that came meanwhile. */
    if (changed) refresh->looked = refresh->change.own_count == _Pycs_CHANGED_BASES ? -1 : 0;
    if (_Pycs_LockAsLooked(api, refresh, changed, last) < 0) return -1;
    if (refresh->change.own_count == _Pycs_CHANGED_BASES && _Pycs_ReportMoved(api, refresh) < 0) {
        PyErr_NoMemory();
        status = -1;
    }
    for (i = 0; (status == 0 || last) && i < refresh->count; i++) {
        _Pycs_Pending *entry = &refresh->pending[i];
        if (refresh->change.own_count == _Pycs_CHANGED_BASES && entry->mro != NULL) {
            /* The values that the class inherits by its new MRO. */
            _Pycs_EACH_FIELD(field, api, Py_TYPE(entry->type)) {
                if (_Pycs_InheritsField(api, entry->type, field)
                        && _Pycs_AddCopy(&entry->values, field, _Pycs_FieldAt(entry->type, field), _Pycs_FieldAt(
                            _Pycs_SourceOfField(api, NULL, entry->mro, field), field)) < 0) status = -1;
            }
        }
        if (_Pycs_Fit(api, refresh, entry, 0) < 0 && status == 0) {
            PyErr_NoMemory();
            status = -1;
        }
    }
    if (status < 0 && !last) {
        _Pycs_Unlock(api);
        for (i = 0; i < refresh->count; i++) _Pycs_FreeValues(&refresh->pending[i].values);
        return -1;
    }
    for (i = 0; i < refresh->count; i++) {
        _Pycs_CommitOne(api, refresh, &refresh->pending[i]);
    }
    _Pycs_STORE(uintptr_t, &api->state->generation, api->state->generation + 1);
    _Pycs_Unlock(api);
    if (status < 0) PyErr_Clear();              /* the exception may run any code when it is dropped */
#if PY_VERSION_HEX < 0x030C0000
    for (i = 0; i < refresh->count; i++) {
        const _Pycs_Pending *entry = &refresh->pending[i];
        if (entry->plan != NULL || entry->unplanned) _Pycs_NewVersion(entry->type);
    }
#endif
    _Pycs_RefreshDiscard(api, refresh);
    return 0;
}

/* -------------------------------------------------------------------- own slots -- */

/* Gives own slots (checked, at least one) to a class from which none derives and where no interface matters: rule 6 of
   change.h.  1 if it did; 0: it has to be done with a refresh; -1 with a MemoryError. */
static int
_Pycs_SetSlotsAlone(_Pycs_API *api, PyTypeObject *type, PyObject *mro, uintptr_t generation, const PyCustomSlot *own,
                    Py_ssize_t count)
{
    _Pycs_Record *old, *record = NULL;
    int status = 0;
    _Pycs_Lock(api);
    if (_Pycs_HasTable(type) && generation == api->state->generation
            && _Pycs_LOAD(void *, &type->tp_subclasses) == NULL && !_Pycs_LOAD(uintptr_t, api->state->overridable)) {
        old = _Pycs_RecordOf(type);
        status = _Pycs_MergeRecord(type, own, count, mro, &record);
        if (status == 0 && !record->watched && (old == NULL || old->capacity <= record->capacity)) {
            _Pycs_Publish(api, type, record);
            _Pycs_STORE(uintptr_t, &api->state->generation, generation + 1);
            record = NULL;
            status = 1;
        }
    }
    _Pycs_Unlock(api);
    _Pycs_RecordDecref(record);
    if (status < 0) PyErr_NoMemory();
    return status;
}

_Pycs_PRIVATE int
_Pycs_set_slots(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    uintptr_t generation;
    _Pycs_Refresh refresh;
    PyObject *mro = NULL;
    int status = -1;

    if ((type == NULL || Py_TYPE((PyObject *)type) == NULL || _Pycs_APIOf(Py_TYPE((PyObject *)type)) != api)
            && _Pycs_CheckClass("set_slots", type) < 0) return -1;
    if (api->state->interpreter != _Pycs_ThisInterpreter()) {
        return _Pycs_RefuseForeign(api, PyExc_TypeError, "the class", type);
    }
    generation = _Pycs_LOAD(uintptr_t, &api->state->generation);
    mro = _Pycs_FetchMro(api, type);
    if (_Pycs_APIOf(Py_TYPE(type)) != api || !_Pycs_HasMemory(type) || mro == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "slots cannot be given to '%.200s': found a type with metaclass "
                     "'%.200s'%s, expected a finished type whose metaclass derives from "
                     "%.200s", type->tp_name, Py_TYPE(type)->tp_name,
                     mro == NULL ? " that is not ready"
                     : _Pycs_HasMemory(type) ? "" : " that is static and was made without this library",
                     api->metaclass->tp_name);
    }
    else if (_Pycs_CheckOwn(type->tp_name, own, count) == 0) {
        status = count > 0 ? _Pycs_SetSlotsAlone(api, type, mro, generation, own, count) : 0;
        if (status == 0) {
            _Pycs_RefreshEnter(api, &refresh, type, own, count);
            if ((status = _Pycs_RefreshCommit(api, &refresh, 0)) < 0) _Pycs_RefreshDiscard(api, &refresh);
        }
    }
    Py_XDECREF(mro);
    return status < 0 ? -1 : 0;
}

_Pycs_PRIVATE int
_Pycs_publish(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    int taken;
    if (_Pycs_CheckClass("publish", type) < 0) return -1;
    if (_Pycs_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if ((taken = _Pycs_FinishWith(api, type, own, count)) < 0) return -1;
    return count > 0 && !taken ? _Pycs_set_slots(api, type, own, count) : 0;
}
