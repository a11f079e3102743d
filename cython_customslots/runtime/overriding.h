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
 * plan is made again if anything changed meanwhile: `generation` tells, which changes with every
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
} _PyExtensibleType_Override;

typedef struct _PyExtensibleType_Overrides {
    Py_ssize_t count;
    _PyExtensibleType_Override overrides[1];
} _PyExtensibleType_Overrides;

/* The bit of a class in state->mixed: a set of the classes whose own tables do not have all functions
   of interfaces that their attributes may override for subclasses.  Classes share bits,
   and no bit is ever cleared, so the set may seem to hold more classes than were added. */
static inline uintptr_t
_PyExtensibleType_MixedBit(const PyTypeObject *type)
{
    return (uintptr_t)1 << (((uint32_t)((uintptr_t)type >> 4) * 0x9E3779B1u)
                            >> (sizeof(uintptr_t) == 8 ? 26 : 27));
}

struct _PyExtensibleType_Refresh;

_PyExtensibleType_PRIVATE int _PyExtensibleType_FindInDicts(
    _PyExtensibleType_API *api, PyObject *mro, PyObject *name, PyObject **found);
_PyExtensibleType_PRIVATE void _PyExtensibleType_NoteMixins(
    _PyExtensibleType_API *api, PyTypeObject *type, PyObject *mro,
    const _PyExtensibleType_Overrides *plan);
_PyExtensibleType_PRIVATE int _PyExtensibleType_PlanOverrides(
    _PyExtensibleType_API *api, PyTypeObject *type, PyObject *mro,
    const struct _PyExtensibleType_Refresh *refresh, _PyExtensibleType_Overrides **plan);
_PyExtensibleType_PRIVATE void _PyExtensibleType_FreeOverrides(_PyExtensibleType_Overrides *plan);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ApplyOverrides(
    PyTypeObject *type, const _PyExtensibleType_Overrides *plan, _PyExtensibleType_Record *record,
    int write);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ApplyToShared(
    PyTypeObject *type, const _PyExtensibleType_Overrides *plan,
    _PyExtensibleType_Record **record);
_PyExtensibleType_PRIVATE void _PyExtensibleType_OverrideAll(
    PyTypeObject *type, _PyExtensibleType_Record *record);
_PyExtensibleType_PRIVATE int _PyExtensibleType_WatchAttributes(_PyExtensibleType_API *api);

#endif /* Py_CUSTOMSLOTS_RUNTIME_OVERRIDING_H */
