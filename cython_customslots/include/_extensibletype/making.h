/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/making.h - what was a class in the making filled with?
 * Included by extensibletype.h; not for direct use.
 *
 *     tp_alloc fills the fields  ->  type.__new__: mro(), linked into its bases'
 *         subclasses, __set_name__, __init_subclass__  ->  Resolve()
 *
 * Who changes fields in between, in mro() or in another thread, does not find the class
 * among the subclasses, or leaves an unfinished one alone.  It is for Resolve() to see
 * that something changed (`generation`) and to give the class what it inherits now.  It
 * must leave alone what somebody wrote into the class itself meanwhile; so what it was
 * filled with is remembered until then.
 *
 * All of this is under the lock, but for NewMaking().
 */
#ifndef Py_EXTENSIBLETYPE_MAKING_H
#define Py_EXTENSIBLETYPE_MAKING_H

typedef struct _PyExtensibleType_Making {
    struct _PyExtensibleType_Making *next;
    PyTypeObject *type;               /* borrowed: taken out when it is finished or dies */
    uintptr_t     generation;         /* from before anything was looked up for it */
    Py_ssize_t    offset, size;       /* bytes in the type object; they follow this struct */
} _PyExtensibleType_Making;

/* For a class of `metaclass` that is about to be filled; to be freed unless it is
   remembered.  In *making NULL if it has no fields.  0, or -1 with a MemoryError. */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_NewMaking(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                            _PyExtensibleType_Making **making)
{
    const Py_ssize_t offset = api->metaclass->tp_basicsize;
    const Py_ssize_t size = metaclass->tp_basicsize - offset;
    *making = NULL;
    if (size <= 0) return 0;
    *making = (_PyExtensibleType_Making *)PyMem_RawMalloc(sizeof(**making) + (size_t)size);
    if (*making == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    (*making)->generation = _PyCustomSlots_LOAD(uintptr_t, &api->generation);
    (*making)->offset = offset;
    (*making)->size = size;
    return 0;
}

/* Remembers what the fields of `type` are now; steals `making`, which may be NULL. */
_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_RememberMaking(_PyExtensibleType_API *api, PyTypeObject *type,
                                 _PyExtensibleType_Making *making)
{
    if (making == NULL) return;
    making->type = type;
    memcpy((void *)(making + 1), (const char *)type + making->offset, (size_t)making->size);
    making->next = api->making;
    api->making = making;
}

/* What is remembered of `type`, borrowed, or NULL. */
_PyCustomSlots_UNUSED static inline const _PyExtensibleType_Making *
_PyExtensibleType_MakingOf(_PyExtensibleType_API *api, const PyTypeObject *type)
{
    const _PyExtensibleType_Making *making = api->making;
    while (making != NULL && making->type != type) making = making->next;
    return making;
}

_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_ForgetMaking(_PyExtensibleType_API *api, const PyTypeObject *type)
{
    _PyExtensibleType_Making **link = &api->making, *making;
    while (*link != NULL && (*link)->type != type) link = &(*link)->next;
    if (!(making = *link)) return;
    *link = making->next;
    PyMem_RawFree(making);
}

/* Did anything change since?  NULL: nobody knows, as for a class without fields. */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsOutdated(_PyExtensibleType_API *api,
                             const _PyExtensibleType_Making *making)
{
    return making != NULL
           && making->generation != _PyCustomSlots_LOAD(uintptr_t, &api->generation);
}

/* Does the class hold in this field what it was filled with? */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsAsFilled(const _PyExtensibleType_Making *making,
                             const _PyExtensibleType_FieldEntry *field, const char *value)
{
    const char *filled = (const char *)(making + 1) + (field->def.offset - making->offset);
    return memcmp(value, filled, (size_t)field->def.size) == 0;
}

/* Gives every field of an unfinished class that nobody wrote to since it was filled what
   it inherits by `mro`.  `making`: what is remembered of it; NULL: it was filled with the
   defaults.  With `trusted`, values from a class body are this class's own; without, they
   were meant for another one.  0, or -1 with an exception and nothing changed. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CorrectFields(_PyExtensibleType_API *api, PyTypeObject *type, int trusted,
                                const _PyExtensibleType_Making *making,
                                const _PyExtensibleType_Mro *mro,
                                _PyExtensibleType_FieldWork *work)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    _PyExtensibleType_FieldEntry *field;

    if (_PyExtensibleType_ReserveDrops(api, Py_TYPE(type), work) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    if (_PyExtensibleType_CopyInherited(api, type, Py_TYPE(type), mro, work) < 0) return -1;
    while ((field = _PyExtensibleType_NextField(&iter))) {
        char *value = _PyExtensibleType_FieldAt(type, field);
        _PyExtensibleType_Own *own
            = trusted ? NULL : _PyExtensibleType_RemoveOwn(api, type, field, 1);
        if (own == NULL) {
            if (_PyExtensibleType_IsOwn(api, type, field)) continue;
            if (!_PyExtensibleType_IsHooked(field)
                    && !(making != NULL ? _PyExtensibleType_IsAsFilled(making, field, value)
                                        : _PyExtensibleType_IsUntouched(field, value))) {
                continue;
            }
        }
        _PyExtensibleType_Replace(work, type, field, value,
                                  _PyExtensibleType_ValueFor(api, mro, field));
        _PyExtensibleType_RetireOwn(api, own);
    }
    _PyExtensibleType_FirstDefaults(api, Py_TYPE(type), mro, work);
    return 0;
}

#endif /* Py_EXTENSIBLETYPE_MAKING_H */
