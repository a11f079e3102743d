/* SPDX-License-Identifier: MIT
 *
 * _customslots/intern.h - one number for one string, in the whole process.
 * Included by customslots.h; not for direct use.
 *
 * Libraries that were built apart and never heard of each other must come to the
 * same pointer ID for the same name, in whichever interpreter of the process they
 * run.  There is no shared library that could hold the list of names, so the main
 * interpreter does: a capsule in its PyInterpreterState_GetDict(), with an address
 * in it.  An interpreter that asks for the first time looks there once (for which
 * its thread enters the main interpreter for a moment) and keeps the address.
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
static inline int
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

/* The address in the capsule that `dict` holds under our key.  With `create`, makes
   list and capsule if there is none.  *found stays NULL where there is none.
   0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyCustomSlots_InternFromDict(PyObject *dict, int create, _PyCustomSlots_InternList *list,
                              _PyCustomSlots_InternList **found)
{
    PyObject *key = NULL, *capsule = NULL, *held;
    int result = -1;

    *found = NULL;
    if (!(key = PyUnicode_InternFromString(_PyCustomSlots_INTERN_KEY))) goto done;
    held = PyDict_GetItemWithError(dict, key);
    Py_XINCREF(held);
    if (held == NULL && PyErr_Occurred()) goto done;
    if (held == NULL && create) {
        _PyCustomSlots_InternList *fresh = list;
        if (fresh == NULL) {
            fresh = (_PyCustomSlots_InternList *)calloc(1, sizeof(*fresh));
            if (fresh == NULL) {
                PyErr_NoMemory();
                goto done;
            }
        }
        capsule = PyCapsule_New(fresh, _PyCustomSlots_INTERN_KEY, NULL);
        held = capsule == NULL ? NULL
               : PyObject_CallMethod(dict, "setdefault", "OO", key, capsule);
        if (held != capsule || held == NULL) {   /* failed, or another thread was first */
            if (fresh != list) free(fresh);
        }
        if (held == NULL) goto done;
    }
    if (held != NULL) {
        *found = (_PyCustomSlots_InternList *)PyCapsule_GetPointer(
            held, _PyCustomSlots_INTERN_KEY);
        Py_DECREF(held);
        if (*found == NULL) goto done;
    }
    result = 0;
done:
    Py_XDECREF(key);
    Py_XDECREF(capsule);
    return result;
}

/* The process-wide list; NULL with an exception on failure. */
_PyCustomSlots_UNUSED static _PyCustomSlots_InternList *
_PyCustomSlots_GetInternList(void)
{
    PyInterpreterState *interp = PyInterpreterState_Get();
    PyObject *dict = PyInterpreterState_GetDict(interp);
    _PyCustomSlots_InternList *list = NULL;

    if (dict == NULL) {
        PyErr_SetString(PyExc_RuntimeError,
                        "PyCustomSlots_Intern: this interpreter has no state dictionary");
        return NULL;
    }
    if (_PyCustomSlots_InternFromDict(dict, 0, NULL, &list) < 0) return NULL;
    if (list != NULL) return list;
    if (PyInterpreterState_GetID(interp) == 0) {
        (void)_PyCustomSlots_InternFromDict(dict, 1, NULL, &list);
        return list;
    }
#ifdef Py_LIMITED_API
    PyErr_SetString(PyExc_RuntimeError,
                    "PyCustomSlots_Intern: the limited API cannot reach the main "
                    "interpreter from a sub-interpreter; intern the name in the main "
                    "interpreter first, or build without Py_LIMITED_API");
    return NULL;
#else
    {
        /* A thread that already has a state of the main interpreter must use that
           one: debug builds allow one for each thread and interpreter. */
        PyInterpreterState *main_interp = PyInterpreterState_Main();
        PyThreadState *here = PyThreadState_Get();
        PyThreadState *there = PyGILState_GetThisThreadState();
        PyThreadState *made = NULL;
        _PyCustomSlots_InternList *kept;
        int failed;

        if (there == NULL || PyThreadState_GetInterpreter(there) != main_interp) {
            there = made = PyThreadState_New(main_interp);
            if (there == NULL) {
                PyErr_NoMemory();
                return NULL;
            }
        }
        PyThreadState_Swap(there);
        dict = PyInterpreterState_GetDict(main_interp);
        failed = dict == NULL || _PyCustomSlots_InternFromDict(dict, 1, NULL, &list) < 0;
        PyErr_Clear();                           /* it belongs to the other interpreter */
        if (made != NULL) PyThreadState_Clear(made);
        PyThreadState_Swap(here);
        if (made != NULL) PyThreadState_Delete(made);
        if (failed || list == NULL) {
            PyErr_SetString(PyExc_RuntimeError,
                            "PyCustomSlots_Intern: the list of names could not be had "
                            "from the main interpreter (out of memory, or the process "
                            "is ending)");
            return NULL;
        }
        dict = PyInterpreterState_GetDict(interp);
        if (_PyCustomSlots_InternFromDict(dict, 1, list, &kept) < 0) return NULL;
        return list;
    }
#endif
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
