/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/provide.h - giving types their metaclass, slots and fields.
 * Included by extensibletype.h; not for direct use.
 *
 * These run in the module that created the metaclass; extensibletype.h documents the
 * functions through which everybody calls them.
 */
#ifndef Py_EXTENSIBLETYPE_PROVIDE_H
#define Py_EXTENSIBLETYPE_PROVIDE_H

/* -------------------------------------------------------------- the metaclass -- */

_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_calculate_metaclass(_PyExtensibleType_API *api, PyTypeObject *wanted,
                                      PyTypeObject *base, PyObject *bases)
{
    PyTypeObject *winner = wanted != NULL ? wanted : api->metaclass;
    Py_ssize_t i, n = bases != NULL ? PyTuple_GET_SIZE(bases) : base != NULL;

    if (_PyExtensibleType_APIOf(winner) != api) {
        PyErr_Format(PyExc_TypeError,
                     "metaclass '%.200s' does not derive from %.200s; declare it as "
                     "'cdef class %.200s(extensibletype)'",
                     winner->tp_name, api->metaclass->tp_name, winner->tp_name);
        return NULL;
    }
    for (i = 0; i < n; i++) {
        PyObject *b = bases != NULL ? PyTuple_GET_ITEM(bases, i) : (PyObject *)base;
        PyTypeObject *other = Py_TYPE(b);
        if (other == winner || PyType_IsSubtype(winner, other)) continue;
        if (!PyType_IsSubtype(other, winner)) {
            PyErr_Format(PyExc_TypeError,
                         "metaclass conflict: '%.200s' is wanted, but base '%.200s' has "
                         "metaclass '%.200s', and neither derives from the other; use a "
                         "metaclass that derives from both",
                         winner->tp_name,
                         PyType_Check(b) ? ((PyTypeObject *)b)->tp_name : "?",
                         other->tp_name);
            return NULL;
        }
        winner = other;
    }
    return _PyExtensibleType_Adopt(api, winner) < 0 ? NULL : winner;
}

/* A metaclass made by a class statement or from a spec has its __module__ as a string
   in its dict.  Before a static class gets such a metaclass, the string moves to
   api->adopted_modules and the descriptor of extensibletype takes its place, see
   _PyExtensibleType_get_module().  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_AdoptNames(_PyExtensibleType_API *api, PyTypeObject *metaclass)
{
    PyObject *descriptor = PyDict_GetItemWithError(api->metaclass->tp_dict, api->name_module);
    if (descriptor == NULL) return -1;
    for (; metaclass != api->metaclass; metaclass = metaclass->tp_base) {
        PyObject *held;
        if (!(metaclass->tp_flags & Py_TPFLAGS_HEAPTYPE)) continue;
        held = PyDict_GetItemWithError(metaclass->tp_dict, api->name_module);
        if (held == NULL && PyErr_Occurred()) return -1;
        if (held == NULL || held == descriptor) continue;
        if (PyDict_SetItem(api->adopted_modules, (PyObject *)metaclass, held) < 0
                || PyDict_SetItem(metaclass->tp_dict, api->name_module, descriptor) < 0) {
            return -1;
        }
        PyType_Modified(metaclass);
    }
    return 0;
}

/* Static type objects belong to the process, but metaclasses to an interpreter. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CheckInterpreter(const char *name)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return 0;
    PyErr_Format(PyExc_ImportError,
                 "static extensible type '%.200s' cannot live in a sub-interpreter; "
                 "import its module in the main interpreter only, or make it a heap "
                 "type", name);
    return -1;
}

/* ---------------------------------------------------------------- publishing -- */

_PyCustomSlots_UNUSED static int
_PyExtensibleType_set_slots(_PyExtensibleType_API *api, PyTypeObject *type,
                            const PyCustomSlot *own, Py_ssize_t count)
{
    _PyExtensibleType_Refresh refresh = _PyExtensibleType_REFRESH_INIT;
    PyObject *mro = _PyExtensibleType_FetchMro(api, type);
    const int is_ready = mro != NULL;

    Py_XDECREF(mro);
    if (_PyExtensibleType_APIOf(Py_TYPE(type)) != api || !_PyCustomSlots_HasMemory(type)
            || !is_ready) {
        PyErr_Format(PyExc_TypeError,
                     "slots cannot be given to '%.200s': found a type with metaclass "
                     "'%.200s'%s, expected a finished type whose metaclass derives from "
                     "%.200s", type->tp_name, Py_TYPE(type)->tp_name,
                     !is_ready ? " that is not ready"
                     : _PyCustomSlots_HasMemory(type) ? ""
                     : " that is static and was made without this library",
                     api->metaclass->tp_name);
        return -1;
    }
    if (_PyExtensibleType_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if (_PyExtensibleType_RefreshPrepare(api, type, own, count, 0, &refresh) < 0) return -1;
    return _PyExtensibleType_RefreshCommit(api, &refresh, 1);
}

/* A provider that inherits from nobody holds the defaults, the values of its metaclass's first
   provider; which may have got them later, as Cython's classes get their objects.  0, or -1
   with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_FollowDefaults(_PyExtensibleType_API *api, PyTypeObject *type)
{
    _PyExtensibleType_FieldIter iter = _PyExtensibleType_FieldsOf(api, Py_TYPE(type));
    _PyExtensibleType_FieldEntry *field;
    PyObject *tuple = _PyExtensibleType_FetchMro(api, type);
    _PyExtensibleType_Mro mro = _PyExtensibleType_MRO_INIT;
    int status = 0;

    if (tuple != NULL) mro = _PyExtensibleType_MroOfTuple(type, tuple);
    while (status == 0 && tuple != NULL && (field = _PyExtensibleType_NextField(&iter))) {
        const PyTypeObject *provider = field->layer->provider;
        int differs;
        if (provider == NULL || provider == type) continue;
        _PyExtensibleType_Lock(api);
        differs = _PyExtensibleType_InheritsField(api, type, field)
                  && _PyExtensibleType_SourceOfField(api, &mro, field) == NULL
                  && (_PyExtensibleType_IsHooked(field)
                      || memcmp(_PyExtensibleType_FieldAt(type, field),
                                _PyExtensibleType_DefaultOf(field),
                                (size_t)field->def.size) != 0);
        _PyExtensibleType_Unlock(api);
        if (differs) status = _PyExtensibleType_ChangeField(api, type, field, NULL, NULL);
    }
    Py_XDECREF(tuple);
    return status;
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_publish(_PyExtensibleType_API *api, PyTypeObject *type,
                          const PyCustomSlot *own, Py_ssize_t count)
{
    if (_PyExtensibleType_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if (_PyExtensibleType_Resolve(api, type) < 0) return -1;
    if (count > 0 && _PyExtensibleType_set_slots(api, type, own, count) < 0) return -1;
    if (_PyExtensibleType_SetDefaults(api, type) < 0) return -1;
    return _PyExtensibleType_FollowDefaults(api, type);
}

/* ---------------------------------------------------------------- static types -- */

/* What a static type is to become.  ClearPlan() lets go of all of it. */
typedef struct {
    PyTypeObject               *metaclass;    /* borrowed */
    PyTypeObject               *base;         /* borrowed: its tp_base */
    PyObject                   *bases;        /* counted */
    _PyExtensibleType_Mro       mro;
    int                         known;        /* the MRO is; else nothing is inherited */
    int                         own_mro;      /* but the metaclass has its own mro() */
    uintptr_t                   generation;   /* when it was merged */
    _PyExtensibleType_Record   *record;
    _PyExtensibleType_FieldWork work;         /* copies of values with hooks */
    _PyExtensibleType_Filled   *filled;       /* to be inserted */
} _PyExtensibleType_Plan;

#define _PyExtensibleType_PLAN_INIT \
    {NULL, NULL, NULL, _PyExtensibleType_MRO_INIT, 0, 0, 0, NULL, \
     _PyExtensibleType_FIELD_WORK_INIT, NULL}

_PyCustomSlots_UNUSED static void
_PyExtensibleType_ClearPlan(_PyExtensibleType_Plan *plan)
{
    _PyExtensibleType_EndFieldWork(&plan->work);
    PyMem_RawFree(plan->filled);
    _PyExtensibleType_RecordDecref(plan->record);
    _PyExtensibleType_MroClear(&plan->mro);
    Py_CLEAR(plan->bases);
}

/* Begins it: `base` may be NULL, for `object`, and `bases`, for that alone.  0, or -1 with a
   MemoryError. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_PlanBases(_PyExtensibleType_Plan *plan, PyTypeObject *base, PyObject *bases)
{
    plan->base = base != NULL ? base : &PyBaseObject_Type;
    if (bases != NULL) Py_INCREF(bases);
    else if (!(bases = PyTuple_Pack(1, (PyObject *)plan->base))) return -1;
    plan->bases = bases;
    return 0;
}

/* Makes ready what it inherits from, once its metaclass is known.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_PlanInheritance(_PyExtensibleType_API *api, _PyExtensibleType_Plan *plan)
{
    if (_PyExtensibleType_AdoptNames(api, plan->metaclass) < 0) return -1;
    if (_PyExtensibleType_ResolveAll(api, plan->bases) < 0) return -1;
    if (_PyExtensibleType_ShareAmong(api, plan->bases) < 0) return -1;
    if (_PyExtensibleType_NewFilled(api, plan->metaclass, &plan->filled) < 0) return -1;
    plan->known = _PyExtensibleType_MroOfBases(api, plan->bases, &plan->mro);
    return plan->known < 0 ? -1 : 0;
}

/* Copies of the values with hooks that it inherits.  Under the lock.  -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_PlanCopies(_PyExtensibleType_API *api, _PyExtensibleType_Plan *plan)
{
    return _PyExtensibleType_CopyInherited(api, plan->metaclass, plan->metaclass,
                                           plan->known ? &plan->mro : NULL, &plan->work);
}

_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_new_static(_PyExtensibleType_API *api, PyTypeObject *tmpl,
                             PyTypeObject *metaclass, PyTypeObject *base, PyObject *bases,
                             void *memory)
{
    PyTypeObject *type = NULL;
    PyHeapExtensibleTypeObject *t;
    _PyExtensibleType_Plan plan = _PyExtensibleType_PLAN_INIT;
    _PyExtensibleType_Filled *former;
    int copied;

    plan.metaclass = metaclass;
    if (_PyExtensibleType_PlanBases(&plan, base, bases) < 0) return NULL;
    if (_PyExtensibleType_CheckInterpreter(tmpl->tp_name) < 0) goto done;
    if (_PyExtensibleType_PlanInheritance(api, &plan) < 0) goto done;
    _PyExtensibleType_Lock(api);
    copied = _PyExtensibleType_PlanCopies(api, &plan);
    _PyExtensibleType_Unlock(api);
    if (copied < 0) goto done;
    /* Never freed: a static type is for the life of the process. */
    if (memory != NULL) type = (PyTypeObject *)memset(memory, 0, (size_t)metaclass->tp_basicsize);
    else type = (PyTypeObject *)PyMem_RawCalloc(1, (size_t)metaclass->tp_basicsize);
    if (type == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    memcpy((void *)type, (void *)tmpl, sizeof(PyTypeObject));
    Py_INCREF((PyObject *)metaclass);
    Py_SET_TYPE((PyObject *)type, metaclass);
    ((PyVarObject *)type)->ob_size = _PyCustomSlots_STATIC_MARK;
    _PyExtensibleType_Lock(api);
    _PyExtensibleType_FillFields(api, type, metaclass, plan.known ? &plan.mro : NULL, 0,
                                 &plan.work);
    former = _PyExtensibleType_TakeFilled(api, type);      /* was not readied, and is made anew */
    (void)_PyExtensibleType_InsertFilled(api, type, plan.filled);
    plan.filled = former;
    _PyExtensibleType_Unlock(api);
    t = (PyHeapExtensibleTypeObject *)type;
    t->etp_custom_slots = _PyExtensibleType_empty;
    t->etp_check = (uintptr_t)type ^ _PyCustomSlots_UNRESOLVED;
done:
    _PyExtensibleType_ClearPlan(&plan);
    return type;
}

/* A metaclass with C fields needs a type object that has room for them; how large a
   static one is, only its author knows, who says so by setting ob_type. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CheckRoom(PyTypeObject *type, PyTypeObject *preset, PyTypeObject *metaclass)
{
    if (metaclass == preset
            || metaclass->tp_basicsize == (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError,
                 "PyExtensibleType_Ready(%.200s): its bases have metaclass '%.200s', "
                 "whose C fields make a type object %zd bytes long, but "
                 "PyHeapExtensibleTypeObject has %zd; declare the type object as the "
                 "metaclass's struct and set its ob_type to that metaclass",
                 type->tp_name, metaclass->tp_name, metaclass->tp_basicsize,
                 (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject));
    return -1;
}

/* Shows the author of a static type the table that was published. */
_PyCustomSlots_UNUSED static void
_PyExtensibleType_PatchArray(PyTypeObject *type, PyCustomSlot *array, Py_ssize_t size)
{
    const Py_ssize_t count = PyCustomSlots_CountType(type);
    const PyCustomSlot *slots = PyCustomSlots_TableType(type);
    Py_ssize_t i;
    for (i = 0; array != NULL && i < count && count <= size; i++) array[i] = slots[i];
}

/* Says to the author of a type with C fields that its instances need a member of their own
   (instances.h).  0, or -1 with a ValueError. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CheckInstances(_PyExtensibleType_API *api, const char *function,
                                 PyTypeObject *type, PyTypeObject *metaclass,
                                 PyTypeObject *base, PyObject *bases)
{
    const PyTypeObject *lacking;
    if (!(type->tp_flags & Py_TPFLAGS_BASETYPE) || type->tp_basicsize > base->tp_basicsize
            || !(lacking = _PyExtensibleType_BringsFields(api, metaclass, bases))) return 0;
    PyErr_Format(PyExc_ValueError,
                 "%s(%.200s): its metaclass '%.200s' has C fields, but its "
                 "instances have the layout of its base '%.200s', so that CPython would "
                 "let classes without those fields take it as a base by __bases__ "
                 "assignment; add a pointer to the struct of its instances",
                 function, type->tp_name, lacking->tp_name, base->tp_name);
    return -1;
}

/* 0, or -1 with a ValueError: is this a static type with its own slots, as its author left it? */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_CheckUnready(PyTypeObject *type, const PyCustomSlot *array, Py_ssize_t count,
                               Py_ssize_t slot_table_size)
{
    if (type->tp_flags & (Py_TPFLAGS_READY | Py_TPFLAGS_HEAPTYPE)) {
        PyErr_Format(PyExc_ValueError,
                     "PyExtensibleType_Ready(%.200s): found a type that is %s, expected a "
                     "static type object that PyType_Ready() has not seen",
                     type->tp_name, type->tp_flags & Py_TPFLAGS_HEAPTYPE
                                    ? "on the heap" : "ready already");
        return -1;
    }
    if (_PyExtensibleType_CheckOwn(type->tp_name, array, count) < 0) return -1;
    if (slot_table_size < count) {
        PyErr_Format(PyExc_ValueError,
                     "PyExtensibleType_Ready(%.200s): the table is said to have room for "
                     "%zd slots, but etp_custom_slot_count is %zd", type->tp_name,
                     slot_table_size, count);
        return -1;
    }
    return 0;
}

/* Finds out whose class it is.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_PlanClass(_PyExtensibleType_API *api, PyTypeObject *type,
                            _PyExtensibleType_Plan *plan)
{
    PyTypeObject *preset = Py_TYPE(type);
    if (_PyExtensibleType_PlanBases(plan, type->tp_base, type->tp_bases) < 0) return -1;
    plan->metaclass = _PyExtensibleType_calculate_metaclass(
        api, preset == &PyType_Type ? NULL : preset, NULL, plan->bases);
    if (plan->metaclass == NULL) return -1;
    if (_PyExtensibleType_CheckRoom(type, preset, plan->metaclass) < 0) return -1;
    if (_PyExtensibleType_CheckInstances(api, "PyExtensibleType_Ready", type, plan->metaclass,
                                         plan->base, plan->bases) < 0) return -1;
    if (_PyExtensibleType_PlanInheritance(api, plan) < 0) return -1;
    plan->own_mro = _PyExtensibleType_HasOwnMro(api, plan->metaclass);
    return 0;
}

/* Merges its table and copies what it inherits; before PyType_Ready(), so that a table that
   does not fit changes nothing.  0, or -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_PlanTable(_PyExtensibleType_API *api, PyHeapExtensibleTypeObject *t,
                            Py_ssize_t slot_table_size, _PyExtensibleType_Plan *plan)
{
    PyTypeObject *type = (PyTypeObject *)t;
    int merged, copied = 0;

    _PyExtensibleType_Lock(api);
    plan->generation = _PyCustomSlots_LOAD(uintptr_t, &api->generation);
    merged = _PyExtensibleType_MergeRecord(type, t->etp_custom_slots, t->etp_custom_slot_count,
                                           plan->base, &plan->mro, &plan->record);
    if (merged == 0) copied = _PyExtensibleType_PlanCopies(api, plan);
    _PyExtensibleType_Unlock(api);
    if (merged < 0) PyErr_NoMemory();
    if (merged < 0 || copied < 0) return -1;
    if (plan->record != NULL && t->etp_custom_slots != NULL
            && plan->record->count > slot_table_size) {
        PyErr_Format(PyExc_ValueError,
                     "PyExtensibleType_Ready(%.200s): with the inherited slots the table "
                     "has %zd entries, but there is room for %zd; give etp_custom_slots "
                     "at least %zd entries (PyCustomSlots_EMPTY behind its own slots) and "
                     "pass that number", type->tp_name, plan->record->count, slot_table_size,
                     plan->record->count);
        return -1;
    }
    return 0;
}

/* Makes it a class of ours, unfinished, and readies it.  0, or -1 with an exception and the
   type as it was. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_ReadyAsPlanned(_PyExtensibleType_API *api, PyHeapExtensibleTypeObject *t,
                                 _PyExtensibleType_Plan *plan)
{
    PyTypeObject *type = (PyTypeObject *)t, *preset = Py_TYPE(type);
    const PyHeapExtensibleTypeObject before = *t;

    Py_SET_TYPE((PyObject *)type, plan->metaclass);
    ((PyVarObject *)type)->ob_size = _PyCustomSlots_STATIC_MARK;
    t->etp_custom_slots = _PyExtensibleType_empty;
    t->etp_custom_slot_count = 0;
    t->etp_private = NULL;
    t->etp_check = (uintptr_t)type ^ _PyCustomSlots_UNRESOLVED;
    _PyExtensibleType_Lock(api);
    (void)_PyExtensibleType_InsertFilled(api, type, plan->filled);
    plan->filled = NULL;
    _PyExtensibleType_FillFields(api, type, plan->metaclass, plan->known ? &plan->mro : NULL, 1,
                                 &plan->work);
    _PyExtensibleType_Unlock(api);
    if (PyType_Ready(type) == 0) {
        Py_INCREF((PyObject *)plan->metaclass);
        return 0;
    }
    _PyExtensibleType_Lock(api);
    plan->filled = _PyExtensibleType_TakeFilled(api, type);
    _PyExtensibleType_Unlock(api);
    /* PyType_Ready() does not undo its own work; ours is undone.  Only an ob_type of
       NULL does not come back: the collector may reach the type already, through
       the tp_mro that PyType_Ready() left behind. */
    if (preset != NULL) Py_SET_TYPE((PyObject *)type, preset);
    ((PyVarObject *)type)->ob_size = ((const PyVarObject *)&before)->ob_size;
    t->etp_custom_slot_count = before.etp_custom_slot_count;
    t->etp_custom_slots = before.etp_custom_slots;
    t->etp_check = before.etp_check;
    t->etp_private = before.etp_private;
    return -1;
}

/* Finishes a type that is ready; nothing goes back, because others may know it by now.  1, or 0
   if the planned table was not the right one any more: another thread changed tables, or
   finished the type without its slots, or the metaclass's mro() has another order than C3.
   -1 with an exception. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_FinishAsPlanned(_PyExtensibleType_API *api, PyTypeObject *type,
                                  _PyExtensibleType_Plan *plan)
{
    _PyExtensibleType_FieldWork late = _PyExtensibleType_FIELD_WORK_INIT;
    _PyExtensibleType_Filled *filled;
    PyObject *tuple = NULL;
    int copied = 0, as_planned;

    for (;;) {
        const uintptr_t now = _PyCustomSlots_LOAD(uintptr_t, &api->generation);
        Py_XSETREF(tuple, _PyExtensibleType_FetchMro(api, type));
        _PyExtensibleType_Lock(api);
        if (now == _PyCustomSlots_LOAD(uintptr_t, &api->generation)) break;
        _PyExtensibleType_Unlock(api);
    }
    filled = _PyExtensibleType_FilledOf(api, type);
    if (tuple != NULL && _PyExtensibleType_IsUnresolved(type)
            && (plan->own_mro || _PyExtensibleType_IsOutdated(api, filled))) {
        const _PyExtensibleType_Mro now = _PyExtensibleType_MroOfTuple(type, tuple);
        copied = _PyExtensibleType_CorrectFields(api, type, &now, &late);
    }
    _PyExtensibleType_FinishFilled(api, filled);
    as_planned = !plan->own_mro && _PyExtensibleType_IsUnresolved(type) && api->refreshes == NULL
                 && plan->generation == _PyCustomSlots_LOAD(uintptr_t, &api->generation);
    if (_PyExtensibleType_IsUnresolved(type)) {
        _PyExtensibleType_SetRecord(type, _PyExtensibleType_RecordIncref(plan->record));
    }
    _PyExtensibleType_Unlock(api);
    _PyExtensibleType_EndFieldWork(&late);
    Py_XDECREF(tuple);
    return copied < 0 ? -1 : as_planned;
}

_PyCustomSlots_UNUSED static int
_PyExtensibleType_ready(_PyExtensibleType_API *api, PyHeapExtensibleTypeObject *t,
                        Py_ssize_t slot_table_size)
{
    PyTypeObject *type = (PyTypeObject *)t;
    PyCustomSlot *array = t->etp_custom_slots;
    const Py_ssize_t count = t->etp_custom_slot_count;
    _PyExtensibleType_Plan plan = _PyExtensibleType_PLAN_INIT;
    int as_planned, status = -1;

    if (_PyExtensibleType_CheckInterpreter(type->tp_name) < 0) return -1;
    if (_PyExtensibleType_IsReady(type)) return _PyExtensibleType_FollowLayouts(api, type);
    if (_PyExtensibleType_CheckUnready(type, array, count, slot_table_size) < 0) return -1;
    if (_PyExtensibleType_PlanClass(api, type, &plan) < 0) goto done;
    if (_PyExtensibleType_PlanTable(api, t, slot_table_size, &plan) < 0) goto done;
    if (_PyExtensibleType_ReadyAsPlanned(api, t, &plan) < 0) goto done;
    if ((as_planned = _PyExtensibleType_FinishAsPlanned(api, type, &plan)) < 0) goto done;
    if (_PyExtensibleType_SetDefaults(api, type) < 0) goto done;
    if (!as_planned && _PyExtensibleType_set_slots(
            api, type, count > 0 ? plan.record->declared.own : NULL, count) < 0) goto done;
    _PyExtensibleType_PatchArray(type, array, slot_table_size);
    status = _PyExtensibleType_FollowLayouts(api, type);
done:
    _PyExtensibleType_ClearPlan(&plan);
    return status;
}

#endif /* Py_EXTENSIBLETYPE_PROVIDE_H */
