/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/find.h - where providers meet.
 * Included by extensibletype.h; not for direct use.
 *
 * They meet in the module sys.modules['_extensibletype'] (docs/abi-rendezvous.md has its attributes).  The
 * authoritative entry is the same module in PyInterpreterState_GetDict(): programs purge
 * sys.modules, but there must never be a second metaclass.  What is found is checked before
 * it is used.  Where nothing is found, this module makes it, or one that it imports does:
 * extensibletype.h, "who implements".
 */

#ifdef _Pycs_CARRIES
/* A function of the implementation that this module carries (customslots_runtime.h): a new module
   that holds a metaclass and its API; NULL with an exception. */
_Pycs_ENTRY PyObject *_Pycs_CreateModule(void);
/* This module's implementation meets this API: it takes over if it is newer, see
   _Pycs_MET_*.  0, or -1 with a MemoryError. */
_Pycs_ENTRY int _Pycs_Meet(_Pycs_API *api);
#  ifdef PyExtensibleType_RUNTIME_LINKED
/* The carrier that the implementation names, if it was compiled for several modules. */
extern _Pycs_HIDDEN const char _Pycs_linked_into[];
const char _Pycs_linked_into[] = PyExtensibleType_MODULE_NAME;
#  endif
#endif

/* ImportError: `message`, which says what was found where, what was expected and what to do; if
   `found` is not NULL, `message` is a format for the repr of `found` and for `expected`.  Takes
   the place of a pending error, which becomes its cause, but not of a MemoryError or of what is
   no error (KeyboardInterrupt).  Always NULL. */
_Pycs_SLOW void *
_Pycs_Raise(const char *message, PyObject *found, const char *expected)
{
    PyObject *cause, *error, *shown = NULL;

    if (PyErr_Occurred() && !_Pycs_IsReplaceable()) return NULL;
    cause = _Pycs_TakeRaised();
    if (found != NULL && !(shown = _Pycs_Repr(found))) goto done;
    if (found != NULL) PyErr_Format(PyExc_ImportError, message, shown, expected);
    else PyErr_SetString(PyExc_ImportError, message);
    if (cause != NULL) {
        error = _Pycs_TakeRaised();
        PyException_SetCause(error, cause);         /* which it steals */
        cause = NULL;
        _Pycs_RaiseAgain(error);
    }
done:
    Py_XDECREF(cause);
    Py_XDECREF(shown);
    return NULL;
}

/* The same for an object that was found in the place of the rendezvous. */
_Pycs_SLOW _Pycs_API *
_Pycs_Refuse(PyObject *found, const char *expected)
{
    return (_Pycs_API *)_Pycs_Raise(
        "sys.modules['" _Pycs_MODULE "']: found %U, expected %s. "
        "Something else took this name, or another version was imported first: rebuild all "
        "modules that use extensibletype.h with the same cython-customslots, and remove whatever "
        "else sets this entry",
        found, expected);
}

/* The same for a module without a metaclass of this version, which may have one of another. */
_Pycs_SLOW _Pycs_API *
_Pycs_RefuseModule(PyObject *module)
{
    char words[160], other[32];
    int i = 16;
    do {
        PyOS_snprintf(other, sizeof(other), "extensibletype_v%d", --i);
    } while (i > 0 && PyDict_GetItemString(PyModule_GetDict(module), other) == NULL);
    PyOS_snprintf(words, sizeof(words), "its attribute " _Pycs_ATTRIBUTE ", which is "
                  "missing or cannot be read (another version: %s)", i > 0 ? other : "none");
    return _Pycs_Refuse(module, words);
}

/* The same for an API that is not what this module was built for.  Says which implementation serves, if that can be
   read safely: this metaclass names the API, and is of this version. */
_Pycs_SLOW _Pycs_API *
_Pycs_RefuseAPI(PyObject *capsule, const _Pycs_API *api, PyTypeObject *metaclass)
{
    const _Pycs_Impl *impl = NULL;
    char words[640], who[300] = "no implementation with a name";

    if (api->rendezvous_version == _Pycs_RENDEZVOUS_VERSION && _Pycs_APIOf(metaclass) == api) {
        impl = _Pycs_IMPL(api);
    }
    if (impl != NULL && impl->module != NULL) {
        PyOS_snprintf(who, sizeof(who), "implementation %u.%u.%u of module '%.200s' with %u functions",
                      (unsigned)(impl->number >> 24), (unsigned)(impl->number >> 12 & 0xFFF),
                      (unsigned)(impl->number & 0xFFF), impl->module[0] != '\0' ? impl->module : "?",
                      (unsigned)impl->count);
    }
    /* (%ld, because not every C library has %zd.) */
    PyOS_snprintf(
        words, sizeof(words),
        "rendezvous %d, table ABI %d, type sizes %ld and %ld, %u functions "
        "or more, and the metaclass beside it (it has %u, %u, %ld, %ld, %s%s)",
        _Pycs_RENDEZVOUS_VERSION, PyCustomSlots_ABI_VERSION,
        (long)sizeof(PyHeapTypeObject), (long)sizeof(PyHeapExtensibleTypeObject),
        (unsigned)_Pycs_FIRST_COUNT, (unsigned)api->rendezvous_version,
        (unsigned)api->table_abi, (long)api->heaptype_size, (long)api->type_size, who,
        impl != NULL && api->state == NULL ? " and no state" : "");
    return _Pycs_Refuse(capsule, words);
}

/* The API in a module that claims to be the rendezvous; borrowed, NULL + ImportError. */
_Pycs_UNUSED static _Pycs_API *
_Pycs_Validate(PyObject *module)
{
    PyObject *metaclass = NULL, *capsule = NULL;
    _Pycs_API *api = NULL, *result = NULL;
    const _Pycs_Impl *impl;

    if (!PyModule_Check(module)) {
        return _Pycs_Refuse(module, "a module with the attribute " _Pycs_ATTRIBUTE);
    }
    metaclass = PyObject_GetAttrString(module, _Pycs_ATTRIBUTE);
    if (metaclass == NULL) {
        _Pycs_RefuseModule(module);
        goto done;
    }
    if (!PyType_Check(metaclass)
            || !PyType_IsSubtype((PyTypeObject *)metaclass, &PyType_Type)
            || _Pycs_APIOf((PyTypeObject *)metaclass) == NULL) {
        _Pycs_Refuse(metaclass, "as " _Pycs_ATTRIBUTE " the metaclass extensibletype");
        goto done;
    }
    capsule = PyObject_GetAttrString(module, "_api");
    if (capsule != NULL) {
        api = (_Pycs_API *)PyCapsule_GetPointer(capsule, _Pycs_CAPSULE);
    }
    if (api == NULL) {
        _Pycs_Refuse(capsule != NULL ? capsule : module, "as _api a capsule named " _Pycs_CAPSULE);
        goto done;
    }
    if (api->rendezvous_version == _Pycs_RENDEZVOUS_VERSION
            && api->table_abi == PyCustomSlots_ABI_VERSION
            && api->heaptype_size == (Py_ssize_t)sizeof(PyHeapTypeObject)
            && api->type_size == (Py_ssize_t)sizeof(PyHeapExtensibleTypeObject)
            && (PyObject *)api->metaclass == metaclass && _Pycs_APIOf(api->metaclass) == api
            && api->metaclass->tp_basicsize == api->type_size
            && api->state != NULL && (impl = _Pycs_IMPL(api)) != NULL
            && impl->count >= _Pycs_FIRST_COUNT && impl->module != NULL) result = api;
    else _Pycs_RefuseAPI(capsule, api, (PyTypeObject *)metaclass);
done:
    Py_XDECREF(metaclass);
    Py_XDECREF(capsule);
    return result;
}

/* A module that holds metaclass and API, where there is none yet: made by the implementation that
   this module carries, or left in `dict` by the import of another module.  A
   new reference, NULL with ImportError or MemoryError. */
_Pycs_UNUSED static PyObject *
_Pycs_Obtain(PyObject *dict, PyObject *name)
{
    (void)dict;
    (void)name;
#if defined(_Pycs_CARRIES)
    return _Pycs_CreateModule();
#elif defined(PyExtensibleType_RUNTIME_MODULE)
    PyObject *imported = PyImport_ImportModule(PyExtensibleType_RUNTIME_MODULE), *found = NULL;

    if (imported != NULL) {
        found = PyObject_GetItem(dict, name);
        Py_DECREF(imported);
        if (found != NULL || !PyErr_ExceptionMatches(PyExc_KeyError)) return found;
    }
    return (PyObject *)_Pycs_Raise(
        "extensible types: found no implementation in this interpreter, expected one from module '"
        PyExtensibleType_RUNTIME_MODULE "'; " _Pycs_RUNTIME_ADVICE, NULL, NULL);
#else
    PyErr_SetString(PyExc_ImportError,
                    "extensible types: found no implementation in this interpreter, and this file "
                    "was compiled to carry none (PyExtensibleType_RUNTIME_ELSEWHERE); call a "
                    "function of extensibletype.h in the file of this module that carries one "
                    "before");
    return NULL;
#endif
}

/* The API of this interpreter, made if there is none; borrowed, lives as long as the
   interpreter.  NULL with ImportError or MemoryError.  Nothing is cached: a static
   would be wrong in the next interpreter. */
_Pycs_UNUSED static _Pycs_API *
_Pycs_GetAPI(void)
{
    PyObject *modules = PyImport_GetModuleDict();      /* borrowed */
    PyObject *dict = _Pycs_StateDict();
    PyObject *name = NULL, *held = NULL, *seen = NULL, *fresh = NULL;
    _Pycs_API *api = NULL, *result = NULL;

    if (dict == NULL || modules == NULL) {
        PyErr_SetString(PyExc_ImportError,
                        "extensibletype: found no sys.modules or state dictionary: the "
                        "interpreter is ending");
        return NULL;
    }
    if (!(name = PyUnicode_InternFromString(_Pycs_MODULE))) goto done;
    if (_Pycs_LookUp(dict, name, &held) < 0) goto done;
    if (held == NULL) {
        /* Junk under our name is reported before anything is made. */
        seen = PyObject_GetItem(modules, name);
        if (seen != NULL && !_Pycs_Validate(seen)) goto done;
        if (seen == NULL && !PyErr_ExceptionMatches(PyExc_KeyError)) goto done;
        PyErr_Clear();
        if (seen == NULL && !(fresh = _Pycs_Obtain(dict, name))) goto done;
        /* The same object in every thread. */
        held = PyObject_CallMethod(dict, "setdefault", "OO", name, seen != NULL ? seen : fresh);
        if (held == NULL) goto done;
        Py_CLEAR(seen);
    }
    if (!(api = _Pycs_Validate(held))) goto done;
    /* This runs for every class that is made; setdefault() is only for the first of them. */
    if (PyDict_Check(modules) && _Pycs_LookUp(modules, name, &seen) < 0) goto done;
    if (seen == NULL && !(seen = PyObject_CallMethod(modules, "setdefault", "OO", name, held))) goto done;
    if (seen != held) {
        if (_Pycs_Validate(seen)) {
            _Pycs_Refuse(seen, "the rendezvous of this interpreter");
        }
        goto done;
    }
#ifdef _Pycs_CARRIES
    if (_Pycs_Meet(api) < 0) goto done;
#endif
    result = api;
done:
    Py_XDECREF(name);
    Py_XDECREF(held);
    Py_XDECREF(seen);
    Py_XDECREF(fresh);
    return result;
}
