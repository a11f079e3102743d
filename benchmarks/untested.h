/* SPDX-License-Identifier: MIT
 *
 * untested.h - the look-up without some of its tests, to see what each of them costs in a loop.
 * Only for objects whose classes are known to be finished and to have the slot at position 0.
 */
#ifndef BENCH_UNTESTED_H
#define BENCH_UNTESTED_H

#include "customslots.h"
#include "loops.h"

static BENCH_ALWAYS_INLINE PyCustomSlot *
find_untested(PyObject *obj)
{
    return _Pycs_CAST(Py_TYPE(obj))->etp_custom_slots;
}

/* Is it this ID? */
static BENCH_ALWAYS_INLINE PyCustomSlot *
find_id_tested(PyObject *obj, uintptr_t id)
{
    PyCustomSlot *slot = find_untested(obj);
    return slot->id == id ? slot : NULL;
}

/* And does the class have a table?  By its stamp, or where there is none by its word. */
static BENCH_ALWAYS_INLINE PyCustomSlot *
find_class_tested(PyObject *obj, uintptr_t id)
{
    PyTypeObject *type = Py_TYPE(obj);
#if _Pycs_STAMPS
    const int finished = *_Pycs_UPPER(type) == _Pycs_STAMP(type);
#else
    const int finished = (_Pycs_CAST(type)->etp_check ^ (uintptr_t)type) == _Pycs_READY;
#endif
    return finished ? find_id_tested(obj, id) : NULL;
}

#endif /* BENCH_UNTESTED_H */
