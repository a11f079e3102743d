/* SPDX-License-Identifier: MIT
 *
 * runtime/guard.h - the lock for code that changes classes, and access to what
 * CPython guards with a lock of its own.  How the lock is used, and why that suffices: change.h.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_GUARD_H
#define Py_CUSTOMSLOTS_RUNTIME_GUARD_H

#include "runtime/state.h"

/* Does this thread have the lock?  For assertions: without NDEBUG the lock knows its owner, even
   with a GIL, where it does nothing else.  So a debug build reports code that takes it twice,
   which would wait for ever without a GIL, and code that runs Python code under it, which would
   let another thread in. */
static inline int
_Pycs_HasLock(const _Pycs_API *api)
{
    return _Pycs_LOAD(uintptr_t, &api->state->lock_owner)
           == (uintptr_t)PyThreadState_Get();
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

/* What one of type's own descriptors answers for a class: a new reference, NULL with an exception. */
static inline PyObject *
_Pycs_Delegate(PyObject *descriptor, PyObject *cls)
{
    return Py_TYPE(descriptor)->tp_descr_get(descriptor, cls, (PyObject *)Py_TYPE(cls));
}

#ifdef Py_GIL_DISABLED
/* The same of one that answers a tuple; NULL, without an exception, if there is none yet. */
static inline PyObject *
_Pycs_FetchTuple(PyObject *descriptor, PyTypeObject *type)
{
    PyObject *value = _Pycs_Delegate(descriptor, (PyObject *)type);
    if (value == NULL) PyErr_Clear();
    else if (!PyTuple_Check(value)) Py_CLEAR(value);
    return value;
}
#endif

/* The tp_mro of a type; a new reference, NULL (without an exception) if it is not
   ready.  Not under the lock. */
static inline PyObject *
_Pycs_FetchMro(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_ASSERT_UNLOCKED(api);
#ifdef Py_GIL_DISABLED
    return _Pycs_FetchTuple(api->state->type_mro, type);
#else
    (void)api;
    Py_XINCREF(type->tp_mro);
    return type->tp_mro;
#endif
}

/* The same for tp_bases. */
static inline PyObject *
_Pycs_FetchBases(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_ASSERT_UNLOCKED(api);
#ifdef Py_GIL_DISABLED
    return _Pycs_FetchTuple(api->state->type_bases, type);
#else
    (void)api;
    Py_XINCREF(type->tp_bases);
    return type->tp_bases;
#endif
}

#endif /* Py_CUSTOMSLOTS_RUNTIME_GUARD_H */
