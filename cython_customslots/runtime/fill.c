/* SPDX-License-Identifier: MIT
 *
 * runtime/fill.c - a class that is new gets its fields.
 */
#include "runtime/fill.h"

#include "runtime/fields.h"
#include "runtime/guard.h"
#include "runtime/sidecar.h"
#include "runtime/slots.h"

/* Prepares what a class of birth->metaclass with these bases inherits: the MRO to inherit by, and
   a sidecar.  NULL for the bases: nobody knows them yet, and the class starts with the defaults.
   0, or -1 with an exception. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_BirthInherit(_PyExtensibleType_API *api, _PyExtensibleType_Birth *birth,
                               PyObject *bases)
{
    if (_PyExtensibleType_NewSidecar(api, birth->metaclass, &birth->sidecar) < 0) return -1;
    if (bases == NULL) return 0;
    if (PyTuple_GET_SIZE(bases) == 1 && PyType_Check(PyTuple_GET_ITEM(bases, 0))) {
        birth->above = _PyExtensibleType_FetchMro(
            api, (PyTypeObject *)PyTuple_GET_ITEM(bases, 0));
    }
    if (birth->above != NULL) {
        birth->mro = _PyExtensibleType_MroOfTuple(NULL, birth->above);
        birth->known = 1;
        return 0;
    }
    birth->known = _PyExtensibleType_MroOfBases(api, bases, &birth->mro);
    return birth->known < 0 ? -1 : 0;
}

/* Copies the values with hooks that the class inherits.  Under the lock.  0, or -1 with an
   exception. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_BirthCopy(_PyExtensibleType_API *api, _PyExtensibleType_Birth *birth)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, birth->metaclass);
    const _PyExtensibleType_FieldEntry *field;
    _PyExtensibleType_ASSERT_LOCKED(api);
    while (api->state->hooked != 0 && (field = _PyExtensibleType_NextField(&iter))) {
        if (_PyExtensibleType_IsHooked(field) && _PyExtensibleType_AddCopy(
                &birth->values, field, _PyExtensibleType_ValueFor(
                    api, birth->known ? &birth->mro : NULL, field)) < 0) return -1;
    }
    return 0;
}

/* Fills a class that was allocated, and whose fields are raw memory; with `only_untouched`, its
   author may have set some of them, which stay.  Under the lock.  Cannot fail. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_BirthFill(_PyExtensibleType_API *api, _PyExtensibleType_Birth *birth,
                            PyTypeObject *type, int only_untouched)
{
    if (only_untouched) _PyExtensibleType_PutSidecar(api, type, &birth->sidecar);
    _PyExtensibleType_FillFields(api, type, birth->metaclass, birth->known ? &birth->mro : NULL,
                                 only_untouched, &birth->values);
    if (!only_untouched) _PyExtensibleType_PutSidecar(api, type, &birth->sidecar);
}

/* Releases whatever the class did not take.  Not under the lock. */
_PyExtensibleType_PRIVATE void
_PyExtensibleType_BirthEnd(_PyExtensibleType_Birth *birth)
{
    _PyExtensibleType_FreeValues(&birth->values);
    PyMem_RawFree(birth->sidecar);
    _PyExtensibleType_MroClear(&birth->mro);
    Py_CLEAR(birth->above);
}
