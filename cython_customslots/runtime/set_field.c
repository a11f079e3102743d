/* SPDX-License-Identifier: MIT
 *
 * runtime/set_field.c - how C and Python set C fields.
 *
 * A value that is set for a class reaches the subclasses that did not set one, as
 * a class attribute would, and where a value is deleted, the field is inherited again.  Reading
 * must stay one load, so the setter does all this work.
 */
#include "runtime/arguments.h"
#include "runtime/change.h"
#include "runtime/prototypes.h"

/* -------------------------------------------------------------------- changing -- */

/* The change itself, under the lock.  `refresh` has the classes that may follow.  `value` becomes the value that it
   replaces; NULL: the type is to inherit.  0, or -1 with an exception and nothing changed. */
static int
_Pycs_ChangeLocked(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field,
                   _Pycs_Value *value, _Pycs_Refresh *refresh)
{
    /* The type's own value does not count when it is deleted; a value that the type gets does. */
    const PyTypeObject *const deleted = value == NULL ? type : NULL;
    char ignored = 0, *const mark = type != NULL ? _Pycs_MarkOf(api, type, field, NULL) : &ignored, before = *mark;
    Py_ssize_t i;
    int status = 0;
    _Pycs_ASSERT_LOCKED(api);

    if (value != NULL) *mark = _Pycs_SET;
    for (i = 0; status == 0 && i < refresh->count; i++) {
        _Pycs_Pending *entry = &refresh->pending[i];
        PyTypeObject *source;
        if (entry->mro == NULL
                || (entry->type == type ? value != NULL : !_Pycs_HasBytesOf(entry->type, field->list)
                                                          || !_Pycs_InheritsField(api, entry->type, field))) continue;
        source = _Pycs_SourceOfField(api, deleted, entry->mro, field);
        status = _Pycs_AddCopy(&entry->values, field, entry->type != type ? _Pycs_FieldAt(entry->type, field) : NULL,
                               value != NULL && source == type ? value->bytes : _Pycs_FieldAt(source, field));
    }
    if (status < 0) {
        *mark = before;
        return -1;
    }
    /* From here on nothing can fail. */
    for (i = 0; i < refresh->count; i++) {
        _Pycs_PutValues(api, refresh->pending[i].type, refresh->pending[i].values, 0);
    }
    _Pycs_PutValues(api, type, value, _Pycs_SET);
    _Pycs_STORE(uintptr_t, &api->state->generation, api->state->generation + 1);
    return 0;
}

/* Gives `type` a value (NewValue), which is stolen, or, if it is NULL, what the type inherits.  Classes that
   inherit the value follow.  With NULL for the type it becomes the default of the field's metaclass.  0, or -1 with an
   exception and nothing changed. */
_Pycs_PRIVATE int
_Pycs_ChangeField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, _Pycs_Value *value)
{
    _Pycs_Refresh refresh;
    int alone, status = 0;

    _Pycs_Lock(api);
    alone = value != NULL && type != NULL && _Pycs_LOAD(void *, &type->tp_subclasses) == NULL;
    if (alone) {                                /* nothing follows: rule 6 of change.h */
        _Pycs_PutValues(api, type, value, _Pycs_SET);
        _Pycs_STORE(uintptr_t, &api->state->generation, api->state->generation + 1);
    }
    _Pycs_Unlock(api);
    if (!alone) {
        _Pycs_RefreshEnter(api, &refresh, type != NULL ? type : &PyBaseObject_Type, NULL, _Pycs_FIELD);
        if ((status = _Pycs_LockAsLooked(api, &refresh, 0, 0)) == 0) {
            status = _Pycs_ChangeLocked(api, type, field, value, &refresh);
            _Pycs_Unlock(api);
        }
        _Pycs_RefreshDiscard(api, &refresh);
    }
    _Pycs_FreeValues(&value);
    return status;
}

/* The metaclass of the fields of `*type`; NULL with a TypeError.  `*type` is a finished class with memory for
   C fields; or a metaclass, which stands for the defaults of its own fields, and becomes NULL. */
static PyTypeObject *
_Pycs_MetaclassFor(_Pycs_API *api, PyTypeObject **type)
{
    PyTypeObject *const given = *type;
    const char *wrong = NULL;
    if (_Pycs_CheckClass("fields", given) < 0) return NULL;
    if (_Pycs_FindFieldList(api, given) != NULL) {
        *type = NULL;
        return given;
    }
    if (_Pycs_APIOf(Py_TYPE(given)) != api) {
        wrong = "whose metaclass does not derive from extensibletype";
    }
    else if (!_Pycs_HasMemory(given)) {
        wrong = "that is static and was made without this library, so that it has no memory "
                "for them";
    }
    else if (!(PyType_GetFlags(given) & Py_TPFLAGS_READY)) {
        wrong = "that is not ready";
    }
    if (wrong == NULL) return Py_TYPE(given);
    PyErr_Format(PyExc_TypeError,
                 "fields of '%.200s': found a class (metaclass '%.200s') %s; expected a "
                 "finished class that has C fields, or a metaclass that adds some", given->tp_name,
                 Py_TYPE(given)->tp_name, wrong);
    return NULL;
}

/* A class has the fields of all its metaclasses; a metaclass has defaults for the fields that it adds. */
#define _Pycs_EACH_FIELD_OF(field, api, metaclass, type) \
    _Pycs_EACH_FIELD(field, api, metaclass) if (type != NULL || field->list->metaclass == metaclass)

/* The field of `*type` (MetaclassFor) at `offset`.  The offset must be its beginning, and the size its own (-1:
   any); in plain bytes, which were not described, any part will do.  NULL with TypeError or
   ValueError. */
static _Pycs_FieldEntry *
_Pycs_FindField(_Pycs_API *api, PyTypeObject **type, Py_ssize_t offset, Py_ssize_t size)
{
    PyTypeObject *const given = *type, *const metaclass = _Pycs_MetaclassFor(api, type);
    _Pycs_FieldEntry *field;

    if (metaclass == NULL) return NULL;
    _Pycs_EACH_FIELD_OF(field, api, metaclass, *type) {
        const Py_ssize_t begin = field->def.offset, end = begin + field->def.size;
        if (offset < begin || offset >= end) continue;
        if (size < 0 || (offset == begin && size == end - begin)) return field;
        if (field->def.type == PyExtensibleType_OPAQUE && field->kind != _Pycs_HOOKS
                && size > 0 && size <= end - offset) return field;
        PyErr_Format(PyExc_ValueError,
                     "fields of '%.200s': %zd bytes from byte %zd on are not one value; field "
                     "'%.100s' has bytes %zd to %zd", given->tp_name, size, offset,
                     field->def.name != NULL ? field->def.name : "(not described)", begin, end);
        return NULL;
    }
    PyErr_Format(PyExc_ValueError,
                 "fields of '%.200s': no field of metaclass '%.200s' has byte %zd; pass "
                 "offsetof(the metaclass's struct, the field), and register the metaclass's "
                 "fields first", given->tp_name, metaclass->tp_name, offset);
    return NULL;
}

/* For a function that needs a class, and was given a metaclass that has defaults: TypeError, -1. */
static int
_Pycs_RefuseDefault(const PyTypeObject *metaclass, const char *what)
{
    PyErr_Format(PyExc_TypeError, "fields of '%.200s': found a metaclass, expected a class, to %s; the default that "
                 "a metaclass has for its classes can be set only", metaclass->tp_name, what);
    return -1;
}

_Pycs_PRIVATE int
_Pycs_set_field(_Pycs_API *api, PyTypeObject *type, Py_ssize_t offset, const void *value, Py_ssize_t size)
{
    PyTypeObject *target = type;
    /* (No value has a negative size, but -1 means any size to FindField().) */
    _Pycs_FieldEntry *field = _Pycs_FindField(api, &target, offset, size < 0 ? 0 : size);
    _Pycs_Value *made;
    char *bytes;
    int status = 0;

    if (field == NULL || (target != NULL && _Pycs_FinishType(api, target) < 0)) return -1;
    if (value == NULL || (field->kind == _Pycs_REFERENCE && *(PyObject *const *)value == NULL)) {
        return _Pycs_Deny(PyExc_ValueError, "fields of '%.200s': found NULL as the %s, expected a value; a value is "
                          "removed by PyExtensibleType_DeleteField()", type->tp_name,
                          value == NULL ? "address of a value" : "object");
    }
    if (!(made = _Pycs_NewValue(field, NULL))) return -1;
    bytes = made->bytes;
    _Pycs_Lock(api);
    if (size == field->def.size) {
        status = _Pycs_CopyValue(field, bytes, (const char *)value);
    }
    else {                                      /* a part of bytes that were not described */
        memcpy(bytes, _Pycs_FieldAt(target, field), (size_t)field->def.size);
        memcpy(bytes + (offset - field->def.offset), value, (size_t)size);
    }
    _Pycs_Unlock(api);
    if (status < 0) {
        PyMem_RawFree(made);
        return -1;
    }
    return _Pycs_ChangeField(api, target, field, made);
}

/* Is a class with the field's metaclass finished, now at least?  (__init_subclass__ and mro() see classes that are
   not.)  0, or -1 with an exception: an AttributeError if it has no memory for the field. */
static int
_Pycs_ExpectFinished(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    if (_Pycs_HasTable(type)) return 0;
    if (_Pycs_HasMemory(type)) return _Pycs_FinishType(api, type);
    return _Pycs_Deny(PyExc_AttributeError, "class '%.200s' has no memory for field '%s' of metaclass '%.200s': it is "
                      "a static type that was made without this library", type->tp_name, field->def.name,
                      field->list->metaclass->tp_name);
}

/* Deletes the class's own value.  A class whose MRO has no value gets the default, because
   mock.patch.object() deletes what it has set. */
static int
_Pycs_DeleteEntry(_Pycs_API *api, PyTypeObject *type, _Pycs_FieldEntry *field)
{
    if (_Pycs_ExpectFinished(api, type, field) < 0) return -1;
    if (!_Pycs_IsOwn(api, type, field)) {
        return _Pycs_Deny(PyExc_AttributeError, "class '%.200s' has no value of its own for field '%.100s', it "
                          "inherits it", type->tp_name, field->def.name != NULL ? field->def.name : "(not described)");
    }
    return _Pycs_ChangeField(api, type, field, NULL);
}

_Pycs_PRIVATE int
_Pycs_delete_field(_Pycs_API *api, PyTypeObject *type, Py_ssize_t offset)
{
    PyTypeObject *target = type;
    _Pycs_FieldEntry *field = _Pycs_FindField(api, &target, offset, -1);
    if (field == NULL) return -1;
    if (target == NULL) return _Pycs_RefuseDefault(type, "delete a value of its own");
    return _Pycs_DeleteEntry(api, target, field);
}

/* Records that the class set these fields: all of them or none, because all are found first. */
_Pycs_PRIVATE int
_Pycs_mark_fields(_Pycs_API *api, PyTypeObject *type, const Py_ssize_t *offsets, Py_ssize_t count)
{
    PyTypeObject *target = type;
    Py_ssize_t i;
    int found;

    if (_Pycs_MetaclassFor(api, &target) == NULL) return -1;
    if (target == NULL) return _Pycs_RefuseDefault(type, "mark values that it set");
    /* A field has at least one byte and lies within the type object, so there are at most that
       many. */
    if (count < 0 || count > Py_TYPE(type)->tp_basicsize || (count > 0 && offsets == NULL)) {
        return _Pycs_Deny(PyExc_ValueError, "fields of '%.200s': found %zd offsets at address %p, expected a count of "
                          "0 to %zd, the size of the type object, and, unless it is 0, an array", type->tp_name, count,
                          (const void *)offsets, Py_TYPE(type)->tp_basicsize);
    }
    for (found = 0; found < 2; found++) {
        for (i = 0; i < count; i++) {
            const _Pycs_FieldEntry *field = _Pycs_FindField(api, &target, offsets[i], -1);
            if (field == NULL) return -1;
            _Pycs_Lock(api);
            if (found) *_Pycs_MarkOf(api, type, field, NULL) = _Pycs_SET;
            _Pycs_Unlock(api);
        }
    }
    return 0;
}

/* ----------------------------------------------------------------- from Python -- */

/* Converts `value` and makes it the field's value for `type`, NULL deletes it; for `type` NULL, the default. */
_Pycs_PRIVATE int
_Pycs_SetEntry(_Pycs_API *api, PyTypeObject *type, _Pycs_FieldEntry *field, PyObject *value)
{
    _Pycs_Value *made;

    if (value == NULL) return _Pycs_DeleteEntry(api, type, field);
    if (type != NULL && _Pycs_ExpectFinished(api, type, field) < 0) return -1;
    made = _Pycs_Convert((type != NULL ? type : field->list->metaclass)->tp_name, field, value);
    return made != NULL ? _Pycs_ChangeField(api, type, field, made) : -1;
}

/* Sets the field that Python knows by this name from an object; NULL deletes the value. */
_Pycs_PRIVATE int
_Pycs_set_field_object(_Pycs_API *api, PyTypeObject *type, PyObject *name, PyObject *value)
{
    PyTypeObject *target = type, *const metaclass = _Pycs_MetaclassFor(api, &target);
    _Pycs_FieldEntry *field;
    PyObject *shown;

    if (metaclass == NULL) return -1;
    if (target == NULL && value == NULL) return _Pycs_RefuseDefault(type, "delete a value of its own");
    if (name == NULL || !PyUnicode_Check(name)) {
        return _Pycs_Deny(PyExc_TypeError, "fields of '%.200s': found %.200s as the name, expected a str",
                          type->tp_name, name == NULL ? "NULL" : Py_TYPE(name)->tp_name);
    }
    _Pycs_EACH_FIELD_OF(field, api, metaclass, target) {
        if (!(field->def.flags & PyExtensibleType_WRITABLE) || PyUnicode_Compare(field->name, name) != 0
                || _Pycs_IsHidden(api, metaclass, field)) continue;
        return _Pycs_SetEntry(api, target, field, value);
    }
    if (!PyErr_Occurred() && (shown = _Pycs_Repr(name)) != NULL) {
        PyErr_Format(PyExc_AttributeError,
                     "class '%.200s' has no C field %U that Python may set; its metaclass "
                     "'%.200s' must declare it so", type->tp_name, shown, metaclass->tp_name);
        Py_DECREF(shown);
    }
    return -1;
}

/* The descriptor of a field in the metaclass's dict. */
_Pycs_PRIVATE PyObject *
_Pycs_field_get(_Pycs_API *api, PyObject *self, void *closure)
{
    _Pycs_FieldEntry *field = (_Pycs_FieldEntry *)closure;
    PyTypeObject *type = (PyTypeObject *)self;

    if (_Pycs_ExpectFinished(api, type, field) < 0) return NULL;
    if (!(field->def.flags & PyExtensibleType_READABLE)) {
        return PyErr_Format(PyExc_AttributeError, "field '%s' of class '%.200s' cannot be read from "
                            "Python, only set", field->def.name, type->tp_name);
    }
    return _Pycs_ReadField(api, type, field);
}

_Pycs_PRIVATE int
_Pycs_field_set(_Pycs_API *api, PyObject *self, PyObject *value, void *closure)
{
    _Pycs_FieldEntry *field = (_Pycs_FieldEntry *)closure;
    PyTypeObject *type = (PyTypeObject *)self;

    if (!(field->def.flags & PyExtensibleType_WRITABLE)) {
        return _Pycs_Deny(PyExc_AttributeError, "field '%s' of class '%.200s' is read-only",
                          field->def.name, type->tp_name);
    }
    return _Pycs_SetEntry(api, type, field, value);
}
