/* SPDX-License-Identifier: MIT
 *
 * runtime/fields.c - the values of C fields: where they come from, and how they are replaced.
 */
#include "runtime/fields.h"

#include "runtime/guard.h"
#include "runtime/layers.h"
#include "runtime/sidecar.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* ------------------------------------------------------------- whose value -- */

/* The class whose value of this field a class with linearisation `mro` starts with: the nearest
   class that set it, which is marked, or shows because its bytes differ from those that it
   inherited (sidecar.h).  (In a diamond T(A, B) over Greet, where only B set the field, that is B,
   as with a class attribute.)  If no class set it, all hold the same value.  NULL: no class has
   the field. */
_PyExtensibleType_PRIVATE PyTypeObject *
_PyExtensibleType_SourceOfField(_PyExtensibleType_API *api, const _PyExtensibleType_Mro *mro,
                                const _PyExtensibleType_FieldEntry *field)
{
    const _PyExtensibleType_Layer *layer = field->layer;
    PyTypeObject *nearest = NULL;
    Py_ssize_t i;
    _PyExtensibleType_ASSERT_LOCKED(api);
    for (i = 0; i < mro->count; i++) {
        PyTypeObject *type = _PyExtensibleType_MroItem(mro, i);
        if (type == NULL || !_PyExtensibleType_HasBytesOf(type, layer)) continue;
        if (nearest == NULL) nearest = type;
        if (!_PyExtensibleType_InheritsField(api, type, field)) return type;
    }
    return nearest;
}

/* ------------------------------------------------------------------------ values -- */

static size_t
_PyExtensibleType_RoomFor(const _PyExtensibleType_FieldEntry *field)
{
    return ((size_t)field->def.size + 15) / 16 * 16;
}

/* A Value whose bytes are raw memory; NULL with a MemoryError. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Value *
_PyExtensibleType_NewValue(const _PyExtensibleType_FieldEntry *field)
{
    _PyExtensibleType_Value *value = (_PyExtensibleType_Value *)PyMem_RawMalloc(
        sizeof(*value) + 16 + 2 * _PyExtensibleType_RoomFor(field));
    if (value == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    memset((void *)value, 0, sizeof(*value));
    value->field = field;
    return value;
}

/* The same, its bytes zero, converted from `object` (or NULL). */
_PyExtensibleType_PRIVATE _PyExtensibleType_Value *
_PyExtensibleType_NewSet(const _PyExtensibleType_FieldEntry *field, PyObject *object)
{
    _PyExtensibleType_Value *value = _PyExtensibleType_NewValue(field);
    if (value == NULL) return NULL;
    memset(_PyExtensibleType_BytesOf(value), 0, (size_t)field->def.size);
    Py_XINCREF(object);
    value->object = object;
    return value;
}

/* Frees a Value whose bytes are raw memory. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_FreeRaw(_PyExtensibleType_Value *value)
{
    Py_XDECREF(value->object);
    PyMem_RawFree(value);
}

/* Releases values, which may run any code.  Not under the lock. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_FreeValues(_PyExtensibleType_Value **values)
{
    _PyExtensibleType_Value *value;
    while ((value = *values)) {
        char *bytes = _PyExtensibleType_BytesOf(value);
        *values = value->next;
        if (_PyExtensibleType_IsObject(value->field)) Py_XDECREF(*(PyObject **)(void *)bytes);
        else if (_PyExtensibleType_IsHooked(value->field)) value->field->def.destroy(bytes);
        _PyExtensibleType_FreeRaw(value);
    }
}

/* Copies a value to raw memory.  0, or -1 with what the copy hook raised. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_CopyValue(const _PyExtensibleType_FieldEntry *field, char *to, const char *from)
{
    if (_PyExtensibleType_IsHooked(field)) return field->def.copy(to, from);
    if (_PyExtensibleType_IsObject(field)) {
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
_PyExtensibleType_PRIVATE int
_PyExtensibleType_AddCopy(_PyExtensibleType_Value **values, const _PyExtensibleType_FieldEntry *field,
                          const char *from)
{
    _PyExtensibleType_Value *value = _PyExtensibleType_NewValue(field);
    if (value == NULL) return -1;
    if (_PyExtensibleType_CopyValue(field, _PyExtensibleType_BytesOf(value), from) < 0) {
        PyMem_RawFree(value);
        return -1;
    }
    value->next = *values;
    *values = value;
    return 0;
}

/* Where the value comes from: a class, or the default if no class has one.  `mro` may be NULL. */
_PyExtensibleType_PRIVATE const char *
_PyExtensibleType_ValueFor(_PyExtensibleType_API *api, const _PyExtensibleType_Mro *mro,
                           const _PyExtensibleType_FieldEntry *field)
{
    PyTypeObject *source
        = mro != NULL ? _PyExtensibleType_SourceOfField(api, mro, field) : NULL;
    return source != NULL ? _PyExtensibleType_FieldAt(source, field)
                          : _PyExtensibleType_DefaultOf(field);
}

/* Adds a copy of the value at `from` for `type`, which inherits the field, unless it holds the same.  0,
   or -1 with an exception. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_AddInherited(_PyExtensibleType_Value **values, PyTypeObject *type,
                               const _PyExtensibleType_FieldEntry *field, const char *from)
{
    if (!_PyExtensibleType_IsHooked(field)
            && memcmp(_PyExtensibleType_FieldAt(type, field), from, (size_t)field->def.size) == 0) return 0;
    return _PyExtensibleType_AddCopy(values, field, from);
}

/* ------------------------------------------------------------ storing a value -- */

/* Stores bytes that other threads may be reading: word by word, so that a field that is
   a word is old or new. */
static void
_PyExtensibleType_StoreBytes(char *to, const char *from, Py_ssize_t size)
{
    Py_ssize_t i = 0;
    if ((uintptr_t)to % sizeof(uintptr_t) == 0) {
        for (; i + (Py_ssize_t)sizeof(uintptr_t) <= size; i += (Py_ssize_t)sizeof(uintptr_t)) {
            uintptr_t word;
            memcpy(&word, from + i, sizeof(word));
            _PyCustomSlots_STORE(uintptr_t, (uintptr_t *)(void *)(to + i), word);
        }
    }
    if (i < size) memcpy(to + i, from + i, (size_t)(size - i));
}

/* Puts a value where there is one, which it becomes.  Cannot fail. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_SwapValue(_PyExtensibleType_Value *value, char *to)
{
    const _PyExtensibleType_FieldEntry *field = value->field;
    char *bytes = _PyExtensibleType_BytesOf(value), *behind = bytes + _PyExtensibleType_RoomFor(field);
    if (_PyExtensibleType_IsHooked(field)) {
        field->def.move(behind, to);
        field->def.move(to, bytes);
        field->def.move(bytes, behind);
    }
    else {
        memcpy(behind, to, (size_t)field->def.size);
        _PyExtensibleType_StoreBytes(to, bytes, field->def.size);
        memcpy(bytes, behind, (size_t)field->def.size);
    }
}

/* Puts values into a class.  Cannot fail. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_PutValues(_PyExtensibleType_API *api, PyTypeObject *type, _PyExtensibleType_Value *value)
{
    _PyExtensibleType_ASSERT_LOCKED(api);
    for (; value != NULL; value = value->next) {
        char *to = _PyExtensibleType_FieldAt(type, value->field);
        _PyExtensibleType_SwapValue(value, to);
        if (!_PyExtensibleType_IsHooked(value->field)) {
            _PyExtensibleType_NoteFilled(api, type, value->field, to);
        }
    }
}

/* ---------------------------------------------------------------- a new class -- */

/* May the value of `type` become a default, which lives as long as the interpreter?  An object,
   or what points into one, only if the type is static: a default would keep the classes of others
   alive for ever. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_GivesDefault(PyTypeObject *type, const _PyExtensibleType_FieldEntry *field)
{
    return !_PyCustomSlots_IsHeap(type)
           || !(_PyExtensibleType_IsObject(field) || field->def.flags & PyExtensibleType_KEEP);
}

/* Makes the values of `type` the defaults of those of its layers that have none yet, or whose
   defaults are earlier values of this type.  Takes the lock.  0, or -1 with an exception. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_SetDefaults(_PyExtensibleType_API *api, PyTypeObject *type)
{
    _PyExtensibleType_Value *values = NULL, *value;
    PyTypeObject *m = Py_TYPE(type);
    _PyExtensibleType_Layer *layer;
    int status = 0;

    _PyExtensibleType_Lock(api);
    while (status == 0 && (layer = _PyExtensibleType_NextLayer(api, &m))) {
        Py_ssize_t i;
        if (layer->has_defaults && layer->provider != type) continue;
        for (i = 0; status == 0 && i < layer->count; i++) {
            const _PyExtensibleType_FieldEntry *field = &layer->fields[i];
            if (!_PyExtensibleType_GivesDefault(type, field)) continue;
            status = _PyExtensibleType_AddCopy(&values, field, _PyExtensibleType_FieldAt(type, field));
        }
    }
    for (value = status == 0 ? values : NULL; value != NULL; value = value->next) {
        _PyExtensibleType_SwapValue(value, _PyExtensibleType_DefaultOf(value->field));
    }
    for (m = Py_TYPE(type); status == 0 && (layer = _PyExtensibleType_NextLayer(api, &m)); ) {
        if (!layer->has_defaults) layer->provider = type;
        layer->has_defaults = 1;
    }
    _PyExtensibleType_Unlock(api);
    _PyExtensibleType_FreeValues(&values);
    return status;
}

/* The first base in a metaclass of dynamic classes is its first provider.  (Objects stay
   None, unless it is static; values with hooks stay as they were created.) */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_FirstDefaults(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                                const _PyExtensibleType_Mro *mro)
{
    PyTypeObject *m = metaclass, *source;
    _PyExtensibleType_Layer *layer;
    Py_ssize_t i;
    while (mro != NULL && (layer = _PyExtensibleType_NextLayer(api, &m))) {
        if (layer->has_defaults || layer->count == 0) continue;
        source = _PyExtensibleType_SourceOfField(api, mro, &layer->fields[0]);
        for (i = 0; source != NULL && i < layer->count; i++) {
            const _PyExtensibleType_FieldEntry *field = &layer->fields[i];
            if (_PyExtensibleType_IsHooked(field)
                    || !_PyExtensibleType_GivesDefault(source, field)) continue;
            if (_PyExtensibleType_IsObject(field)) {
                assert(*(PyObject **)(void *)_PyExtensibleType_DefaultOf(field) == Py_None);
                Py_DECREF(Py_None);
            }
            (void)_PyExtensibleType_CopyValue(field, _PyExtensibleType_DefaultOf(field),
                                              _PyExtensibleType_FieldAt(source, field));
        }
        if (source != NULL) layer->has_defaults = 1;
    }
}

/* Fills the fields of a type object that nobody knows yet from the classes of `mro` (NULL: from
   the defaults).  They are raw memory; with `only_untouched`, its author may have set some, and
   what those would inherit is noted in its sidecar.  `values`: the copies of BirthCopy().
   Cannot fail. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_FillFields(_PyExtensibleType_API *api, PyTypeObject *type,
                             PyTypeObject *metaclass, const _PyExtensibleType_Mro *mro,
                             int only_untouched, _PyExtensibleType_Value **values)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, metaclass);
    const _PyExtensibleType_FieldEntry *field;
    _PyExtensibleType_ASSERT_LOCKED(api);
    while ((field = _PyExtensibleType_NextField(&iter))) {
        char *to = _PyExtensibleType_FieldAt(type, field);
        const char *from = _PyExtensibleType_ValueFor(api, mro, field);
        if (_PyExtensibleType_IsHooked(field)) {
            _PyExtensibleType_Value **link = values, *value;
            while (*link != NULL && (*link)->field != field) link = &(*link)->next;
            if ((value = *link) == NULL) continue;
            field->def.move(to, _PyExtensibleType_BytesOf(value));
            *link = value->next;
            PyMem_RawFree(value);
        }
        else if (only_untouched && !_PyExtensibleType_IsUntouched(field, to)) {
            _PyExtensibleType_NoteFilled(api, type, field, from);   /* `to` is its own */
            continue;
        }
        else {
            (void)_PyExtensibleType_CopyValue(field, to, from);
        }
        if (only_untouched && !_PyExtensibleType_IsHooked(field)) {
            _PyExtensibleType_NoteFilled(api, type, field, to);
        }
    }
    _PyExtensibleType_FirstDefaults(api, metaclass, mro);
}

/* Releases the fields of a type that is about to be freed.  Not under
   the lock: it may run any code, so the collector must no longer know the type. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_ReleaseFields(_PyExtensibleType_API *api, PyTypeObject *type)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    const _PyExtensibleType_FieldEntry *field;
    while ((field = _PyExtensibleType_NextField(&iter))) {
        char *value = _PyExtensibleType_FieldAt(type, field);
        if (field->layer->provider == type) {   /* the next class at this address is not it */
            _PyExtensibleType_Lock(api);
            field->layer->provider = NULL;
            _PyExtensibleType_Unlock(api);
        }
        if (_PyExtensibleType_IsObject(field)) Py_CLEAR(*(PyObject **)(void *)value);
        else if (_PyExtensibleType_IsHooked(field)) field->def.destroy(value);
    }
}
