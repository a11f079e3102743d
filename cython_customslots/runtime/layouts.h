/* SPDX-License-Identifier: MIT
 *
 * runtime/layouts.h - a class without the C fields never stands under one with them.
 *
 * Methods of a provider read its C fields without a check.  But `P.__bases__ = (Provider,)` of
 * a plain class P is between CPython and P's metaclass, `type`: no code of ours runs.
 * CPython refuses if instances of the provider have another size than those of P's base.
 * (Other differences, of tp_dealloc or tp_free, make it refuse (Provider,), but not
 * (Base, Provider): it compares the base whose layout counts, which then is Base.)  So a
 * provider without instance attributes has a spare member, which nobody uses.
 *
 * With that member, two such providers could not be bases of one class: for each base CPython
 * walks along tp_base to the last type that changed the size, the solid base, and one of these
 * must derive from all the others.  So when a class is to have both (siblings.c), they get
 * one type of their size as their common tp_base:
 *
 *     Provider, Another     tp_bases: (B,)           the size of B and a pointer
 *        | tp_base
 *     layout of B           else like B              the same size
 *        | tp_base
 *     layout of S           else like S              the size of S and a pointer
 *        | tp_base
 *     S                     the solid base of B; S and B are often one: `object`
 *
 * CPython also requires, of each class in the MRO of a class C, that its solid base is in the
 * MRO of C's solid base.  A layout is only in MROs of layouts.  So a subclass with instance
 * attributes of its own must not be the solid base of its subclasses either, and
 * gets a layout of its own:
 *
 *     Sub                   tp_bases: (Provider,)    more instance attributes
 *        | tp_base
 *     layout of Sub         else like Sub            the size of Sub; its MRO: itself, the
 *        | tp_base                                   layout of B, S, ..., object
 *     Provider
 *
 * A layout is in no class's MRO, bases or subclasses; __base__ does not show it, and it has
 * no instances.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_LAYOUTS_H
#define Py_CUSTOMSLOTS_RUNTIME_LAYOUTS_H

#include "runtime/guard.h"
#include "runtime/state.h"

#ifdef _Py_TPFLAGS_STATIC_BUILTIN
#  define _Pycs_STATIC_BUILTIN _Py_TPFLAGS_STATIC_BUILTIN
#else
#  define _Pycs_STATIC_BUILTIN ((unsigned long)1 << 1)   /* private, from 3.12 on */
#endif

typedef struct _Pycs_Layout {
    PyTypeObject *type;               /* its etp_private points to this struct */
    PyTypeObject *base;               /* the real one of those who have the layout; counted if
                             they share it, else the owner's tp_bases hold it */
    PyTypeObject *owner;              /* the one class that has it; NULL: they share it */
    struct _Pycs_Layout *next;
    void *extension;
} _Pycs_Layout;

/* A type whose instances have the member that nobody uses. */
typedef struct _Pycs_Spare {
    PyTypeObject *type;               /* borrowed: goes with it */
    struct _Pycs_Spare *next;
    void *extension;
} _Pycs_Spare;

/* For a type that cannot go away meanwhile; a tp_base can, when another thread assigns
   __bases__: see BaseOf. */
static inline int
_Pycs_IsLayout(const _Pycs_API *api, const PyTypeObject *type)
{
    return type != NULL && type->tp_name == api->state->layout_name;
}

static inline _Pycs_Layout *
_Pycs_LayoutIn(PyTypeObject *type)
{
    return (_Pycs_Layout *)((PyHeapExtensibleTypeObject *)type)->etp_private;
}

/* The layout at this address, or NULL.  Under the lock. */
static inline const _Pycs_Layout *
_Pycs_LayoutAt(const _Pycs_API *api, const PyTypeObject *address)
{
    const _Pycs_Layout *layout = api->state->layouts;
    _Pycs_ASSERT_LOCKED(api);
    while (layout != NULL && layout->type != address) layout = layout->next;
    return layout;
}

/* Is the tp_base of `type` a layout? */
static inline int
_Pycs_HasLayout(_Pycs_API *api, PyTypeObject *type)
{
    int found;
    _Pycs_Lock(api);
    found = _Pycs_LayoutAt(api, _Pycs_BASE(type)) != NULL;
    _Pycs_Unlock(api);
    return found;
}

/* The base whose instances those of `type` extend: what tp_base is without us.  Looks at the
   pointer only.  Under the lock. */
static inline PyTypeObject *
_Pycs_BaseUnderLock(const _Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *base = _Pycs_BASE(type);
    const _Pycs_Layout *layout = _Pycs_LayoutAt(api, base);
    return layout != NULL ? layout->base : base;
}

/* The same, but not under the lock. */
static inline PyTypeObject *
_Pycs_BaseOf(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *base;
    _Pycs_Lock(api);
    base = _Pycs_BaseUnderLock(api, type);
    _Pycs_Unlock(api);
    return base;
}

/* The base of a type with this MRO, borrowed from the MRO; NULL if another thread is about to
   change it.  Under the lock. */
static inline PyTypeObject *
_Pycs_BaseIn(const _Pycs_API *api, PyTypeObject *type, PyObject *mro)
{
    PyTypeObject *base = _Pycs_BaseUnderLock(api, type);
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        if (PyTuple_GET_ITEM(mro, i) == (PyObject *)base) return base;
    }
    return NULL;
}

_Pycs_PRIVATE const PyTypeObject *_Pycs_BringsFields(
    _Pycs_API *api, PyTypeObject *metaclass, PyObject *bases);
_Pycs_PRIVATE PyTypeObject *_Pycs_SolidBase(PyTypeObject *type, _Pycs_API *api);
_Pycs_PRIVATE int _Pycs_UpdateLayout(PyTypeObject *layout, const PyTypeObject *sharing, PyTypeObject *shared);
_Pycs_PRIVATE void _Pycs_FreeLayout(_Pycs_Layout *layout);
_Pycs_PRIVATE PyTypeObject *_Pycs_LayoutOf(_Pycs_API *api, PyTypeObject *base);
_Pycs_PRIVATE int _Pycs_PutLayout(
    _Pycs_API *api, PyTypeObject *type, PyTypeObject *base,
    _Pycs_Layout *layout);
_Pycs_PRIVATE int _Pycs_IsSpare(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_GiveLayout(
    _Pycs_API *api, PyTypeObject *type, const PyTypeObject *sharing,
    PyTypeObject *shared);
_Pycs_PRIVATE int _Pycs_FollowLayouts(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE void _Pycs_LeaveLayouts(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE int _Pycs_share_layout(_Pycs_API *api, PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_LAYOUTS_H */
