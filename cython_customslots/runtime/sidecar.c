/* SPDX-License-Identifier: MIT
 *
 * runtime/sidecar.c - the sidecars of classes.
 */
#include "runtime/sidecar.h"

#include "runtime/guard.h"
#include "runtime/layers.h"
#include "runtime/state.h"

/* Makes a sidecar for a class of `metaclass` that is about to be filled; to be freed unless
   PutSidecar() takes it.  *sidecar is NULL if such a class has no fields.  0, or -1 with a
   MemoryError. */
_Pycs_PRIVATE int
_Pycs_NewSidecar(_Pycs_API *api, PyTypeObject *metaclass, _Pycs_Sidecar **sidecar)
{
    const Py_ssize_t size = metaclass->tp_basicsize - api->metaclass->tp_basicsize;
    *sidecar = NULL;
    if (size <= 0) return 0;
    *sidecar = (_Pycs_Sidecar *)PyMem_RawCalloc(1, sizeof(**sidecar) + 2 * (size_t)size);
    if (*sidecar == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    (*sidecar)->marks = (char *)(*sidecar + 1) + size;
    (*sidecar)->when = _Pycs_LOAD(uintptr_t, &api->state->generation) << 1
                       | _Pycs_FILLING;
    return 0;
}

/* Puts *sidecar, which is new and may be NULL, beside `type`, a class that was just filled, and
   copies the class's bytes into it.  *sidecar becomes the former one, if any: an author may ready
   the same static type again if the first attempt failed. */
_Pycs_PRIVATE void
_Pycs_PutSidecar(_Pycs_API *api, PyTypeObject *type, _Pycs_Sidecar **sidecar)
{
    const Py_ssize_t offset = api->metaclass->tp_basicsize;
    _Pycs_ASSERT_LOCKED(api);
    if (*sidecar == NULL) return;
    memcpy((void *)(*sidecar + 1), (const char *)type + offset,
           (size_t)(Py_TYPE((PyObject *)type)->tp_basicsize - offset));
    _Pycs_SetSidecar(type, *sidecar);
    *sidecar = NULL;
}

/* Marks the class as finished. */
_Pycs_PRIVATE void
_Pycs_EndFilling(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    (void)api;
    if (sidecar != NULL) sidecar->when = 0;
}

/* Takes the sidecar away from a class that dies, or was not made after all; NULL if there is
   none. */
_Pycs_PRIVATE _Pycs_Sidecar *
_Pycs_TakeSidecar(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_Sidecar *sidecar = _Pycs_SidecarOf(type);
    _Pycs_ASSERT_LOCKED(api);
    (void)api;
    _Pycs_SetSidecar(type, NULL);
    return sidecar;
}
