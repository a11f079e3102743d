/* SPDX-License-Identifier: MIT
 *
 * runtime/implementation.c - this implementation, as one table of functions; and how it takes
 * over from an older one.
 *
 * Several modules of a process may carry an implementation, of different versions.  The newest one
 * that the API has met serves all (api.h).  No type and no table is rewritten for that: all
 * implementations that serve one version of the state read it in the same way, and calls that are
 * running in older code end there.
 */
#include "runtime/implementation.h"

#include "runtime/adopt.h"
#include "runtime/answering.h"
#include "runtime/attributes.h"
#include "runtime/birth.h"
#include "runtime/combine.h"
#include "runtime/foreign.h"
#include "runtime/interfaces.h"
#include "runtime/layouts.h"
#include "runtime/metaclass.h"
#include "runtime/override_tables.h"
#include "runtime/publish.h"
#include "runtime/resolve.h"
#include "runtime/setter.h"
#include "runtime/spec.h"
#include "runtime/state.h"
#include "runtime/statics.h"

/* Up to the last function in the table below.  (The struct may be that of later headers, and have
   more.) */
#define _PyExtensibleType_COUNT \
    ((uint32_t)((offsetof(_PyExtensibleType_Impl, interface_class_of) \
                 - offsetof(_PyExtensibleType_Impl, alloc)) / sizeof(void *) + 1))

typedef char _PyExtensibleType_assert_all_first_ones_are_there
    [_PyExtensibleType_COUNT >= _PyExtensibleType_FIRST_COUNT ? 1 : -1];

static const _PyExtensibleType_Impl _PyExtensibleType_implementation = {
    _PyExtensibleType_NUMBER,
    _PyExtensibleType_STATE_VERSION,
    _PyExtensibleType_OLDEST_STATE,
    _PyExtensibleType_COUNT,
    PyExtensibleType_MODULE_NAME,

    _PyExtensibleType_alloc,
    _PyExtensibleType_init,
    _PyExtensibleType_dealloc,
    _PyExtensibleType_traverse,
    _PyExtensibleType_clear,
    _PyExtensibleType_get,
    _PyExtensibleType_set,
    _PyExtensibleType_field_get,
    _PyExtensibleType_field_set,
    _PyExtensibleType_meta_call,
    _PyExtensibleType_meta_init,
    _PyExtensibleType_meta_getattro,
    _PyExtensibleType_meta_repr,
    _PyExtensibleType_meta_dealloc,
    _PyExtensibleType_meta_traverse,
    _PyExtensibleType_meta_clear,

    _PyExtensibleType_ready,
    _PyExtensibleType_inherit_fields,
    _PyExtensibleType_set_slots,
    _PyExtensibleType_resolve,
    _PyExtensibleType_calculate_metaclass,
    _PyExtensibleType_new_static,
    _PyExtensibleType_publish,
    _PyExtensibleType_from_spec,
    _PyExtensibleType_register_fields,
    _PyExtensibleType_set_field,
    _PyExtensibleType_delete_field,
    _PyExtensibleType_mark_fields,
    _PyExtensibleType_set_field_object,
    _PyExtensibleType_share_layout,
    _PyExtensibleType_combine,

    _PyExtensibleType_find,
    _PyExtensibleType_find_any,
    _PyExtensibleType_slot_count,
    _PyExtensibleType_slot_table,
    _PyExtensibleType_intern,
    _PyExtensibleType_register_slot,
    _PyExtensibleType_new_class,
    _PyExtensibleType_static_block,
    _PyExtensibleType_ready_block,

    _PyExtensibleType_setattr,
    _PyExtensibleType_interface_do,
    _PyExtensibleType_declare_interface,
    _PyExtensibleType_interface_class,
    _PyExtensibleType_interface_class_of,
};

_PyExtensibleType_PRIVATE const _PyExtensibleType_Impl *
_PyExtensibleType_Mine(void)
{
    return &_PyExtensibleType_implementation;
}

/* A new record that this implementation met the API, found `found` serving it, and what came of
   that.  NULL with a MemoryError. */
_PyExtensibleType_PRIVATE _PyExtensibleType_Met *
_PyExtensibleType_NewMet(const _PyExtensibleType_Impl *found, uintptr_t verdict)
{
    _PyExtensibleType_Met *met;
    if (_PyExtensibleType_SeeInterfaces() < 0) return NULL;
    met = (_PyExtensibleType_Met *)PyMem_RawCalloc(1, sizeof(*met));
    if (met == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    met->impl = &_PyExtensibleType_implementation;
    met->found = found;
    met->verdict = verdict;
    return met;
}

/* Stores `desired` in *where if it holds `expected`; says whether it did. */
static int
_PyExtensibleType_Swap(void *where, const void *expected, const void *desired)
{
#if defined(__GNUC__) || defined(__clang__)
    void *seen = (void *)expected;
    return __atomic_compare_exchange_n((void **)where, &seen, (void *)desired, 0,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
#else
    return _InterlockedCompareExchangePointer((void *volatile *)where, (void *)desired,
                                              (void *)expected) == expected;
#endif
}

/* May this implementation take the place of `found` in this API?  A _PyExtensibleType_MET_*.
   CUSTOMSLOTS_RUNTIME pins who serves: "first", or the name of a module. */
static uintptr_t
_PyExtensibleType_Judge(const _PyExtensibleType_API *api, const _PyExtensibleType_Impl *found)
{
    const _PyExtensibleType_Impl *const mine = &_PyExtensibleType_implementation;
    const char *pinned = getenv("CUSTOMSLOTS_RUNTIME");
    const int is_pinned = pinned != NULL && pinned[0] != '\0';
    const int is_named = is_pinned && strcmp(pinned, mine->module) == 0;

    if (!is_named && mine->number <= found->number) return _PyExtensibleType_MET_OLDER;
    if (is_named && strcmp(pinned, found->module) == 0
            && mine->number <= found->number) return _PyExtensibleType_MET_OLDER;
    if (is_pinned && !is_named) return _PyExtensibleType_MET_PINNED;
    if (api->state_version < mine->oldest_state || api->state_version > mine->state_version) {
        return _PyExtensibleType_MET_STATE;
    }
    return _PyExtensibleType_MET_TOOK;
}

/* The record that this implementation met the API, or NULL. */
static _PyExtensibleType_Met *
_PyExtensibleType_FindMet(_PyExtensibleType_Met *met)
{
    while (met != NULL && met->impl != &_PyExtensibleType_implementation) met = met->next;
    return met;
}

/* Puts the record into the list; *fresh is NULL then.  If another thread was faster with a record
   of this implementation, that one stays, but takes over the verdict if this implementation took
   over. */
static void
_PyExtensibleType_WriteDown(_PyExtensibleType_API *api, _PyExtensibleType_Met **fresh)
{
    _PyExtensibleType_Met *met;
    do {
        (*fresh)->next = _PyCustomSlots_LOAD(_PyExtensibleType_Met *, &api->met);
        met = _PyExtensibleType_FindMet((*fresh)->next);
        if (met != NULL) {
            if ((*fresh)->verdict != _PyExtensibleType_MET_TOOK) return;
            _PyCustomSlots_STORE(const _PyExtensibleType_Impl *, &met->found, (*fresh)->found);
            _PyCustomSlots_STORE(uintptr_t, &met->verdict, (*fresh)->verdict);
            return;
        }
    } while (!_PyExtensibleType_Swap(&api->met, (*fresh)->next, *fresh));
    *fresh = NULL;
}

/* Called when this implementation meets the API: it takes over, if it may, and records that,
   once.  0, or -1 with a MemoryError and nothing changed.  Taking over comes first: whoever finds
   this implementation in the list must find its functions, too. */
_PyExtensibleType_ENTRY int
_PyExtensibleType_Meet(_PyExtensibleType_API *api)
{
    const _PyExtensibleType_Impl *const mine = &_PyExtensibleType_implementation, *found;
    _PyExtensibleType_Met *fresh = NULL;

    while (!_PyExtensibleType_FindMet(_PyCustomSlots_LOAD(_PyExtensibleType_Met *, &api->met))) {
        found = _PyExtensibleType_IMPL(api);
        if (found == mine) break;               /* by another thread, which writes it down */
        if (fresh == NULL && !(fresh = _PyExtensibleType_NewMet(NULL, 0))) return -1;
        fresh->found = found;
        fresh->verdict = _PyExtensibleType_Judge(api, found);
        /* If another thread brought a third implementation meanwhile, judge that one. */
        if (fresh->verdict == _PyExtensibleType_MET_TOOK
                && !_PyExtensibleType_Swap(&api->impl, found, mine)) continue;
        _PyExtensibleType_WriteDown(api, &fresh);
        break;
    }
    PyMem_RawFree(fresh);
    return 0;
}
