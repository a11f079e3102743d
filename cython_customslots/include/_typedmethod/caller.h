/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/caller.h - a C function that calls any callable, in one line.
 * Included by typedmethod.h; not for direct use.
 */

/** Defines, at file level, a function that calls what a PyTypedCallable holds: the result's
   type first, then up to eleven arguments, as words of tokens.h.

       PyTypedMethod_CALLER(call_f8_i4, f8, i4)     defines
       static inline double call_f8_i4(PyTypedCallable *held, int32_t a);

   The function calls the C function as its entry requires and finds out whether it raised, or
   calls Python where there is no C function.  After an exception it returns -1 (NULL for
   object and pointer, true for bool) with the exception set.  The same value may also be
   a result: Cython's `except? -1`; in C, PyErr_Occurred() tells.  With a void result it
   returns int, 0 or -1.  object: arguments are borrowed, a result is a new reference.

   It may be called with and without the GIL (an attached thread state): it takes the GIL
   for Python, for C functions without the flag NOGIL, and to check a result that may
   mean an exception.  A thread that has no thread state of its own has nowhere to raise an exception:
   the exception goes to sys.unraisablehook.  But an exception of a NOGIL function there is lost with
   the thread state that the function makes to raise it, and the error value is returned as a result.
   So call functions that may raise only in threads with a state, or by PyTypedCallback_CALLER().
   *held must be initialised for this signature (otherwise: TypeError), and neither cleared
   nor initialised again while a call of it is running. */
#define PyTypedMethod_CALLER(name, ...)                                                  \
    _Pycs_EXPAND4(_Pycs_CALLER_N(                                                        \
        0, name, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

/** PyTypedMethod_CALLER() for code that always holds the GIL, without a test for it.  In Cython the
   compiler layer chooses between the two for each call (typedmethod.pxd). */
#define PyTypedMethod_CALLER_WITH_GIL(name, ...)                                         \
    _Pycs_EXPAND4(_Pycs_CALLER_N(                                                        \
        1, name, _Pycs_COUNT(__VA_ARGS__), __VA_ARGS__, ))

/* How many arguments there are behind the result. */
#define _Pycs_COUNT(...)                                                                 \
    _Pycs_EXPAND(_Pycs_COUNT_(__VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4,                     \
                              3, 2, 1, 0, ))
#define _Pycs_COUNT_(r, a, b, c, d, e, f, g, h, i, j, k, count, ...) count

/* first(0, a) other(1, b) other(2, c) ... for the `count` words that follow `none`; just `none` if
   there are no words.  The words end with a comma, because C99 requires an argument for `...`. */
#define _Pycs_LIST(count, first, other, none, ...)                                       \
    _Pycs_EXPAND(_Pycs_LIST_##count(                                                     \
        _Pycs_##first, _Pycs_##other, none, __VA_ARGS__))
#define _Pycs_LIST_0(first, other, none, end) none
#define _Pycs_LIST_1(first, other, none, a, end) first(0, a)
#define _Pycs_LIST_2(first, other, none, a, b, end)                                      \
    _Pycs_LIST_1(first, other, , a, ) other(1, b)
#define _Pycs_LIST_3(first, other, none, a, b, c, end)                                   \
    _Pycs_LIST_2(first, other, , a, b, ) other(2, c)
#define _Pycs_LIST_4(first, other, none, a, b, c, d, end)                                \
    _Pycs_LIST_3(first, other, , a, b, c, ) other(3, d)
#define _Pycs_LIST_5(first, other, none, a, b, c, d, e, end)                             \
    _Pycs_LIST_4(first, other, , a, b, c, d, ) other(4, e)
#define _Pycs_LIST_6(first, other, none, a, b, c, d, e, f, end)                          \
    _Pycs_LIST_5(first, other, , a, b, c, d, e, ) other(5, f)
#define _Pycs_LIST_7(first, other, none, a, b, c, d, e, f, g, end)                       \
    _Pycs_LIST_6(first, other, , a, b, c, d, e, f, ) other(6, g)
#define _Pycs_LIST_8(first, other, none, a, b, c, d, e, f, g, h, end)                    \
    _Pycs_LIST_7(first, other, , a, b, c, d, e, f, g, ) other(7, h)
#define _Pycs_LIST_9(first, other, none, a, b, c, d, e, f, g, h, i, end)                 \
    _Pycs_LIST_8(first, other, , a, b, c, d, e, f, g, h, ) other(8, i)
#define _Pycs_LIST_10(first, other, none, a, b, c, d, e, f, g, h, i, j, end)             \
    _Pycs_LIST_9(first, other, , a, b, c, d, e, f, g, h, i, ) other(9, j)
#define _Pycs_LIST_11(first, other, none, a, b, c, d, e, f, g, h, i, j, k, end)          \
    _Pycs_LIST_10(first, other, , a, b, c, d, e, f, g, h, i, j, ) other(10, k)

/* What the word `t` of argument i becomes at the beginning, in the middle or at the end of a list. */
#define _Pycs_TYPE(i, t)            _Pycs_T(t)
#define _Pycs_COMMA_TYPE(i, t)      , _Pycs_T(t)
#define _Pycs_TYPE_COMMA(i, t)      _Pycs_T(t),
#define _Pycs_COMMA_CODE(i, t)      , _Pycs_C(t)
#define _Pycs_COMMA_PARAMETER(i, t) , _Pycs_T(t) a##i##_
#define _Pycs_VALUE(i, t)           a##i##_
#define _Pycs_COMMA_VALUE(i, t)     , a##i##_
#define _Pycs_VALUE_COMMA(i, t)     a##i##_,
#define _Pycs_COPY(i, t)            _Pycs_T(t) a##i##_copy = a##i##_;
#define _Pycs_ADDRESS(i, t)         arguments_[i] = &a##i##_copy;

#define _Pycs_CALLER_N(gil, name, count, ...)                                            \
    _Pycs_EXPAND3(_Pycs_CALLER_NN(gil, name, count, __VA_ARGS__))
#define _Pycs_CALLER_NN(gil, name, count, r, ...)                                        \
    _Pycs_BODY(                                                                          \
        gil, name, _Pycs_T(r), _Pycs_M(r),                                               \
        PyTypedMethod_SIG(_Pycs_C(r)                                                     \
            _Pycs_LIST(count, COMMA_CODE, COMMA_CODE, , __VA_ARGS__)),                   \
        (PyTypedCallable *held                                                           \
            _Pycs_LIST(count, COMMA_PARAMETER, COMMA_PARAMETER, , __VA_ARGS__)),         \
        (_Pycs_LIST(count, TYPE, COMMA_TYPE, void, __VA_ARGS__)),                        \
        (void * _Pycs_LIST(count, COMMA_TYPE, COMMA_TYPE, , __VA_ARGS__)),               \
        (_Pycs_LIST(count, TYPE_COMMA, TYPE_COMMA, , __VA_ARGS__) void *),               \
        (_Pycs_LIST(count, VALUE, COMMA_VALUE, , __VA_ARGS__)),                          \
        (held->call.context                                                              \
            _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)),                 \
        (_Pycs_LIST(count, VALUE_COMMA, VALUE_COMMA, , __VA_ARGS__)                      \
            held->call.context),                                                         \
        (held _Pycs_LIST(count, COMMA_VALUE, COMMA_VALUE, , __VA_ARGS__)),               \
        _Pycs_LIST(count, COPY, COPY, , __VA_ARGS__),                                    \
        _Pycs_LIST(count, ADDRESS, ADDRESS, , __VA_ARGS__))

/* For each member of PyTypedMethodError: which type is returned and how the result of a call is kept, where a
   function without a result differs from others; and whether a result says that the function has raised. */
#define _Pycs_IF_VOID_i(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_u(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_f(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_p(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_c(is_void, otherwise) otherwise
#define _Pycs_IF_VOID_v(is_void, otherwise) is_void
#define _Pycs_RESULT(member, type) _Pycs_IF_VOID_##member(int, type)
#define _Pycs_KEEP(member, call)   _Pycs_IF_VOID_##member((result_ = 0, call), result_ = call)
#define _Pycs_IS_ERROR_i(type) (result_ == (type)held->call.error.i)
#define _Pycs_IS_ERROR_u(type) (result_ == (type)held->call.error.u)
#define _Pycs_IS_ERROR_f(type)                                                           \
    (result_ == (type)held->call.error.f                                                 \
     || (result_ != result_ && held->call.error.f != held->call.error.f))
#define _Pycs_IS_ERROR_p(type) ((void *)result_ == held->call.error.p)
#define _Pycs_IS_ERROR_c(type) 0
#define _Pycs_IS_ERROR_v(type) 0

/* Only the call of a function that needs nothing else is inlined, behind one test; the
   rest is in a function of its own, behind a SLOW one: see _customslots/compilers.h. */
#define _Pycs_BODY(...) _Pycs_EXPAND2(_Pycs_BODY_(__VA_ARGS__))
#define _Pycs_BODY_(gil, name, type, member, expected, parameters, plain,                \
                    first, last, values, first_values, last_values, all_values,          \
                    copies, addresses)                                                   \
_Pycs_HOT _Pycs_RESULT(member, type)                                                     \
name##_slowly parameters                                                                 \
{                                                                                        \
    /* No flags where Python is called, which so gets the GIL. */                        \
    const uint32_t flags_ = held->signature == (expected) ? held->call.flags : 0;        \
    const uint32_t raises_ = flags_ & PyTypedMethod_RAISES;                              \
    _Pycs_RESULT(member, type) result_;                                                  \
    _Pycs_Gil gil_;                                                                      \
    gil_.taken = 0;                                                                      \
    if (!(gil) && !(flags_ & PyTypedMethod_NOGIL)) _Pycs_TakeGil(&gil_);                 \
    if (held->call.function == NULL || held->signature != (expected)) {                  \
        const void *arguments_[PyTypedMethod_MAX_SHORT];                                 \
        _Pycs_RESULT(member, type) value_;                                               \
        copies                                                                           \
        addresses                                                                        \
        arguments_[PyTypedMethod_MAX_SHORT - 1] = NULL;                                  \
        _Pycs_CallPython(held, (expected), arguments_, &value_);                         \
        result_ = value_;                                                                \
    }                                                                                    \
    else if (flags_ & PyTypedMethod_CTX_FIRST) {                                         \
        _Pycs_KEEP(member, ((type (*)first)(uintptr_t)held->call.function)first_values); \
    }                                                                                    \
    else if (flags_ & PyTypedMethod_CTX_LAST) {                                          \
        _Pycs_KEEP(member, ((type (*)last)(uintptr_t)held->call.function)last_values);   \
    }                                                                                    \
    else {                                                                               \
        _Pycs_KEEP(member, ((type (*)plain)(uintptr_t)held->call.function)values);       \
    }                                                                                    \
    if (raises_ == PyTypedMethod_RAISES_ANY                                              \
            || (raises_ != 0 && _Pycs_IS_ERROR_##member(type))) {                        \
        if (raises_ == PyTypedMethod_RAISES_VALUE                                        \
                || ((gil) || !(flags_ & PyTypedMethod_NOGIL) ? PyErr_Occurred() != NULL  \
                    : _Pycs_HasRaised())) {                                              \
            _Pycs_StoreFailure(_Pycs_CODE_AT(expected, 0), &result_);                    \
        }                                                                                \
    }                                                                                    \
    if (gil_.taken) _Pycs_ReleaseGil(&gil_, held->callable);                             \
    return result_;                                                                      \
}                                                                                        \
_Pycs_SLOW _Pycs_RESULT(member, type)                                                    \
name##_otherwise parameters                                                              \
{                                                                                        \
    return name##_slowly all_values;                                                     \
}                                                                                        \
_Pycs_FAST _Pycs_RESULT(member, type)                                                    \
name parameters                                                                          \
{                                                                                        \
    _Pycs_RESULT(member, type) result_;                                                  \
    if (_Pycs_LIKELY(held->at_once[gil] == (expected))) {                                \
        _Pycs_KEEP(member, ((type (*)plain)(uintptr_t)held->call.function)values);       \
    }                                                                                    \
    else if (held->at_once[2 + gil] == (expected)) {                                     \
        _Pycs_KEEP(member, ((type (*)first)(uintptr_t)held->call.function)first_values); \
    }                                                                                    \
    else return name##_otherwise all_values;                                             \
    if (!_Pycs_LIKELY(!_Pycs_IS_ERROR_##member(type))) {                                 \
        const uint32_t raises_ = held->call.flags & PyTypedMethod_RAISES;                \
        if (raises_ != 0                                                                 \
                && (raises_ == PyTypedMethod_RAISES_VALUE                                \
                    || _Pycs_HasReallyRaised())) {                                       \
            _Pycs_RESULT(member, type) failure_;                                         \
            _Pycs_StoreFailure(_Pycs_CODE_AT(expected, 0), &failure_);                   \
            return failure_;                                                             \
        }                                                                                \
    }                                                                                    \
    return result_;                                                                      \
}
