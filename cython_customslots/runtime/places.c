/* SPDX-License-Identifier: MIT
 *
 * runtime/places.c - where another process finds the metaclasses that we make.
 *
 * cloudpickle and dill write a class of __main__ as "call its metaclass", and the metaclass as a
 * module and a path in it.  extensibletype and combinations stand in no file, and a process in
 * which nothing was imported has none of them yet.  So they answer a path through a class whose
 * import makes them:
 *
 *     type(shapes.Shape).__module__, .__qualname__  ->  "shapes", "Shape.__class__"
 *
 * A process may lack the one library or the other, but not the bases of the classes that it gets.
 * So the first choice is a class with a subclass that no other process can import: that is kept,
 * in sys.modules['_extensibletype']._bearers.
 */
#include "runtime/places.h"

#include "runtime/api.h"
#include "runtime/change.h"
#include "runtime/combine.h"

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
    Py_XDECREF(name);
    Py_XDECREF(module);
    Py_XDECREF(path);
    Py_XDECREF(operators);
    Py_XDECREF(getter);
    Py_XDECREF(found);
    return is_importable;
}

/* Has it a subclass that another process gets as a copy?  -1 with an exception. */
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
        if ((status = _Pycs_IsAwaited(api, type)) > 0) {
            Py_INCREF(type);
            bearer = type;
        }
    }
    Py_XDECREF(types);
    return bearer;
}

/* The same, looked for once (a pickler asks eight times for each class), or None: a combination that
   combining.py finds needs no class. */
static PyObject *
_Pycs_Bearer(_Pycs_API *api, PyObject *metaclass)
{
    PyObject *module = _Pycs_TheModule(), *bearers = NULL, *bearer = NULL;

    if (module != NULL) {
        bearers = _Pycs_KeepInModule(module, "_bearers", PyDict_New());
    }
    if (bearers == NULL) goto done;
    bearer = PyObject_GetItem(bearers, metaclass);
    if (bearer == NULL && !_Pycs_IsReplaceable()) goto done;
    PyErr_Clear();
    if (bearer == Py_None || (bearer != NULL && _Pycs_IsImportable(bearer) > 0)) goto done;
    Py_CLEAR(bearer);
    if (PyErr_Occurred()) goto done;
    bearer = _Pycs_FindBearer(api, metaclass);
    if (bearer == NULL && !PyErr_Occurred() && (bearer = _Pycs_PlaceOfCombination(metaclass, 1)) != NULL) {
        Py_INCREF(Py_None);
        Py_SETREF(bearer, Py_None);
    }
    if (bearer != NULL && PyObject_SetItem(bearers, metaclass, bearer) < 0) Py_CLEAR(bearer);
done:
    Py_XDECREF(module);
    Py_XDECREF(bearers);
    return bearer;
}

/* The __module__ of a metaclass of ours, or else its __qualname__, where that is not what its dict
   says: a new reference, NULL with or without an exception.  Not under the lock. */
_Pycs_PRIVATE PyObject *
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
