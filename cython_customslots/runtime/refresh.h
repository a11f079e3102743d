/* SPDX-License-Identifier: MIT
 *
 * runtime/refresh.h - a change of a class that its subclasses follow, while it is prepared: change.h.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_REFRESH_H
#define Py_CUSTOMSLOTS_RUNTIME_REFRESH_H

#include "runtime/fields.h"
#include "runtime/slots.h"
#include "runtime/state.h"

typedef struct {
    PyTypeObject             *type;       /* counted */
    PyObject                 *mro;        /* counted; the one that commit goes by */
    _Pycs_Record             *record;     /* the one to publish; NULL: none prepared */
    struct _Pycs_Overrides *plan;   /* what it overrides; NULL: nothing, or see below */
    uintptr_t                 unplanned;  /* not 0: there was no memory for a plan */
    _Pycs_Value  *values;                 /* copies for it, and what they replaced */
} _Pycs_Pending;

/* In place of a count of own slots, which stay as they are: what changes instead. */
#define _Pycs_CHANGED_BASES          (-1)
#define _Pycs_ATTRIBUTES             (-2)
#define _Pycs_FIELD                  (-3)

typedef struct _Pycs_Refresh {
    struct _Pycs_Refresh *next;   /* in the API's list */
    PyTypeObject              *top;       /* borrowed from the caller */
    const PyCustomSlot        *own;       /* its new own slots, borrowed from the caller; */
    Py_ssize_t                 own_count; /* or what changes instead: they stay */
    _Pycs_Pending *pending;               /* top and all its subclasses with a table */
    Py_ssize_t                 count, looked;   /* how many there are, were looked at */
    uintptr_t                  generation;      /* from before they were collected */
    PyTypeObject             **late;      /* counted: reported by others; guarded by the lock */
    Py_ssize_t                 late_count, late_room;
    const char                *value;     /* what a field of top will hold; NULL: as it is */
    _Pycs_Value               *values;    /* for defaults */
} _Pycs_Refresh;

/* The slots that `type` itself declares once the refresh (or NULL) is committed: their number, and in
   *own where they are.  Under the lock. */
static inline Py_ssize_t
_Pycs_OwnAfter(const _Pycs_API *api, const _Pycs_Refresh *refresh, PyTypeObject *type, const PyCustomSlot **own)
{
    _Pycs_ASSERT_LOCKED(api);
    (void)api;
    if (refresh == NULL || type != refresh->top || refresh->own_count < 0) return _Pycs_OwnSlots(type, own);
    *own = refresh->own;
    return refresh->own_count;
}

#endif /* Py_CUSTOMSLOTS_RUNTIME_REFRESH_H */
