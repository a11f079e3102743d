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
    _PyExtensibleType_SetSidecar(type, *sidecar);
    *sidecar = NULL;
}

/* Marks the class as finished. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_EndFilling(_PyExtensibleType_API *api, PyTypeObject *type)
{
    _PyExtensibleType_Sidecar *sidecar = _PyExtensibleType_SidecarOf(type);
    _PyExtensibleType_ASSERT_LOCKED(api);
    (void)api;
    if (sidecar != NULL) sidecar->when = 0;
}

/* Takes the sidecar away from a class that dies, or was not made after all; NULL if there is
   none. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Sidecar *
_PyExtensibleType_TakeSidecar(_PyExtensibleType_API *api, PyTypeObject *type)
{
    _PyExtensibleType_Sidecar *sidecar = _PyExtensibleType_SidecarOf(type);
    _PyExtensibleType_ASSERT_LOCKED(api);
    (void)api;
    _PyExtensibleType_SetSidecar(type, NULL);
    return sidecar;
}

_PyExtensibleType_PRIVATE void
_PyExtensibleType_FreeSidecar(_PyExtensibleType_Sidecar *sidecar)
{
    while (sidecar != NULL && sidecar->settings != NULL) {
        _PyExtensibleType_Setting *setting = sidecar->settings;
        sidecar->settings = setting->next;
        PyMem_RawFree(setting);
    }
    PyMem_RawFree(sidecar);
}

/* --------------------------------------------------------------- what a class set -- */

/* An entry to be inserted.  NULL with a MemoryError. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Setting *
_PyExtensibleType_NewSetting(const _PyExtensibleType_FieldEntry *field)
{
    _PyExtensibleType_Setting *setting
        = (_PyExtensibleType_Setting *)PyMem_RawCalloc(1, sizeof(*setting));
    if (setting == NULL) PyErr_NoMemory();
    else setting->field = field;
    return setting;
}

/* Records that `type`, which has a sidecar, set setting->field; steals `setting`.  Cannot fail.
   Returns the entry that it replaces, or NULL. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Setting *
_PyExtensibleType_InsertSetting(_PyExtensibleType_API *api, PyTypeObject *type,
                                _PyExtensibleType_Setting *setting)
{
    _PyExtensibleType_Setting *old = _PyExtensibleType_RemoveSetting(api, type, setting->field);
    _PyExtensibleType_Sidecar *sidecar = _PyExtensibleType_SidecarOf(type);
    setting->next = sidecar->settings;
    sidecar->settings = setting;
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
    return old;
}
