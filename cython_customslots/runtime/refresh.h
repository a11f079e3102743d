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
    _Pycs_Change               change;
    _Pycs_Pending *pending;               /* top and all its subclasses with a table */
    Py_ssize_t                 count, looked;   /* how many there are, were looked at */
    uintptr_t                  generation;      /* from before they were collected */
    PyTypeObject             **late;      /* counted: reported by others; guarded by the lock */
    Py_ssize_t                 late_count, late_room;
} _Pycs_Refresh;

#endif /* Py_CUSTOMSLOTS_RUNTIME_REFRESH_H */
