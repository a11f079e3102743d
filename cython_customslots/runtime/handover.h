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
typedef struct _PyExtensibleType_Made {
    struct _PyExtensibleType_Made *next;
    const PyTypeObject *type;         /* borrowed, only compared */
} _PyExtensibleType_Made;

/* Nodes are not on the C stack: greenlets swap that, and leave in any order. */
typedef struct _PyExtensibleType_Handover {
    struct _PyExtensibleType_Handover *below;
    PyTypeObject *metaclass;          /* borrowed from the call: the computed winner */
    PyObject     *bases;              /* borrowed from the call */
    PyObject     *ns;                 /* likewise: the namespace */
    PyTypeObject *taken_by;           /* counted: the class that got all of this */
    int           taken, finished, retracted;
    const PyTypeObject *first_made;   /* the classes allocated during the call: the first, */
    _PyExtensibleType_Made *made;     /* and, owned, a list of all others */
    PyObject     *carried;            /* what the namespace has under FIELDS; counted, or NULL */
    _PyExtensibleType_Value *values;  /* what the class statement gives; then, what was replaced */
} _PyExtensibleType_Handover;

/* Will HandoverNote() need memory for the next class of this thread? */
static inline int
_PyExtensibleType_HandoverNeedsNote(_PyExtensibleType_API *api)
{
    const _PyExtensibleType_Handover *node = api->state->thread()->handover;
    return node != NULL && node->first_made != NULL;
}

static inline void
_PyExtensibleType_HandoverPush(_PyExtensibleType_API *api, _PyExtensibleType_Handover *node)
{
    _PyExtensibleType_Thread *const thread = api->state->thread();
    node->below = thread->handover;
    thread->handover = node;
}

_PyExtensibleType_PRIVATE PyTypeObject *_PyExtensibleType_Winner(
    PyTypeObject *metaclass, PyObject *bases);
_PyExtensibleType_PRIVATE void _PyExtensibleType_HandoverPop(
    _PyExtensibleType_API *api, _PyExtensibleType_Handover *node);
_PyExtensibleType_PRIVATE _PyExtensibleType_Handover *_PyExtensibleType_HandoverOf(
    _PyExtensibleType_API *api, PyObject *ns);
_PyExtensibleType_PRIVATE _PyExtensibleType_Handover *_PyExtensibleType_HandoverTakenBy(
    _PyExtensibleType_API *api, const PyTypeObject *type);
_PyExtensibleType_PRIVATE int _PyExtensibleType_HandoverMade(
    const _PyExtensibleType_Handover *node, const PyTypeObject *type);
_PyExtensibleType_PRIVATE void _PyExtensibleType_HandoverNote(
    _PyExtensibleType_API *api, PyTypeObject *type, _PyExtensibleType_Made **made);
_PyExtensibleType_PRIVATE _PyExtensibleType_Handover *_PyExtensibleType_HandoverTake(
    _PyExtensibleType_API *api, PyTypeObject *metaclass);

#endif /* Py_CUSTOMSLOTS_RUNTIME_HANDOVER_H */
