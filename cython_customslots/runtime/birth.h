/* SPDX-License-Identifier: MIT
 *
 * runtime/birth.h - how a class comes into being.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_BIRTH_H
#define Py_CUSTOMSLOTS_RUNTIME_BIRTH_H

#include "runtime/fields.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* What is known of a class before it is there. */
typedef struct {
    PyTypeObject               *metaclass;    /* borrowed */
    _PyExtensibleType_Sidecar  *sidecar;      /* to be put beside it */
    _PyExtensibleType_Mro       mro;          /* what it inherits by */
    PyObject                   *above;        /* counted: the tuple with that MRO, or NULL */
    int                         known;        /* is there an MRO? */
    _PyExtensibleType_FieldWork work;         /* copies of values with hooks */
} _PyExtensibleType_Birth;

#define _PyExtensibleType_BIRTH_INIT \
    {NULL, NULL, _PyExtensibleType_MRO_INIT, NULL, 0, _PyExtensibleType_FIELD_WORK_INIT}

_PyExtensibleType_PRIVATE int _PyExtensibleType_BirthInherit(
    _PyExtensibleType_API *api, _PyExtensibleType_Birth *birth, PyObject *bases);
_PyExtensibleType_PRIVATE int _PyExtensibleType_BirthCopy(
    _PyExtensibleType_API *api, _PyExtensibleType_Birth *birth);
_PyExtensibleType_PRIVATE void _PyExtensibleType_BirthFill(
    _PyExtensibleType_API *api, _PyExtensibleType_Birth *birth, PyTypeObject *type,
    int only_untouched);
_PyExtensibleType_PRIVATE void _PyExtensibleType_BirthEnd(_PyExtensibleType_Birth *birth);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_alloc(
    _PyExtensibleType_API *api, PyTypeObject *metaclass, Py_ssize_t nitems);
_PyExtensibleType_PRIVATE int _PyExtensibleType_init(
    _PyExtensibleType_API *api, PyObject *self, PyObject *args, PyObject *kwargs);
_PyExtensibleType_PRIVATE PyObject *_PyExtensibleType_meta_call(
    _PyExtensibleType_API *api, PyObject *self, PyObject *args, PyObject *kwargs);

#endif /* Py_CUSTOMSLOTS_RUNTIME_BIRTH_H */
