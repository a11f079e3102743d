/* SPDX-License-Identifier: MIT
 *
 * runtime/implementation.c - this implementation, as one table of functions; and how it takes over from an older one.
 *
 * A take-over rewrites no type and no table: all implementations that serve one version of the state read it in the
 * same way, and calls that are running in older code end there (docs/abi-runtime.md, "take-over").  For the first
 * provider that asks, the implementation creates what all share; _extensibletype/find.h says how they find it.
 */
#include "runtime/prototypes.h"
#include "runtime/look_ups.h"
#include "runtime/override_tables.h"

/* Up to the last function in the table below.  (The struct may come from later headers, and have more.) */
#define _Pycs_FUNCTION_COUNT \
    ((uint32_t)((offsetof(_Pycs_Impl, interface_class_of) \
                 - offsetof(_Pycs_Impl, alloc)) / sizeof(void *) + 1))

_Pycs_ASSERT(all_first_ones_are_there, _Pycs_FUNCTION_COUNT >= _Pycs_FIRST_COUNT);

#define _Pycs_NAME(result, name, arguments) _Pycs_##name,

static const _Pycs_Impl _Pycs_implementation = {
    {_Pycs_find_in, _Pycs_find_whole},
    _Pycs_NUMBER,
    _Pycs_STATE_VERSION,
    _Pycs_FUNCTION_COUNT,
    PyExtensibleType_MODULE_NAME,
    _Pycs_FUNCTIONS(_Pycs_NAME)
};

/* A new record that this implementation met the API.  NULL with a MemoryError. */
static _Pycs_Met *
_Pycs_NewMet(void)
{
    _Pycs_Met *met;
    if (_Pycs_SeeInterfaces() < 0) return NULL;
    met = (_Pycs_Met *)_Pycs_NewBlock(sizeof(*met));
    if (met != NULL) met->impl = &_Pycs_implementation;
    return met;
}

/* May this implementation take the place of `found` in this API?  A _Pycs_MET_*.
   CUSTOMSLOTS_RUNTIME pins the one that serves: "first", or the name of a module. */
static uintptr_t
_Pycs_Judge(const _Pycs_API *api, const _Pycs_Impl *found)
{
    const _Pycs_Impl *const mine = &_Pycs_implementation;
    const char *pinned = getenv("CUSTOMSLOTS_RUNTIME");
    const int is_pinned = pinned != NULL && pinned[0] != '\0';
    const int is_named = is_pinned && strcmp(pinned, mine->module) == 0;

    if (!is_named && mine->number <= found->number) return _Pycs_MET_OLDER;
    if (is_named && strcmp(pinned, found->module) == 0 && mine->number <= found->number) return _Pycs_MET_OLDER;
    if (is_pinned && !is_named) return _Pycs_MET_PINNED;
    return api->state_version == mine->state_version ? _Pycs_MET_TOOK : _Pycs_MET_STATE;
}

/* The record that this implementation met the API, or NULL. */
static _Pycs_Met *
_Pycs_FindMet(_Pycs_Met *met)
{
    while (met != NULL && met->impl != &_Pycs_implementation) met = met->next;
    return met;
}

/* Puts the record into the list; *fresh is NULL then.  If another thread was faster with a record
   of this implementation, that one stays, but takes over the verdict if this implementation took
   over. */
static void
_Pycs_WriteDown(_Pycs_API *api, _Pycs_Met **fresh)
{
    _Pycs_Met *met;
    do {
        (*fresh)->next = _Pycs_LOAD(_Pycs_Met *, &api->met);
        met = _Pycs_FindMet((*fresh)->next);
        if (met != NULL) {
            if ((*fresh)->verdict != _Pycs_MET_TOOK) return;
            _Pycs_STORE(const _Pycs_Impl *, &met->found, (*fresh)->found);
            _Pycs_STORE(uintptr_t, &met->verdict, (*fresh)->verdict);
            return;
        }
    } while (!_Pycs_SwapWord((uintptr_t *)(void *)&api->met, (uintptr_t)(*fresh)->next, (uintptr_t)*fresh));
    *fresh = NULL;
}

/* Called when this implementation meets the API: it takes over, if it may, and records that,
   once.  0, or -1 with a MemoryError and nothing changed.  Taking over comes first: a thread that finds
   this implementation in the list must find its functions, too. */
_Pycs_ENTRY int
_Pycs_Meet(_Pycs_API *api)
{
    const _Pycs_Impl *const mine = &_Pycs_implementation, *found;
    _Pycs_Met *fresh = NULL;

    while (!_Pycs_FindMet(_Pycs_LOAD(_Pycs_Met *, &api->met))) {
        found = _Pycs_IMPL(api);
        if (found == mine) break;               /* by another thread, which records it */
        if (fresh == NULL && !(fresh = _Pycs_NewMet())) return -1;
        fresh->found = found;
        fresh->verdict = _Pycs_Judge(api, found);
        /* If another thread brought a third implementation in between, judge that one. */
        if (fresh->verdict == _Pycs_MET_TOOK
                && !_Pycs_SwapWord((uintptr_t *)(void *)&api->impl, (uintptr_t)found, (uintptr_t)mine)) continue;
        _Pycs_WriteDown(api, &fresh);
        break;
    }
    PyMem_RawFree(fresh);
    return 0;
}

/* A new API, served by this implementation; NULL with a MemoryError.  `root` is to own it. */
static _Pycs_API *
_Pycs_NewAPI(PyTypeObject *root)
{
    _Pycs_API *api = (_Pycs_API *)_Pycs_NewBlock(sizeof(*api));
    _Pycs_State *state = (_Pycs_State *)_Pycs_NewBlock(sizeof(*state));
    _Pycs_Met *met = _Pycs_NewMet();                    /* MET_CREATED */

    if (api == NULL || state == NULL || met == NULL) {
        PyMem_RawFree(api);
        PyMem_RawFree(state);
        PyMem_RawFree(met);
        return NULL;
    }
    api->rendezvous_version = _Pycs_RENDEZVOUS_VERSION;
    api->table_abi = PyCustomSlots_ABI_VERSION;
    api->state_version = _Pycs_STATE_VERSION;
    api->heaptype_size = (Py_ssize_t)sizeof(PyHeapTypeObject);
    api->type_size = (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject);
    api->metaclass = root;
    api->state = state;
    api->impl = &_Pycs_implementation;
    api->met = met;
    state->interpreter = _Pycs_ThisInterpreter();
    state->empty.front.looks = state->unfinished.front.looks = _Pycs_LOOKS(api);
    state->empty.front.absent = ~(uintptr_t)0;
    _Pycs_InitCore(state);
    return api;
}

/* A new API with its metaclass; a new reference to the metaclass, which owns it. */
static PyTypeObject *
_Pycs_Create(void)
{
    PyTypeObject *meta = _Pycs_NewMetaMetaclass(), *root = meta != NULL ? _Pycs_NewMetaclass() : NULL;
    _Pycs_API *api = root != NULL && _Pycs_AddNames(root) == 0 ? _Pycs_NewAPI(root) : NULL;

    if (api != NULL) {
        /* From here on the metaclass owns the API and frees it with itself. */
        PyHeapExtensibleTypeObject *r = (PyHeapExtensibleTypeObject *)root;
        Py_SET_TYPE((PyObject *)root, meta);
        meta = NULL;
        r->etp_private = api;
        r->etp_check = (uintptr_t)root ^ _Pycs_ROOT;
        PyType_Modified(root);
    }
    if (api == NULL || _Pycs_GetObjects(api->state) < 0) Py_CLEAR(root);
    Py_XDECREF((PyObject *)meta);
    return root;
}

/* A module that holds the metaclass and its API; a new reference. */
_Pycs_ENTRY PyObject *
_Pycs_CreateModule(void)
{
    PyTypeObject *root = _Pycs_Create();
    PyObject *capsule = NULL, *module = NULL;

    if (root == NULL) return NULL;
    capsule = PyCapsule_New(((PyHeapExtensibleTypeObject *)root)->etp_private, _Pycs_CAPSULE, NULL);
    module = capsule != NULL ? PyModule_New(_Pycs_MODULE) : NULL;
    if (module == NULL
            || PyObject_SetAttrString(module, _Pycs_ATTRIBUTE, (PyObject *)root) < 0
            || PyObject_SetAttrString(module, _Pycs_ATTRIBUTE "_meta",
                                      (PyObject *)Py_TYPE(root)) < 0
            || PyObject_SetAttrString(module, "_api", capsule) < 0) {
        Py_CLEAR(module);
    }
    Py_XDECREF(capsule);
    Py_DECREF((PyObject *)root);
    return module;
}
