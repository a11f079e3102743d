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

/* Nodes are not on the C stack: greenlets swap that, and leave in any order. */
typedef struct _PyExtensibleType_Handover {
    struct _PyExtensibleType_Handover *below;
    PyTypeObject *metaclass;          /* borrowed from the call: the computed winner */
    PyObject     *bases;              /* borrowed from the call; NULL once taken */
} _PyExtensibleType_Handover;

static _PyExtensibleType_THREAD_LOCAL _PyExtensibleType_Handover *_PyExtensibleType_handover;

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

/* Returns the node to pop, NULL with a MemoryError. */
_PyCustomSlots_UNUSED static _PyExtensibleType_Handover *
_PyExtensibleType_HandoverPush(PyTypeObject *metaclass, PyObject *bases)
{
    _PyExtensibleType_Handover *node
        = (_PyExtensibleType_Handover *)PyMem_RawMalloc(sizeof(*node));
    if (node == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    node->metaclass = metaclass;
    node->bases = bases;
    node->below = _PyExtensibleType_handover;
    _PyExtensibleType_handover = node;
    return node;
}

/* Unlinks the node wherever it is by now. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_HandoverPop(_PyExtensibleType_Handover *node)
{
    _PyExtensibleType_Handover **link = &_PyExtensibleType_handover;
    while (*link != NULL && *link != node) link = &(*link)->below;
    if (*link == node) *link = node->below;
    PyMem_RawFree(node);
}

/* The bases for a class that `metaclass` is allocating now, or NULL; a new reference. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_HandoverTake(PyTypeObject *metaclass)
{
    _PyExtensibleType_Handover *node = _PyExtensibleType_handover;
    PyObject *bases;
    if (node == NULL || node->metaclass != metaclass || node->bases == NULL) return NULL;
    bases = node->bases;
    node->bases = NULL;
    Py_INCREF(bases);
    return bases;
}

#endif /* Py_EXTENSIBLETYPE_HANDOVER_H */
