/* SPDX-License-Identifier: MIT
 *
 * abi.h - included first by what tests build as a consumer for the full API, or for a stable ABI.
 */
#ifndef TESTS_ABI_H
#define TESTS_ABI_H

#ifdef ABI3
#  define Py_LIMITED_API 0x030B0000
#elif defined(ABI3T)
#  define Py_TARGET_ABI3T 0x030F0000
#endif
#include <Python.h>
#ifdef UNKNOWN          /* what a CPython is whose layouts nobody has looked at */
#  define Py_GetVersion() "3.16.0"
#endif

#endif /* TESTS_ABI_H */
