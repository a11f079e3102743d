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
   class that set it, which is recorded, or shows because its bytes differ from those that it
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

/* Ends the work: releases replaced values and unused copies.  Not under the lock. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_EndFieldWork(_PyExtensibleType_FieldWork *work)
{
    _PyExtensibleType_FieldWork w = *work;      /* dropping values may run code that comes back
                                                   here */
    Py_ssize_t i;
    if (w.copies == NULL && w.dropped == NULL) return;
    memset(work, 0, sizeof(*work));
    for (i = 0; i < w.count; i++) {
        _PyExtensibleType_Copy *copy = &w.copies[i];
        if (copy->state == _PyExtensibleType_COPY_NEW) {
            copy->field->def.destroy(copy->block);
        }
        else if (copy->state == _PyExtensibleType_COPY_OLD) {
            copy->field->def.destroy(copy->block + _PyExtensibleType_BehindCopy(copy->field));
        }
        PyMem_RawFree(copy->block);
    }
    PyMem_RawFree(w.copies);
    for (i = 0; i < w.dropped_count; i++) Py_DECREF(w.dropped[i]);
    PyMem_RawFree(w.dropped);
}

/* Destroys unused copies, so that others can be made.  Not under the lock. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_ForgetCopies(_PyExtensibleType_FieldWork *work)
{
    _PyExtensibleType_FieldWork copies = _PyExtensibleType_FIELD_WORK_INIT;
    copies.copies = work->copies;
    copies.count = work->count;
    work->copies = NULL;
    work->count = work->room = 0;
    _PyExtensibleType_EndFieldWork(&copies);
}

/* Room for the objects that a class of `metaclass` may drop.  0, or -1, without an
   exception, if there is no memory. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_ReserveDrops(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                               _PyExtensibleType_FieldWork *work)
{
    const _PyExtensibleType_Layer *layer;
    Py_ssize_t more = 0;
    void *room;
    while ((layer = _PyExtensibleType_NextLayer(api, &metaclass))) more += layer->objects;
    if (more == 0) return 0;
    room = PyMem_RawRealloc(work->dropped,
                            (size_t)(work->dropped_room + more) * sizeof(PyObject *));
    if (room == NULL) return -1;
    work->dropped = (PyObject **)room;
    work->dropped_room += more;
    return 0;
}

/* A copy of the value at `from`, for `type`.  -1 with what the hook raised. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_MakeCopy(_PyExtensibleType_FieldWork *work, PyTypeObject *type,
                           _PyExtensibleType_FieldEntry *field, const void *from)
{
    _PyExtensibleType_Copy *copy;
    if (work->count == work->room) {
        const size_t room = 2 * (size_t)work->room + 8;
        void *copies = PyMem_RawRealloc(work->copies, room * sizeof(_PyExtensibleType_Copy));
        if (copies == NULL) goto no_memory;
        work->copies = (_PyExtensibleType_Copy *)copies;
        work->room = (Py_ssize_t)room;
    }
    copy = &work->copies[work->count];
    copy->field = field;
    copy->type = type;
    copy->block = (char *)PyMem_RawCalloc(2, _PyExtensibleType_BehindCopy(field));
    if (copy->block == NULL) goto no_memory;
    if (field->def.copy(copy->block, from) < 0) {
        PyMem_RawFree(copy->block);
        return -1;
    }
    copy->state = _PyExtensibleType_COPY_NEW;
    work->count++;
    return 0;
no_memory:
    PyErr_NoMemory();
    return -1;
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

/* Copies of all values with hooks that a class of `metaclass` with this linearisation
   starts with.  -1 with an exception. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_CopyInherited(_PyExtensibleType_API *api, PyTypeObject *type,
                                PyTypeObject *metaclass, const _PyExtensibleType_Mro *mro,
                                _PyExtensibleType_FieldWork *work)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, metaclass);
    _PyExtensibleType_FieldEntry *field;
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (api->state->hooked == 0) return 0;
    while ((field = _PyExtensibleType_NextField(&iter))) {
        if (_PyExtensibleType_IsHooked(field)
                && _PyExtensibleType_MakeCopy(work, type, field,
                       _PyExtensibleType_ValueFor(api, mro, field)) < 0) return -1;
    }
    return 0;
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

static void
_PyExtensibleType_Drop(_PyExtensibleType_FieldWork *work, PyObject *object)
{
    if (object == Py_None) Py_DECREF(object);         /* needs no room, runs no code */
    else if (object != NULL) work->dropped[work->dropped_count++] = object;
}

/* Moves the copy that was made for this field of `type`, if there is one, to `to`.  That is raw
   memory, or, with `replace`, holds a value, which is put aside. */
static void
_PyExtensibleType_TakeCopy(_PyExtensibleType_FieldWork *work, PyTypeObject *type,
                           const _PyExtensibleType_FieldEntry *field, void *to, int replace)
{
    Py_ssize_t i;
    for (i = 0; i < work->count; i++) {
        _PyExtensibleType_Copy *copy = &work->copies[i];
        if (copy->field != field || copy->type != type
                || copy->state != _PyExtensibleType_COPY_NEW) continue;
        if (replace) field->def.move(copy->block + _PyExtensibleType_BehindCopy(field), to);
        field->def.move(to, copy->block);
        copy->state = replace ? _PyExtensibleType_COPY_OLD : _PyExtensibleType_COPY_TAKEN;
        return;
    }
}

/* Replaces the value at `to`, in a type object or among the defaults, by the one at
   `from`; one with hooks by the copy that was made for `type`, if one was.  Room to drop
   one object must be reserved for an OBJECT.  Cannot fail. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_Replace(_PyExtensibleType_API *api, _PyExtensibleType_FieldWork *work,
                          PyTypeObject *type, const _PyExtensibleType_FieldEntry *field,
                          char *to, const char *from)
{
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (_PyExtensibleType_IsHooked(field)) {
        _PyExtensibleType_TakeCopy(work, type, field, to, 1);
    }
    else if (_PyExtensibleType_IsObject(field)) {
        PyObject **slot = (PyObject **)(void *)to, *old = *slot;
        PyObject *value = *(PyObject *const *)(const void *)from;
        if (value == NULL) value = Py_None;
        Py_INCREF(value);
        _PyCustomSlots_STORE(PyObject *, slot, value);
        _PyExtensibleType_Drop(work, old);
    }
    else if (memcmp(to, from, (size_t)field->def.size) != 0) {
        _PyExtensibleType_StoreBytes(to, from, field->def.size);
    }
    if (type != NULL && !_PyExtensibleType_IsHooked(field)) {
        _PyExtensibleType_NoteFilled(api, type, field, to);
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

/* Makes the values of `type` the defaults of a layer; values with hooks only if copies
   were made for them (with type NULL). */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_SetLayerDefaults(_PyExtensibleType_API *api, _PyExtensibleType_Layer *layer,
                                   PyTypeObject *type, _PyExtensibleType_FieldWork *work)
{
    Py_ssize_t i;
    _PyExtensibleType_ASSERT_LOCKED(api);
    for (i = 0; i < layer->count; i++) {
        const _PyExtensibleType_FieldEntry *field = &layer->fields[i];
        if (!_PyExtensibleType_GivesDefault(type, field)) continue;
        _PyExtensibleType_Replace(api, work, NULL, field, _PyExtensibleType_DefaultOf(field),
                                  _PyExtensibleType_FieldAt(type, field));
    }
    layer->has_defaults = 1;
}

/* Makes the values of `type` the defaults of those of its layers that have none yet, or whose
   defaults are earlier values of this type.  Takes the lock.  0, or -1 with an exception. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_SetDefaults(_PyExtensibleType_API *api, PyTypeObject *type)
{
    _PyExtensibleType_FieldWork work = _PyExtensibleType_FIELD_WORK_INIT;
    PyTypeObject *m = Py_TYPE(type);
    _PyExtensibleType_Layer *layer;
    int status = -1;

    _PyExtensibleType_Lock(api);
    if (_PyExtensibleType_ReserveDrops(api, Py_TYPE(type), &work) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    while ((layer = _PyExtensibleType_NextLayer(api, &m))) {
        Py_ssize_t i;
        if (layer->has_defaults && layer->provider != type) continue;
        for (i = 0; layer->hooked && i < layer->count; i++) {
            _PyExtensibleType_FieldEntry *field = &layer->fields[i];
            if (_PyExtensibleType_IsHooked(field)
                    && _PyExtensibleType_MakeCopy(&work, NULL, field,
                           _PyExtensibleType_FieldAt(type, field)) < 0) goto done;
        }
        layer->provider = type;
        _PyExtensibleType_SetLayerDefaults(api, layer, type, &work);
    }
    status = 0;
done:
    _PyExtensibleType_Unlock(api);
    _PyExtensibleType_EndFieldWork(&work);
    return status;
}

/* The first base in a metaclass of dynamic classes is its first provider.  (Objects stay
   None, or were None until now; values with hooks stay as they were created.) */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_FirstDefaults(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                                const _PyExtensibleType_Mro *mro,
                                _PyExtensibleType_FieldWork *work)
{
    PyTypeObject *m = metaclass, *source;
    _PyExtensibleType_Layer *layer;
    while (mro != NULL && (layer = _PyExtensibleType_NextLayer(api, &m))) {
        if (layer->has_defaults || layer->count == 0) continue;
        source = _PyExtensibleType_SourceOfField(api, mro, &layer->fields[0]);
        if (source != NULL) _PyExtensibleType_SetLayerDefaults(api, layer, source, work);
    }
}

/* Fills the fields of a type object that nobody knows yet from the classes of `mro` (NULL: from
   the defaults).  They are raw memory; with `only_untouched`, its author may have set some, and
   what those would inherit is noted in its sidecar.  `work` has the copies of CopyInherited().
   Cannot fail. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_FillFields(_PyExtensibleType_API *api, PyTypeObject *type,
                             PyTypeObject *metaclass, const _PyExtensibleType_Mro *mro,
                             int only_untouched, _PyExtensibleType_FieldWork *work)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, metaclass);
    const _PyExtensibleType_FieldEntry *field;
    _PyExtensibleType_ASSERT_LOCKED(api);
    while ((field = _PyExtensibleType_NextField(&iter))) {
        char *to = _PyExtensibleType_FieldAt(type, field);
        const char *from = _PyExtensibleType_ValueFor(api, mro, field);
        if (_PyExtensibleType_IsHooked(field)) {
            _PyExtensibleType_TakeCopy(work, metaclass, field, to, 0);
        }
        else if (only_untouched && !_PyExtensibleType_IsUntouched(field, to)) {
            _PyExtensibleType_NoteFilled(api, type, field, from);   /* `to` is its own */
            continue;
        }
        else if (_PyExtensibleType_IsObject(field)) {
            PyObject *value = *(PyObject *const *)(const void *)from;
            if (value == NULL) value = Py_None;
            Py_INCREF(value);
            *(PyObject **)(void *)to = value;
        }
        else {
            memcpy(to, from, (size_t)field->def.size);
        }
        if (only_untouched && !_PyExtensibleType_IsHooked(field)) {
            _PyExtensibleType_NoteFilled(api, type, field, to);
        }
    }
    _PyExtensibleType_FirstDefaults(api, metaclass, mro, work);
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
