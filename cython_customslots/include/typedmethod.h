/* SPDX-License-Identifier: MIT
 *
 * typedmethod.h - call the C function behind a Python callable.
 */
#ifndef Py_TYPEDMETHOD_H
#define Py_TYPEDMETHOD_H

#include "customslots.h"

#if defined(Py_LIMITED_API)
#  error "typedmethod.h cannot be used with Py_LIMITED_API: it needs the layout of CPython's functions"
#endif

#include <stdlib.h>

#include "_typedmethod/signature.h"
#include "_typedmethod/tokens.h"
#include "_typedmethod/record.h"
#include "_typedmethod/registry.h"
#include "_typedmethod/find.h"
#include "_typedmethod/explain.h"
#include "_typedmethod/calling.h"
#include "_typedmethod/caller.h"
#include "_typedmethod/provide.h"

#endif /* Py_TYPEDMETHOD_H */
