/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/filled.h - what did a class get by inheritance, and when?
 * Included by extensibletype.h; not for direct use.
 *
 *     tp_alloc fills the fields  ->  type.__new__: mro(), linked into its bases'
 *         subclasses, __set_name__, __init_subclass__  ->  Resolve()
 *
 * C code may write into a field directly, and then the value is the class's own, though
 * nobody wrote that down.  To tell such a value from an inherited one, the bytes that
 * inheritance last put there are kept beside the class.  (What its bases hold at the moment
 * cannot tell: they may have changed and not reached the class yet, its MRO may have been
 * replaced by an assignment that another thread has not committed, and CPython's own state
 * can be inconsistent when threads assign bases at once.)
 *
 * Also: who changes fields while a class is in the making does not find it among the
 * subclasses, or leaves an unfinished one alone.  It is for Resolve() to see that something
 * changed since (`generation`) and to give the class what it inherits now.
 *
 * A hash table by class.  All of this is under the lock, but for NewFilled().
 */
#ifndef Py_EXTENSIBLETYPE_FILLED_H
#define Py_EXTENSIBLETYPE_FILLED_H

typedef struct _PyExtensibleType_Filled {
    struct _PyExtensibleType_Filled *next;
    PyTypeObject *type;               /* borrowed: taken out when it dies */
    uintptr_t     generation;         /* from before anything was looked up for it, plus one;
                                         0: the class is finished */
} _PyExtensibleType_Filled;           /* the bytes of its fields follow */

/* For a class of `metaclass` that is about to be filled; to be freed unless it is
   inserted.  In *filled NULL if it has no fields.  0, or -1 with a MemoryError. */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_NewFilled(_PyExtensibleType_API *api, PyTypeObject *metaclass,
                            _PyExtensibleType_Filled **filled)
{
    const Py_ssize_t size = metaclass->tp_basicsize - api->metaclass->tp_basicsize;
    *filled = NULL;
    if (size <= 0) return 0;
    *filled = (_PyExtensibleType_Filled *)PyMem_RawMalloc(sizeof(**filled) + (size_t)size);
    if (*filled == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    (*filled)->generation = _PyCustomSlots_LOAD(uintptr_t, &api->generation) + 1;
    return 0;
}

/* The link that points to the entry, or to NULL.  There is a bucket at least. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Filled **
_PyExtensibleType_FilledLink(const _PyExtensibleType_API *api, const PyTypeObject *type)
{
    const uintptr_t key = (uintptr_t)type >> 4;
    _PyExtensibleType_Filled **link
        = &api->filled[(size_t)(key ^ (key >> 8) ^ (key >> 16)) & (api->filled_buckets - 1)];
    while (*link != NULL && (*link)->type != type) link = &(*link)->next;
    return link;
}

_PyCustomSlots_UNUSED static inline _PyExtensibleType_Filled *
_PyExtensibleType_FilledOf(const _PyExtensibleType_API *api, const PyTypeObject *type)
{
    _PyExtensibleType_ASSERT_LOCKED(api);
    return api->filled_count != 0 ? *_PyExtensibleType_FilledLink(api, type) : NULL;
}

/* More buckets, if there is memory for them: chains just get longer otherwise. */
_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_GrowFilled(_PyExtensibleType_API *api)
{
    _PyExtensibleType_Filled **old = api->filled, **buckets;
    const size_t count = api->filled_buckets;
    size_t i;
    buckets = (_PyExtensibleType_Filled **)PyMem_RawCalloc(4 * count, sizeof(*buckets));
    if (buckets == NULL) return;
    api->filled = buckets;
    api->filled_buckets = 4 * count;
    for (i = 0; i < count; i++) {
        while (old[i] != NULL) {
            _PyExtensibleType_Filled *filled = old[i], **link;
            old[i] = filled->next;
            filled->next = NULL;
            link = _PyExtensibleType_FilledLink(api, filled->type);
            *link = filled;
        }
    }
    PyMem_RawFree(old);
}

/* Remembers `filled`, which is new, stolen and may be NULL, for `type`, whose bytes it gets. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Filled *
_PyExtensibleType_InsertFilled(_PyExtensibleType_API *api, PyTypeObject *type,
                               _PyExtensibleType_Filled *filled)
{
    const Py_ssize_t offset = api->metaclass->tp_basicsize;
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (filled == NULL) return NULL;
    if ((size_t)api->filled_count > 2 * api->filled_buckets) _PyExtensibleType_GrowFilled(api);
    filled->type = type;
    filled->next = NULL;
    memcpy((void *)(filled + 1), (const char *)type + offset,
           (size_t)(Py_TYPE((PyObject *)type)->tp_basicsize - offset));
    *_PyExtensibleType_FilledLink(api, type) = filled;
    api->filled_count++;
    api->unfinished++;
    return filled;
}

/* The class is finished. */
_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_FinishFilled(_PyExtensibleType_API *api, _PyExtensibleType_Filled *filled)
{
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (filled == NULL || filled->generation == 0) return;
    filled->generation = 0;
    api->unfinished--;
}

/* Does an unfinished class hold the value of this entry, which is in limbo? */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_IsHeldUnfinished(const _PyExtensibleType_API *api,
                                   const _PyExtensibleType_Own *own)
{
    const _PyExtensibleType_Filled *filled;
    size_t i;
    _PyExtensibleType_ASSERT_LOCKED(api);
    for (i = 0; i < api->filled_buckets; i++) {
        for (filled = api->filled[i]; filled != NULL; filled = filled->next) {
            /* (CPython may be writing the flags of such a class: they are not asked.) */
            if (filled->generation != 0
                    && _PyExtensibleType_HasLayer(filled->type, own->field->layer)
                    && memcmp((const void *)(own + 1),
                              _PyExtensibleType_FieldAt(filled->type, own->field),
                              (size_t)own->field->def.size) == 0) return 1;
        }
    }
    return 0;
}

/* What can leave the limbo: to be given to FreeOwn(). */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Own *
_PyExtensibleType_TakeLimbo(_PyExtensibleType_API *api)
{
    _PyExtensibleType_Own **link = &api->limbo, *owns = NULL;
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (api->refreshes != NULL) return NULL;
    while (*link != NULL) {
        _PyExtensibleType_Own *own = *link;
        if (api->unfinished != 0 && _PyExtensibleType_IsHeldUnfinished(api, own)) {
            link = &own->next;
            continue;
        }
        *link = own->next;
        own->next = owns;
        owns = own;
    }
    return owns;
}

/* The class dies.  The entry is to be freed; NULL: there was none. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Filled *
_PyExtensibleType_TakeFilled(_PyExtensibleType_API *api, const PyTypeObject *type)
{
    _PyExtensibleType_Filled **link, *filled;
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (api->filled_count == 0) return NULL;
    link = _PyExtensibleType_FilledLink(api, type);
    if ((filled = *link) == NULL) return NULL;
    *link = filled->next;
    api->filled_count--;
    _PyExtensibleType_FinishFilled(api, filled);
    return filled;
}

/* Did anything change since the class, an unfinished one, was filled?  NULL: nobody knows,
   as for a class without fields. */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsOutdated(_PyExtensibleType_API *api,
                             const _PyExtensibleType_Filled *filled)
{
    return filled != NULL
           && filled->generation != _PyCustomSlots_LOAD(uintptr_t, &api->generation) + 1;
}

/* Where the bytes of a field of `type`'s metaclass are; NULL if they are not known. */
_PyCustomSlots_UNUSED static inline char *
_PyExtensibleType_FilledAt(const _PyExtensibleType_API *api, const PyTypeObject *type,
                           const _PyExtensibleType_FieldEntry *field)
{
    const Py_ssize_t offset = field->def.offset - api->metaclass->tp_basicsize;
    _PyExtensibleType_Filled *filled = _PyExtensibleType_FilledOf(api, type);
    return filled != NULL && offset >= 0 ? (char *)(filled + 1) + offset : NULL;
}

/* The field of `type` was given these bytes by inheritance, or it is the class's own and
   they are the value that is written down. */
_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_NoteFilled(_PyExtensibleType_API *api, PyTypeObject *type,
                             const _PyExtensibleType_FieldEntry *field, const char *value)
{
    char *known = _PyExtensibleType_FilledAt(api, type, field);
    if (known != NULL) memcpy(known, value, (size_t)field->def.size);
}

/* Nobody wrote into this field yet: it holds the default, or what there was before the
   metaclass had any. */
_PyCustomSlots_UNUSED static inline int
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
_PyCustomSlots_UNUSED static inline int
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
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_InheritsField(_PyExtensibleType_API *api, PyTypeObject *type,
                                const _PyExtensibleType_FieldEntry *field)
{
    return !_PyExtensibleType_IsOwn(api, type, field)
           && (_PyExtensibleType_IsHooked(field)
               || _PyExtensibleType_IsAsFilled(api, type, field));
}

#endif /* Py_EXTENSIBLETYPE_FILLED_H */
