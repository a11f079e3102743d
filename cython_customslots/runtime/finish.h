/* SPDX-License-Identifier: MIT
 *
 * runtime/finish.h - a new class gets its fields, and is finished.
 *
 * HANDOVER tells tp_alloc which bases the new class will have.  The fields of a class must be right
 * before __set_name__ and __init_subclass__ run, which type.__new__ does itself.  tp_alloc is all
 * that runs in time, and does not get the bases.  tp_call of the meta-metaclass gets them (it sees
 * every `class` statement and every Meta(name, bases, namespace)) and leaves them here:
 *
 *     Meta(name, bases, ns) -> tp_call: push -> type.__new__ -> tp_alloc: take
 *                                  `- pop when it returns
 *
 * A metaclass must not override tp_new or mro for this, see docs/design.md.
 *
 * It is a hint, not a fact: a metaclass's __new__ may pass on other bases; a
 * __slots__ iterator, a finaliser or another greenlet may make a class in between
 * and take it; its metaclass may have a mro() of its own.  So the class is filled again when it is
 * finished, if its MRO is not the one that follows from the bases that were handed over.
 *
 * ALL CLASSES GO THE SAME WAY: what the class inherits is made ready (Inherit), which can fail; then
 * there is a type object, which is filled (Fill); that step cannot fail.  It is finished later
 * (FinishType).  This way is used by calls of a metaclass (birth.c); by static types (statics.c); by
 * types from a spec before CPython 3.12 (spec.c); and by classes whose allocation our code did not
 * see (Begin in finish.c).
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_FINISH_H
#define Py_CUSTOMSLOTS_RUNTIME_FINISH_H

#include "runtime/fields.h"

/* A class that was allocated while a call was running. */
typedef struct _Pycs_Made {
    struct _Pycs_Made *next;
    const PyTypeObject *type;         /* borrowed, only compared */
} _Pycs_Made;

/* Nodes are not on the C stack: greenlets swap that, and leave in any order. */
typedef struct _Pycs_Handover {
    struct _Pycs_Handover             *below;
    PyTypeObject *metaclass;          /* borrowed from the call: the computed winner */
    PyObject     *bases;              /* borrowed from the call */
    PyObject     *ns;                 /* likewise: the namespace */
    PyTypeObject *taken_by;           /* counted: the class that got all of this */
    PyObject     *mro;                /* counted: by which its fields were filled, without itself; or NULL */
    int           taken, finished, retracted;
    const PyTypeObject *first_made;   /* the classes allocated during the call: the first, */
    _Pycs_Made *made;                 /* and, owned, a list of all others */
    PyObject     *carried;            /* what the namespace has under FIELDS; counted, or NULL */
    _Pycs_Value *values;              /* what the class statement gives; then, what was replaced */
} _Pycs_Handover;

/* Does a metaclass have C fields, described or not?  Without them, its classes need nothing before they are finished,
   and a call of it has no node. */
#define _Pycs_HAS_FIELDS(api, its) ((its)->tp_basicsize > (api)->metaclass->tp_basicsize)

/* -------------------------- a change of a class that its subclasses follow, while it is prepared: change.h -- */

typedef struct {
    PyTypeObject             *type;       /* counted */
    PyObject                 *mro;        /* counted; the one that commit goes by */
    _Pycs_Record             *record;     /* the one to publish; NULL: none prepared */
    struct _Pycs_Overrides *plan;   /* what it overrides; NULL: nothing, or see below */
    uintptr_t                 unplanned;  /* not 0: there was no memory for a plan */
    _Pycs_Value  *values;                 /* copies for it, and what they replaced */
} _Pycs_Pending;

/* What changes instead of own slots, in place of their count: `own_count` is negative, and `own` NULL. */
#define _Pycs_CHANGED_BASES          (-1)
#define _Pycs_ATTRIBUTES             (-2)
#define _Pycs_FIELD                  (-3)

typedef struct _Pycs_Refresh {
    struct _Pycs_Refresh *next;   /* in the API's list */
    _Pycs_Change               change;
    _Pycs_Pending *pending;               /* top and all its subclasses with a table */
    Py_ssize_t                 count, looked;   /* how many there are, were looked at; looked -1: collect again */
    uintptr_t                  generation;      /* from before they were collected */
    PyTypeObject             **late;      /* counted: reported by others; guarded by the lock */
    Py_ssize_t                 late_count, late_room;
} _Pycs_Refresh;

_Pycs_PRIVATE _Pycs_Handover *_Pycs_HandoverTakenBy(_Pycs_API *api, const PyTypeObject *type);

_Pycs_PRIVATE int _Pycs_Report(_Pycs_Refresh *refresh, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_FinishType(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_FinishAll(_Pycs_API *api, PyObject *bases);
_Pycs_PRIVATE int _Pycs_FinishWith(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count);

#endif /* Py_CUSTOMSLOTS_RUNTIME_FINISH_H */
