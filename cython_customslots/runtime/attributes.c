/* SPDX-License-Identifier: MIT
 *
 * runtime/attributes.c - sets an attribute that may override a function of an interface.
 */
#include "runtime/attributes.h"

#include "runtime/change.h"
#include "runtime/guard.h"
#include "runtime/override_tables.h"
#include "runtime/overriding.h"
#include "runtime/refresh.h"
#include "runtime/resolve.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* Is it the name of a function that can be overridden? */
static int
_PyExtensibleType_NamesFunction(const void *table, const char *name)
{
    const PyCustomSlots_Interface *iface = _PyExtensibleType_Overridable(table);
    size_t i;
    for (i = 0; iface != NULL && i < iface->count; i++) {
        if (iface->dispatch[i] != NULL && iface->names[i] != NULL
                && strcmp(iface->names[i], name) == 0) return 1;
    }
    return 0;
}

/* May an attribute with this name of this class decide what a slot of an interface leads to? */
static int
_PyExtensibleType_Matters(_PyExtensibleType_API *api, PyTypeObject *type, PyObject *name)
{
    const _PyExtensibleType_Record *record;
    const char *text;
    Py_ssize_t i;
    int found = 0;

    if (!PyUnicode_Check(name) || !_PyExtensibleType_IsReady(type)
            || !_PyCustomSlots_IsHeap(type)) return 0;
    if ((_PyCustomSlots_LOAD(uintptr_t, &api->state->mixed) & _PyExtensibleType_MixedBit(type)) != 0) {
        return 1;
    }
    if (!(text = PyUnicode_AsUTF8(name))) {
        PyErr_Clear();                          /* no function has such a name */
        return 0;
    }
    _PyExtensibleType_Lock(api);
    record = _PyExtensibleType_RecordOf(type);
    for (i = 0; !found && record != NULL && record->watched && i < record->count; i++) {
        if (_PyExtensibleType_KnownInterface(record->slots[i].id) == NULL) continue;
        found = _PyExtensibleType_NamesFunction(record->slots[i].data.pointer, text);
    }
    _PyExtensibleType_Unlock(api);
    return found;
}

/* Sets an attribute that matters; the class and all that derive from it follow.  Done in two
   steps, like an assignment of __bases__: change.h.  0, or -1 with an exception and nothing
   changed. */
static int
_PyExtensibleType_SetAndFollow(_PyExtensibleType_API *api, PyTypeObject *type, PyObject *name,
                               PyObject *value)
{
    _PyExtensibleType_Refresh refresh = _PyExtensibleType_REFRESH_INIT;
    int status;

    if (_PyExtensibleType_RefreshPrepare(api, type, NULL, _PyExtensibleType_ATTRIBUTES, 0,
                                         &refresh) < 0) return -1;
    status = PyType_Type.tp_setattro((PyObject *)type, name, value);
    if (status == 0) (void)_PyExtensibleType_RefreshCommit(api, &refresh, 1);
    else _PyExtensibleType_RefreshDiscard(api, &refresh);
    return status;
}

/* __setattr__ and __delattr__ (`value` is NULL) of extensibletype. */
_PyExtensibleType_PRIVATE int
_PyExtensibleType_setattr(_PyExtensibleType_API *api, PyObject *self, PyObject *name,
                          PyObject *value)
{
    PyTypeObject *type = (PyTypeObject *)self;

    if (api == NULL || !_PyCustomSlots_LOAD(uintptr_t, api->state->overridable)) {
        return PyType_Type.tp_setattro(self, name, value);
    }
    /* A class that type.__new__() made is finished by nobody else. */
    if (!_PyExtensibleType_IsReady(type) && _PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (!_PyExtensibleType_Matters(api, type, name)) return PyType_Type.tp_setattro(self, name, value);
    return _PyExtensibleType_SetAndFollow(api, type, name, value);
}
