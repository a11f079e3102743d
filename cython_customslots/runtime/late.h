/* SPDX-License-Identifier: MIT
 *
 * runtime/late.h - types that are published while a refresh runs, and reported to it.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_LATE_H
#define Py_CUSTOMSLOTS_RUNTIME_LATE_H

#include "runtime/refresh.h"

/* Orders pending types for a commit, bases first: for qsort. */
_PyExtensibleType_PRIVATE int _PyExtensibleType_ByDepth(const void *a, const void *b);
_PyExtensibleType_PRIVATE int _PyExtensibleType_AddLate(
    _PyExtensibleType_Refresh *refresh, PyTypeObject *type);
_PyExtensibleType_PRIVATE Py_ssize_t _PyExtensibleType_OnlyNew(
    _PyExtensibleType_Refresh *refresh, _PyExtensibleType_Pending *late, Py_ssize_t count);
_PyExtensibleType_PRIVATE int _PyExtensibleType_ReportLate(
    _PyExtensibleType_API *api, PyTypeObject *type, PyObject *mro,
    const _PyExtensibleType_Refresh *not_this);

#endif /* Py_CUSTOMSLOTS_RUNTIME_LATE_H */
