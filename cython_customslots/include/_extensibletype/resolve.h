/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/resolve.h - a class that was filled on trust is finished.
 * Included by extensibletype.h; not for direct use.
 *
 * tp_alloc fills a class from the bases that it was told of (handover.h), and nobody can
 * be sure that they are the right ones before the class has its tp_mro.
 */
#ifndef Py_EXTENSIBLETYPE_RESOLVE_H
#define Py_EXTENSIBLETYPE_RESOLVE_H

/* The record that an unresolved type holds on trust: found from the published table,
   because etp_private is the tuple that the trust is based on.  Counted by the type. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Record *
_PyExtensibleType_TrustedRecord(PyTypeObject *type)
{
    PyCustomSlot *slots = ((PyHeapExtensibleTypeObject *)type)->etp_custom_slots;
    if (slots == NULL || slots == _PyExtensibleType_empty) return NULL;
    return (_PyExtensibleType_Record *)(void *)
        ((char *)slots - offsetof(_PyExtensibleType_Record, slots));
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_Resolve(_PyExtensibleType_API *api, PyTypeObject *type);

/* Finishes those of `bases` that are not, so that they can be inherited from. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ResolveAll(_PyExtensibleType_API *api, PyObject *bases)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        if (PyType_Check(base) && !_PyExtensibleType_IsReady((PyTypeObject *)base)
                && _PyExtensibleType_Resolve(api, (PyTypeObject *)base) < 0) {
            return -1;
        }
    }
    return 0;
}

/* With one base there is nothing to merge, and the base owns every layer that any
   class behind it owns: a linearisation of one entry says it all. */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsSimple(PyObject *bases)
{
    return PyTuple_GET_SIZE(bases) == 1 && PyType_Check(PyTuple_GET_ITEM(bases, 0))
           && _PyCustomSlots_HasMemory((PyTypeObject *)PyTuple_GET_ITEM(bases, 0))
           /* A class without the metaclass may stand between: PyType_FromSpec() makes
              such subclasses before 3.12, and __bases__ assignment allows them. */
           && _PyExtensibleType_APIOf(Py_TYPE(PyTuple_GET_ITEM(bases, 0))) != NULL;
}

/* The table that a type with MRO `tuple` gets: a new reference in *result.  A table that
   readers may have seen (`held`, of a trusted type) is kept: either it is right, or the
   base that it is shared with keeps it, or this type must.  Under the lock.  0, or -1,
   without an exception, if there is no memory. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ResolveRecord(_PyExtensibleType_API *api, PyTypeObject *type, PyObject *tuple, int simple,
                                _PyExtensibleType_Record *held,
                                _PyExtensibleType_Record **result)
{
    PyTypeObject *base = _PyExtensibleType_BaseIn(api, type, tuple);
    _PyExtensibleType_Mro mro = _PyExtensibleType_MroOfTuple(type, tuple);
    _PyExtensibleType_Record *record = NULL, *copy;
    _PyExtensibleType_ASSERT_LOCKED(api);

    if (simple) {
        /* Not `base`: another thread may be about to assign __bases__. */
        record = _PyExtensibleType_RecordIncref(_PyExtensibleType_EffectiveRecord(
            (PyTypeObject *)PyTuple_GET_ITEM(tuple, 1)));
    }
    else if (_PyExtensibleType_MergeRecord(type, NULL, 0, base, &mro, &record) < 0) {
        return -1;
    }
    if (record != held && held != NULL) {
        if (record != NULL && _PyExtensibleType_RecordEquals(record, held)) {
            _PyExtensibleType_RecordDecref(record);
            record = _PyExtensibleType_RecordIncref(held);
        }
        else if (_PyCustomSlots_LOAD(PyTypeObject *, &held->declared.owner) == NULL) {
            /* It was merged in tp_alloc, for this type. */
            copy = _PyExtensibleType_RecordNew(
                type, record == NULL || held->capacity > record->capacity
                          ? held->capacity : record->capacity, NULL, 0);
            if (copy == NULL) {
                _PyExtensibleType_RecordDecref(record);
                return -1;
            }
            if (record != NULL) {
                copy->count = record->count;
                memcpy(copy->slots, record->slots,
                       sizeof(PyCustomSlot) * (size_t)record->count);
            }
            copy->retired = _PyExtensibleType_RecordIncref(held);
            _PyExtensibleType_RecordDecref(record);
            record = copy;
        }
    }
    if (record != NULL && record->declared.own_count == 0
            && _PyCustomSlots_LOAD(PyTypeObject *, &record->declared.owner) == NULL) {
        _PyCustomSlots_STORE(PyTypeObject *, &record->declared.owner, type);
    }
    *result = record;
    return 0;
}

/* Gives every field of an unfinished class that nobody wrote to since it was filled what
   it inherits by `mro`.  Under the lock.  0, or -1 with an exception and nothing changed. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CorrectFields(_PyExtensibleType_API *api, PyTypeObject *type,
                                const _PyExtensibleType_Mro *mro,
                                _PyExtensibleType_FieldWork *work)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    _PyExtensibleType_FieldEntry *field;
    _PyExtensibleType_ASSERT_LOCKED(api);

    if (_PyExtensibleType_ReserveDrops(api, Py_TYPE(type), work) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    if (_PyExtensibleType_CopyInherited(api, type, Py_TYPE(type), mro, work) < 0) return -1;
    while ((field = _PyExtensibleType_NextField(&iter))) {
        if (!_PyExtensibleType_InheritsField(api, type, field)) continue;
        _PyExtensibleType_Replace(api, work, type, field, _PyExtensibleType_FieldAt(type, field),
                                  _PyExtensibleType_ValueFor(api, mro, field));
    }
    _PyExtensibleType_FirstDefaults(api, Py_TYPE(type), mro, work);
    return 0;
}

/* Inserts `filled`, which is stolen, for a class that was filled with the defaults before
   anybody could know it: PyType_FromSpec() allocates it before 3.12.  Under the lock. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_InsertLate(_PyExtensibleType_API *api, PyTypeObject *type,
                             _PyExtensibleType_Filled *filled)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    const _PyExtensibleType_FieldEntry *field;
    _PyExtensibleType_ASSERT_LOCKED(api);
    (void)_PyExtensibleType_InsertFilled(api, type, filled);
    while ((field = _PyExtensibleType_NextField(&iter))) {
        if (_PyExtensibleType_IsHooked(field) || _PyExtensibleType_IsUntouched(
                field, _PyExtensibleType_FieldAt(type, field))) continue;
        _PyExtensibleType_NoteFilled(api, type, field, _PyExtensibleType_DefaultOf(field));
    }
}

/* Does a class with these `bases` have those that were handed over for it?  (A metaclass's
   __new__ may pass on an equal tuple.  CPython gives a class without bases (object,).) */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_AreHanded(PyObject *handed, PyObject *bases)
{
    Py_ssize_t i;
    if (handed == NULL) return 0;
    if (PyTuple_GET_SIZE(handed) == 0) {
        return PyTuple_GET_SIZE(bases) == 1
               && PyTuple_GET_ITEM(bases, 0) == (PyObject *)&PyBaseObject_Type;
    }
    if (PyTuple_GET_SIZE(handed) != PyTuple_GET_SIZE(bases)) return 0;
    for (i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        if (PyTuple_GET_ITEM(handed, i) != PyTuple_GET_ITEM(bases, i)) return 0;
    }
    return 1;
}

/* Does a metaclass have a mro() of its own?  Then nobody knows the MRO of a class before it
   is there: the class is filled by C3, and corrected when it is finished. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_HasOwnMro(_PyExtensibleType_API *api, PyTypeObject *metaclass)
{
    PyObject *mro = metaclass != api->metaclass ? _PyExtensibleType_FetchMro(api, metaclass) : NULL;
    Py_ssize_t i, n = mro != NULL ? PyTuple_GET_SIZE(mro) : 0;
    int found = 0;
    for (i = 0; i < n && !found; i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (item == api->metaclass || item == &PyType_Type) break;
        if (item->tp_dict != NULL) found = PyDict_Contains(item->tp_dict, api->name_mro) == 1;
    }
    Py_XDECREF(mro);
    return found;
}

/* Sets what CPython makes of metaclasses itself: type.__new__ gives each the generic
   allocator, and PyType_FromSpec(), before 3.12, `type` as its metaclass. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_RestoreHooks(PyTypeObject *metaclass)
{
    PyTypeObject *root = _PyExtensibleType_RootOf(metaclass);
    if (metaclass->tp_alloc == PyType_GenericAlloc) metaclass->tp_alloc = root->tp_alloc;
    if (Py_TYPE(metaclass) == &PyType_Type) {
        if (metaclass->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_INCREF((PyObject *)Py_TYPE(root));
        Py_SET_TYPE((PyObject *)metaclass, Py_TYPE(root));
    }
}

/* A class that tp_alloc did not see, because its metaclass was made in Python, before 3.12,
   below one from PyType_FromSpec(), and had the generic allocator: nothing of ours is in it,
   and it gets what tp_alloc gives a class whose bases it does not know.  0, or -1 with an
   exception and the class as it was.  1: it is no such class. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_Begin(_PyExtensibleType_API *api, PyTypeObject *type)
{
    PyHeapExtensibleTypeObject *t = (PyHeapExtensibleTypeObject *)type;
    PyTypeObject *metaclass = Py_TYPE(type);
    _PyExtensibleType_FieldWork work = _PyExtensibleType_FIELD_WORK_INIT;
    _PyExtensibleType_Filled *filled = NULL;
    int status = -1;

    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || _PyExtensibleType_APIOf(metaclass) != api
            || _PyCustomSlots_LOAD(uintptr_t, &t->etp_check) != 0) return 1;
    if (_PyExtensibleType_NewFilled(api, metaclass, &filled) < 0) return -1;
    _PyExtensibleType_Lock(api);
    if (_PyExtensibleType_IsKnown(type)) status = 0;     /* another thread was faster */
    else if (_PyExtensibleType_CopyInherited(api, metaclass, metaclass, NULL, &work) == 0) {
        _PyExtensibleType_FillFields(api, type, metaclass, NULL, 0, &work);
        (void)_PyExtensibleType_InsertFilled(api, type, filled);
        filled = NULL;
        t->etp_custom_slots = _PyExtensibleType_empty;
        _PyCustomSlots_STORE(uintptr_t, &t->etp_check,
                             (uintptr_t)type ^ _PyCustomSlots_UNRESOLVED);
        status = 0;
    }
    _PyExtensibleType_Unlock(api);
    PyMem_RawFree(filled);
    _PyExtensibleType_EndFieldWork(&work);
    if (status == 0) _PyExtensibleType_RestoreHooks(metaclass);  /* for the next one */
    return status;
}

/* Turns trust into fact: table and fields from the tp_mro that the class has now.
   Does nothing for a finished type or one that PyType_Ready() is not done with.  0, or -1 with a
   MemoryError, the type staying as it was (unfinished, but safe). */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_Resolve(_PyExtensibleType_API *api, PyTypeObject *type)
{
    PyHeapExtensibleTypeObject *t = (PyHeapExtensibleTypeObject *)type;
    _PyExtensibleType_Record *record = NULL, *held = NULL;
    _PyExtensibleType_Mro mro;
    _PyExtensibleType_FieldWork work = _PyExtensibleType_FIELD_WORK_INIT;
    _PyExtensibleType_Filled *filled, *missing = NULL;
    PyObject *handed = NULL, *bases = NULL, *tuple = NULL, *above = NULL;
    _PyExtensibleType_Own *owns = NULL;
    uintptr_t generation;
    int same, trusted, own_mro, simple, outdated, finished = 0, status = -1;

    if (!_PyExtensibleType_IsUnresolved(type)) {
        status = _PyExtensibleType_IsReady(type) ? 1 : _PyExtensibleType_Begin(api, type);
        if (status < 0) return -1;
        if (status > 0) return _PyExtensibleType_FollowLayouts(api, type);
        status = -1;
    }
    _PyExtensibleType_Lock(api);                /* another thread may finish it, too */
    if (_PyExtensibleType_IsUnresolved(type)) handed = (PyObject *)t->etp_private;
    Py_XINCREF(handed);
    filled = _PyExtensibleType_FilledOf(api, type);
    _PyExtensibleType_Unlock(api);
    if (filled == NULL && _PyExtensibleType_NewFilled(api, Py_TYPE(type), &missing) < 0) {
        goto done;
    }
    for (;;) {
        Py_XSETREF(bases, _PyExtensibleType_FetchBases(api, type));
        if (bases != NULL && _PyExtensibleType_ResolveAll(api, bases) < 0) goto done;
        generation = _PyCustomSlots_LOAD(uintptr_t, &api->generation);
        Py_XSETREF(bases, _PyExtensibleType_FetchBases(api, type));
        Py_XSETREF(tuple, _PyExtensibleType_FetchMro(api, type));
        if (bases == NULL || tuple == NULL
                /* Nor linked into its bases' subclasses, perhaps. */
                || !(PyType_GetFlags(type) & Py_TPFLAGS_READY)) {
            status = 0;
            goto done;
        }
        same = _PyExtensibleType_AreHanded(handed, bases);
        trusted = handed != NULL && handed == bases;       /* by readers */
        own_mro = !trusted && _PyExtensibleType_HasOwnMro(api, Py_TYPE(type));
        /* Nothing but the one base, and no mro() that says otherwise? */
        simple = same && !own_mro && _PyExtensibleType_IsSimple(bases);
        if (simple) {
            Py_XSETREF(above, _PyExtensibleType_FetchMro(
                api, (PyTypeObject *)PyTuple_GET_ITEM(bases, 0)));
            simple = above != NULL
                     && PyTuple_GET_SIZE(tuple) == PyTuple_GET_SIZE(above) + 1
                     && PyTuple_GET_ITEM(tuple, 1) == PyTuple_GET_ITEM(bases, 0)
                     && PyTuple_GET_ITEM(tuple, 1) == (PyObject *)_PyCustomSlots_BASE(type);
        }
        _PyExtensibleType_Lock(api);
        if (!_PyExtensibleType_IsUnresolved(type)
                || generation == _PyCustomSlots_LOAD(uintptr_t, &api->generation)) break;
        _PyExtensibleType_Unlock(api);          /* tables were changed: look again */
    }
    if (!_PyExtensibleType_IsUnresolved(type)) {
        _PyExtensibleType_Unlock(api);
        status = _PyExtensibleType_FollowLayouts(api, type);
        goto done;
    }
    /* A table that was never trusted nobody has seen. */
    held = _PyExtensibleType_TrustedRecord(type);
    mro = _PyExtensibleType_MroOfTuple(type, tuple);
    filled = _PyExtensibleType_FilledOf(api, type);
    if (filled == NULL && missing != NULL) {
        _PyExtensibleType_InsertLate(api, type, missing);
        filled = missing;
        missing = NULL;
    }
    outdated = !same || own_mro || _PyExtensibleType_IsOutdated(api, filled);
    if (_PyExtensibleType_ResolveRecord(api, type, tuple, simple, trusted ? held : NULL,
                                        &record) == 0
            && (!outdated
                || _PyExtensibleType_CorrectFields(api, type, &mro, &work) == 0)
            && (api->refreshes == NULL
                || _PyExtensibleType_ReportLate(api, type, tuple, NULL) == 0)) {
        _PyExtensibleType_FinishFilled(api, filled);
        owns = _PyExtensibleType_TakeLimbo(api);
        _PyExtensibleType_SetRecord(type, record);
        record = NULL;                          /* stolen */
        if (!trusted) _PyExtensibleType_SetMarks(type, _PyExtensibleType_EXPOSED);
        finished = 1;
    }
    _PyExtensibleType_Unlock(api);
    if (finished) {
        _PyExtensibleType_RecordDecref(held);   /* the type's references */
        Py_XDECREF(handed);
        status = _PyExtensibleType_FollowLayouts(api, type);
    }
    else if (!PyErr_Occurred()) {               /* a hook sets its own */
        PyErr_NoMemory();
    }
done:
    PyMem_RawFree(missing);
    _PyExtensibleType_FreeOwn(owns);
    _PyExtensibleType_EndFieldWork(&work);
    _PyExtensibleType_RecordDecref(record);
    Py_XDECREF(handed);
    Py_XDECREF(bases);
    Py_XDECREF(tuple);
    Py_XDECREF(above);
    return status;
}

#endif /* Py_EXTENSIBLETYPE_RESOLVE_H */
