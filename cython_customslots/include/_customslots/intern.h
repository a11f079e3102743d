/* SPDX-License-Identifier: MIT
 *
 * _customslots/intern.h - one number for one string, in the whole process.
 * Included by customslots.h; not for direct use.
 *
 * Libraries that were built apart and never heard of each other must come to the
 * same pointer ID for the same name, in whichever interpreter of the process they
 * run.  There is no shared library that could hold the list of names, so the main
 * interpreter does (process.h).
 *
 * The list is ABI: everybody runs his own copy of this code on it.  It only grows;
 * a node is published by compare-and-swap at the head of its bucket, so it needs
 * neither a lock nor a GIL.  It lives as long as the process: IDs may stand in
 * static tables.
 */
#ifndef Py_CUSTOMSLOTS_INTERN_H
#define Py_CUSTOMSLOTS_INTERN_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* [intern.begin] */
#define _PyCustomSlots_INTERN_KEY     "_customslots_intern_v1"
#define _PyCustomSlots_INTERN_BUCKETS 256

typedef struct _PyCustomSlots_InternNode {
    struct _PyCustomSlots_InternNode *next;
    size_t length;                         /* of the text, without its final NUL */
    char   text[1];                        /* length + 1 bytes */
} _PyCustomSlots_InternNode;

typedef struct {
    _PyCustomSlots_InternNode *buckets[_PyCustomSlots_INTERN_BUCKETS];
} _PyCustomSlots_InternList;
/* [intern.end] */

#if !_PyCustomSlots_SUPPORTED

_PyCustomSlots_UNUSED static uintptr_t
PyCustomSlots_Intern(const char *name)
{
    (void)name;
    PyErr_SetString(PyExc_NotImplementedError,
                    "PyCustomSlots_Intern: custom slots exist on CPython only, and "
                    "this is another Python; test for CPython before interning");
    return 0;
}

#else

/* Stores `desired` in *where if it holds `expected`; says whether it did. */
_PyCustomSlots_UNUSED static inline int
_PyCustomSlots_InternSwap(_PyCustomSlots_InternNode **where,
                          _PyCustomSlots_InternNode *expected,
                          _PyCustomSlots_InternNode *desired)
{
#if defined(__GNUC__) || defined(__clang__)
    return __atomic_compare_exchange_n(where, &expected, desired, 0,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
#else
    return _InterlockedCompareExchangePointer((void *volatile *)where, desired,
                                              expected) == expected;
#endif
}

/* The process-wide list; NULL with an exception on failure. */
_PyCustomSlots_UNUSED static inline _PyCustomSlots_InternList *
_PyCustomSlots_GetInternList(void)
{
    return (_PyCustomSlots_InternList *)_PyCustomSlots_GetShared(
        "PyCustomSlots_Intern", _PyCustomSlots_INTERN_KEY,
        sizeof(_PyCustomSlots_InternList), NULL);
}

/* A pointer ID for a name: equal for equal strings, different for different ones,
   in every library and interpreter of this process; even, and never EMPTY or SKIP.
   Not stable between processes.

   `name`: a NUL-terminated string, copied; use a qualified one, as "numpy.ndarray".
   Result: the ID, or 0 with an exception (MemoryError; ValueError for NULL or "").
   Needs the GIL or, on free-threaded builds, an attached thread state.  Costs a
   dictionary look-up or two: call it once and keep the ID.
   After a failure nothing has changed.  (Source of the idea: SEP 200's "pointer
   IDs", and the intern table of old numba.) */
_PyCustomSlots_UNUSED static uintptr_t
PyCustomSlots_Intern(const char *name)
{
    _PyCustomSlots_InternList *list;
    _PyCustomSlots_InternNode *node = NULL, *seen, **bucket;
    size_t length, i;
    unsigned hash = 2166136261u;                 /* FNV-1a */

    if (name == NULL || name[0] == '\0') {
        PyErr_Format(PyExc_ValueError,
                     "PyCustomSlots_Intern: found %s, expected a non-empty name",
                     name == NULL ? "NULL" : "an empty string");
        return 0;
    }
    if (!(list = _PyCustomSlots_GetInternList())) return 0;
    length = strlen(name);
    for (i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    }
    bucket = &list->buckets[hash % _PyCustomSlots_INTERN_BUCKETS];
    for (;;) {
        _PyCustomSlots_InternNode *head
            = _PyCustomSlots_LOAD(_PyCustomSlots_InternNode *, bucket);
        for (seen = head; seen != NULL; seen = seen->next) {
            if (seen->length == length && memcmp(seen->text, name, length) == 0) {
                free(node);
                return (uintptr_t)seen;
            }
        }
        if (node == NULL) {
            node = (_PyCustomSlots_InternNode *)malloc(sizeof(*node) + length);
            if (node == NULL) {
                PyErr_NoMemory();
                return 0;
            }
            node->length = length;
            memcpy(node->text, name, length + 1);
        }
        node->next = head;
        if (_PyCustomSlots_InternSwap(bucket, head, node)) return (uintptr_t)node;
    }
}

#endif /* _PyCustomSlots_SUPPORTED */

#ifdef __cplusplus
}
#endif

#endif /* Py_CUSTOMSLOTS_INTERN_H */
