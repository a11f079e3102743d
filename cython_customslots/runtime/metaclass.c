/* SPDX-License-Identifier: MIT
 *
 * runtime/metaclass.c - what stands behind the slots of extensibletype and of its metaclass.
 *
 * (docs/abi-runtime.md, "creating", lists them, and says why there is no tp_new and no mro().)
 *
 * WHERE ANOTHER PROCESS FINDS THE METACLASSES.  cloudpickle and dill write a class of __main__ as "call its metaclass",
 * and the metaclass as a module and a path in it.  extensibletype and combinations are in no file, and a process in
 * which nothing was imported has none of them yet.  So they answer a path through a class whose import makes them:
 *
 *     type(shapes.Shape).__module__, .__qualname__  ->  "shapes", "Shape.__class__"
 *
 * A process may lack the one library or the other, but not the bases of the classes that it gets.  So the first choice
 * is a class with a subclass that no other process can import: this choice is kept, in
 * sys.modules['_extensibletype']._bearers.
 */
#include "runtime/arguments.h"
#include "runtime/change.h"
#include "runtime/prototypes.h"

/* Does its name lead to this class, in another process, too?  -1 with an exception if that cannot be
   found out. */
static int
_Pycs_IsImportable(PyObject *cls)
{
    PyObject *name = PyObject_GetAttrString(cls, "__module__"), *module = NULL, *path = NULL;
    PyObject *operators = NULL, *getter = NULL, *found = NULL;
    int is_importable = 0;

    if (name == NULL || !PyUnicode_Check(name)
            || PyUnicode_CompareWithASCIIString(name, "__main__") == 0
            || !(module = PyImport_GetModule(name))
            || !(path = PyObject_GetAttrString(cls, "__qualname__"))
            || !(operators = PyImport_ImportModule("_operator"))
            || !(getter = PyObject_CallMethod(operators, "attrgetter", "O", path))
            || !(found = PyObject_CallFunctionObjArgs(getter, module, NULL))) goto done;
    is_importable = found == cls;
done:
    if (PyErr_Occurred()) {
        if (_Pycs_IsReplaceable()) PyErr_Clear();
        else is_importable = -1;
    }
    _Pycs_XDECREF_ALL(name, module, path, operators, getter, found);
    return is_importable;
}

/* Does the class have a subclass that another process gets as a copy?  -1 with an exception. */
static int
_Pycs_IsAwaited(_Pycs_API *api, PyObject *cls)
{
    PyObject *types = _Pycs_CollectSubclasses(api, (PyTypeObject *)cls);
    int is_importable = types == NULL ? -1 : 1;
    Py_ssize_t i;

    for (i = 1; is_importable > 0 && i < PyList_GET_SIZE(types); i++) {
        PyObject *type = PyList_GET_ITEM(types, i);
        if (!_Pycs_IsHeap((PyTypeObject *)type)) continue;
        is_importable = _Pycs_IsImportable(type);
    }
    Py_XDECREF(types);
    return is_importable < 0 ? -1 : !is_importable;
}

/* The first importable class with this metaclass that has such a subclass; a new reference, NULL with
   or without an exception. */
static PyObject *
_Pycs_FindBearer(_Pycs_API *api, PyObject *metaclass)
{
    PyObject *types = _Pycs_CollectSubclasses(api, &PyBaseObject_Type), *bearer = NULL;
    Py_ssize_t i;
    int status = 0;

    for (i = 0; types != NULL && status == 0 && i < PyList_GET_SIZE(types); i++) {
        PyObject *type = PyList_GET_ITEM(types, i);
        if ((PyObject *)Py_TYPE(type) != metaclass) continue;
        if ((status = _Pycs_IsImportable(type)) <= 0) continue;
        if ((status = _Pycs_IsAwaited(api, type)) > 0) bearer = Py_NewRef(type);
    }
    Py_XDECREF(types);
    return bearer;
}

/* The same, looked for once (a pickler asks eight times for each class), or None: a combination that
   combining.py finds needs no class. */
static PyObject *
_Pycs_Bearer(_Pycs_API *api, PyObject *metaclass)
{
    PyObject *bearers = _Pycs_KeepInModule("_bearers", PyDict_New()), *bearer = NULL;

    if (bearers == NULL) goto done;
    bearer = PyObject_GetItem(bearers, metaclass);
    if (bearer == NULL && !_Pycs_IsReplaceable()) goto done;
    PyErr_Clear();
    if (bearer == Py_None || (bearer != NULL && _Pycs_IsImportable(bearer) > 0)) goto done;
    Py_CLEAR(bearer);
    if (PyErr_Occurred()) goto done;
    bearer = _Pycs_FindBearer(api, metaclass);
    if (bearer == NULL && !PyErr_Occurred() && (bearer = _Pycs_PlaceOfCombination(metaclass, 1)) != NULL) {
        Py_SETREF(bearer, Py_NewRef(Py_None));
    }
    if (bearer != NULL && PyObject_SetItem(bearers, metaclass, bearer) < 0) Py_CLEAR(bearer);
done:
    Py_XDECREF(bearers);
    return bearer;
}

/* The __module__ of a metaclass, or else its __qualname__, where that is not what its dict
   says: a new reference, NULL with or without an exception.  Not under the lock. */
static PyObject *
_Pycs_FieldPlace(_Pycs_API *api, PyObject *metaclass, int is_module)
{
    PyObject *own = _Pycs_OwnAttribute(api, metaclass, api->state->name_module);
    PyObject *bearer = NULL, *result = NULL;
    const int is_ours = own != NULL && PyUnicode_Check(own)
                        && PyUnicode_CompareWithASCIIString(own, _Pycs_MODULE) == 0;

    Py_XDECREF(own);
    if (!is_ours || !(bearer = _Pycs_Bearer(api, metaclass))) return NULL;
    if (bearer == Py_None) result = _Pycs_PlaceOfCombination(metaclass, is_module);
    else {
        result = PyObject_GetAttrString(bearer, is_module ? "__module__" : "__qualname__");
        if (result != NULL && !is_module) Py_SETREF(result, PyUnicode_FromFormat("%U.__class__", result));
    }
    Py_DECREF(bearer);
    return result;
}

static uintptr_t
_Pycs_FunctionIn(PyTypeObject *type, int dealloc)
{
    return dealloc ? (uintptr_t)type->tp_dealloc : (uintptr_t)type->tp_traverse;
}

/* Must our tp_dealloc (or tp_traverse) release (or visit) the reference of a class to its
   metaclass?  Yes if the metaclass is a heap type, no if it is static.  But a metaclass made in
   Python has a generic function, which does that itself if the next metaclass below it is static;
   "next below" is the first one that does not share the generic function. */
static int
_Pycs_CountsMetaclass(PyObject *self, int dealloc)
{
    PyTypeObject *const top = Py_TYPE(self);
    PyTypeObject *below = top;
    const uintptr_t generic = _Pycs_FunctionIn(top, dealloc);

    if (generic != _Pycs_FunctionIn(_Pycs_RootOf(top), dealloc)) {
        while ((below->tp_flags & Py_TPFLAGS_HEAPTYPE) && _Pycs_FunctionIn(below, dealloc) == generic) {
            below = below->tp_base;
        }
    }
    return (below->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0;
}

/* Explicit, because the dealloc that PyType_FromSpec() would give and the one that
   Cython gives to a derived metaclass call each other without end.  The instances of
   the class are gone, so the table is read no more. */
_Pycs_PRIVATE void
_Pycs_dealloc(_Pycs_API *api, PyObject *self)
{
    PyTypeObject *metaclass = Py_TYPE(self), *type = (PyTypeObject *)self;
    _Pycs_Record *record = _Pycs_RecordOf(type);
    _Pycs_Sidecar *sidecar;
    PyObject *kept = NULL;
    const int counts = _Pycs_CountsMetaclass(self, 1);

    if (!_Pycs_IsFilled(type)) api = NULL;
    if (api != NULL) {
        /* Fields hold objects, and dropping those may run the collector. */
        PyObject_GC_UnTrack(self);
        _Pycs_Lock(api);
        _Pycs_DisownRecords(type, record);
        sidecar = _Pycs_TakeSidecar(api, type);
        _Pycs_Unlock(api);
        _Pycs_ReleaseFields(api, type);
        if (sidecar != NULL) kept = (PyObject *)sidecar->kept;
        PyMem_RawFree(sidecar);
        PyObject_GC_Track(self);                /* type's tp_dealloc expects that */
    }
    _Pycs_SetStamp(type, 0);
    _Pycs_STORE(uintptr_t, &((PyHeapExtensibleTypeObject *)self)->etp_check, 0);
    PyType_Type.tp_dealloc(self);
    _Pycs_RecordDecref(record);
    Py_XDECREF(kept);
    if (counts) Py_DECREF((PyObject *)metaclass);
}

/* type's own tp_traverse does not visit the metaclass, so a cycle through a metaclass that was
   made in Python would never be collected. */
_Pycs_PRIVATE int
_Pycs_traverse(_Pycs_API *api, PyObject *self, visitproc visit, void *arg)
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (api != NULL && _Pycs_IsFilled(type)) {
        const int status = _Pycs_VisitFields(api, type, visit, arg);
        if (status != 0) return status;
    }
    if (_Pycs_CountsMetaclass(self, 0)) Py_VISIT((PyObject *)Py_TYPE(self));
    return PyType_Type.tp_traverse(self, visit, arg);
}

/* Leaves the table alone: instances in the same cycle may still be dying. */
_Pycs_PRIVATE int
_Pycs_clear(_Pycs_API *api, PyObject *self)
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (api != NULL && _Pycs_IsFilled(type)) _Pycs_ClearFields(api, type);
    return PyType_Type.tp_clear(self);
}

_Pycs_PRIVATE int
_Pycs_meta_clear(_Pycs_API *api, PyObject *self)
{
    if (api != NULL && self == (PyObject *)api->metaclass) {
        Py_CLEAR(api->state->interface_meta);
        Py_CLEAR(api->state->interface_method);
    }
    return PyType_Type.tp_clear(self);
}

/* ---------------------------------------------------- descriptors of extensibletype -- */

/* A class that would get a base with C fields has no memory for them unless its metaclass
   has them, too; CPython does not look at metaclasses here.  Adds to *more how many entries the
   table can grow by.  -1 with a TypeError. */
static int
_Pycs_CheckBase(_Pycs_API *api, PyTypeObject *type, PyTypeObject *base, Py_ssize_t *more)
{
    PyObject *mro = _Pycs_FetchMro(api, base);
    Py_ssize_t i, n = mro != NULL ? PyTuple_GET_SIZE(mro) : 0;
    int status = -1;
    for (i = 0; i < n; i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        const _Pycs_FieldEntry *field;
        const _Pycs_API *other;
        if (!PyType_Check((PyObject *)item) || PyType_IsSubtype(Py_TYPE(type), Py_TYPE(item))
                || (other = _Pycs_APIOf(Py_TYPE(item))) == NULL) continue;
        if (other != api) {
            (void)_Pycs_RefuseForeign(other, PyExc_TypeError, "__bases__ assignment: the class", item);
            goto done;
        }
        _Pycs_EACH_FIELD(field, api, Py_TYPE(item)) {
            if (PyType_IsSubtype(Py_TYPE(type), field->list->metaclass)) continue;
            PyErr_Format(PyExc_TypeError,
                         "__bases__ assignment: '%.200s' has the C fields of metaclass "
                         "'%.200s', for which the class '%.200s' (metaclass '%.200s') has no "
                         "memory; make the class again with that base",
                         item->tp_name, field->list->metaclass->tp_name, type->tp_name,
                         Py_TYPE(type)->tp_name);
            goto done;
        }
    }
    if (mro != NULL) {
        _Pycs_Lock(api);
        *more += _Pycs_MergeBound(NULL, 0, mro);        /* NULL: the slots of `base` count, too */
        _Pycs_Unlock(api);
    }
    status = 0;
done:
    Py_XDECREF(mro);
    return status;
}

/* The setter of __bases__ on the metaclass, around type's. */
static int
_Pycs_set_bases(_Pycs_API *api, PyObject *self, PyObject *value)
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyObject *descriptor = api->state->type_bases, *former;
    _Pycs_Refresh refresh;
    Py_ssize_t i, more = 0;
    const int follows = value != NULL && PyTuple_Check(value) && _Pycs_IsHeap(type);
    int status;

    if (follows) {
        for (i = 0; i < PyTuple_GET_SIZE(value); i++) {
            PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(value, i);
            if (PyType_Check((PyObject *)base)
                    && ((!_Pycs_HasTable(base) && _Pycs_FinishType(api, base) < 0)
                        || _Pycs_CheckBase(api, type, base, &more) < 0)) return -1;
        }
        if (_Pycs_RefreshPrepare(api, &refresh, type, _Pycs_CHANGED_BASES, more) < 0) return -1;
    }
    former = _Pycs_FetchBases(api, type);
    status = Py_TYPE(descriptor)->tp_descr_set(descriptor, self, value);
    if (follows && (status < 0 || _Pycs_RefreshCommit(api, &refresh, 0) < 0)) {
        PyObject *error, *text, *traceback;
        PyErr_Fetch(&error, &text, &traceback);
        /* Restore the former bases, which were accepted before.  Should that fail now, the class
           keeps the new ones, and what cannot be copied or merged is stale, but valid. */
        if (status == 0 && Py_TYPE(descriptor)->tp_descr_set(descriptor, self, former) < 0) {
            PyErr_Clear();
        }
        /* Other threads may have used MROs that were changed here and changed back: rule 5 of
           change.h. */
        (void)_Pycs_RefreshCommit(api, &refresh, 1);
        PyErr_Restore(error, text, traceback);
        status = -1;
    }
    Py_XDECREF(former);
    return status;
}

/* Getters and setters: `what` is a _Pycs_GET_*.  __module__ and __doc__ are
   in the dict of every heap type, and in the dict of extensibletype they would hide type's
   descriptors from the static classes whose metaclass it is: each would answer __module__ ==
   '_extensibletype'.  So there, too, they are descriptors, which delegate to type's own. */
_Pycs_PRIVATE PyObject *
_Pycs_get(_Pycs_API *api, PyObject *self, int what)
{
    switch (what) {
    case _Pycs_GET_BASES:
        return _Pycs_Delegate(api->state->type_bases, self);
    case _Pycs_GET_DICT: return _Pycs_get_dict(api, self);
    case _Pycs_GET_FIELDS:
        return _Pycs_ValuesOfClass(api, (PyTypeObject *)self);
    case _Pycs_GET_DIR: return _Pycs_get_dir(api, self);
    case _Pycs_GET_MODULE:
        return _Pycs_Delegate(api->state->type_module, self);
    default: return _Pycs_Delegate(api->state->type_doc, self);
    }
}

_Pycs_PRIVATE int
_Pycs_set(_Pycs_API *api, PyObject *self, int what, PyObject *value)
{
    PyObject *descriptor = what == _Pycs_GET_MODULE ? api->state->type_module : api->state->type_doc;
    switch (what) {
    case _Pycs_GET_BASES: return _Pycs_set_bases(api, self, value);
    case _Pycs_GET_FIELDS:
        return _Pycs_set_values_of_class(api, self, value);
    default: return Py_TYPE(descriptor)->tp_descr_set(descriptor, self, value);
    }
}

/* ------------------------------------------------- slots of extensibletype_meta -- */

_Pycs_PRIVATE int
_Pycs_meta_init(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    if (PyType_Type.tp_init(self, args, kwargs) < 0) return -1;
    if (api != NULL) _Pycs_MendMetaclass((PyTypeObject *)self);
    return 0;
}

/* By length first, for class statements, which ask for __prepare__. */
#define _Pycs_IS_NAME(name, text) \
    (PyUnicode_GET_LENGTH(name) == (Py_ssize_t)sizeof(text) - 1 && PyUnicode_CompareWithASCIIString(name, text) == 0)

_Pycs_PRIVATE PyObject *
_Pycs_meta_getattro(_Pycs_API *api, PyObject *self, PyObject *name)
{
    PyObject *place;
    int is_module;

    if (api == NULL || !PyUnicode_Check(name)) return PyType_Type.tp_getattro(self, name);
    is_module = _Pycs_IS_NAME(name, "__module__");
    if (is_module || _Pycs_IS_NAME(name, "__qualname__")) {
        place = _Pycs_FieldPlace(api, self, is_module);
        if (place != NULL || PyErr_Occurred()) return place;
    }
    else if (!_Pycs_IS_NAME(name, "__doc__")) return PyType_Type.tp_getattro(self, name);
    return _Pycs_OwnAttribute(api, self, name);
}

/* The name that the metaclass's dict has, for people.  type's own repr reads __module__ from the dict, which
   in a metaclass may have the descriptor.  As in type's own repr, a __module__ that is not a str is left out. */
_Pycs_PRIVATE PyObject *
_Pycs_meta_repr(_Pycs_API *api, PyObject *self)
{
    PyObject *attribute = PyUnicode_FromString("__qualname__");
    PyObject *name = NULL, *module = NULL, *result = NULL;

    if (attribute == NULL || !(name = PyType_Type.tp_getattro(self, attribute))) goto done;
    module = api != NULL ? _Pycs_OwnAttribute(api, self, api->state->name_module)
                         : PyObject_GetAttrString(self, "__module__");
    if (module == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) goto done;
        PyErr_Clear();
    }
    if (module != NULL && PyUnicode_Check(module)) {
        result = PyUnicode_FromFormat("<class '%U.%U'>", module, name);
    }
    else {
        result = PyUnicode_FromFormat("<class '%s'>", ((PyTypeObject *)self)->tp_name);
    }
done:
    _Pycs_XDECREF_ALL(attribute, module, name);
    return result;
}

/* Frees the API together with extensibletype, which owns it and is the last metaclass to go. */
_Pycs_PRIVATE void
_Pycs_meta_dealloc(_Pycs_API *api, PyObject *self)
{
    PyTypeObject *meta = Py_TYPE(self);
    const int is_root = api != NULL && self == (PyObject *)api->metaclass;
    PyType_Type.tp_dealloc(self);
    if (is_root) _Pycs_FreeAPI(api);
    if (meta->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_DECREF((PyObject *)meta);
}

_Pycs_PRIVATE int
_Pycs_meta_traverse(_Pycs_API *api, PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT((PyObject *)Py_TYPE(self));
    if (api != NULL && self == (PyObject *)api->metaclass) {
        Py_VISIT((PyObject *)api->state->interface_meta);
        Py_VISIT((PyObject *)api->state->interface_method);
    }
    return PyType_Type.tp_traverse(self, visit, arg);
}
