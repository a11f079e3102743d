/* SPDX-License-Identifier: MIT
 *
 * runtime/statics.c - static types.
 */
#include "runtime/arguments.h"
#include "runtime/prototypes.h"
#include "runtime/finish.h"

/* What a static type is to become.  ClearPlan() releases all of it. */
typedef struct {
    _Pycs_Birth birth;
    PyTypeObject *base;               /* borrowed: its tp_base */
    PyObject     *bases;              /* counted */
    _Pycs_Record *record;             /* its table; counted, NULL: none, or unknown */
    uintptr_t     generation;         /* when it was merged */
} _Pycs_Plan;

#define _Pycs_PLAN_INIT {_Pycs_BIRTH_INIT, NULL, NULL, NULL, 0}

static void
_Pycs_ClearPlan(_Pycs_Plan *plan)
{
    _Pycs_BirthEnd(&plan->birth);
    _Pycs_RecordDecref(plan->record);
    Py_CLEAR(plan->bases);
}

/* Begins the plan: `base` NULL stands for `object`, and `bases` NULL for `base` alone.  0, or -1
   with a MemoryError. */
static int
_Pycs_PlanBases(_Pycs_Plan *plan, PyTypeObject *base, PyObject *bases)
{
    plan->base = base != NULL ? base : &PyBaseObject_Type;
    plan->bases = bases != NULL ? Py_NewRef(bases) : PyTuple_Pack(1, (PyObject *)plan->base);
    return plan->bases != NULL ? 0 : -1;
}

/* Prepares what the type inherits, once its metaclass is known.  0, or -1 with an exception. */
static int
_Pycs_PlanInheritance(_Pycs_API *api, _Pycs_Plan *plan)
{
    if (_Pycs_AdoptNames(api, plan->birth.metaclass) < 0) return -1;
    if (_Pycs_FinishAll(api, plan->bases) < 0) return -1;
    return _Pycs_BirthInherit(api, &plan->birth, plan->bases);
}

_Pycs_PRIVATE PyTypeObject *
_Pycs_new_static(_Pycs_API *api, PyTypeObject *tmpl,
                 PyTypeObject *metaclass, PyTypeObject *base, PyObject *bases)
{
    PyTypeObject *type = NULL;
    _Pycs_Plan plan = _Pycs_PLAN_INIT;

    if (_Pycs_CheckUnready("new_static", tmpl) < 0
            || _Pycs_CheckMetaclass(api, "new_static", metaclass) < 0
            || _Pycs_CheckBases("new_static", tmpl->tp_name, base, bases) < 0) return NULL;
    plan.birth.metaclass = metaclass;
    if (metaclass != api->metaclass || base != NULL || bases != NULL) {
        if (_Pycs_PlanBases(&plan, base, bases) < 0) return NULL;
        if (_Pycs_PlanInheritance(api, &plan) < 0) goto done;
    }
    /* Memory of ours is never freed, because a static type lives as long as the process. */
    if (!(type = (PyTypeObject *)_Pycs_NewBlock((size_t)metaclass->tp_basicsize))) goto done;
    memcpy((void *)type, (void *)tmpl, sizeof(PyTypeObject));
    Py_INCREF((PyObject *)metaclass);
    Py_SET_TYPE((PyObject *)type, metaclass);
    ((PyVarObject *)type)->ob_size = _Pycs_STATIC_MARK;
    _Pycs_Lock(api);
    _Pycs_BirthFill(api, &plan.birth, type, 0);
    _Pycs_Unlock(api);
done:
    _Pycs_ClearPlan(&plan);
    return type;
}

/* The metaclass itself or one of its bases, if it adds C fields that none of the classes in `bases`
   has; NULL if there is none. */
static const PyTypeObject *
_Pycs_BringsFields(_Pycs_API *api, PyTypeObject *metaclass, PyObject *bases)
{
    const _Pycs_FieldEntry *field;
    Py_ssize_t i;
    _Pycs_EACH_FIELD(field, api, metaclass) {
        int inherited = 0;
        for (i = 0; i < PyTuple_GET_SIZE(bases) && !inherited; i++) {
            inherited = _Pycs_HasBytesOf((PyTypeObject *)PyTuple_GET_ITEM(bases, i), field->list);
        }
        if (!inherited) return field->list->metaclass;
    }
    return NULL;
}

/* Says to the author of a type that brings C fields that its instances need a member of their own.
   Its methods read the fields without a check, and `P.__bases__ = (Provider,)` of a plain class P is
   between CPython and P's metaclass, `type`: no code of this package runs.  CPython refuses if the solid base
   of the provider, the last type along tp_base whose instances are longer than its base's, is not
   the solid base of P.  (Other differences, of tp_dealloc or tp_free, make it refuse (Provider,),
   but not (Base, Provider).)  0, or -1 with a ValueError. */
_Pycs_PRIVATE int
_Pycs_CheckInstances(_Pycs_API *api, const char *function,
                     PyTypeObject *type, PyTypeObject *metaclass,
                     PyTypeObject *base, PyObject *bases)
{
    const PyTypeObject *lacking;
    if (!(type->tp_flags & Py_TPFLAGS_BASETYPE) || type->tp_basicsize > base->tp_basicsize
            || !(lacking = _Pycs_BringsFields(api, metaclass, bases))) return 0;
    return _Pycs_Deny(PyExc_ValueError, "%s(%.200s): its metaclass '%.200s' has C fields, but its instances have the "
                      "layout of its base '%.200s', so that CPython would let classes without those fields take it as "
                      "a base by __bases__ assignment; add a pointer to the struct of its instances", function,
                      type->tp_name, lacking->tp_name, base->tp_name);
}

/* Finds out which metaclass it gets, and prepares what it inherits.  0, or -1 with an exception. */
static int
_Pycs_PlanClass(_Pycs_API *api, const char *function, PyTypeObject *type, _Pycs_Plan *plan)
{
    PyTypeObject *preset = Py_TYPE(type) != &PyType_Type ? Py_TYPE(type) : NULL, *metaclass;
    /* Only the author of the type knows how large it is, and says so by setting ob_type. */
    const Py_ssize_t size = preset != NULL ? preset->tp_basicsize : (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject);

    if (_Pycs_PlanBases(plan, type->tp_base, type->tp_bases) < 0) return -1;
    if (!(metaclass = _Pycs_calculate_metaclass(api, preset, NULL, plan->bases))) return -1;
    if (metaclass->tp_basicsize > size) {
        PyErr_Format(PyExc_TypeError,
                     "%s(%.200s): its bases have metaclass '%.200s', whose C fields make a type object %zd bytes "
                     "long, but this one, for metaclass '%.200s', has %zd; declare it as the metaclass's struct and "
                     "set its ob_type to that metaclass, or ask static_block() for such a one", function,
                     type->tp_name, metaclass->tp_name, metaclass->tp_basicsize,
                     preset != NULL ? preset->tp_name : api->metaclass->tp_name, size);
        return -1;
    }
    if (_Pycs_CheckInstances(api, function, type, metaclass, plan->base, plan->bases) < 0) return -1;
    plan->birth.metaclass = metaclass;
    return _Pycs_PlanInheritance(api, plan);
}

/* Merges its table; before PyType_Ready(), so that a table that does not fit changes nothing.  0, or
   -1 with an exception. */
static int
_Pycs_PlanTable(_Pycs_API *api, PyTypeObject *type,
                const PyCustomSlot *own, Py_ssize_t count, Py_ssize_t room,
                _Pycs_Plan *plan)
{
    int merged;

    _Pycs_Lock(api);
    plan->generation = _Pycs_LOAD(uintptr_t, &api->state->generation);
    merged = _Pycs_MergeRecord(type, own, count, plan->birth.mro, &plan->record);
    _Pycs_Unlock(api);
    if (merged < 0) {
        PyErr_NoMemory();
        return -1;
    }
    if (plan->record != NULL && own != NULL && plan->record->count > room) {
        return _Pycs_Deny(PyExc_ValueError, "PyExtensibleType_Ready(%.200s): with the inherited slots the table has "
                          "%zd entries, but there is room for %zd; give etp_custom_slots at least %zd entries "
                          "(PyCustomSlots_EMPTY behind its own slots) and pass that number", type->tp_name,
                          plan->record->count, room, plan->record->count);
    }
    return 0;
}

/* Makes the type extensible, as yet unfinished, and readies it.  0, or -1 with an exception and
   the type as it was. */
static int
_Pycs_ReadyAsPlanned(_Pycs_API *api, PyHeapExtensibleTypeObject *t, _Pycs_Plan *plan)
{
    PyTypeObject *type = (PyTypeObject *)t, *preset = Py_TYPE(type);
    const PyHeapExtensibleTypeObject before = *t;

    Py_SET_TYPE((PyObject *)type, plan->birth.metaclass);
    ((PyVarObject *)type)->ob_size = _Pycs_STATIC_MARK;
    t->etp_custom_slot_count = 0;
    t->etp_private = NULL;
    t->etp_extension = NULL;
    _Pycs_Lock(api);
    _Pycs_BirthFill(api, &plan->birth, type, 1);
    _Pycs_Unlock(api);
    if (PyType_Ready(type) == 0) {
        Py_INCREF((PyObject *)plan->birth.metaclass);
        return 0;
    }
    _Pycs_Lock(api);
    plan->birth.sidecar = _Pycs_TakeSidecar(api, type);
    _Pycs_Unlock(api);
    /* PyType_Ready() does not undo its own work; ours is undone.  Only an ob_type of
       NULL does not come back: the collector may reach the type already, through
       the tp_mro that PyType_Ready() left behind. */
    if (preset != NULL) Py_SET_TYPE((PyObject *)type, preset);
    else Py_INCREF((PyObject *)plan->birth.metaclass);      /* the type outlives this interpreter */
    ((PyVarObject *)type)->ob_size = ((const PyVarObject *)&before)->ob_size;
    memcpy(&t->etp_heaptype + 1, &before.etp_heaptype + 1, sizeof(before) - sizeof(before.etp_heaptype));
    return -1;
}

/* Finishes a type that is ready.  Nothing is undone, because others may know it by now.  1, or 0
   if the planned table was no longer the right one: another thread changed tables, or finished
   the type without its slots, or the metaclass's mro() gives another order than C3.  -1 with an
   exception. */
static int
_Pycs_FinishAsPlanned(_Pycs_API *api, PyTypeObject *type, _Pycs_Plan *plan)
{
    _Pycs_Value *late = NULL;
    /* The MRO stays: CPython readies no static type with a base on the heap, and others keep their bases. */
    PyObject *mro = _Pycs_FetchMro(api, type);
    const int same = _Pycs_IsMroOver(type, mro, plan->birth.mro);
    int copied = 0, as_planned = 0;

    _Pycs_Lock(api);
    if (_Pycs_IsUnfinished(type)) {
        copied = _Pycs_FinishFields(api, type, mro, !same, &late);
        as_planned = same && api->state->refreshes == NULL
                     && plan->generation == _Pycs_LOAD(uintptr_t, &api->state->generation);
        _Pycs_SetRecord(api, type, _Pycs_RecordIncref(plan->record));
    }
    _Pycs_Unlock(api);
    _Pycs_FreeValues(&late);
    Py_DECREF(mro);
    return copied < 0 ? -1 : as_planned;
}

/* Readies a static type that has memory for our words, with these slots of its own; its author
   has an array for `room` of them.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_ReadyWith(_Pycs_API *api, const char *function, PyTypeObject *type,
                const PyCustomSlot *own, Py_ssize_t count, Py_ssize_t room)
{
    _Pycs_Plan plan = _Pycs_PLAN_INIT;
    int as_planned, status = -1;

    if (_Pycs_CheckUnready(function, type) < 0
            || _Pycs_CheckBases(function, type->tp_name, type->tp_base, type->tp_bases) < 0
            || _Pycs_CheckOwn(type->tp_name, own, count) < 0) return -1;
    if (room < count) {
        return _Pycs_Deny(PyExc_ValueError, "PyExtensibleType_Ready(%.200s): the table is said to have room for %zd "
                          "slots, but etp_custom_slot_count is %zd", type->tp_name, room, count);
    }
    if (_Pycs_PlanClass(api, function, type, &plan) < 0
            || _Pycs_PlanTable(api, type, own, count, room, &plan) < 0
            || _Pycs_ReadyAsPlanned(api, (PyHeapExtensibleTypeObject *)type, &plan) < 0
            || (as_planned = _Pycs_FinishAsPlanned(api, type, &plan)) < 0
            || (!as_planned && _Pycs_set_slots(
                api, type, count > 0 ? plan.record->own : NULL, count) < 0)) goto done;
    status = 0;
done:
    _Pycs_ClearPlan(&plan);
    return status;
}

_Pycs_PRIVATE int
_Pycs_ready(_Pycs_API *api, PyHeapExtensibleTypeObject *t, Py_ssize_t slot_table_size)
{
    PyTypeObject *type = (PyTypeObject *)t;
    const _Pycs_API *owner;
    PyCustomSlot *array;
    Py_ssize_t count;

    if (_Pycs_CheckNamed("PyExtensibleType_Ready", type) < 0) return -1;
    if (_Pycs_HasTable(type)) {
        /* A module that is imported again, in another interpreter perhaps, has filled in count and array
           again: readers get back the table. */
        _Pycs_Lock(api);
        _Pycs_SetRecord(api, type, _Pycs_RecordOf(type));
        _Pycs_Unlock(api);
        owner = _Pycs_APIOf(Py_TYPE(type));
        return owner == api ? 0 : _Pycs_RefuseForeign(owner, PyExc_ImportError, "the static type", type);
    }
    array = t->etp_custom_slots;
    if (_Pycs_ReadyWith(api, "PyExtensibleType_Ready", type, array, t->etp_custom_slot_count, slot_table_size) < 0) {
        return -1;
    }
    /* The array of the type's author gets the table that was published. */
    count = PyCustomSlots_CountType(type);
    if (array != NULL && count <= slot_table_size) {
        memcpy(array, PyCustomSlots_TableType(type), sizeof(*array) * (size_t)count);
    }
    return 0;
}
