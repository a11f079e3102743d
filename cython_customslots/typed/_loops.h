/* SPDX-License-Identifier: MIT
 *
 * _loops.h - the inner loops of ufuncs over typed functions.
 *
 * NumPy runs inner loops without the GIL when an array is large, calls them for one chunk
 * after the other whatever happened in the last one, and looks for an exception only at the
 * end.  So these loops take the GIL where the entry needs it, stop at the first error, and
 * do nothing any more when called with an exception pending.
 */
#ifndef CYTHON_CUSTOMSLOTS_TYPED_LOOPS_H
#define CYTHON_CUSTOMSLOTS_TYPED_LOOPS_H

#include "_thunks.h"

typedef void (*LoopFunction)(char **args, const Py_ssize_t *dimensions,
                             const Py_ssize_t *steps, void *data);

/* The beginning of NumPy's PyUFuncObject, which is part of its ABI. */
typedef struct {
    PyObject_HEAD
    int nin, nout, nargs, identity;
    LoopFunction *functions;
    void *const *data;
    int ntypes, reserved;
    const char *name, *types, *doc;
    void *ptr;
    PyObject *obj;
} UFunc;

typedef struct {
    Target target;
    PyObject *caller;       /* for boxed_loop: strong, otherwise NULL */
    int count;              /* types, the result included */
    unsigned char codes[PyTypedMethod_MAX_SHORT];
} Loop;

/* 1 if the loop may begin; the GIL is held then if the entry needs it. */
static int
begin_loop(const Target *target, _Pycs_Gil *gil)
{
    gil->taken = 0;
    if (target->takes_gil) {
        _Pycs_TakeGil(gil);
        if (!PyErr_Occurred()) return 1;
        if (gil->taken) PyGILState_Release(gil->state);
        return 0;
    }
    return target->check == CHECK_NEVER || !has_raised(target);
}

#define EACH(value, R, STEPS)                                                            \
    if (check == CHECK_NEVER) {                                                          \
        for (; n > 0; n--) {                                                             \
            *(T(R) *)out = value;                                                        \
            STEPS                                                                        \
            out += out_step;                                                             \
        }                                                                                \
    }                                                                                    \
    else {                                                                               \
        for (; n > 0; n--) {                                                             \
            const T(R) result_ = value;                                                  \
            *(T(R) *)out = result_;                                                      \
            if (always ? PyErr_Occurred() != NULL : IS_ERROR(R) && has_raised(held)) break; \
            STEPS                                                                        \
            out += out_step;                                                             \
        }                                                                                \
    }

/* What becomes of argument i, of type t, in such a loop. */
#define _Pycs_IN(i, t)          char *a##i##_ = args[i]; const Py_ssize_t step##i##_ = steps[i];
#define _Pycs_STEP(i, t)        a##i##_ += step##i##_;
#define _Pycs_AT(i, t)          *(const T(t) *)a##i##_
#define _Pycs_COMMA_AT(i, t)    , *(const T(t) *)a##i##_
#define _Pycs_AT_COMMA(i, t)    *(const T(t) *)a##i##_,
#define _Pycs_IS_FLAT(i, t)     && step##i##_ == (Py_ssize_t)sizeof(T(t))
#define _Pycs_ITEM_OF(i, t)     ((const T(t) *)a##i##_)[place]
#define _Pycs_COMMA_ITEM(i, t)  , ((const T(t) *)a##i##_)[place]

/* The commonest case by itself, since the other loops move several pointers a round: arrays without gaps,
   and a function that raises nothing. */
#define LOOP_OF(count, name, r, ...)                                                     \
    static void name(char **args, const Py_ssize_t *dimensions, const Py_ssize_t *steps, \
                     void *data)                                                         \
    {                                                                                    \
        typedef T(r) Plain(_Pycs_LIST(count, TYPE, COMMA_TYPE, void, __VA_ARGS__));      \
        typedef T(r) First(void * _Pycs_LIST(count, COMMA_TYPE, COMMA_TYPE, , __VA_ARGS__)); \
        typedef T(r) Last(_Pycs_LIST(count, TYPE_COMMA, TYPE_COMMA, , __VA_ARGS__) void *); \
        const Target *held = &((const Loop *)data)->target;                              \
        void *const context = held->call.context;                                        \
        void *const function = held->call.function;                                      \
        const int check = held->check, always = check == CHECK_ALWAYS;                   \
        _Pycs_Gil gil = {0, 0, PyGILState_LOCKED};                                       \
        const Py_ssize_t out_step = steps[count];                                        \
        Py_ssize_t n = dimensions[0];       /* down: six registers outlive a call */     \
        char *out = args[count];                                                         \
        _Pycs_LIST(count, IN, IN, , __VA_ARGS__)                                         \
        if (!begin_loop(held, &gil)) return;                                             \
        if (check == CHECK_NEVER && held->form == FORM_PLAIN && out_step == (Py_ssize_t)sizeof(T(r)) \
                _Pycs_LIST(count, IS_FLAT, IS_FLAT, , __VA_ARGS__)) {                    \
            Plain *f = (Plain *)(uintptr_t)function;                                     \
            Py_ssize_t place;                                                            \
            for (place = 0; place < n; place++) {                                        \
                ((T(r) *)out)[place] = f(_Pycs_LIST(count, ITEM_OF, COMMA_ITEM, , __VA_ARGS__)); \
            }                                                                            \
        }                                                                                \
        else if (held->form == FORM_PLAIN) {                                             \
            Plain *f = (Plain *)(uintptr_t)function;                                     \
            EACH(f(_Pycs_LIST(count, AT, COMMA_AT, , __VA_ARGS__)), r,                   \
                 _Pycs_LIST(count, STEP, STEP, , __VA_ARGS__))                           \
        }                                                                                \
        else if (held->form == FORM_FIRST) {                                             \
            First *f = (First *)(uintptr_t)function;                                     \
            EACH(f(context _Pycs_LIST(count, COMMA_AT, COMMA_AT, , __VA_ARGS__)), r,     \
                 _Pycs_LIST(count, STEP, STEP, , __VA_ARGS__))                           \
        }                                                                                \
        else {                                                                           \
            Last *f = (Last *)(uintptr_t)function;                                       \
            EACH(f(_Pycs_LIST(count, AT_COMMA, AT_COMMA, , __VA_ARGS__) context), r,     \
                 _Pycs_LIST(count, STEP, STEP, , __VA_ARGS__))                           \
        }                                                                                \
        if (gil.taken) PyGILState_Release(gil.state);                                    \
    }
#define LOOP(...) WITH_NAME(LOOP_OF, loop, __VA_ARGS__)

COMMON(LOOP)

#define LOOP_ROW(...) ROW(loop, __VA_ARGS__)
static const Thunk compiled_loops[] = {COMMON(LOOP_ROW) {0, NULL}};

/* ------------------------------------------------------- signatures not compiled -- */

/* Can boxed_loop() pass it?  Python's float is too short for long double, and ctypes has
   complex numbers since 3.14 only. */
static int
is_boxable(int code)
{
    return (code >= PyTypedMethod_BOOL && code <= PyTypedMethod_F8);
}

/* Calls through Python, that very overload: slow, for rare signatures. */
static void
boxed_loop(char **args, const Py_ssize_t *dimensions, const Py_ssize_t *steps, void *data)
{
    const Loop *loop = (const Loop *)data;
    const int nin = loop->count - 1;
    _Pycs_Gil gil;
    Py_ssize_t i;

    _Pycs_TakeGil(&gil);
    for (i = 0; i < dimensions[0] && !PyErr_Occurred(); i++) {
        PyObject *values[PyTypedMethod_MAX_SHORT], *result = NULL;
        int k, made = 0;
        for (k = 0; k < nin; k++) {
            values[k] = _Pycs_ToPython(loop->codes[k + 1], args[k] + i * steps[k]);
            if (values[k] == NULL) break;
            made++;
        }
        if (made == nin) {
            result = PyObject_Vectorcall(loop->caller, values, (size_t)nin, NULL);
        }
        for (k = 0; k < made; k++) Py_DECREF(values[k]);
        if (result != NULL) {
            (void)_Pycs_FromPython(loop->codes[0], result, args[nin] + i * steps[nin]);
            Py_DECREF(result);
        }
    }
    if (gil.taken) PyGILState_Release(gil.state);
}

#endif /* CYTHON_CUSTOMSLOTS_TYPED_LOOPS_H */
