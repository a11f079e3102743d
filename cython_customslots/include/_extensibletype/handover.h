/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/handover.h - telling tp_alloc which bases the new class will have.
 * Included by extensibletype.h; not for direct use.
 *
 * A class must be right before __set_name__ and __init_subclass__ run, which
 * type.__new__ does itself.  tp_alloc is the only hook in time, and it is not told
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
 * and take it.  So what is based on it holds only while tp_bases turns out to be the
 * very tuple that was handed over.
 */
#ifndef Py_EXTENSIBLETYPE_HANDOVER_H
#define Py_EXTENSIBLETYPE_HANDOVER_H

#if defined(_MSC_VER)
#  define _PyExtensibleType_THREAD_LOCAL __declspec(thread)
#else
#  define _PyExtensibleType_THREAD_LOCAL __thread
#endif

/* A C field that the class statement gives a value: see classbody.h. */
typedef struct {
    _PyExtensibleType_FieldEntry *field;
    PyObject              *object;    /* counted: what the class statement said */
    char                  *value;     /* what it was converted to; once moved, what that
                                         replaced.  See Convert() */
    _PyExtensibleType_Own *own;       /* to be inserted with it */
} _PyExtensibleType_BodyValue;

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
    const PyTypeObject *first_made;   /* what the call may return that is new: the first, */
    _PyExtensibleType_Made *made;     /* and, owned, all others */
    PyObject     *carried;            /* what the namespace has under FIELDS; counted, or NULL */
    _PyExtensibleType_BodyValue *values;    /* owned */
    Py_ssize_t    count;
} _PyExtensibleType_Handover;

static _PyExtensibleType_THREAD_LOCAL _PyExtensibleType_Handover *_PyExtensibleType_handover;

/* The metaclass whose tp_new is being tried out, see DetectObjects(): its class is left
   alone.  Per thread, because others may make classes with it. */
static _PyExtensibleType_THREAD_LOCAL PyTypeObject *_PyExtensibleType_probed;

/* The most derived of `metaclass` and the metaclasses of `bases`; NULL if there is
   none, so that type.__new__ will refuse. Sets no exception. */
_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_Winner(PyTypeObject *metaclass, PyObject *bases)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *other = Py_TYPE(PyTuple_GET_ITEM(bases, i));
        if (metaclass == other || PyType_IsSubtype(metaclass, other)) continue;
        if (!PyType_IsSubtype(other, metaclass)) return NULL;
        metaclass = other;
    }
    return metaclass;
}

_PyCustomSlots_UNUSED static inline void
_PyExtensibleType_HandoverPush(_PyExtensibleType_Handover *node)
{
    node->below = _PyExtensibleType_handover;
    _PyExtensibleType_handover = node;
}

/* Unlinks the node wherever it is by now. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_HandoverPop(_PyExtensibleType_Handover *node)
{
    _PyExtensibleType_Handover **link = &_PyExtensibleType_handover;
    while (*link != NULL && *link != node) link = &(*link)->below;
    if (*link == node) *link = node->below;
}

/* The call that makes a class with this namespace; NULL: none that is still running. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Handover *
_PyExtensibleType_HandoverOf(PyObject *ns)
{
    _PyExtensibleType_Handover *node = _PyExtensibleType_handover;
    while (node != NULL && node->ns != ns) node = node->below;
    return node;
}

/* The call that left what `type` took; NULL: it took nothing. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Handover *
_PyExtensibleType_HandoverTakenBy(const PyTypeObject *type)
{
    _PyExtensibleType_Handover *node = _PyExtensibleType_handover;
    while (node != NULL && node->taken_by != type) node = node->below;
    return node;
}

/* Was `type` allocated since the call began?  (A metaclass's __new__ may return a class that
   there was before.) */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_HandoverMade(const _PyExtensibleType_Handover *node,
                               const PyTypeObject *type)
{
    const _PyExtensibleType_Made *made = node->made;
    if (node->first_made == type) return 1;
    while (made != NULL && made->type != type) made = made->next;
    return made != NULL;
}

/* Notes that `type` was allocated.  `made` is used for that, if it is not the first, and NULL
   afterwards. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_HandoverNote(PyTypeObject *type, _PyExtensibleType_Made **made)
{
    _PyExtensibleType_Handover *node = _PyExtensibleType_handover;
    if (node == NULL) return;
    if (node->first_made == NULL) node->first_made = type;
    else if (*made != NULL) {
        (*made)->type = type;
        (*made)->next = node->made;
        node->made = *made;
        *made = NULL;
    }
}

/* What was left for a class that `metaclass` is allocating now, or NULL; borrowed from a
   call that is still running. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Handover *
_PyExtensibleType_HandoverTake(PyTypeObject *metaclass)
{
    _PyExtensibleType_Handover *node = _PyExtensibleType_handover;
    if (node == NULL || node->metaclass != metaclass || node->taken) return NULL;
    node->taken = 1;
    return node;
}

#endif /* Py_EXTENSIBLETYPE_HANDOVER_H */
