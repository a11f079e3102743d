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
   objects to None: so a class is made with it, and where None stands is an object.  It is
   none of ours: what tp_new made of all layers, the metaclass's own functions release.
   Their number, and in *fields an array to be freed; -1 with an exception. */
_PyCustomSlots_UNUSED static Py_ssize_t
_PyExtensibleType_DetectObjects(PyTypeObject *metaclass, PyExtensibleType_Field **fields)
{
    const Py_ssize_t start = metaclass->tp_base->tp_basicsize, end = metaclass->tp_basicsize;
    const Py_ssize_t word = (Py_ssize_t)sizeof(PyObject *);
    PyTypeObject *const probed = _PyExtensibleType_probed;
    PyObject *args = NULL, *made = NULL;
    Py_ssize_t at, count = -1;

    *fields = NULL;
    if (metaclass->tp_new == NULL || metaclass->tp_new == PyType_Type.tp_new
            || end - start < word) return 0;
    if (!(args = Py_BuildValue("(s(){})", "probe"))) goto done;
    _PyExtensibleType_probed = metaclass;
    made = metaclass->tp_new(metaclass, args, NULL);
    _PyExtensibleType_probed = probed;
    if (made == NULL) goto done;
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

/* Takes a layer into the list, unless another thread was faster: 0, and it is to be freed. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_LinkLayer(_PyExtensibleType_API *api, _PyExtensibleType_Layer *layer)
{
    int is_new;
    _PyExtensibleType_Lock(api);
    if ((is_new = _PyExtensibleType_FindLayer(api, layer->metaclass) == NULL)) {
        api->hooked += layer->hooked;
        api->named += layer->named;
        layer->next = api->layers;
        _PyCustomSlots_STORE(_PyExtensibleType_Layer *, &api->layers, layer);
    }
    _PyExtensibleType_Unlock(api);
    return is_new;
}

/* Does a class of `metaclass` have values that are more than their bytes? */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_HasManagedFields(_PyExtensibleType_API *api, PyTypeObject *metaclass)
{
    const _PyExtensibleType_Layer *layer;
    while ((layer = _PyExtensibleType_NextLayer(api, &metaclass))) {
        if (layer->objects + layer->hooked > 0) return 1;
    }
    return 0;
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
    _PyExtensibleType_RestoreHooks(metaclass);
    /* Cython gives every cdef class a tp_new, and a metaclass with one is refused by
       PyType_FromSpec(); it does nothing that tp_alloc does not. */
    metaclass->tp_new = PyType_Type.tp_new;
    if (_PyExtensibleType_LinkLayer(api, layer)) layer = NULL;
    /* Also where only a base has such fields: Cython gives a class that adds none the
       functions of its base, or calls them in its own. */
    if (_PyExtensibleType_HasManagedFields(api, metaclass)) {
        metaclass->tp_dealloc = root->tp_dealloc;
        metaclass->tp_traverse = root->tp_traverse;
        metaclass->tp_clear = root->tp_clear;
    }
    status = 0;
done:
    if (layer != NULL) _PyExtensibleType_FreeLayer(layer);
    PyMem_RawFree(detected);
    return status;
}

/* Is what stands under __new__ in the dict of a metaclass written in C, as Cython's is?
   1: yes; 0: in Python; -1: nothing stands there. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_HasNewInC(_PyExtensibleType_API *api, PyTypeObject *metaclass)
{
    PyObject *found = metaclass->tp_dict == NULL ? NULL
                      : PyDict_GetItemWithError(metaclass->tp_dict, api->name_new);
    return found != NULL ? PyCFunction_Check(found) : -1;
}

/* A metaclass derives from one with registered fields, it is Cython's, and nobody registered
   it: it would set all of these fields anew, and release them a second time.  So it is
   registered now, and those above it.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_AdoptFields(_PyExtensibleType_API *api, PyTypeObject *metaclass)
{
    PyTypeObject *above = metaclass;
    if (metaclass == api->metaclass || _PyExtensibleType_FindLayer(api, metaclass) != NULL
            || _PyExtensibleType_NextLayer(api, &above) == NULL) return 0;
    if (_PyExtensibleType_AdoptFields(api, metaclass->tp_base) < 0) return -1;
    return metaclass->tp_new == PyType_Type.tp_new
           || _PyExtensibleType_HasNewInC(api, metaclass) != 1 ? 0
           : _PyExtensibleType_AddLayer(api, metaclass, NULL, 0, 1);
}

/* Before a metaclass makes a class: gives it our hooks, and itself to us, see AdoptFields().
   0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_Adopt(_PyExtensibleType_API *api, PyTypeObject *metaclass)
{
    PyObject *mro;
    Py_ssize_t i;
    int in_c = -1;

    _PyExtensibleType_RestoreHooks(metaclass);
    if (metaclass->tp_new == PyType_Type.tp_new) return 0;
    if (_PyExtensibleType_AdoptFields(api, metaclass) < 0) return -1;
    /* One made in Python has a copy of the tp_new that it inherited. */
    mro = _PyExtensibleType_FetchMro(api, metaclass);
    for (i = 0; mro != NULL && in_c < 0 && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        in_c = _PyExtensibleType_HasNewInC(api, item);
        if (in_c > 0 && item->tp_new == PyType_Type.tp_new) metaclass->tp_new = item->tp_new;
    }
    Py_XDECREF(mro);
    return 0;
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
