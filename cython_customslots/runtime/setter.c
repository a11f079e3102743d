/* SPDX-License-Identifier: MIT
 *
 * runtime/setter.c - giving C fields values, from C and from Python.
 *
 * A value that is set for a class reaches the subclasses that did not set one, as
 * a class attribute would, and where a value is deleted, the field is inherited again.  Reading
 * must stay one load, so the setter does all this work.
 */
#include "runtime/setter.h"

#include "runtime/arguments.h"
#include "runtime/change.h"
#include "runtime/convert.h"
#include "runtime/fields.h"
#include "runtime/guard.h"
#include "runtime/late.h"
#include "runtime/layers.h"
#include "runtime/refresh.h"
#include "runtime/resolve.h"
#include "runtime/sidecar.h"
#include "runtime/slots.h"
#include "runtime/state.h"
#include "runtime/subclasses.h"

/* ------------------------------------------------------------------ conversion -- */

/* -------------------------------------------------------------------- changing -- */

/* Enters a refresh for `type` and collects those of its subclasses that have the field,
   finished, with their MRO.  0, or -1 with an exception and nothing to discard. */
static int
_PyExtensibleType_CollectFollowers(_PyExtensibleType_API *api, PyTypeObject *type,
                                   const _PyExtensibleType_FieldEntry *field,
                                   _PyExtensibleType_Refresh *refresh)
{
    PyObject *types = NULL;
    Py_ssize_t i, n;
    int status = -1;

    memset(refresh, 0, sizeof(*refresh));
    refresh->top = type;
    refresh->own_count = -1;
    _PyExtensibleType_EnterRefresh(api, refresh);       /* before the classes are collected */
    if (!(types = _PyExtensibleType_CollectSubclasses(api, type))) goto done;
    n = PyList_GET_SIZE(types);
    refresh->pending = (_PyExtensibleType_Pending *)PyMem_RawCalloc(
        (size_t)n, sizeof(_PyExtensibleType_Pending));
    if (refresh->pending == NULL) goto no_memory;
    for (i = 0; i < n; i++) {
        PyTypeObject *item = (PyTypeObject *)PyList_GET_ITEM(types, i);
        _PyExtensibleType_Pending *entry = &refresh->pending[refresh->count];
        if (_PyExtensibleType_APIOf(Py_TYPE(item)) != api
                || !_PyExtensibleType_HasBytesOf(item, field->layer)) continue;
        if (_PyExtensibleType_Resolve(api, item) < 0) goto done;
        if (_PyCustomSlots_IsUnfinished(item)) continue;      /* it will see: sidecar.h */
        if (!(entry->mro = _PyExtensibleType_FetchMro(api, item))) continue;
        Py_INCREF((PyObject *)item);
        entry->type = item;
        refresh->count++;
        if (_PyExtensibleType_ReserveDrops(api, Py_TYPE(item), &refresh->work) < 0) {
            goto no_memory;
        }
    }
    /* Room to drop objects among the defaults, too. */
    if (_PyExtensibleType_ReserveDrops(api, Py_TYPE(type), &refresh->work) < 0) goto no_memory;
    status = 0;
    goto done;
no_memory:
    PyErr_NoMemory();
done:
    Py_XDECREF(types);
    if (status < 0) _PyExtensibleType_RefreshDiscard(api, refresh);
    return status;
}

/* The change itself, under the lock.  `refresh` has the subclasses that follow.  0, or -1 with
   what a copy hook raised and nothing changed. */
static int
_PyExtensibleType_ChangeLocked(_PyExtensibleType_API *api, PyTypeObject *type,
                               _PyExtensibleType_FieldEntry *field, const char *from,
                               _PyExtensibleType_Setting **setting,
                               _PyExtensibleType_Refresh *refresh)
{
    _PyExtensibleType_FieldWork *work = &refresh->work;
    _PyExtensibleType_Setting *replaced;
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    Py_ssize_t i, n = 0;
    _PyExtensibleType_ASSERT_LOCKED(api);

    qsort(refresh->pending, (size_t)refresh->count, sizeof(*refresh->pending),
          _PyExtensibleType_ByDepth);
    /* Find out who inherits before anything changes: the type itself, which is to change, and its
       followers are moved to the front, bases first. */
    for (i = 0; i < refresh->count; i++) {
        _PyExtensibleType_Pending entry = refresh->pending[i];
        if (entry.type == type
                || !_PyExtensibleType_InheritsField(api, entry.type, field)) continue;
        refresh->pending[i] = refresh->pending[n];
        refresh->pending[n++] = entry;
    }
    for (i = 0; i < refresh->count && refresh->pending[i].type != type; i++) { }
    if (i == refresh->count) return 0;           /* the type has no MRO any more */
    mro = _PyExtensibleType_MroOfTuple(type, refresh->pending[i].mro);

    replaced = *setting != NULL ? _PyExtensibleType_InsertSetting(api, type, *setting)
                                : _PyExtensibleType_RemoveSetting(api, type, field);
    if (from == NULL) from = _PyExtensibleType_ValueFor(api, &mro, field);
    refresh->value = from;
    if (_PyExtensibleType_IsHooked(field)) {
        int status = _PyExtensibleType_MakeCopy(work, type, field, from);
        if (status == 0 && field->layer->provider == type) {
            status = _PyExtensibleType_MakeCopy(work, NULL, field, from);
        }
        for (i = 0; i < n && status == 0; i++) {
            PyTypeObject *follower = refresh->pending[i].type;
            mro = _PyExtensibleType_MroOfTuple(follower, refresh->pending[i].mro);
            status = _PyExtensibleType_MakeCopy(
                work, follower, field,
                _PyExtensibleType_ValueAfter(api, refresh, &mro, field));
        }
        if (status < 0) {
            if (*setting != NULL) (void)_PyExtensibleType_RemoveSetting(api, type, field);
            if (replaced != NULL) (void)_PyExtensibleType_InsertSetting(api, type, replaced);
            return -1;
        }
    }
    /* From here on nothing can fail. */
    *setting = NULL;
    _PyExtensibleType_RetireSetting(api, type, replaced);
    if (field->layer->provider == type && _PyExtensibleType_GivesDefault(api, type, field)) {
        _PyExtensibleType_Replace(api, work, NULL, field, _PyExtensibleType_DefaultOf(field), from);
    }
    _PyExtensibleType_Replace(api, work, type, field, _PyExtensibleType_FieldAt(type, field), from);
    for (i = 0; i < n; i++) {
        PyTypeObject *follower = refresh->pending[i].type;
        mro = _PyExtensibleType_MroOfTuple(follower, refresh->pending[i].mro);
        _PyExtensibleType_Replace(api, work, follower, field,
                                  _PyExtensibleType_FieldAt(follower, field),
                                  _PyExtensibleType_ValueFor(api, &mro, field));
    }
    _PyCustomSlots_STORE(uintptr_t, &api->state->generation, api->state->generation + 1);
    return 0;
}

/* Gives `type` the value at `from`, with `setting`, which is stolen; or, if both are NULL, what
   it inherits.  Subclasses that inherit the value follow.  0, or -1 with an exception and nothing
   changed. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_ChangeField(_PyExtensibleType_API *api, PyTypeObject *type,
                              _PyExtensibleType_FieldEntry *field, const void *from,
                              _PyExtensibleType_Setting *setting)
{
    _PyExtensibleType_Refresh refresh = _PyExtensibleType_REFRESH_INIT;
    uintptr_t generation;
    int status = -1;

    for (;;) {
        generation = _PyCustomSlots_LOAD(uintptr_t, &api->state->generation);
        if (_PyExtensibleType_CollectFollowers(api, type, field, &refresh) < 0) goto done;
        _PyExtensibleType_Lock(api);
        if (generation == _PyCustomSlots_LOAD(uintptr_t, &api->state->generation)
                && refresh.late_count == 0) break;
        _PyExtensibleType_Unlock(api);           /* others were faster: look again */
        _PyExtensibleType_RefreshDiscard(api, &refresh);
    }
    status = _PyExtensibleType_ChangeLocked(api, type, field, (const char *)from, &setting,
                                            &refresh);
    _PyExtensibleType_LeaveRefresh(api, &refresh);
    _PyExtensibleType_Unlock(api);
    _PyExtensibleType_RefreshDiscard(api, &refresh);
done:
    _PyExtensibleType_FreeSettings(setting);
    return status;
}

/* Checks that `type` has memory for C fields and is finished: 0, or -1 with a TypeError. */
static int
_PyExtensibleType_ExpectFields(_PyExtensibleType_API *api, PyTypeObject *type)
{
    const char *wrong = NULL;
    if (_PyExtensibleType_CheckClass("fields", type) < 0) return -1;
    if (_PyExtensibleType_APIOf(Py_TYPE(type)) != api) {
        wrong = "whose metaclass does not derive from extensibletype";
    }
    else if (!_PyCustomSlots_HasMemory(type)) {
        wrong = "that is static and was made without this library, so that it has no memory "
                "for them";
    }
    else if (!(PyType_GetFlags(type) & Py_TPFLAGS_READY)) {
        wrong = "that is not ready";
    }
    if (wrong == NULL) return 0;
    PyErr_Format(PyExc_TypeError,
                 "fields of '%.200s': found a class (metaclass '%.200s') %s; expected a "
                 "finished class that has C fields", type->tp_name, Py_TYPE(type)->tp_name,
                 wrong);
    return -1;
}

/* The field of `type` at `offset`.  The offset must be its beginning, and the size its own (-1:
   any); in plain bytes, which nobody described, any part will do.  NULL with TypeError or
   ValueError. */
static _PyExtensibleType_FieldEntry *
_PyExtensibleType_FindField(_PyExtensibleType_API *api, PyTypeObject *type,
                            Py_ssize_t offset, Py_ssize_t size)
{
    _PyExtensibleType_FieldIter iter;
    _PyExtensibleType_FieldEntry *field;

    if (_PyExtensibleType_ExpectFields(api, type) < 0) return NULL;
    iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    while ((field = _PyExtensibleType_NextField(&iter))) {
        const Py_ssize_t begin = field->def.offset, end = begin + field->def.size;
        if (offset < begin || offset >= end) continue;
        if (size < 0 || (offset == begin && size == end - begin)) return field;
        if (field->def.type == PyExtensibleType_OPAQUE && !_PyExtensibleType_IsHooked(field)
                && size > 0 && size <= end - offset) return field;
        PyErr_Format(PyExc_ValueError,
                     "fields of '%.200s': %zd bytes from byte %zd on are not one value; field "
                     "'%.100s' has bytes %zd to %zd", type->tp_name, size, offset,
                     field->def.name != NULL ? field->def.name : "(not described)", begin, end);
        return NULL;
    }
    PyErr_Format(PyExc_ValueError,
                 "fields of '%.200s': no field of metaclass '%.200s' has byte %zd; pass "
                 "offsetof(the metaclass's struct, the field), and register the metaclass's "
                 "fields first", type->tp_name, Py_TYPE(type)->tp_name, offset);
    return NULL;
}

_PyExtensibleType_PRIVATE int
_PyExtensibleType_set_field(_PyExtensibleType_API *api, PyTypeObject *type,
                            Py_ssize_t offset, const void *value, Py_ssize_t size)
{
    /* (No value has a negative size, but -1 means any size to FindField().) */
    _PyExtensibleType_FieldEntry *field
        = _PyExtensibleType_FindField(api, type, offset, size < 0 ? 0 : size);
    _PyExtensibleType_Setting *setting = NULL;
    char *whole = NULL;
    int status = -1;

    if (field == NULL || _PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (value == NULL || (_PyExtensibleType_IsObject(field)
                          && *(PyObject *const *)value == NULL)) {
        PyErr_Format(PyExc_ValueError,
                     "fields of '%.200s': found NULL as the %s, expected a value; a value is "
                     "removed by PyExtensibleType_DeleteField()", type->tp_name,
                     value == NULL ? "address of a value" : "object");
        return -1;
    }
    if (size != field->def.size) {               /* a part of bytes that nobody described */
        if (!(whole = (char *)PyMem_RawMalloc((size_t)field->def.size))) {
            PyErr_NoMemory();
            goto done;
        }
        _PyExtensibleType_Lock(api);
        memcpy(whole, _PyExtensibleType_FieldAt(type, field), (size_t)field->def.size);
        _PyExtensibleType_Unlock(api);
        memcpy(whole + (offset - field->def.offset), value, (size_t)size);
        value = whole;
    }
    if (!(setting = _PyExtensibleType_NewSetting(field, NULL))) goto done;
    status = _PyExtensibleType_ChangeField(api, type, field, value, setting);
done:
    PyMem_RawFree(whole);
    return status;
}

/* Deletes the class's own value.  A class without a base to inherit from gets the default,
   because mock.patch.object() deletes what it has set. */
static int
_PyExtensibleType_DeleteEntry(_PyExtensibleType_API *api, PyTypeObject *type,
                              _PyExtensibleType_FieldEntry *field)
{
    int inherits;

    if (_PyExtensibleType_Resolve(api, type) < 0) return -1;
    _PyExtensibleType_Lock(api);
    inherits = _PyExtensibleType_InheritsField(api, type, field);
    _PyExtensibleType_Unlock(api);
    if (inherits) {
        PyErr_Format(PyExc_AttributeError, "class '%.200s' has no value of its own for field "
                     "'%.100s', it inherits it", type->tp_name,
                     field->def.name != NULL ? field->def.name : "(not described)");
        return -1;
    }
    return _PyExtensibleType_ChangeField(api, type, field, NULL, NULL);
}

_PyExtensibleType_PRIVATE int
_PyExtensibleType_delete_field(_PyExtensibleType_API *api, PyTypeObject *type,
                               Py_ssize_t offset)
{
    _PyExtensibleType_FieldEntry *field = _PyExtensibleType_FindField(api, type, offset, -1);
    return field != NULL ? _PyExtensibleType_DeleteEntry(api, type, field) : -1;
}

/* Records that the class set these fields: all of them or none, because all entries are made
   first. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_mark_fields(_PyExtensibleType_API *api, PyTypeObject *type,
                             const Py_ssize_t *offsets, Py_ssize_t count)
{
    _PyExtensibleType_Setting *settings = NULL, *known = NULL, *setting;
    int status = -1;

    if (_PyExtensibleType_ExpectFields(api, type) < 0) return -1;
    /* A field has at least one byte and lies within the type object, so there are at most that
       many. */
    if (count < 0 || count > Py_TYPE(type)->tp_basicsize || (count > 0 && offsets == NULL)) {
        PyErr_Format(PyExc_ValueError,
                     "fields of '%.200s': found %zd offsets at address %p, expected a count of 0 "
                     "to %zd, the size of the type object, and, unless it is 0, an array",
                     type->tp_name, count, (const void *)offsets, Py_TYPE(type)->tp_basicsize);
        return -1;
    }
    for (; count > 0; count--) {
        const _PyExtensibleType_FieldEntry *field
            = _PyExtensibleType_FindField(api, type, offsets[count - 1], -1);
        if (field == NULL || !(setting = _PyExtensibleType_NewSetting(field, NULL))) goto done;
        setting->next = settings;
        settings = setting;
    }
    _PyExtensibleType_Lock(api);
    while ((setting = settings)) {
        settings = setting->next;
        setting->next = NULL;
        /* An existing entry stays: it may keep an object alive. */
        if (_PyExtensibleType_SettingOf(api, type, setting->field) != NULL) {
            setting->next = known;
            known = setting;
        }
        else (void)_PyExtensibleType_InsertSetting(api, type, setting);
    }
    _PyExtensibleType_Unlock(api);
    status = 0;
done:
    _PyExtensibleType_FreeSettings(known);
    _PyExtensibleType_FreeSettings(settings);
    return status;
}

/* ----------------------------------------------------------------- from Python -- */

/* Converts `value` and makes it the field's value for `type`; NULL deletes it. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_SetEntry(_PyExtensibleType_API *api, PyTypeObject *type,
                           _PyExtensibleType_FieldEntry *field, PyObject *value)
{
    _PyExtensibleType_Setting *setting;
    char *converted;
    int status = -1;

    if (value == NULL) return _PyExtensibleType_DeleteEntry(api, type, field);
    if (_PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (!(converted = _PyExtensibleType_Convert(type->tp_name, field, value))) return -1;
    if ((setting = _PyExtensibleType_NewSetting(field, value))) {
        status = _PyExtensibleType_ChangeField(api, type, field, converted, setting);
    }
    _PyExtensibleType_FreeValue(field, converted);
    return status;
}

/* Sets the field that Python knows by this name from an object; NULL deletes the value. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_set_field_object(_PyExtensibleType_API *api, PyTypeObject *type,
                                   PyObject *name, PyObject *value)
{
    _PyExtensibleType_FieldIter iter;
    _PyExtensibleType_FieldEntry *field;
    PyObject *shown;

    if (_PyExtensibleType_ExpectFields(api, type) < 0) return -1;
    if (name == NULL || !PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "fields of '%.200s': found %.200s as the name, expected a str",
                     type->tp_name, name == NULL ? "NULL" : Py_TYPE(name)->tp_name);
        return -1;
    }
    iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    while ((field = _PyExtensibleType_NextField(&iter))) {
        if (!(field->def.flags & PyExtensibleType_WRITABLE)
                || PyUnicode_Compare(field->name, name) != 0) continue;
        return _PyExtensibleType_SetEntry(api, type, field, value);
    }
    if (!PyErr_Occurred() && (shown = _PyCustomSlots_Show(name)) != NULL) {
        PyErr_Format(PyExc_AttributeError,
                     "class '%.200s' has no C field %U that Python may set; its metaclass "
                     "'%.200s' must declare it so", type->tp_name, shown,
                     Py_TYPE(type)->tp_name);
        Py_DECREF(shown);
    }
    return -1;
}

/* -1 with an AttributeError if the class has no memory for the field. */
static int
_PyExtensibleType_ExpectMemory(PyTypeObject *type, const _PyExtensibleType_FieldEntry *field)
{
    if (_PyExtensibleType_HasBytesOf(type, field->layer)) return 0;
    PyErr_Format(PyExc_AttributeError,
                 "class '%.200s' has no memory for field '%s' of metaclass '%.200s': it is a "
                 "static type that was made without this library", type->tp_name,
                 field->def.name, field->layer->metaclass->tp_name);
    return -1;
}

/* The descriptor of a field in the metaclass's dict. */
_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_field_get(_PyExtensibleType_API *api, PyObject *self, void *closure)
{
    _PyExtensibleType_FieldEntry *field = (_PyExtensibleType_FieldEntry *)closure;
    PyTypeObject *type = (PyTypeObject *)self;

    if (_PyExtensibleType_ExpectMemory(type, field) < 0) return NULL;
    if (!(field->def.flags & PyExtensibleType_READABLE)) {
        PyErr_Format(PyExc_AttributeError, "field '%s' of class '%.200s' cannot be read from "
                     "Python, only set", field->def.name, type->tp_name);
        return NULL;
    }
    /* __init_subclass__ and mro() see classes that are not finished. */
    if (_PyExtensibleType_Resolve(api, type) < 0) return NULL;
    return _PyExtensibleType_ReadField(api, type, field);
}

_PyExtensibleType_PRIVATE int
_PyExtensibleType_field_set(_PyExtensibleType_API *api, PyObject *self, PyObject *value,
                            void *closure)
{
    _PyExtensibleType_FieldEntry *field = (_PyExtensibleType_FieldEntry *)closure;
    PyTypeObject *type = (PyTypeObject *)self;

    if (_PyExtensibleType_ExpectMemory(type, field) < 0) return -1;
    if (!(field->def.flags & PyExtensibleType_WRITABLE)) {
        PyErr_Format(PyExc_AttributeError, "field '%s' of class '%.200s' is read-only",
                     field->def.name, type->tp_name);
        return -1;
    }
    return _PyExtensibleType_SetEntry(api, type, field, value);
}
