/* SPDX-License-Identifier: MIT
 *
 * runtime/core.c - the part that always belongs to the creator, whichever implementation serves.
 *
 * Rewriting the slots of living types would be a race.  So the slots of the metaclasses, and the functions of the
 * descriptors in their dicts, are trampolines: they jump to the target in the table of the implementation that serves
 * now, through the pointer in the API.  What is frozen with them: docs/abi-runtime.md, "the frozen core".
 */
#include "runtime/prototypes.h"

/* --------------------------------------------------------------------- trampolines -- */

/* A trampoline jumps to the implementation that serves.  While the metaclass is still being made,
   there is no API: then it calls the creator's own function, with NULL for the API. */
#define _Pycs_TARGET(api, target) (api != NULL ? _Pycs_IMPL(api)->target : _Pycs_##target)
#define _Pycs_TO(result, target, metaclass, parameters, ...) \
    static result \
    _Pycs_to_##target parameters \
    { \
        _Pycs_API *api = _Pycs_APIOf(metaclass); \
        return _Pycs_TARGET(api, target)(api, __VA_ARGS__); \
    }

_Pycs_TO(PyObject *, alloc, metaclass, (PyTypeObject *metaclass, Py_ssize_t nitems), metaclass, nitems)
_Pycs_TO(int, init, Py_TYPE(self), (PyObject *self, PyObject *args, PyObject *kwargs), self, args, kwargs)
_Pycs_TO(int, traverse, Py_TYPE(self), (PyObject *self, visitproc visit, void *arg), self, visit, arg)
_Pycs_TO(int, clear, Py_TYPE(self), (PyObject *self), self)
_Pycs_TO(int, setattr, Py_TYPE(self), (PyObject *self, PyObject *name, PyObject *value), self, name, value)
_Pycs_TO(PyObject *, meta_call, (PyTypeObject *)self, (PyObject *self, PyObject *args, PyObject *kwargs),
         self, args, kwargs)
_Pycs_TO(int, meta_init, (PyTypeObject *)self, (PyObject *self, PyObject *args, PyObject *kwargs), self, args, kwargs)
_Pycs_TO(PyObject *, meta_getattro, (PyTypeObject *)self, (PyObject *self, PyObject *name), self, name)
_Pycs_TO(PyObject *, meta_repr, (PyTypeObject *)self, (PyObject *self), self)
_Pycs_TO(int, meta_traverse, (PyTypeObject *)self, (PyObject *self, visitproc visit, void *arg), self, visit, arg)
_Pycs_TO(int, meta_clear, (PyTypeObject *)self, (PyObject *self), self)

static void
_Pycs_to_dealloc(PyObject *self)
{
    _Pycs_API *api = _Pycs_APIOf(Py_TYPE(self));
    _Pycs_TARGET(api, dealloc)(api, self);
}

static void
_Pycs_to_meta_dealloc(PyObject *self)
{
    _Pycs_API *api = _Pycs_APIOf((PyTypeObject *)self);
    _Pycs_TARGET(api, meta_dealloc)(api, self);
}

static uintptr_t _Pycs_overridable;

/* These are methods, not a tp_setattro: CPython refuses calls of type.__setattr__() that bypass
   one written in C.  The metaclass gets them when the first class could override a function
   (overriding.c), or annotates a C field, as a dataclass does (birth.c); until then, setting attributes
   of its classes takes no longer than for plain classes. */
static PyObject *
_Pycs_SetAttribute(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        return PyErr_Format(PyExc_TypeError, "__setattr__: found %zd argument%s, expected a name and a value", count,
                            count == 1 ? "" : "s");
    }
    if (_Pycs_to_setattr(self, args[0], args[1]) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
_Pycs_DeleteAttribute(PyObject *self, PyObject *name)
{
    if (_Pycs_to_setattr(self, name, NULL) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef _Pycs_setters[] = {
    {"__setattr__", (PyCFunction)(void (*)(void))_Pycs_SetAttribute, METH_FASTCALL, NULL},
    {"__delattr__", _Pycs_DeleteAttribute, METH_O, NULL},
};

/* Trampolines of the metaclass of interfaces. */
static PyObject *
_Pycs_DoInterface(PyObject *self, int what, PyObject *args, PyObject *kwargs)
{
    _Pycs_API *api = _Pycs_APIOf(Py_TYPE(self));    /* older than the class */
    return api != NULL ? _Pycs_IMPL(api)->interface_do(api, what, self, args, kwargs) : NULL;
}

static PyObject *
_Pycs_to_interface_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return _Pycs_DoInterface(self, _Pycs_DO_CALL, args, kwargs);
}

static int
_Pycs_to_interface_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *done = _Pycs_DoInterface(self, _Pycs_DO_INIT, args, kwargs);
    Py_XDECREF(done);
    return done != NULL ? 0 : -1;
}

static PyObject *
_Pycs_to_interface_repr(PyObject *self)
{
    return _Pycs_DoInterface(self, _Pycs_DO_REPR, NULL, NULL);
}

static PyObject *
_Pycs_to_interface_get(PyObject *self, void *what)
{
    return _Pycs_DoInterface(self, (int)(intptr_t)what, NULL, NULL);
}

#define _Pycs_TO_METHOD(name, what) \
    static PyObject * \
    _Pycs_to_interface_##name(PyObject *self, PyObject *arg) \
    { \
        return _Pycs_DoInterface(self, _Pycs_DO_##what, arg, NULL); \
    }

_Pycs_TO_METHOD(isinstance, ISINSTANCE)
_Pycs_TO_METHOD(issubclass, ISSUBCLASS)
_Pycs_TO_METHOD(of, OF)
_Pycs_TO_METHOD(implementers, IMPLEMENTERS)
_Pycs_TO_METHOD(explain, EXPLAIN)

/* The closure of a descriptor of extensibletype is a _Pycs_GET_*. */
static PyObject *
_Pycs_to_get(PyObject *self, void *what)
{
    _Pycs_API *api = _Pycs_APIOf(Py_TYPE(self));
    return _Pycs_IMPL(api)->get(api, self, (int)(intptr_t)what);
}

static int
_Pycs_to_set(PyObject *self, PyObject *value, void *what)
{
    _Pycs_API *api = _Pycs_APIOf(Py_TYPE(self));
    return _Pycs_IMPL(api)->set(api, self, (int)(intptr_t)what, value);
}

/* The closure of a field's descriptor begins with the API. */
static PyObject *
_Pycs_to_field_get(PyObject *self, void *field)
{
    _Pycs_API *api = *(_Pycs_API **)field;
    return _Pycs_IMPL(api)->field_get(api, self, field);
}

static int
_Pycs_to_field_set(PyObject *self, PyObject *value, void *field)
{
    _Pycs_API *api = *(_Pycs_API **)field;
    return _Pycs_IMPL(api)->field_set(api, self, value, field);
}

/* ---------------------------------------------------------------------- metaclasses -- */

#define _Pycs_WHAT(what) ((void *)(intptr_t)_Pycs_GET_##what)

static PyGetSetDef _Pycs_getset[] = {
    {"__bases__", _Pycs_to_get, _Pycs_to_set, NULL,
     _Pycs_WHAT(BASES)},
    {"__dict__", _Pycs_to_get, NULL, NULL, _Pycs_WHAT(DICT)},
    {_Pycs_FIELDS, _Pycs_to_get, _Pycs_to_set, NULL,
     _Pycs_WHAT(FIELDS)},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyObject *
_Pycs_to_dir(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return _Pycs_to_get(self, _Pycs_WHAT(DIR));
}

static PyMethodDef _Pycs_methods[] = {
    {"__dir__", _Pycs_to_dir, METH_NOARGS,
     "__dir__($self, /)\n--\n\nThe attributes of the class, with the C fields that Python reads."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef _Pycs_names[] = {
    {"__module__", _Pycs_to_get, _Pycs_to_set, NULL,
     _Pycs_WHAT(MODULE)},
    {"__doc__", _Pycs_to_get, _Pycs_to_set, NULL,
     _Pycs_WHAT(DOC)}
};

/* A heap type that derives from `type`.  No function of CPython's is in a constant table of
   slots, because on Windows its address is not a constant. */
static PyTypeObject *
_Pycs_NewHeapType(const char *name, size_t size, PyType_Slot *slots)
{
    PyTypeObject *made;
    PyType_Spec spec;
    memset(&spec, 0, sizeof(spec));
    spec.name = name;
    spec.basicsize = (int)size;
    spec.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE;
    spec.slots = slots;
    made = (PyTypeObject *)PyType_FromSpec(&spec);
    /* PyType_FromSpec() forgets to set an exception in one place. */
    if (made == NULL && !PyErr_Occurred()) PyErr_NoMemory();
    return made;
}

#define _Pycs_SLOT(id, function) \
    (slots[n].slot = (id), slots[n++].pfunc = (void *)(uintptr_t)(function))

/* Makes extensibletype, as yet without names, metaclass and API; a new reference. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_NewMetaclass(void)
{
    PyType_Slot slots[9] = {{0, NULL}};          /* zeros end the list */
    int n = 0;
    _Pycs_SLOT(Py_tp_base, &PyType_Type);
    _Pycs_SLOT(Py_tp_alloc, _Pycs_to_alloc);
    _Pycs_SLOT(Py_tp_init, _Pycs_to_init);
    _Pycs_SLOT(Py_tp_dealloc, _Pycs_to_dealloc);
    _Pycs_SLOT(Py_tp_traverse, _Pycs_to_traverse);
    _Pycs_SLOT(Py_tp_clear, _Pycs_to_clear);
    _Pycs_SLOT(Py_tp_getset, _Pycs_getset);
    _Pycs_SLOT(Py_tp_methods, _Pycs_methods);
    return _Pycs_NewHeapType(_Pycs_MODULE "." _Pycs_ATTRIBUTE, sizeof(PyHeapExtensibleTypeObject), slots);
}

static PyMethodDef _Pycs_interface_methods[] = {
    {"__instancecheck__", _Pycs_to_interface_isinstance, METH_O, NULL},
    {"__subclasscheck__", _Pycs_to_interface_issubclass, METH_O, NULL},
    {"of", _Pycs_to_interface_of, METH_O,
     "of($self, obj, /)\n--\n\nobj, if its type implements the interface, else None."},
    {"implementers", _Pycs_to_interface_implementers, METH_NOARGS,
     "implementers($self, /)\n--\n\nA list of the classes that implement the interface, without those that "
     "inherit it."},
    {"explain", _Pycs_to_interface_explain, METH_O,
     "explain($self, obj, /)\n--\n\nA text that says whether the type of obj implements the interface, with "
     "both layouts."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef _Pycs_interface_getset[] = {
    {"id", _Pycs_to_interface_get, NULL, "The slot ID of the interface.",
     (void *)(intptr_t)_Pycs_DO_ID},
    {"position", _Pycs_to_interface_get, NULL, "Where its slot should stand.",
     (void *)(intptr_t)_Pycs_DO_POSITION},
    {"signatures", _Pycs_to_interface_get, NULL, "Its functions, a tuple of texts.",
     (void *)(intptr_t)_Pycs_DO_SIGNATURES},
    {NULL, NULL, NULL, NULL, NULL}
};

/* The metaclass of classes that stand for interfaces; a new reference. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_NewInterfaceMetaclass(_Pycs_API *api)
{
    PyType_Slot slots[12] = {{0, NULL}};         /* zeros end the list */
    PyTypeObject *made;
    int n = 0;
    _Pycs_SLOT(Py_tp_base, api->metaclass);
    _Pycs_SLOT(Py_tp_call, _Pycs_to_interface_call);
    _Pycs_SLOT(Py_tp_init, _Pycs_to_interface_init);
    /* (A heap type does not inherit these.) */
    _Pycs_SLOT(Py_tp_alloc, _Pycs_to_alloc);
    _Pycs_SLOT(Py_tp_dealloc, _Pycs_to_dealloc);
    _Pycs_SLOT(Py_tp_traverse, _Pycs_to_traverse);
    _Pycs_SLOT(Py_tp_clear, _Pycs_to_clear);
    _Pycs_SLOT(Py_tp_repr, _Pycs_to_interface_repr);
    _Pycs_SLOT(Py_tp_methods, _Pycs_interface_methods);
    _Pycs_SLOT(Py_tp_getset, _Pycs_interface_getset);
    made = _Pycs_NewHeapType(_Pycs_MODULE ".interface", sizeof(PyHeapExtensibleTypeObject), slots);
    if (made != NULL) _Pycs_MendMetaclass(made);
    return made;
}

/* The metaclass of extensibletype, and of all that derives from it; a new reference. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_NewMetaMetaclass(void)
{
    PyType_Slot slots[9] = {{0, NULL}};          /* zeros end the list */
    int n = 0;
    _Pycs_SLOT(Py_tp_base, &PyType_Type);
    _Pycs_SLOT(Py_tp_call, _Pycs_to_meta_call);
    _Pycs_SLOT(Py_tp_init, _Pycs_to_meta_init);
    _Pycs_SLOT(Py_tp_getattro, _Pycs_to_meta_getattro);
    _Pycs_SLOT(Py_tp_repr, _Pycs_to_meta_repr);
    _Pycs_SLOT(Py_tp_dealloc, _Pycs_to_meta_dealloc);
    _Pycs_SLOT(Py_tp_traverse, _Pycs_to_meta_traverse);
    _Pycs_SLOT(Py_tp_clear, _Pycs_to_meta_clear);
    return _Pycs_NewHeapType(_Pycs_MODULE "." _Pycs_ATTRIBUTE "_meta", sizeof(PyHeapTypeObject), slots);
}

/* Puts __module__ and __doc__ into the dict by hand: PyType_FromSpec() would write its strings
   over them.  0, or -1 with an exception. */
_Pycs_PRIVATE int
_Pycs_AddNames(PyTypeObject *metaclass)
{
    size_t i;
    for (i = 0; i < sizeof(_Pycs_names) / sizeof(_Pycs_names[0]); i++) {
        PyObject *descriptor = PyDescr_NewGetSet(metaclass, &_Pycs_names[i]);
        int failed = descriptor == NULL
                     || PyDict_SetItemString(metaclass->tp_dict, _Pycs_names[i].name, descriptor) < 0;
        Py_XDECREF(descriptor);
        if (failed) return -1;
    }
    return 0;
}

/* ----------------------------------------------------------------------------- data -- */

static _Pycs_THREAD_LOCAL _Pycs_Thread _Pycs_here;

static _Pycs_Thread *
_Pycs_thread(void)
{
    return &_Pycs_here;
}

_Pycs_PRIVATE void
_Pycs_InitCore(_Pycs_State *state)
{
    state->thread = _Pycs_thread;
    state->field_get = _Pycs_to_field_get;
    state->field_set = _Pycs_to_field_set;
    state->overridable = &_Pycs_overridable;
    state->setters = _Pycs_setters;
}
