/* SPDX-License-Identifier: MIT
 *
 * runtime/typed.h - typed functions for languages that cannot use typedmethod.h.
 *
 * A table of its own, in the module _customslots_runtime alone: PyCapsule_Import() of
 * "_customslots_runtime._typed_v1" gives its address.  It needs no take-over, because records
 * belong to the process, and all writers of its table follow the same rules; so
 * modules that carry the implementation of extensible types need not carry these 3,000 lines.
 *
 * Signatures are texts, such as `f8(f8, i4)`; no caller sees the layout of a record.  All functions
 * need the GIL or, on free-threaded builds, an attached thread state.  Bad input is a
 * ValueError, and has changed nothing.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_TYPED_H
#define Py_CUSTOMSLOTS_RUNTIME_TYPED_H

#include "runtime/runtime.h"

/* [typed.begin] */
#define _Pycs_FUNCTIONS_CAPSULE "_customslots_runtime._typed_v1"

typedef struct {
    uint32_t version;           /* 1 */
    uint32_t count;             /* of functions; more may be added behind the last */

    /* The C function with this signature behind a callable.  1; 0 if there is none; -1 with a
       ValueError (NULL, no signature).  Where there is none, all outputs are 0.

       *function is called with the arguments of the signature, or, if *flags has CTX_FIRST (8)
       or CTX_LAST (16), with *context in front of or behind them.  How it reports an exception
       is in the lowest two bits of *flags: 0 never; 1 it returned *error; 2 it returned *error,
       and PyErr_Occurred() says so; 3 PyErr_Occurred() says so.  Without NOGIL (4) it is called
       with the GIL.  SELF (32) and UNVERIFIED (64) do not matter for calling.  Other flags are
       never answered: entries that have them were made for later finders, and are passed over.
       *error: eight bytes, which hold an int64_t for a signed result, a uint64_t for an unsigned
       one or bool, a double, or a pointer.
       Function and context are borrowed from the callable: keep that. */
    int (*find)(PyObject *callable, const char *signature, void **function, void **context,
                uint32_t *flags, uint64_t *error);

    /* Says which C functions, one for each of `count` signatures, stand behind the builtin
       functions that are made of a PyMethodDef.  `flags` and `errors` as in find; SELF (32): the
       first argument, an object, is the receiver.  What is passed is copied; the PyMethodDef and
       the functions must be there as long as the process.  0, also for the same once more; or -1
       with ValueError (NULL, a count below 1 or above 4096, no signature, flags that do not go
       with it, other functions are registered for this PyMethodDef), MemoryError, RuntimeError. */
    int (*register_functions)(PyMethodDef *def, Py_ssize_t count, const char *const *signatures,
                              void *const *functions, const uint32_t *flags,
                              const uint64_t *errors);

    /* The signatures under which find finds something: a new tuple of str, or NULL. */
    PyObject *(*signatures)(PyObject *callable);

    /* Why find does not find this: a new str, empty if it does; NULL with ValueError
       or MemoryError. */
    PyObject *(*why_not)(PyObject *callable, const char *signature);
} _Pycs_Functions;
/* [typed.end] */

/* A capsule with the table; a new reference, or NULL with an exception. */
_Pycs_PRIVATE PyObject *_Pycs_NewCapsule(void);

#endif /* Py_CUSTOMSLOTS_RUNTIME_TYPED_H */
