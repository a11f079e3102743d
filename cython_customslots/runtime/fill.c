/* SPDX-License-Identifier: MIT
 *
 * runtime/fill.c - a class that is new gets its fields.
 */
#include "runtime/fill.h"

#include "runtime/fields.h"
#include "runtime/guard.h"
#include "runtime/sidecar.h"
#include "runtime/slots.h"

/* Prepares what a class of birth->metaclass with these bases inherits: the MRO to inherit by, a
   sidecar, and copies of the values with hooks.  NULL for the bases: nobody knows them yet, and the
   class starts with the defaults.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_BirthInherit(_Pycs_API *api, _Pycs_Birth *birth, PyObject *bases)
{
    _Pycs_FieldIter iter = _Pycs_FieldsOf(api, birth->metaclass);
    const _Pycs_FieldEntry *field;
    int status = 0;

    if (_Pycs_NewSidecar(api, birth->metaclass, &birth->sidecar) < 0) return -1;
    if (bases != NULL && (birth->known = _Pycs_MroOfBases(api, bases, &birth->mro)) < 0) {
        return -1;
    }
    if (api->state->hooked == 0) return 0;
    _Pycs_Lock(api);
    while (status == 0 && (field = _Pycs_NextField(&iter))) {
        if (!_Pycs_IsHooked(field)) continue;
        status = _Pycs_AddCopy(&birth->values, field, _Pycs_ValueFor(
            api, birth->known ? &birth->mro : NULL, field));
    }
    _Pycs_Unlock(api);
    return status;
}

/* Fills a class that was allocated, and whose fields are raw memory; with `only_untouched`, its
   author may have set some of them, which stay.  Under the lock.  Cannot fail. */
_Pycs_PRIVATE void
_Pycs_BirthFill(_Pycs_API *api, _Pycs_Birth *birth, PyTypeObject *type, int only_untouched)
{
    if (only_untouched) _Pycs_PutSidecar(api, type, &birth->sidecar);
    _Pycs_FillFields(api, type, birth->metaclass, birth->known ? &birth->mro : NULL,
                     only_untouched, &birth->values);
    if (!only_untouched) _Pycs_PutSidecar(api, type, &birth->sidecar);
}

/* Releases whatever the class did not take.  Not under the lock. */
_Pycs_PRIVATE void
_Pycs_BirthEnd(_Pycs_Birth *birth)
{
    _Pycs_FreeValues(&birth->values);
    PyMem_RawFree(birth->sidecar);
    _Pycs_MroClear(&birth->mro);
}
