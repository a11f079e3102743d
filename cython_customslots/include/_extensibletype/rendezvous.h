/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/rendezvous.h - one metaclass for all providers of an interpreter.
 * Included by extensibletype.h; not for direct use.
 *
 *     sys.modules['_extensibletype']
 *         .extensibletype_v2         the metaclass
 *         .extensibletype_v2_meta    its metaclass, so that it can be pickled
 *         ._api                      capsule: _PyExtensibleType_API
 *
 * Whoever comes first creates both.  The authoritative entry is the same module in
 * PyInterpreterState_GetDict(): programs purge sys.modules, but there must never be a
 * second metaclass.  What is found is checked before it is used.
 */
#ifndef Py_EXTENSIBLETYPE_RENDEZVOUS_H
#define Py_EXTENSIBLETYPE_RENDEZVOUS_H

static PyGetSetDef _PyExtensibleType_getset[] = {
    {"__bases__", _PyExtensibleType_get_bases, _PyExtensibleType_set_bases, NULL, NULL},
    {"__base__", _PyExtensibleType_get_base, NULL, NULL, NULL},
    {"__dict__", _PyExtensibleType_get_dict, NULL, NULL, NULL},
    {_PyExtensibleType_FIELDS, _PyExtensibleType_get_own_values,
     _PyExtensibleType_set_own_values, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};
/* Put into the dict by hand: PyType_FromSpec() would write its strings over them. */
static PyGetSetDef _PyExtensibleType_names[] = {
    {"__module__", _PyExtensibleType_get_module, _PyExtensibleType_set_module, NULL, NULL},
    {"__doc__", _PyExtensibleType_get_doc, _PyExtensibleType_set_doc, NULL, NULL}
};

#define _PyExtensibleType_SLOT(id, function) \
    (slots[n].slot = (id), slots[n++].pfunc = (void *)(uintptr_t)(function))

/* A heap type with base `type`; `root`: extensibletype, otherwise its metaclass. */
_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_CreateType(int root)
{
    PyType_Slot slots[9];
    PyType_Spec spec;
    int n = 0;

    memset(&spec, 0, sizeof(spec));
    _PyExtensibleType_SLOT(Py_tp_base, &PyType_Type);
    if (root) {
        spec.name = _PyExtensibleType_MODULE "." _PyExtensibleType_ATTRIBUTE;
        spec.basicsize = (int)sizeof(PyHeapExtensibleTypeObject);
        _PyExtensibleType_SLOT(Py_tp_alloc, _PyExtensibleType_alloc);
        _PyExtensibleType_SLOT(Py_tp_init, _PyExtensibleType_init);
        _PyExtensibleType_SLOT(Py_tp_dealloc, _PyExtensibleType_dealloc);
        _PyExtensibleType_SLOT(Py_tp_traverse, _PyExtensibleType_traverse);
        _PyExtensibleType_SLOT(Py_tp_clear, _PyExtensibleType_clear);
        _PyExtensibleType_SLOT(Py_tp_getset, _PyExtensibleType_getset);
    }
    else {
        spec.name = _PyExtensibleType_MODULE "." _PyExtensibleType_ATTRIBUTE "_meta";
        spec.basicsize = (int)sizeof(PyHeapTypeObject);
        _PyExtensibleType_SLOT(Py_tp_call, _PyExtensibleType_meta_call);
        _PyExtensibleType_SLOT(Py_tp_init, _PyExtensibleType_meta_init);
        _PyExtensibleType_SLOT(Py_tp_getattro, _PyExtensibleType_meta_getattro);
        _PyExtensibleType_SLOT(Py_tp_repr, _PyExtensibleType_meta_repr);
        _PyExtensibleType_SLOT(Py_tp_dealloc, _PyExtensibleType_meta_dealloc);
        _PyExtensibleType_SLOT(Py_tp_traverse, _PyExtensibleType_meta_traverse);
        _PyExtensibleType_SLOT(Py_tp_clear, _PyExtensibleType_meta_clear);
    }
    _PyExtensibleType_SLOT(0, NULL);
    spec.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC
                 | Py_TPFLAGS_IMMUTABLETYPE;
    spec.slots = slots;
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

/* The descriptor in type.__dict__; type.tp_dict itself is NULL from 3.12 on. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_TypeAttribute(const char *name)
{
    PyObject *dict = PyObject_GetAttrString((PyObject *)&PyType_Type, "__dict__");
    PyObject *value = dict != NULL ? PyMapping_GetItemString(dict, name) : NULL;
    Py_XDECREF(dict);
    return value;
}

/* A new API, all of whose functions are the creator's; NULL with a MemoryError.  `root` is to
   own it. */
_PyCustomSlots_UNUSED static _PyExtensibleType_API *
_PyExtensibleType_NewAPI(PyTypeObject *root)
{
    _PyExtensibleType_API *api = (_PyExtensibleType_API *)PyMem_RawCalloc(1, sizeof(*api));
    if (api == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    api->own_buckets = 16;
    api->own = (_PyExtensibleType_Own **)PyMem_RawCalloc(16, sizeof(_PyExtensibleType_Own *));
    api->filled_buckets = 16;
    api->filled = (_PyExtensibleType_Filled **)PyMem_RawCalloc(
        16, sizeof(_PyExtensibleType_Filled *));
    if (api->own == NULL || api->filled == NULL) {
        PyMem_RawFree(api->own);
        PyMem_RawFree(api->filled);
        PyMem_RawFree(api);
        PyErr_NoMemory();
        return NULL;
    }
    api->rendezvous_version = _PyExtensibleType_RENDEZVOUS_VERSION;
    api->table_abi = PyCustomSlots_ABI_VERSION;
    api->api_size = (Py_ssize_t)sizeof(*api);
    api->interpreter = PyInterpreterState_Get();
    api->heaptype_size = (Py_ssize_t)sizeof(PyHeapTypeObject);
    api->type_size = (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject);
    api->metaclass = root;
    api->ready = _PyExtensibleType_ready;
    api->inherit_fields = _PyExtensibleType_inherit_fields;
    api->set_slots = _PyExtensibleType_set_slots;
    api->resolve = _PyExtensibleType_Resolve;
    api->calculate_metaclass = _PyExtensibleType_calculate_metaclass;
    api->new_static = _PyExtensibleType_new_static;
    api->publish = _PyExtensibleType_publish;
    api->from_spec = _PyExtensibleType_from_spec;
    api->register_fields = _PyExtensibleType_register_fields;
    api->set_field = _PyExtensibleType_set_field;
    api->delete_field = _PyExtensibleType_delete_field;
    api->own_fields = _PyExtensibleType_own_fields;
    api->set_field_object = _PyExtensibleType_set_field_object;
    api->share_layout = _PyExtensibleType_share_layout;
    api->combine = _PyExtensibleType_combine;
    return api;
}

/* The objects that the functions need: type's own descriptors, and names.  0, or -1 with an
   exception; what is there goes with the API. */
_PyCustomSlots_UNUSED static int
_PyExtensibleType_GetObjects(_PyExtensibleType_API *api)
{
    return (api->type_base = _PyExtensibleType_TypeAttribute("__base__"))
           && (api->type_bases = _PyExtensibleType_TypeAttribute("__bases__"))
           && (api->type_module = _PyExtensibleType_TypeAttribute("__module__"))
           && (api->type_doc = _PyExtensibleType_TypeAttribute("__doc__"))
           && (api->type_subclasses = _PyExtensibleType_TypeAttribute("__subclasses__"))
           && (api->type_mro = _PyExtensibleType_TypeAttribute("__mro__"))
           && (api->type_dict = _PyExtensibleType_TypeAttribute("__dict__"))
           && (api->name_module = PyUnicode_InternFromString("__module__"))
           && (api->name_doc = PyUnicode_InternFromString("__doc__"))
           && (api->name_mro = PyUnicode_InternFromString("mro"))
           && (api->name_new = PyUnicode_InternFromString("__new__"))
           && (api->name_slots = PyUnicode_InternFromString("__slots__"))
           && (api->name_fields = PyUnicode_InternFromString(_PyExtensibleType_FIELDS))
           && (api->metaclass_module = PyUnicode_FromString(_PyExtensibleType_MODULE))
           && (api->metaclass_doc = PyUnicode_FromString(
                  "The metaclass of types with custom slots and C fields (SEP 200)."))
           && (api->adopted_modules = PyDict_New()) ? 0 : -1;
}

/* A new API with its metaclass; a new reference to the metaclass, which owns it. */
_PyCustomSlots_UNUSED static PyTypeObject *
_PyExtensibleType_Create(void)
{
    _PyExtensibleType_API *api = NULL;
    PyTypeObject *meta = NULL, *root = NULL;
    PyHeapExtensibleTypeObject *r;
    size_t i;
    int done = 0;

    if (!(meta = _PyExtensibleType_CreateType(0))) goto end;
    if (!(root = _PyExtensibleType_CreateType(1))) goto end;
    for (i = 0; i < sizeof(_PyExtensibleType_names) / sizeof(_PyExtensibleType_names[0]); i++) {
        PyObject *descriptor = PyDescr_NewGetSet(root, &_PyExtensibleType_names[i]);
        int failed = descriptor == NULL
                     || PyDict_SetItemString(root->tp_dict, _PyExtensibleType_names[i].name,
                                             descriptor) < 0;
        Py_XDECREF(descriptor);
        if (failed) goto end;
    }
    if (!(api = _PyExtensibleType_NewAPI(root))) goto end;
    /* From here on the metaclass owns the API and frees it with itself. */
    r = (PyHeapExtensibleTypeObject *)root;
    Py_SET_TYPE((PyObject *)root, meta);
    meta = NULL;
    r->etp_private = api;
    r->etp_check = (uintptr_t)root ^ _PyExtensibleType_ROOT;
    PyType_Modified(root);
    if (_PyExtensibleType_GetObjects(api) < 0) goto end;
    done = 1;
end:
    Py_XDECREF((PyObject *)meta);
    if (!done) Py_CLEAR(root);
    return root;
}

/* A module that holds the metaclass and its API; a new reference. */
_PyCustomSlots_UNUSED static PyObject *
_PyExtensibleType_CreateModule(void)
{
    PyTypeObject *root = _PyExtensibleType_Create();
    PyObject *capsule = NULL, *module = NULL;

    if (root == NULL) return NULL;
    capsule = PyCapsule_New(((PyHeapExtensibleTypeObject *)root)->etp_private,
                            _PyExtensibleType_CAPSULE, NULL);
    module = capsule != NULL ? PyModule_New(_PyExtensibleType_MODULE) : NULL;
    if (module == NULL
            || PyObject_SetAttrString(module, _PyExtensibleType_ATTRIBUTE, (PyObject *)root) < 0
            || PyObject_SetAttrString(module, _PyExtensibleType_ATTRIBUTE "_meta",
                                      (PyObject *)Py_TYPE(root)) < 0
            || PyObject_SetAttrString(module, "_api", capsule) < 0) {
        Py_CLEAR(module);
    }
    Py_XDECREF(capsule);
    Py_DECREF((PyObject *)root);
    return module;
}

/* ImportError: what was found where, what was expected, what to do.  Takes the place of
   a pending error, which becomes its cause, but not of a MemoryError or of what is no error
   (KeyboardInterrupt).  Always NULL. */
_PyCustomSlots_UNUSED static _PyExtensibleType_API *
_PyExtensibleType_Refuse(PyObject *found, const char *expected)
{
    PyObject *type = NULL, *cause = NULL, *traceback = NULL, *shown = NULL;

    if (PyErr_Occurred() && !_PyCustomSlots_IsReplaceable()) return NULL;
    PyErr_Fetch(&type, &cause, &traceback);
    if (type != NULL) PyErr_NormalizeException(&type, &cause, &traceback);
    if (traceback != NULL) (void)PyException_SetTraceback(cause, traceback);
    if (!(shown = _PyCustomSlots_Show(found))) goto done;
    PyErr_Format(PyExc_ImportError,
                 "sys.modules['" _PyExtensibleType_MODULE "']: found %U, expected %s. "
                 "Something else took this name, or a provider of another version was "
                 "imported first: rebuild all modules that use extensibletype.h with the "
                 "same cython-customslots, and remove whatever else sets this entry",
                 shown, expected);
    if (cause != NULL) {
        PyObject *error, *value, *where;
        PyErr_Fetch(&error, &value, &where);
        PyErr_NormalizeException(&error, &value, &where);
        PyException_SetCause(value, cause);         /* which it steals */
        cause = NULL;
        PyErr_Restore(error, value, where);
    }
done:
    Py_XDECREF(type);
    Py_XDECREF(cause);
    Py_XDECREF(traceback);
    Py_XDECREF(shown);
    return NULL;
}

/* The API in a module that claims to be the rendezvous; borrowed, NULL + ImportError. */
_PyCustomSlots_UNUSED static _PyExtensibleType_API *
_PyExtensibleType_Validate(PyObject *module)
{
    PyObject *metaclass = NULL, *capsule = NULL, *expected = NULL;
    _PyExtensibleType_API *api = NULL, *result = NULL;
    const char *words;

    if (!PyModule_Check(module)) {
        return _PyExtensibleType_Refuse(
            module, "a module with the attribute " _PyExtensibleType_ATTRIBUTE);
    }
    metaclass = PyObject_GetAttrString(module, _PyExtensibleType_ATTRIBUTE);
    if (metaclass == NULL) {
        _PyExtensibleType_Refuse(
            module, "its attribute " _PyExtensibleType_ATTRIBUTE ", which is missing or "
            "cannot be read");
        goto done;
    }
    if (!PyType_Check(metaclass)
            || !PyType_IsSubtype((PyTypeObject *)metaclass, &PyType_Type)
            || _PyExtensibleType_APIOf((PyTypeObject *)metaclass) == NULL) {
        _PyExtensibleType_Refuse(
            metaclass, "as " _PyExtensibleType_ATTRIBUTE " the metaclass extensibletype");
        goto done;
    }
    capsule = PyObject_GetAttrString(module, "_api");
    if (capsule == NULL || !PyCapsule_IsValid(capsule, _PyExtensibleType_CAPSULE)) {
        _PyExtensibleType_Refuse(capsule != NULL ? capsule : module,
                                 "as _api a capsule named " _PyExtensibleType_CAPSULE);
        goto done;
    }
    api = (_PyExtensibleType_API *)PyCapsule_GetPointer(capsule, _PyExtensibleType_CAPSULE);
    if (api->rendezvous_version != _PyExtensibleType_RENDEZVOUS_VERSION
            || api->table_abi != PyCustomSlots_ABI_VERSION
            || api->api_size < (Py_ssize_t)sizeof(*api)
            || api->heaptype_size != (Py_ssize_t)sizeof(PyHeapTypeObject)
            || api->type_size != (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject)
            || (PyObject *)api->metaclass != metaclass
            || _PyExtensibleType_APIOf(api->metaclass) != api
            || api->metaclass->tp_basicsize
                   != (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject)) {
        /* By Python: C's own snprintf() has no %zd on all Windows. */
        expected = PyUnicode_FromFormat(
            "rendezvous %d, table ABI %d, API size >= %zd, type sizes %zd and %zd "
            "(it has %u, %u, %zd, %zd, %zd)", _PyExtensibleType_RENDEZVOUS_VERSION,
            PyCustomSlots_ABI_VERSION, (Py_ssize_t)sizeof(*api),
            (Py_ssize_t)sizeof(PyHeapTypeObject),
            (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject), (unsigned)api->rendezvous_version,
            (unsigned)api->table_abi, api->api_size, api->heaptype_size, api->type_size);
        if (expected != NULL && (words = PyUnicode_AsUTF8(expected)) != NULL) {
            _PyExtensibleType_Refuse(capsule, words);
        }
        goto done;
    }
    result = api;
done:
    Py_XDECREF(metaclass);
    Py_XDECREF(capsule);
    Py_XDECREF(expected);
    return result;
}

/* The entry of `dict` under our name, which `module` becomes if there is none: the
   same object in every thread.  A new reference, NULL with an exception. */
_PyCustomSlots_UNUSED static inline PyObject *
_PyExtensibleType_SetDefault(PyObject *dict, PyObject *module)
{
    return PyObject_CallMethod(dict, "setdefault", "sO", _PyExtensibleType_MODULE, module);
}

/* The API of this interpreter, made if there is none; borrowed, lives as long as the
   interpreter.  NULL with ImportError or MemoryError.  Nothing is cached: a static
   would be wrong in the next interpreter. */
_PyCustomSlots_UNUSED static _PyExtensibleType_API *
_PyExtensibleType_GetAPI(void)
{
    PyObject *modules = PyImport_GetModuleDict();      /* borrowed */
    PyObject *dict = _PyCustomSlots_StateDict();
    PyObject *name = NULL, *held = NULL, *seen = NULL, *fresh = NULL;
    _PyExtensibleType_API *api = NULL, *result = NULL;

    if (dict == NULL || modules == NULL) {
        PyErr_SetString(PyExc_ImportError,
                        "extensibletype: this interpreter has no sys.modules or no state "
                        "dictionary (it is starting or ending)");
        return NULL;
    }
    if (!(name = PyUnicode_InternFromString(_PyExtensibleType_MODULE))) goto done;
    held = PyDict_GetItemWithError(dict, name);
    Py_XINCREF(held);
    if (held == NULL && PyErr_Occurred()) goto done;
    if (held == NULL) {
        /* Junk under our name is reported before anything is made. */
        seen = PyObject_GetItem(modules, name);
        if (seen != NULL && !_PyExtensibleType_Validate(seen)) goto done;
        if (seen == NULL && !PyErr_ExceptionMatches(PyExc_KeyError)) goto done;
        PyErr_Clear();
        if (seen == NULL && !(fresh = _PyExtensibleType_CreateModule())) goto done;
        if (!(held = _PyExtensibleType_SetDefault(dict, seen ? seen : fresh))) goto done;
        Py_CLEAR(seen);
    }
    if (!(api = _PyExtensibleType_Validate(held))) goto done;
    /* Every class that is made comes here; setdefault() is only for the first of them. */
    if (PyDict_Check(modules)) {
#if PY_VERSION_HEX >= 0x030D0000
        if (PyDict_GetItemRef(modules, name, &seen) < 0) goto done;     /* others may write to it */
#else
        seen = PyDict_GetItemWithError(modules, name);
        Py_XINCREF(seen);
        if (seen == NULL && PyErr_Occurred()) goto done;
#endif
    }
    if (seen == NULL && !(seen = _PyExtensibleType_SetDefault(modules, held))) goto done;
    if (seen != held) {
        if (_PyExtensibleType_Validate(seen)) {
            _PyExtensibleType_Refuse(seen, "the rendezvous of this interpreter");
        }
        goto done;
    }
    result = api;
done:
    Py_XDECREF(name);
    Py_XDECREF(held);
    Py_XDECREF(seen);
    Py_XDECREF(fresh);
    return result;
}

#endif /* Py_EXTENSIBLETYPE_RENDEZVOUS_H */
