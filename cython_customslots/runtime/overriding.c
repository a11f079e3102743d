/* SPDX-License-Identifier: MIT
 *
 * runtime/overriding.c - which functions of an interface does a class of Python override?
 */
#include "runtime/overriding.h"
#include "runtime/override_tables.h"

/* ------------------------------------------------------------------------- what is found -- */

/* Looks a name up in the dicts of the classes of an MRO: a new reference in *found, NULL if it is
   in none.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_FindInDicts(_Pycs_API *api, PyObject *mro, PyObject *name, PyObject **found)
{
    Py_ssize_t i;
    int status = 0;
    *found = NULL;
    for (i = 0; status == 0 && *found == NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        PyObject *dict;
#if PY_VERSION_HEX >= 0x030C0000
        dict = PyType_GetDict(item);
#else
        dict = Py_XNewRef(item->tp_dict);
#endif
        if (dict == NULL) continue;
        status = _Pycs_LookUp(dict, name, found);
        Py_DECREF(dict);
        if (*found != NULL && Py_TYPE(*found) == api->state->interface_method
                && ((_Pycs_Method *)*found)->body == NULL) Py_CLEAR(*found);
    }
    return status;
}

/* Does a look-up of the name find different objects along the two MROs?  1 or 0; -1 with an
   exception. */
static int
_Pycs_Differ(_Pycs_API *api, PyObject *mro, PyObject *above, const char *text)
{
    PyObject *name = PyUnicode_InternFromString(text), *here = NULL, *there = NULL;
    int result = -1;
    if (name != NULL && _Pycs_FindInDicts(api, mro, name, &here) == 0
            && _Pycs_FindInDicts(api, above, name, &there) == 0) result = here != there;
    _Pycs_XDECREF_ALL(here, there, name);
    return result;
}

/* Finds out which table a class with this MRO should have in place of the provider's
   (override->wanted).  Not under the lock.  0, or -1 with an exception. */
static int
_Pycs_Decide(_Pycs_API *api, PyObject *mro, _Pycs_Override *override)
{
    const PyCustomSlots_Interface *iface = _Pycs_Overridable(override->table);
    PyObject *above = _Pycs_FetchMro(api, override->provider);
    unsigned char *set = (unsigned char *)PyMem_RawCalloc(1, iface->count);
    int differ = 0, found = 0;
    size_t i;

    for (i = 0; above != NULL && set != NULL && differ >= 0 && i < iface->count; i++) {
        if (iface->dispatch[i] == NULL || iface->names[i] == NULL) continue;
        differ = _Pycs_Differ(api, mro, above, iface->names[i]);
        set[i] = differ > 0;
        found |= set[i];
    }
    if (set == NULL) PyErr_NoMemory();
    else if (differ >= 0 && found) {
        override->wanted = _Pycs_TableFor(_Pycs_KnownInterface(override->id), override->table, iface, set);
    }
    Py_XDECREF(above);
    PyMem_RawFree(set);
    return set != NULL && differ >= 0 && override->wanted != NULL ? 0 : -1;
}

/* ------------------------------------------------------------------------------- plans -- */

_Pycs_PRIVATE void
_Pycs_FreeOverrides(_Pycs_Overrides *plan)
{
    Py_ssize_t i;
    for (i = 0; i < plan->count; i++) Py_DECREF((PyObject *)plan->overrides[i].provider);
    PyMem_RawFree(plan);
}

/* Adds to state->mixed the classes of an MRO that do not have the table of the planned one's
   provider, but whose attributes may decide which of its functions are overridden.  Under the lock:
   before their attributes are looked up, and again when all of them have got the tables of a refresh. */
_Pycs_PRIVATE void
_Pycs_NoteMixins(_Pycs_API *api, PyTypeObject *type, PyObject *mro, const _Pycs_Overrides *plan)
{
    Py_ssize_t i, k;
    _Pycs_ASSERT_LOCKED(api);
    for (k = 0; k < plan->count; k++) {
        const _Pycs_Override *override = &plan->overrides[k];
        if (override->provider == type || _Pycs_Overridable(override->table) == NULL) continue;
        for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
            PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
            _Pycs_Record *record;
            const PyCustomSlot *slot;
            if (item == type || _Pycs_APIOf(Py_TYPE(item)) != api) continue;
            record = _Pycs_RecordOf(item);
            slot = record != NULL ? _Pycs_FindInRecord(record, override->id) : NULL;
            if (slot != NULL && _Pycs_OriginalOf(slot->data.pointer) == override->table) continue;
            _Pycs_STORE(uintptr_t, &api->state->mixed, api->state->mixed | _Pycs_MixedBit(item));
        }
    }
}

/* Finds which class of an MRO declares which interface, the nearest first.  Returns an upper
   bound of their number; `plan` NULL: nothing else.  Under the lock. */
static Py_ssize_t
_Pycs_Gather(const _Pycs_API *api, PyObject *mro, const _Pycs_Change *change, _Pycs_Overrides *plan)
{
    Py_ssize_t i, k, n, bound = 0;
    _Pycs_ASSERT_LOCKED(api);
    (void)api;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        const PyCustomSlot *own;
        Py_ssize_t count = _Pycs_OwnSlots(item, change, &own);
        /* A slot that was declared before its interface was registered need not follow the interface: its data may be
           anything. */
        if (count > 0 && (change == NULL || own != change->own) && !_Pycs_RecordOf(item)->watched) count = 0;
        bound += count;
        for (k = 0; plan != NULL && k < count; k++) {
            const PyCustomSlots_Interface *iface;
            _Pycs_Override *override;
            if (_Pycs_KnownInterface(own[k].id) == NULL) continue;
            iface = _Pycs_Described(own[k].data.pointer);
            if (iface != NULL && iface->base != NULL) continue;
            for (n = 0; n < plan->count && plan->overrides[n].id != own[k].id; n++) { }
            if (n < plan->count) continue;
            override = &plan->overrides[plan->count++];
            override->id = own[k].id;
            override->table = own[k].data.pointer;
            override->provider = (PyTypeObject *)Py_NewRef((PyObject *)item);
        }
    }
    return bound;
}

/* Plans what a class with this MRO will have under the IDs of interfaces when `change` (or NULL)
   is committed; NULL in *plan if it has none.  Not under the lock; the plan is valid as long as
   the generation does not change.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_PlanOverrides(_Pycs_API *api, PyTypeObject *type, PyObject *mro,
                    const _Pycs_Change *change,
                    _Pycs_Overrides **plan)
{
    _Pycs_Overrides *fresh = NULL;
    Py_ssize_t i, k, bound;
    int status = 0;

    *plan = NULL;
    if (!_Pycs_IsHeap(type)) return 0;
    _Pycs_Lock(api);
    bound = _Pycs_Gather(api, mro, change, NULL);
    if (bound > 0 && (fresh = (_Pycs_Overrides *)PyMem_RawCalloc(
            1, sizeof(*fresh) + (size_t)bound * sizeof(fresh->overrides[0])))) {
        (void)_Pycs_Gather(api, mro, change, fresh);
        _Pycs_NoteMixins(api, type, mro, fresh);
    }
    _Pycs_Unlock(api);
    if (bound == 0) return 0;
    if (fresh == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (i = 0; status == 0 && i < fresh->count; i++) {
        _Pycs_Override *override = &fresh->overrides[i];
        override->wanted = override->table;
        if (override->provider == type || _Pycs_Overridable(override->table) == NULL) continue;
        /* One table may serve two IDs: of an interface, and of one that extends it. */
        for (k = 0; k < i && fresh->overrides[k].table != override->table; k++) { }
        if (k < i) override->wanted = fresh->overrides[k].wanted;
        else status = _Pycs_Decide(api, mro, override);
    }
    if (status == 0) *plan = fresh;
    else _Pycs_FreeOverrides(fresh);
    return status;
}

/* How many entries of the record differ from the plan.  With `write`, they are changed: only for
   a record that is not published yet.  What the class itself declares stays.  Under the lock. */
_Pycs_PRIVATE int
_Pycs_ApplyOverrides(PyTypeObject *type, const _Pycs_Overrides *plan, _Pycs_Record *record, int write)
{
    Py_ssize_t i, own;
    int changed = 0;
    for (i = 0; record != NULL && i < plan->count; i++) {
        const _Pycs_Override *override = &plan->overrides[i];
        PyCustomSlot *slot = _Pycs_FindInRecord(record, override->id);
        own = _Pycs_LOAD(PyTypeObject *, &record->owner) == type ? record->own_count : 0;
        while (own > 0 && record->own[own - 1].id != override->id) own--;
        if (slot == NULL || (own > 0 && override->provider != type) || slot->data.pointer == override->wanted) continue;
        if (write) slot->data.pointer = (void *)(uintptr_t)override->wanted;
        changed++;
    }
    return changed;
}

/* Applies the plan to a record that other classes may share and readers may have seen: *record, a
   reference, is replaced if need be.  Under the lock.  0, or -1, without an exception, if there
   is no memory. */
_Pycs_PRIVATE int
_Pycs_ApplyToShared(PyTypeObject *type, const _Pycs_Overrides *plan, _Pycs_Record **record)
{
    _Pycs_Record *old = *record, *fresh;
    PyCustomSlot *own = NULL;
    Py_ssize_t count = 0;

    if (!_Pycs_ApplyOverrides(type, plan, old, 0)) return 0;
    if (_Pycs_LOAD(PyTypeObject *, &old->owner) == type) {
        own = old->own;
        count = old->own_count;
    }
    fresh = _Pycs_RecordNew(type, old->capacity, own, count);
    if (fresh == NULL) return -1;
    fresh->count = old->count;
    fresh->watched = old->watched;
    memcpy(fresh->slots, old->slots, sizeof(PyCustomSlot) * (size_t)old->count);
    _Pycs_NotePlaces(fresh);
    (void)_Pycs_ApplyOverrides(type, plan, fresh, 1);
    fresh->retired = old;                       /* the reference moves */
    *record = fresh;
    return 0;
}

/* For want of memory for a plan: lets every function that can be overridden look in Python, which
   is right whatever is there.  Under the lock. */
_Pycs_PRIVATE void
_Pycs_OverrideAll(PyTypeObject *type, _Pycs_Record *record)
{
    Py_ssize_t i, k;
    for (i = 0; record->watched && i < record->count; i++) {
        PyCustomSlot *slot = &record->slots[i];
        _Pycs_InterfaceNode *node = _Pycs_KnownInterface(slot->id);
        for (k = 0; k < record->own_count; k++) {
            if (_Pycs_LOAD(PyTypeObject *, &record->owner) == type
                    && record->own[k].id == slot->id) node = NULL;
        }
        if (node == NULL) continue;
        slot->data.pointer = (void *)(uintptr_t)_Pycs_LookingInPython(node, slot->data.pointer);
    }
}

/* --------------------------------------------------------------- attributes that are set -- */

/* Gives extensibletype a __setattr__ and a __delattr__, once; CPython updates the slots of all
   metaclasses that derive from it.  Not under the lock.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_WatchAttributes(_Pycs_API *api)
{
    PyTypeObject *metaclass = api->metaclass;
    int i, status = 0;

    if (_Pycs_LOAD(uintptr_t, &api->state->watches)) return 0;
    for (i = 0; i < 2 && status == 0; i++) {
        PyMethodDef *def = &api->state->setters[i];
        PyObject *method = PyDescr_NewMethod(metaclass, def);
        PyObject *name = method != NULL ? PyUnicode_InternFromString(def->ml_name) : NULL;
        status = -1;
        if (name != NULL) do {
            PyErr_Clear();
            metaclass->tp_flags &= ~(unsigned long)Py_TPFLAGS_IMMUTABLETYPE;
            status = PyType_Type.tp_setattro((PyObject *)metaclass, name, method);
            metaclass->tp_flags |= (unsigned long)Py_TPFLAGS_IMMUTABLETYPE;
        } while (status < 0 && PyErr_ExceptionMatches(PyExc_TypeError));    /* another thread made it immutable */
        Py_XDECREF(name);
        Py_XDECREF(method);
    }
    if (status == 0) _Pycs_STORE(uintptr_t, &api->state->watches, 1);
    return status;
}
