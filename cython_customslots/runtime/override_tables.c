/* SPDX-License-Identifier: MIT
 *
 * runtime/override_tables.c - what is an interface, and its tables for classes that override its functions.
 */
#include "runtime/override_tables.h"

/* ----------------------------------------------------------------- what is an interface -- */

/* Finds the process's table, so that KnownInterface() sees what others declare, and brings our services there.  0, or
   -1 with a MemoryError.  (If it cannot be had for another reason, no interface is known yet.) */
_Pycs_PRIVATE int
_Pycs_SeeInterfaces(void)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable("extensible types");
    if (table != NULL) {
        _Pycs_BringServices(table);
        return 0;
    }
    if (PyErr_ExceptionMatches(PyExc_MemoryError)) return -1;
    PyErr_Clear();
    return 0;
}

/* The process's record of an interface, or NULL.  May be called under the lock and without a
   GIL. */
_Pycs_PRIVATE _Pycs_InterfaceNode *
_Pycs_KnownInterface(uintptr_t id)
{
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    _Pycs_Cells *cells = table != NULL ? _Pycs_LOAD(_Pycs_Cells *, &table->cells) : NULL;
    if (cells == NULL || id <= PyCustomSlots_SKIP) return NULL;
    return _Pycs_SameInterface(_Pycs_ValueOf(cells, _Pycs_InterfaceKey(id)), id);
}

_Pycs_PRIVATE int
_Pycs_HaveInterface(const PyCustomSlot *slots, Py_ssize_t count)
{
    Py_ssize_t i;
    for (i = 0; i < count; i++) {
        if (_Pycs_KnownInterface(slots[i].id) != NULL) return 1;
    }
    return 0;
}

/* The description of a table, if it is long enough for everything that is read here; NULL if not,
   or if there is none. */
_Pycs_PRIVATE const PyCustomSlots_Interface *
_Pycs_Described(const void *table)
{
    const PyCustomSlots_Interface *iface = PyCustomSlots_InterfaceOf(table);
    return iface != NULL && iface->size >= _Pycs_DESCRIBED ? iface : NULL;
}

/* The table that the provider gave a class, before classes written in Python overrode functions
   of it. */
_Pycs_PRIVATE const void *
_Pycs_OriginalOf(const void *table)
{
    const PyCustomSlots_Interface *iface = _Pycs_Described(table);
    return iface != NULL && iface->base != NULL ? iface->base : table;
}

/* The description, but only if some of the functions can be overridden. */
_Pycs_PRIVATE const PyCustomSlots_Interface *
_Pycs_Overridable(const void *table)
{
    const PyCustomSlots_Interface *iface = _Pycs_Described(table);
    return iface != NULL && iface->dispatch != NULL && iface->names != NULL && iface->count > 0 ? iface : NULL;
}

/* -------------------------------------------------------------------------- the tables -- */

static _Pycs_OverrideTable *
_Pycs_SameOverrides(_Pycs_InterfaceNode *node, const void *base, const unsigned char *set, size_t count)
{
    _Pycs_OverrideTable *made = (_Pycs_OverrideTable *)_Pycs_LOAD(void *, &node->overriding);
    while (made != NULL && (made->base != base
                            || (set != NULL ? memcmp(made->set, set, count) != 0 : !made->all))) {
        made = made->next;
    }
    return made;
}

static _Pycs_OverrideTable *
_Pycs_NewOverrides(const void *base, const PyCustomSlots_Interface *iface, const unsigned char *set)
{
    struct block {
        _Pycs_OverrideTable table;
        PyCustomSlots_Interface description;
        const PyCustomSlots_Interface *described;       /* in front of the functions */
    } *made;
    const size_t each = sizeof(PyCustomSlots_Function) + 1;
    PyCustomSlots_Function *functions;
    unsigned char *copy;
    size_t i;

    if (iface->count > ((size_t)PY_SSIZE_T_MAX - sizeof(*made)) / each) return NULL;
    made = (struct block *)PyMem_RawCalloc(1, sizeof(*made) + iface->count * each);
    if (made == NULL) return NULL;
    functions = (PyCustomSlots_Function *)(void *)(made + 1);
    copy = (unsigned char *)(void *)(functions + iface->count);
    made->table.all = 1;
    for (i = 0; i < iface->count; i++) {
        const int can = iface->dispatch[i] != NULL && iface->names[i] != NULL;
        copy[i] = (unsigned char)(set != NULL ? set[i] : can);
        if (copy[i] != can) made->table.all = 0;
    }
    made->table.base = base;
    made->table.set = copy;
    made->table.functions = functions;
    memcpy(&made->description, iface, iface->size < sizeof(*iface) ? iface->size : sizeof(*iface));
    made->description.size = sizeof(made->description);
    made->description.base = base;
    made->description.bodies = NULL;
    made->described = &made->description;
    for (i = 0; i < iface->count; i++) {
        functions[i] = copy[i] ? iface->dispatch[i] : ((const PyCustomSlots_Function *)base)[i];
    }
    return &made->table;
}

/* The table for classes that override the functions of `base` that `set` marks; `set` NULL: all
   that can be overridden.  Takes the lock of the process, so the caller must not hold an
   interpreter's.  NULL with a MemoryError. */
_Pycs_PRIVATE const void *
_Pycs_TableFor(_Pycs_InterfaceNode *node, const void *base,
               const PyCustomSlots_Interface *iface, const unsigned char *set)
{
    _Pycs_ProcessTable *process = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    _Pycs_OverrideTable *fresh = NULL, *there;

    there = _Pycs_SameOverrides(node, base, set, iface->count);
    if (there == NULL) fresh = _Pycs_NewOverrides(base, iface, set);
    if (fresh != NULL) {
        _Pycs_LockWord(&process->owner);
        there = _Pycs_SameOverrides(node, base, set, iface->count);
        if (there == NULL) {
            fresh->next = (_Pycs_OverrideTable *)_Pycs_LOAD(void *, &node->overriding);
            _Pycs_STORE(void *, &node->overriding, (void *)fresh);
            there = fresh;
        }
        _Pycs_UnlockWord(&process->owner);
        if (there != fresh) PyMem_RawFree(fresh);
    }
    if (there == NULL) return PyErr_NoMemory();
    return there->functions;
}

/* The table for classes that override all functions of `base` that can be overridden, if that
   table was made (ReserveOverrides); else `base`. */
_Pycs_PRIVATE const void *
_Pycs_LookingInPython(_Pycs_InterfaceNode *node, const void *base)
{
    _Pycs_OverrideTable *made = _Pycs_SameOverrides(node, base, NULL, 0);
    return made != NULL ? made->functions : base;
}

/* Makes what a class that declares these slots may need later: for each slot, the table of classes
   that override all functions, for classes below it that are not finished (SetOwn), and because
   OverrideAll() uses it when there is no memory to make one.  Not under the lock.  0, or -1 with a
   MemoryError. */
_Pycs_PRIVATE int
_Pycs_ReserveOverrides(const PyCustomSlot *own, Py_ssize_t count)
{
    Py_ssize_t i;
    if (_Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache()) == NULL && _Pycs_SeeInterfaces() < 0) return -1;
    for (i = 0; i < count; i++) {
        _Pycs_InterfaceNode *node = _Pycs_KnownInterface(own[i].id);
        const PyCustomSlots_Interface *iface = node != NULL ? _Pycs_Overridable(own[i].data.pointer) : NULL;
        if (iface != NULL && iface->base == NULL
                && _Pycs_TableFor(node, own[i].data.pointer, iface, NULL) == NULL) {
            return -1;
        }
    }
    return 0;
}
