/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/callable.h - hold any Python callable, and call it with C values.
 * Included by typedmethod.h; not for direct use.
 *
 * A PyTypedCallable is initialised once and called often (caller.h).  If the callable
 * has a C function with the signature, that function is called; if not, Python is, with
 * arguments and result converted, so the calling code need not know which.
 */

/** Starts as zeros; filled by PyTypedCallable_Init(). */
/* [PyTypedCallable.begin] */
typedef struct {
    PyTypedMethodCall call;         /**< function NULL: through Python */
    uint64_t          signature;
    PyObject         *callable;     /**< strong */
    uint64_t          at_once[4];   /**< each is the signature if a call needs only its arguments:
                                       [0] without the GIL, [1] with it; [2] and [3] the same with
                                       the context first; else 0 */
} PyTypedCallable;
/* [PyTypedCallable.end] */

/* Fills at_once: a C function is called at once if only the error value needs another look. */
_Pycs_UNUSED static inline void
_Pycs_SetCallable(PyTypedCallable *held)
{
    const uint32_t flags = held->call.flags;
    const int form = flags & PyTypedMethod_CTX_FIRST ? 2 : 0;
    memset(held->at_once, 0, sizeof(held->at_once));
    if (held->call.function == NULL || (flags & PyTypedMethod_CTX_LAST)
            || (flags & PyTypedMethod_RAISES) == PyTypedMethod_RAISES_ANY) return;
    held->at_once[form + 1] = held->signature;
    if (flags & PyTypedMethod_NOGIL) held->at_once[form] = held->signature;
}

/** For the tp_traverse of an object that holds one. */
#define PyTypedCallable_Traverse(held) Py_VISIT((held)->callable)

/** Releases what is held, which may run Python code; *held is zero afterwards.  Not while a
   call of it is running.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static inline void
PyTypedCallable_Clear(PyTypedCallable *held)
{
    PyObject *callable = held->callable;
    memset(held, 0, sizeof(*held));
    Py_XDECREF(callable);
}

/** Is it called as a C function? */
_Pycs_UNUSED static inline int
PyTypedCallable_IsTyped(const PyTypedCallable *held)
{
    return held->call.function != NULL;
}

/* TypeError: neither C nor Python can call it.  For an object that holds a C function for others
   (a LowLevelCallable, a capsule, an object with numba's protocol) the user may have expected that
   to be called, so the message says why it is not. */
_Pycs_UNUSED static void
_Pycs_RefuseUncallable(PyObject *object, uint64_t signature)
{
    const int may_hold_one = PyTuple_Check(object) || PyCapsule_CheckExact(object)
        || PyObject_HasAttrString((PyObject *)_Pycs_OB_TYPE(object), "__wrapper_address__");
    PyObject *text = PyTypedMethod_Format(signature), *why = NULL;

    if (text == NULL) goto done;
    why = may_hold_one ? _Pycs_WhyNotAdapted(object, signature) : PyUnicode_FromString("");
    if (why == NULL) goto done;
    PyErr_Format(PyExc_TypeError, "found an object of type '%.200s', expected a callable for "
                 "%U%s%U", _Pycs_TP_NAME(_Pycs_OB_TYPE(object)), text, may_hold_one ? ": " : "", why);
done:
    Py_XDECREF(text);
    Py_XDECREF(why);
}

/* Raises `exception`: the callable has no C function, and `expected` says why Python will not do. */
_Pycs_UNUSED static void
_Pycs_RefuseUntyped(PyObject *exception, PyObject *callable, uint64_t signature, const char *expected)
{
    PyObject *text = PyTypedMethod_Format(signature), *shown = NULL, *why = NULL;

    if (text == NULL) goto done;
    if (!(why = _Pycs_WhyNotAdapted(callable, signature))) goto done;
    if (!(shown = _Pycs_Repr(callable))) goto done;
    PyErr_Format(exception, "found %U, which has no C function with signature %U, expected one "
                 "that has%s (%U)", shown, text, expected, why);
done:
    Py_XDECREF(text);
    Py_XDECREF(shown);
    Py_XDECREF(why);
}

/** Gets ready to call `callable`; what was in *held before is overwritten, not cleared.
   Callables of other libraries (ctypes, cffi, numba, ufuncs, SciPy), and functools.partial() and
   lru_cache() of any callable with a C function, count as C functions if the package
   cython_customslots.typed can be imported; this function imports it for them.
   0, or -1 with TypeError (it can be called neither as a C function nor by Python) or
   ValueError (not a signature; or one with a pointer, which cannot be passed to Python, and
   there is no such C function); *held is zero then.  Needs the GIL or an attached thread
   state. */
_Pycs_UNUSED static int
PyTypedCallable_Init(PyTypedCallable *held, PyObject *callable, uint64_t signature)
{
    _Pycs_Types types;
    int i;

    memset(held, 0, sizeof(*held));
    if (_Pycs_CheckGil("PyTypedCallable_Init") < 0) return -1;
    if (_Pycs_Decode(signature, &types) < 0) {
        PyErr_Format(PyExc_ValueError, "PyTypedCallable_Init: found %llu, which is no "
                     "signature; expected one made by PyTypedMethod_SIG() or "
                     "PyTypedMethod_Parse()", (unsigned long long)signature);
        return -1;
    }
    if (!PyTypedMethod_Find(callable, signature, &held->call)) {
        PyObject *adapted = _Pycs_IsPlain(callable) ? NULL
            : _Pycs_Adapt("adapt", callable, PyTypedMethod_Format(signature));
        if (adapted != NULL && PyTypedMethod_Find(adapted, signature, &held->call)) {
            held->signature = signature;
            held->callable = adapted;
            _Pycs_SetCallable(held);
            return 0;
        }
        Py_XDECREF(adapted);
        if (PyErr_Occurred()) return -1;
        if (!PyCallable_Check(callable)) {
            _Pycs_RefuseUncallable(callable, signature);
            return -1;
        }
        for (i = 0; i < types.count; i++) {
            if (types.codes[i] != PyTypedMethod_POINTER) continue;
            _Pycs_RefuseUntyped(PyExc_ValueError, callable, signature, ": Python cannot be given a pointer");
            return -1;
        }
    }
    held->signature = signature;
    Py_INCREF(callable);
    held->callable = callable;
    _Pycs_SetCallable(held);
    return 0;
}

/** PyTypedCallable_Init() for callers that would rather have an error than call Python: a TypeError
   says why the callable has no such C function, as PyTypedCallable_WhyNot() does. */
_Pycs_UNUSED static int
PyTypedCallable_InitTyped(PyTypedCallable *held, PyObject *callable, uint64_t signature)
{
    if (PyTypedCallable_Init(held, callable, signature) < 0) return -1;
    if (PyTypedCallable_IsTyped(held)) return 0;
    _Pycs_RefuseUntyped(PyExc_TypeError, callable, signature, "");
    PyTypedCallable_Clear(held);
    return -1;
}

/** Why it is called through Python, and what would help: another signature, an
   import of cython_customslots.typed that failed.  A new str, empty if it is called as a C
   function; NULL with ValueError (it is empty) or MemoryError.  Takes as long as
   PyTypedCallable_Init().  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static PyObject *
PyTypedCallable_WhyNot(const PyTypedCallable *held)
{
    if (held->callable == NULL) {
        PyErr_SetString(PyExc_ValueError, "PyTypedCallable_WhyNot: found an empty "
                        "PyTypedCallable, expected one that was initialised");
        return NULL;
    }
    if (PyTypedCallable_IsTyped(held)) return PyUnicode_FromString("");
    return _Pycs_WhyNotAdapted(held->callable, held->signature);
}

/* ------------------------------------------------------------------- the GIL -- */

/* Does this thread have a thread state, attached or not?  PyPy crashes when it is asked in a
   thread that it has not seen; a state that is made there for a call is as good as any. */
_Pycs_UNUSED static inline int
_Pycs_HasThreadState(void)
{
#if defined(PYPY_VERSION)
    return 1;
#else
    return PyGILState_GetThisThreadState() != NULL;
#endif
}

typedef struct {
    int              taken;
    int              is_new;        /* the thread had no state, and will have none (not on PyPy) */
    PyGILState_STATE state;
} _Pycs_Gil;

_Pycs_UNUSED static inline void
_Pycs_TakeGil(_Pycs_Gil *gil)
{
    gil->taken = !_Pycs_IsAttached();
    gil->is_new = 0;
    gil->state = PyGILState_LOCKED;
    if (gil->taken) {
        gil->is_new = !_Pycs_HasThreadState();
        gil->state = PyGILState_Ensure();
    }
}

#ifdef PYPY_VERSION
/* Is no Python code below us in this thread?  Called with an exception set, which stays. */
_Pycs_SLOW int
_Pycs_IsForeignThread(void)
{
    PyObject *kind, *value, *traceback, *sys, *frames = NULL, *ident = NULL;
    int known = 1;
    PyErr_Fetch(&kind, &value, &traceback);
    if ((sys = PyImport_ImportModule("sys")) != NULL) {
        frames = PyObject_CallMethod(sys, "_current_frames", NULL);
        ident = PyLong_FromUnsignedLong((unsigned long)PyThread_get_thread_ident());
        if (frames != NULL && ident != NULL) known = PySequence_Contains(frames, ident) != 0;
    }
    Py_XDECREF(sys);
    Py_XDECREF(frames);
    Py_XDECREF(ident);
    PyErr_Restore(kind, value, traceback);
    return !known;
}
#endif

/* With a thread state that was made for the call an exception would be lost: it is reported as unraisable. */
_Pycs_NOINLINE static void
_Pycs_ReleaseGil(_Pycs_Gil *gil, PyObject *callable)
{
    if (!gil->taken) return;
#ifdef PYPY_VERSION
    if (PyErr_Occurred() && _Pycs_IsForeignThread()) PyErr_WriteUnraisable(callable);
#else
    if (gil->is_new && PyErr_Occurred()) PyErr_WriteUnraisable(callable);
#endif
    PyGILState_Release(gil->state);
}

/* Is an exception set?  In any thread. */
_Pycs_HOT int
_Pycs_HasRaised(void)
{
    _Pycs_Gil gil;
    int raised;
    if (_Pycs_IsAttached()) return PyErr_Occurred() != NULL;
    if (!_Pycs_HasThreadState()) return 0;             /* nowhere to set one */
    _Pycs_TakeGil(&gil);
    raised = PyErr_Occurred() != NULL;
    if (gil.taken) PyGILState_Release(gil.state);
    return raised;
}

/* Called for a result that may mean an exception. */
_Pycs_SLOW int
_Pycs_HasReallyRaised(void)
{
    return _Pycs_HasRaised();
}

/* ---------------------------------------------------------------- conversions --
 *
 * Between C values, by their code, and Python objects.  The rules are CPython's: an integer is
 * converted from what has __index__ and fits, a float from what has __float__ or __index__, bool
 * from any truth value.  f4, f16, c8 and c32 go through double.
 */

/* A memoryview of an array that is lent for a call; to be given to _Pycs_TakeBack(). */
_Pycs_UNUSED static PyObject *
_Pycs_Lend(int code, const PyTypedMethodArray *array)
{
    static const struct { char format[4]; unsigned char size; } items[] = {
        {"b", 1}, {"h", 2}, {"i", 4}, {"q", 8}, {"B", 1}, {"H", 2}, {"I", 4}, {"Q", 8},
        {"f", 4}, {"d", 8}, {"g", sizeof(long double)},
        {"Zf", 8}, {"Zd", 16}, {"Zg", 2 * sizeof(long double)}};
    const int item = (code & 31) - PyTypedMethod_I1;
    static char empty[1];
    Py_ssize_t length, stride;
    Py_buffer view;

    if (array == NULL || array->length < 0 || (array->data == NULL && array->length > 0)) {
        PyErr_SetString(PyExc_SystemError, "found NULL or a negative length as an array argument");
        return NULL;
    }
    length = array->length;
    stride = array->stride;
    if ((code >> 5) + _Pycs_CODES < PyTypedMethod_STRIDED && stride != items[item].size && length > 1) {
        PyErr_Format(PyExc_BufferError, "found a stride of %zd bytes in an array argument whose signature has no gaps, "
                     "expected %d; write strided(...), in Cython [:], in the signature", stride, items[item].size);
        return NULL;
    }
    memset(&view, 0, sizeof(view));
    view.buf = array->data != NULL ? array->data : empty;
    view.itemsize = items[item].size;
    view.len = length * view.itemsize;
    view.readonly = ((code >> 5) & 1) == 0;
    view.format = (char *)(view.itemsize == (Py_ssize_t)sizeof(long) && items[item].format[0] == 'q' ? "l"
                           : view.itemsize == (Py_ssize_t)sizeof(long) && items[item].format[0] == 'Q' ? "L"
                           : items[item].format);
    view.ndim = 1;
    view.shape = &length;
    view.strides = &stride;
    return PyMemoryView_FromBuffer(&view);
}

/* Releases a memoryview of _Pycs_Lend().  1 if something else may still have the address, as
   NumPy's arrays do by way of another memoryview.  No exception may be set. */
_Pycs_UNUSED static int
_Pycs_IsKept(PyObject *view)
{
    PyObject *released = PyObject_CallMethod(view, "release", NULL);
    const int refused = released == NULL;
    PyObject *object;
    const _Pycs_ManagedBuffer *buffer = _Pycs_ManagedBufferOf(view, &object);
    PyErr_Clear();
    Py_XDECREF(released);
    return refused || (buffer != NULL && buffer->exports > 0);
}

/* Clears the variables of the frames that an exception left, and of those that its causes and contexts left.  No
   exception may be set. */
_Pycs_SLOW void
_Pycs_ClearFrames(PyObject *error)
{
    PyObject *module = PyImport_ImportModule("traceback"), *next;
    int i, k;
    Py_INCREF(error);
    for (i = 0; i < 100 && module != NULL && error != NULL; i++) {
        PyObject *of_error[2] = {NULL, PyException_GetCause(error)};
        next = PyException_GetContext(error);
        of_error[0] = error;
        for (k = 0; k < 2; k++) {
            PyObject *traceback = of_error[k] != NULL ? PyException_GetTraceback(of_error[k]) : NULL;
            if (traceback != NULL) Py_XDECREF(PyObject_CallMethod(module, "clear_frames", "O", traceback));
            PyErr_Clear();
            Py_XDECREF(traceback);
            Py_XDECREF(of_error[k]);
        }
        error = next;
    }
    PyErr_Clear();
    Py_XDECREF(error);
    Py_XDECREF(module);
}

/* Ends what _Pycs_Lend() began: releases the memoryview, and slices of it that are still there.  1 if
   something else may still have the address.  An exception that is set stays.  Steals `view`. */
_Pycs_HOT int
_Pycs_TakeBack(PyObject *view)
{
    PyObject *const error = PyErr_Occurred() ? _Pycs_TakeRaised() : NULL;
    int is_kept = _Pycs_IsKept(view);
    if (is_kept && error != NULL) {
        _Pycs_ClearFrames(error);
        is_kept = _Pycs_IsKept(view);
    }
    if (is_kept) {
        PyObject *object;
        _Pycs_ManagedBuffer *buffer = _Pycs_ManagedBufferOf(view, &object);
        if (buffer != NULL) {
            PyObject_GC_UnTrack(object);
            buffer->flags |= 1;
        }
    }
    Py_DECREF(view);
    if (error != NULL) _Pycs_RaiseAgain(error);
    return is_kept;
}

/* Raises an error that says that a view was kept.  An exception that is set becomes its context; but what is
   no Exception, such as KeyboardInterrupt, stays set, and sys.unraisablehook gets the error. */
_Pycs_SLOW void
_Pycs_RaiseKept(PyObject *callable)
{
    PyObject *const before = PyErr_Occurred() ? _Pycs_TakeRaised() : NULL;
    PyErr_SetString(PyExc_BufferError, "found that the function has kept a view of an array argument, "
                    "whose memory is lent for the call; expected a copy, numpy.array(x) for example");
    if (before == NULL) return;
    if (!PyErr_GivenExceptionMatches(before, PyExc_Exception)) {
        PyErr_WriteUnraisable(callable);
        _Pycs_RaiseAgain(before);
    }
    else {
        PyObject *const error = _Pycs_TakeRaised();
        PyException_SetContext(error, before);
        _Pycs_RaiseAgain(error);
    }
}

_Pycs_UNUSED static PyObject *
_Pycs_ToPython(int code, const void *value)
{
    if (_Pycs_IS_ARRAY(code)) {
        return _Pycs_Lend(code, *(const PyTypedMethodArray *const *)value);
    }
    switch (code) {
    case PyTypedMethod_BOOL: return PyBool_FromLong(*(const _Pycs_Bool *)value);
    case PyTypedMethod_I1: return PyLong_FromLong(*(const int8_t *)value);
    case PyTypedMethod_I2: return PyLong_FromLong(*(const int16_t *)value);
    case PyTypedMethod_I4: return PyLong_FromLong((long)*(const int32_t *)value);
    case PyTypedMethod_I8: return PyLong_FromLongLong((long long)*(const int64_t *)value);
    case PyTypedMethod_U1: return PyLong_FromUnsignedLong(*(const uint8_t *)value);
    case PyTypedMethod_U2: return PyLong_FromUnsignedLong(*(const uint16_t *)value);
    case PyTypedMethod_U4: return PyLong_FromUnsignedLong(*(const uint32_t *)value);
    case PyTypedMethod_U8:
        return PyLong_FromUnsignedLongLong((unsigned long long)*(const uint64_t *)value);
    case PyTypedMethod_F4: return PyFloat_FromDouble((double)*(const float *)value);
    case PyTypedMethod_F8: return PyFloat_FromDouble(*(const double *)value);
    case PyTypedMethod_F16: return PyFloat_FromDouble((double)*(const long double *)value);
    case PyTypedMethod_C8:
        return PyComplex_FromDoubles((double)((const float *)value)[0], (double)((const float *)value)[1]);
    case PyTypedMethod_C16: return PyComplex_FromDoubles(((const double *)value)[0], ((const double *)value)[1]);
    case PyTypedMethod_C32:
        return PyComplex_FromDoubles((double)((const long double *)value)[0], (double)((const long double *)value)[1]);
    case PyTypedMethod_OBJECT: {
        PyObject *object = *(PyObject *const *)value;
        if (object == NULL) {
            PyErr_SetString(PyExc_SystemError, "found NULL as an `object` argument");
            return NULL;
        }
        Py_INCREF(object);
        return object;
    }
    default:
        PyErr_Format(PyExc_TypeError, "a C value of type %s cannot be given to Python",
                     code > 0 && code <= _Pycs_CODES ? _Pycs_type_names[code] : "?");
        return NULL;
    }
}

/* Stores a complex number of c8, c16 or c32. */
_Pycs_UNUSED static void
_Pycs_StoreComplex(int code, double real, double imag, void *value)
{
    const float f4[2] = {(float)real, (float)imag};
    const double f8[2] = {real, imag};
    const long double f16[2] = {(long double)real, (long double)imag};
    if (code == PyTypedMethod_C8) memcpy(value, f4, sizeof(f4));
    else if (code == PyTypedMethod_C16) memcpy(value, f8, sizeof(f8));
    else memcpy(value, f16, sizeof(f16));
}

/* Converts what Python returned and stores it; `object` is not stolen, and a stored object is
   a new reference.  0, or -1 with an exception. */
_Pycs_UNUSED static int
_Pycs_FromPython(int code, PyObject *object, void *value)
{
    switch (code) {
    case PyTypedMethod_VOID:
        *(int *)value = 0;
        return 0;
    case PyTypedMethod_BOOL: {
        int truth = PyObject_IsTrue(object);
        if (truth < 0) return -1;
        *(_Pycs_Bool *)value = truth != 0;
        return 0;
    }
    case PyTypedMethod_F4:
    case PyTypedMethod_F8:
    case PyTypedMethod_F16: {
        double number = PyFloat_AsDouble(object);
        if (number == -1.0 && PyErr_Occurred()) return -1;
        if (code == PyTypedMethod_F4) *(float *)value = (float)number;
        else if (code == PyTypedMethod_F8) *(double *)value = number;
        else *(long double *)value = (long double)number;
        return 0;
    }
    case PyTypedMethod_C8:
    case PyTypedMethod_C16:
    case PyTypedMethod_C32: {
        double real, imag = 0;
        if (_Pycs_ComplexOf(object, &real, &imag) < 0) return -1;
        _Pycs_StoreComplex(code, real, imag, value);
        return 0;
    }
    case PyTypedMethod_OBJECT:
        Py_INCREF(object);
        *(PyObject **)value = object;
        return 0;
    case PyTypedMethod_POINTER:
        PyErr_SetString(PyExc_TypeError, "Python cannot return a C pointer");
        return -1;
    default: {
        const int place = code - PyTypedMethod_I1;
        const int fits = _Pycs_StoreInteger(object, place < 4, (size_t)1 << place % 4, value);
        PyObject *shown = fits == 0 ? _Pycs_Repr(object) : NULL;
        if (shown != NULL) {
            PyErr_Format(PyExc_OverflowError, "found the result %U, expected one that fits "
                         "into %s", shown, _Pycs_type_names[code]);
            Py_DECREF(shown);
        }
        return fits > 0 ? 0 : -1;
    }
    }
}

/* What a caller returns after an exception: -1, NULL for objects and pointers, true for
   bool; also -1 where the result is void. */
_Pycs_UNUSED static void
_Pycs_StoreFailure(int code, void *value)
{
    if (code >= PyTypedMethod_I1 && code <= PyTypedMethod_U8) {
        memset(value, 0xFF, (size_t)1 << (code - PyTypedMethod_I1) % 4);
        return;
    }
    switch (code) {
    case PyTypedMethod_VOID: *(int *)value = -1; break;
    case PyTypedMethod_BOOL: *(_Pycs_Bool *)value = 1; break;
    case PyTypedMethod_F4: *(float *)value = -1.0f; break;
    case PyTypedMethod_F8: *(double *)value = -1.0; break;
    case PyTypedMethod_F16: *(long double *)value = -1.0L; break;
    case PyTypedMethod_C8: case PyTypedMethod_C16: case PyTypedMethod_C32:
        _Pycs_StoreComplex(code, -1.0, 0.0, value);
        break;
    default: *(void **)value = NULL; break;
    }
}

/* Raises the TypeError: *held is not what the caller was compiled for. */
_Pycs_SLOW void
_Pycs_RefuseCall(const PyTypedCallable *held, uint64_t signature)
{
    PyObject *expected = PyTypedMethod_Format(signature);
    PyObject *found = held->callable != NULL ? PyTypedMethod_Format(held->signature) : NULL;
    if (expected != NULL && found != NULL) {
        PyErr_Format(PyExc_TypeError, "found a PyTypedCallable for %U, expected one that "
                     "was initialised for %U", found, expected);
    }
    else if (expected != NULL && held->callable == NULL) {
        PyErr_Format(PyExc_TypeError, "found an empty PyTypedCallable, expected one that "
                     "was initialised for %U", expected);
    }
    Py_XDECREF(expected);
    Py_XDECREF(found);
}

/* Calls Python, or raises if the call is wrong.  `signature` is
   what the caller was compiled for, `arguments` points to the values, `value` gets the
   result or the value that means an exception.  Needs the GIL or an attached thread state. */
_Pycs_HOT void
_Pycs_CallPython(const PyTypedCallable *held, uint64_t signature, const void *const *arguments, void *value)
{
    PyObject *stack[PyTypedMethod_MAX_SHORT + 1];
    PyObject *callable = NULL, *result = NULL;
    uint64_t types;
    int count = 0, is_kept = 0, lent = 0;       /* bit i: argument i is an array */

    if (held->signature != signature) {                 /* 0, if it is empty */
        _Pycs_RefuseCall(held, signature);
        goto done;
    }
    callable = held->callable;
    Py_INCREF(callable);
    /* PyTypedCallable_Init() has checked the signature. */
    for (types = signature >> 6; types != 0; types >>= 5) {
        int code = (int)(types & 31u);
        if (code > _Pycs_CODES) {
            types >>= 5;
            code = _Pycs_ARRAY_OF(code, (int)(types & 31u));
            lent |= 1 << count;
        }
        stack[count + 1] = _Pycs_ToPython(code, arguments[count]);
        if (stack[count + 1] == NULL) goto done;
        count++;
    }
    result = _Pycs_CallArray(callable, stack + 1, count);
done:
    for (; count > 0; count--) {
        if (!(lent >> (count - 1) & 1)) Py_DECREF(stack[count]);
        else is_kept |= _Pycs_TakeBack(stack[count]);
    }
    if (is_kept) {
        _Pycs_RaiseKept(callable);
        Py_CLEAR(result);
    }
    if (result == NULL || _Pycs_FromPython(_Pycs_CODE_AT(signature, 0), result, value) < 0) {
        _Pycs_StoreFailure(_Pycs_CODE_AT(signature, 0), value);
    }
    Py_XDECREF(result);
    Py_XDECREF(callable);
}
