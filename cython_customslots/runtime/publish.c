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

_PyExtensibleType_PRIVATE int
_PyExtensibleType_set_slots(_PyExtensibleType_API *api, PyTypeObject *type,
                            const PyCustomSlot *own, Py_ssize_t count)
{
    _PyExtensibleType_Refresh refresh = _PyExtensibleType_REFRESH_INIT;
    PyObject *mro = NULL;
    int is_ready;

    if (_PyExtensibleType_CheckClass("set_slots", type) < 0) return -1;
    mro = _PyExtensibleType_FetchMro(api, type);
    is_ready = mro != NULL;
    Py_XDECREF(mro);
    if (_PyExtensibleType_APIOf(Py_TYPE(type)) != api || !_PyCustomSlots_HasMemory(type)
            || !is_ready) {
        PyErr_Format(PyExc_TypeError,
                     "slots cannot be given to '%.200s': found a type with metaclass "
                     "'%.200s'%s, expected a finished type whose metaclass derives from "
                     "%.200s", type->tp_name, Py_TYPE(type)->tp_name,
                     !is_ready ? " that is not ready"
                     : _PyCustomSlots_HasMemory(type) ? ""
                     : " that is static and was made without this library",
                     api->metaclass->tp_name);
        return -1;
    }
    if (_PyExtensibleType_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if (_PyExtensibleType_RefreshPrepare(api, type, own, count, 0, &refresh) < 0) return -1;
    return _PyExtensibleType_RefreshCommit(api, &refresh, 1);
}

/* Fills a provider that has no base to inherit from with the defaults, which are the values of
   its metaclass's first provider.  (Those may have been set after the provider was filled, as in
   Cython's classes, which get their objects late.)  0, or -1 with an exception. */
static int
_PyExtensibleType_FollowDefaults(_PyExtensibleType_API *api, PyTypeObject *type)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    _PyExtensibleType_FieldEntry *field;
    PyObject *tuple = _PyExtensibleType_FetchMro(api, type);
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    int status = 0;

    if (tuple != NULL) mro = _PyExtensibleType_MroOfTuple(type, tuple);
    while (status == 0 && tuple != NULL && (field = _PyExtensibleType_NextField(&iter))) {
        const PyTypeObject *provider = field->layer->provider;
        int differs;
        if (provider == NULL || provider == type) continue;
        _PyExtensibleType_Lock(api);
        differs = _PyExtensibleType_InheritsField(api, type, field)
                  && _PyExtensibleType_SourceOfField(api, &mro, field) == NULL
                  && (_PyExtensibleType_IsHooked(field)
                      || memcmp(_PyExtensibleType_FieldAt(type, field),
                                _PyExtensibleType_DefaultOf(field),
                                (size_t)field->def.size) != 0);
        _PyExtensibleType_Unlock(api);
        if (differs) status = _PyExtensibleType_ChangeField(api, type, field, NULL, NULL);
    }
    Py_XDECREF(tuple);
    return status;
}

_PyExtensibleType_PRIVATE int
_PyExtensibleType_publish(_PyExtensibleType_API *api, PyTypeObject *type,
                          const PyCustomSlot *own, Py_ssize_t count)
{
    int taken;
    if (_PyExtensibleType_CheckClass("publish", type) < 0) return -1;
    if (_PyExtensibleType_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if ((taken = _PyExtensibleType_ResolveWith(api, type, own, count)) < 0) return -1;
    if (count > 0 && !taken && _PyExtensibleType_set_slots(api, type, own, count) < 0) return -1;
    if (Py_TYPE(type) == api->metaclass) return 0;              /* it has no fields */
    if (_PyExtensibleType_SetDefaults(api, type) < 0) return -1;
    return _PyExtensibleType_FollowDefaults(api, type);
}
