/* SPDX-License-Identifier: MIT
 *
 * runtime/handover.h - telling tp_alloc which bases the new class will have.
 *
 * The fields of a class must be right before __set_name__ and __init_subclass__ run, which
 * type.__new__ does itself.  tp_alloc is all that runs in time, and it is not told
 * the bases.  tp_call of the meta-metaclass is (it sees every `class` statement and
 * every Meta(name, bases, namespace)) and leaves them here:
 *
 *     Meta(name, bases, ns) -> tp_call: push -> type.__new__ -> tp_alloc: take
 *                                  `- pop when it returns
 *
 * A metaclass must not override tp_new or mro for this, see docs/design.md.
 *
 * It is a hint, not a fact: a metaclass's __new__ may pass on other bases; a
 * __slots__ iterator, a finaliser or another greenlet may make a class in between
 * and take it.  So the class is filled again when it is finished, if its bases turn out to be
 * others than those that were handed over.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_HANDOVER_H
#define Py_CUSTOMSLOTS_RUNTIME_HANDOVER_H

#include "runtime/fields.h"
#include "runtime/state.h"

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
    int           taken, finished, retracted;
    const PyTypeObject *first_made;   /* the classes allocated during the call: the first, */
    _Pycs_Made *made;                 /* and, owned, a list of all others */
    PyObject     *carried;            /* what the namespace has under FIELDS; counted, or NULL */
    _Pycs_Value *values;              /* what the class statement gives; then, what was replaced */
} _Pycs_Handover;

/* Will HandoverNote() need memory for the next class of this thread? */
static inline int
_Pycs_HandoverNeedsNote(_Pycs_API *api)
{
    const _Pycs_Handover *node = api->state->thread()->handover;
    return node != NULL && node->first_made != NULL;
}

static inline void
_Pycs_HandoverPush(_Pycs_API *api, _Pycs_Handover *node)
{
    _Pycs_Thread *const thread = api->state->thread();
    node->below = thread->handover;
    thread->handover = node;
}

_Pycs_PRIVATE PyTypeObject *_Pycs_Winner(PyTypeObject *metaclass, PyObject *bases);
_Pycs_PRIVATE void _Pycs_HandoverPop(_Pycs_API *api, _Pycs_Handover *node);
_Pycs_PRIVATE _Pycs_Handover *_Pycs_HandoverOf(_Pycs_API *api, PyObject *ns);
_Pycs_PRIVATE _Pycs_Handover *_Pycs_HandoverTakenBy(_Pycs_API *api, const PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_HandoverMade(const _Pycs_Handover *node, const PyTypeObject *type);
_Pycs_PRIVATE void _Pycs_HandoverNote(_Pycs_API *api, PyTypeObject *type, _Pycs_Made **made);
_Pycs_PRIVATE _Pycs_Handover *_Pycs_HandoverTake(_Pycs_API *api, PyTypeObject *metaclass);

#endif /* Py_CUSTOMSLOTS_RUNTIME_HANDOVER_H */
