/* SPDX-License-Identifier: MIT
 *
 * runtime/publish.c - a class gets slots of its own, of whatever kind it is.
 */
#include "runtime/publish.h"

#include "runtime/arguments.h"
#include "runtime/change.h"
#include "runtime/fields.h"
#include "runtime/guard.h"
#include "runtime/layers.h"
#include "runtime/refresh.h"
#include "runtime/resolve.h"
#include "runtime/setter.h"
#include "runtime/sidecar.h"
#include "runtime/slots.h"
#include "runtime/state.h"

_Pycs_PRIVATE int
_Pycs_set_slots(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    _Pycs_Refresh refresh = _Pycs_REFRESH_INIT;
    PyObject *mro = NULL;
    int is_ready;

    if (_Pycs_CheckClass("set_slots", type) < 0) return -1;
    mro = _Pycs_FetchMro(api, type);
    is_ready = mro != NULL;
    Py_XDECREF(mro);
    if (_Pycs_APIOf(Py_TYPE(type)) != api || !_Pycs_HasMemory(type)
            || !is_ready) {
        PyErr_Format(PyExc_TypeError,
                     "slots cannot be given to '%.200s': found a type with metaclass "
                     "'%.200s'%s, expected a finished type whose metaclass derives from "
                     "%.200s", type->tp_name, Py_TYPE(type)->tp_name,
                     !is_ready ? " that is not ready"
                     : _Pycs_HasMemory(type) ? ""
                     : " that is static and was made without this library",
                     api->metaclass->tp_name);
        return -1;
    }
    if (_Pycs_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if (_Pycs_RefreshPrepare(api, type, own, count, 0, &refresh) < 0) return -1;
    if (_Pycs_RefreshCommit(api, &refresh, 0) == 0) return 0;
    _Pycs_RefreshDiscard(api, &refresh);
    return -1;
}

/* Fills a provider that has no base to inherit from with the defaults, which are the values of
   its metaclass's first provider.  (Those may have been set after the provider was filled, as in
   Cython's classes, which get their objects late.)  0, or -1 with an exception. */
static int
_Pycs_FollowDefaults(_Pycs_API *api, PyTypeObject *type)
{
    _Pycs_FieldIter iter = _Pycs_FieldsOf(api, Py_TYPE(type));
    _Pycs_FieldEntry *field;
    PyObject *tuple = _Pycs_FetchMro(api, type);
    _Pycs_Mro mro = _Pycs_MRO_INIT;
    int status = 0;

    if (tuple != NULL) mro = _Pycs_MroOfTuple(type, tuple);
    while (status == 0 && tuple != NULL && (field = _Pycs_NextField(&iter))) {
        const PyTypeObject *provider = field->layer->provider;
        int differs;
        if (provider == NULL || provider == type) continue;
        _Pycs_Lock(api);
        differs = _Pycs_InheritsField(api, type, field)
                  && _Pycs_SourceOfField(api, &mro, field) == NULL
                  && (_Pycs_IsHooked(field)
                      || memcmp(_Pycs_FieldAt(type, field),
                                _Pycs_DefaultOf(field),
                                (size_t)field->def.size) != 0);
        _Pycs_Unlock(api);
        if (differs) status = _Pycs_ChangeField(api, type, field, NULL);
    }
    Py_XDECREF(tuple);
    return status;
}

_Pycs_PRIVATE int
_Pycs_publish(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    int taken;
    if (_Pycs_CheckClass("publish", type) < 0) return -1;
    if (_Pycs_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if ((taken = _Pycs_ResolveWith(api, type, own, count)) < 0) return -1;
    if (count > 0 && !taken && _Pycs_set_slots(api,             type, own, count) < 0) return -1;
    if (Py_TYPE(type) == api->metaclass) return 0;              /* it has no fields */
    if (_Pycs_SetDefaults(api, type) < 0) return -1;
    return _Pycs_FollowDefaults(api, type);
}
