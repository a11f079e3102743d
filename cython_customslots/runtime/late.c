/* SPDX-License-Identifier: MIT
 *
 * runtime/late.c - the types that a refresh must learn of while it runs.
 *
 * A refresh collects the classes it concerns and prepares a record for each; meanwhile other
 * threads make classes below them, and commit refreshes of their own.  Whoever publishes a
 * type reports it to every refresh that concerns it, and the refresh takes it over before
 * its commit: change.h.
 */
#include "runtime/late.h"

#include "runtime/guard.h"
#include "runtime/state.h"

/* A base has a shorter MRO than a class that derives from it.  Types whose MRO could not be
   fetched come first; nothing is done for them. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_ByDepth(const void *a, const void *b)
{
    const PyObject *mro_of_a = ((const _PyExtensibleType_Pending *)a)->mro;
    const PyObject *mro_of_b = ((const _PyExtensibleType_Pending *)b)->mro;
    const Py_ssize_t x = mro_of_a != NULL ? PyTuple_GET_SIZE(mro_of_a) : 0;
    const Py_ssize_t y = mro_of_b != NULL ? PyTuple_GET_SIZE(mro_of_b) : 0;
    return (x > y) - (x < y);
}

static int
_PyExtensibleType_ByAddress(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const _PyExtensibleType_Pending *)a)->type;
    const uintptr_t y = (uintptr_t)((const _PyExtensibleType_Pending *)b)->type;
    return (x > y) - (x < y);
}

/* Sorts the reported types and removes duplicates; returns how many are left.  No type dies here:
   one entry of each is left, with its reference. */
static Py_ssize_t
_PyExtensibleType_OnceEach(_PyExtensibleType_Pending *late, Py_ssize_t count)
{
    Py_ssize_t i, kept = 0;
    qsort(late, (size_t)count, sizeof(*late), _PyExtensibleType_ByAddress);
    for (i = 0; i < count; i++) {
        if (kept > 0 && late[kept - 1].type == late[i].type) {
            Py_DECREF((PyObject *)late[i].type);
        }
        else {
            late[kept++] = late[i];
        }
    }
    return kept;
}

/* Reports `type` to a refresh.  Under the lock.  0, or -1 without an exception if memory ran out.
   Many other changes may report the same types, so the list grows only by types that are new in
   it. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_AddLate(_PyExtensibleType_Refresh *refresh, PyTypeObject *type)
{
    if (refresh->late_count == refresh->late_room) {
        if (refresh->late_count > 0) {
            refresh->late_count = _PyExtensibleType_OnceEach(refresh->late, refresh->late_count);
        }
        if (refresh->late_count >= refresh->late_room / 2) {
            const Py_ssize_t room = refresh->late_room * 2 + 4;
            _PyExtensibleType_Pending *more = (_PyExtensibleType_Pending *)PyMem_RawRealloc(
                refresh->late, (size_t)room * sizeof(_PyExtensibleType_Pending));
            if (more == NULL) return -1;
            refresh->late = more;
            refresh->late_room = room;
        }
    }
    memset(&refresh->late[refresh->late_count], 0, sizeof(_PyExtensibleType_Pending));
    Py_INCREF((PyObject *)type);
    refresh->late[refresh->late_count++].type = type;
    return 0;
}

/* Removes from the reported types those that the refresh has already; returns how many are left.
   A commit reports all its types to other refreshes, and theirs report them back: with
   duplicates, the lists would double with each commit. */
_PyExtensibleType_PRIVATE Py_ssize_t
_PyExtensibleType_OnlyNew(_PyExtensibleType_Refresh *refresh, _PyExtensibleType_Pending *late,
                          Py_ssize_t count)
{
    _PyExtensibleType_Pending *known = refresh->pending;
    const _PyExtensibleType_Pending *end = known + refresh->count;
    Py_ssize_t i, kept = 0;

    if (count == 0) return 0;
    count = _PyExtensibleType_OnceEach(late, count);
    qsort(known, (size_t)refresh->count, sizeof(*known), _PyExtensibleType_ByAddress);
    for (i = 0; i < count; i++) {
        while (known < end && _PyExtensibleType_ByAddress(known, &late[i]) < 0) known++;
        if (known < end && known->type == late[i].type) {
            Py_DECREF((PyObject *)late[i].type);
        }
        else {
            late[kept++] = late[i];
        }
    }
    return kept;
}

/* Tells the refreshes in the list, except `not_this`, that `type`, with MRO `mro`, was
   published.  Under the lock.  0, or -1 without an exception if memory ran out. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_ReportLate(_PyExtensibleType_API *api, PyTypeObject *type, PyObject *mro,
                             const _PyExtensibleType_Refresh *not_this)
{
    _PyExtensibleType_Refresh *refresh;
    _PyExtensibleType_ASSERT_LOCKED(api);
    for (refresh = api->state->refreshes; refresh != NULL; refresh = refresh->next) {
        Py_ssize_t i;
        if (refresh == not_this) continue;
        for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
            if (PyTuple_GET_ITEM(mro, i) == (PyObject *)refresh->top) break;
        }
        if (i == PyTuple_GET_SIZE(mro)) continue;
        if (_PyExtensibleType_AddLate(refresh, type) < 0) return -1;
    }
    return 0;
}
