/* SPDX-License-Identifier: MIT
 *
 * _customslots/process.h - one block of memory for all libraries of a process.
 * Included by customslots.h; not for direct use.
 *
 * Libraries that were built apart share no symbol.  What they have in common is the
 * main interpreter: a capsule in its PyInterpreterState_GetDict() holds the address.
 * An interpreter that asks for the first time looks there once (for which its thread
 * enters the main interpreter for a moment) and keeps a capsule of its own.  PyPy has one
 * interpreter and no such dictionary; there the capsule is an attribute of the module sys.
 *
 * The shared block is ABI: each library runs its own copy of the code on it.  It starts as zeros and is never freed.
 */

/* Is this the interpreter that the others look into?  Only CPython has others. */
_Pycs_UNUSED static int
_Pycs_IsMain(void)
{
#if _Pycs_SUPPORTED
    return PyInterpreterState_GetID(PyInterpreterState_Get()) == 0;
#else
    return 1;
#endif
}

/* Does this thread have an attached thread state, which is to say the GIL, where there is one?  Then it must not
   call PyGILState_Ensure(), which before CPython 3.12 waits without end in a sub-interpreter. */
_Pycs_UNUSED static inline int
_Pycs_IsAttached(void)
{
#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030B0000
    return 0;                      /* unknown: what the next line asks, 3.10 does not have */
#elif defined(Py_LIMITED_API)      /* 3.11's limited API cannot say: PyGILState_Ensure() finds out */
    return Py_Version >= 0x030C0000 && PyThreadState_GetDict() != NULL;     /* (see CheckGil()) */
#elif !_Pycs_SUPPORTED             /* PyPy, where it is what its name says */
    return PyGILState_Check();
#elif PY_VERSION_HEX >= 0x030D0000
    return PyThreadState_GetUnchecked() != NULL;
#elif PY_VERSION_HEX >= 0x030C0000
    return _PyThreadState_UncheckedGet() != NULL;
#else
    /* The thread state that has the GIL, whichever thread that is.  (PyGILState_Check() says 1 in
       every thread once there was a sub-interpreter.) */
    PyThreadState *current = _PyThreadState_UncheckedGet();
    return current != NULL && (current == PyGILState_GetThisThreadState()
                               || current->thread_id == PyThread_get_thread_ident());
#endif
}

#ifdef PYPY_VERSION
#  define _Pycs_STATE "the module sys"
#else
#  define _Pycs_STATE "the state dictionary of the interpreter"
#endif

/* RuntimeError: the place of this package's object holds another object. */
_Pycs_UNUSED static void
_Pycs_RefuseEntry(const char *what, PyObject *found, const char *key, const char *expected)
{
    PyObject *shown = _Pycs_Repr(found);
    if (shown == NULL) return;
    PyErr_Format(PyExc_RuntimeError,
                 "%s: found %U under '%s' in " _Pycs_STATE ", "
                 "expected %s; something else took this entry, remove it", what, shown, key,
                 expected);
    Py_DECREF(shown);
}

/* The address in the capsule that `dict` holds under `name`.  If there is none, a new capsule is put
   there, with the destructor, for `given` or, with `size` != 0, for new zeroed memory; with neither,
   NULL without an exception.  NULL with an exception if that fails. */
_Pycs_UNUSED static void *
_Pycs_SharedFromDict(PyObject *dict, const char *what, const char *name,
                     void *given, size_t size, PyCapsule_Destructor destructor)
{
    PyObject *key = NULL, *capsule = NULL, *held;
    void *fresh = NULL, *found = NULL;

    /* (Not interned: 3.13t interns a string while other threads compare with it.) */
    if (!(key = PyUnicode_FromString(name))) goto done;
    held = PyDict_GetItemWithError(dict, key);
    Py_XINCREF(held);
    if (held == NULL && PyErr_Occurred()) goto done;
    if (held == NULL && (given != NULL || size != 0)) {
        if (given == NULL && !(fresh = calloc(1, size))) {
            PyErr_NoMemory();
            goto done;
        }
        capsule = PyCapsule_New(given != NULL ? given : fresh, name, destructor);
        if (capsule == NULL) goto done;
        held = PyObject_CallMethod(dict, "setdefault", "OO", key, capsule);
        if (held == capsule) fresh = NULL;
    }
    if (held != NULL) {
        if (PyCapsule_IsValid(held, name)) found = PyCapsule_GetPointer(held, name);
        else _Pycs_RefuseEntry(what, held, name, "a capsule of that name");
        Py_DECREF(held);
    }
done:
    Py_XDECREF(key);
    Py_XDECREF(capsule);
    free(fresh);                /* its capsule came second, and is gone */
    return found;
}

/* The dictionary of the interpreter's state, where libraries that were built apart meet; borrowed.
   NULL without an exception: it is starting or ending.  Needs an attached thread state.

   CPython makes it on first use, without a lock: where there is no GIL, several threads may get one
   each, and all but the last are lost with what was put into them.  So the threads ask one after the
   other, in a critical section of an object that cannot be replaced. */
_Pycs_UNUSED static PyObject *
_Pycs_StateDict(void)
{
#ifdef PYPY_VERSION
    PyObject *sys = PyImport_AddModule("sys");
    if (sys == NULL) PyErr_Clear();
    return sys != NULL ? PyModule_GetDict(sys) : NULL;
#else
    PyInterpreterState *interp = PyInterpreterState_Get();
    PyObject *dict;
#if defined(Py_GIL_DISABLED) && (!defined(Py_LIMITED_API) || defined(Py_TARGET_ABI3T))
    Py_BEGIN_CRITICAL_SECTION(&PyType_Type);
    dict = PyInterpreterState_GetDict(interp);
    Py_END_CRITICAL_SECTION();
#else
    dict = PyInterpreterState_GetDict(interp);
#endif
    return dict;
#endif
}

/* The same, or NULL with a RuntimeError that begins with `what`. */
_Pycs_UNUSED static PyObject *
_Pycs_NeedStateDict(const char *what)
{
    PyObject *dict = _Pycs_StateDict();
    if (dict == NULL) {
        PyErr_Format(PyExc_RuntimeError,
                     "%s: this interpreter has no state dictionary (it is starting or ending)", what);
    }
    return dict;
}

/* A dict of our own in that dictionary, made if there is none; a new reference.  NULL with RuntimeError (also if
   something else is there) or MemoryError. */
_Pycs_UNUSED static PyObject *
_Pycs_DictInState(const char *what, const char *key)
{
    PyObject *dict = _Pycs_NeedStateDict(what), *fresh = dict != NULL ? PyDict_New() : NULL;
    PyObject *held = fresh != NULL ? PyObject_CallMethod(dict, "setdefault", "sO", key, fresh) : NULL;
    Py_XDECREF(fresh);
    if (held != NULL && !PyDict_CheckExact(held)) {
        _Pycs_RefuseEntry(what, held, key, "a dict");
        Py_CLEAR(held);
    }
    return held;
}

/* The memory that this process shares under `name`: `size` bytes, zeroed when it is
   asked for the first time.  `destructor`: runs when the main interpreter ends.  `what`
   begins the messages.  Needs an attached thread state.  NULL with RuntimeError or
   MemoryError. */
_Pycs_UNUSED static void *
_Pycs_GetShared(const char *what, const char *name, size_t size, PyCapsule_Destructor destructor)
{
    PyObject *dict = _Pycs_NeedStateDict(what);
    void *shared = NULL;

    if (dict == NULL) return NULL;
    if (_Pycs_IsMain()) return _Pycs_SharedFromDict(dict, what, name, NULL, size, destructor);
    shared = _Pycs_SharedFromDict(dict, what, name, NULL, 0, NULL);
    if (shared != NULL || PyErr_Occurred()) return shared;
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)        /* (on PyPy, this is not reached) */
    PyErr_Format(PyExc_RuntimeError,
                 "%s: the limited API cannot reach the main interpreter from a "
                 "sub-interpreter; call it in the main interpreter first, or build "
                 "without Py_LIMITED_API", what);
    return NULL;
#else
    {
        /* A thread that already has a state of the main interpreter must use that
           one: debug builds allow one for each thread and interpreter. */
        PyInterpreterState *main_interp = PyInterpreterState_Main();
        PyThreadState *here = PyThreadState_Get();
        PyThreadState *there = PyGILState_GetThisThreadState();
        PyThreadState *made = NULL;
        PyObject *main_dict;

        if (there == NULL || PyThreadState_GetInterpreter(there) != main_interp) {
            there = made = PyThreadState_New(main_interp);
            if (there == NULL) {
                PyErr_NoMemory();
                return NULL;
            }
        }
        PyThreadState_Swap(there);
        main_dict = _Pycs_StateDict();
        if (main_dict != NULL) shared = _Pycs_SharedFromDict(main_dict, what, name, NULL, size, destructor);
        PyErr_Clear();                           /* it belongs to the other interpreter */
        if (made != NULL) PyThreadState_Clear(made);
        PyThreadState_Swap(here);
        if (made != NULL) PyThreadState_Delete(made);
        if (shared == NULL) {
            PyErr_Format(PyExc_RuntimeError,
                         "%s: what the process shares as '%s' could not be had from the "
                         "main interpreter (something else took the entry in its state "
                         "dictionary, there is no memory, or the process is ending)",
                         what, name);
            return NULL;
        }
        return _Pycs_SharedFromDict(dict, what, name, shared, 0, NULL);
    }
#endif
}
