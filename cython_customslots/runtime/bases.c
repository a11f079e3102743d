/* SPDX-License-Identifier: MIT
 *
 * runtime/bases.c - the setter of __bases__.
 */
#include "runtime/bases.h"

#include "runtime/change.h"
#include "runtime/guard.h"
#include "runtime/layers.h"
#include "runtime/refresh.h"
#include "runtime/resolve.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* A class that would get a base with C fields has no memory for them unless its metaclass
   has them, too; CPython does not look at metaclasses here.  Adds to *more how many entries the
   table can grow by.  -1 with a TypeError. */
static int
_Pycs_CheckBase(_Pycs_API *api, PyTypeObject *type, PyTypeObject *base, Py_ssize_t *more)
{
    PyObject *tuple = _Pycs_FetchMro(api, base);
    Py_ssize_t i, n = tuple != NULL ? PyTuple_GET_SIZE(tuple) : 0;
    _Pycs_Mro mro;
    int status = -1;
    for (i = 0; i < n; i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(tuple, i), *m;
        const _Pycs_Layer *layer;
        const _Pycs_API *other;
        if (!PyType_Check((PyObject *)item) || PyType_IsSubtype(Py_TYPE(type), Py_TYPE(item))
                || (other = _Pycs_APIOf(Py_TYPE(item))) == NULL) continue;
        if (other != api) {
            PyErr_Format(PyExc_TypeError,
                         "__bases__ assignment: '%.200s' is an extensible type of another "
                         "interpreter; import its module in the main interpreter only",
                         item->tp_name);
            goto done;
        }
        m = Py_TYPE(item);
        while ((layer = _Pycs_NextLayer(api, &m))) {
            if (layer->size == 0 || PyType_IsSubtype(Py_TYPE(type), layer->metaclass)) continue;
            PyErr_Format(PyExc_TypeError,
                         "__bases__ assignment: '%.200s' has the C fields of metaclass "
                         "'%.200s', for which the class '%.200s' (metaclass '%.200s') has no "
                         "memory; make the class anew with that base",
                         item->tp_name, layer->metaclass->tp_name, type->tp_name,
                         Py_TYPE(type)->tp_name);
            goto done;
        }
    }
    if (tuple != NULL) {
        mro = _Pycs_MroOfTuple(NULL, tuple);    /* NULL: the slots of `base` count, too */
        _Pycs_Lock(api);
        *more += _Pycs_MergeBound(0, &mro);
        _Pycs_Unlock(api);
    }
    status = 0;
done:
    Py_XDECREF(tuple);
    return status;
}

/* The setter of __bases__ on the metaclass, around type's. */
_Pycs_PRIVATE int
_Pycs_set_bases(_Pycs_API *api, PyObject *self, PyObject *value)
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyObject *descriptor = api->state->type_bases, *former;
    _Pycs_Refresh refresh = _Pycs_REFRESH_INIT;
    Py_ssize_t i, more = 0;
    int status;

    if (value != NULL && PyTuple_Check(value) && _Pycs_IsHeap(type)) {
        if (_Pycs_ResolveAll(api, value) < 0) return -1;
        for (i = 0; i < PyTuple_GET_SIZE(value); i++) {
            PyObject *base = PyTuple_GET_ITEM(value, i);
            if (PyType_Check(base) && _Pycs_CheckBase(api, type, (PyTypeObject *)base, &more) < 0) return -1;
        }
        if (_Pycs_RefreshPrepare(api, type, NULL, _Pycs_CHANGED_BASES, more, &refresh) < 0) return -1;
    }
    former = _Pycs_FetchBases(api, type);
    status = Py_TYPE(descriptor)->tp_descr_set(descriptor, self, value);
    if (refresh.top != NULL && (status < 0
                                || _Pycs_RefreshCommit(api, &refresh, 0) < 0)) {
        PyObject *error, *text, *traceback;
        PyErr_Fetch(&error, &text, &traceback);
        /* Restore the former bases, which were accepted before.  Should that fail now, the class
           keeps the new ones, and what cannot be copied or merged is stale, but valid. */
        if (status == 0 && Py_TYPE(descriptor)->tp_descr_set(descriptor, self, former) < 0) {
            PyErr_Clear();
        }
        /* Other threads may have used MROs that were changed here and changed back: rule 5 of
           change.h. */
        (void)_Pycs_RefreshCommit(api, &refresh, 1);
        PyErr_Restore(error, text, traceback);
        status = -1;
    }
    Py_XDECREF(former);
    return status;
}
