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

/* A Value whose bytes are raw memory; NULL with a MemoryError. */
_Pycs_PRIVATE _Pycs_Value *
_Pycs_NewValue(const _Pycs_FieldEntry *field)
{
    _Pycs_Value *value = (_Pycs_Value *)PyMem_RawMalloc(sizeof(*value) + 16 + 2 * _Pycs_RoomFor(field));
    if (value == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    memset((void *)value, 0, sizeof(*value));
    value->field = field;
    return value;
}

/* The same, its bytes zero, converted from `object` (or NULL). */
_Pycs_PRIVATE _Pycs_Value *
_Pycs_NewSet(const _Pycs_FieldEntry *field, PyObject *object)
{
    _Pycs_Value *value = _Pycs_NewValue(field);
    if (value == NULL) return NULL;
    memset(_Pycs_BytesOf(value), 0, (size_t)field->def.size);
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
    _Pycs_Value *value = _Pycs_NewValue(field);
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

/* Stores bytes that other threads may be reading: word by word, so that a field that is
   a word is old or new. */
static void
_Pycs_StoreBytes(char *to, const char *from, Py_ssize_t size)
{
    Py_ssize_t i = 0;
    if ((uintptr_t)to % sizeof(uintptr_t) == 0) {
        for (; i + (Py_ssize_t)sizeof(uintptr_t) <= size; i += (Py_ssize_t)sizeof(uintptr_t)) {
            uintptr_t word;
            memcpy(&word, from + i, sizeof(word));
            _Pycs_STORE(uintptr_t, (uintptr_t *)(void *)(to + i), word);
        }
    }
    if (i < size) memcpy(to + i, from + i, (size_t)(size - i));
}

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
        memcpy(behind, to, (size_t)field->def.size);
        _Pycs_StoreBytes(to, bytes, field->def.size);
        memcpy(bytes, behind, (size_t)field->def.size);
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
   alive for ever. */
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

/* Fills the fields of a type object that nobody knows yet from the classes of `mro` (NULL: from
   the defaults).  They are raw memory; with `only_untouched`, its author may have set some, and
   what those would inherit is noted in its sidecar.  `values`: copies of those with hooks.
   Cannot fail. */
_Pycs_PRIVATE void
_Pycs_FillFields(_Pycs_API *api, PyTypeObject *type,
                 PyTypeObject *metaclass, const _Pycs_Mro *mro,
                 int only_untouched, _Pycs_Value **values)
{
    _Pycs_FieldIter iter = _Pycs_FieldsOf(api, metaclass);
    const _Pycs_FieldEntry *field;
    _Pycs_ASSERT_LOCKED(api);
    while ((field = _Pycs_NextField(&iter))) {
        char *to = _Pycs_FieldAt(type, field);
        const char *from = _Pycs_ValueFor(api, mro, field);
        if (_Pycs_IsHooked(field)) {
            _Pycs_Value **link = values, *value;
            while (*link != NULL && (*link)->field != field) link = &(*link)->next;
            if ((value = *link) == NULL) continue;
            field->def.move(to, _Pycs_BytesOf(value));
            *link = value->next;
            PyMem_RawFree(value);
        }
        else if (only_untouched && !_Pycs_IsUntouched(field, to)) {
            _Pycs_NoteFilled(api, type, field, from);   /* `to` is its own */
            continue;
        }
        else {
            (void)_Pycs_CopyValue(field, to, from);
        }
        if (only_untouched && !_Pycs_IsHooked(field)) {
            _Pycs_NoteFilled(api, type, field, to);
        }
    }
    _Pycs_FirstDefaults(api, metaclass, mro);
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
