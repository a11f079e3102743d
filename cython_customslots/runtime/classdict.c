/* SPDX-License-Identifier: MIT
 *
 * runtime/classdict.c - what a class set itself stands in its __dict__.
 *
 *     class Sub(Greet):
 *         level = 3               Sub.__dict__["level"] == 3, but Sub().level is no attribute
 *
 * A value of a C field is no entry of the class's dict: instances would find it there.  But
 * whoever looks into __dict__ does so to learn what a class has itself, as opposed to what
 * it inherits:
 *
 *   - decorators that make a class anew, dataclass(slots=True) and attrs.define among them:
 *     type(C)(C.__name__, C.__bases__, dict(C.__dict__));
 *   - mock.patch.object() and pytest's monkeypatch, which put back what stood there and
 *     delete what did not.
 *
 * So __dict__ is a descriptor of extensibletype, around type's own, that shows such values
 * beside the entries.  The same once more in one entry, _PyExtensibleType_FIELDS: a decorator
 * that turns a name into an instance's slot takes the name out of the dict, and the value is
 * still there.
 */
#include "runtime/classdict.h"

#include "runtime/convert.h"
#include "runtime/guard.h"
#include "runtime/layers.h"
#include "runtime/setter.h"
#include "runtime/sidecar.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* A dict {name: value} of what the class set itself, of what Python may read and set; a new
   reference, NULL with an exception. */
_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_ValuesOfClass(_PyExtensibleType_API *api, PyTypeObject *type)
{
    const unsigned visible = PyExtensibleType_READABLE | PyExtensibleType_WRITABLE;
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    _PyExtensibleType_FieldEntry *field;
    PyObject *values = PyDict_New(), *value;
    int is_set, status = 0;

    if (values == NULL || api->state->named == 0 || !_PyExtensibleType_IsKnown(type)) return values;
    while (status == 0 && (field = _PyExtensibleType_NextField(&iter))) {
        if ((field->def.flags & visible) != visible) continue;
        status = PyDict_Contains(values, field->name);      /* of a more derived metaclass */
        if (status != 0) {
            if (status > 0) status = 0;
            continue;
        }
        _PyExtensibleType_Lock(api);
        is_set = !_PyExtensibleType_InheritsField(api, type, field);
        _PyExtensibleType_Unlock(api);
        if (!is_set) continue;
        value = _PyExtensibleType_ReadField(api, type, field);
        status = value != NULL ? PyDict_SetItem(values, field->name, value) : -1;
        Py_XDECREF(value);
    }
    if (status < 0) Py_CLEAR(values);
    return values;
}

/* Sets what is in a dict; for those who copy attribute by attribute what stands in __dict__. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_set_values_of_class(_PyExtensibleType_API *api, PyObject *self, PyObject *values)
{
    PyObject *items = NULL;
    Py_ssize_t i;
    int status = -1;

    if (values == NULL || !PyDict_Check(values)) {
        PyErr_Format(PyExc_TypeError, "%U of class '%.200s': found %s%.200s%s, expected a dict "
                     "{field: value}", api->state->name_fields, ((PyTypeObject *)self)->tp_name,
                     values != NULL ? "an object of type '" : "nothing (it cannot be deleted)",
                     values != NULL ? Py_TYPE(values)->tp_name : "", values != NULL ? "'" : "");
        return -1;
    }
    if (!(items = PyDict_Items(values))) return -1;
    for (i = 0; i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i);
        if (!PyUnicode_Check(PyTuple_GET_ITEM(item, 0))) {
            PyErr_Format(PyExc_TypeError, "%U of class '%.200s': found a key of type '%.200s', "
                         "expected names of fields", api->state->name_fields,
                         ((PyTypeObject *)self)->tp_name,
                         Py_TYPE(PyTuple_GET_ITEM(item, 0))->tp_name);
            goto done;
        }
        if (_PyExtensibleType_set_field_object(api, (PyTypeObject *)self,
                                               PyTuple_GET_ITEM(item, 0),
                                               PyTuple_GET_ITEM(item, 1)) < 0) goto done;
    }
    status = 0;
done:
    Py_DECREF(items);
    return status;
}

/* __dict__: type's own, if the class set nothing; otherwise a copy with the values. */
_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_get_dict(_PyExtensibleType_API *api, PyObject *self)
{
    PyObject *entries, *values = NULL, *all = NULL, *result = NULL;

    entries = Py_TYPE(api->state->type_dict)->tp_descr_get(api->state->type_dict, self,
                                                    (PyObject *)Py_TYPE(self));
    if (entries == NULL || !(values = _PyExtensibleType_ValuesOfClass(api, (PyTypeObject *)self))) {
        goto done;
    }
    if (PyDict_GET_SIZE(values) == 0) {
        result = entries;
        entries = NULL;
        goto done;
    }
    /* What is in the dict goes before: it is what instances find under that name. */
    if (!(all = PyDict_New()) || PyDict_Update(all, entries) < 0
            || PyDict_Merge(all, values, 0) < 0
            || PyDict_SetItem(all, api->state->name_fields, values) < 0) goto done;
    result = PyDictProxy_New(all);
done:
    Py_XDECREF(entries);
    Py_XDECREF(values);
    Py_XDECREF(all);
    return result;
}

/* Of these the value of a field whose name has become that of an instance's slot; borrowed,
   NULL with or without an exception. */
_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_CarriedValue(_PyExtensibleType_API *api, PyObject *ns, PyObject *values,
                               PyObject *name)
{
    PyObject *slots;
    int is_slot = 0;
    if (values == NULL || !PyDict_Check(values)) return NULL;
    if (!(slots = PyDict_GetItemWithError(ns, api->state->name_slots))) return NULL;
    if (PyUnicode_Check(slots)) is_slot = PyUnicode_Compare(slots, name) == 0;
    else if (PyTuple_Check(slots) || PyList_Check(slots) || PyDict_Check(slots)) {
        is_slot = PySequence_Contains(slots, name);
    }
    return is_slot > 0 && !PyErr_Occurred() ? PyDict_GetItemWithError(values, name) : NULL;
}
