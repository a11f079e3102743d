/* SPDX-License-Identifier: MIT
 *
 * runtime/interface_meta.c - the metaclass of interfaces: casts, isinstance(), issubclass(), and its methods.
 */
#include "runtime/arguments.h"
#include "runtime/change.h"
#include "runtime/prototypes.h"
#include "runtime/override_tables.h"
#include "runtime/overriding.h"

static const PyCustomSlot *
_Pycs_SlotFor(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    return PyCustomSlots_FindAnyType(type, _Pycs_SPEC(declaration, spec)->id, 0);
}

/* Do instances of `type` implement it?  1 or 0. */
static int
_Pycs_Implements(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyCustomSlots_Interface *declared = _Pycs_SPEC(declaration, spec)->iface;
    const PyCustomSlot *slot = _Pycs_SlotFor(declaration, type);
    return PyCustomSlots_CheckInterface(slot, declared->count, declared->hashes[declared->count - 1]) != NULL
        || (slot != NULL && _Pycs_CountServed(PyCustomSlots_InterfaceOf(slot->data.pointer),
                                              declared, declared->count) > 0);
}

/* TypeError: `what` (a text with %s for the name of the type) because of `slot`. */
static void
_Pycs_Refused(const _Pycs_Declaration *declaration, PyTypeObject *type, const char *what)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    PyObject *why = _Pycs_WhyNot(spec, _Pycs_SlotFor(declaration, type));
    if (why != NULL) {
        PyErr_Format(PyExc_TypeError, "%s: found %s'%.200s', which does not implement it: %U; "
                     "%.200s.explain() shows both sides", spec->name, what, type->tp_name, why,
                     strrchr(spec->name, '.') + 1);
        Py_DECREF(why);
    }
    else if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, spec->name);
}

/* The table that the provider gave a class, NULL if it has none. */
static const void *
_Pycs_GivenTo(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyCustomSlot *slot = _Pycs_SlotFor(declaration, type);
    return slot != NULL ? _Pycs_OriginalOf(slot->data.pointer) : NULL;
}

/* Is that a table whose functions raise unless Python has something to call? */
static int
_Pycs_GivenDefault(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    return _Pycs_IsDefault(_Pycs_KnownInterface(_Pycs_SPEC(declaration, spec)->id), _Pycs_GivenTo(declaration, type));
}

/* Adds a name to a text, which is NULL if it has none yet.  0, or -1 with an exception; then it is NULL. */
static int
_Pycs_AddName(PyObject **names, const char *name)
{
    PyObject *longer = *names != NULL ? PyUnicode_FromFormat("%U, %s", *names, name) : PyUnicode_FromString(name);
    Py_XDECREF(*names);
    *names = longer;
    return longer != NULL ? 0 : -1;
}

/* Names the functions that keep a class of Python from implementing the interface, because only C can implement
   them in a default table: a new reference; NULL without an exception if there are none. */
static PyObject *
_Pycs_Obstacles(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyCustomSlots_Interface *iface = _Pycs_GivenDefault(declaration, type)
                                           ? _Pycs_Described(_Pycs_GivenTo(declaration, type)) : NULL;
    PyObject *names = NULL;
    size_t i;
    for (i = 0; iface != NULL && i < iface->count; i++) {
        const char *name = iface->names != NULL && iface->names[i] != NULL ? iface->names[i] : "?";
        if (iface->dispatch != NULL && iface->dispatch[i] != NULL) continue;
        if (_Pycs_AddName(&names, name) < 0) return NULL;
    }
    return names;
}

/* The names of those functions that raise when C calls them on instances of `type`, which implements the
   interface in Python: no class has them, and the declaration no body.  As Obstacles(). */
static PyObject *
_Pycs_Missing(_Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyCustomSlots_Interface *iface = _Pycs_SPEC(declaration, spec)->iface;
    PyObject *names = NULL, *mro;
    size_t i;
    int status = 0;

    if (!_Pycs_GivenDefault(declaration, type)) return NULL;
    if (!(mro = _Pycs_FetchMro(api, type))) return PyErr_NoMemory();
    for (i = 0; status == 0 && i < iface->count; i++) {
        PyObject *name, *found = NULL;
        if (iface->names[i] == NULL || (iface->bodies != NULL && iface->bodies[i] != NULL)) continue;
        name = PyUnicode_FromString(iface->names[i]);
        status = name != NULL ? _Pycs_FindInDicts(api, mro, name, &found) : -1;
        if (status == 0 && found == NULL) status = _Pycs_AddName(&names, iface->names[i]);
        Py_XDECREF(found);
        Py_XDECREF(name);
    }
    Py_DECREF(mro);
    if (status < 0) Py_CLEAR(names);
    return names;
}

/* Checks a class that was made in Python and derives from this interface: does it have all
   functions?  0, or -1 with a TypeError. */
static int
_Pycs_CheckDerived(const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    PyObject *names;

    if (PyCustomSlots_FindType(type, spec->id, 0) == NULL) {
        return _Pycs_Deny(PyExc_TypeError, "class '%.200s' cannot implement %s by itself: found no functions that "
                          "call Python, which a module that has the interface may declare; derive from a class "
                          "that implements it, too", type->tp_name, spec->name);
    }
    names = _Pycs_Obstacles(declaration, type);
    if (names == NULL && PyErr_Occurred()) return -1;
    if (names != NULL) {
        PyErr_Format(PyExc_TypeError, "class '%.200s' cannot implement %s in Python: found cdef functions, "
                     "which only C can implement: %U; put a class that implements them in front of it among the bases",
                     type->tp_name, spec->name, names);
        Py_DECREF(names);
        return -1;
    }
    if (_Pycs_Implements(declaration, type)) return 0;
    _Pycs_Refused(declaration, type, "class ");
    return -1;
}

static PyObject *
_Pycs_InitDerived(_Pycs_API *api, PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *mro;
    Py_ssize_t i;
    int status = 0;

    if (_Pycs_init(api, self, args, kwargs) < 0) return NULL;
    if (!(mro = _Pycs_FetchMro(api, (PyTypeObject *)self))) return PyErr_NoMemory();
    for (i = 0; status == 0 && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        const _Pycs_Declaration *declaration = _Pycs_StandsFor(api, item);
        if (declaration != NULL) status = _Pycs_CheckDerived(declaration, (PyTypeObject *)self);
    }
    Py_DECREF(mro);
    if (status < 0) return NULL;
    Py_RETURN_NONE;
}

/* Shape(obj): obj, or TypeError. */
static PyObject *
_Pycs_Cast(const _Pycs_Declaration *declaration, PyObject *args, PyObject *kwargs)
{
    PyObject *obj;
    if (PyTuple_GET_SIZE(args) != 1 || (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0)) {
        const Py_ssize_t named = kwargs != NULL ? PyDict_GET_SIZE(kwargs) : 0, count = PyTuple_GET_SIZE(args) + named;
        PyErr_Format(PyExc_TypeError, "%s: found %zd argument%s%s, expected one object, which is returned if it "
                     "implements the interface", _Pycs_SPEC(declaration, spec)->name, count, count == 1 ? "" : "s",
                     named > 0 ? " with keywords" : "");
        return NULL;
    }
    obj = PyTuple_GET_ITEM(args, 0);
    if (!_Pycs_Implements(declaration, Py_TYPE(obj))) {
        _Pycs_Refused(declaration, Py_TYPE(obj), "an object of type ");
        return NULL;
    }
    return Py_NewRef(obj);
}

/* Does `type` implement the interface itself, rather than inherit it?  It does if none of its
   bases has the same table, not counting classes that stand for interfaces.  1 or 0. */
static int
_Pycs_BringsItself(_Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const void *table = _Pycs_GivenTo(declaration, type);
    PyObject *bases = _Pycs_FetchBases(api, type);
    Py_ssize_t i;
    int brings = 1;
    for (i = 0; brings && bases != NULL && i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(bases, i);
        brings = !PyType_Check((PyObject *)base) || _Pycs_StandsFor(api, base) != NULL
                 || _Pycs_GivenTo(declaration, base) != table;
    }
    Py_XDECREF(bases);
    return brings;
}

/* 1 for a class that implements the interface itself, rather than inherits it.  Not counted: a class that was
   refused when it was made, while it waits for the collector; classes of other interpreters, which before 3.12
   are among the subclasses of `object`.  -1 with an exception. */
static int
_Pycs_IsImplementer(_Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    const _Pycs_API *owner = _Pycs_APIOf(Py_TYPE(type));
    PyObject *names;
    if ((owner != NULL && owner != api) || !_Pycs_Implements(declaration, type) || _Pycs_StandsFor(api, type) != NULL
            || !_Pycs_BringsItself(api, declaration, type)) return 0;
    if ((names = _Pycs_Obstacles(declaration, type)) == NULL) return PyErr_Occurred() ? -1 : 1;
    Py_DECREF(names);
    return 0;
}

static PyObject *
_Pycs_Implementers(_Pycs_API *api, const _Pycs_Declaration *declaration)
{
    PyObject *types = _Pycs_CollectSubclasses(api, &PyBaseObject_Type);
    PyObject *result = types != NULL ? PyList_New(0) : NULL;
    Py_ssize_t i;
    for (i = 0; result != NULL && i < PyList_GET_SIZE(types); i++) {
        PyObject *type = PyList_GET_ITEM(types, i);
        const int is = _Pycs_IsImplementer(api, declaration, (PyTypeObject *)type);
        if (is < 0 || (is > 0 && PyList_Append(result, type) < 0)) Py_CLEAR(result);
    }
    Py_XDECREF(types);
    return result;
}

static PyObject *
_Pycs_Signatures(const PyExtensibleType_InterfaceSpec *spec)
{
    PyObject *result = PyTuple_New((Py_ssize_t)spec->iface->count), *text;
    size_t i;
    for (i = 0; result != NULL && i < spec->iface->count; i++) {
        if ((text = _Pycs_SignatureOf(spec, i, 0)) == NULL) Py_CLEAR(result);
        else PyTuple_SET_ITEM(result, (Py_ssize_t)i, text);
    }
    return result;
}

/* The class of the interface with this name: a new reference, None if no module has declared it. */
static PyObject *
_Pycs_Named(_Pycs_API *api, PyObject *name)
{
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : PyBytes_AsString(name);
    _Pycs_Declaration *declaration = _Pycs_LOAD(_Pycs_Declaration *, &api->state->interfaces);
    if (text == NULL) return NULL;
    while (declaration != NULL && strcmp(_Pycs_SPEC(declaration, spec)->name, text) != 0) {
        declaration = _Pycs_LOAD(_Pycs_Declaration *, &declaration->next);
    }
    if (declaration != NULL) return _Pycs_interface_class(api, _Pycs_SPEC(declaration, spec)->id);
    Py_RETURN_NONE;
}

/* The answers of an ordinary class, one that derives from the class of an interface but does not
   stand for one. */
static PyObject *
_Pycs_DoOrdinary(int what, PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"of", "implementers", "explain", "id", "position", "signatures"};
    switch (what) {
    case _Pycs_DO_CALL: return PyType_Type.tp_call(self, args, kwargs);
    case _Pycs_DO_REPR: return PyType_Type.tp_repr(self);
    case _Pycs_DO_ISINSTANCE:
        return PyObject_CallMethod((PyObject *)&PyType_Type, "__instancecheck__", "OO", self, args);
    case _Pycs_DO_ISSUBCLASS:
        return PyObject_CallMethod((PyObject *)&PyType_Type, "__subclasscheck__", "OO", self, args);
    default:
        return PyErr_Format(PyExc_AttributeError, "class '%.200s' has no attribute '%s': it implements an interface, "
                            "and is none", ((PyTypeObject *)self)->tp_name, names[what - _Pycs_DO_OF]);
    }
}

static PyObject *
_Pycs_DoSubclass(_Pycs_API *api, const _Pycs_Declaration *declaration, PyObject *self, PyObject *other)
{
    if (!PyType_Check(other)) return _Pycs_DoOrdinary(_Pycs_DO_ISSUBCLASS, self, other, NULL);
    /* A class that stands for an extending interface derives from the class of the extended one. */
    return PyBool_FromLong(_Pycs_Implements(declaration, (PyTypeObject *)other)
                           || (_Pycs_StandsFor(api, (PyTypeObject *)other) != NULL
                               && PyType_IsSubtype((PyTypeObject *)other, (PyTypeObject *)self)));
}

static PyObject *
_Pycs_DoExplain(_Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type)
{
    PyObject *missing = _Pycs_Missing(api, declaration, type), *text = NULL;
    if (missing != NULL || !PyErr_Occurred()) {
        text = _Pycs_Explain(api, declaration, type, _Pycs_SlotFor(declaration, type), missing);
    }
    Py_XDECREF(missing);
    return text;
}

_Pycs_PRIVATE PyObject *
_Pycs_interface_do(_Pycs_API *api, int what, PyObject *self, PyObject *args, PyObject *kwargs)
{
    const _Pycs_Declaration *declaration = NULL;
    const PyExtensibleType_InterfaceSpec *spec;

    if (what == _Pycs_DO_NAMED) return _Pycs_Named(api, args);
    if (what == _Pycs_DO_INIT) return _Pycs_InitDerived(api, self, args, kwargs);
    if (!(declaration = _Pycs_StandsFor(api, (PyTypeObject *)self))) {
        return _Pycs_DoOrdinary(what, self, args, kwargs);
    }
    spec = _Pycs_SPEC(declaration, spec);
    switch (what) {
    case _Pycs_DO_CALL: return _Pycs_Cast(declaration, args, kwargs);
    case _Pycs_DO_REPR: return PyUnicode_FromFormat("<interface '%s'>", spec->name);
    case _Pycs_DO_ISINSTANCE: return PyBool_FromLong(_Pycs_Implements(declaration, Py_TYPE(args)));
    case _Pycs_DO_ISSUBCLASS: return _Pycs_DoSubclass(api, declaration, self, args);
    case _Pycs_DO_OF:
        return Py_NewRef(_Pycs_Implements(declaration, Py_TYPE(args)) ? args : Py_None);
    case _Pycs_DO_IMPLEMENTERS: return _Pycs_Implementers(api, declaration);
    case _Pycs_DO_EXPLAIN: return _Pycs_DoExplain(api, declaration, Py_TYPE(args));
    case _Pycs_DO_ID: return PyLong_FromVoidPtr((void *)spec->id);
    case _Pycs_DO_POSITION: return PyLong_FromSsize_t(PyCustomSlots_Position(spec->id));
    default: return _Pycs_Signatures(spec);
    }
}
