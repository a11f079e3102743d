/* SPDX-License-Identifier: MIT
 *
 * runtime/fields.c - layers are checked, and divided into fields; sidecars; the values of fields:
 * where they come from, and how they are replaced.
 */
#include "runtime/fields.h"

#include "runtime/slots.h"
#include "runtime/state.h"

/* ------------------------------------------------------------- registration -- */

/* Bytes of a Py_T_* code that can be converted both ways, 0 for any other. */
static Py_ssize_t
_Pycs_SizeOfCode(int code)
{
    switch (code) {
    case PyExtensibleType_OBJECT: return (Py_ssize_t)sizeof(PyObject *);
    case 0:  return (Py_ssize_t)sizeof(short);                  /* T_SHORT */
    case 1:  return (Py_ssize_t)sizeof(int);                    /* T_INT */
    case 2:  return (Py_ssize_t)sizeof(long);                   /* T_LONG */
    case 3:  return (Py_ssize_t)sizeof(float);                  /* T_FLOAT */
    case 4:  return (Py_ssize_t)sizeof(double);                 /* T_DOUBLE */
    case 7: case 8: case 9: case 14: return 1;                  /* T_CHAR T_BYTE T_UBYTE T_BOOL */
    case 10: return (Py_ssize_t)sizeof(unsigned short);         /* T_USHORT */
    case 11: return (Py_ssize_t)sizeof(unsigned int);           /* T_UINT */
    case 12: return (Py_ssize_t)sizeof(unsigned long);          /* T_ULONG */
    case 17: return (Py_ssize_t)sizeof(long long);              /* T_LONGLONG */
    case 18: return (Py_ssize_t)sizeof(unsigned long long);     /* T_ULONGLONG */
    case 19: return (Py_ssize_t)sizeof(Py_ssize_t);             /* T_PYSSIZET */
    default: return 0;
    }
}

/* One description, on its own.  -1 with a ValueError. */
static int
_Pycs_CheckField(PyTypeObject *metaclass, const PyExtensibleType_Field *field, Py_ssize_t index)
{
    const Py_ssize_t start = metaclass->tp_base->tp_basicsize, end = metaclass->tp_basicsize;
    const Py_ssize_t needed = _Pycs_SizeOfCode(field->type);
    const int hooks = (field->create != NULL) + (field->copy != NULL) + (field->move != NULL)
                      + (field->destroy != NULL);
    const char *name = field->name != NULL ? field->name : "?", *wrong = NULL;

    if (field->name == NULL || field->name[0] == 0) wrong = "it has no name, expected one";
    else if (field->size <= 0 || field->offset < start || field->offset > end - field->size) {
        PyErr_Format(PyExc_ValueError,
                     "field %zd ('%.100s') of metaclass '%.200s' covers bytes %zd to %zd, "
                     "expected bytes between %zd and %zd, what the metaclass adds to its base",
                     index, name, metaclass->tp_name, field->offset,
                     field->offset + field->size, start, end);
        return -1;
    }
    else if (field->type != PyExtensibleType_OPAQUE && needed == 0) {
        wrong = "its type is unknown, expected OPAQUE, OBJECT or the Py_T_* code of a number";
    }
    else if (needed != 0 && needed != field->size) {
        wrong = "its size is not that of its type; use sizeof on the member of the struct";
    }
    else if (field->type == PyExtensibleType_OBJECT
             && (size_t)field->offset % sizeof(PyObject *) != 0) {
        wrong = "an OBJECT must be aligned";
    }
    else if (hooks != 0 && (hooks != 4 || field->type != PyExtensibleType_OPAQUE)) {
        wrong = "expected all of create, copy, move and destroy, and the type OPAQUE, or none";
    }
    else if (field->type == PyExtensibleType_OPAQUE
             && (((field->flags & PyExtensibleType_READABLE) && field->to_object == NULL)
                 || ((field->flags & PyExtensibleType_WRITABLE) && field->from_object == NULL))) {
        wrong = "Python cannot see an OPAQUE field without to_object (READABLE) and "
                "from_object (WRITABLE)";
    }
    if (wrong != NULL) {
        PyErr_Format(PyExc_ValueError, "field %zd ('%.100s') of metaclass '%.200s': %s",
                     index, name, metaclass->tp_name, wrong);
        return -1;
    }
    return 0;
}

static int
_Pycs_ByOffset(const void *a, const void *b)
{
    Py_ssize_t x = ((const _Pycs_FieldEntry *)a)->def.offset;
    Py_ssize_t y = ((const _Pycs_FieldEntry *)b)->def.offset;
    return (x > y) - (x < y);
}

_Pycs_PRIVATE void
_Pycs_FreeLayer(_Pycs_Layer *layer)
{
    Py_ssize_t i;
    for (i = 0; i < layer->count; i++) {
        _Pycs_FieldEntry *field = &layer->fields[i];
        char *value = _Pycs_DefaultOf(field);
        Py_XDECREF(field->name);
        if (_Pycs_IsHooked(field)) field->def.destroy(value);
        else if (_Pycs_IsObject(field)) Py_XDECREF(*(PyObject **)(void *)value);
    }
    Py_XDECREF((PyObject *)layer->metaclass);
    PyMem_RawFree(layer->fields);
    PyMem_RawFree(layer->block);
    PyMem_RawFree(layer);
}

/* Fills layer->fields from the descriptions, sorted, the bytes between them becoming
   fields of their own, and creates the defaults.  -1 with an exception. */
static int
_Pycs_DivideLayer(_Pycs_API *api, _Pycs_Layer *layer, const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_FieldEntry *entries = layer->fields;
    Py_ssize_t i, n = count, at = layer->offset;

    for (i = 0; i < count; i++) {
        memcpy((void *)&entries[i].def, (const void *)&fields[i], sizeof(entries[i].def));
    }
    qsort(entries, (size_t)count, sizeof(*entries), _Pycs_ByOffset);
    for (i = 0; i <= count; i++) {
        const Py_ssize_t next = i < count ? entries[i].def.offset : layer->offset + layer->size;
        if (next < at) {
            PyErr_Format(PyExc_ValueError,
                         "fields '%.100s' and '%.100s' of metaclass '%.200s' overlap",
                         entries[i - 1].def.name, entries[i].def.name,
                         layer->metaclass->tp_name);
            return -1;
        }
        if (next > at) {
            entries[n].def.type = PyExtensibleType_OPAQUE;
            entries[n].def.offset = at;
            entries[n++].def.size = next - at;
        }
        if (i < count) at = next + entries[i].def.size;
    }
    qsort(entries, (size_t)n, sizeof(*entries), _Pycs_ByOffset);
    for (i = 0; i < n; i++) {
        _Pycs_FieldEntry *field = &entries[i];
        char *value;
        field->api = api;
        field->layer = layer;
        value = _Pycs_DefaultOf(field);
        if (field->def.flags & (PyExtensibleType_READABLE | PyExtensibleType_WRITABLE)) {
            if (!(field->name = PyUnicode_InternFromString(field->def.name))) return -1;
        }
        if (_Pycs_IsObject(field)) {
            Py_INCREF(Py_None);
            *(PyObject **)(void *)value = Py_None;
            layer->objects++;
        }
        else if (_Pycs_IsHooked(field)) {
            if (field->def.create(value) < 0) {
                Py_CLEAR(field->name);
                return -1;
            }
            layer->hooked++;
        }
        if (field->name != NULL) layer->named++;
        layer->count++;                 /* from here on FreeLayer() frees it */
    }
    return 0;
}

/* A layer for what `metaclass` adds to its base; NULL with an exception. */
_Pycs_PRIVATE _Pycs_Layer *
_Pycs_NewLayer(_Pycs_API *api, PyTypeObject *metaclass,
               const PyExtensibleType_Field *fields, Py_ssize_t count)
{
    _Pycs_Layer *layer = NULL, *result = NULL;
    const Py_ssize_t offset = metaclass->tp_base->tp_basicsize;
    const Py_ssize_t size = metaclass->tp_basicsize - offset;
    Py_ssize_t i;

    if (size < 0) {
        PyErr_Format(PyExc_ValueError,
                     "metaclass '%.200s' has basic size %zd, smaller than the %zd of its "
                     "base '%.200s'", metaclass->tp_name, metaclass->tp_basicsize, offset,
                     metaclass->tp_base->tp_name);
        return NULL;
    }
    for (i = 0; i < count; i++) {
        if (_Pycs_CheckField(metaclass, &fields[i], i) < 0) return NULL;
    }
    layer = (_Pycs_Layer *)PyMem_RawCalloc(1, sizeof(*layer));
    if (layer == NULL) goto no_memory;
    Py_INCREF((PyObject *)metaclass);
    layer->metaclass = metaclass;
    layer->offset = offset;
    layer->size = size;
    layer->block = (char *)PyMem_RawCalloc(1, (size_t)size + 16);
    layer->defaults = layer->block + (size_t)offset % 16;
    layer->fields = (_Pycs_FieldEntry *)PyMem_RawCalloc(2 * (size_t)count + 1, sizeof(_Pycs_FieldEntry));
    if (layer->block == NULL || layer->fields == NULL) goto no_memory;
    if (_Pycs_DivideLayer(api, layer, fields, count) < 0) goto done;
    result = layer;
    layer = NULL;
    goto done;
no_memory:
    PyErr_NoMemory();
done:
    if (layer != NULL) _Pycs_FreeLayer(layer);
    return result;
}

/* Makes a sidecar for a class of `metaclass` that is about to be filled; to be freed unless
   PutSidecar() takes it.  *sidecar is NULL if such a class has no fields.  0, or -1 with a
   MemoryError. */
_Pycs_PRIVATE int
_Pycs_NewSidecar(_Pycs_API *api, PyTypeObject *metaclass, _Pycs_Sidecar **sidecar)
{
    const Py_ssize_t size = metaclass->tp_basicsize - api->metaclass->tp_basicsize;
    *sidecar = NULL;
    if (size <= 0) return 0;
    *sidecar = (_Pycs_Sidecar *)PyMem_RawCalloc(1, sizeof(**sidecar) + 2 * (size_t)size);
    if (*sidecar == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    (*sidecar)->marks = (char *)(*sidecar + 1) + size;
    (*sidecar)->filled_at = _Pycs_LOAD(uintptr_t, &api->state->generation) << 1
                       | _Pycs_FILLED;
    return 0;
}

/* Marks the class as finished. */
_Pycs_PRIVATE void
_Pycs_MarkFinished(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    (void)api;
    if (sidecar != NULL) sidecar->filled_at = 0;
}

/* Takes the sidecar away from a class that dies, or was not made after all; NULL if there is
   none. */
_Pycs_PRIVATE _Pycs_Sidecar *
_Pycs_TakeSidecar(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    (void)api;
    _Pycs_SetSidecar(type, NULL);
    return sidecar;
}

/* ------------------------------------------------------------- whose value -- */

/* The class whose value of this field a class with linearisation `mro` starts with: the nearest
   class that set it, which is marked, or shows because its bytes differ from those that it
   inherited (fields.h).  (In a diamond T(A, B) over Greet, where only B set the field, that is B,
   as with a class attribute.)  If no class set it, all hold the same value.  NULL: no class has
   the field. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_SourceOfField(_Pycs_API *api, const _Pycs_Mro *mro, const _Pycs_FieldEntry *field)
{
    const _Pycs_Layer *layer = field->layer;
    PyTypeObject *nearest = NULL;
    Py_ssize_t i;
    _Pycs_ASSERT_LOCKED(api);
    for (i = 0; i < mro->count; i++) {
        PyTypeObject *type = _Pycs_MroItem(mro, i);
        if (type == NULL || !_Pycs_HasBytesOf(type, layer)) continue;
        if (nearest == NULL) nearest = type;
        if (!_Pycs_InheritsField(api, type, field)) return type;
    }
    return nearest;
}

/* ------------------------------------------------------------------------ values -- */

static size_t
_Pycs_RoomFor(const _Pycs_FieldEntry *field)
{
    return ((size_t)field->def.size + 15) / 16 * 16;
}

/* A Value whose bytes are zero, raw memory yet, to be converted from `object` (or NULL); NULL with a
   MemoryError. */
_Pycs_PRIVATE _Pycs_Value *
_Pycs_NewValue(const _Pycs_FieldEntry *field, PyObject *object)
{
    _Pycs_Value *value = (_Pycs_Value *)PyMem_RawCalloc(1, sizeof(*value) + 16 + 2 * _Pycs_RoomFor(field));
    if (value == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    value->field = field;
    Py_XINCREF(object);
    value->object = object;
    return value;
}

/* Frees a Value whose bytes are raw memory. */
_Pycs_PRIVATE void
_Pycs_FreeRaw(_Pycs_Value *value)
{
    Py_XDECREF(value->object);
    PyMem_RawFree(value);
}

/* Releases values, which may run any code.  Not under the lock. */
_Pycs_PRIVATE void
_Pycs_FreeValues(_Pycs_Value **values)
{
    _Pycs_Value *value;
    while ((value = *values)) {
        char *bytes = _Pycs_BytesOf(value);
        *values = value->next;
        if (_Pycs_IsObject(value->field)) Py_XDECREF(*(PyObject **)(void *)bytes);
        else if (_Pycs_IsHooked(value->field)) value->field->def.destroy(bytes);
        _Pycs_FreeRaw(value);
    }
}

/* Copies a value to raw memory.  0, or -1 with what the copy hook raised. */
_Pycs_PRIVATE int
_Pycs_CopyValue(const _Pycs_FieldEntry *field, char *to, const char *from)
{
    if (_Pycs_IsHooked(field)) return field->def.copy(to, from);
    if (_Pycs_IsObject(field)) {
        PyObject *object = *(PyObject *const *)(const void *)from;
        if (object == NULL) object = Py_None;
        Py_INCREF(object);
        *(PyObject **)(void *)to = object;
    }
    else {
        memcpy(to, from, (size_t)field->def.size);
    }
    return 0;
}

/* Adds a copy of the value at `from`.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_AddCopy(_Pycs_Value **values, const _Pycs_FieldEntry *field, const char *from)
{
    _Pycs_Value *value = _Pycs_NewValue(field, NULL);
    if (value == NULL) return -1;
    if (_Pycs_CopyValue(field, _Pycs_BytesOf(value), from) < 0) {
        PyMem_RawFree(value);
        return -1;
    }
    value->next = *values;
    *values = value;
    return 0;
}

/* Where the value comes from: a class, or the default if no class has one.  `mro` may be NULL. */
_Pycs_PRIVATE const char *
_Pycs_ValueFor(_Pycs_API *api, const _Pycs_Mro *mro, const _Pycs_FieldEntry *field)
{
    PyTypeObject *source
        = mro != NULL ? _Pycs_SourceOfField(api, mro, field) : NULL;
    return source != NULL ? _Pycs_FieldAt(source, field)
                          : _Pycs_DefaultOf(field);
}

/* Adds a copy of the value at `from` for `type`, which inherits the field, unless it holds the same.  0,
   or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_AddInherited(_Pycs_Value **values, PyTypeObject *type, const _Pycs_FieldEntry *field, const char *from)
{
    if (!_Pycs_IsHooked(field)
            && memcmp(_Pycs_FieldAt(type, field), from, (size_t)field->def.size) == 0) return 0;
    return _Pycs_AddCopy(values, field, from);
}

/* ------------------------------------------------------------ storing a value -- */

/* Puts a value where there is one, which it becomes.  Cannot fail. */
_Pycs_PRIVATE void
_Pycs_SwapValue(_Pycs_Value *value, char *to)
{
    const _Pycs_FieldEntry *field = value->field;
    char *bytes = _Pycs_BytesOf(value), *behind = bytes + _Pycs_RoomFor(field);
    if (_Pycs_IsHooked(field)) {
        field->def.move(behind, to);
        field->def.move(to, bytes);
        field->def.move(bytes, behind);
    }
    else {
        const Py_ssize_t size = field->def.size, word = (Py_ssize_t)sizeof(uintptr_t);
        Py_ssize_t i = 0;
        memcpy(behind, to, (size_t)size);
        /* Other threads may be reading: word by word, so that a field that is a word is old or new. */
        for (; (uintptr_t)to % sizeof(uintptr_t) == 0 && i + word <= size; i += word) {
            uintptr_t read;
            memcpy(&read, bytes + i, sizeof(read));
            _Pycs_STORE(uintptr_t, (uintptr_t *)(void *)(to + i), read);
        }
        memcpy(to + i, bytes + i, (size_t)(size - i));
        memcpy(bytes, behind, (size_t)size);
    }
}

/* Puts values into a class.  Cannot fail. */
_Pycs_PRIVATE void
_Pycs_PutValues(_Pycs_API *api, PyTypeObject *type, _Pycs_Value *value)
{
    _Pycs_ASSERT_LOCKED(api);
    for (; value != NULL; value = value->next) {
        char *to = _Pycs_FieldAt(type, value->field);
        _Pycs_SwapValue(value, to);
        if (!_Pycs_IsHooked(value->field)) {
            _Pycs_NoteFilled(api, type, value->field, to);
        }
    }
}

/* ---------------------------------------------------------------- a new class -- */

/* May the value of `type` become a default, which lives as long as the interpreter?  An object,
   or what points into one, only if the type is static: a default would keep the classes of others
   alive. */
_Pycs_PRIVATE int
_Pycs_GivesDefault(PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    return !_Pycs_IsHeap(type)
           || !(_Pycs_IsObject(field) || field->def.flags & PyExtensibleType_KEEP);
}

/* Makes the values of `type` the defaults of those of its layers that have none yet, or whose
   defaults are earlier values of this type.  Takes the lock.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_SetDefaults(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Value *values = NULL, *value;
    PyTypeObject *m = Py_TYPE(type);
    _Pycs_Layer *layer;
    int status = 0;

    _Pycs_Lock(api);
    while (status == 0 && (layer = _Pycs_NextLayer(api, &m))) {
        Py_ssize_t i;
        if (layer->has_defaults && layer->provider != type) continue;
        for (i = 0; status == 0 && i < layer->count; i++) {
            const _Pycs_FieldEntry *field = &layer->fields[i];
            if (!_Pycs_GivesDefault(type, field)) continue;
            status = _Pycs_AddCopy(&values, field, _Pycs_FieldAt(type, field));
        }
    }
    for (value = status == 0 ? values : NULL; value != NULL; value = value->next) {
        _Pycs_SwapValue(value, _Pycs_DefaultOf(value->field));
    }
    for (m = Py_TYPE(type); status == 0 && (layer = _Pycs_NextLayer(api, &m)); ) {
        if (!layer->has_defaults) layer->provider = type;
        layer->has_defaults = 1;
    }
    _Pycs_Unlock(api);
    _Pycs_FreeValues(&values);
    return status;
}

/* The first base in a metaclass of dynamic classes is its first provider.  (Objects stay
   None, unless it is static; values with hooks stay as they were created.) */
_Pycs_PRIVATE void
_Pycs_FirstDefaults(_Pycs_API *api, PyTypeObject *metaclass, const _Pycs_Mro *mro)
{
    PyTypeObject *m = metaclass, *source;
    _Pycs_Layer *layer;
    Py_ssize_t i;
    while (mro != NULL && (layer = _Pycs_NextLayer(api, &m))) {
        if (layer->has_defaults || layer->count == 0) continue;
        source = _Pycs_SourceOfField(api, mro, &layer->fields[0]);
        for (i = 0; source != NULL && i < layer->count; i++) {
            const _Pycs_FieldEntry *field = &layer->fields[i];
            if (_Pycs_IsHooked(field)
                    || !_Pycs_GivesDefault(source, field)) continue;
            if (_Pycs_IsObject(field)) {
                assert(*(PyObject **)(void *)_Pycs_DefaultOf(field) == Py_None);
                Py_DECREF(Py_None);
            }
            (void)_Pycs_CopyValue(field, _Pycs_DefaultOf(field), _Pycs_FieldAt(source, field));
        }
        if (source != NULL) layer->has_defaults = 1;
    }
}

/* Releases the fields of a type that is about to be freed.  Not under
   the lock: it may run any code, so the collector must no longer know the type. */
_Pycs_PRIVATE void
_Pycs_ReleaseFields(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_FieldIter iter = _Pycs_FieldsOf(api, Py_TYPE(type));
    const _Pycs_FieldEntry *field;
    while ((field = _Pycs_NextField(&iter))) {
        char *value = _Pycs_FieldAt(type, field);
        if (field->layer->provider == type) {   /* the next class at this address is not it */
            _Pycs_Lock(api);
            field->layer->provider = NULL;
            _Pycs_Unlock(api);
        }
        if (_Pycs_IsObject(field)) Py_CLEAR(*(PyObject **)(void *)value);
        else if (_Pycs_IsHooked(field)) field->def.destroy(value);
    }
}
