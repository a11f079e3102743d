/* SPDX-License-Identifier: MIT
 *
 * module.h - the end of a test module: its definition, and the function that Python calls.
 */
#ifndef TESTS_MODULE_H
#define TESTS_MODULE_H

#include <Python.h>

#define MODULE_STRING_(x)  #x
#define MODULE_STRING(x)  MODULE_STRING_(x)
#define MODULE_CONCAT_(a, b) a##b
#define MODULE_CONCAT(a, b)  MODULE_CONCAT_(a, b)

/* Rows of a table of methods; hardly any function needs its `module`. */
#define TAKES_ARGS(f)  {#f, f, METH_VARARGS, NULL}
#define TAKES_ONE(f)   {#f, f, METH_O, NULL}
#define TAKES_NONE(f)  {#f, f, METH_NOARGS, NULL}
#ifdef _MSC_VER
#  pragma warning(disable: 4100)
#else
#  pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

#if defined(Py_mod_gil) && defined(Py_MOD_GIL_NOT_USED)     /* not in 3.15's limited API */
#  define MODULE_WITHOUT_GIL {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#else
#  define MODULE_WITHOUT_GIL
#endif
#ifdef Py_mod_multiple_interpreters
#  define IN_ALL_INTERPRETERS {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#else
#  define IN_ALL_INTERPRETERS
#endif
#ifdef Py_TARGET_ABI3T      /* which has no definition of a module, but slots alone */
#  ifdef __cplusplus      /* CPython's own macros leave members out, and name the others, as C++20 may */
#    pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#    pragma GCC diagnostic ignored "-Wpedantic"
#    ifdef __clang__
#      pragma GCC diagnostic ignored "-Wc++20-designator"
#    else
#      pragma GCC diagnostic ignored "-Wc++20-extensions"
#    endif
#  endif
#  define EXECUTE(function) PySlot_FUNC(Py_mod_exec, function),
#  define MODULE(name, methods, slots) \
    PyABIInfo_VAR(MODULE_CONCAT(name, _abi)); \
    static PySlot MODULE_CONCAT(name, _slots)[] = { \
        PySlot_STATIC_DATA(Py_mod_abi, &MODULE_CONCAT(name, _abi)), \
        PySlot_STATIC_DATA(Py_mod_name, (void *)MODULE_STRING(name)), \
        PySlot_STATIC_DATA(Py_mod_methods, methods), slots \
        PySlot_DATA(Py_mod_gil, Py_MOD_GIL_NOT_USED), PySlot_END}; \
    PyMODEXPORT_FUNC MODULE_CONCAT(PyModExport_, name)(void); \
    PyMODEXPORT_FUNC MODULE_CONCAT(PyModExport_, name)(void) { return MODULE_CONCAT(name, _slots); }
#else
#define EXECUTE(function) {Py_mod_exec, (void *)(uintptr_t)function},

/* The module `name`; slots: none, or EXECUTE(...) and IN_ALL_INTERPRETERS one behind the other. */
#define MODULE(name, methods, slots) \
    static PyModuleDef_Slot MODULE_CONCAT(name, _slots)[] = {slots MODULE_WITHOUT_GIL {0, NULL}}; \
    static struct PyModuleDef MODULE_CONCAT(name, _definition) = { \
        PyModuleDef_HEAD_INIT, MODULE_STRING(name), NULL, 0, methods, MODULE_CONCAT(name, _slots), NULL, NULL, NULL}; \
    PyMODINIT_FUNC MODULE_CONCAT(PyInit_, name)(void); \
    PyMODINIT_FUNC MODULE_CONCAT(PyInit_, name)(void) { return PyModuleDef_Init(&MODULE_CONCAT(name, _definition)); }
#endif

#endif /* TESTS_MODULE_H */
