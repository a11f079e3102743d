/* SPDX-License-Identifier: MIT
 *
 * runtime/sidecar.h - what is kept beside a class: where do its C fields come from?
 *
 *     type object                     sidecar
 *     +-----------------------+       +----------------------------------+
 *     | etp_extension --------|-----> | extension  settings  held  when  |   four words
 *     +-----------------------+       +----------------------------------+
 *     | C fields              | <===> | the bytes that inheritance last  |
 *     +-----------------------+       | put there                        |
 *                                     +----------------------------------+
 *
 * A class inherits a field as it inherits a class attribute: unless it, or a class nearer in
 * its MRO, has a value of its own.  A class attribute is in the class's dict; a field is a copy
 * in every class, so the sidecar lists which values the class set (`settings`).
 *
 * C code may write into a field directly, and then the value is the class's own, though no list
 * says so.  To tell such a value from an inherited one, the bytes that inheritance last
 * put there are kept behind the sidecar.  (What its bases hold at the moment cannot tell: they
 * may have changed and not reached the class yet, its MRO may have been replaced by an assignment
 * that another thread has not committed, and CPython's own state can be inconsistent when threads
 * assign bases at once.)
 *
 *     tp_alloc fills the fields  ->  type.__new__: mro(), linked into its bases'
 *         subclasses, __set_name__, __init_subclass__  ->  Resolve()
 *
 * A thread that changes fields while a class is being made does not find the class among the
 * subclasses, or leaves it alone as unfinished.  Resolve() notices that something changed since
 * (`when`) and gives the class what it inherits now.
 *
 * A class without fields has a sidecar only if it has an MRO to keep for readers, in `held`
 * (change.h).
 *
 * All of this is under the lock, except NewSidecar(), FreeSidecar() and NewSetting().
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SIDECAR_H
#define Py_CUSTOMSLOTS_RUNTIME_SIDECAR_H

#include "runtime/guard.h"
#include "runtime/layers.h"
#include "runtime/state.h"

/* [sidecar.begin] */
/* A value that a class set itself. */
typedef struct _PyExtensibleType_Setting {
    struct _PyExtensibleType_Setting *next;     /* of the class */
    void         *extension;
    const _PyExtensibleType_FieldEntry *field;
    const void   *handover;                 /* the call that it came from, only compared */
} _PyExtensibleType_Setting;

/* `when` of a class that is not finished: twice the generation from before anything was looked
   up for it, and this bit.  Of a finished one: 0. */
#define _PyExtensibleType_FILLING ((uintptr_t)1)
/* [sidecar.end] */

/* The sidecar of a class that we filled (IsKnown()); NULL if it has none. */
static inline _PyExtensibleType_Sidecar *
_PyExtensibleType_SidecarOf(PyTypeObject *type)
{
    return _PyCustomSlots_LOAD(_PyExtensibleType_Sidecar *,
                               (_PyExtensibleType_Sidecar **)(void *)
                                   &((PyHeapExtensibleTypeObject *)type)->etp_extension);
}

static inline void
_PyExtensibleType_SetSidecar(PyTypeObject *type, _PyExtensibleType_Sidecar *sidecar)
{
    _PyCustomSlots_STORE(void *, &((PyHeapExtensibleTypeObject *)type)->etp_extension,
                         (void *)sidecar);
}

/* Is it not finished? */
static inline int
_PyExtensibleType_IsFilling(const _PyExtensibleType_Sidecar *sidecar)
{
    return sidecar != NULL && (sidecar->when & _PyExtensibleType_FILLING) != 0;
}

/* The entry for a field that `type` set itself, or NULL. */
static inline _PyExtensibleType_Setting *
_PyExtensibleType_SettingOf(_PyExtensibleType_API *api, PyTypeObject *type,
                            const _PyExtensibleType_FieldEntry *field)
{
    const _PyExtensibleType_Sidecar *sidecar = _PyExtensibleType_SidecarOf(type);
    _PyExtensibleType_Setting *setting = sidecar != NULL ? sidecar->settings : NULL;
    _PyExtensibleType_ASSERT_LOCKED(api);
    (void)api;
    while (setting != NULL && setting->field != field) setting = setting->next;
    return setting;
}

/* Did anything change since the class, an unfinished one, was filled?  NULL: nobody knows,
   as for a class without fields. */
static inline int
_PyExtensibleType_IsOutdated(_PyExtensibleType_API *api,
                             const _PyExtensibleType_Sidecar *sidecar)
{
    return _PyExtensibleType_IsFilling(sidecar)
           && sidecar->when != (_PyCustomSlots_LOAD(uintptr_t, &api->state->generation) << 1
                                | _PyExtensibleType_FILLING);
}

/* Where the bytes of a field of `type`'s metaclass are; NULL if they are not known. */
static inline char *
_PyExtensibleType_FilledAt(_PyExtensibleType_API *api, PyTypeObject *type,
                           const _PyExtensibleType_FieldEntry *field)
{
    const Py_ssize_t offset = field->def.offset - api->metaclass->tp_basicsize;
    _PyExtensibleType_Sidecar *sidecar = _PyExtensibleType_SidecarOf(type);
    _PyExtensibleType_ASSERT_LOCKED(api);
    return sidecar != NULL ? (char *)(sidecar + 1) + offset : NULL;
}

/* The field of `type` was given these bytes by inheritance, or it is the class's own and
   they are the value that is written down. */
static inline void
_PyExtensibleType_NoteFilled(_PyExtensibleType_API *api, PyTypeObject *type,
                             const _PyExtensibleType_FieldEntry *field, const char *value)
{
    char *known = _PyExtensibleType_FilledAt(api, type, field);
    if (known != NULL) memcpy(known, value, (size_t)field->def.size);
}

/* Nobody wrote into this field yet: it holds the default, or what there was before the
   metaclass had any. */
static inline int
_PyExtensibleType_IsUntouched(const _PyExtensibleType_FieldEntry *field, const char *value)
{
    Py_ssize_t i;
    if (memcmp(value, _PyExtensibleType_DefaultOf(field), (size_t)field->def.size) == 0) {
        return 1;
    }
    for (i = 0; i < field->def.size && value[i] == 0; i++) { }
    return i == field->def.size;
}

/* Does a field without hooks hold what inheritance put there? */
static inline int
_PyExtensibleType_IsAsFilled(_PyExtensibleType_API *api, PyTypeObject *type,
                             const _PyExtensibleType_FieldEntry *field)
{
    const char *value = _PyExtensibleType_FieldAt(type, field);
    const char *known = _PyExtensibleType_FilledAt(api, type, field);
    return known != NULL ? memcmp(value, known, (size_t)field->def.size) == 0
                         : _PyExtensibleType_IsUntouched(field, value);
}

/* Does `type` hold what it inherits?  Not if a value of its own is written down, or if
   somebody wrote into it. */
static inline int
_PyExtensibleType_InheritsField(_PyExtensibleType_API *api, PyTypeObject *type,
                                const _PyExtensibleType_FieldEntry *field)
{
    return _PyExtensibleType_SettingOf(api, type, field) == NULL
           && (_PyExtensibleType_IsHooked(field)
               || _PyExtensibleType_IsAsFilled(api, type, field));
}

_PyExtensibleType_PRIVATE int _PyExtensibleType_NewSidecar(
    _PyExtensibleType_API *api, PyTypeObject *metaclass, _PyExtensibleType_Sidecar **sidecar);
_PyExtensibleType_PRIVATE void _PyExtensibleType_PutSidecar(
    _PyExtensibleType_API *api, PyTypeObject *type, _PyExtensibleType_Sidecar **sidecar);
_PyExtensibleType_PRIVATE void _PyExtensibleType_EndFilling(
    _PyExtensibleType_API *api, PyTypeObject *type);
_PyExtensibleType_PRIVATE _PyExtensibleType_Sidecar *_PyExtensibleType_TakeSidecar(
    _PyExtensibleType_API *api, PyTypeObject *type);
_PyExtensibleType_PRIVATE void _PyExtensibleType_FreeSidecar(_PyExtensibleType_Sidecar *sidecar);
_PyExtensibleType_PRIVATE _PyExtensibleType_Setting *_PyExtensibleType_NewSetting(
    const _PyExtensibleType_FieldEntry *field);
_PyExtensibleType_PRIVATE _PyExtensibleType_Setting *_PyExtensibleType_InsertSetting(
    _PyExtensibleType_API *api, PyTypeObject *type, _PyExtensibleType_Setting *setting);
_PyExtensibleType_PRIVATE _PyExtensibleType_Setting *_PyExtensibleType_RemoveSetting(
    _PyExtensibleType_API *api, PyTypeObject *type, const _PyExtensibleType_FieldEntry *field);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SIDECAR_H */
