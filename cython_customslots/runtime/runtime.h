/* SPDX-License-Identifier: MIT
 *
 * runtime/runtime.h - what every file of the implementation begins with.
 *
 * The files are compiled one by one into the module _customslots_runtime, and pasted one
 * behind the other into customslots_runtime.h, for modules that carry a copy of their own.
 * What several files use is PRIVATE: hidden in the one, static in the other.  What the headers call
 * directly is an ENTRY, hidden where the implementation is compiled apart from who includes them.
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

#ifndef _PyExtensibleType_PRIVATE
#  define _PyExtensibleType_PRIVATE _PyCustomSlots_HIDDEN
#endif
#ifndef _PyExtensibleType_ENTRY
#  define _PyExtensibleType_ENTRY _PyExtensibleType_PRIVATE
#endif

#include "customslots.h"
#include "_extensibletype/api.h"

/* The number of this implementation: of two, the one with the higher number serves.  It is raised
   with every change in behaviour of the files beside this one. */
#define _PyExtensibleType_RELEASE (0 << 24 | 1 << 12 | 0)               /* 0.1.0 */
#ifndef _PyExtensibleType_NUMBER
#  define _PyExtensibleType_NUMBER ((uint32_t)_PyExtensibleType_RELEASE)
#endif

/* The headers and the runtime must come from the same copy of the project. */
#if _PyExtensibleType_HEADERS > _PyExtensibleType_RELEASE
#  error "customslots_runtime.h is older than the extensibletype.h that was found: \
take both from one cython-customslots, from the directory that its get_include() names"
#elif _PyExtensibleType_HEADERS < _PyExtensibleType_RELEASE
#  error "customslots_runtime.h is newer than the extensibletype.h that was found: \
take both from one cython-customslots, from the directory that its get_include() names"
#endif

/* The module that carries it, where that is known. */
#ifndef PyExtensibleType_MODULE_NAME
#  ifdef _PyExtensibleType_LINKABLE
extern _PyCustomSlots_HIDDEN const char _PyExtensibleType_linked_into[];     /* find.h */
#    define PyExtensibleType_MODULE_NAME _PyExtensibleType_linked_into
#  else
#    define PyExtensibleType_MODULE_NAME ""
#  endif
#endif

#endif /* Py_CUSTOMSLOTS_RUNTIME_RUNTIME_H */
