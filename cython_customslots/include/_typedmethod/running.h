/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/running.h - while a library's C code runs: this thread's callback, errors that
 * are kept, callers, and trampolines for C code that takes a bare function pointer.
 * Included by typedmethod.h; not for direct use.
 *
 * The C code that calls back cannot be told of a Python exception, and must not be jumped over
 * (longjmp() would leave its memory and locks behind).  So the first exception is kept in the
 * callback, all further calls return `failure` at once without calling anything, and
 * PyTypedCallback_Leave() raises the exception.
 */

/* This thread's innermost callback: a variable of its own in each C file that uses it. */
_Pycs_UNUSED static inline PyTypedCallback **
_Pycs_Here(void)
{
    static _Pycs_THREAD_LOCAL PyTypedCallback *here = NULL;
    return &here;
}

/** The callback that this thread has entered last, in this C file, and not left; borrowed, NULL:
   none.  Needs neither the GIL nor a thread state. */
_Pycs_UNUSED static inline PyTypedCallback *
PyTypedCallback_Obtain(void)
{
    return *_Pycs_Here();
}

/* What identifies this thread: the address of something that no other thread has. */
_Pycs_FAST uintptr_t
_Pycs_ThisThread(void)
{
#if defined(__x86_64__) && defined(__ELF__) && defined(__LP64__)
    uintptr_t thread;               /* as CPython's _Py_ThreadId() does it; quicker than a call */
    __asm__("{movq %%fs:0, %0|mov %0, qword ptr fs:[0]}" : "=r"(thread));
    return thread;
#elif defined(__aarch64__) && defined(__ELF__)
    uintptr_t thread;
    __asm__("mrs %0, tpidr_el0" : "=r"(thread));
    return thread;
#else
    return (uintptr_t)_Pycs_Here();
#endif
}

/** Begins a run: from now until PyTypedCallback_Leave() this is the thread's callback.  0, or -1
   with RecursionError (too many runs inside runs: Python does not count C functions that call
   the library again), or RuntimeError (entered already, by another thread or an outer run:
   if an object holds the callback, take a PyTypedCallback_Copy()).
   Runs must be left in reverse order, each by the thread that entered it.  Needs the GIL or an
   attached thread state. */
_Pycs_UNUSED static int
PyTypedCallback_Enter(PyTypedCallback *callback)
{
    PyTypedCallback **here = _Pycs_Here();
    const int depth = *here != NULL ? (*here)->depth + 1 : 1;
    if (callback->depth != 0) {
        PyErr_SetString(PyExc_RuntimeError, "PyTypedCallback_Enter: found a callback that is "
                        "entered already; expected one for each run, as PyTypedCallback_Copy() "
                        "makes them");
        return -1;
    }
    if (depth > PyTypedCallback_MAX_DEPTH) {
        PyErr_Format(PyExc_RecursionError, "found callbacks inside callbacks %d deep, expected at "
                     "most %d", depth, PyTypedCallback_MAX_DEPTH);
        return -1;
    }
    if (Py_EnterRecursiveCall(" in a callback")) return -1;
    callback->failed = 0;
    callback->left = _Pycs_PAUSE;
    callback->looked = 0;
    callback->free_in = (callback->callable.call.flags & PyTypedMethod_NOGIL)
        && _Pycs_HasThreadState() ? _Pycs_ThisThread() : 0;
    callback->previous = *here;
    callback->depth = depth;
    _Pycs_STORE(PyTypedCallback *, here, callback);     /* gcc warns of any other store: it may be a local variable */
    return 0;
}

/** Ends a run.  0, or -1 with the exception that was kept, or that a C function left behind.
   Needs the GIL or an attached thread state. */
_Pycs_UNUSED static int
PyTypedCallback_Leave(PyTypedCallback *callback)
{
    *_Pycs_Here() = callback->previous;
    callback->previous = NULL;
    callback->depth = 0;
    callback->free_in = 0;
    Py_LeaveRecursiveCall();
    if (_Pycs_LOAD(int, &callback->failed)) {
        PyErr_Restore(callback->error[0], callback->error[1], callback->error[2]);
        callback->error[0] = callback->error[1] = callback->error[2] = NULL;
        callback->failed = 0;
    }
    return PyErr_Occurred() ? -1 : 0;
}

/** Has it failed?  For C code that can stop early.  Needs neither the GIL nor a thread state. */
_Pycs_UNUSED static inline int
PyTypedCallback_HasFailed(PyTypedCallback *callback)
{
    return _Pycs_LOAD(int, &callback->failed);
}

/* Keeps the exception that is set: nothing is called any more.  Later exceptions, of other
   threads, go to sys.unraisablehook.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static void
_Pycs_KeepCallback(PyTypedCallback *callback)
{
    PyObject **const error = callback->error;
    if (_Pycs_SWAP_INT(&callback->failed, 1) == 0) PyErr_Fetch(&error[0], &error[1], &error[2]);
    else PyErr_WriteUnraisable(callback->callable.callable);
    _Pycs_STORE(int, &callback->left, 1);
}

/** For a hook or other C code of the library's between the callers: keeps the exception that is
   set, as if the callable had raised it.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static inline void
PyTypedCallback_Fail(PyTypedCallback *callback)
{
    if (PyErr_Occurred()) _Pycs_KeepCallback(callback);
}

/* Can the callable be called without the GIL by this thread?  If the thread has no thread state,
   an exception would be lost with the state that the callable makes to raise it. */
_Pycs_UNUSED static inline int
_Pycs_IsFree(const PyTypedCallback *callback)
{
    const uint32_t flags = callback->callable.call.flags;
    return (flags & PyTypedMethod_NOGIL) && (!(flags & PyTypedMethod_RAISES) || _Pycs_HasThreadState());
}

/* Can the C function be called at once, by a caller that has the GIL, or (`gil` is 0) may not have
   it?  The thread that has entered the callback has a thread state.  `form` as in SetAtOnce. */
_Pycs_FAST int
_Pycs_IsAtOnce(const PyTypedCallback *callback, uint64_t signature, int form, int gil)
{
    return _Pycs_LIKELY(callback->at_once[form + gil] == signature)
           || (!gil && callback->at_once[form + 1] == signature && callback->free_in == _Pycs_ThisThread());
}

/* After a result that may mean an exception: keeps the exception.  1 if there was one. */
_Pycs_SLOW int
_Pycs_Notice(PyTypedCallback *callback)
{
    _Pycs_Gil gil;
    int raised;
    if (callback->callable.call.function != NULL
            && (callback->callable.call.flags & PyTypedMethod_RAISES) == 0) return 0;
    if (!_Pycs_IsAttached() && !_Pycs_HasThreadState()) return 0;
    _Pycs_TakeGil(&gil);
    if ((raised = PyErr_Occurred() != NULL)) _Pycs_KeepCallback(callback);
    if (gil.taken) PyGILState_Release(gil.state);
    return raised;
}

/* Called now and then: has it failed, or was there a signal?  0: go on.  C functions never check
   for signals, so a long loop of them could not be interrupted otherwise.  A thread without the
   GIL takes it for this check at most once a second. */
_Pycs_SLOW int
_Pycs_Pause(PyTypedCallback *callback)
{
    _Pycs_Gil gil;
    const int attached = _Pycs_IsAttached();
    _Pycs_STORE(int, &callback->left, 1);
    if (_Pycs_LOAD(int, &callback->failed)) return -1;
    _Pycs_STORE(int, &callback->left, _Pycs_PAUSE);
    if (!attached) {
        const time_t now = time(NULL);
        if (!_Pycs_HasThreadState() || now == callback->looked) return 0;
        callback->looked = now;
    }
    _Pycs_TakeGil(&gil);
    if (PyErr_Occurred() || PyErr_CheckSignals() < 0) _Pycs_KeepCallback(callback);
    if (gil.taken) PyGILState_Release(gil.state);
    return _Pycs_LOAD(int, &callback->failed) ? -1 : 0;
}

/** Defines, at file level, a function that calls what a PyTypedCallback holds
   in one form:

       PyTypedCallback_CALLER(integrand, Py_NAN, f8, f8)    defines
       static inline double integrand(PyTypedCallback *callback, double a);

   It returns what the callable returns.  Once an exception was kept, from this call or an earlier
   one, it returns `failure` (an expression of the result's type; for void anything) and calls
   nothing.  So its result needs no test: choose a failure value that makes the C code end soon,
   such as NaN, or one of its own error codes.  It works with and without the GIL, as
   PyTypedMethod_CALLER(), also in threads that Python has never seen (the exception is kept
   for the thread that leaves); several threads may call at once.  Signals are checked after every
   1024 calls, so KeyboardInterrupt is raised like any other exception. */
#define PyTypedCallback_CALLER(name, failure, ...)                                       \
    PyTypedMethod_CALLER(name##_call, __VA_ARGS__)                                       \
    _Pycs_EXPAND4(_Pycs_CALLBACK_CALLER_N(                                               \
        0, name, failure, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

/** PyTypedCallback_CALLER() for C code that always holds the GIL, without a test for it. */
#define PyTypedCallback_CALLER_WITH_GIL(name, failure, ...)                              \
    PyTypedMethod_CALLER_WITH_GIL(name##_call, __VA_ARGS__)                              \
    _Pycs_EXPAND4(_Pycs_CALLBACK_CALLER_N(                                               \
        1, name, failure, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define _Pycs_CALLBACK_CALLER_N(gil, name, failure, count, ...)                          \
    _Pycs_EXPAND3(_Pycs_CALLBACK_CALLER_NN(gil, name, failure, count, __VA_ARGS__))
#define _Pycs_CALLBACK_CALLER_NN(gil, name, failure, count, r, ...)                      \
    _Pycs_CALLBACK_BODY(                                                                 \
        gil, name, failure, _Pycs_T(r), _Pycs_M(r),                                      \
        PyTypedMethod_SIG(_Pycs_C(r)                                                     \
            _Pycs_LIST(count, COMMA_CODE, COMMA_CODE, , __VA_ARGS__)),                   \
        (PyTypedCallback *callback                                                       \
            _Pycs_LIST(count, COMMA_PARAMETER, COMMA_PARAMETER, , __VA_ARGS__)),         \
        (_Pycs_LIST(count, TYPE, COMMA_TYPE, void, __VA_ARGS__)),                        \
        (_Pycs_LIST(count, TYPE_COMMA, TYPE_COMMA, , __VA_ARGS__) void *),               \
        (_Pycs_LIST(count, VALUE, COMMA_VALUE, , __VA_ARGS__)),                          \
        (_Pycs_LIST(count, VALUE_COMMA, VALUE_COMMA, , __VA_ARGS__)                      \
            callback->callable.call.context),                                            \
        (callback _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)),           \
        (&callback->callable                                                             \
            _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)))
#define _Pycs_CALLBACK_BODY(...) _Pycs_EXPAND2(_Pycs_CALLBACK_BODY_(__VA_ARGS__))

/* May this be what a caller returns after an exception? */
#define _Pycs_MAYBE_i(type) (result_ == (type)-1)
#define _Pycs_MAYBE_u(type) (result_ == (type)-1)
#define _Pycs_MAYBE_f(type) (result_ == (type)-1)
#define _Pycs_MAYBE_p(type) (result_ == NULL)
#define _Pycs_MAYBE_v(type) (result_ < 0)
#define _Pycs_MAYBE_c(type) 1
#define _Pycs_RETURN(member, value)      _Pycs_IF_VOID_##member(return, return value)
#define _Pycs_RETURN_CALL(member, value) _Pycs_IF_VOID_##member(do { value; return; } while (0), return value)

/* Only the call of a function that needs nothing else is inlined, behind one test, as in
   caller.h.  The rest: user data, the GIL, Python. */
#define _Pycs_CALLBACK_BODY_(gil, name, failure, type, member, expected, parameters,     \
                             plain, last, values, last_values, all_values, held_values)  \
_Pycs_HOT type                                                                           \
name##_otherwise parameters                                                              \
{                                                                                        \
    _Pycs_RESULT(member, type) result_;                                                  \
    _Pycs_Gil gil_;                                                                      \
    int raised_;                                                                         \
    if (_Pycs_IsAtOnce(callback, (expected), 2, (gil))) {                                \
        _Pycs_KEEP(member, ((type (*)last)(uintptr_t)callback->callable.call.function)last_values); \
        raised_ = _Pycs_MAYBE_##member(type) && _Pycs_Notice(callback);                  \
    }                                                                                    \
    else if ((gil) || _Pycs_IsFree(callback)) {                                          \
        result_ = name##_call held_values;                                               \
        raised_ = _Pycs_MAYBE_##member(type) && _Pycs_Notice(callback);                  \
    }                                                                                    \
    else {                                                                               \
        /* An exception in a thread that is new to Python would be lost with its state. */ \
        _Pycs_TakeGil(&gil_);                                                            \
        result_ = name##_call held_values;                                               \
        raised_ = _Pycs_MAYBE_##member(type) && PyErr_Occurred();                        \
        if (raised_) _Pycs_KeepCallback(callback);                                       \
        if (gil_.taken) PyGILState_Release(gil_.state);                                  \
    }                                                                                    \
    if (raised_) _Pycs_RETURN(member, failure);                                          \
    _Pycs_RETURN(member, result_);                                                       \
}                                                                                        \
_Pycs_FAST type                                                                          \
name parameters                                                                          \
{                                                                                        \
    const int left_ = _Pycs_COUNTED(&callback->left) - 1;                                \
    _Pycs_RESULT(member, type) result_;                                                  \
    _Pycs_SET_COUNT(&callback->left, left_);                                             \
    if (!_Pycs_LIKELY(left_ > 0) && _Pycs_Pause(callback) < 0) {                         \
        _Pycs_RETURN(member, failure);                                                   \
    }                                                                                    \
    if (!_Pycs_IsAtOnce(callback, (expected), 0, (gil))) {                               \
        _Pycs_RETURN_CALL(member, name##_otherwise all_values);                          \
    }                                                                                    \
    _Pycs_KEEP(member, ((type (*)plain)(uintptr_t)callback->callable.call.function)values); \
    if (!_Pycs_LIKELY(!_Pycs_MAYBE_##member(type)) && _Pycs_Notice(callback)) {          \
        _Pycs_RETURN(member, failure);                                                   \
    }                                                                                    \
    _Pycs_RETURN(member, result_);                                                       \
}

/** What to pass to C code that takes a function and a `void *` as its last argument: the
   callable's own C function and user data, if the function has such a parameter and raises nothing
   (and needs no GIL, or `has_gil`), which makes the call direct, without a check for
   signals; else `trampoline`, which PyTypedCallback_TRAMPOLINE_LAST() has defined for the
   chosen form, and the callback.  Needs neither the GIL nor a thread state. */
_Pycs_UNUSED static inline void
PyTypedCallback_Target(PyTypedCallback *callback, int has_gil, void *trampoline, void **function, void **data)
{
    if (callback->at_once[has_gil ? 3 : 2] != 0 && (callback->callable.call.flags & PyTypedMethod_RAISES) == 0) {
        *function = callback->callable.call.function;
        *data = callback->callable.call.context;
    }
    else {
        *function = trampoline;
        *data = callback;
    }
}

/** Defines, at file level, a C function to pass to a library that takes a bare function pointer,
   with user data behind the arguments; `caller` is what PyTypedCallback_CALLER() has defined for the same types:

       PyTypedCallback_TRAMPOLINE_LAST(name, caller, f8, f8)   double name(double, void *)
       PyTypedCallback_TRAMPOLINE_FIRST(name, caller, f8, f8)  double name(void *, double)
       PyTypedCallback_TRAMPOLINE(name, caller, f8, f8)        double name(double)

   The `void *` is the PyTypedCallback.  The third form, for libraries that pass no `void *`, uses
   the callback that this thread has entered last in this C file.  In a thread that entered none it
   ends the process (Py_FatalError), so it is not for libraries that call from threads of
   their own. */
#define PyTypedCallback_TRAMPOLINE_LAST(name, caller, ...)                               \
    _Pycs_EXPAND4(_Pycs_TRAMPOLINE_N(                                                    \
        LAST, name, caller, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))
/** PyTypedCallback_TRAMPOLINE_LAST() with user data in front of the arguments. */
#define PyTypedCallback_TRAMPOLINE_FIRST(name, caller, ...)                              \
    _Pycs_EXPAND4(_Pycs_TRAMPOLINE_N(                                                    \
        FIRST, name, caller, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))
/** PyTypedCallback_TRAMPOLINE_LAST() for a library that passes no user data: see there. */
#define PyTypedCallback_TRAMPOLINE(name, caller, ...)                                    \
    _Pycs_EXPAND4(_Pycs_TRAMPOLINE_N(                                                    \
        NONE, name, caller, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

#define _Pycs_TRAMPOLINE_N(place, name, caller, count, ...)                              \
    _Pycs_EXPAND3(_Pycs_TRAMPOLINE_NN(place, name, caller, count, __VA_ARGS__))
#define _Pycs_TRAMPOLINE_NN(place, name, caller, count, r, ...)                          \
    static _Pycs_T(r)                                                                    \
    name(_Pycs_PARAMETERS_##place(count, __VA_ARGS__))                                   \
    {                                                                                    \
        PyTypedCallback *const callback_ = _Pycs_CALLBACK_##place(#name);                \
        _Pycs_RETURN_CALL_OF(_Pycs_M(r), caller(                                         \
            callback_ _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)));      \
    }
#define _Pycs_PARAMETERS_LAST(count, ...)                                                \
    _Pycs_LIST(count, PARAMETER_COMMA, PARAMETER_COMMA, , __VA_ARGS__) void *data_
#define _Pycs_PARAMETERS_FIRST(count, ...)                                               \
    void *data_ _Pycs_LIST(count, COMMA_PARAMETER, COMMA_PARAMETER, , __VA_ARGS__)
#define _Pycs_PARAMETERS_NONE(count, ...)                                                \
    _Pycs_LIST(count, PARAMETER, COMMA_PARAMETER, void, __VA_ARGS__)
#define _Pycs_PARAMETER_COMMA(i, t) _Pycs_T(t) a##i##_,
#define _Pycs_PARAMETER(i, t)       _Pycs_T(t) a##i##_
#define _Pycs_CALLBACK_LAST(name)   (PyTypedCallback *)data_
#define _Pycs_CALLBACK_FIRST(name)  (PyTypedCallback *)data_
#define _Pycs_CALLBACK_NONE(name)   PyTypedCallback_Obtain();                            \
        if (callback_ == NULL) Py_FatalError(name ": found no callback that this "       \
            "thread has entered, expected one; use a trampoline with user data")
#define _Pycs_RETURN_CALL_OF(member, value) _Pycs_RETURN_CALL(member, value)
