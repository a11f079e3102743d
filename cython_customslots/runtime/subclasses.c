/* SPDX-License-Identifier: MIT
 *
 * runtime/subclasses.c - the classes below a class.
 */
#include "runtime/subclasses.h"

#include "runtime/layouts.h"
#include "runtime/state.h"

/* The direct subclasses, as type.__subclasses__ finds them (type's own: a metaclass may override
   it).  NULL, with or without an exception, if there are none.  Up to 3.15, type.__subclasses__
   of free-threaded builds walks the dict of subclasses without the lock under which classes are
   added and removed, and may miss one, or worse; so the dict's values, weak references, are taken
   in one call that takes that lock.  (One thing cannot be helped outside CPython: it frees the
   dict when the last subclass dies, even if another thread is about to read it or to add a
   class.) */
static PyObject *
_Pycs_DirectSubclasses(_Pycs_API *api, PyTypeObject *type)
{
    PyObject *dict = (PyObject *)_Pycs_LOAD(void *, &type->tp_subclasses);
#ifdef Py_GIL_DISABLED
    PyObject *references, *result = NULL, *subclass;
    Py_ssize_t i;
    /* CPython keeps the subclasses of its own static types elsewhere, out of our reach. */
    if (_Pycs_FLAGS(type) & _Pycs_STATIC_BUILTIN) {
        return PyObject_CallFunctionObjArgs(api->state->type_subclasses, (PyObject *)type, NULL);
    }
    if (dict == NULL || !(references = PyDict_Values(dict))) return NULL;
    if (!(result = PyList_New(0))) goto done;
    for (i = 0; i < PyList_GET_SIZE(references); i++) {
        int status = PyWeakref_GetRef(PyList_GET_ITEM(references, i), &subclass);
        if (status == 0) continue;              /* it is dying */
        if (status > 0) {
            status = PyList_Append(result, subclass);
            Py_DECREF(subclass);
        }
        if (status < 0) {
            Py_CLEAR(result);
            goto done;
        }
    }
done:
    Py_DECREF(references);
    return result;
#else
    if (dict == NULL) return NULL;
    return PyObject_CallFunctionObjArgs(api->state->type_subclasses, (PyObject *)type, NULL);
#endif
}

/* A list of `type` and all its subclasses, each once; NULL with an exception. */
_Pycs_PRIVATE PyObject *
_Pycs_CollectSubclasses(_Pycs_API *api, PyTypeObject *type)
{
    PyObject *all = NULL, *seen = NULL, *direct = NULL, *address = NULL, *result = NULL;
    Py_ssize_t i, k;

    if (!(all = PyList_New(0))) goto done;
    if (PyList_Append(all, (PyObject *)type) < 0) goto done;
    for (i = 0; i < PyList_GET_SIZE(all); i++) {
        direct = _Pycs_DirectSubclasses(api, (PyTypeObject *)PyList_GET_ITEM(all, i));
        if (direct == NULL && !PyErr_Occurred()) continue;
        if (direct == NULL || !PyList_Check(direct)) goto done;
        if (seen == NULL && !(seen = PyDict_New())) goto done;
        for (k = 0; k < PyList_GET_SIZE(direct); k++) {
            /* By address: a metaclass may define __eq__ and __hash__. */
            PyObject *subclass = PyList_GET_ITEM(direct, k);
            int known;
            if (!(address = PyLong_FromVoidPtr(subclass))) goto done;
            known = PyDict_Contains(seen, address);
            if (known < 0 || (!known && (PyDict_SetItem(seen, address, Py_None) < 0
                                         || PyList_Append(all, subclass) < 0))) goto done;
            Py_CLEAR(address);
        }
        Py_CLEAR(direct);
    }
    result = all;
    all = NULL;
done:
    Py_XDECREF(address);
    Py_XDECREF(direct);
    Py_XDECREF(seen);
    Py_XDECREF(all);
    return result;
}
