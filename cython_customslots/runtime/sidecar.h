/* SPDX-License-Identifier: MIT
 *
 * runtime/sidecar.h - what is kept beside a class: where do its C fields come from?
 *
 *     type object                     sidecar
 *     +-----------------------+       +----------------------------------+
 *     | etp_extension --------|-----> | extension  marks  held  when     |   four words
 *     +-----------------------+       +----------------------------------+
 *     | C fields              | <===> | the bytes that inheritance last  |
 *     +-----------------------+       | put there                        |
 *                                     | a mark for each byte             |
 *                                     +----------------------------------+
 *
 * A class inherits a field as it inherits a class attribute: unless it, or a class nearer in
 * its MRO, has a value of its own.  A class attribute is in the class's dict; a field is a copy
 * in every class, so the sidecar says which values the class set: the mark for the first byte of
 * such a field is not 0.
 *
 * C code may write into a field directly, and then the value is the class's own, though no mark
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
 * All of this is under the lock, except NewSidecar().
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_SIDECAR_H
#define Py_CUSTOMSLOTS_RUNTIME_SIDECAR_H

#include "runtime/guard.h"
#include "runtime/layers.h"
#include "runtime/state.h"

/* [sidecar.begin] */
/* Marks of fields that the class set itself. */
#define _Pycs_SET                 1
#define _Pycs_GIVEN               2     /* by the call that it was allocated in: see body.c */

/* `when` of a class that is not finished: twice the generation from before anything was looked
   up for it, and this bit.  Of a finished one: 0. */
#define _Pycs_FILLING ((uintptr_t)1)
/* [sidecar.end] */

/* The sidecar of a class that we filled (IsKnown()); NULL if it has none. */
static inline _Pycs_Sidecar *
_Pycs_SidecarOf(PyTypeObject *type)
{
    return _Pycs_LOAD(_Pycs_Sidecar *,
                      (_Pycs_Sidecar **)(void *)
                                   &((PyHeapExtensibleTypeObject *)type)->etp_extension);
}

static inline void
_Pycs_SetSidecar(PyTypeObject *type, _Pycs_Sidecar *sidecar)
{
    _Pycs_STORE(void *, &((PyHeapExtensibleTypeObject *)type)->etp_extension, (void *)sidecar);
}

/* Is it not finished? */
static inline int
_Pycs_IsFilling(const _Pycs_Sidecar *sidecar)
{
    return sidecar != NULL && (sidecar->when & _Pycs_FILLING) != 0;
}

/* Did anything change since the class, an unfinished one, was filled?  NULL: nobody knows,
   as for a class without fields. */
static inline int
_Pycs_IsOutdated(_Pycs_API *api, const _Pycs_Sidecar *sidecar)
{
    return _Pycs_IsFilling(sidecar)
           && sidecar->when != (_Pycs_LOAD(uintptr_t, &api->state->generation) << 1
                                | _Pycs_FILLING);
}

/* Where the bytes of a field of `type`'s metaclass are; NULL if they are not known. */
static inline char *
_Pycs_FilledAt(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    const Py_ssize_t offset = field->def.offset - api->metaclass->tp_basicsize;
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    return sidecar != NULL ? (char *)(sidecar + 1) + offset : NULL;
}

/* The mark of a field of `type`, which has a sidecar. */
static inline char *
_Pycs_MarkOf(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    _Pycs_ASSERT_LOCKED(api);
    return _Pycs_SidecarOf(type)->marks
           + (field->def.offset - api->metaclass->tp_basicsize);
}

/* The field of `type` was given these bytes by inheritance, or it is the class's own and
   they are the value that is marked. */
static inline void
_Pycs_NoteFilled(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field, const char *value)
{
    char *known = _Pycs_FilledAt(api, type, field);
    if (known != NULL) memcpy(known, value, (size_t)field->def.size);
}

/* Nobody wrote into this field yet: it holds the default, or what there was before the
   metaclass had any. */
static inline int
_Pycs_IsUntouched(const _Pycs_FieldEntry *field, const char *value)
{
    Py_ssize_t i;
    if (memcmp(value, _Pycs_DefaultOf(field), (size_t)field->def.size) == 0) {
        return 1;
    }
    for (i = 0; i < field->def.size && value[i] == 0; i++) { }
    return i == field->def.size;
}

/* Does `type` hold what it inherits?  Not if its own value is marked, or if somebody wrote into it. */
static inline int
_Pycs_InheritsField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    const char *value = _Pycs_FieldAt(type, field);
    const char *known = _Pycs_FilledAt(api, type, field);
    if (known == NULL) {
        return _Pycs_IsHooked(field) || _Pycs_IsUntouched(field, value);
    }
    return *_Pycs_MarkOf(api, type, field) == 0
           && (_Pycs_IsHooked(field)
               || memcmp(value, known, (size_t)field->def.size) == 0);
}

_Pycs_PRIVATE int _Pycs_NewSidecar(_Pycs_API *api, PyTypeObject *metaclass, _Pycs_Sidecar **sidecar);
_Pycs_PRIVATE void _Pycs_PutSidecar(_Pycs_API *api, PyTypeObject *type, _Pycs_Sidecar **sidecar);
_Pycs_PRIVATE void _Pycs_EndFilling(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE _Pycs_Sidecar *_Pycs_TakeSidecar(_Pycs_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_SIDECAR_H */
