/* SPDX-License-Identifier: MIT
 *
 * runtime/birth.c - how a class comes into being.
 *
 * A call of a metaclass, and of its tp_alloc and tp_init.  What all classes have in common: fill.h.
 */
#include "runtime/birth.h"

#include "runtime/adopt.h"
#include "runtime/body.h"
#include "runtime/fill.h"
#include "runtime/guard.h"
#include "runtime/handover.h"
#include "runtime/layers.h"
#include "runtime/resolve.h"
#include "runtime/state.h"
#include "runtime/vtables.h"

_Pycs_PRIVATE PyObject *
_Pycs_alloc(_Pycs_API *api, PyTypeObject *metaclass, Py_ssize_t nitems)
{
    _Pycs_Birth birth = _Pycs_BIRTH_INIT;
    _Pycs_Handover *node;
    _Pycs_Made *made = NULL;
    PyObject *bases = NULL, *self = NULL;
    PyHeapExtensibleTypeObject *t;

    if (api == NULL || metaclass == api->state->thread()->probed) {
        return PyType_GenericAlloc(metaclass, nitems);      /* no class of ours */
    }
    if (api->state->interpreter != PyInterpreterState_Get()) {
        PyErr_Format(PyExc_TypeError,
                     "a class with metaclass '%.200s' cannot be made in this interpreter: found a "
                     "base that belongs to another one, which a static type came from; import "
                     "its module in the main interpreter only", metaclass->tp_name);
        return NULL;
    }
    if (_Pycs_Adopt(api, metaclass) < 0) return NULL;
    birth.metaclass = metaclass;
    /* Everything that can fail or run the collector comes before the allocation:
       it would visit a type object that has no flags yet, and abort. */
    if ((node = _Pycs_HandoverTake(api, metaclass)) != NULL) {
        bases = node->bases;
        Py_INCREF(bases);
        if (_Pycs_ResolveAll(api, bases) < 0) goto done;
    }
    if (_Pycs_HandoverNeedsNote(api) && !(made = (_Pycs_Made *)PyMem_RawMalloc(sizeof(*made)))) {
        PyErr_NoMemory();
        goto done;
    }
    /* Without fields there is nothing that it must have before it is finished. */
    if (_Pycs_BirthInherit(
            api, &birth, metaclass->tp_basicsize > api->metaclass->tp_basicsize ? bases : NULL) < 0) {
        goto done;
    }
    if (!(self = PyType_GenericAlloc(metaclass, nitems))) goto done;

    /* Who waits for the lock, or drops a reference, lets other threads collect: type_traverse() aborts
       without this flag.  type_new() sets them all. */
    ((PyTypeObject *)self)->tp_flags = Py_TPFLAGS_HEAPTYPE;
    t = (PyHeapExtensibleTypeObject *)self;
    _Pycs_HandoverNote(api, (PyTypeObject *)self, &made);
    _Pycs_Lock(api);
    _Pycs_BirthFill(api, &birth, (PyTypeObject *)self, 0);
    if (node != NULL) _Pycs_PlaceBody(api, node, (PyTypeObject *)self);
    _Pycs_Unlock(api);
    t->etp_custom_slots = api->state->empty;
    _Pycs_STORE(uintptr_t, &t->etp_check, (uintptr_t)self ^ _Pycs_UNRESOLVED);
done:
    PyMem_RawFree(made);
    _Pycs_BirthEnd(&birth);
    Py_XDECREF(bases);
    return self;
}

/* Finishes a class that a call of its metaclass made.  `node`: that call; NULL for type(name,
   bases, ns), which has none.  0, or -1 with an exception. */
static int
_Pycs_FinishClass(_Pycs_API *api, PyTypeObject *type, _Pycs_Handover *node)
{
    _Pycs_Handover *other = _Pycs_HandoverTakenBy(api, type);
    if (_Pycs_Resolve(api, type) < 0) return -1;
    if (node != NULL) {
        /* A class that existed before this call keeps what it has. */
        if (!_Pycs_HandoverMade(node, type)) return 0;
        node->finished = 1;
    }
    if (_Pycs_ChooseVtable(api, type) < 0) return -1;
    if (other != NULL && other != node && !other->retracted && _Pycs_RetractBody(api, other) < 0) return -1;
    return _Pycs_FinishBody(api, type, node);
}

_Pycs_PRIVATE int
_Pycs_init(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    _Pycs_Handover *node = api == NULL || PyTuple_GET_SIZE(args) != 3 ? NULL
        : _Pycs_HandoverOf(api, PyTuple_GET_ITEM(args, 2));
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    return api != NULL ? _Pycs_FinishClass(api, (PyTypeObject *)self, node) : 0;
}

_Pycs_PRIVATE PyObject *
_Pycs_meta_call(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyTypeObject *metaclass = (PyTypeObject *)self, *winner;
    _Pycs_API *its;
    _Pycs_Handover *node = NULL;
    PyObject *result = NULL;

    Py_XINCREF(kwargs);
    if (api != NULL) {
        if (_Pycs_Adopt(api, metaclass) < 0) goto done;
        if (PyTuple_GET_SIZE(args) == 3 && PyTuple_Check(PyTuple_GET_ITEM(args, 1))
                && (winner = _Pycs_Winner(metaclass, PyTuple_GET_ITEM(args, 1)))) {
            node = (_Pycs_Handover *)PyMem_RawCalloc(1, sizeof(*node));
            if (node == NULL) {
                PyErr_NoMemory();
                goto done;
            }
            node->metaclass = winner;
            node->bases = PyTuple_GET_ITEM(args, 1);
            node->ns = PyTuple_GET_ITEM(args, 2);
            if (_Pycs_HasLayers(api) && PyDict_Check(node->ns)
                    && _Pycs_ReadBody(api, node, PyTuple_GET_ITEM(args, 0),
                                      &kwargs) < 0) goto done;
            _Pycs_HandoverPush(api, node);
        }
    }
    result = PyType_Type.tp_call(self, args, kwargs);
    if (result == NULL && node != NULL && _Pycs_HasLayers(api)) {
        _Pycs_ExplainFailure(api, node->metaclass, PyTuple_GET_ITEM(args, 0), kwargs);
    }
    /* A metaclass whose __init__ does not call ours leaves that to us. */
    if (api != NULL && result != NULL && PyType_Check(result)
            && (its = _Pycs_APIOf(Py_TYPE(result))) != NULL
            && (node != NULL ? !node->finished : _Pycs_IsUnfinished((PyTypeObject *)result))
            && _Pycs_FinishClass(its, (PyTypeObject *)result, node) < 0) {
        Py_CLEAR(result);
    }
    /* Another class that was made during this call, and was never initialised, may have taken the
       values. */
    if (result != NULL && node != NULL && node->taken_by != NULL && !node->retracted
            && (PyObject *)node->taken_by != result
            && _Pycs_RetractBody(api, node) < 0) {
        Py_CLEAR(result);
    }
done:
    if (node != NULL) {
        _Pycs_HandoverPop(api, node);
        _Pycs_FreeBody(node);
        PyMem_RawFree(node);
    }
    Py_XDECREF(kwargs);
    return result;
}
