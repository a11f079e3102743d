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
#include "runtime/siblings.h"
#include "runtime/state.h"

_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_alloc(_PyExtensibleType_API *api, PyTypeObject *metaclass, Py_ssize_t nitems)
{
    _PyExtensibleType_Birth birth = _PyExtensibleType_BIRTH_INIT;
    _PyExtensibleType_Handover *node;
    _PyExtensibleType_Made *made = NULL;
    PyObject *bases = NULL, *self = NULL;
    PyHeapExtensibleTypeObject *t;
    int copied;

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
    if (_PyExtensibleType_Adopt(api, metaclass) < 0) return NULL;
    birth.metaclass = metaclass;
    /* Everything that can fail or run the collector comes before the allocation:
       it would visit a type object that has no flags yet, and abort. */
    if ((node = _PyExtensibleType_HandoverTake(api, metaclass)) != NULL) {
        bases = node->bases;
        Py_INCREF(bases);
        if (_PyExtensibleType_ResolveAll(api, bases) < 0) goto done;
    }
    if (_PyExtensibleType_HandoverNeedsNote(api)
            && !(made = (_PyExtensibleType_Made *)PyMem_RawMalloc(sizeof(*made)))) {
        PyErr_NoMemory();
        goto done;
    }
    /* Without fields there is nothing that it must have before it is finished. */
    if (_PyExtensibleType_BirthInherit(
            api, &birth, metaclass->tp_basicsize > api->metaclass->tp_basicsize ? bases : NULL) < 0) {
        goto done;
    }
    _PyExtensibleType_Lock(api);
    copied = _PyExtensibleType_BirthCopy(api, &birth);
    _PyExtensibleType_Unlock(api);
    if (copied < 0 || !(self = PyType_GenericAlloc(metaclass, nitems))) goto done;

    /* Who waits for the lock, or drops a reference, lets other threads collect: type_traverse() aborts
       without this flag.  type_new() sets them all. */
    ((PyTypeObject *)self)->tp_flags = Py_TPFLAGS_HEAPTYPE;
    t = (PyHeapExtensibleTypeObject *)self;
    _PyExtensibleType_HandoverNote(api, (PyTypeObject *)self, &made);
    _PyExtensibleType_Lock(api);
    _PyExtensibleType_BirthFill(api, &birth, (PyTypeObject *)self, 0);
    if (node != NULL) _PyExtensibleType_PlaceBody(api, node, (PyTypeObject *)self);
    _PyExtensibleType_Unlock(api);
    t->etp_custom_slots = api->state->empty;
    _PyCustomSlots_STORE(uintptr_t, &t->etp_check,
                         (uintptr_t)self ^ _PyCustomSlots_UNRESOLVED);
done:
    PyMem_RawFree(made);
    _PyExtensibleType_BirthEnd(&birth);
    Py_XDECREF(bases);
    return self;
}

/* Finishes a class that a call of its metaclass made.  `node`: that call; NULL for type(name,
   bases, ns), which has none.  0, or -1 with an exception. */
static int
_PyExtensibleType_FinishClass(_PyExtensibleType_API *api, PyTypeObject *type,
                              _PyExtensibleType_Handover *node)
{
    _PyExtensibleType_Handover *other = _PyExtensibleType_HandoverTakenBy(api, type);
    if (_PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (node != NULL) {
        /* A class that existed before this call keeps what it has. */
        if (!_PyExtensibleType_HandoverMade(node, type)) return 0;
        node->finished = 1;
    }
    if (other != NULL && other != node && !other->retracted
            && _PyExtensibleType_RetractBody(api, other) < 0) return -1;
    return _PyExtensibleType_FinishBody(api, type, node);
}

_PyExtensibleType_PRIVATE int
_PyExtensibleType_init(_PyExtensibleType_API *api, PyObject *self, PyObject *args,
                       PyObject *kwargs)
{
    _PyExtensibleType_Handover *node = api == NULL || PyTuple_GET_SIZE(args) != 3 ? NULL
        : _PyExtensibleType_HandoverOf(api, PyTuple_GET_ITEM(args, 2));
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    return api != NULL ? _PyExtensibleType_FinishClass(api, (PyTypeObject *)self, node) : 0;
}

_PyExtensibleType_PRIVATE PyObject *
_PyExtensibleType_meta_call(_PyExtensibleType_API *api, PyObject *self, PyObject *args,
                            PyObject *kwargs)
{
    PyTypeObject *metaclass = (PyTypeObject *)self, *winner;
    _PyExtensibleType_API *its;
    _PyExtensibleType_Handover *node = NULL;
    PyObject *result = NULL;

    Py_XINCREF(kwargs);
    if (api != NULL) {
        if (_PyExtensibleType_Adopt(api, metaclass) < 0) goto done;
        if (PyTuple_GET_SIZE(args) == 3 && PyTuple_Check(PyTuple_GET_ITEM(args, 1))
                && (winner = _PyExtensibleType_Winner(metaclass, PyTuple_GET_ITEM(args, 1)))) {
            node = (_PyExtensibleType_Handover *)PyMem_RawCalloc(1, sizeof(*node));
            if (node == NULL) {
                PyErr_NoMemory();
                goto done;
            }
            if (_PyExtensibleType_ShareAmong(api, PyTuple_GET_ITEM(args, 1)) < 0) goto done;
            node->metaclass = winner;
            node->bases = PyTuple_GET_ITEM(args, 1);
            node->ns = PyTuple_GET_ITEM(args, 2);
            if (_PyExtensibleType_HasLayers(api) && PyDict_Check(node->ns)
                    && _PyExtensibleType_ReadBody(api, node, PyTuple_GET_ITEM(args, 0),
                                                  &kwargs) < 0) goto done;
            _PyExtensibleType_HandoverPush(api, node);
        }
    }
    result = PyType_Type.tp_call(self, args, kwargs);
    if (result == NULL && node != NULL && kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0
            && _PyExtensibleType_HasLayers(api)) {
        _PyExtensibleType_ExplainKeywords(api, node->metaclass, PyTuple_GET_ITEM(args, 0), kwargs);
    }
    /* A metaclass whose __init__ does not call ours leaves that to us. */
    if (api != NULL && result != NULL && PyType_Check(result)
            && (its = _PyExtensibleType_APIOf(Py_TYPE(result))) != NULL
            && (node != NULL ? !node->finished
                             : _PyCustomSlots_IsUnfinished((PyTypeObject *)result))
            && _PyExtensibleType_FinishClass(its, (PyTypeObject *)result, node) < 0) {
        Py_CLEAR(result);
    }
    /* Another class that was made during this call, and was never initialised, may have taken the
       values. */
    if (result != NULL && node != NULL && node->taken_by != NULL && !node->retracted
            && (PyObject *)node->taken_by != result
            && _PyExtensibleType_RetractBody(api, node) < 0) {
        Py_CLEAR(result);
    }
done:
    if (node != NULL) {
        _PyExtensibleType_HandoverPop(api, node);
        _PyExtensibleType_FreeBody(node);
        PyMem_RawFree(node);
    }
    Py_XDECREF(kwargs);
    return result;
}
