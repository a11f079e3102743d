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

/* [overriding.begin] */
/* A table for classes that override the functions in `set`, a byte for each: 1, or 0.  Of the
   process, in the list of what it knows of the interface; never freed. */
typedef struct _PyExtensibleType_OverrideTable {
    struct _PyExtensibleType_OverrideTable *next;
    void *extension;                /* NULL */
    const void *base;               /* the provider's table */
    const unsigned char *set;       /* behind the functions, in this block */
    uintptr_t all;                  /* 1: it has all functions that can be overridden */
    PyCustomSlots_Interface description;
    const PyCustomSlots_Interface *described;       /* in front of the functions, which follow */
} _PyExtensibleType_OverrideTable;

/* A table for classes of Python that implement an interface by themselves.  Of the process, in the
   list behind `extension` of what it knows of the interface.  Whoever declares another table for
   the ID, however far along the MRO, comes before it. */
typedef struct _PyExtensibleType_DefaultTable {
    struct _PyExtensibleType_DefaultTable *next;
    void *extension;                /* NULL */
    const void *table;
} _PyExtensibleType_DefaultTable;
/* [overriding.end] */

/* Is this a default table, one whose functions raise unless Python has something to call? */
static inline int
_PyExtensibleType_IsDefault(const _PyCustomSlots_InterfaceNode *node, const void *table)
{
    const _PyExtensibleType_DefaultTable *known
        = node == NULL ? NULL : (const _PyExtensibleType_DefaultTable *)_PyCustomSlots_LOAD(
            void *, (void **)(uintptr_t)&node->extension);
    while (known != NULL && known->table != table) known = known->next;
    return known != NULL;
}

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

struct _PyExtensibleType_Refresh;

_PyExtensibleType_PRIVATE int _PyExtensibleType_SeeInterfaces(void);
_PyExtensibleType_PRIVATE const void *_PyExtensibleType_LookingInPython(
    _PyCustomSlots_InterfaceNode *node, const void *base);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ReserveOverrides(const PyCustomSlot *own,
                                                                 Py_ssize_t count);
_PyExtensibleType_PRIVATE _PyCustomSlots_InterfaceNode *_PyExtensibleType_KnownInterface(uintptr_t id);
_PyExtensibleType_PRIVATE int _PyExtensibleType_FindInDicts(
    _PyExtensibleType_API *api, PyObject *mro, PyObject *name, PyObject **found);
_PyExtensibleType_PRIVATE int _PyExtensibleType_HaveInterface(const PyCustomSlot *slots,
                                                              Py_ssize_t count);
_PyExtensibleType_PRIVATE const PyCustomSlots_Interface *_PyExtensibleType_Described(
    const void *table);
_PyExtensibleType_PRIVATE const void *_PyExtensibleType_OriginalOf(const void *table);
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
_PyExtensibleType_PRIVATE int _PyExtensibleType_setattr(
    _PyExtensibleType_API *api, PyObject *self, PyObject *name, PyObject *value);

#endif /* Py_CUSTOMSLOTS_RUNTIME_OVERRIDING_H */
