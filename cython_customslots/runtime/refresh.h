/* SPDX-License-Identifier: MIT
 *
 * runtime/refresh.h - a change of a class that its subclasses follow, while it is prepared: change.h.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_REFRESH_H
#define Py_CUSTOMSLOTS_RUNTIME_REFRESH_H

#include "runtime/fields.h"
#include "runtime/guard.h"
#include "runtime/slots.h"
#include "runtime/state.h"

typedef struct {
    PyTypeObject             *type;       /* counted */
    PyObject                 *mro;        /* counted; the one that commit goes by */
    _PyExtensibleType_Record *record;     /* the one to publish; NULL: none prepared */
    struct _PyExtensibleType_Overrides *plan;   /* what it overrides; NULL: nothing, or see below */
    uintptr_t                 unplanned;  /* not 0: there was no memory for a plan */
} _PyExtensibleType_Pending;

/* In place of a count of own slots, which stay as they are: what changes instead. */
#define _PyExtensibleType_BASES      (-1)
#define _PyExtensibleType_ATTRIBUTES (-2)

typedef struct _PyExtensibleType_Refresh {
    struct _PyExtensibleType_Refresh *next;   /* in the API's list */
    PyTypeObject              *top;       /* borrowed from the caller; NULL: not in use */
    const PyCustomSlot        *own;       /* its new own slots, borrowed from the caller; */
    Py_ssize_t                 own_count; /* or BASES, ATTRIBUTES: they stay */
    _PyExtensibleType_Pending *pending;   /* top and all its subclasses with a table */
    Py_ssize_t                 count;
    _PyExtensibleType_Pending *late;      /* reported by others; guarded by the lock */
    Py_ssize_t                 late_count, late_room;
    const char                *value;     /* what a field of top will hold; NULL: as it is */
    uintptr_t                  collected; /* the generation before the classes were collected */
    char                      *scratch;
    Py_ssize_t                 scratch_size;
    _PyExtensibleType_FieldWork work;
} _PyExtensibleType_Refresh;

#define _PyExtensibleType_REFRESH_INIT \
    {NULL, NULL, NULL, _PyExtensibleType_BASES, NULL, 0, NULL, 0, 0, NULL, 0, NULL, 0, \
     _PyExtensibleType_FIELD_WORK_INIT}

static inline void
_PyExtensibleType_EnterRefresh(_PyExtensibleType_API *api, _PyExtensibleType_Refresh *refresh)
{
    _PyExtensibleType_Lock(api);
    refresh->next = api->state->refreshes;
    api->state->refreshes = refresh;
    _PyExtensibleType_Unlock(api);
}

/* Takes a refresh out of the list, if it is in it.  Under the lock. */
static inline void
_PyExtensibleType_LeaveRefresh(_PyExtensibleType_API *api, _PyExtensibleType_Refresh *refresh)
{
    _PyExtensibleType_Refresh **link = &api->state->refreshes;
    _PyExtensibleType_ASSERT_LOCKED(api);
    while (*link != NULL && *link != refresh) link = &(*link)->next;
    if (*link == refresh) *link = refresh->next;
}

/* The slots that `type` itself declares once the refresh (or NULL) is committed: their number, and in
   *own where they are.  Under the lock. */
static inline Py_ssize_t
_PyExtensibleType_OwnAfter(const _PyExtensibleType_API *api, const _PyExtensibleType_Refresh *refresh,
                           PyTypeObject *type, const PyCustomSlot **own)
{
    PyCustomSlot *kept;
    Py_ssize_t count;
    _PyExtensibleType_ASSERT_LOCKED(api);
    (void)api;
    if (refresh != NULL && type == refresh->top && refresh->own_count >= 0) {
        *own = refresh->own;
        return refresh->own_count;
    }
    count = _PyExtensibleType_OwnSlots(type, &kept);
    *own = kept;
    return count;
}

#endif /* Py_CUSTOMSLOTS_RUNTIME_REFRESH_H */
