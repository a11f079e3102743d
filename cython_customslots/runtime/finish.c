/* SPDX-License-Identifier: MIT
 *
 * runtime/finish.c - the calls of metaclasses that a thread is in; a new class gets its fields, and
 * then its table: it is finished.
 *
 * tp_alloc fills the fields of a class from the bases that it was told of; the tp_mro of the class
 * may show others later.
 */
#include "runtime/finish.h"
#include "runtime/arguments.h"
#include "runtime/prototypes.h"
#include "runtime/overriding.h"

/* The call whose node `type` took; NULL if it took none. */
_Pycs_PRIVATE _Pycs_Handover *
_Pycs_HandoverTakenBy(_Pycs_API *api, const PyTypeObject *type)
{
    _Pycs_Handover *node = _Pycs_HAS_FIELDS(api, Py_TYPE(type)) ? api->state->thread()->handover : NULL;
    while (node != NULL && node->taken_by != type) node = node->below;
    return node;
}

/* Finishes the `bases` that are unfinished, so that a class can inherit from them. */
_Pycs_PRIVATE int
_Pycs_FinishAll(_Pycs_API *api, PyObject *bases)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        if (PyType_Check(base) && _Pycs_FinishType(api, (PyTypeObject *)base) < 0) return -1;
    }
    return 0;
}

/* For a class that tp_alloc did not see: before 3.12, a metaclass made in Python below one from
   PyType_FromSpec() has the generic allocator.  None of the five words is in such a class yet, and it
   gets what tp_alloc gives a class whose bases it does not know.  0; 1 if it is not such a class;
   or -1 with an exception and the class as it was. */
static int
_Pycs_Begin(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *metaclass = Py_TYPE(type);
    _Pycs_Birth birth = _Pycs_BIRTH_INIT;
    int status;

    if (!_Pycs_IsHeap(type) || _Pycs_APIOf(metaclass) != api
            || _Pycs_LOAD(uintptr_t, &_Pycs_CAST(type)->etp_check) != 0) return 1;
    birth.metaclass = metaclass;
    if ((status = _Pycs_BirthInherit(api, &birth, NULL)) == 0) {
        _Pycs_Lock(api);
        if (!_Pycs_IsFilled(type)) _Pycs_BirthFill(api, &birth, type, 0);       /* or another thread was faster */
        _Pycs_Unlock(api);
    }
    _Pycs_BirthEnd(&birth);
    if (status == 0) _Pycs_MendMetaclass(metaclass);  /* for the next one */
    return status;
}

/* What an unfinished class turns out to be. */
typedef struct {
    PyObject *bases, *mro;            /* counted: what it has now */
    int same, above;                  /* the MRO is the one that it was filled by; it is the MRO of its only base */
    _Pycs_Overrides *plan;          /* which functions it overrides; NULL: none */
} _Pycs_Finding;

/* Is the MRO of the class the class itself, and then the MRO of its only base? */
static int
_Pycs_HasMroOfBase(_Pycs_API *api, const PyTypeObject *type, const _Pycs_Finding *finding)
{
    PyTypeObject *const base = (PyTypeObject *)PyTuple_GET_ITEM(finding->bases, 0);
    PyObject *mro = PyTuple_GET_SIZE(finding->bases) == 1 ? _Pycs_FetchMro(api, base) : NULL;
    const int found = mro != NULL && _Pycs_IsMroOver(type, finding->mro, mro);
    (void)api;
    Py_XDECREF(mro);
    return found;
}

/* Looks at an unfinished class, again if anything changed in between.  1, with the lock held; 0:
   it is not ready yet, or finished by now; -1 with an exception. */
static int
_Pycs_LookAndLock(_Pycs_API *api, PyTypeObject *type, _Pycs_Finding *finding)
{
    const _Pycs_Handover *node;
    uintptr_t generation;

    for (;;) {
        generation = _Pycs_LOAD(uintptr_t, &api->state->generation);
        Py_XSETREF(finding->bases, _Pycs_FetchBases(api, type));
        if (finding->bases != NULL && _Pycs_FinishAll(api, finding->bases) < 0) return -1;
        /* A class that is not ready may not be among its bases' subclasses yet. */
        if (!(PyType_GetFlags(type) & Py_TPFLAGS_READY)) return 0;
        Py_XSETREF(finding->mro, _Pycs_FetchMro(api, type));
        if (finding->bases == NULL || finding->mro == NULL) return 0;
        node = _Pycs_HandoverTakenBy(api, type);
        finding->same = node != NULL && _Pycs_IsMroOver(type, finding->mro, node->mro);
        finding->above = _Pycs_HasMroOfBase(api, type, finding);
        if (finding->plan != NULL) _Pycs_FreeOverrides(finding->plan);
        finding->plan = NULL;
        if (_Pycs_LOAD(uintptr_t, api->state->overridable) && _Pycs_IsHeap(type)
                && (_Pycs_WatchAttributes(api) < 0
                    || _Pycs_PlanOverrides(api, type, finding->mro, NULL, &finding->plan) < 0)) return -1;
        _Pycs_Lock(api);
        if (!_Pycs_IsUnfinished(type)) break;
        if (generation == _Pycs_LOAD(uintptr_t, &api->state->generation)) return 1;
        _Pycs_Unlock(api);          /* tables were changed: look again */
    }
    _Pycs_Unlock(api);
    return 0;
}

/* Adds a class to what a refresh has to look at.  Under the lock.  0, or -1, without an exception, if there is no
   memory. */
_Pycs_PRIVATE int
_Pycs_Report(_Pycs_Refresh *refresh, PyTypeObject *type)
{
    if (refresh->late_count == refresh->late_room) {
        const Py_ssize_t room = 2 * refresh->late_room + 4;
        void *late = PyMem_RawRealloc(refresh->late, (size_t)room * sizeof(PyTypeObject *));
        if (late == NULL) return -1;
        refresh->late = (PyTypeObject **)late;
        refresh->late_room = room;
    }
    refresh->late[refresh->late_count++] = (PyTypeObject *)Py_NewRef((PyObject *)type);
    return 0;
}

/* Reports a new class with this MRO to the refreshes that concern it: they may have collected the subclasses before
   it was there.  Under the lock.  0, or -1 likewise. */
static int
_Pycs_ReportLate(_Pycs_API *api, PyTypeObject *type, PyObject *mro)
{
    _Pycs_Refresh *refresh;
    _Pycs_ASSERT_LOCKED(api);
    for (refresh = api->state->refreshes; refresh != NULL; refresh = refresh->next) {
        if (_Pycs_PlaceIn(mro, refresh->change.top, 0) >= 0 && _Pycs_Report(refresh, type) < 0) return -1;
    }
    return 0;
}

/* Finishes the class; with own slots if `count` is not 0.  Under the lock.  0; or -1 with the type
   as it was, and an exception if a hook raised it, none if there is no memory. */
static int
_Pycs_FinishAsFound(_Pycs_API *api, PyTypeObject *type,
                    const _Pycs_Finding *finding,
                    const PyCustomSlot *own, Py_ssize_t count,
                    _Pycs_Value **values)
{
    _Pycs_Record *record = NULL;
    PyTypeObject *const base = (PyTypeObject *)PyTuple_GET_ITEM(finding->bases, 0);

    if (count == 0 && finding->above && api->state->refreshes == NULL && _Pycs_HasTable(base)) {
        /* There is nothing to merge.  (While classes change, the table may be of a former MRO of the base.) */
        record = _Pycs_RecordIncref(_Pycs_RecordOf(base));
    }
    else if (_Pycs_MergeRecord(type, own, count, finding->mro, &record) < 0) {
        return -1;
    }
    if ((finding->plan != NULL && _Pycs_ApplyToShared(type, finding->plan, &record) < 0)
            || (api->state->refreshes != NULL && _Pycs_ReportLate(api, type, finding->mro) < 0)
            || _Pycs_FinishFields(api, type, finding->mro, !finding->same, values) < 0) {
        _Pycs_RecordDecref(record);
        return -1;
    }
    _Pycs_SetRecord(api, type, record);             /* steals it */
    return 0;
}

/* Does what FinishType() does, and makes these slots (checked) the type's own, all at once.  1 if it
   did: classes that derive from the type are not finished yet, so no other class need follow.  0
   if the type is no longer unfinished: the slots are not its own yet.  -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_FinishWith(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    _Pycs_Finding finding = {NULL, NULL, 0, 0, NULL};
    _Pycs_Value *values = NULL;
    int status;

    if (!_Pycs_IsUnfinished(type)) {
        status = _Pycs_HasTable(type) ? 1 : _Pycs_Begin(api, type);
        if (status != 0) return status < 0 ? -1 : 0;
    }
    status = _Pycs_LookAndLock(api, type, &finding);
    if (status > 0) {
        status = _Pycs_FinishAsFound(api, type, &finding, own, count, &values) < 0 ? -1 : count > 0;
        _Pycs_Unlock(api);
        if (status < 0 && !PyErr_Occurred()) PyErr_NoMemory();          /* a hook sets its own */
    }
    _Pycs_FreeValues(&values);
    if (finding.plan != NULL) _Pycs_FreeOverrides(finding.plan);
    Py_XDECREF(finding.bases);
    Py_XDECREF(finding.mro);
    return status;
}

/* Finishes a class: gives it the table and the fields that follow from its present tp_mro.  Does
   nothing for a finished type, or for one that PyType_Ready() is not done with.  0, or -1 with an
   exception, the type staying as it was (unfinished, but safe). */
_Pycs_PRIVATE int
_Pycs_FinishType(_Pycs_API *api, PyTypeObject *type)
{
    return _Pycs_HasTable(type) ? 0 : _Pycs_FinishWith(api, type, NULL, 0);
}

_Pycs_PRIVATE int
_Pycs_finish(_Pycs_API *api, PyTypeObject *type)
{
    if (_Pycs_CheckTypeObject("finish", type) < 0) return -1;
    return _Pycs_FinishType(api, type);
}
