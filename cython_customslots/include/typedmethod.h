/* SPDX-License-Identifier: MIT
 *
 * typedmethod.h - call the C function behind a Python callable.
 *
 * THE DOMAIN
 *
 * A compiled function, `double f(double)`, gets a Python wrapper: arguments are
 * taken out of Python objects, the result is put into one.  A caller that is compiled, too,
 * and has a C double, puts it into an object first, so that the wrapper can take it out
 * again: 10 to 17 times the cost of the call.  With this header, the function's module says
 * which C function is behind the wrapper ("Type information for faster Python C extensions",
 * M. Bernstein and C. F. Bolz-Tereick, 2024), and the caller finds and calls it.
 *
 * THE PICTURE
 *
 *   callable            static data of its module       the process's table
 *   +---------+         +-------------+                 +---------------+--------------+
 *   | m_ml ---|-------->| PyMethodDef |---------------->| PyMethodDef * | record       |
 *   | m_self  |         +-------------+     address     | PyTypeObject *| layout       |
 *   +---------+                                         +---------------+------|-------+
 *                                                                              v
 *   consumer: PyTypedMethodCall                          record: overloads
 *   +------------------------------+                     +-----------+----------+-------+
 *   | function, context, flags,    |<--------------------| signature | function | flags |
 *   | error value                  |  the one with the   +-----------+----------+-------+
 *   +------------------------------+  signature
 *
 * AN EXAMPLE: any callable, at the speed of C where there is a C function
 * (tests/c/example_typed.c holds this text and is compiled and run)
 *
 *   // [example.begin]
 *   #include "typedmethod.h"
 *
 *   PyTypedMethod_CALLER(call_f8_f8, f8, f8)      // double call_f8_f8(PyTypedCallable *, double)
 *
 *   static double                                 // -1 with an exception, or the integral
 *   integrate(PyObject *callable, double from, double to, int steps)
 *   {
 *       PyTypedCallable f;
 *       double sum = 0.0;
 *       if (PyTypedCallable_Init(&f, callable, PyTypedMethod_SIGNATURE(f8(f8))) < 0) return -1.0;
 *       for (int i = 0; i < steps && !PyErr_Occurred(); i++) {
 *           sum += call_f8_f8(&f, from + (to - from) * (i + 0.5) / steps);
 *       }
 *       PyTypedCallable_Clear(&f);
 *       return PyErr_Occurred() ? -1.0 : sum * (to - from) / steps;
 *   }
 *   // [example.end]
 *
 * A hand-written module says in one line which C function is behind a Python function, and calls
 * PyTypedMethod_RegisterMethods() when it is executed (examples/mytypedmod):
 *
 *   PyTypedMethod_FUNCTION(inc, inc_impl, PyTypedMethod_RAISES_MAYBE, -1, long(long));
 *
 * Cython's cpdef functions get such lines from the compiler layer.  C++ has a class for the
 * consumer's side, customslots::callable<double(double)>, in typedmethod.hpp.
 *
 * CONTRACT OF EVERYTHING BELOW, unless a function says otherwise
 *
 *   - Include it in as many files as you like, as C99 or later or C++11 or later; nothing
 *     to initialise, to import or to link.
 *   - Needs the GIL or, on free-threaded builds, an attached thread state.  Functions that
 *     PyTypedMethod_CALLER() defines do not.
 *   - Any object is accepted, and none makes it crash.  Finding nothing is not an error; a wrong
 *     record is refused when it is registered, with the reason.
 *   - The caller of a C function that was found keeps the callable alive.
 *   - On PyPy this header finds what it finds on CPython.
 *   - Consumers may define Py_LIMITED_API from 3.11 on, or Py_TARGET_ABI3T; registering records needs the full API.
 *     docs/building.md says what is weaker then.
 */
#ifndef Py_TYPEDMETHOD_H
#define Py_TYPEDMETHOD_H

#include "customslots.h"

#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030B0000
#  error "typedmethod.h needs Py_LIMITED_API of 3.11 (0x030B0000) or later, which has buffers"
#endif

#include <float.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "_typedmethod/signature.h"
#include "_typedmethod/tokens.h"
#include "_typedmethod/record.h"
#include "_typedmethod/objects.h"
#include "_typedmethod/register.h"
#include "_typedmethod/find.h"
#include "_typedmethod/explain.h"
#include "_typedmethod/callable.h"
#include "_typedmethod/caller.h"
#include "_typedmethod/callback.h"
#include "_typedmethod/running.h"

#ifdef PyCustomSlots_ELSEWHERE
extern _Pycs_HIDDEN const struct _Pycs_TypedFunctions {
    int (*find)(PyObject *, uint64_t, PyTypedMethodCall *);
    int (*init)(PyTypedCallable *, PyObject *, uint64_t);
    int (*init_typed)(PyTypedCallable *, PyObject *, uint64_t);
    int (*init_any)(PyTypedCallback *, PyObject *, const PyTypedCallbackForm *);
    PyObject *(*why_not)(const PyTypedCallable *);
    PyObject *(*why_not_any)(const PyTypedCallback *);
    void (*call_python)(const PyTypedCallable *, uint64_t, const void *const *, void *);
} _Pycs_TABLE_OF(typedmethod);
#  ifdef PyCustomSlots_HERE
const struct _Pycs_TypedFunctions _Pycs_TABLE_OF(typedmethod) = {
    PyTypedMethod_Find, PyTypedCallable_Init, PyTypedCallable_InitTyped, PyTypedCallable_InitAny,
    PyTypedCallable_WhyNot, PyTypedCallback_WhyNot, _Pycs_CallPython};
#  else
#    define PyTypedMethod_Find        (*_Pycs_TABLE_OF(typedmethod).find)
#    define PyTypedCallable_Init      (*_Pycs_TABLE_OF(typedmethod).init)
#    define PyTypedCallable_InitTyped (*_Pycs_TABLE_OF(typedmethod).init_typed)
#    define PyTypedCallable_InitAny   (*_Pycs_TABLE_OF(typedmethod).init_any)
#    define PyTypedCallable_WhyNot    (*_Pycs_TABLE_OF(typedmethod).why_not)
#    define PyTypedCallback_WhyNot    (*_Pycs_TABLE_OF(typedmethod).why_not_any)
#    define _Pycs_CallPython          (*_Pycs_TABLE_OF(typedmethod).call_python)
#  endif
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_TYPEDMETHOD_H */
