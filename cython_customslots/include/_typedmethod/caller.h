/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/caller.h - a C function that calls any callable, in one line.
 * Included by typedmethod.h; not for direct use.
 */
#ifndef Py_TYPEDMETHOD_CALLER_H
#define Py_TYPEDMETHOD_CALLER_H

/* Defines, at file level, a function that calls what a PyTypedCallable holds: the result's
   type first, then up to eleven arguments, as words of tokens.h.

       PyTypedMethod_CALLER(call_f8_i4, f8, i4)     defines
       static inline double call_f8_i4(PyTypedCallable *held, int32_t a);

   The function calls in the form that the entry wants, finds out whether that raised, and
   calls Python where there is no C function.  After an exception it returns -1 (NULL for
   object and pointer, true for bool) with the exception set, as any function may that did
   not raise: Cython's `except? -1`, in C PyErr_Occurred() tells.  One whose result is void
   returns int, 0 or -1.  object: arguments are borrowed, a result is a new reference.

   It may be called with and without the GIL (an attached thread state): it takes the GIL
   for Python, for C functions without the flag NOGIL, and to look at a result that may
   mean an exception.  In a thread that has no thread state of its own an exception cannot
   be handed on: it goes to sys.unraisablehook.
   *held was initialised for this signature (otherwise: TypeError), and is neither cleared
   nor initialised anew while it is called. */
#define PyTypedMethod_CALLER(name, ...)                                                  \
    _PyTypedMethod_EXPAND4(_PyTypedMethod_CALLER_N(                                      \
        0, name, _PyTypedMethod_COUNT(__VA_ARGS__), __VA_ARGS__))

/* The same for callers that always have the GIL: it is not asked for. */
#define PyTypedMethod_CALLER_WITH_GIL(name, ...)                                         \
    _PyTypedMethod_EXPAND4(_PyTypedMethod_CALLER_N(                                      \
        1, name, _PyTypedMethod_COUNT(__VA_ARGS__), __VA_ARGS__))

/* How many arguments there are behind the result. */
#define _PyTypedMethod_COUNT(...)                                                        \
    _PyTypedMethod_EXPAND(_PyTypedMethod_COUNT_(__VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4,   \
                                                3, 2, 1, 0, ))
#define _PyTypedMethod_COUNT_(r, a, b, c, d, e, f, g, h, i, j, k, count, ...) count

#define _PyTypedMethod_CALLER_N(gil, name, count, ...)                                   \
    _PyTypedMethod_CALLER_NN(gil, name, count, __VA_ARGS__)
#define _PyTypedMethod_CALLER_NN(gil, name, count, ...)                                  \
    _PyTypedMethod_EXPAND3(_PyTypedMethod_CALLER_##count(gil, name, __VA_ARGS__))

#define _PyTypedMethod_CALLER_0(gil, name, r) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r), \
        (PyTypedCallable *held), \
        (void), \
        (void *), \
        (void *), \
        (), \
        (held->call.context), \
        (held->call.context), \
        (held), \
        (void)0;, \
        (void)0;)
#define _PyTypedMethod_CALLER_1(gil, name, r, a) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_), \
        (_PyTypedMethod_T_##a), \
        (void *, _PyTypedMethod_T_##a), \
        (_PyTypedMethod_T_##a, void *), \
        (a_), \
        (held->call.context, a_), \
        (a_, held->call.context), \
        (held, a_), \
        _PyTypedMethod_T_##a a_copy = a_;, \
        arguments_[0] = &a_copy;)
#define _PyTypedMethod_CALLER_2(gil, name, r, a, b) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, void *), \
        (a_, b_), \
        (held->call.context, a_, b_), \
        (a_, b_, held->call.context), \
        (held, a_, b_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy;)
#define _PyTypedMethod_CALLER_3(gil, name, r, a, b, c) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b, _PyTypedMethod_C_##c), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_, _PyTypedMethod_T_##c c_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b, \
         _PyTypedMethod_T_##c), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, void \
         *), \
        (a_, b_, c_), \
        (held->call.context, a_, b_, c_), \
        (a_, b_, c_, held->call.context), \
        (held, a_, b_, c_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_; \
        _PyTypedMethod_T_##c c_copy = c_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy; arguments_[2] = \
        &c_copy;)
#define _PyTypedMethod_CALLER_4(gil, name, r, a, b, c, d) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b, _PyTypedMethod_C_##c, _PyTypedMethod_C_##d), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_, _PyTypedMethod_T_##c c_, _PyTypedMethod_T_##d d_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b, \
         _PyTypedMethod_T_##c, _PyTypedMethod_T_##d), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, void *), \
        (a_, b_, c_, d_), \
        (held->call.context, a_, b_, c_, d_), \
        (a_, b_, c_, d_, held->call.context), \
        (held, a_, b_, c_, d_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_; \
        _PyTypedMethod_T_##c c_copy = c_; _PyTypedMethod_T_##d d_copy = d_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy; arguments_[2] = \
        &c_copy; arguments_[3] = &d_copy;)
#define _PyTypedMethod_CALLER_5(gil, name, r, a, b, c, d, e) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b, _PyTypedMethod_C_##c, _PyTypedMethod_C_##d, \
        _PyTypedMethod_C_##e), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_, _PyTypedMethod_T_##c c_, _PyTypedMethod_T_##d d_, \
         _PyTypedMethod_T_##e e_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b, \
         _PyTypedMethod_T_##c, _PyTypedMethod_T_##d, _PyTypedMethod_T_##e), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, void *), \
        (a_, b_, c_, d_, e_), \
        (held->call.context, a_, b_, c_, d_, e_), \
        (a_, b_, c_, d_, e_, held->call.context), \
        (held, a_, b_, c_, d_, e_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_; \
        _PyTypedMethod_T_##c c_copy = c_; _PyTypedMethod_T_##d d_copy = d_; \
        _PyTypedMethod_T_##e e_copy = e_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy; arguments_[2] = \
        &c_copy; arguments_[3] = &d_copy; arguments_[4] = &e_copy;)
#define _PyTypedMethod_CALLER_6(gil, name, r, a, b, c, d, e, f) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b, _PyTypedMethod_C_##c, _PyTypedMethod_C_##d, \
        _PyTypedMethod_C_##e, _PyTypedMethod_C_##f), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_, _PyTypedMethod_T_##c c_, _PyTypedMethod_T_##d d_, \
         _PyTypedMethod_T_##e e_, _PyTypedMethod_T_##f f_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b, \
         _PyTypedMethod_T_##c, _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, \
         _PyTypedMethod_T_##f), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, void \
         *), \
        (a_, b_, c_, d_, e_, f_), \
        (held->call.context, a_, b_, c_, d_, e_, f_), \
        (a_, b_, c_, d_, e_, f_, held->call.context), \
        (held, a_, b_, c_, d_, e_, f_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_; \
        _PyTypedMethod_T_##c c_copy = c_; _PyTypedMethod_T_##d d_copy = d_; \
        _PyTypedMethod_T_##e e_copy = e_; _PyTypedMethod_T_##f f_copy = f_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy; arguments_[2] = \
        &c_copy; arguments_[3] = &d_copy; arguments_[4] = &e_copy; arguments_[5] \
        = &f_copy;)
#define _PyTypedMethod_CALLER_7(gil, name, r, a, b, c, d, e, f, g) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b, _PyTypedMethod_C_##c, _PyTypedMethod_C_##d, \
        _PyTypedMethod_C_##e, _PyTypedMethod_C_##f, _PyTypedMethod_C_##g), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_, _PyTypedMethod_T_##c c_, _PyTypedMethod_T_##d d_, \
         _PyTypedMethod_T_##e e_, _PyTypedMethod_T_##f f_, _PyTypedMethod_T_##g \
         g_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b, \
         _PyTypedMethod_T_##c, _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, \
         _PyTypedMethod_T_##f, _PyTypedMethod_T_##g), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g, void *), \
        (a_, b_, c_, d_, e_, f_, g_), \
        (held->call.context, a_, b_, c_, d_, e_, f_, g_), \
        (a_, b_, c_, d_, e_, f_, g_, held->call.context), \
        (held, a_, b_, c_, d_, e_, f_, g_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_; \
        _PyTypedMethod_T_##c c_copy = c_; _PyTypedMethod_T_##d d_copy = d_; \
        _PyTypedMethod_T_##e e_copy = e_; _PyTypedMethod_T_##f f_copy = f_; \
        _PyTypedMethod_T_##g g_copy = g_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy; arguments_[2] = \
        &c_copy; arguments_[3] = &d_copy; arguments_[4] = &e_copy; arguments_[5] \
        = &f_copy; arguments_[6] = &g_copy;)
#define _PyTypedMethod_CALLER_8(gil, name, r, a, b, c, d, e, f, g, h) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b, _PyTypedMethod_C_##c, _PyTypedMethod_C_##d, \
        _PyTypedMethod_C_##e, _PyTypedMethod_C_##f, _PyTypedMethod_C_##g, \
        _PyTypedMethod_C_##h), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_, _PyTypedMethod_T_##c c_, _PyTypedMethod_T_##d d_, \
         _PyTypedMethod_T_##e e_, _PyTypedMethod_T_##f f_, _PyTypedMethod_T_##g \
         g_, _PyTypedMethod_T_##h h_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g, _PyTypedMethod_T_##h), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b, \
         _PyTypedMethod_T_##c, _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, \
         _PyTypedMethod_T_##f, _PyTypedMethod_T_##g, _PyTypedMethod_T_##h), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, void *), \
        (a_, b_, c_, d_, e_, f_, g_, h_), \
        (held->call.context, a_, b_, c_, d_, e_, f_, g_, h_), \
        (a_, b_, c_, d_, e_, f_, g_, h_, held->call.context), \
        (held, a_, b_, c_, d_, e_, f_, g_, h_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_; \
        _PyTypedMethod_T_##c c_copy = c_; _PyTypedMethod_T_##d d_copy = d_; \
        _PyTypedMethod_T_##e e_copy = e_; _PyTypedMethod_T_##f f_copy = f_; \
        _PyTypedMethod_T_##g g_copy = g_; _PyTypedMethod_T_##h h_copy = h_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy; arguments_[2] = \
        &c_copy; arguments_[3] = &d_copy; arguments_[4] = &e_copy; arguments_[5] \
        = &f_copy; arguments_[6] = &g_copy; arguments_[7] = &h_copy;)
#define _PyTypedMethod_CALLER_9(gil, name, r, a, b, c, d, e, f, g, h, i) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b, _PyTypedMethod_C_##c, _PyTypedMethod_C_##d, \
        _PyTypedMethod_C_##e, _PyTypedMethod_C_##f, _PyTypedMethod_C_##g, \
        _PyTypedMethod_C_##h, _PyTypedMethod_C_##i), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_, _PyTypedMethod_T_##c c_, _PyTypedMethod_T_##d d_, \
         _PyTypedMethod_T_##e e_, _PyTypedMethod_T_##f f_, _PyTypedMethod_T_##g \
         g_, _PyTypedMethod_T_##h h_, _PyTypedMethod_T_##i i_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, _PyTypedMethod_T_##i), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b, \
         _PyTypedMethod_T_##c, _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, \
         _PyTypedMethod_T_##f, _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, \
         _PyTypedMethod_T_##i), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, _PyTypedMethod_T_##i, void \
         *), \
        (a_, b_, c_, d_, e_, f_, g_, h_, i_), \
        (held->call.context, a_, b_, c_, d_, e_, f_, g_, h_, i_), \
        (a_, b_, c_, d_, e_, f_, g_, h_, i_, held->call.context), \
        (held, a_, b_, c_, d_, e_, f_, g_, h_, i_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_; \
        _PyTypedMethod_T_##c c_copy = c_; _PyTypedMethod_T_##d d_copy = d_; \
        _PyTypedMethod_T_##e e_copy = e_; _PyTypedMethod_T_##f f_copy = f_; \
        _PyTypedMethod_T_##g g_copy = g_; _PyTypedMethod_T_##h h_copy = h_; \
        _PyTypedMethod_T_##i i_copy = i_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy; arguments_[2] = \
        &c_copy; arguments_[3] = &d_copy; arguments_[4] = &e_copy; arguments_[5] \
        = &f_copy; arguments_[6] = &g_copy; arguments_[7] = &h_copy; \
        arguments_[8] = &i_copy;)
#define _PyTypedMethod_CALLER_10(gil, name, r, a, b, c, d, e, f, g, h, i, j) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b, _PyTypedMethod_C_##c, _PyTypedMethod_C_##d, \
        _PyTypedMethod_C_##e, _PyTypedMethod_C_##f, _PyTypedMethod_C_##g, \
        _PyTypedMethod_C_##h, _PyTypedMethod_C_##i, _PyTypedMethod_C_##j), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_, _PyTypedMethod_T_##c c_, _PyTypedMethod_T_##d d_, \
         _PyTypedMethod_T_##e e_, _PyTypedMethod_T_##f f_, _PyTypedMethod_T_##g \
         g_, _PyTypedMethod_T_##h h_, _PyTypedMethod_T_##i i_, \
         _PyTypedMethod_T_##j j_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, _PyTypedMethod_T_##i, \
         _PyTypedMethod_T_##j), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b, \
         _PyTypedMethod_T_##c, _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, \
         _PyTypedMethod_T_##f, _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, \
         _PyTypedMethod_T_##i, _PyTypedMethod_T_##j), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, _PyTypedMethod_T_##i, \
         _PyTypedMethod_T_##j, void *), \
        (a_, b_, c_, d_, e_, f_, g_, h_, i_, j_), \
        (held->call.context, a_, b_, c_, d_, e_, f_, g_, h_, i_, j_), \
        (a_, b_, c_, d_, e_, f_, g_, h_, i_, j_, held->call.context), \
        (held, a_, b_, c_, d_, e_, f_, g_, h_, i_, j_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_; \
        _PyTypedMethod_T_##c c_copy = c_; _PyTypedMethod_T_##d d_copy = d_; \
        _PyTypedMethod_T_##e e_copy = e_; _PyTypedMethod_T_##f f_copy = f_; \
        _PyTypedMethod_T_##g g_copy = g_; _PyTypedMethod_T_##h h_copy = h_; \
        _PyTypedMethod_T_##i i_copy = i_; _PyTypedMethod_T_##j j_copy = j_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy; arguments_[2] = \
        &c_copy; arguments_[3] = &d_copy; arguments_[4] = &e_copy; arguments_[5] \
        = &f_copy; arguments_[6] = &g_copy; arguments_[7] = &h_copy; \
        arguments_[8] = &i_copy; arguments_[9] = &j_copy;)
#define _PyTypedMethod_CALLER_11(gil, name, r, a, b, c, d, e, f, g, h, i, j, k) \
    _PyTypedMethod_BODY( \
        gil, name, _PyTypedMethod_T_##r, _PyTypedMethod_M_##r, \
        PyTypedMethod_SIG(_PyTypedMethod_C_##r, _PyTypedMethod_C_##a, \
        _PyTypedMethod_C_##b, _PyTypedMethod_C_##c, _PyTypedMethod_C_##d, \
        _PyTypedMethod_C_##e, _PyTypedMethod_C_##f, _PyTypedMethod_C_##g, \
        _PyTypedMethod_C_##h, _PyTypedMethod_C_##i, _PyTypedMethod_C_##j, \
        _PyTypedMethod_C_##k), \
        (PyTypedCallable *held, _PyTypedMethod_T_##a a_, _PyTypedMethod_T_##b \
         b_, _PyTypedMethod_T_##c c_, _PyTypedMethod_T_##d d_, \
         _PyTypedMethod_T_##e e_, _PyTypedMethod_T_##f f_, _PyTypedMethod_T_##g \
         g_, _PyTypedMethod_T_##h h_, _PyTypedMethod_T_##i i_, \
         _PyTypedMethod_T_##j j_, _PyTypedMethod_T_##k k_), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, _PyTypedMethod_T_##i, \
         _PyTypedMethod_T_##j, _PyTypedMethod_T_##k), \
        (void *, _PyTypedMethod_T_##a, _PyTypedMethod_T_##b, \
         _PyTypedMethod_T_##c, _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, \
         _PyTypedMethod_T_##f, _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, \
         _PyTypedMethod_T_##i, _PyTypedMethod_T_##j, _PyTypedMethod_T_##k), \
        (_PyTypedMethod_T_##a, _PyTypedMethod_T_##b, _PyTypedMethod_T_##c, \
         _PyTypedMethod_T_##d, _PyTypedMethod_T_##e, _PyTypedMethod_T_##f, \
         _PyTypedMethod_T_##g, _PyTypedMethod_T_##h, _PyTypedMethod_T_##i, \
         _PyTypedMethod_T_##j, _PyTypedMethod_T_##k, void *), \
        (a_, b_, c_, d_, e_, f_, g_, h_, i_, j_, k_), \
        (held->call.context, a_, b_, c_, d_, e_, f_, g_, h_, i_, j_, k_), \
        (a_, b_, c_, d_, e_, f_, g_, h_, i_, j_, k_, held->call.context), \
        (held, a_, b_, c_, d_, e_, f_, g_, h_, i_, j_, k_), \
        _PyTypedMethod_T_##a a_copy = a_; _PyTypedMethod_T_##b b_copy = b_; \
        _PyTypedMethod_T_##c c_copy = c_; _PyTypedMethod_T_##d d_copy = d_; \
        _PyTypedMethod_T_##e e_copy = e_; _PyTypedMethod_T_##f f_copy = f_; \
        _PyTypedMethod_T_##g g_copy = g_; _PyTypedMethod_T_##h h_copy = h_; \
        _PyTypedMethod_T_##i i_copy = i_; _PyTypedMethod_T_##j j_copy = j_; \
        _PyTypedMethod_T_##k k_copy = k_;, \
        arguments_[0] = &a_copy; arguments_[1] = &b_copy; arguments_[2] = \
        &c_copy; arguments_[3] = &d_copy; arguments_[4] = &e_copy; arguments_[5] \
        = &f_copy; arguments_[6] = &g_copy; arguments_[7] = &h_copy; \
        arguments_[8] = &i_copy; arguments_[9] = &j_copy; arguments_[10] = \
        &k_copy;)

/* By member of PyTypedMethodError: the type that is returned, how the result is kept, and
   whether it says that the function has raised. */
#define _PyTypedMethod_RESULT_i(type) type
#define _PyTypedMethod_RESULT_u(type) type
#define _PyTypedMethod_RESULT_f(type) type
#define _PyTypedMethod_RESULT_p(type) type
#define _PyTypedMethod_RESULT_c(type) type
#define _PyTypedMethod_RESULT_v(type) int
#define _PyTypedMethod_KEEP_i result_ =
#define _PyTypedMethod_KEEP_u result_ =
#define _PyTypedMethod_KEEP_f result_ =
#define _PyTypedMethod_KEEP_p result_ =
#define _PyTypedMethod_KEEP_c result_ =
#define _PyTypedMethod_KEEP_v result_ = 0,
#define _PyTypedMethod_IS_ERROR_i(type) (result_ == (type)held->call.error.i)
#define _PyTypedMethod_IS_ERROR_u(type) (result_ == (type)held->call.error.u)
#define _PyTypedMethod_IS_ERROR_f(type)                                                  \
    (result_ == (type)held->call.error.f                                                 \
     || (result_ != result_ && held->call.error.f != held->call.error.f))
#define _PyTypedMethod_IS_ERROR_p(type) ((void *)result_ == held->call.error.p)
#define _PyTypedMethod_IS_ERROR_c(type) 0
#define _PyTypedMethod_IS_ERROR_v(type) 0

/* What is inlined is the call of a function that needs nothing else, behind one test; the
   rest stands in a function of its own, behind a SLOW one: see "compilers" in
   customslots.h. */
#define _PyTypedMethod_BODY(gil, name, type, member, expected, parameters, plain, first, \
                            last, values, first_values, last_values, all_values, copies, \
                            addresses)                                                   \
    _PyTypedMethod_BODY_(gil, name, type, member, expected, parameters, plain, first,    \
                         last, values, first_values, last_values, all_values, copies,    \
                         addresses)
#define _PyTypedMethod_BODY_(gil, name, type, member, expected, parameters, plain,       \
                             first, last, values, first_values, last_values, all_values, \
                             copies, addresses)                                          \
_PyCustomSlots_HOT _PyTypedMethod_RESULT_##member(type)                                  \
name##_slowly parameters                                                                 \
{                                                                                        \
    if (held->call.function != NULL && held->signature == (expected)) {                  \
        const uint32_t flags_ = held->call.flags, raises_ = flags_ & PyTypedMethod_RAISES; \
        _PyTypedMethod_RESULT_##member(type) result_;                                    \
        _PyTypedMethod_Gil gil_;                                                         \
        int taken_ = 0;                                                                  \
        if (!(gil) && !(flags_ & PyTypedMethod_NOGIL)) {                                 \
            _PyTypedMethod_TakeGil(&gil_);                                               \
            taken_ = gil_.taken;                                                         \
        }                                                                                \
        if (flags_ & PyTypedMethod_CTX_FIRST) {                                          \
            _PyTypedMethod_KEEP_##member                                                 \
                ((type (*)first)(uintptr_t)held->call.function)first_values;             \
        }                                                                                \
        else if (flags_ & PyTypedMethod_CTX_LAST) {                                      \
            _PyTypedMethod_KEEP_##member                                                 \
                ((type (*)last)(uintptr_t)held->call.function)last_values;               \
        }                                                                                \
        else {                                                                           \
            _PyTypedMethod_KEEP_##member                                                 \
                ((type (*)plain)(uintptr_t)held->call.function)values;                   \
        }                                                                                \
        if (raises_ == PyTypedMethod_RAISES_ANY                                          \
                || (raises_ != 0 && _PyTypedMethod_IS_ERROR_##member(type))) {           \
            if (raises_ == PyTypedMethod_RAISES_VALUE || _PyTypedMethod_HasRaised()) {   \
                _PyTypedMethod_StoreFailure(_PyTypedMethod_CODE_AT(expected, 0), &result_); \
            }                                                                            \
        }                                                                                \
        if (taken_) _PyTypedMethod_ReleaseGil(&gil_, held->callable);                    \
        return result_;                                                                  \
    }                                                                                    \
    else {                                                                               \
        const void *arguments_[PyTypedMethod_MAX_SHORT];                                 \
        _PyTypedMethod_RESULT_##member(type) value_;                                     \
        copies                                                                           \
        addresses                                                                        \
        arguments_[PyTypedMethod_MAX_SHORT - 1] = NULL;                                  \
        _PyTypedCallable_CallPython(held, (expected), arguments_, &value_);              \
        return value_;                                                                   \
    }                                                                                    \
}                                                                                        \
_PyCustomSlots_SLOW _PyTypedMethod_RESULT_##member(type)                                 \
name##_otherwise parameters                                                              \
{                                                                                        \
    return name##_slowly all_values;                                                     \
}                                                                                        \
_PyCustomSlots_FAST _PyTypedMethod_RESULT_##member(type)                                 \
name parameters                                                                          \
{                                                                                        \
    _PyTypedMethod_RESULT_##member(type) result_;                                        \
    if (_PyCustomSlots_LIKELY(held->at_once[gil] == (expected))) {                       \
        _PyTypedMethod_KEEP_##member                                                     \
            ((type (*)plain)(uintptr_t)held->call.function)values;                       \
    }                                                                                    \
    else if (held->at_once[2 + gil] == (expected)) {                                     \
        _PyTypedMethod_KEEP_##member                                                     \
            ((type (*)first)(uintptr_t)held->call.function)first_values;                 \
    }                                                                                    \
    else return name##_otherwise all_values;                                             \
    if (!_PyCustomSlots_LIKELY(!_PyTypedMethod_IS_ERROR_##member(type))) {               \
        const uint32_t raises_ = held->call.flags & PyTypedMethod_RAISES;                \
        if (raises_ != 0                                                                 \
                && (raises_ == PyTypedMethod_RAISES_VALUE                                \
                    || _PyTypedMethod_HasReallyRaised())) {                              \
            _PyTypedMethod_RESULT_##member(type) failure_;                               \
            _PyTypedMethod_StoreFailure(_PyTypedMethod_CODE_AT(expected, 0), &failure_); \
            return failure_;                                                             \
        }                                                                                \
    }                                                                                    \
    return result_;                                                                      \
}

#endif /* Py_TYPEDMETHOD_CALLER_H */
