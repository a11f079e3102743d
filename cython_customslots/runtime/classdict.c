/* SPDX-License-Identifier: MIT
 *
 * runtime/classdict.c - what a class set itself is in its __dict__.
 *
 *     class Sub(Greet):
 *         level = 3               Sub.__dict__["level"] == 3, but Sub().level is no attribute
 *
 * A value of a C field is no entry of the class's dict, where instances would find it.  So __dict__ is a
 * descriptor of extensibletype, around type's own, that shows such values beside the entries: for code that
 * makes a class again, or puts back what was there (docs/design.md).  One more entry, _Pycs_FIELDS, repeats
 * them all, because a decorator that turns a name into a slot of the instances takes the name out of the dict.
 *
 * Values that Python may not set, or not even see, cannot be entries, and no copy of the class has them.  FIELDS
 * has their names, so that a class which is made again and lacks them is an error.
 */
#include "runtime/arguments.h"
#include "runtime/prototypes.h"

/* The entry of FIELDS for values that are not there: a tuple of names.  It is no identifier, and
   therefore no name of a field. */
#define _Pycs_SET_BY_C "(set by C)"

/* Can Python read and set the field, and is it not hidden? */
static int
_Pycs_GoesByName(_Pycs_API *api, PyTypeObject *metaclass, const _Pycs_FieldEntry *field)
{
    const unsigned visible = PyExtensibleType_READABLE | PyExtensibleType_WRITABLE;
    return (field->def.flags & visible) == visible && !_Pycs_IsHidden(api, metaclass, field);
}

static const char *
_Pycs_AttributeName(const _Pycs_FieldEntry *field)
{
    return field->def.name != NULL ? field->def.name : "(not described)";
}

/* A dict of what the class set itself: {name: value} for the fields that Python may read and set,
   and, if there are others, under SET_BY_C the names of those.  A new reference, NULL with an
   exception. */
_Pycs_PRIVATE PyObject *
_Pycs_ValuesOfClass(_Pycs_API *api, PyTypeObject *type)
{
    const _Pycs_FieldEntry *field;
    PyObject *values = PyDict_New(), *names, *value;
    int status;

    if (values == NULL || _Pycs_FirstField(api, Py_TYPE(type)) == NULL || !_Pycs_IsFilled(type)) return values;
    names = PyList_New(0);
    status = names != NULL ? 0 : -1;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if (status < 0) break;
        if (!_Pycs_IsOwn(api, type, field)) continue;
        if (_Pycs_GoesByName(api, Py_TYPE(type), field)) {
            value = _Pycs_ReadField(api, type, field);
            status = value != NULL ? PyDict_SetItem(values, field->name, value) : -1;
        }
        else {
            value = PyUnicode_FromString(_Pycs_AttributeName(field));
            status = value != NULL ? PyList_Append(names, value) : -1;
        }
        Py_XDECREF(value);
    }
    if (status == 0 && PyList_GET_SIZE(names) > 0) {
        value = PyList_AsTuple(names);
        status = value != NULL ? PyDict_SetItemString(values, _Pycs_SET_BY_C, value) : -1;
        Py_XDECREF(value);
    }
    Py_XDECREF(names);
    if (status < 0) Py_CLEAR(values);
    return values;
}

/* Does a class that is made again, from a dict of FIELDS, have its own values of all fields that are
   only named there?  0, or -1 with a TypeError. */
_Pycs_PRIVATE int
_Pycs_ExpectOwn(_Pycs_API *api, PyTypeObject *type, PyObject *values)
{
    const _Pycs_FieldEntry *field;
    PyObject *key = PyUnicode_InternFromString(_Pycs_SET_BY_C), *names = NULL, *name;
    int status = key == NULL || (PyDict_Check(values) && _Pycs_LookUp(values, key, &names) < 0) ? -1 : 0;

    Py_XDECREF(key);
    if (names == NULL || !PyTuple_Check(names) || !_Pycs_IsFilled(type)) goto done;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if (_Pycs_IsOwn(api, type, field) || _Pycs_GoesByName(api, Py_TYPE(type), field)) continue;
        name = PyUnicode_FromString(_Pycs_AttributeName(field));
        status = name != NULL ? PySequence_Contains(names, name) : -1;
        Py_XDECREF(name);
        if (status != 0) break;
    }
    if (status > 0) {
        PyErr_Format(PyExc_TypeError,
                     "class '%.200s': found that C code set field '%s' of metaclass '%.200s' in the class "
                     "that this one is a copy of; a copy or a pickle has only values that Python may set; "
                     "expected __init_subclass__ of a base to set it again; or set it after the class was "
                     "copied, by a decorator above; or pickle the class by reference", type->tp_name,
                     _Pycs_AttributeName(field), field->list->metaclass->tp_name);
    }
done:
    Py_XDECREF(names);
    return status == 0 ? 0 : -1;
}

/* Does the metaclass have all the fields that a dict of FIELDS names?  A class from a pickle gets the
   metaclass that this process has.  0, or -1 with an AttributeError. */
_Pycs_PRIVATE int
_Pycs_ExpectNamed(_Pycs_API *api, PyTypeObject *type, PyObject *values)
{
    PyObject *names = PyDict_Check(values) ? PyDict_Keys(values) : PyList_New(0), *shown;
    int is_known = names != NULL;
    Py_ssize_t i;

    for (i = 0; is_known && i < PyList_GET_SIZE(names); i++) {
        PyObject *name = PyList_GET_ITEM(names, i);
        const _Pycs_FieldEntry *field;

        is_known = !PyUnicode_Check(name) || PyUnicode_CompareWithASCIIString(name, _Pycs_SET_BY_C) == 0;
        if (is_known) continue;
        _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
            is_known |= (field->def.flags & PyExtensibleType_WRITABLE) && PyUnicode_Compare(field->name, name) == 0;
        }
        if (is_known || !(shown = _Pycs_Repr(name))) continue;
        PyErr_Format(PyExc_AttributeError,
                     "class '%.200s' has no C field %U that Python may set, for which the dict or the pickle that "
                     "it is made from has a value; expected metaclass '%.200s' to declare it so; a pickle needs "
                     "the metaclass of the version that it was made with",
                     type->tp_name, shown, Py_TYPE(type)->tp_name);
        Py_DECREF(shown);
    }
    Py_XDECREF(names);
    return is_known ? 0 : -1;
}

/* Sets the fields that a dict names, for decorators that copy the entries of __dict__ one by one
   as attributes. */
_Pycs_PRIVATE int
_Pycs_set_values_of_class(_Pycs_API *api, PyObject *self, PyObject *values)
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyObject *items;
    Py_ssize_t i;
    int status = 0;

    if (values == NULL || !PyDict_Check(values)) {
        return _Pycs_Deny(PyExc_TypeError, "%U of class '%.200s': found %s%.200s%s, expected a dict "
                          "{field: value}", api->state->name_fields, type->tp_name,
                          values != NULL ? "an object of type '" : "nothing (it cannot be deleted)",
                          values != NULL ? Py_TYPE(values)->tp_name : "", values != NULL ? "'" : "");
    }
    if (_Pycs_ExpectNamed(api, type, values) < 0 || !(items = PyDict_Items(values))) return -1;
    for (i = 0; status == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i), *name = PyTuple_GET_ITEM(item, 0);
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, _Pycs_SET_BY_C) == 0) continue;
        status = _Pycs_set_field_object(api, type, name, PyTuple_GET_ITEM(item, 1));
    }
    Py_DECREF(items);
    return status == 0 ? _Pycs_ExpectOwn(api, type, values) : -1;
}

/* __dict__: type's own, if the class set nothing; otherwise a copy with the values. */
_Pycs_PRIVATE PyObject *
_Pycs_get_dict(_Pycs_API *api, PyObject *self)
{
    PyObject *entries, *values = NULL, *all = NULL, *names = NULL, *result = NULL;

    entries = _Pycs_Delegate(api->state->type_dict, self);
    if (entries == NULL || !(values = _Pycs_ValuesOfClass(api, (PyTypeObject *)self))) {
        goto done;
    }
    if (PyDict_GET_SIZE(values) == 0) result = Py_NewRef(entries);
    /* Entries of the class's dict take precedence: instances find those. */
    else if ((all = PyDict_New()) && PyDict_Update(all, entries) == 0 && PyDict_Merge(all, values, 0) == 0
            && (names = PyObject_CallMethod(all, "pop", "sO", _Pycs_SET_BY_C, Py_None))
            && PyDict_SetItem(all, api->state->name_fields, values) == 0) result = PyDictProxy_New(all);
done:
    _Pycs_XDECREF_ALL(entries, values, all, names);
    return result;
}

/* __dir__: the names that type.__dir__ finds, which include those that classes set, and the other
   fields that Python can read. */
_Pycs_PRIVATE PyObject *
_Pycs_get_dir(_Pycs_API *api, PyObject *self)
{
    PyTypeObject *type = (PyTypeObject *)self;
    const _Pycs_FieldEntry *field;
    PyObject *found = PyObject_CallMethod((PyObject *)&PyType_Type, "__dir__", "O", self);
    PyObject *names = NULL, *result = NULL;

    if (found == NULL || !(names = PySet_New(found))) goto done;
    /* That entry is for code that makes a class again, not for people. */
    if (PySet_Discard(names, api->state->name_fields) < 0) goto done;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if ((field->def.flags & PyExtensibleType_READABLE)
                && _Pycs_HasBytesOf(type, field->list) && PySet_Add(names, field->name) < 0) goto done;
    }
    result = PySequence_List(names);
done:
    Py_XDECREF(found);
    Py_XDECREF(names);
    return result;
}

/* The value of a field whose name became a slot of the instances, and so left the namespace;
   borrowed, NULL with or without an exception. */
_Pycs_PRIVATE PyObject *
_Pycs_CarriedValue(_Pycs_API *api, PyObject *ns, PyObject *values, PyObject *name)
{
    PyObject *slots;
    int is_slot = 0;
    if (values == NULL || !PyDict_Check(values)) return NULL;
    if (_Pycs_LookUp(ns, api->state->name_slots, &slots) < 0 || slots == NULL) return NULL;
    if (PyUnicode_Check(slots)) is_slot = PyUnicode_Compare(slots, name) == 0;
    else if (PyTuple_Check(slots) || PyList_Check(slots) || PyDict_Check(slots)) {
        is_slot = PySequence_Contains(slots, name);
    }
    Py_DECREF(slots);
    return is_slot > 0 && !PyErr_Occurred() ? PyDict_GetItemWithError(values, name) : NULL;
}
