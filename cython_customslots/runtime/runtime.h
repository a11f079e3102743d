/* SPDX-License-Identifier: MIT
 *
 * runtime/runtime.h - what every file of the implementation begins with.
 *
 * The files are compiled one by one into the module _customslots_runtime, and pasted one
 * behind the other into customslots_runtime.h, for modules that carry a copy of their own.
 * A function that several files use is PRIVATE: hidden in the one, static in the other.  A function that the headers
 * call directly is an ENTRY, hidden where the implementation is compiled apart from the files that include them.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_RUNTIME_H
#define Py_CUSTOMSLOTS_RUNTIME_RUNTIME_H

#include <Python.h>
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#if PY_VERSION_HEX < 0x030C0000
#  include <structmember.h>
#endif

#ifndef _Pycs_PRIVATE
#  define _Pycs_PRIVATE _Pycs_HIDDEN
#endif
#ifndef _Pycs_ENTRY
#  define _Pycs_ENTRY _Pycs_PRIVATE
#endif

#include "customslots.h"
#include "_extensibletype/api.h"

/* The number of this implementation: of two, the one with the higher number serves.  It is raised
   with every change in behaviour of the files beside this one. */
#define _Pycs_RELEASE (0 << 24 | 1 << 12 | 0)               /* 0.1.0 */
#ifndef _Pycs_NUMBER
#  define _Pycs_NUMBER ((uint32_t)_Pycs_RELEASE)
#endif

/* The headers and the runtime must come from the same copy of the project. */
#if _Pycs_HEADERS > _Pycs_RELEASE
#  error "customslots_runtime.h is older than the extensibletype.h that was found: \
take both from one cython-customslots, from the directory that its get_include() names"
#elif _Pycs_HEADERS < _Pycs_RELEASE
#  error "customslots_runtime.h is newer than the extensibletype.h that was found: \
take both from one cython-customslots, from the directory that its get_include() names"
#endif

/* New memory of zeros, to be freed by PyMem_RawFree(); NULL with a MemoryError. */
static inline void *
_Pycs_NewBlock(size_t size)
{
    void *block = PyMem_RawCalloc(1, size);
    return block != NULL ? block : (void *)PyErr_NoMemory();
}

/* Py_XDECREF() of each of these objects. */
#define _Pycs_XDECREF_ALL(...) \
    do { \
        PyObject *const all_[] = {__VA_ARGS__}; \
        size_t i_; \
        for (i_ = 0; i_ < sizeof(all_) / sizeof(all_[0]); i_++) Py_XDECREF(all_[i_]); \
    } while (0)

/* The module that carries it, where that is known. */
#ifndef PyExtensibleType_MODULE_NAME
#  ifdef _Pycs_LINKABLE
extern _Pycs_HIDDEN const char _Pycs_linked_into[];     /* find.h */
#    define PyExtensibleType_MODULE_NAME _Pycs_linked_into
#  else
#    define PyExtensibleType_MODULE_NAME ""
#  endif
#endif

#endif /* Py_CUSTOMSLOTS_RUNTIME_RUNTIME_H */
