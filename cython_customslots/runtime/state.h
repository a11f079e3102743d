/* SPDX-License-Identifier: MIT
 *
 * runtime/state.h - what the implementation keeps for an interpreter.
 *
 * Every struct that is reached from here is frozen byte for byte with the version below, those
 * on the stacks of other threads included (Refresh, Handover): an implementation that takes over
 * finds them as an older one left them, and older code continues with what the newer one leaves.
 * They are the same in every build, with and without a GIL, with and without NDEBUG, and all
 * allocated by PyMem_Raw*, so that any module's code may free them.  An implementation that needs
 * another member takes another version.
 *
 * Behind it are the lock for code that changes classes (change.h says how it is used, and why that
 * suffices), and access to what CPython guards with a lock of its own.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_STATE_H
#define Py_CUSTOMSLOTS_RUNTIME_STATE_H

#include "runtime/runtime.h"

/* [state.begin] */
#define _Pycs_STATE_VERSION 1       /* that this implementation creates, and the only one that it serves */

/* What a thread is doing; see finish.h. */
typedef struct {
    struct _Pycs_Handover *handover;    /* the calls of metaclasses with fields that the thread is in */
} _Pycs_Thread;

/* What is kept beside a class, behind etp_extension; see fields.h. */
typedef struct {
    char *marks;                    /* which fields the class set itself: see fields.h */
    void *kept;                     /* what readers may still hold, see change.c */
    uintptr_t filled_at;            /* when it was filled: see fields.h */
} _Pycs_Sidecar;                    /* the bytes of its fields follow, and as many marks */

/* A table without slots. */
typedef struct {
    _Pycs_Front front;
    PyCustomSlot slots[PyCustomSlots_MIN_CAPACITY];
} _Pycs_NoSlots;

typedef struct _Pycs_State {
    /* The frozen core: supplied by the creator, for every implementation that serves. */
    _Pycs_Thread *(*thread)(void);
    getter field_get;               /* what descriptors of fields are made with */
    setter field_set;

    /* state.h, change.h */
    uintptr_t lock;                 /* where there is no GIL, a PyMutex in its first byte */
    uintptr_t lock_owner;           /* the thread state that has it; in debug builds */
    uintptr_t generation;           /* number of commits; written under the lock */
    struct _Pycs_Refresh *refreshes;
    uintptr_t interpreter;          /* the ID of the interpreter that all of this belongs to; no other gets it later */

    struct _Pycs_FieldList *field_lists;
    Py_ssize_t hooked, named;       /* how many fields have hooks, are known to Python */

    /* Counted: descriptors of `type`, interned names, and what extensibletype answers. */
    PyObject *type_bases, *type_module, *type_doc, *type_subclasses, *type_mro;
    PyObject *type_dict;
    PyObject *name_module, *name_doc, *name_new, *name_slots, *name_fields, *name_interface;
    PyObject *name_annotations, *name_annotate, *name_attrs;
    PyObject *metaclass_module, *metaclass_doc;
    PyObject *adopted_modules;      /* {metaclass: its __module__}, see AdoptNames */
    PyObject *texts;                /* a dict of what values point into, see Intern() */

    /* overriding.h: the address of the core's word, perhaps shared by several interpreters, that is
       not 0 once a class has had the slot of an interface; and the bits, by hash, of classes that
       lack the slot but are in the MRO of a class that has it */
    uintptr_t *overridable;
    uintptr_t mixed;
    PyMethodDef *setters;           /* the core's: __setattr__ and __delattr__ of extensibletype; */
    uintptr_t watches;              /* not 0: extensibletype has them already */

    /* interfaces.h; the metaclass visits the types for the collector */
    struct _Pycs_Declaration *interfaces;
    PyTypeObject *interface_meta, *interface_method;

    _Pycs_NoSlots empty;            /* the table of finished types that have no slot */
    _Pycs_NoSlots unfinished;       /* and of all that are not finished: nothing is absent */
} _Pycs_State;
/* [state.end] */

/* The ID of the interpreter that runs. */
static inline uintptr_t
_Pycs_ThisInterpreter(void)
{
    return (uintptr_t)PyInterpreterState_GetID(PyInterpreterState_Get());
}

/* Where tables lead readers: a word that leads to the implementation that serves. */
#define _Pycs_LOOKS(api) ((const _Pycs_Looks *const *)(void *)&(api)->impl)

/* Does this thread have the lock?  For assertions: without NDEBUG the lock knows its owner, even
   with a GIL, where it does nothing else.  So a debug build reports code that takes it twice,
   which would wait without end without a GIL, and code that runs Python code under it, which would
   let another thread in. */
static inline int
_Pycs_HasLock(const _Pycs_API *api)
{
    return _Pycs_LOAD(uintptr_t, &api->state->lock_owner) == (uintptr_t)PyThreadState_Get();
}

#define _Pycs_ASSERT_LOCKED(api)   assert(_Pycs_HasLock(api))
#define _Pycs_ASSERT_UNLOCKED(api) assert(!_Pycs_HasLock(api))

static inline void
_Pycs_Lock(_Pycs_API *api)
{
    _Pycs_ASSERT_UNLOCKED(api);
#ifdef Py_GIL_DISABLED
    PyMutex_Lock((PyMutex *)(void *)&api->state->lock);
#endif
#ifndef NDEBUG
    assert(_Pycs_LOAD(uintptr_t, &api->state->lock_owner) == 0);
    _Pycs_STORE(uintptr_t, &api->state->lock_owner, (uintptr_t)PyThreadState_Get());
#endif
    (void)api;
}

static inline void
_Pycs_Unlock(_Pycs_API *api)
{
    _Pycs_ASSERT_LOCKED(api);
#ifndef NDEBUG
    _Pycs_STORE(uintptr_t, &api->state->lock_owner, 0);
#endif
#ifdef Py_GIL_DISABLED
    PyMutex_Unlock((PyMutex *)(void *)&api->state->lock);
#endif
    (void)api;
}

/* Where an object stands in a tuple, from a place on; -1: nowhere. */
static inline Py_ssize_t
_Pycs_PlaceIn(PyObject *tuple, const void *object, Py_ssize_t from)
{
    while (from < PyTuple_GET_SIZE(tuple) && PyTuple_GET_ITEM(tuple, from) != (const PyObject *)object) from++;
    return from < PyTuple_GET_SIZE(tuple) ? from : -1;
}

/* What one of type's own descriptors answers for a class: a new reference, NULL with an exception. */
static inline PyObject *
_Pycs_Delegate(PyObject *descriptor, PyObject *cls)
{
    return Py_TYPE(descriptor)->tp_descr_get(descriptor, cls, (PyObject *)Py_TYPE(cls));
}

/* FetchMro() and FetchBases(): the tp_mro or tp_bases of a type; a new reference, NULL (without an exception) if it
   is not ready.  Not under the lock. */
#ifdef Py_GIL_DISABLED
#  define _Pycs_FetchMro(api, type)   _Pycs_FetchTuple(api, (api)->state->type_mro, type)
#  define _Pycs_FetchBases(api, type) _Pycs_FetchTuple(api, (api)->state->type_bases, type)
static inline PyObject *
_Pycs_FetchTuple(_Pycs_API *api, PyObject *descriptor, PyTypeObject *type)
{
    PyObject *value = _Pycs_Delegate(descriptor, (PyObject *)type);
    _Pycs_ASSERT_UNLOCKED(api);
    (void)api;
    if (value == NULL) PyErr_Clear();
    else if (!PyTuple_Check(value)) Py_CLEAR(value);
    return value;
}
#else
#  define _Pycs_FetchMro(api, type)   _Pycs_FetchTuple(api, (type)->tp_mro)
#  define _Pycs_FetchBases(api, type) _Pycs_FetchTuple(api, (type)->tp_bases)
static inline PyObject *
_Pycs_FetchTuple(_Pycs_API *api, PyObject *tuple)
{
    _Pycs_ASSERT_UNLOCKED(api);
    (void)api;
    return Py_XNewRef(tuple);
}
#endif

/* [declarations.begin] */
/* A declaration of an interface in this interpreter, one for all modules that declare the same; in a
   list that only grows, at its end. */
typedef struct _Pycs_Declaration {
    struct _Pycs_Declaration *next;
    const PyExtensibleType_InterfaceSpec *spec;     /* the one with the most texts for people */
    const PyExtensibleType_InterfaceSpec *tabled;   /* whose table its class has; NULL: none */
    uintptr_t changes, completed;   /* how often that changed; which change its class has */
} _Pycs_Declaration;
/* [declarations.end] */

#define _Pycs_INTERFACE "__interface__"     /* in the dict of such a class: a capsule */

/* The specs of a declared interface, which others may be exchanging. */
#define _Pycs_SPEC(declaration, which) \
    _Pycs_LOAD(const PyExtensibleType_InterfaceSpec *, &(declaration)->which)

/* The first one from here on in the list that declares this ID, or NULL. */
static inline _Pycs_Declaration *
_Pycs_DeclarationFrom(_Pycs_Declaration *declaration, uintptr_t id)
{
    while (declaration != NULL && _Pycs_SPEC(declaration, spec)->id != id) {
        declaration = _Pycs_LOAD(_Pycs_Declaration *, &declaration->next);
    }
    return declaration;
}

static inline _Pycs_Declaration *
_Pycs_FirstDeclaration(const _Pycs_API *api, uintptr_t id)
{
    return _Pycs_DeclarationFrom(_Pycs_LOAD(_Pycs_Declaration *, &api->state->interfaces), id);
}

/* A loop over all that declare it. */
#define _Pycs_EACH_DECLARATION(declaration, api, declared) \
    for (declaration = _Pycs_FirstDeclaration(api, declared); declaration != NULL; \
         declaration = _Pycs_DeclarationFrom(_Pycs_LOAD(_Pycs_Declaration *, &declaration->next), declared))

#endif /* Py_CUSTOMSLOTS_RUNTIME_STATE_H */
