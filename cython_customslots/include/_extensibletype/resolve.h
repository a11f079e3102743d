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
static inline _PyExtensibleType_Record *
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
        if (PyType_Check(base) && _PyExtensibleType_IsUnresolved((PyTypeObject *)base)
                && _PyExtensibleType_Resolve(api, (PyTypeObject *)base) < 0) {
            return -1;
        }
    }
    return 0;
}

/* With one base there is nothing to merge, and the base owns every layer that any
   class behind it owns: a linearisation of one entry says it all. */
static inline int
_PyExtensibleType_IsSimple(PyObject *bases)
{
    return PyTuple_GET_SIZE(bases) == 1 && PyType_Check(PyTuple_GET_ITEM(bases, 0))
           && _PyCustomSlots_HasMemory((PyTypeObject *)PyTuple_GET_ITEM(bases, 0))
           /* A class without the metaclass may stand between: PyType_FromSpec() makes
              such subclasses before 3.12, and __bases__ assignment allows them. */
           && _PyExtensibleType_APIOf(Py_TYPE(PyTuple_GET_ITEM(bases, 0))) != NULL;
}

/* CPython gives a class without bases the bases (object,). */
static inline int
_PyExtensibleType_IsBaseless(PyObject *handed, PyObject *bases)
{
    return handed != NULL && PyTuple_GET_SIZE(handed) == 0 && PyTuple_GET_SIZE(bases) == 1
           && PyTuple_GET_ITEM(bases, 0) == (PyObject *)&PyBaseObject_Type;
}

/* Turns trust into fact: table and fields from the tp_mro that the class has now.
   Does nothing for a finished type or one without tp_mro.  0, or -1 with a
   MemoryError, the type staying as it was (unfinished, but safe). */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_Resolve(_PyExtensibleType_API *api, PyTypeObject *type)
{
    PyHeapExtensibleTypeObject *t = (PyHeapExtensibleTypeObject *)type;
    _PyExtensibleType_Record *record = NULL, *held, *copy;
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    _PyExtensibleType_Mro wrong = _PyExtensibleType_MRO_INIT;
    PyObject *handed;
    int trusted, status = -1;

    if (!_PyExtensibleType_IsUnresolved(type) || type->tp_mro == NULL
            || type->tp_bases == NULL) return 0;
    if (_PyExtensibleType_ResolveAll(api, type->tp_bases) < 0) return -1;
    held = _PyExtensibleType_TrustedRecord(type);
    handed = (PyObject *)t->etp_private;
    trusted = _PyCustomSlots_IsTrusted(type);

    if (trusted && _PyExtensibleType_IsSimple(handed)
            && PyTuple_GET_SIZE(type->tp_mro)
                   == PyTuple_GET_SIZE(type->tp_base->tp_mro) + 1
            && PyTuple_GET_ITEM(type->tp_mro, 1) == (PyObject *)type->tp_base) {
        record = _PyExtensibleType_RecordIncref(
            _PyExtensibleType_EffectiveRecord(type->tp_base));
    }
    else {
        if (handed != NULL && !trusted) {       /* as in tp_alloc */
            if (_PyExtensibleType_IsSimple(handed)) {
                wrong.items = &PyTuple_GET_ITEM(handed, 0);
                wrong.count = 1;
            }
            else if (_PyExtensibleType_MroOfBases(handed, &wrong) < 0) goto done;
        }
        mro = _PyExtensibleType_MroOfType(type);
        if (_PyExtensibleType_MergeRecord(type, NULL, 0, type->tp_base, &mro, &record) < 0) {
            goto done;
        }
        if (!trusted && !_PyExtensibleType_IsBaseless(handed, type->tp_bases)
                && _PyExtensibleType_CorrectFields(api, type, &wrong, &mro) < 0) {
            goto done;
        }
    }
    /* A table that readers may have seen is kept: either it is right, or the base
       that it is shared with keeps it, or this type must.  One that was never
       trusted nobody has seen. */
    if (record != held && trusted && held != NULL) {
        if (record != NULL && _PyExtensibleType_RecordEquals(record, held)) {
            _PyExtensibleType_RecordDecref(record);
            record = _PyExtensibleType_RecordIncref(held);
        }
        else if (held->owner == NULL) {         /* merged in tp_alloc, for this type */
            copy = _PyExtensibleType_RecordNew(
                type, record == NULL || held->capacity > record->capacity
                          ? held->capacity : record->capacity, NULL, 0);
            if (copy == NULL) goto done;
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
    if (record != NULL && record->owner == NULL && record->own_count == 0) {
        record->owner = type;
    }
    _PyExtensibleType_ConfirmOwn(api, type);
    _PyExtensibleType_SetRecord(type, record);
    record = NULL;                              /* stolen */
    _PyExtensibleType_RecordDecref(held);
    Py_XDECREF(handed);
    status = 0;
done:
    _PyExtensibleType_RecordDecref(record);
    _PyExtensibleType_MroClear(&wrong);
    return status;
}

#endif /* Py_EXTENSIBLETYPE_RESOLVE_H */
