/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/own.h - which C fields did a class set itself?
 * Included by extensibletype.h; not for direct use.
 *
 * A class inherits a field as it inherits a class attribute: unless it, or a class
 * nearer in its MRO, has a value of its own.  A class attribute is in the class's dict;
 * a field is a copy in every class, so who owns a value is written down here: in a hash
 * table by class and field, which costs nothing for classes that set nothing.
 *
 * All of this is under the lock, but for FreeOwn().
 *
 * (Code that writes into the struct directly writes nothing down: for fields without
 * hooks, a value that differs from the inherited one counts as the class's own, too.)
 */
#ifndef Py_EXTENSIBLETYPE_OWN_H
#define Py_EXTENSIBLETYPE_OWN_H

typedef struct _PyExtensibleType_Own {
    struct _PyExtensibleType_Own *next;
    PyTypeObject *type;                     /* borrowed: removed when it dies */
    const _PyExtensibleType_FieldEntry *field;
    PyObject     *kept;                     /* what the value points into; counted, or NULL */
    const void   *body;                     /* the Handover that it came from, only compared */
} _PyExtensibleType_Own;                    /* with KEEP: in limbo, the value follows */

_PyCustomSlots_UNUSED static inline size_t
_PyExtensibleType_OwnBucket(const _PyExtensibleType_API *api, const PyTypeObject *type,
                            const _PyExtensibleType_FieldEntry *field)
{
    const uintptr_t key = ((uintptr_t)type >> 4) * 31u + ((uintptr_t)field >> 4);
    return (size_t)(key ^ (key >> 12)) & (api->own_buckets - 1);
}

/* The link that points to the entry, or to NULL. */
_PyCustomSlots_UNUSED static inline _PyExtensibleType_Own **
_PyExtensibleType_OwnLink(const _PyExtensibleType_API *api, const PyTypeObject *type,
                          const _PyExtensibleType_FieldEntry *field)
{
    _PyExtensibleType_Own **link = &api->own[_PyExtensibleType_OwnBucket(api, type, field)];
    _PyExtensibleType_ASSERT_LOCKED(api);
    while (*link != NULL && ((*link)->type != type || (*link)->field != field)) {
        link = &(*link)->next;
    }
    return link;
}

/* Did `type` set this field, as far as is written down? */
_PyCustomSlots_UNUSED static inline int
_PyExtensibleType_IsOwn(_PyExtensibleType_API *api, const PyTypeObject *type,
                        const _PyExtensibleType_FieldEntry *field)
{
    _PyExtensibleType_ASSERT_LOCKED(api);
    return api->own_count != 0 && *_PyExtensibleType_OwnLink(api, type, field) != NULL;
}

/* Does the value of `type`, own or inherited, point into an object that some class keeps? */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_PointsIntoObject(_PyExtensibleType_API *api, PyTypeObject *type,
                                   const _PyExtensibleType_FieldEntry *field)
{
    size_t i;
    const _PyExtensibleType_Own *own;
    const char *value = _PyExtensibleType_FieldAt(type, field), *other;
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (!(field->def.flags & PyExtensibleType_KEEP)) return 0;
    /* Whoever keeps something for the same value: defaults are set rarely. */
    for (i = 0; i < api->own_buckets; i++) {
        for (own = api->own[i]; own != NULL; own = own->next) {
            if (own->field != field || own->kept == NULL) continue;
            other = _PyExtensibleType_FieldAt(own->type, field);
            if (memcmp(value, other, (size_t)field->def.size) == 0) return 1;
        }
    }
    return 0;
}

/* An entry to be inserted; `kept` is counted.  NULL with a MemoryError. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Own *
_PyExtensibleType_NewOwn(const _PyExtensibleType_FieldEntry *field, PyObject *kept)
{
    const int keeps = (field->def.flags & PyExtensibleType_KEEP) != 0;
    _PyExtensibleType_Own *own = (_PyExtensibleType_Own *)PyMem_RawCalloc(
        1, sizeof(*own) + (keeps ? (size_t)field->def.size : 0));
    if (own == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    own->field = field;
    if (keeps) {
        Py_XINCREF(kept);
        own->kept = kept;
    }
    return own;
}

/* Frees a chain of entries that were taken out.  Runs destructors: not under the lock. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_FreeOwn(_PyExtensibleType_Own *own)
{
    while (own != NULL) {
        _PyExtensibleType_Own *next = own->next;
        Py_XDECREF(own->kept);
        PyMem_RawFree(own);
        own = next;
    }
}

/* An entry of `type` that was taken out, or NULL, while the value is still there.  If it
   points into what the entry keeps, it may stand, too, in a class that is being made, or gets
   other bases, and so was not among those that could follow: until there is none, the entry
   stays in limbo. */
_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_RetireOwn(_PyExtensibleType_API *api, PyTypeObject *type,
                            _PyExtensibleType_Own *own)
{
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (own == NULL) return;
    if (own->kept == NULL) {
        PyMem_RawFree(own);
        return;
    }
    memcpy((void *)(own + 1), _PyExtensibleType_FieldAt(type, own->field),
           (size_t)own->field->def.size);
    own->next = api->limbo;
    api->limbo = own;
}

/* More buckets, if there is memory for them: chains just get longer otherwise. */
_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_GrowOwn(_PyExtensibleType_API *api)
{
    _PyExtensibleType_Own **old = api->own, **buckets;
    const size_t count = api->own_buckets;
    size_t i;
    buckets = (_PyExtensibleType_Own **)PyMem_RawCalloc(4 * count, sizeof(*buckets));
    if (buckets == NULL) return;
    api->own = buckets;
    api->own_buckets = 4 * count;
    for (i = 0; i < count; i++) {
        while (old[i] != NULL) {
            _PyExtensibleType_Own *own = old[i], **head;
            old[i] = own->next;
            head = &buckets[_PyExtensibleType_OwnBucket(api, own->type, own->field)];
            own->next = *head;
            *head = own;
        }
    }
    PyMem_RawFree(old);
}

/* Writes down that `type` owns own->field; steals `own`.  Cannot fail.  Returns the entry
   that it replaces, to be given to FreeOwn(), or NULL. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Own *
_PyExtensibleType_InsertOwn(_PyExtensibleType_API *api, PyTypeObject *type,
                            _PyExtensibleType_Own *own)
{
    _PyExtensibleType_Own **link, *old;
    _PyExtensibleType_ASSERT_LOCKED(api);
    own->type = type;
    if ((size_t)api->own_count > 2 * api->own_buckets) _PyExtensibleType_GrowOwn(api);
    link = _PyExtensibleType_OwnLink(api, type, own->field);
    old = *link;
    own->next = old != NULL ? old->next : NULL;
    *link = own;
    if (old != NULL) old->next = NULL;
    if (old == NULL) api->own_count++;
    return old;
}

/* Takes the entry out; NULL if there is none. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Own *
_PyExtensibleType_RemoveOwn(_PyExtensibleType_API *api, const PyTypeObject *type,
                            const _PyExtensibleType_FieldEntry *field)
{
    _PyExtensibleType_Own **link, *old;
    _PyExtensibleType_ASSERT_LOCKED(api);
    if (api->own_count == 0) return NULL;
    link = _PyExtensibleType_OwnLink(api, type, field);
    old = *link;
    if (old != NULL) {
        *link = old->next;
        old->next = NULL;
        api->own_count--;
    }
    return old;
}

#endif /* Py_EXTENSIBLETYPE_OWN_H */
