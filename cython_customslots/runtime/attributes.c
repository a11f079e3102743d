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
_Pycs_NamesFunction(const void *table, const char *name)
{
    const PyCustomSlots_Interface *iface = _Pycs_Overridable(table);
    size_t i;
    for (i = 0; iface != NULL && i < iface->count; i++) {
        if (iface->dispatch[i] != NULL && iface->names[i] != NULL
                && strcmp(iface->names[i], name) == 0) return 1;
    }
    return 0;
}

/* May an attribute with this name of this class decide what a slot of an interface leads to? */
static int
_Pycs_Matters(_Pycs_API *api, PyTypeObject *type, PyObject *name)
{
    const _Pycs_Record *record;
    const char *text;
    Py_ssize_t i;
    int found = 0;

    if (!PyUnicode_Check(name) || !_Pycs_HasTable(type)
            || !_Pycs_IsHeap(type)) return 0;
    if ((_Pycs_LOAD(uintptr_t, &api->state->mixed) & _Pycs_MixedBit(type)) != 0) {
        return 1;
    }
    if (!(text = PyUnicode_AsUTF8(name))) {
        PyErr_Clear();                          /* no function has such a name */
        return 0;
    }
    _Pycs_Lock(api);
    record = _Pycs_RecordOf(type);
    for (i = 0; !found && record != NULL && record->watched && i < record->count; i++) {
        if (_Pycs_KnownInterface(record->slots[i].id) == NULL) continue;
        found = _Pycs_NamesFunction(record->slots[i].data.pointer, text);
    }
    _Pycs_Unlock(api);
    return found;
}

/* Sets an attribute that matters; the class and all that derive from it follow.  Done in two
   steps, like an assignment of __bases__: change.h.  0, or -1 with an exception and nothing
   changed. */
static int
_Pycs_SetAndFollow(_Pycs_API *api, PyTypeObject *type, PyObject *name, PyObject *value)
{
    _Pycs_Refresh refresh = _Pycs_REFRESH_INIT;
    int status;

    if (_Pycs_RefreshPrepare(api, type, NULL, _Pycs_ATTRIBUTES, 0, &refresh) < 0) return -1;
    status = PyType_Type.tp_setattro((PyObject *)type, name, value);
    if (status == 0) (void)_Pycs_RefreshCommit(api, &refresh, 1);
    else _Pycs_RefreshDiscard(api, &refresh);
    return status;
}

/* __setattr__ and __delattr__ (`value` is NULL) of extensibletype. */
_Pycs_PRIVATE int
_Pycs_setattr(_Pycs_API *api, PyObject *self, PyObject *name, PyObject *value)
{
    PyTypeObject *type = (PyTypeObject *)self;

    if (api == NULL || !_Pycs_LOAD(uintptr_t, api->state->overridable)) {
        return PyType_Type.tp_setattro(self, name, value);
    }
    /* A class that type.__new__() made is finished by nobody else. */
    if (!_Pycs_HasTable(type) && _Pycs_Resolve(api, type) < 0) return -1;
    if (!_Pycs_Matters(api, type, name)) return PyType_Type.tp_setattro(self, name, value);
    return _Pycs_SetAndFollow(api, type, name, value);
}
