/* SPDX-License-Identifier: MIT
 *
 * runtime/handover.c - the calls of metaclasses that a thread is in.
 */
#include "runtime/handover.h"

#include "runtime/state.h"

/* The most derived of `metaclass` and the metaclasses of `bases`; NULL if there is
   none, so that type.__new__ will refuse. Sets no exception. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_Winner(PyTypeObject *metaclass, PyObject *bases)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *other = Py_TYPE(PyTuple_GET_ITEM(bases, i));
        if (metaclass == other || PyType_IsSubtype(metaclass, other)) continue;
        if (!PyType_IsSubtype(other, metaclass)) return NULL;
        metaclass = other;
    }
    return metaclass;
}

/* Unlinks the node wherever it is by now. */
_Pycs_PRIVATE void
_Pycs_HandoverPop(_Pycs_API *api, _Pycs_Handover *node)
{
    _Pycs_Handover **link = &api->state->thread()->handover;
    while (*link != NULL && *link != node) link = &(*link)->below;
    if (*link == node) *link = node->below;
}

/* The call that makes a class with this namespace; NULL: none that is still running. */
_Pycs_PRIVATE _Pycs_Handover *
_Pycs_HandoverOf(_Pycs_API *api, PyObject *ns)
{
    _Pycs_Handover *node = api->state->thread()->handover;
    while (node != NULL && node->ns != ns) node = node->below;
    return node;
}

/* The call whose node `type` took; NULL if it took none. */
_Pycs_PRIVATE _Pycs_Handover *
_Pycs_HandoverTakenBy(_Pycs_API *api, const PyTypeObject *type)
{
    _Pycs_Handover *node = api->state->thread()->handover;
    while (node != NULL && node->taken_by != type) node = node->below;
    return node;
}

/* Was `type` allocated since the call began?  (A metaclass's __new__ may return a class that
   there was before.) */
_Pycs_PRIVATE int
_Pycs_HandoverMade(const _Pycs_Handover *node, const PyTypeObject *type)
{
    const _Pycs_Made *made = node->made;
    if (node->first_made == type) return 1;
    while (made != NULL && made->type != type) made = made->next;
    return made != NULL;
}

/* Notes that `type` was allocated.  If it is not the first one of the call, *made is used for
   that, and NULL afterwards. */
_Pycs_PRIVATE void
_Pycs_HandoverNote(_Pycs_API *api, PyTypeObject *type, _Pycs_Made **made)
{
    _Pycs_Handover *node = api->state->thread()->handover;
    if (node == NULL) return;
    if (node->first_made == NULL) node->first_made = type;
    else if (*made != NULL) {
        (*made)->type = type;
        (*made)->next = node->made;
        node->made = *made;
        *made = NULL;
    }
}

/* The node for a class that `metaclass` is allocating now, or NULL; borrowed from a
   call that is still running. */
_Pycs_PRIVATE _Pycs_Handover *
_Pycs_HandoverTake(_Pycs_API *api, PyTypeObject *metaclass)
{
    _Pycs_Handover *node = api->state->thread()->handover;
    if (node == NULL || node->metaclass != metaclass || node->taken) return NULL;
    node->taken = 1;
    return node;
}
