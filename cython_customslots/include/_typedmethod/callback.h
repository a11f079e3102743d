/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/callback.h - a library's side of callbacks: any callable, one of several
 * signatures, errors kept until the library's C code has returned.
 * Included by typedmethod.h; not for direct use.
 *
 * Each run of the library's C code is between PyTypedCallback_Enter() and PyTypedCallback_Leave()
 * (running.h); docs/callbacks.md has an example, which is compiled and run.  A C function's user data
 * (`double f(double, void *)`) is not part of a form: it is the context of the function that was found,
 * and passed as its first or last argument.
 */

/** A form in which a library calls, one of a list of them, the best first. */
/* [PyTypedCallbackForm.begin] */
typedef struct {
    uint64_t    signature;      /**< without user data; 0 ends the list */
    const char *prototype;      /**< the same in C, "double (int, double *)", or NULL; compared if
                                   the callable also says what its pointers point to */
    void       *hook;           /**< calls Python in this form; or NULL */
} PyTypedCallbackForm;
/* [PyTypedCallbackForm.end] */

/** Filled by PyTypedCallable_InitAny(); on the stack of the function that calls the library's C
   code.  Must not be moved or copied (but see PyTypedCallback_Copy()): a hook gets its address. */
/* [PyTypedCallback.begin] */
typedef struct PyTypedCallback {
    PyTypedCallable callable;           /**< strong; its signature is the form's */
    const PyTypedCallbackForm *forms;
    int      chosen;                    /**< the index of the form */
    int      is_typed;                  /**< 0: Python is called, by a hook or by conversion */
    void    *data;                      /**< for a hook; never looked at here */
    struct PyTypedCallback *previous;   /**< the one that this thread entered before; while entered */
    int      depth;                     /**< how many there are, 0: not entered */
    int      failed;                    /**< an error was kept: nothing is called any more */
    int      left;                      /**< calls until signals are checked */
    time_t   looked;                    /**< when that was done without the GIL */
    PyObject *error[3];                 /**< type, value, traceback */
    uint64_t  at_once[4];               /**< each is the signature if the C function needs only its
                                           arguments and says by -1 (NULL, true) that it may have
                                           raised: [0] without the GIL, if it raises nothing, [1] with
                                           it; [2] and [3] the same with the context last; else 0 */
    uintptr_t free_in;                  /**< the thread that has entered it, if the C function
                                           needs no GIL; else 0 */
} PyTypedCallback;
/* [PyTypedCallback.end] */

#define _Pycs_PAUSE                1024     /* calls */
#define PyTypedCallback_MAX_DEPTH  200      /**< runs inside runs, in one thread */

/* ------------------------------------------------------- finding out what to call -- */

/* A hook is a C function that needs the GIL and takes the callback as its first argument. */
_Pycs_UNUSED static void
_Pycs_SetHook(PyTypedCallback *callback, void *hook)
{
    PyTypedMethodCall *call = &callback->callable.call;
    call->function = hook;
    call->context = callback;
    call->flags = PyTypedMethod_CTX_FIRST | PyTypedMethod_RAISES_ANY;
}

/* Is the error value of this entry what callers return after an exception? */
_Pycs_UNUSED static int
_Pycs_IsUsualError(int result, PyTypedMethodError error)
{
    if (result >= PyTypedMethod_I1 && result <= PyTypedMethod_U8) {
        const int unused = 64 - (8 << (result - PyTypedMethod_I1) % 4);         /* bits */
        return error.u << unused == UINT64_MAX << unused;
    }
    if (result >= PyTypedMethod_F4 && result <= PyTypedMethod_F16) return error.f == -1.0;
    if (result == PyTypedMethod_BOOL) return error.u == 1;
    return (result == PyTypedMethod_POINTER || result == PyTypedMethod_OBJECT) && error.p == NULL;
}

/* Takes `held` (a new reference, stolen) as what is called in a form, typed or by Python; returns the form.
   callback->at_once is zeros. */
_Pycs_UNUSED static int
_Pycs_Take(PyTypedCallback *callback, int chosen, PyObject *held, int is_typed)
{
    const PyTypedMethodCall *call = &callback->callable.call;
    const uint64_t signature = callback->forms[chosen].signature;
    const uint32_t raises = call->flags & PyTypedMethod_RAISES;
    const int form = call->flags & PyTypedMethod_CTX_LAST ? 2 : 0;
    callback->chosen = chosen;
    callback->is_typed = is_typed;
    callback->callable.signature = signature;
    callback->callable.callable = held;
    _Pycs_SetCallable(&callback->callable);
    if (call->function != NULL && !(call->flags & PyTypedMethod_CTX_FIRST)
            && (raises == 0 || (raises != PyTypedMethod_RAISES_ANY
                                && _Pycs_IsUsualError(_Pycs_CODE_AT(signature, 0), call->error)))) {
        callback->at_once[form + 1] = signature;
        if ((call->flags & PyTypedMethod_NOGIL) && raises == 0) callback->at_once[form] = signature;
    }
    return chosen;
}

/* The first form that `callable` has a C function for; -1: none. */
_Pycs_UNUSED static int
_Pycs_FindForm(PyTypedCallback *callback, PyObject *callable)
{
    int i;
    for (i = 0; callback->forms[i].signature != 0; i++) {
        if (PyTypedMethod_Find(callable, callback->forms[i].signature, &callback->callable.call)) return i;
    }
    return -1;
}

/* Does a capsule's `name` say the same as `prototype`?  0: no; 1: yes; 2: with user data as the
   last argument; 3: as the first. */
_Pycs_UNUSED static int
_Pycs_CompareText(const char *name, const char *prototype)
{
    static const char behind[] = ", void *)", before[] = "void *, ";
    const size_t all = strlen(prototype);
    const char *bracket = strchr(prototype, '(');
    size_t start;
    if (strcmp(name, prototype) == 0) return 1;
    if (bracket == NULL || all == 0 || bracket[1] == ')') return 0;
    if (strncmp(name, prototype, all - 1) == 0 && strcmp(name + all - 1, behind) == 0) return 2;
    start = (size_t)(bracket - prototype) + 1;
    if (strncmp(name, prototype, start) != 0) return 0;
    if (strncmp(name + start, before, sizeof(before) - 1) != 0) return 0;
    return strcmp(name + start + sizeof(before) - 1, prototype + start) == 0 ? 3 : 0;
}

/* Must functions of this type (ctypes.PyDLL's, PYFUNCTYPE) be called with the GIL?  The last type
   that need not is remembered, by its version, which no other type of that interpreter gets.
   Sets no exception. */
_Pycs_UNUSED static int
_Pycs_NeedsGil(PyTypeObject *type)
{
#if defined(PYPY_VERSION) || defined(Py_LIMITED_API)
    const uintptr_t version = 0, owner = 0;                     /* not known */
#else
    const uintptr_t version = type->tp_version_tag;
    const uintptr_t owner = (uintptr_t)PyInterpreterState_GetID(PyInterpreterState_Get());
#endif
    static PyTypeObject *last = NULL;
    static uintptr_t last_version = 0, last_owner = 0;
    PyObject *name, *flags = NULL;
    int needs = 0;

    if (type == _Pycs_LOAD(PyTypeObject *, &last) && version != 0
            && version == _Pycs_LOAD(uintptr_t, &last_version)
            && owner == _Pycs_LOAD(uintptr_t, &last_owner)) return 0;
    if ((name = PyUnicode_InternFromString("_flags_")) != NULL) {
        flags = PyObject_GetAttr((PyObject *)type, name);
        Py_DECREF(name);
    }
    if (flags == NULL) PyErr_Clear();
    else if (PyLong_Check(flags)) needs = (PyLong_AsLong(flags) & 4) != 0;
    Py_XDECREF(flags);
    if (!needs) {
        _Pycs_STORE(uintptr_t, &last_version, version);
        _Pycs_STORE(uintptr_t, &last_owner, owner);
        _Pycs_STORE(PyTypeObject *, &last, type);
    }
    return needs;
}

/* SciPy's LowLevelCallables {capsule, function, user_data} whose capsule has exactly the prototype
   of a form as its name, so that nothing need be imported: the form's index, or -1.  As everywhere
   in SciPy, there is no check for an exception after each call: PyTypedCallback_Leave() makes it. */
_Pycs_UNUSED static int
_Pycs_FindLowLevel(PyTypedCallback *callback, PyObject *tuple)
{
    PyTypedMethodCall *call = &callback->callable.call;
    PyObject *capsule, *function;
    const char *name, *type = strrchr(_Pycs_TP_NAME(_Pycs_OB_TYPE(tuple)), '.');
    int i, said = 0, uses_api = 0;

    type = type != NULL ? type + 1 : _Pycs_TP_NAME(_Pycs_OB_TYPE(tuple));
    if (PyTuple_Size(tuple) != 3 || strcmp(type, "LowLevelCallable") != 0) return -1;
    capsule = PyTuple_GetItem(tuple, 0);
    function = PyTuple_GetItem(tuple, 1);
    if (!PyCapsule_CheckExact(capsule) || (name = PyCapsule_GetName(capsule)) == NULL) return -1;
    for (i = 0; callback->forms[i].signature != 0; i++) {
        const char *prototype = callback->forms[i].prototype;
        if (prototype != NULL && (said = _Pycs_CompareText(name, prototype))) break;
    }
    if (said == 0 || (said == 1 && PyTuple_GetItem(tuple, 2) != Py_None)) return -1;
    if (said == 3 && PyCapsule_GetContext(capsule) == NULL) return -1;
    if (!PyCapsule_CheckExact(function)) uses_api = _Pycs_NeedsGil(_Pycs_OB_TYPE(function));
    memset(call, 0, sizeof(*call));
    call->function = PyCapsule_GetPointer(capsule, name);
    if (said != 1) call->context = PyCapsule_GetContext(capsule);
    call->flags = (uses_api ? 0 : PyTypedMethod_NOGIL)
        | (said == 2 ? PyTypedMethod_CTX_LAST : said == 3 ? PyTypedMethod_CTX_FIRST : 0);
    if (uses_api) call->flags |= PyTypedMethod_RAISES_ANY;
    return i;
}

/* The forms as cython_customslots.typed reads them: a new tuple of pairs of text and
   prototype (or None). */
_Pycs_UNUSED static PyObject *
_Pycs_ShowForms(const PyTypedCallbackForm *forms)
{
    Py_ssize_t i, count = 0;
    PyObject *result;
    while (forms[count].signature != 0) count++;
    if (!(result = PyTuple_New(count))) return NULL;
    for (i = 0; i < count; i++) {
        PyObject *text = PyTypedMethod_Format(forms[i].signature), *pair = NULL;
        if (text != NULL) pair = Py_BuildValue("Nz", text, forms[i].prototype);
        if (pair == NULL) {
            Py_DECREF(result);
            return NULL;
        }
        PyTuple_SetItem(result, i, pair);
    }
    return result;
}

/* "f8(f8); f8(i4, pointer), in C double (int, double *), with user data ...": a new str. */
_Pycs_UNUSED static PyObject *
_Pycs_Expected(const PyTypedCallbackForm *forms)
{
    PyObject *words = PyUnicode_FromString("");
    int i;
    for (i = 0; words != NULL && forms[i].signature != 0; i++) {
        const char *prototype = forms[i].prototype;
        PyObject *text = PyTypedMethod_Format(forms[i].signature), *open = NULL, *more = NULL;
        if (text != NULL && prototype == NULL) {
            more = PyUnicode_FromFormat("%U%s%U", words, i > 0 ? "; " : "", text);
        }
        else if (text != NULL) {
            open = PyUnicode_FromStringAndSize(prototype, (Py_ssize_t)strlen(prototype) - 1);
            if (open != NULL) {
                more = PyUnicode_FromFormat(
                    "%U%s%U, in C '%s', with user data '%U%svoid *)'", words, i > 0 ? "; " : "",
                    text, prototype, open, strstr(prototype, "()") != NULL ? "" : ", ");
            }
        }
        Py_XDECREF(text);
        Py_XDECREF(open);
        Py_DECREF(words);
        words = more;
    }
    return words;
}

_Pycs_UNUSED static void
_Pycs_RefuseCallback(PyObject *callable, const PyTypedCallbackForm *forms)
{
    PyObject *expected = _Pycs_Expected(forms), *why = NULL, *shown = NULL;
    const int holds_one = PyTuple_Check(callable) || PyCapsule_CheckExact(callable);
    if (expected == NULL) goto done;
    if (!holds_one && !PyCallable_Check(callable)) {
        PyErr_Format(PyExc_TypeError, "found an object of type '%.200s', expected a callable for "
                     "one of: %U", _Pycs_TP_NAME(_Pycs_OB_TYPE(callable)), expected);
        goto done;
    }
    if (!(why = _Pycs_AskWhy("why_not_any", callable, _Pycs_ShowForms(forms), forms[0].signature))) goto done;
    if (!(shown = _Pycs_Repr(callable))) goto done;
    PyErr_Format(PyExc_ValueError, "found %U, expected a C function with one of these "
                 "signatures: %U (%U)", shown, expected, why);
done:
    Py_XDECREF(expected);
    Py_XDECREF(why);
    Py_XDECREF(shown);
}

/* The form in which Python is called: the first with a hook, else the first whose arguments
   can be passed to Python; -1: none. */
_Pycs_UNUSED static int
_Pycs_PythonForm(const PyTypedCallbackForm *forms)
{
    int i, k;
    for (i = 0; forms[i].signature != 0; i++) {
        if (forms[i].hook != NULL) return i;
    }
    for (i = 0; forms[i].signature != 0; i++) {
        _Pycs_Types types;
        if (_Pycs_Decode(forms[i].signature, &types) < 0) continue;
        for (k = 0; k < types.count && types.codes[k] != PyTypedMethod_POINTER; k++) {}
        if (k == types.count) return i;
    }
    return -1;
}

/* Are the forms valid?  0, or -1 with ValueError. */
_Pycs_UNUSED static int
_Pycs_CheckForms(const PyTypedCallbackForm *forms)
{
    _Pycs_Types types;
    int i;
    for (i = 0; forms[i].signature != 0; i++) {
        const char *prototype = forms[i].prototype;
        if (!(forms[i].signature & 1) || _Pycs_Decode(forms[i].signature, &types) < 0) {
            PyErr_Format(PyExc_ValueError, "PyTypedCallable_InitAny: found %llu as form %d, which "
                         "is no signature of up to eleven arguments; expected one made by "
                         "PyTypedMethod_SIG() or PyTypedMethod_SIGNATURE()",
                         (unsigned long long)forms[i].signature, i);
            return -1;
        }
        if (prototype != NULL && (strchr(prototype, '(') == NULL || prototype[strlen(prototype) - 1] != ')')) {
            PyErr_Format(PyExc_ValueError, "PyTypedCallable_InitAny: found '%.200s' as the "
                         "prototype of form %d, expected C as in 'double (int, double *)'",
                         prototype, i);
            return -1;
        }
    }
    if (i == 0) {
        PyErr_SetString(PyExc_ValueError, "PyTypedCallable_InitAny: found no forms, expected an "
                        "array of them, the best first, with a signature of 0 behind the last");
        return -1;
    }
    return 0;
}

/** Gets ready to call `callable` in the first of `forms` that it has a C function for; what was
   in *callback before is overwritten, not cleared.  `forms` must live as long as *callback.

   Finds typed functions and, if cython_customslots.typed can be imported, SciPy's
   LowLevelCallables with their user data (if the capsule's name is exactly a `prototype`, also
   without that import), ctypes and cffi functions, numba's cfuncs, njit functions (compiled for
   the form), ufuncs with such a loop, functools.partial() of a typed function with leading
   constants, functools.lru_cache() of one (bypassing the cache), and capsules that declare their
   types.  Nothing is converted, and types that the callable does not declare are accepted from
   the user only (typed.resolve()).

   All others are called through Python: in the first form with a hook, else the first that has
   no pointers, with the arguments converted.  A hook is called with the GIL, and with `callback`
   before the arguments of the form; it calls callback->callable.callable, and returns
   what callers return after an exception (-1, NULL, true for bool) if that raised.

   Returns the index of the form, also in callback->chosen: use the caller for that form.  -1 with
   TypeError (not callable), ValueError (a C function with other types or lost user data; no
   form that can be passed to Python; invalid forms) or an exception of an import; *callback is
   empty then, and may be cleared.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static int
PyTypedCallable_InitAny(PyTypedCallback *callback, PyObject *callable, const PyTypedCallbackForm *forms)
{
    int chosen;
    memset(callback, 0, sizeof(*callback));
    callback->forms = forms;
    callback->chosen = -1;
    callback->left = _Pycs_PAUSE;
    if (_Pycs_CheckGil("PyTypedCallable_InitAny") < 0) return -1;
    chosen = PyTuple_Check(callable) ? _Pycs_FindLowLevel(callback, callable) : _Pycs_FindForm(callback, callable);
    if (chosen >= 0) {
        Py_INCREF(callable);
        return _Pycs_Take(callback, chosen, callable, 1);
    }
    if (_Pycs_CheckForms(forms) < 0) return -1;
    if (!_Pycs_IsPlain(callable)) {
        PyObject *adapted = _Pycs_Adapt("adapt_any", callable, _Pycs_ShowForms(forms));
        if (adapted != NULL && (chosen = _Pycs_FindForm(callback, adapted)) >= 0) {
            return _Pycs_Take(callback, chosen, adapted, 1);
        }
        Py_XDECREF(adapted);
        if (PyErr_Occurred()) return -1;
    }
    memset(&callback->callable.call, 0, sizeof(callback->callable.call));
    chosen = PyCallable_Check(callable) ? _Pycs_PythonForm(forms) : -1;
    if (chosen < 0) {
        _Pycs_RefuseCallback(callable, forms);
        return -1;
    }
    if (forms[chosen].hook != NULL) _Pycs_SetHook(callback, forms[chosen].hook);
    Py_INCREF(callable);
    return _Pycs_Take(callback, chosen, callable, 0);
}

/** Why Python is called, and what would help: a new str, empty if a C function is
   called; NULL with an exception.  Needs what InitAny needs, and takes as long. */
_Pycs_UNUSED static PyObject *
PyTypedCallback_WhyNot(const PyTypedCallback *callback)
{
    if (callback->is_typed) return PyUnicode_FromString("");
    if (callback->callable.callable == NULL) {
        PyErr_SetString(PyExc_ValueError, "PyTypedCallback_WhyNot: found an empty "
                        "PyTypedCallback, expected one that was initialised");
        return NULL;
    }
    return _Pycs_AskWhy("why_not_any", callback->callable.callable, _Pycs_ShowForms(callback->forms),
                        callback->forms[0].signature);
}

/** Does each call need the GIL, as calls of Python, of a hook and of a C function that says so do?  Then C code
   that has released the GIL takes it again in each call, which takes several times as long as keeping it.  Needs
   neither the GIL nor a thread state. */
_Pycs_UNUSED static inline int
PyTypedCallback_NeedsGIL(const PyTypedCallback *callback)
{
    return (callback->callable.call.flags & PyTypedMethod_NOGIL) == 0;
}

/** For the tp_traverse of an object that holds one. */
#define PyTypedCallback_Traverse(callback) Py_VISIT((callback)->callable.callable)

/** Releases what is held, as PyTypedCallable_Clear().  Not while it is entered. */
_Pycs_UNUSED static inline void
PyTypedCallback_Clear(PyTypedCallback *callback)
{
    callback->is_typed = 0;
    callback->chosen = -1;
    memset(callback->at_once, 0, sizeof(callback->at_once));
    PyTypedCallable_Clear(&callback->callable);
}

/** Makes *copy, for one run, from a callback that an object holds and that several threads and
   nested runs may use.  *copy is overwritten, holds the same, and must be cleared, too. */
_Pycs_UNUSED static void
PyTypedCallback_Copy(PyTypedCallback *copy, const PyTypedCallback *callback)
{
    memset(copy, 0, sizeof(*copy));
    copy->callable = callback->callable;
    copy->forms = callback->forms;
    copy->chosen = callback->chosen;
    copy->is_typed = callback->is_typed;
    copy->data = callback->data;
    copy->left = _Pycs_PAUSE;
    memcpy(copy->at_once, callback->at_once, sizeof(copy->at_once));
    Py_XINCREF(copy->callable.callable);
    if (copy->callable.call.context == (const void *)callback) {
        copy->callable.call.context = copy;                     /* a hook's */
    }
}
