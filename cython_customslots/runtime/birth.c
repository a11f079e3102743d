/* SPDX-License-Identifier: MIT
 *
 * runtime/birth.c - how a class comes into being.
 *
 * A call of a metaclass, and of its tp_alloc and tp_init.  What all classes have in common: finish.h.
 * A class statement may give C fields values:
 *
 *     class Sub(Greet, level=3):          # by keyword, or
 *         level = 3                       # in the body
 *
 * A name that the metaclass declares WRITABLE is the field's, not the class's: its value is
 * converted before anything is made, so that a bad value leaves no class behind; it is in place
 * before __init_subclass__ runs; and it does not stay in the class's dict, where instances would
 * find it.  A keyword is not passed on.
 */
#include "runtime/arguments.h"
#include "runtime/prototypes.h"
#include "runtime/overriding.h"
#include "runtime/finish.h"

static void
_Pycs_FreeHandover(_Pycs_Handover *node)
{
    _Pycs_FreeValues(&node->values);
    _Pycs_XDECREF_ALL((PyObject *)node->taken_by, node->mro, node->carried);
    while (node->made != NULL) {
        _Pycs_Made *made = node->made;
        node->made = made->next;
        PyMem_RawFree(made);
    }
    PyMem_RawFree(node);
}

/* The error for a class statement that gives a value to a read-only field.  Returns -1. */
static int
_Pycs_RefuseReadOnly(const char *class_name, const _Pycs_FieldEntry *field)
{
    return _Pycs_Deny(PyExc_TypeError, "class '%.200s': found a value for field '%s' of metaclass '%.200s', which is "
                      "read-only; C code sets it (a metaclass in Cython declares it public, not readonly, if Python "
                      "may)", class_name, field->def.name, field->list->metaclass->tp_name);
}

static const _Pycs_Value *
_Pycs_FindBodyValue(const _Pycs_Handover *node, PyObject *name)
{
    const _Pycs_Value *value = node != NULL ? node->values : NULL;
    while (value != NULL && value->field->name != name) value = value->next;
    return value;
}

/* The object that a class statement gives a field, borrowed, in *object (NULL: none), and
   whether it came by keyword.  0, or -1 with an exception if the field is given twice, or is
   read-only. */
static int
_Pycs_ReadOne(_Pycs_API *api, const _Pycs_Handover *node,
              const char *class_name, const _Pycs_FieldEntry *field,
              PyObject *kwargs, PyObject **object, int *by_keyword)
{
    PyObject *in_body = PyDict_GetItemWithError(node->ns, field->name), *given = NULL;

    *object = NULL;
    if (in_body == NULL && PyErr_Occurred()) return -1;
    if (kwargs != NULL) {
        given = PyDict_GetItemWithError(kwargs, field->name);
        if (given == NULL && PyErr_Occurred()) return -1;
    }
    if (node->carried != NULL && in_body == NULL && given == NULL) {
        in_body = _Pycs_CarriedValue(api, node->ns, node->carried, field->name);
        if (in_body == NULL && PyErr_Occurred()) return -1;
    }
    if (in_body == NULL && given == NULL) return 0;
    if (!(field->def.flags & PyExtensibleType_WRITABLE)) {
        return _Pycs_RefuseReadOnly(class_name, field);
    }
    if (in_body != NULL && given != NULL) {
        return _Pycs_Deny(PyExc_TypeError, "class '%.200s': field '%s' is given by keyword and in the class body, "
                          "expected one of them", class_name, field->def.name);
    }
    *by_keyword = given != NULL;
    *object = given != NULL ? given : in_body;
    return 0;
}

/* Converts what keywords and body give into node->values.  Keywords that are fields are removed
   from *kwargs, which is replaced by a copy for that.  0, or -1 with an exception; in either
   case the caller owns *kwargs, and FreeHandover() cleans up. */
static int
_Pycs_ReadBody(_Pycs_API *api, _Pycs_Handover *node, PyObject *class_name, PyObject **kwargs)
{
    _Pycs_FieldEntry *field;
    const char *text = PyUnicode_Check(class_name) ? PyUnicode_AsUTF8(class_name) : "?";
    int by_keyword = 0, status;

    if (text == NULL) {
        PyErr_Clear();
        text = "?";
    }
    node->carried = PyDict_GetItemWithError(node->ns, api->state->name_fields);
    if (node->carried == NULL && PyErr_Occurred()) return -1;
    Py_XINCREF(node->carried);
    if (api->state->named == 0) return 0;
    if (*kwargs != NULL) {
        PyObject *copy = PyDict_Copy(*kwargs);
        if (copy == NULL) return -1;
        Py_SETREF(*kwargs, copy);
    }
    _Pycs_EACH_FIELD(field, api, node->metaclass) {
        PyObject *object;
        _Pycs_Value *value;

        if (field->name == NULL || _Pycs_FindBodyValue(node, field->name)) continue;
        if (_Pycs_ReadOne(api, node, text, field, *kwargs, &object, &by_keyword) < 0) return -1;
        if (object == NULL) continue;
        Py_INCREF(object);
        status = by_keyword ? PyDict_DelItem(*kwargs, field->name) : 0;
        value = status == 0 ? _Pycs_Convert(text, field, object) : NULL;
        Py_DECREF(object);
        if (value == NULL) return -1;
        value->next = node->values;
        node->values = value;
    }
    return 0;
}

/* If the exception is the one of object.__init_subclass__ ("takes no keyword arguments"), which
   knows nothing of fields: a text with the names of the fields.  NULL, with or without
   an exception, if it is another one, or there are no fields. */
static PyObject *
_Pycs_KeywordText(_Pycs_API *api, PyTypeObject *metaclass, PyObject *class_name, PyObject *error, PyObject *kwargs)
{
    const _Pycs_FieldEntry *field;
    PyObject *text = PyObject_Str(error), *names = NULL, *comma = NULL;
    PyObject *expected = NULL, *given = NULL, *result = NULL;
    PyObject *ending = kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0 ? NULL : PyUnicode_FromFormat(
        "%U.__init_subclass__() takes no keyword arguments", class_name);

    if (text == NULL || ending == NULL || PyUnicode_Tailmatch(text, ending, 0, PY_SSIZE_T_MAX, 1) <= 0) goto done;
    if (!(names = PyDict_New())) goto done;     /* each once, in their order */
    _Pycs_EACH_FIELD(field, api, metaclass) {
        if ((field->def.flags & PyExtensibleType_WRITABLE)
                && PyDict_SetItem(names, field->name, Py_None) < 0) goto done;
    }
    if (PyDict_GET_SIZE(names) == 0 || !(comma = PyUnicode_FromString(", "))) goto done;
    if (!(given = PyUnicode_Join(comma, kwargs)) || !(expected = PyUnicode_Join(comma, names))) goto done;
    result = PyUnicode_FromFormat(
        "%U.__init_subclass__() accepts only C fields as keyword arguments: found %U, expected %U",
        class_name, given, expected);
done:
    _Pycs_XDECREF_ALL(text, ending, names, comma, given, expected);
    return result;
}

/* If the exception is CPython's about bases whose instances do not go together, which knows nothing
   of the member that providers of C fields have for it (statics.c): its text, completed.  NULL, with or
   without an exception, if it is another one, or there are no fields. */
static PyObject *
_Pycs_ConflictText(_Pycs_API *api, PyTypeObject *metaclass, PyObject *class_name, PyObject *error)
{
    PyObject *text = PyObject_Str(error), *result = NULL;
    const _Pycs_FieldEntry *field = _Pycs_FirstField(api, metaclass);

    if (text != NULL && field != NULL && PyUnicode_CompareWithASCIIString(
            text, "multiple bases have instance lay-out conflict") == 0) {
        result = PyUnicode_FromFormat(
            "%U: found several bases of class '%U' that are the first with the C fields of metaclass "
            "'%s', or have other data in C in their instances; expected bases that derive from one class "
            "with these fields, or none of these but metaclass=cython_customslots.combine(%s, OtherBase)",
            text, class_name, field->list->metaclass->tp_name, field->list->metaclass->tp_name);
    }
    Py_XDECREF(text);
    return result;
}

/* Completes the exception that is set: it says which keywords a class statement can have, and which
   bases.  If that fails, the exception stays as it is. */
static void
_Pycs_ExplainFailure(_Pycs_API *api, PyTypeObject *metaclass, PyObject *class_name, PyObject *kwargs)
{
    PyObject *type, *value, *traceback, *text, *args = NULL;

    if (!PyUnicode_Check(class_name) || !PyErr_ExceptionMatches(PyExc_TypeError)) return;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    text = _Pycs_KeywordText(api, metaclass, class_name, value, kwargs);
    if (text == NULL && !PyErr_Occurred()) {
        text = _Pycs_ConflictText(api, metaclass, class_name, value);
    }
    if (text != NULL) args = PyTuple_Pack(1, text);
    if (args != NULL) (void)PyObject_SetAttrString(value, "args", args);
    Py_XDECREF(args);
    Py_XDECREF(text);
    PyErr_Restore(type, value, traceback);
}

/* Moves the values into a class that was just allocated and filled by birth->mro.  It may be another class than
   the one they are meant for (RetractBody).  Under the lock.  Cannot fail. */
static void
_Pycs_PlaceBody(_Pycs_API *api, _Pycs_Handover *node, PyTypeObject *type, _Pycs_Birth *birth)
{
    Py_INCREF((PyObject *)type);
    node->taken_by = type;
    node->mro = birth->mro;
    birth->mro = NULL;
    _Pycs_PutValues(api, type, node->values, _Pycs_GIVEN);
}

/* Takes back what a class got from a call that was not meant for it: the class inherits those
   fields, unless it was given another value since then.  0, or -1 with an exception. */
static int
_Pycs_RetractBody(_Pycs_API *api, _Pycs_Handover *node)
{
    PyTypeObject *type = node->taken_by;
    const _Pycs_Value *value = node->values;
    node->retracted = 1;
    if (value != NULL && _Pycs_FinishType(api, type) < 0) return -1;
    for (; value != NULL; value = value->next) {
        int meant_for_another;
        _Pycs_Lock(api);
        meant_for_another = *_Pycs_MarkOf(api, type, value->field, NULL) == _Pycs_GIVEN;
        _Pycs_Unlock(api);
        if (meant_for_another && _Pycs_ChangeField(api, type, value->field, NULL) < 0) return -1;
    }
    return 0;
}

/* Makes sure that a class which was just made has the value that its body gives one field,
   and that the name is not left in its dict.  `node`: the call that made it, or NULL.
   `carried`: the values that the namespace carried along, if no node has read them.  0, or -1
   with an exception. */
static int
_Pycs_FinishField(_Pycs_API *api, PyTypeObject *type,
                  _Pycs_FieldEntry *field,
                  const _Pycs_Handover *node, PyObject *carried)
{
    const _Pycs_Value *value = _Pycs_FindBodyValue(node, field->name);
    PyObject *in_body, *object;
    int placed, status = 0;

    in_body = PyDict_GetItemWithError(type->tp_dict, field->name);
    if (in_body == NULL && PyErr_Occurred()) return -1;
    /* The entry may be the descriptor that __slots__ made for a member of the class's instances. */
    if (in_body != NULL && Py_TYPE(in_body) == &PyMemberDescr_Type && PyDescr_TYPE(in_body) == type) in_body = NULL;
    Py_XINCREF(in_body);
    object = in_body != NULL ? in_body : value != NULL ? value->object : NULL;
    if (object == NULL && carried != NULL) {
        object = _Pycs_CarriedValue(api, type->tp_dict, carried, field->name);
        if (object == NULL && PyErr_Occurred()) return -1;
    }
    /* __init_subclass__ may have changed or deleted a value that was in place before it ran: that
       change stays. */
    placed = value != NULL && value->object == object && node->taken_by == type && !node->retracted;
    if (object != NULL && !placed && !_Pycs_IsHidden(api, Py_TYPE(type), field)) {
        status = field->def.flags & PyExtensibleType_WRITABLE ? _Pycs_SetEntry(api, type, field, object)
                                                              : _Pycs_RefuseReadOnly(type->tp_name, field);
    }
    if (status == 0 && in_body != NULL) {
        status = PyDict_DelItem(type->tp_dict, field->name);
        PyType_Modified(type);
    }
    Py_XDECREF(in_body);
    return status;
}

/* Prepares the warning for dataclasses and attrs classes.  They have annotations, so attributes are watched: the
   decorator sets one that lists the members.  A class that attrs makes again, as for members that are slots, has
   that list in its body.  0, or -1 with an exception. */
static int
_Pycs_LookForMembers(_Pycs_API *api, PyTypeObject *type)
{
    const _Pycs_FieldEntry *field = _Pycs_FirstField(api, Py_TYPE(type));
    PyObject *members, *annotations = NULL, *function = NULL;
    int status = 0;

    if (field == NULL) return 0;
    if (_Pycs_LookUp(type->tp_dict, api->state->name_attrs, &members) < 0) return -1;
    if (members != NULL) status = _Pycs_WarnOfMembers(api, type, members);
    Py_XDECREF(members);
    if (status < 0 || _Pycs_LOAD(uintptr_t, &api->state->watches)) return status;
    if (_Pycs_LookUp(type->tp_dict, api->state->name_annotations, &annotations) < 0
            || _Pycs_LookUp(type->tp_dict, api->state->name_annotate, &function) < 0) status = -1;
    else if (function != NULL) status = 1;              /* from 3.14 on this makes them, when asked */
    else if (annotations != NULL && PyDict_Check(annotations)) {
        for (; status == 0 && field != NULL; field = _Pycs_LOAD(_Pycs_FieldEntry *, &field->next)) {
            if (field->name != NULL) status = PyDict_Contains(annotations, field->name);
        }
    }
    Py_XDECREF(annotations);
    Py_XDECREF(function);
    return status > 0 ? _Pycs_WatchAttributes(api) : status;
}

/* The same for all of its fields. */
static int
_Pycs_FinishBody(_Pycs_API *api, PyTypeObject *type, const _Pycs_Handover *node)
{
    _Pycs_FieldEntry *field;
    PyObject *carried = NULL;
    int status = 0;

    if (_Pycs_LOAD(_Pycs_FieldList *, &api->state->field_lists) == NULL || type->tp_dict == NULL) return 0;
    if (node == NULL || node->carried != NULL) {
        carried = PyDict_GetItemWithError(type->tp_dict, api->state->name_fields);
        if (carried == NULL && PyErr_Occurred()) return -1;
        Py_XINCREF(carried);
    }
    if (carried == NULL && api->state->named == 0) return 0;
    _Pycs_EACH_FIELD(field, api, Py_TYPE(type)) {
        if (field->name == NULL || status < 0) continue;
        status = _Pycs_FinishField(api, type, field, node, node == NULL ? carried : NULL);
    }
    if (status == 0) status = _Pycs_LookForMembers(api, type);
    if (status == 0 && carried != NULL) {
        status = _Pycs_ExpectNamed(api, type, carried) < 0 || _Pycs_ExpectOwn(api, type, carried) < 0
                 ? -1 : PyDict_DelItem(type->tp_dict, api->state->name_fields);
        PyType_Modified(type);
    }
    Py_XDECREF(carried);
    return status;
}

/* -------------------------------------------------------------- a call of a metaclass -- */

/* The most derived of `metaclass` and the metaclasses of `bases`; NULL if there is
   none, so that type.__new__ will refuse. Sets no exception. */
static PyTypeObject *
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

_Pycs_PRIVATE PyObject *
_Pycs_alloc(_Pycs_API *api, PyTypeObject *metaclass, Py_ssize_t nitems)
{
    _Pycs_Birth birth = _Pycs_BIRTH_INIT;
    _Pycs_Thread *const here = api != NULL ? api->state->thread() : NULL;
    _Pycs_Handover *node, *call;
    _Pycs_Made *made = NULL;
    PyObject *bases = NULL, *self = NULL;

    if (api == NULL) {
        return PyType_GenericAlloc(metaclass, nitems);      /* not an extensible class */
    }
    if (api->state->interpreter != _Pycs_ThisInterpreter()) {
        (void)_Pycs_RefuseForeign(api, PyExc_TypeError, "the metaclass", metaclass);
        return NULL;
    }
    if (_Pycs_Adopt(api, metaclass) < 0) return NULL;
    birth.metaclass = metaclass;
    /* Everything that can fail or run the collector comes before the allocation:
       the collector would visit a type object that has no flags yet, and abort. */
    node = here->handover;
    if (node != NULL && (node->metaclass != metaclass || node->taken)) node = NULL;
    if (node != NULL) {
        node->taken = 1;
        bases = Py_NewRef(node->bases);
        if (_Pycs_FinishAll(api, bases) < 0) goto done;
    }
    call = here->handover;                      /* again: FinishAll() may have run any code */
    if (call != NULL && call->first_made != NULL && !(made = (_Pycs_Made *)_Pycs_NewBlock(sizeof(*made)))) goto done;
    if (_Pycs_HAS_FIELDS(api, metaclass) && _Pycs_BirthInherit(api, &birth, bases) < 0) goto done;
    if (!(self = PyType_GenericAlloc(metaclass, nitems))) goto done;

    /* A thread that waits for the lock, or drops a reference, lets other threads collect: type_traverse() aborts
       without this flag.  type_new() sets them all. */
    ((PyTypeObject *)self)->tp_flags = Py_TPFLAGS_HEAPTYPE;
    call = here->handover;                      /* again: the collector may have run any code */
    if (call != NULL && call->first_made == NULL) call->first_made = (PyTypeObject *)self;
    else if (call != NULL && made != NULL) {
        made->type = (PyTypeObject *)self;
        made->next = call->made;
        call->made = made;
        made = NULL;
    }
    _Pycs_Lock(api);
    _Pycs_BirthFill(api, &birth, (PyTypeObject *)self, 0);
    /* If greenlets were switched since this call began, `node` may belong to another one, whose call may have ended. */
    for (call = here->handover; call != NULL && call != node; call = call->below) {}
    if (call != NULL) _Pycs_PlaceBody(api, call, (PyTypeObject *)self, &birth);
    _Pycs_Unlock(api);
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
    const _Pycs_Made *made;
    PyObject *bases;
    int status = 0;
    if (_Pycs_FinishType(api, type) < 0) return -1;
    if (node != NULL) {
        /* A metaclass's __new__ may return a class that existed before this call: it keeps what it has. */
        if (node->first_made != type) {
            for (made = node->made; made != NULL && made->type != type; made = made->next) { }
            if (made == NULL) return 0;
        }
        node->finished = 1;
    }
    bases = _Pycs_FetchBases(api, type);
    if (bases != NULL && PyTuple_GET_SIZE(bases) > 1) status = _Pycs_ChooseVtable(api, type);
    Py_XDECREF(bases);
    if (status < 0) return -1;
    if (other != NULL && other != node && !other->retracted && _Pycs_RetractBody(api, other) < 0) return -1;
    return _Pycs_FinishBody(api, type, node);
}

_Pycs_PRIVATE int
_Pycs_init(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    _Pycs_Handover *node = api == NULL || PyTuple_GET_SIZE(args) != 3 || !_Pycs_HAS_FIELDS(api, Py_TYPE(self))
                           ? NULL : api->state->thread()->handover;
    while (node != NULL && node->ns != PyTuple_GET_ITEM(args, 2)) node = node->below;
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    return api != NULL ? _Pycs_FinishClass(api, (PyTypeObject *)self, node) : 0;
}

_Pycs_PRIVATE PyObject *
_Pycs_meta_call(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyTypeObject *metaclass = (PyTypeObject *)self, *winner;
    _Pycs_Thread *here = NULL;
    _Pycs_API *its;
    _Pycs_Handover *node = NULL, **link;
    PyObject *result = NULL;

    Py_XINCREF(kwargs);
    if (api != NULL) {
        if (_Pycs_Adopt(api, metaclass) < 0) goto done;
        if (PyTuple_GET_SIZE(args) == 3 && PyTuple_Check(PyTuple_GET_ITEM(args, 1))
                && (winner = _Pycs_Winner(metaclass, PyTuple_GET_ITEM(args, 1)))
                && _Pycs_HAS_FIELDS(api, winner)) {
            if (!(node = (_Pycs_Handover *)_Pycs_NewBlock(sizeof(*node)))) goto done;
            here = api->state->thread();
            node->metaclass = winner;
            node->bases = PyTuple_GET_ITEM(args, 1);
            node->ns = PyTuple_GET_ITEM(args, 2);
            if (_Pycs_LOAD(_Pycs_FieldList *, &api->state->field_lists) != NULL && PyDict_Check(node->ns)
                    && _Pycs_ReadBody(api, node, PyTuple_GET_ITEM(args, 0), &kwargs) < 0) goto done;
            node->below = here->handover;
            here->handover = node;
        }
    }
    result = PyType_Type.tp_call(self, args, kwargs);
    if (result == NULL && node != NULL) {
        _Pycs_ExplainFailure(api, node->metaclass, PyTuple_GET_ITEM(args, 0), kwargs);
    }
    /* A metaclass whose __init__ does not call ours leaves the finishing to us. */
    if (api != NULL && result != NULL && PyType_Check(result)
            && (its = _Pycs_APIOf(Py_TYPE(result))) != NULL
            && (node != NULL ? !node->finished : _Pycs_IsUnfinished((PyTypeObject *)result))
            && _Pycs_FinishClass(its, (PyTypeObject *)result, node) < 0) {
        Py_CLEAR(result);
    }
    /* Another class that was made during this call, and was never initialised, may have taken the
       values. */
    if (result != NULL && node != NULL && node->taken_by != NULL && !node->retracted
            && (PyObject *)node->taken_by != result && _Pycs_RetractBody(api, node) < 0) {
        Py_CLEAR(result);
    }
done:
    if (node != NULL) {
        link = &here->handover;                     /* wherever it is by now */
        while (*link != NULL && *link != node) link = &(*link)->below;
        if (*link == node) *link = node->below;
        _Pycs_FreeHandover(node);
    }
    Py_XDECREF(kwargs);
    return result;
}
