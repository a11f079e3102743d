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
    if (target->held) {
        _Pycs_TakeGil(gil);
        if (!PyErr_Occurred()) return 1;
        if (gil->taken) PyGILState_Release(gil->state);
        return 0;
    }
    return target->check == CHECK_NEVER || !has_raised(target);
}

#define EACH(value, R, A_STEP)                                                           \
    if (check == CHECK_NEVER) {                                                          \
        for (; n > 0; n--) {                                                             \
            *(T(R) *)out = value;                                                        \
            A_STEP;                                                                      \
            out += out_step;                                                             \
        }                                                                                \
    }                                                                                    \
    else {                                                                               \
        for (; n > 0; n--) {                                                             \
            T(R) result = value;                                                         \
            *(T(R) *)out = result;                                                       \
            if (always ? PyErr_Occurred() != NULL                                        \
                       : IS_ERROR(R, result, error) && has_raised(target)) break;        \
            A_STEP;                                                                      \
            out += out_step;                                                             \
        }                                                                                \
    }

#define LOOP(name, R, nin, declare, flat, STEP, own, first, last, a_plain, a_first, a_last)    \
    static void name(char **args, const Py_ssize_t *dimensions, const Py_ssize_t *steps, \
                     void *data)                                                         \
    {                                                                                    \
        const Target *target = &((const Loop *)data)->target;                            \
        void *const context = target->call.context;                                      \
        void *const function = target->call.function;                                    \
        const int check = target->check, always = check == CHECK_ALWAYS;                 \
        const PyTypedMethodError error = target->call.error;                             \
        _Pycs_Gil gil = {0, 0, PyGILState_LOCKED};                                       \
        const Py_ssize_t out_step = steps[nin];                                          \
        Py_ssize_t n = dimensions[0];       /* down: six registers outlive a call */     \
        char *out = args[nin];                                                           \
        declare                                                                          \
        if (!begin_loop(target, &gil)) return;                                           \
        flat                                                                             \
        if (target->form == FORM_PLAIN) {                                                \
            T(R) (*f) own = (T(R) (*) own)(uintptr_t)function;                           \
            EACH(f a_plain, R, STEP)                                                     \
        }                                                                                \
        else if (target->form == FORM_FIRST) {                                           \
            T(R) (*f) first = (T(R) (*) first)(uintptr_t)function;                       \
            EACH(f a_first, R, STEP)                                                     \
        }                                                                                \
        else {                                                                           \
            T(R) (*f) last = (T(R) (*) last)(uintptr_t)function;                         \
            EACH(f a_last, R, STEP)                                                      \
        }                                                                                \
        if (gil.taken) PyGILState_Release(gil.state);                                    \
    }

/* The commonest case by itself, since the loop above moves three pointers a round: arrays
   without gaps, and a function that raises nothing. */
#define IS_FLAT(letter, A) (letter##_step == (Py_ssize_t)sizeof(T(A)))
#define FLAT(R, own, condition, values)                                                  \
    if (check == CHECK_NEVER && target->form == FORM_PLAIN && IS_FLAT(out, R)            \
            && condition) {                                                              \
        T(R) (*f) own = (T(R) (*) own)(uintptr_t)function;                               \
        Py_ssize_t i;                                                                    \
        for (i = 0; i < n; i++) ((T(R) *)out)[i] = f values;                             \
        n = 0;                                                                           \
    }
#define FLAT_1(R, A) FLAT(R, (T(A)), IS_FLAT(a, A), (((const T(A) *)a)[i]))
#define FLAT_2(R, A, B)                                                                  \
    FLAT(R, (T(A), T(B)), IS_FLAT(a, A) && IS_FLAT(b, B),                                \
         (((const T(A) *)a)[i], ((const T(B) *)b)[i]))

#define IN(letter, place)                                                                \
    char *letter = args[place]; const Py_ssize_t letter##_step = steps[place];
#define AT(letter, A) (*(const T(A) *)letter)
#define STEP_1 a += a_step
#define STEP_2 STEP_1, b += b_step
#define STEP_3 STEP_2, c += c_step
#define STEP_4 STEP_3, d += d_step
#define STEP_5 STEP_4, e += e_step
#define STEP_6 STEP_5, g += g_step

#define LOOP_1(R, A)                                                                     \
    LOOP(loop_##R##_##A, R, 1, IN(a, 0), FLAT_1(R, A), (STEP_1), (T(A)),                 \
         (void *, T(A)), (T(A), void *), (AT(a, A)), (context, AT(a, A)), (AT(a, A), context))
#define LOOP_2(R, A, B)                                                                  \
    LOOP(loop_##R##_##A##_##B, R, 2, IN(a, 0) IN(b, 1), FLAT_2(R, A, B), (STEP_2),       \
         (T(A), T(B)), (void *, T(A), T(B)), (T(A), T(B), void *), (AT(a, A), AT(b, B)), \
         (context, AT(a, A), AT(b, B)), (AT(a, A), AT(b, B), context))
#define LOOP_3(R, A, B, D)                                                               \
    LOOP(loop_##R##_##A##_##B##_##D, R, 3, IN(a, 0) IN(b, 1) IN(c, 2), , (STEP_3),       \
         (T(A), T(B), T(D)), (void *, T(A), T(B), T(D)), (T(A), T(B), T(D), void *),     \
         (AT(a, A), AT(b, B), AT(c, D)), (context, AT(a, A), AT(b, B), AT(c, D)),        \
         (AT(a, A), AT(b, B), AT(c, D), context))
#define LOOP_4(R, A, B, D, E)                                                            \
    LOOP(loop_##R##_##A##_##B##_##D##_##E, R, 4, IN(a, 0) IN(b, 1) IN(c, 2) IN(d, 3),    \
         , (STEP_4), (T(A), T(B), T(D), T(E)), (void *, T(A), T(B), T(D), T(E)),         \
         (T(A), T(B), T(D), T(E), void *), (AT(a, A), AT(b, B), AT(c, D), AT(d, E)),     \
         (context, AT(a, A), AT(b, B), AT(c, D), AT(d, E)),                              \
         (AT(a, A), AT(b, B), AT(c, D), AT(d, E), context))
#define LOOP_5(R, A, B, D, E, F)                                                         \
    LOOP(loop_##R##_##A##_##B##_##D##_##E##_##F, R, 5,                                   \
         IN(a, 0) IN(b, 1) IN(c, 2) IN(d, 3) IN(e, 4), , (STEP_5),                       \
         (T(A), T(B), T(D), T(E), T(F)), (void *, T(A), T(B), T(D), T(E), T(F)),         \
         (T(A), T(B), T(D), T(E), T(F), void *),                                         \
         (AT(a, A), AT(b, B), AT(c, D), AT(d, E), AT(e, F)),                             \
         (context, AT(a, A), AT(b, B), AT(c, D), AT(d, E), AT(e, F)),                    \
         (AT(a, A), AT(b, B), AT(c, D), AT(d, E), AT(e, F), context))
#define LOOP_6(R, A, B, D, E, F, G)                                                      \
    LOOP(loop_##R##_##A##_##B##_##D##_##E##_##F##_##G, R, 6,                             \
         IN(a, 0) IN(b, 1) IN(c, 2) IN(d, 3) IN(e, 4) IN(g, 5), , (STEP_6),              \
         (T(A), T(B), T(D), T(E), T(F), T(G)),                                           \
         (void *, T(A), T(B), T(D), T(E), T(F), T(G)),                                   \
         (T(A), T(B), T(D), T(E), T(F), T(G), void *),                                   \
         (AT(a, A), AT(b, B), AT(c, D), AT(d, E), AT(e, F), AT(g, G)),                   \
         (context, AT(a, A), AT(b, B), AT(c, D), AT(d, E), AT(e, F), AT(g, G)),          \
         (AT(a, A), AT(b, B), AT(c, D), AT(d, E), AT(e, F), AT(g, G), context))

COMMON_1(LOOP_1)
COMMON_2(LOOP_2)
COMMON_3(LOOP_3)
COMMON_4(LOOP_4)
COMMON_5(LOOP_5)
COMMON_6(LOOP_6)

#define LOOP_ROW_1(...) ROW_1(loop, __VA_ARGS__)
#define LOOP_ROW_2(...) ROW_2(loop, __VA_ARGS__)
#define LOOP_ROW_3(...) ROW_3(loop, __VA_ARGS__)
#define LOOP_ROW_4(...) ROW_4(loop, __VA_ARGS__)
#define LOOP_ROW_5(...) ROW_5(loop, __VA_ARGS__)
#define LOOP_ROW_6(...) ROW_6(loop, __VA_ARGS__)

static const Thunk compiled_loops[] = {
    COMMON_1(LOOP_ROW_1) COMMON_2(LOOP_ROW_2) COMMON_3(LOOP_ROW_3) COMMON_4(LOOP_ROW_4)
    COMMON_5(LOOP_ROW_5) COMMON_6(LOOP_ROW_6)
    {0, NULL}
};

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
