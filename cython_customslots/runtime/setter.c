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
#include "runtime/layers.h"
#include "runtime/refresh.h"
#include "runtime/resolve.h"
#include "runtime/sidecar.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* -------------------------------------------------------------------- changing -- */

/* The change itself, under the lock.  `refresh` has the subclasses that may follow, and takes
   `value`, which is NULL if the type is to inherit.  0, or -1 with an exception and nothing
   changed. */
static int
_PyExtensibleType_ChangeLocked(_PyExtensibleType_API *api, PyTypeObject *type,
                               const _PyExtensibleType_FieldEntry *field,
                               _PyExtensibleType_Value *value, _PyExtensibleType_Refresh *refresh)
{
    const int gives_default
        = field->layer->provider == type && _PyExtensibleType_GivesDefault(type, field);
    _PyExtensibleType_Pending *entry, *top = NULL;
    char *const mark = _PyExtensibleType_MarkOf(api, type, field), before = *mark;
    _PyExtensibleType_Mro mro;
    Py_ssize_t i, n = 0;
    int status = 0;
    _PyExtensibleType_ASSERT_LOCKED(api);

    /* Find out who inherits before anything changes: the type itself and its followers are moved to
       the front, bases first. */
    for (i = 0; i < refresh->count; i++) {
        const _PyExtensibleType_Pending moved = refresh->pending[i];
        if (moved.mro == NULL || !_PyExtensibleType_HasBytesOf(moved.type, field->layer)
                || (moved.type != type
                    && !_PyExtensibleType_InheritsField(api, moved.type, field))) continue;
        refresh->pending[i] = refresh->pending[n];
        refresh->pending[n] = moved;
        if (moved.type == type) top = &refresh->pending[n];
        n++;
    }
    if (top == NULL) {                          /* it has no MRO any more */
        refresh->values = value;
        return 0;
    }
    mro = _PyExtensibleType_MroOfTuple(type, top->mro);
    *mark = value != NULL ? _PyExtensibleType_SET : 0;
    if (value != NULL) {
        refresh->value = _PyExtensibleType_BytesOf(value);
        top->values = value;
    }
    else {
        refresh->value = _PyExtensibleType_ValueFor(api, &mro, field);
        status = _PyExtensibleType_AddCopy(&top->values, field, refresh->value);
    }
    if (gives_default && status == 0) {
        status = _PyExtensibleType_AddCopy(&refresh->values, field, refresh->value);
    }
    for (i = 0; status == 0 && i < n; i++) {
        entry = &refresh->pending[i];
        if (entry == top) continue;
        mro = _PyExtensibleType_MroOfTuple(entry->type, entry->mro);
        status = _PyExtensibleType_AddInherited(&entry->values, entry->type, field,
                                                _PyExtensibleType_ValueAfter(api, refresh, &mro, field));
    }
    if (status < 0) {
        *mark = before;
        return -1;
    }
    /* From here on nothing can fail. */
    if (gives_default) _PyExtensibleType_SwapValue(refresh->values, _PyExtensibleType_DefaultOf(field));
    for (i = 0; i < n; i++) {
        entry = &refresh->pending[i];
        _PyExtensibleType_PutValues(api, entry->type, entry->values);
    }
    _PyCustomSlots_STORE(uintptr_t, &api->state->generation, api->state->generation + 1);
    return 0;
}

/* Gives `type` a value (NewSet), which is stolen, or, if it is NULL, what the type inherits.
   Subclasses that inherit the value follow.  0, or -1 with an exception and nothing changed. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_ChangeField(_PyExtensibleType_API *api, PyTypeObject *type,
                              const _PyExtensibleType_FieldEntry *field,
                              _PyExtensibleType_Value *value)
{
    _PyExtensibleType_Refresh refresh = _PyExtensibleType_REFRESH_INIT;
    int status;

    refresh.top = type;
    refresh.own_count = _PyExtensibleType_FIELD;
    _PyExtensibleType_EnterRefresh(api, &refresh);      /* before the classes are collected */
    status = _PyExtensibleType_LockAsLooked(api, &refresh, 0);
    if (status < 0) refresh.values = value;
    else {
        status = _PyExtensibleType_ChangeLocked(api, type, field, value, &refresh);
        _PyExtensibleType_LeaveRefresh(api, &refresh);
        _PyExtensibleType_Unlock(api);
    }
    _PyExtensibleType_RefreshDiscard(api, &refresh);
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
    _PyExtensibleType_Value *made;
    char *bytes;
    int status = 0;

    if (field == NULL || _PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (value == NULL || (_PyExtensibleType_IsObject(field)
                          && *(PyObject *const *)value == NULL)) {
        PyErr_Format(PyExc_ValueError,
                     "fields of '%.200s': found NULL as the %s, expected a value; a value is "
                     "removed by PyExtensibleType_DeleteField()", type->tp_name,
                     value == NULL ? "address of a value" : "object");
        return -1;
    }
    if (!(made = _PyExtensibleType_NewSet(field, NULL))) return -1;
    bytes = _PyExtensibleType_BytesOf(made);
    _PyExtensibleType_Lock(api);
    if (size == field->def.size) {
        status = _PyExtensibleType_CopyValue(field, bytes, (const char *)value);
    }
    else {                                      /* a part of bytes that nobody described */
        memcpy(bytes, _PyExtensibleType_FieldAt(type, field), (size_t)field->def.size);
        memcpy(bytes + (offset - field->def.offset), value, (size_t)size);
    }
    _PyExtensibleType_Unlock(api);
    if (status < 0) {
        _PyExtensibleType_FreeRaw(made);
        return -1;
    }
    return _PyExtensibleType_ChangeField(api, type, field, made);
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
    return _PyExtensibleType_ChangeField(api, type, field, NULL);
}

_PyExtensibleType_PRIVATE int
_PyExtensibleType_delete_field(_PyExtensibleType_API *api, PyTypeObject *type,
                               Py_ssize_t offset)
{
    _PyExtensibleType_FieldEntry *field = _PyExtensibleType_FindField(api, type, offset, -1);
    return field != NULL ? _PyExtensibleType_DeleteEntry(api, type, field) : -1;
}

/* Records that the class set these fields: all of them or none, because all are found first. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_mark_fields(_PyExtensibleType_API *api, PyTypeObject *type,
                             const Py_ssize_t *offsets, Py_ssize_t count)
{
    Py_ssize_t i;
    int found;

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
    for (found = 0; found < 2; found++) {
        for (i = 0; i < count; i++) {
            const _PyExtensibleType_FieldEntry *field
                = _PyExtensibleType_FindField(api, type, offsets[i], -1);
            if (field == NULL) return -1;
            _PyExtensibleType_Lock(api);
            if (found) *_PyExtensibleType_MarkOf(api, type, field) = _PyExtensibleType_SET;
            _PyExtensibleType_Unlock(api);
        }
    }
    return 0;
}

/* ----------------------------------------------------------------- from Python -- */

/* Converts `value` and makes it the field's value for `type`; NULL deletes it. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_SetEntry(_PyExtensibleType_API *api, PyTypeObject *type,
                           _PyExtensibleType_FieldEntry *field, PyObject *value)
{
    _PyExtensibleType_Value *made;

    if (value == NULL) return _PyExtensibleType_DeleteEntry(api, type, field);
    if (_PyExtensibleType_Resolve(api, type) < 0) return -1;
    made = _PyExtensibleType_Convert(type->tp_name, field, value);
    return made != NULL ? _PyExtensibleType_ChangeField(api, type, field, made) : -1;
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
