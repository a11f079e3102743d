/* SPDX-License-Identifier: MIT
 *
 * runtime/sidecar.c - the sidecars of classes, and the values that classes set themselves.
 *
 * (Code that writes into the struct directly is not recorded: for fields without
 * hooks, a value that differs from the inherited one counts as the class's own, too.)
 */
#include "runtime/sidecar.h"

#include "runtime/guard.h"
#include "runtime/layers.h"
#include "runtime/state.h"

/* ------------------------------------------------------------------------ sidecars -- */

/* Makes a sidecar for a class of `metaclass` that is about to be filled; to be freed unless
   PutSidecar() takes it.  *sidecar is NULL if such a class has no fields.  0, or -1 with a
   MemoryError. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_NewSidecar(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                             _PyExtensibleType_Sidecar **sidecar)
{
    const Py_ssize_t size = metaclass->tp_basicsize - api->metaclass->tp_basicsize;
    *sidecar = NULL;
    if (size <= 0) return 0;
    *sidecar = (_PyExtensibleType_Sidecar *)PyMem_RawMalloc(sizeof(**sidecar) + (size_t)size);
    if (*sidecar == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memset((void *)*sidecar, 0, sizeof(**sidecar));
    (*sidecar)->when = _PyCustomSlots_LOAD(uintptr_t, &api->state->generation) << 1
                       | _PyExtensibleType_FILLING;
    return 0;
}

/* Puts *sidecar, which is new and may be NULL, beside `type`, a class that was just filled, and
   copies the class's bytes into it.  *sidecar becomes the former one, if any: an author may ready
   the same static type again if the first attempt failed. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_PutSidecar(_PyExtensibleType_API *api, PyTypeObject *type,
                             _PyExtensibleType_Sidecar **sidecar)
{
    const Py_ssize_t offset = api->metaclass->tp_basicsize;
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (*sidecar == NULL) return;
    memcpy((void *)(*sidecar + 1), (const char *)type + offset,
           (size_t)(Py_TYPE((PyObject *)type)->tp_basicsize - offset));
    (*sidecar)->held = api->state->unfinished;
    api->state->unfinished = type;
    _PyExtensibleType_SetSidecar(type, *sidecar);
    *sidecar = NULL;
}

/* Marks the class as finished: takes it out of the list of those that are not. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_EndFilling(_PyExtensibleType_API *api, PyTypeObject *type)
{
    _PyExtensibleType_Sidecar *sidecar = _PyExtensibleType_SidecarOf(type);
    PyTypeObject *other = api->state->unfinished;
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (!_PyExtensibleType_IsFilling(sidecar)) return;
    if (other == type) api->state->unfinished = (PyTypeObject *)sidecar->held;
    else {
        while (_PyExtensibleType_SidecarOf(other)->held != type) {
            other = (PyTypeObject *)_PyExtensibleType_SidecarOf(other)->held;
        }
        _PyExtensibleType_SidecarOf(other)->held = sidecar->held;
    }
    sidecar->held = NULL;
    sidecar->when = 0;
}

/* Takes the sidecar away from a class that dies, or was not made after all.  It is to be freed
   after its settings are removed; NULL if there is none. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Sidecar *
_PyExtensibleType_TakeSidecar(_PyExtensibleType_API *api, PyTypeObject *type)
{
    _PyExtensibleType_Sidecar *sidecar = _PyExtensibleType_SidecarOf(type);
    _PyExtensibleType_EndFilling(api, type);
    _PyExtensibleType_SetSidecar(type, NULL);
    return sidecar;
}

/* --------------------------------------------------------------- what a class set -- */

/* An entry to be inserted; `kept` is counted.  NULL with a MemoryError. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Setting *
_PyExtensibleType_NewSetting(const _PyExtensibleType_FieldEntry *field, PyObject *kept)
{
    const int keeps = (field->def.flags & PyExtensibleType_KEEP) != 0;
    _PyExtensibleType_Setting *setting = (_PyExtensibleType_Setting *)PyMem_RawCalloc(
        1, sizeof(*setting) + (keeps ? (size_t)field->def.size : 0));
    if (setting == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    setting->field = field;
    if (keeps) {
        Py_XINCREF(kept);
        setting->kept = kept;
    }
    return setting;
}

/* Frees a chain of entries that were taken out.  Runs destructors: not under the lock. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_FreeSettings(_PyExtensibleType_Setting *settings)
{
    while (settings != NULL) {
        _PyExtensibleType_Setting *next = settings->next;
        Py_XDECREF(settings->kept);
        PyMem_RawFree(settings);
        settings = next;
    }
}

/* Records that `type`, which has a sidecar, set setting->field; steals `setting`.  Cannot fail.
   Returns the entry that it replaces, to be given to FreeSettings(), or NULL. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Setting *
_PyExtensibleType_InsertSetting(_PyExtensibleType_API *api, PyTypeObject *type,
                                _PyExtensibleType_Setting *setting)
{
    _PyExtensibleType_Setting *old = _PyExtensibleType_RemoveSetting(api, type, setting->field);
    _PyExtensibleType_Sidecar *sidecar = _PyExtensibleType_SidecarOf(type);
    setting->type = type;
    setting->next = sidecar->settings;
    sidecar->settings = setting;
    if (setting->kept != NULL) {
        setting->keeper = api->state->keepers;
        api->state->keepers = setting;
    }
    return old;
}

/* Takes the entry out; NULL if there is none. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Setting *
_PyExtensibleType_RemoveSetting(_PyExtensibleType_API *api, PyTypeObject *type,
                                const _PyExtensibleType_FieldEntry *field)
{
    _PyExtensibleType_Setting *old = _PyExtensibleType_SettingOf(api, type, field), **link;
    if (old == NULL) return NULL;
    link = &_PyExtensibleType_SidecarOf(type)->settings;
    while (*link != old) link = &(*link)->next;
    *link = old->next;
    old->next = NULL;
    if (old->kept != NULL) {
        for (link = &api->state->keepers; *link != old; ) link = &(*link)->keeper;
        *link = old->keeper;
        old->keeper = NULL;
    }
    return old;
}

/* Does the value of `type`, set or inherited, point into an object that some class keeps? */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_PointsIntoObject(_PyExtensibleType_API *api, PyTypeObject *type,
                                   const _PyExtensibleType_FieldEntry *field)
{
    const _PyExtensibleType_Setting *setting;
    const char *value = _PyExtensibleType_FieldAt(type, field);
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (!(field->def.flags & PyExtensibleType_KEEP)) return 0;
    for (setting = api->state->keepers; setting != NULL; setting = setting->keeper) {
        if (setting->field == field
                && memcmp(value, _PyExtensibleType_FieldAt(setting->type, field),
                                          (size_t)field->def.size) == 0) return 1;
    }
    return 0;
}

/* --------------------------------------------------------------------------- limbo -- */

/* Disposes of an entry of `type` that was taken out (or NULL), while the value is still in place.
   If the entry keeps an object that the value points into, a class that is being made, or getting
   other bases, may hold the same value without having been found as a follower.  While there may
   be such a class, the entry stays in limbo. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_RetireSetting(_PyExtensibleType_API *api, PyTypeObject *type,
                                _PyExtensibleType_Setting *setting)
{
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (setting == NULL) return;
    if (setting->kept == NULL) {
        PyMem_RawFree(setting);
        return;
    }
    memcpy((void *)(setting + 1), _PyExtensibleType_FieldAt(type, setting->field),
           (size_t)setting->field->def.size);
    setting->next = api->state->limbo;
    api->state->limbo = setting;
}

/* Does an unfinished class hold the value of this entry, which is in limbo? */
static int
_PyExtensibleType_IsHeldUnfinished(_PyExtensibleType_API *api,
                                   const _PyExtensibleType_Setting *setting)
{
    PyTypeObject *type = api->state->unfinished;
    _PyExtensibleType_ASSERT_LOCKED(api);
    for (; type != NULL; type = (PyTypeObject *)_PyExtensibleType_SidecarOf(type)->held) {
        /* (Its flags are not read: CPython may be writing them.) */
        if (_PyExtensibleType_HasLayer(type, setting->field->layer)
                && memcmp((const void *)(setting + 1),
                          _PyExtensibleType_FieldAt(type, setting->field),
                          (size_t)setting->field->def.size) == 0) return 1;
    }
    return 0;
}

/* Takes out the entries that can leave the limbo, to be given to FreeSettings().  Under the
   lock. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Setting *
_PyExtensibleType_TakeLimbo(_PyExtensibleType_API *api)
{
    _PyExtensibleType_Setting **link = &api->state->limbo, *settings = NULL;
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (api->state->refreshes != NULL) return NULL;
    while (*link != NULL) {
        _PyExtensibleType_Setting *setting = *link;
        if (_PyExtensibleType_IsHeldUnfinished(api, setting)) {
            link = &setting->next;
            continue;
        }
        *link = setting->next;
        setting->next = settings;
        settings = setting;
    }
    return settings;
}
