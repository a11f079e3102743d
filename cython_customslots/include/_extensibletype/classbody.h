/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/classbody.h - C fields that a class statement gives values.
 * Included by extensibletype.h; not for direct use.
 *
 *     class Sub(Greet, level=3):          # by keyword, or
 *         level = 3                       # in the body
 *
 * A name that the metaclass declares WRITABLE is the field's, not the class's: it is
 * converted before anything is made, so that a bad value leaves no class behind; is in
 * place before __init_subclass__ runs; and does not stay in the class's dict, where
 * instances would find it.  A keyword is not passed on.
 */
#ifndef Py_EXTENSIBLETYPE_CLASSBODY_H
#define Py_EXTENSIBLETYPE_CLASSBODY_H

_PyCustomSlots_UNUSED static void
_PyExtensibleType_FreeBody(_PyExtensibleType_Handover *node)
{
    Py_ssize_t i;
    for (i = 0; i < node->count; i++) {
        _PyExtensibleType_BodyValue *value = &node->values[i];
        _PyExtensibleType_FreeValue(value->field, value->value);
        _PyExtensibleType_FreeOwn(value->own);
        Py_XDECREF(value->object);
    }
    PyMem_RawFree(node->values);
    node->values = NULL;
    node->count = 0;
}

_PyCustomSlots_UNUSED static inline _PyExtensibleType_BodyValue *
_PyExtensibleType_FindBodyValue(const _PyExtensibleType_Handover *node, PyObject *name)
{
    Py_ssize_t i;
    for (i = 0; node != NULL && i < node->count; i++) {
        if (node->values[i].field->name == name) return &node->values[i];
    }
    return NULL;
}

/* Converts what keywords and body say into node->values.  Keywords that are fields are
   taken out of *kwargs, which becomes a new dict then.  0, or -1 with an exception; in any
   case *kwargs is counted and FreeBody() cleans up. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ReadBody(_PyExtensibleType_API *api, _PyExtensibleType_Handover *node,
                           PyObject *class_name, PyObject **kwargs)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, node->metaclass);
    const _PyExtensibleType_FieldEntry *field;
    const char *text = PyUnicode_Check(class_name) ? PyUnicode_AsUTF8(class_name) : "?";
    int copied = 0;

    if (text == NULL) {
        PyErr_Clear();
        text = "?";
    }
    while ((field = _PyExtensibleType_NextField(&iter))) {
        PyObject *by_keyword = NULL, *in_body, *object;
        _PyExtensibleType_BodyValue *value;
        void *values;

        if (!(field->def.flags & PyExtensibleType_WRITABLE)) continue;
        if (_PyExtensibleType_FindBodyValue(node, field->name)) continue;
        in_body = PyDict_GetItemWithError(node->ns, field->name);
        if (in_body == NULL && PyErr_Occurred()) return -1;
        if (*kwargs != NULL) {
            by_keyword = PyDict_GetItemWithError(*kwargs, field->name);
            if (by_keyword == NULL && PyErr_Occurred()) return -1;
        }
        if (in_body != NULL && by_keyword != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "class '%.200s': field '%s' is given by keyword and in the class "
                         "body, expected one of them", text, field->def.name);
            return -1;
        }
        if (!(object = by_keyword != NULL ? by_keyword : in_body)) continue;
        values = PyMem_RawRealloc(node->values, (size_t)(node->count + 1)
                                                * sizeof(_PyExtensibleType_BodyValue));
        if (values == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        node->values = (_PyExtensibleType_BodyValue *)values;
        value = &node->values[node->count++];
        memset(value, 0, sizeof(*value));
        value->field = field;
        Py_INCREF(object);
        value->object = object;
        if (by_keyword != NULL) {
            if (!copied) {
                PyObject *copy = PyDict_Copy(*kwargs);
                if (copy == NULL) return -1;
                Py_DECREF(*kwargs);
                *kwargs = copy;
                copied = 1;
            }
            if (PyDict_DelItem(*kwargs, field->name) < 0) return -1;
        }
        if (!(value->value = _PyExtensibleType_Convert(text, field, object))) return -1;
        if (!(value->own = _PyExtensibleType_NewOwn(field, object))) return -1;
    }
    return 0;
}

/* Moves the values into a class that was just allocated and filled: for the time being,
   because it may be another class than the one they are meant for.  Under the lock.
   Cannot fail. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_PlaceBody(_PyExtensibleType_API *api, _PyExtensibleType_Handover *node,
                            PyTypeObject *type)
{
    Py_ssize_t i;
    for (i = 0; i < node->count; i++) {
        _PyExtensibleType_BodyValue *value = &node->values[i];
        const _PyExtensibleType_FieldEntry *field = value->field;
        char *to = _PyExtensibleType_FieldAt(type, field);
        const size_t behind = _PyExtensibleType_BehindCopy(field);
        /* What was inherited goes where the value came from, and goes with it. */
        if (_PyExtensibleType_IsHooked(field)) {
            field->def.move(value->value + behind, to);
            field->def.move(to, value->value);
            field->def.move(value->value, value->value + behind);
        }
        else if (_PyExtensibleType_IsObject(field)) {
            PyObject *inherited = *(PyObject **)(void *)to;
            memcpy(to, value->value, sizeof(PyObject *));
            memcpy(value->value, &inherited, sizeof(PyObject *));
        }
        else {
            memcpy(to, value->value, (size_t)field->def.size);
        }
        value->moved_to = type;
        value->own->provisional = 1;
        (void)_PyExtensibleType_InsertOwn(api, type, value->own);
        value->own = NULL;
    }
}

/* Sees to it that a class that was made (by the call that `node` belongs to, or NULL) has
   what its body says, and that its dict has not.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_FinishBody(_PyExtensibleType_API *api, PyTypeObject *type,
                             const _PyExtensibleType_Handover *node)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    _PyExtensibleType_FieldEntry *field;

    if (api->writable == 0 || type->tp_dict == NULL) return 0;
    while ((field = _PyExtensibleType_NextField(&iter))) {
        const _PyExtensibleType_BodyValue *value;
        PyObject *object;
        int in_body, is_own, status = 0;

        if (!(field->def.flags & PyExtensibleType_WRITABLE)) continue;
        value = _PyExtensibleType_FindBodyValue(node, field->name);
        object = PyDict_GetItemWithError(type->tp_dict, field->name);
        if (object == NULL && PyErr_Occurred()) return -1;
        in_body = object != NULL;
        if (object == NULL && value != NULL && value->field == field) object = value->object;
        if (object == NULL) continue;
        Py_INCREF(object);
        _PyExtensibleType_Lock(api);
        is_own = _PyExtensibleType_IsOwn(api, type, field);
        _PyExtensibleType_Unlock(api);
        if (value == NULL || value->moved_to != type || value->object != object || !is_own) {
            status = _PyExtensibleType_SetEntry(api, type, field, object);
        }
        if (status == 0 && in_body) {
            status = PyDict_DelItem(type->tp_dict, field->name);
            PyType_Modified(type);
        }
        Py_DECREF(object);
        if (status < 0) return -1;
    }
    return 0;
}

#endif /* Py_EXTENSIBLETYPE_CLASSBODY_H */
