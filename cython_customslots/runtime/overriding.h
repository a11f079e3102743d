/* SPDX-License-Identifier: MIT
 *
 * runtime/overriding.h - classes of Python that override functions of an interface.
 *
 *     provider's table            override table of a class below it
 *     +-----------------+         +-----------------+
 *     | description ----|--> D    | description ----|--> D', whose base is the provider's table
 *     +-----------------+         +-----------------+
 *     | area            |         | area            |
 *     | draw            |         | D's dispatch[1] |    which calls what Python finds
 *     +-----------------+         +-----------------+
 *
 * A function is overridden if a look-up of its name along the MRO of the class gives another object
 * than one along the MRO of the provider.  The provider is the nearest class that declares the slot
 * with a table whose description has no base.  So a mixin in front of the provider counts, and an
 * attribute of the provider itself, even if it was replaced, counts as the provider's function.
 *
 * Look-ups in dicts may run Python code, so they are made before the lock is taken (a plan), and the
 * plan is made again if anything changed in between: `generation` tells, which changes with every
 * commit.  If there is no memory for a plan when it is too late to fail, all functions that can be
 * overridden look in Python whenever they are called.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_OVERRIDING_H
#define Py_CUSTOMSLOTS_RUNTIME_OVERRIDING_H

#include "runtime/slots.h"
#include "runtime/state.h"

/* What one class will have under the ID of an interface. */
typedef struct {
    uintptr_t     id;
    const void   *table;            /* what the provider declares */
    PyTypeObject *provider;         /* counted */
    const void   *wanted;           /* what the class has; NULL: it is left alone */
} _Pycs_Override;

typedef struct _Pycs_Overrides {
    Py_ssize_t count;
    _Pycs_Override overrides[1];
} _Pycs_Overrides;

/* The entry for a function in the dict of a class that stands for an interface.  With a body it is a method
   like any other; without one it only says that there should be a function, and leads to the attribute of
   that name in another class of the MRO, behind this one. */
typedef struct {
    PyObject_HEAD
    _Pycs_API *api;     /* borrowed, as by every type */
    PyObject *name, *qualname, *doc, *signature;
    PyObject *body;                 /* a function of Python, or NULL */
} _Pycs_Method;

/* The bit of a class in state->mixed: a set of the classes whose own tables do not have all functions
   of interfaces that their attributes may override for subclasses.  Classes share bits,
   and no bit is ever cleared, so the set may seem to hold more classes than were added. */
static inline uintptr_t
_Pycs_MixedBit(const PyTypeObject *type)
{
    return (uintptr_t)1 << (((uint32_t)((uintptr_t)type >> 4) * 0x9E3779B1u) >> (sizeof(uintptr_t) == 8 ? 26 : 27));
}

_Pycs_PRIVATE int _Pycs_FindInDicts(_Pycs_API *api, PyObject *mro, PyObject *name, PyObject **found);
_Pycs_PRIVATE void _Pycs_NoteMixins(_Pycs_API *api, PyTypeObject *type, PyObject *mro, const _Pycs_Overrides *plan);
_Pycs_PRIVATE int _Pycs_PlanOverrides(
    _Pycs_API *api, PyTypeObject *type, PyObject *mro,
    const _Pycs_Change *change, _Pycs_Overrides **plan);
_Pycs_PRIVATE void _Pycs_FreeOverrides(_Pycs_Overrides *plan);
_Pycs_PRIVATE int _Pycs_ApplyOverrides(
    PyTypeObject *type, const _Pycs_Overrides *plan, _Pycs_Record *record, int write);
_Pycs_PRIVATE int _Pycs_ApplyToShared(PyTypeObject *type, const _Pycs_Overrides *plan, _Pycs_Record **record);
_Pycs_PRIVATE void _Pycs_OverrideAll(PyTypeObject *type, _Pycs_Record *record);
_Pycs_PRIVATE int _Pycs_WatchAttributes(_Pycs_API *api);

#endif /* Py_CUSTOMSLOTS_RUNTIME_OVERRIDING_H */
