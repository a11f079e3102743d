/* SPDX-License-Identifier: MIT
 *
 * runtime/override_tables.h - the tables of classes that override functions of an interface.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_OVERRIDE_TABLES_H
#define Py_CUSTOMSLOTS_RUNTIME_OVERRIDE_TABLES_H

#include "runtime/runtime.h"

/* [override_tables.begin] */
/* A table for classes that override the functions in `set`, a byte for each: 1, or 0.  Of the
   process, in the list of what it knows of the interface; never freed. */
typedef struct _Pycs_OverrideTable {
    struct _Pycs_OverrideTable *next;
    const void *base;               /* the provider's table */
    const unsigned char *set;
    uintptr_t all;                  /* 1: it has all functions that can be overridden */
    const PyCustomSlots_Function *functions;        /* the table; description and set are in this block, too */
} _Pycs_OverrideTable;

/* A table for classes of Python that implement an interface by themselves.  Of the process, in the
   list `defaults` of what it knows of the interface. */
typedef struct _Pycs_DefaultTable {
    struct _Pycs_DefaultTable *next;
    const void *table;
} _Pycs_DefaultTable;
/* [override_tables.end] */

/* Is this a default table, one whose functions raise unless Python has something to call? */
static inline int
_Pycs_IsDefault(const _Pycs_InterfaceNode *node, const void *table)
{
    const _Pycs_DefaultTable *known
        = node == NULL ? NULL : (const _Pycs_DefaultTable *)_Pycs_LOAD(
            void *, (void **)(uintptr_t)&node->defaults);
    while (known != NULL && known->table != table) known = known->next;
    return known != NULL;
}

_Pycs_PRIVATE int _Pycs_SeeInterfaces(void);
_Pycs_PRIVATE _Pycs_InterfaceNode *_Pycs_KnownInterface(uintptr_t id);
_Pycs_PRIVATE int _Pycs_HaveInterface(const PyCustomSlot *slots, Py_ssize_t count);
_Pycs_PRIVATE const PyCustomSlots_Interface *_Pycs_Described(const void *table);
_Pycs_PRIVATE const void *_Pycs_OriginalOf(const void *table);
_Pycs_PRIVATE const PyCustomSlots_Interface *_Pycs_Overridable(const void *table);
_Pycs_PRIVATE const void *_Pycs_TableFor(
    _Pycs_InterfaceNode *node, const void *base, const PyCustomSlots_Interface *iface,
    const unsigned char *set);
_Pycs_PRIVATE const void *_Pycs_LookingInPython(_Pycs_InterfaceNode *node, const void *base);
_Pycs_PRIVATE int _Pycs_ReserveOverrides(const PyCustomSlot *own, Py_ssize_t count);

#endif /* Py_CUSTOMSLOTS_RUNTIME_OVERRIDE_TABLES_H */
