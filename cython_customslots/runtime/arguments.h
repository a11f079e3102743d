/* SPDX-License-Identifier: MIT
 *
 * runtime/arguments.h - are a client's arguments what they are said to be?
 *
 * The table of functions is called by any language, which may pass NULL, or an object of another
 * kind.  So each function calls one of these checks before it changes anything.  All of them: 0, or -1
 * with an exception that says what `function` found, expected and what to do.  They need the
 * GIL or an attached thread state and change nothing.
 *
 * C code cannot see, and so does not check, an invalid address, or an array that is shorter than
 * its count.  But a count that cannot be right is refused before the array is read.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_ARGUMENTS_H
#define Py_CUSTOMSLOTS_RUNTIME_ARGUMENTS_H

#include "runtime/runtime.h"

/* Sets an exception as PyErr_Format() does.  Always -1. */
_Pycs_PRIVATE int _Pycs_Deny(PyObject *error, const char *format, ...);

/* Is it a class, or one that is unfinished?  TypeError. */
_Pycs_PRIVATE int _Pycs_CheckClass(const char *function, PyTypeObject *type);

/* Is it a class that is ready, as a metaclass must be?  TypeError. */
_Pycs_PRIVATE int _Pycs_CheckReady(const char *function, PyTypeObject *type);

/* Is it a class, or a static type object that PyType_Ready() has not seen, whose ob_type may be
   NULL?  TypeError. */
_Pycs_PRIVATE int _Pycs_CheckTypeObject(const char *function, PyTypeObject *type);

/* The same, and has its author given it a name?  TypeError, ValueError. */
_Pycs_PRIVATE int _Pycs_CheckNamed(const char *function, PyTypeObject *type);

/* Is it a static type object that PyType_Ready() has not seen, with a name?  TypeError,
   ValueError. */
_Pycs_PRIVATE int _Pycs_CheckUnready(const char *function, PyTypeObject *type);

/* Is it a metaclass that derives from extensibletype?  TypeError. */
_Pycs_PRIVATE int _Pycs_CheckMetaclass(_Pycs_API *api, const char *function, PyTypeObject *metaclass);

/* Is `base` a class or NULL, and `bases` a tuple of classes or NULL?  `name`: of the class that is
   to have them, or NULL.  TypeError. */
_Pycs_PRIVATE int _Pycs_CheckBases(const char *function, const char *name, PyTypeObject *base, PyObject *bases);

/* Sets an exception that names the interpreter to which `what` (of this name) belongs, and the one that runs: a
   static type object exists once in the process, but each interpreter has a metaclass of its own.  Always -1. */
_Pycs_PRIVATE int _Pycs_RefuseForeign(const _Pycs_API *owner, PyObject *error, const char *what,
                                      const PyTypeObject *type);

#endif /* Py_CUSTOMSLOTS_RUNTIME_ARGUMENTS_H */
