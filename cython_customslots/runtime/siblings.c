/* SPDX-License-Identifier: MIT
 *
 * runtime/siblings.c - providers that are to be bases of one class share a layout.
 *
 * layouts.h says why, and what a layout is.  This is done only for providers from which
 * somebody derives one class, for it has a price: __bases__ of a class cannot be assigned if the class has
 * a layout of its own, because CPython compares its solid base, which is the class itself then,
 * before it could be given one.
 *
 * Readers in other threads find the old state or the new one: before a provider gets the
 * layout, all classes below it have one whose MRO names both the provider and the layout.
 */
#include "runtime/siblings.h"

#include "runtime/layouts.h"
#include "runtime/state.h"
#include "runtime/subclasses.h"

/* Makes a type with a spare member share its layout.  0, or -1 with an exception and the type's
   own layout unchanged. */
static int
_Pycs_ShareOne(_Pycs_API *api, PyTypeObject *sharing)
{
    PyTypeObject *const base = _Pycs_BaseOf(api, sharing);
    PyTypeObject *const shared = _Pycs_LayoutOf(api, base);
    PyObject *all = shared != NULL ? _Pycs_CollectSubclasses(api, sharing) : NULL;
    Py_ssize_t i;
    int status = -1;

    if (all == NULL) goto done;
    for (i = 1; i < PyList_GET_SIZE(all); i++) {        /* bases before what derives from them */
        PyTypeObject *type = (PyTypeObject *)PyList_GET_ITEM(all, i);
        if (type->tp_base == NULL) continue;
        if (_Pycs_IsLayout(api, type->tp_base)) {
            if (_Pycs_UpdateLayout(type->tp_base, sharing, shared) < 0) goto done;
        }
        else if (_Pycs_SolidBase(type, NULL) == type
                 && _Pycs_GiveLayout(api, type, sharing, shared) < 0) goto done;
    }
    (void)_Pycs_PutLayout(api, sharing, base, _Pycs_LayoutIn(shared));
    status = 0;
    /* Those MROs no longer need to name the provider, and would keep it alive. */
    for (i = 1; i < PyList_GET_SIZE(all); i++) {
        PyTypeObject *type = (PyTypeObject *)PyList_GET_ITEM(all, i);
        if (_Pycs_IsLayout(api, type->tp_base)
                && _Pycs_UpdateLayout(type->tp_base, NULL, NULL) < 0) PyErr_Clear();
    }
done:
    Py_XDECREF(all);
    return status;
}

/* Does `two` have, along tp_base, a type with a spare member that `one` does not derive from? */
static int
_Pycs_HasOtherSpare(_Pycs_API *api, PyTypeObject *one, PyTypeObject *two)
{
    for (; two != NULL; two = _Pycs_BaseOf(api, two)) {
        if (_Pycs_IsSpare(api, two) && !PyType_IsSubtype(one, two)) return 1;
    }
    return 0;
}

/* `spare` is the i-th base, or above it: can it stand beside the other bases only if it shares
   its layout? */
static int
_Pycs_MustShare(_Pycs_API *api, PyTypeObject *spare, PyObject *bases, Py_ssize_t i)
{
    PyTypeObject *one = (PyTypeObject *)PyTuple_GET_ITEM(bases, i);
    Py_ssize_t k;
    if (_Pycs_HasLayout(api, spare) || !_Pycs_IsSpare(api, spare)) return 0;
    for (k = 0; k < PyTuple_GET_SIZE(bases); k++) {
        PyTypeObject *two = (PyTypeObject *)PyTuple_GET_ITEM(bases, k);
        if (k != i && PyType_Check((PyObject *)two) && !PyType_IsSubtype(two, spare)
                && _Pycs_HasOtherSpare(api, one, two)) return 1;
    }
    return 0;
}

/* Called when a class with these bases is about to be made: those bases, and classes above them,
   that can stand side by side only if they share a layout share it from now on.  0, or -1 with an
   exception. */
_Pycs_PRIVATE int
_Pycs_ShareAmong(_Pycs_API *api, PyObject *bases)
{
    Py_ssize_t i;
    if (api->state->spares == NULL || PyTuple_GET_SIZE(bases) < 2) return 0;
    for (i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *type = (PyTypeObject *)PyTuple_GET_ITEM(bases, i);
        if (!PyType_Check((PyObject *)type)) continue;
        for (; type != NULL; type = _Pycs_BaseOf(api, type)) {
            if (_Pycs_MustShare(api, type, bases, i) && _Pycs_ShareOne(api, type) < 0) return -1;
        }
    }
    return 0;
}
