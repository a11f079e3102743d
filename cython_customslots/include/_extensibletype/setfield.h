/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/setfield.h - giving C fields values, from C and from Python.
 * Included by extensibletype.h; not for direct use.
 *
 * A value that is set for a class reaches the subclasses that did not set their own, as
 * a class attribute would, and a value that is deleted is inherited again; but what is
 * read stays one load away, so it is the setter that does the work.
 */
#ifndef Py_EXTENSIBLETYPE_SETFIELD_H
#define Py_EXTENSIBLETYPE_SETFIELD_H

/* ------------------------------------------------------------------ conversion -- */

/* Says whose field it was in front of what a conversion complained about. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_BlameField(const char *class_name, const _PyExtensibleType_FieldEntry *field)
{
    PyObject *type, *value, *traceback, *text = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    if (type == PyExc_TypeError || type == PyExc_ValueError || type == PyExc_OverflowError) {
        PyErr_NormalizeException(&type, &value, &traceback);
        text = value != NULL ? PyObject_Str(value) : NULL;
        PyErr_Clear();
    }
    if (text == NULL) {
        PyErr_Restore(type, value, traceback);
        return;
    }
    PyErr_Format(type, "field '%s' of class '%.200s' (metaclass '%.200s'): %U",
                 field->def.name, class_name, field->layer->metaclass->tp_name, text);
    Py_DECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

/* An integer of the field's size, with an OverflowError for one that does not fit:
   PyMember_SetOne() would cut it off with a warning. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_StoreInteger(const PyExtensibleType_Field *def, int is_signed, void *to,
                               PyObject *value)
{
    PyObject *number = PyNumber_Index(value), *shown = NULL;
    const int bits = 8 * (int)def->size;
    long long s = 0;
    unsigned long long u = 0;
    int fits, status = -1;

    if (number == NULL) goto done;
    if (is_signed) {
        s = PyLong_AsLongLong(number);
        fits = bits == 64 || (s >= -(1LL << (bits - 1)) && s < 1LL << (bits - 1));
        u = (unsigned long long)s;
    }
    else {
        u = PyLong_AsUnsignedLongLong(number);
        fits = bits == 64 || u < 1ULL << bits;
    }
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) goto done;
        PyErr_Clear();
        fits = 0;
    }
    if (!fits) {
        if ((shown = _PyCustomSlots_Show(value)) != NULL) {
            PyErr_Format(PyExc_OverflowError, "found %U, expected %s integer of %zd bytes",
                         shown, is_signed ? "a signed" : "an unsigned", def->size);
        }
        goto done;
    }
    switch (def->size) {
    case 1: { uint8_t v = (uint8_t)u; memcpy(to, &v, sizeof(v)); break; }
    case 2: { uint16_t v = (uint16_t)u; memcpy(to, &v, sizeof(v)); break; }
    case 4: { uint32_t v = (uint32_t)u; memcpy(to, &v, sizeof(v)); break; }
    default: memcpy(to, &u, sizeof(u));
    }
    status = 0;
done:
    Py_XDECREF(number);
    Py_XDECREF(shown);
    return status;
}

_PyCustomSlots_UNUSED static void
_PyExtensibleType_FreeValue(const _PyExtensibleType_FieldEntry *field, char *value)
{
    if (value == NULL) return;
    if (_PyExtensibleType_IsObject(field)) Py_XDECREF(*(PyObject **)(void *)value);
    else if (_PyExtensibleType_IsHooked(field)) field->def.destroy(value);
    PyMem_RawFree(value);
}

/* A block with the value that `object` stands for, and room for another one behind it
   (BehindCopy()), to be given to FreeValue(); NULL with an exception that names the class
   and the field.  Runs any code. */
_PyCustomSlots_UNUSED static char *
_PyExtensibleType_Convert(const char *class_name, const _PyExtensibleType_FieldEntry *field,
                          PyObject *object)
{
    const PyExtensibleType_Field *def = &field->def;
    char *value = (char *)PyMem_RawCalloc(2, _PyExtensibleType_BehindCopy(field));
    PyMemberDef member;
    int status, is_signed;

    if (value == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (_PyExtensibleType_IsObject(field)) {
        *(PyObject **)(void *)value = def->from_object != NULL ? Py_None : object;
        Py_INCREF(*(PyObject **)(void *)value);
    }
    if (def->from_object != NULL) {
        status = def->from_object(value, object);
    }
    else if (_PyExtensibleType_IsObject(field)) {
        status = 0;
    }
    else if ((is_signed = _PyExtensibleType_Signedness(def->type)) >= 0) {
        status = _PyExtensibleType_StoreInteger(def, is_signed, value, object);
    }
    else {
        memset(&member, 0, sizeof(member));
        member.name = def->name;
        member.type = def->type;
        status = PyMember_SetOne(value, &member, object);
    }
    if (status < 0) {
        if (_PyExtensibleType_IsObject(field)) Py_XDECREF(*(PyObject **)(void *)value);
        PyMem_RawFree(value);
        _PyExtensibleType_BlameField(class_name, field);
        return NULL;
    }
    return value;
}

/* -------------------------------------------------------------------- changing -- */

/* Registers a refresh for `type` and collects those of its subclasses that have the field,
   finished, with their MRO.  0, or -1 with an exception and nothing to discard. */
_PyCustomSlots_UNUSED static int
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
    _PyExtensibleType_Register(api, refresh);       /* before the classes are collected */
    if (!(types = _PyExtensibleType_CollectSubclasses(api, type))) goto done;
    n = PyList_GET_SIZE(types);
    refresh->pending = (_PyExtensibleType_Pending *)PyMem_RawCalloc(
        (size_t)n, sizeof(_PyExtensibleType_Pending));
    if (refresh->pending == NULL) goto no_memory;
    for (i = 0; i < n; i++) {
        PyTypeObject *item = (PyTypeObject *)PyList_GET_ITEM(types, i);
        _PyExtensibleType_Pending *entry = &refresh->pending[refresh->count];
        if (_PyExtensibleType_APIOf(Py_TYPE(item)) != api
                || !_PyExtensibleType_OwnsLayer(item, field->layer)) continue;
        if (_PyExtensibleType_Resolve(api, item) < 0) goto done;
        if (_PyExtensibleType_IsUnresolved(item)) continue;      /* it will see: filled.h */
        if (!(entry->mro = _PyExtensibleType_FetchMro(api, item))) continue;
        Py_INCREF((PyObject *)item);
        entry->type = item;
        refresh->count++;
        if (_PyExtensibleType_ReserveDrops(api, Py_TYPE(item), &refresh->work) < 0) {
            goto no_memory;
        }
    }
    /* And for the defaults. */
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

/* The change itself, when nothing can come in between: under the lock.  `refresh` has the
   followers.  0, or -1 with what a copy hook raised and nothing changed. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ChangeLocked(_PyExtensibleType_API *api, PyTypeObject *type,
                               _PyExtensibleType_FieldEntry *field, const char *from,
                               _PyExtensibleType_Own **own,
                               _PyExtensibleType_Refresh *refresh)
{
    _PyExtensibleType_FieldWork *work = &refresh->work;
    _PyExtensibleType_Own *replaced;
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    Py_ssize_t i, n = 0;
    _PyExtensibleType_ASSERT_LOCKED(api);

    qsort(refresh->pending, (size_t)refresh->count, sizeof(*refresh->pending),
          _PyExtensibleType_ByDepth);
    /* Who inherits, before anything changes: the type itself, which is to change, and the
       others in front, in an order that puts bases first. */
    for (i = 0; i < refresh->count; i++) {
        _PyExtensibleType_Pending entry = refresh->pending[i];
        if (entry.type == type
                || !_PyExtensibleType_InheritsField(api, entry.type, field)) continue;
        refresh->pending[i] = refresh->pending[n];
        refresh->pending[n++] = entry;
    }
    for (i = 0; i < refresh->count && refresh->pending[i].type != type; i++) { }
    if (i == refresh->count) return 0;           /* it has no MRO any more */
    mro = _PyExtensibleType_MroOfTuple(type, refresh->pending[i].mro);

    replaced = *own != NULL ? _PyExtensibleType_InsertOwn(api, type, *own)
                            : _PyExtensibleType_RemoveOwn(api, type, field);
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
            if (*own != NULL) (void)_PyExtensibleType_RemoveOwn(api, type, field);
            if (replaced != NULL) (void)_PyExtensibleType_InsertOwn(api, type, replaced);
            return -1;
        }
    }
    /* From here on nothing can fail. */
    *own = NULL;
    _PyExtensibleType_RetireOwn(api, type, replaced);
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
    _PyCustomSlots_STORE(uintptr_t, &api->generation, api->generation + 1);
    return 0;
}

/* Gives `type` the value at `from` as its own (`own`: to be inserted, stolen), or what it
   inherits (`own` and `from` NULL), and lets the subclasses follow that inherit it.
   0, or -1 with an exception and nothing changed. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ChangeField(_PyExtensibleType_API *api, PyTypeObject *type,
                              _PyExtensibleType_FieldEntry *field, const void *from,
                              _PyExtensibleType_Own *own)
{
    _PyExtensibleType_Refresh refresh = _PyExtensibleType_REFRESH_INIT;
    uintptr_t generation;
    int status = -1;

    for (;;) {
        generation = _PyCustomSlots_LOAD(uintptr_t, &api->generation);
        if (_PyExtensibleType_CollectFollowers(api, type, field, &refresh) < 0) goto done;
        _PyExtensibleType_Lock(api);
        if (generation == _PyCustomSlots_LOAD(uintptr_t, &api->generation)
                && refresh.late_count == 0) break;
        _PyExtensibleType_Unlock(api);           /* others were faster: look again */
        _PyExtensibleType_RefreshDiscard(api, &refresh);
    }
    status = _PyExtensibleType_ChangeLocked(api, type, field, (const char *)from, &own,
                                            &refresh);
    _PyExtensibleType_Unregister(api, &refresh);
    _PyExtensibleType_Unlock(api);
    _PyExtensibleType_RefreshDiscard(api, &refresh);
done:
    _PyExtensibleType_FreeOwn(own);
    return status;
}

/* 0, or -1 with a TypeError: has `type` memory for C fields, and is it finished? */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ExpectFields(_PyExtensibleType_API *api, PyTypeObject *type)
{
    const char *wrong = NULL;
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

/* The field of `type` that begins at `offset` or, if it is plain bytes, has `size` bytes
   there (-1: any).  NULL with TypeError or ValueError. */
_PyCustomSlots_UNUSED static _PyExtensibleType_FieldEntry *
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
                     "fields of '%.200s': bytes %zd to %zd are not one value; field '%.100s' "
                     "has bytes %zd to %zd", type->tp_name, offset, offset + size,
                     field->def.name != NULL ? field->def.name : "(not described)", begin, end);
        return NULL;
    }
    PyErr_Format(PyExc_ValueError,
                 "fields of '%.200s': no field of metaclass '%.200s' has byte %zd; pass "
                 "offsetof(the metaclass's struct, the field), and register the metaclass's "
                 "fields first", type->tp_name, Py_TYPE(type)->tp_name, offset);
    return NULL;
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_set_field(_PyExtensibleType_API *api, PyTypeObject *type,
                            Py_ssize_t offset, const void *value, Py_ssize_t size)
{
    _PyExtensibleType_FieldEntry *field = _PyExtensibleType_FindField(api, type, offset, size);
    _PyExtensibleType_Own *own = NULL;
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
    if (!(own = _PyExtensibleType_NewOwn(field, NULL))) goto done;
    status = _PyExtensibleType_ChangeField(api, type, field, value, own);
done:
    PyMem_RawFree(whole);
    return status;
}

/* Takes the class's own value away.  One that inherits from nobody holds the default then:
   mock.patch.object() deletes what it has set. */
_PyCustomSlots_UNUSED static int
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

_PyCustomSlots_UNUSED static int
_PyExtensibleType_delete_field(_PyExtensibleType_API *api, PyTypeObject *type,
                               Py_ssize_t offset)
{
    _PyExtensibleType_FieldEntry *field = _PyExtensibleType_FindField(api, type, offset, -1);
    return field != NULL ? _PyExtensibleType_DeleteEntry(api, type, field) : -1;
}

/* All or none: the entries are made first. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_own_fields(_PyExtensibleType_API *api, PyTypeObject *type,
                             const Py_ssize_t *offsets, Py_ssize_t count)
{
    _PyExtensibleType_Own *owns = NULL, *known = NULL, *own;
    int status = -1;
    for (; count > 0; count--) {
        const _PyExtensibleType_FieldEntry *field
            = _PyExtensibleType_FindField(api, type, offsets[count - 1], -1);
        if (field == NULL || !(own = _PyExtensibleType_NewOwn(field, NULL))) goto done;
        own->next = owns;
        owns = own;
    }
    _PyExtensibleType_Lock(api);
    while ((own = owns)) {
        owns = own->next;
        own->next = NULL;
        if (_PyExtensibleType_IsOwn(api, type, own->field)) {    /* and keeps something */
            own->next = known;
            known = own;
        }
        else (void)_PyExtensibleType_InsertOwn(api, type, own);
    }
    _PyExtensibleType_Unlock(api);
    status = 0;
done:
    _PyExtensibleType_FreeOwn(known);
    _PyExtensibleType_FreeOwn(owns);
    return status;
}

/* ----------------------------------------------------------------- from Python -- */

/* Converts `value` and makes it the field's value for `type`; NULL deletes it. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_SetEntry(_PyExtensibleType_API *api, PyTypeObject *type,
                           _PyExtensibleType_FieldEntry *field, PyObject *value)
{
    _PyExtensibleType_Own *own;
    char *converted;
    int status = -1;

    if (value == NULL) return _PyExtensibleType_DeleteEntry(api, type, field);
    if (_PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (!(converted = _PyExtensibleType_Convert(type->tp_name, field, value))) return -1;
    if ((own = _PyExtensibleType_NewOwn(field, value))) {
        status = _PyExtensibleType_ChangeField(api, type, field, converted, own);
    }
    _PyExtensibleType_FreeValue(field, converted);
    return status;
}

/* The field that Python knows by this name, set from an object, deleted by NULL. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_set_field_object(_PyExtensibleType_API *api, PyTypeObject *type,
                                   PyObject *name, PyObject *value)
{
    _PyExtensibleType_FieldIter iter;
    _PyExtensibleType_FieldEntry *field;
    PyObject *shown;

    if (_PyExtensibleType_ExpectFields(api, type) < 0) return -1;
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
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ExpectMemory(PyTypeObject *type, const _PyExtensibleType_FieldEntry *field)
{
    if (_PyExtensibleType_OwnsLayer(type, field->layer)) return 0;
    PyErr_Format(PyExc_AttributeError,
                 "class '%.200s' has no memory for field '%s' of metaclass '%.200s': it is a "
                 "static type that was made without this library", type->tp_name,
                 field->def.name, field->layer->metaclass->tp_name);
    return -1;
}

/* What Python sees of the value at `from`: a new reference, NULL with an exception. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_ToObject(const _PyExtensibleType_FieldEntry *field, const char *from)
{
    PyMemberDef member;
    if (field->def.to_object != NULL) return field->def.to_object(from);
    memset(&member, 0, sizeof(member));
    member.name = field->def.name;
    member.type = field->def.type;
    return PyMember_GetOne(from, &member);
}

/* The value of a field of `type`, which has memory for it, as Python sees it: a new
   reference, NULL with an exception.  The lock is held for as long as it takes to get hold of
   the value: who replaces it lets it go when the lock is released.  A conversion may run Python
   code, so it works on a copy outside the lock; only what points into something that the class
   keeps (KEEP) is converted under it, because that something may go with the value. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_ReadField(_PyExtensibleType_API *api, PyTypeObject *type,
                            _PyExtensibleType_FieldEntry *field)
{
    _PyExtensibleType_FieldWork work = _PyExtensibleType_FIELD_WORK_INIT;
    const char *at = _PyExtensibleType_FieldAt(type, field);
    PyObject *value = NULL;
    union { char bytes[64]; double alignment[8]; } small;
    char *copy = small.bytes;
    int status = 0;

    if ((size_t)field->def.size > sizeof(small)
            && !(copy = (char *)PyMem_RawMalloc((size_t)field->def.size))) {
        return PyErr_NoMemory();
    }
    _PyExtensibleType_Lock(api);
    if (_PyExtensibleType_IsObject(field)) {
        value = *(PyObject *const *)(const void *)at;
        if (value == NULL) value = Py_None;
        Py_INCREF(value);
    }
    else if (_PyExtensibleType_IsHooked(field)) {
        status = _PyExtensibleType_MakeCopy(&work, type, field, at);
    }
    else if (field->def.flags & PyExtensibleType_KEEP) {
        value = _PyExtensibleType_ToObject(field, at);
    }
    else {
        memcpy(copy, at, (size_t)field->def.size);
    }
    _PyExtensibleType_Unlock(api);
    if (_PyExtensibleType_IsObject(field)) {
        if (field->def.to_object != NULL) {
            PyObject *object = value;
            value = field->def.to_object(&object);
            Py_DECREF(object);
        }
    }
    else if (_PyExtensibleType_IsHooked(field)) {
        if (status == 0) value = _PyExtensibleType_ToObject(field, work.copies[0].block);
    }
    else if (!(field->def.flags & PyExtensibleType_KEEP)) {
        value = _PyExtensibleType_ToObject(field, copy);
    }
    if (copy != small.bytes) PyMem_RawFree(copy);
    _PyExtensibleType_EndFieldWork(&work);
    return value;
}

/* The descriptor of a field in the metaclass's dict. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_field_get(PyObject *self, void *closure)
{
    _PyExtensibleType_FieldEntry *field = (_PyExtensibleType_FieldEntry *)closure;
    _PyExtensibleType_API *api = _PyExtensibleType_APIOf(Py_TYPE(self));
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

_PyCustomSlots_UNUSED static int
_PyExtensibleType_field_set(PyObject *self, PyObject *value, void *closure)
{
    _PyExtensibleType_FieldEntry *field = (_PyExtensibleType_FieldEntry *)closure;
    PyTypeObject *type = (PyTypeObject *)self;

    if (_PyExtensibleType_ExpectMemory(type, field) < 0) return -1;
    if (!(field->def.flags & PyExtensibleType_WRITABLE)) {
        PyErr_Format(PyExc_AttributeError, "field '%s' of class '%.200s' is read-only",
                     field->def.name, type->tp_name);
        return -1;
    }
    return _PyExtensibleType_SetEntry(_PyExtensibleType_APIOf(Py_TYPE(self)), type, field,
                                      value);
}

#endif /* Py_EXTENSIBLETYPE_SETFIELD_H */
