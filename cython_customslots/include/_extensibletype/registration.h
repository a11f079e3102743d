/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/registration.h - a metaclass says which C fields it has.
 * Included by extensibletype.h; not for direct use.
 *
 * From then on the fields are ours to fill, to visit, to clear and to release, in place
 * of what the metaclass's author, or Cython in his name, wrote for that.
 */
#ifndef Py_EXTENSIBLETYPE_REGISTRATION_H
#define Py_EXTENSIBLETYPE_REGISTRATION_H

/* The fields of a metaclass that nobody described.  Cython's tp_new sets its Python
   objects to None: so a class is made with it, and where None stands is an object.
   Their number, and in *fields an array to be freed; -1 with an exception. */
_PyCustomSlots_UNUSED static Py_ssize_t
_PyExtensibleType_DetectObjects(PyTypeObject *metaclass, PyExtensibleType_Field **fields)
{
    const Py_ssize_t start = metaclass->tp_base->tp_basicsize, end = metaclass->tp_basicsize;
    const Py_ssize_t word = (Py_ssize_t)sizeof(PyObject *);
    PyObject *args = NULL, *made = NULL;
    Py_ssize_t at, count = -1;

    *fields = NULL;
    if (metaclass->tp_new == NULL || metaclass->tp_new == PyType_Type.tp_new
            || end - start < word) return 0;
    if (!(args = Py_BuildValue("(s(){})", "probe"))) goto done;
    if (!(made = metaclass->tp_new(metaclass, args, NULL))) goto done;
    *fields = (PyExtensibleType_Field *)PyMem_RawCalloc((size_t)((end - start) / word),
                                                        sizeof(PyExtensibleType_Field));
    if (*fields == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    count = 0;
    for (at = (start + word - 1) / word * word; at <= end - word; at += word) {
        PyObject *value = *(PyObject **)(void *)((char *)made + at);
        if (value != Py_None) continue;
        (*fields)[count].name = "(object)";
        (*fields)[count].offset = at;
        (*fields)[count].size = word;
        (*fields)[count++].type = PyExtensibleType_OBJECT;
    }
done:
    Py_XDECREF(args);
    Py_XDECREF(made);
    return count;
}

/* Puts descriptors for the fields that Python sees into the metaclass's dict.  All or
   none: 0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_PutDescriptors(_PyExtensibleType_Layer *layer)
{
    PyObject *dict = layer->metaclass->tp_dict, **former = NULL, *descriptor;
    Py_ssize_t i = 0;
    int status = -1;

    former = (PyObject **)PyMem_RawCalloc((size_t)layer->count + 1, sizeof(PyObject *));
    if (former == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (; i < layer->count; i++) {
        _PyExtensibleType_FieldEntry *field = &layer->fields[i];
        if (field->name == NULL) continue;
        field->getset.name = field->def.name;
        field->getset.get = _PyExtensibleType_field_get;
        field->getset.set = _PyExtensibleType_field_set;
        field->getset.doc = field->def.doc;
        field->getset.closure = field;
        former[i] = PyDict_GetItemWithError(dict, field->name);
        if (former[i] == NULL && PyErr_Occurred()) goto done;
        Py_XINCREF(former[i]);
        if (!(descriptor = PyDescr_NewGetSet(layer->metaclass, &field->getset))) goto done;
        status = PyDict_SetItem(dict, field->name, descriptor);
        Py_DECREF(descriptor);
        if (status < 0) goto done;
        status = -1;
    }
    status = 0;
done:
    if (status < 0 && former != NULL) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        while (i-- > 0) {
            PyObject *name = layer->fields[i].name;
            if (name == NULL) continue;
            if (former[i] != NULL) (void)PyDict_SetItem(dict, name, former[i]);
            else (void)PyDict_DelItem(dict, name);
        }
        PyErr_Restore(type, value, traceback);
    }
    for (i = 0; former != NULL && i < layer->count; i++) Py_XDECREF(former[i]);
    PyMem_RawFree(former);
    PyType_Modified(layer->metaclass);
    return status;
}

/* `detect`: nobody describes the fields. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_AddLayer(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                           const PyExtensibleType_Field *fields, Py_ssize_t count, int detect)
{
    PyTypeObject *root = api->metaclass;
    PyExtensibleType_Field *detected = NULL;
    _PyExtensibleType_Layer *layer = NULL;
    int status = -1;

    if (!PyType_IsSubtype(metaclass, root) || metaclass->tp_base == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "C fields can be inherited for a metaclass derived from "
                     "%.200s; found '%.200s', which is not", root->tp_name,
                     metaclass->tp_name);
        return -1;
    }
    if (metaclass == root || _PyExtensibleType_FindLayer(api, metaclass) != NULL) return 0;
    if (detect) {
        if ((count = _PyExtensibleType_DetectObjects(metaclass, &detected)) < 0) goto done;
        fields = detected;
    }
    if (!(layer = _PyExtensibleType_NewLayer(metaclass, fields, count))) goto done;
    if (_PyExtensibleType_PutDescriptors(layer) < 0) goto done;
    /* Cython gives every cdef class a tp_new, and a metaclass with one is refused by
       PyType_FromSpec(); it does nothing that tp_alloc does not. */
    metaclass->tp_new = PyType_Type.tp_new;
    if (layer->objects + layer->hooked > 0) {
        metaclass->tp_dealloc = root->tp_dealloc;
        metaclass->tp_traverse = root->tp_traverse;
        metaclass->tp_clear = root->tp_clear;
    }
    api->hooked += layer->hooked;
    api->writable += layer->writable;
    layer->next = api->layers;
    _PyCustomSlots_STORE(_PyExtensibleType_Layer *, &api->layers, layer);
    layer = NULL;
    status = 0;
done:
    if (layer != NULL) _PyExtensibleType_FreeLayer(layer);
    PyMem_RawFree(detected);
    return status;
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_inherit_fields(_PyExtensibleType_API *api, PyTypeObject *metaclass)
{
    return _PyExtensibleType_AddLayer(api, metaclass, NULL, 0, 1);
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_register_fields(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                                  const PyExtensibleType_Field *fields, Py_ssize_t count,
                                  Py_ssize_t field_size)
{
    if (count < 0 || (count > 0 && fields == NULL)
            || field_size != (Py_ssize_t)sizeof(PyExtensibleType_Field)) {
        PyErr_Format(PyExc_ValueError,
                     "fields of metaclass '%.200s': found %zd descriptions of %zd bytes at "
                     "address %p, expected a count of 0 or more, an array unless it is 0, "
                     "and %zd bytes; rebuild both modules with the same cython-customslots",
                     metaclass->tp_name, count, field_size, (const void *)fields,
                     (Py_ssize_t)sizeof(PyExtensibleType_Field));
        return -1;
    }
    return _PyExtensibleType_AddLayer(api, metaclass, fields, count, 0);
}

#endif /* Py_EXTENSIBLETYPE_REGISTRATION_H */
