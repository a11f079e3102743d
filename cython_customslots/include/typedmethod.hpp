/* SPDX-License-Identifier: MIT
 *
 * typedmethod.hpp - any Python callable as a C++ object: customslots::callable<double(double)>.
 *
 * The C++ form of PyTypedCallable and PyTypedMethod_CALLER() (typedmethod.h): the type gives the
 * signature, the constructor finds the C function, the destructor releases it.  C++11 or later.
 * An example, which is compiled and run, is in docs/typed.md ("In C++").
 *
 * TYPES stand for the types of the signature by their width: integers and enums, bool, float, double,
 * long double, PyTypedMethod_c8 and its like for complex numbers (std::complex is passed differently,
 * and refused), PyObject * is `object`, any other pointer `pointer`; the result may be void.  Up to
 * eleven arguments.  Other types do not compile; for arrays there is PyTypedMethod_CALLER().
 *
 * ERRORS are Python exceptions, never C++ ones, as this code may be compiled without those.  After a
 * constructor that failed the object is empty, `if (!f)`; a call of an empty one is a TypeError.
 * PyTypedMethod_CALLER() (caller.h) says what a call returns after an exception, and who owns objects.
 *
 * OWNERSHIP: it holds a strong reference to the callable.  Copying adds a reference, moving leaves
 * the source empty.
 *
 * THE GIL (on free-threaded builds: an attached thread state) is needed to construct, copy,
 * assign, clear and destroy a callable that is not empty; keep none in static variables, which are
 * destroyed after Python.  f(x) works without it, too; f.with_gil(x) does not test for it.
 * Many threads may call one object, as long as none assigns to it, clears or destroys it in that time.
 */
#ifndef Py_TYPEDMETHOD_HPP
#define Py_TYPEDMETHOD_HPP

#if !defined(__cplusplus) || (__cplusplus < 201103L && !defined(_MSC_VER))
#  error "typedmethod.hpp needs C++11 or later; C has typedmethod.h"
#endif

#include "typedmethod.h"

#include <type_traits>

namespace customslots {

template <typename Signature> class callable;

namespace detail {

/* ------------------------------------------------------------------- signatures -- */

template <typename T> struct dependent_false : std::false_type {};

template <typename T, bool IsInteger = std::is_integral<T>::value || std::is_enum<T>::value>
struct code {
    static_assert(dependent_false<T>::value,
                  "found a type that no signature can express; expected an integer, an enum, bool, "
                  "float, double, long double, PyTypedMethod_c8, c16 or c32, or a pointer");
};
template <int Code> struct code_is { static constexpr int value() { return Code; } };
template <typename T> struct code<T, true> : code_is<PyTypedMethod_TYPE_INT(T)> {};
template <> struct code<bool, true> : code_is<PyTypedMethod_BOOL> {};
template <> struct code<void, false> : code_is<PyTypedMethod_VOID> {};
template <> struct code<float, false> : code_is<PyTypedMethod_F4> {};
template <> struct code<double, false> : code_is<PyTypedMethod_F8> {};
template <> struct code<long double, false> : code_is<PyTypedMethod_LONG_DOUBLE> {};
template <> struct code<PyTypedMethod_c8, false> : code_is<PyTypedMethod_C8> {};
template <> struct code<PyTypedMethod_c16, false> : code_is<PyTypedMethod_C16> {};
template <> struct code<PyTypedMethod_c32, false> : code_is<PyTypedMethod_LONG_COMPLEX> {};
template <typename T> struct code<T *, false> {
    static_assert(!std::is_same<typename std::remove_cv<T>::type, PyTypedMethodArray>::value,
                  "found PyTypedMethodArray, which does not say what the items are; expected a caller by "
                  "PyTypedMethod_CALLER() for functions of arrays");
    static constexpr int value()
    {
        return std::is_same<typename std::remove_cv<T>::type, PyObject>::value
            ? PyTypedMethod_OBJECT : PyTypedMethod_POINTER;
    }
};

/* The codes from place `shift` on. */
template <int shift, typename... T> struct codes {
    static constexpr uint64_t value() { return 0; }
};
template <int shift, typename T, typename... Rest> struct codes<shift, T, Rest...> {
    static constexpr uint64_t value()
    {
        return (uint64_t)code<typename std::remove_cv<T>::type>::value() << shift
               | codes<shift + 5, Rest...>::value();
    }
};

/* ----------------------------------------------------------------------- results -- */

/* How a result is kept, and whether it says that the function has raised. */
template <typename R, bool IsFloat = std::is_floating_point<R>::value,
          bool IsPointer = std::is_pointer<R>::value>
struct result {
    typedef R type;
    static bool is_error(R value, const PyTypedMethodError &error)
    {
        return std::is_unsigned<R>::value ? value == (R)error.u : value == (R)error.i;
    }
};
template <typename R> struct result<R, true, false> {
    typedef R type;
    static bool is_error(R value, const PyTypedMethodError &error)
    {
        return value == (R)error.f || (value != value && error.f != error.f);
    }
};
template <typename R> struct result<R, false, true> {
    typedef R type;
    static bool is_error(R value, const PyTypedMethodError &error) { return (void *)value == error.p; }
};
template <typename R> struct never_an_error {
    typedef R type;
    static bool is_error(const R &, const PyTypedMethodError &) { return false; }
};
template <> struct result<void, false, false> : never_an_error<int> {};
template <> struct result<PyTypedMethod_c8, false, false> : never_an_error<PyTypedMethod_c8> {};
template <> struct result<PyTypedMethod_c16, false, false> : never_an_error<PyTypedMethod_c16> {};
template <> struct result<PyTypedMethod_c32, false, false> : never_an_error<PyTypedMethod_c32> {};

/* Calls a C function with these arguments. */
template <typename R> struct invoke {
    template <typename... A> _Pycs_FAST R call(void *function, A... a)
    {
        return ((R (*)(A...))(uintptr_t)function)(a...);
    }
};
template <> struct invoke<void> {
    template <typename... A> _Pycs_FAST int call(void *function, A... a)
    {
        ((void (*)(A...))(uintptr_t)function)(a...);
        return 0;
    }
};

} /* namespace detail */

/* ---------------------------------------------------------------------- callable -- */

/** A Python callable that is called as a function of this type: see the top of this file. */
template <typename R, typename... A> class callable<R(A...)> {
    static_assert(sizeof...(A) < PyTypedMethod_MAX_SHORT,
                  "found more arguments than a signature of this kind has room for, expected at "
                  "most eleven");
    typedef detail::result<R> kept;

public:
    typedef typename kept::type result_type;    /**< R; int where R is void */

    /** The signature, as PyTypedMethod_SIG() makes it. */
    static constexpr uint64_t signature()
    {
        return (uint64_t)1 | detail::codes<1, R, A...>::value();
    }

    /** Empty. */
    callable() noexcept : held_() {}

    /** Gets ready to call `function` (borrowed).  Empty after a failure, with TypeError or
       ValueError set as PyTypedCallable_Init() says.  Also empty for NULL, whose exception the
       caller has already set. */
    _Pycs_HIDDEN explicit callable(PyObject *function) : held_()
    {
        if (function != nullptr) (void)PyTypedCallable_Init(&held_, function, signature());
    }

    /** For code that would rather have an error than call Python: PyTypedCallable_InitTyped(). */
    _Pycs_HIDDEN static callable typed(PyObject *function)
    {
        callable made;
        if (function != nullptr) (void)PyTypedCallable_InitTyped(&made.held_, function, signature());
        return made;
    }

    /** Holds the same callable; needs the GIL. */
    callable(const callable &other) : held_(other.held_) { Py_XINCREF(held_.callable); }
    /** Takes what `other` holds; `other` is empty afterwards. */
    callable(callable &&other) noexcept : held_(other.held_) { other.held_ = PyTypedCallable(); }
    /** Releases what it held, and holds what `other` holds. */
    callable &operator=(callable other) noexcept
    {
        const PyTypedCallable mine = held_;
        held_ = other.held_;
        other.held_ = mine;                     /* released when `other` is destroyed */
        return *this;
    }
    ~callable() { PyTypedCallable_Clear(&held_); }

    /** Is there anything to call? */
    explicit operator bool() const noexcept { return held_.callable != nullptr; }

    /** Is it called as a C function? */
    bool is_typed() const noexcept { return held_.call.function != nullptr; }

    /** Why not: a new str, empty if it is; NULL with an exception, as PyTypedCallable_WhyNot(). */
    PyObject *why_not() const { return PyTypedCallable_WhyNot(&held_); }

    /** The object that is held, borrowed: the callable, or one made for another library's callable; NULL if empty. */
    PyObject *get() const noexcept { return held_.callable; }

    /** For tp_traverse of an object that has one. */
    int traverse(visitproc visit, void *arg) const
    {
        Py_VISIT(held_.callable);
        return 0;
    }
    /** Releases what is held: for tp_clear of an object that has one. */
    void clear() { PyTypedCallable_Clear(&held_); }

    /** Calls it, in a thread with or without the GIL. */
    result_type operator()(A... a) const { return call<0>(&held_, a...); }

    /** Calls it, in code that holds the GIL, without a test for it. */
    result_type with_gil(A... a) const { return call<1>(&held_, a...); }

private:
    /* As the functions that PyTypedMethod_CALLER() makes, see there. */
    template <int gil>
    _Pycs_FAST result_type call(const PyTypedCallable *held, A... a)
    {
        result_type value;
        if (_Pycs_LIKELY(held->at_once[gil] == signature())) {
            value = detail::invoke<R>::template call<A...>(held->call.function, a...);
        }
        else if (held->at_once[2 + gil] == signature()) {
            value = detail::invoke<R>::template call<void *, A...>(held->call.function, held->call.context, a...);
        }
        else return otherwise<gil>(held, a...);
        if (!_Pycs_LIKELY(!kept::is_error(value, held->call.error))) {
            const uint32_t raises = held->call.flags & PyTypedMethod_RAISES;
            if (raises != 0 && (raises == PyTypedMethod_RAISES_VALUE || _Pycs_HasReallyRaised())) return failure();
        }
        return value;
    }

    template <int gil>
    _Pycs_HIDDEN _Pycs_SLOW result_type otherwise(const PyTypedCallable *held, A... a)
    {
        return slowly<gil>(held, a...);
    }

    template <int gil>
    _Pycs_HIDDEN _Pycs_HOT result_type slowly(const PyTypedCallable *held, A... a)
    {
        /* No flags where Python is called, so that it gets the GIL. */
        const uint32_t flags = held->signature == signature() ? held->call.flags : 0;
        const uint32_t raises = flags & PyTypedMethod_RAISES;
        result_type value;
        _Pycs_Gil taken;
        const bool takes = gil == 0 && !(flags & PyTypedMethod_NOGIL);
        if (takes) _Pycs_TakeGil(&taken);
        if (held->call.function == nullptr || held->signature != signature()) {
            const void *arguments[sizeof...(A) + 1] = {(const void *)&a..., nullptr};
            _Pycs_CallPython(held, signature(), arguments, &value);
        }
        else if (flags & PyTypedMethod_CTX_FIRST) {
            value = detail::invoke<R>::template call<void *, A...>(held->call.function, held->call.context, a...);
        }
        else if (flags & PyTypedMethod_CTX_LAST) value = context_last(held, a...);
        else value = detail::invoke<R>::template call<A...>(held->call.function, a...);
        if (raises == PyTypedMethod_RAISES_ANY || (raises != 0 && kept::is_error(value, held->call.error))) {
            const bool is_attached = gil != 0 || !(flags & PyTypedMethod_NOGIL);
            if (raises == PyTypedMethod_RAISES_VALUE
                    || (is_attached ? PyErr_Occurred() != nullptr : _Pycs_HasRaised() != 0)) value = failure();
        }
        if (takes) _Pycs_ReleaseGil(&taken, held->callable);
        return value;
    }

    static result_type context_last(const PyTypedCallable *held, A... a)
    {
        return detail::invoke<R>::template call<A..., void *>(held->call.function, a..., held->call.context);
    }

    static result_type failure()
    {
        result_type value;
        _Pycs_StoreFailure(_Pycs_CODE_AT(signature(), 0), &value);
        return value;
    }

    PyTypedCallable held_;
};

} /* namespace customslots */

#endif /* Py_TYPEDMETHOD_HPP */
