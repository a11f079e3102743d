/* SPDX-License-Identifier: MIT
 *
 * msvc_words.h - lets clang, with -fms-extensions, read our headers as MSVC does.
 * For its option -include: in front of everything.
 *
 * The branches of MSVC are compiled: __declspec, __forceinline and _Interlocked... are clang's own
 * with that option.  The headers of the system, which have to be read by clang as clang, come
 * first.  Elsewhere than on Windows the result runs, too.
 */
#if defined(_WIN32)
#  include <windows.h>
#  include <Python.h>
#else
#  include <Python.h>
#  include <pthread.h>
#  include <sched.h>
#  include <sys/mman.h>
#  include <unistd.h>
#endif
#include <structmember.h>
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What MSVC does not warn of: its words, and functions that it has no word for. */
#pragma clang diagnostic ignored "-Wlanguage-extension-token"
#pragma clang diagnostic ignored "-Wunused-function"

#undef __GNUC__
#undef __clang__
#define _MSC_VER 1939
#undef __forceinline                    /* a macro of MinGW's */

/* With the signatures that Microsoft documents. */
#if defined(_M_ARM64)
unsigned __int64 __ldar64(unsigned __int64 volatile *);
unsigned __int32 __ldar32(unsigned __int32 volatile *);
void __stlr64(unsigned __int64 volatile *, unsigned __int64);
void __stlr32(unsigned __int32 volatile *, unsigned __int32);
#endif
#if !defined(_WIN32)
/* Of MSVC's `long`, which has four bytes; counts are as wide as pointers in each branch. */
#  define _InterlockedExchange(p, value)  __atomic_exchange_n((volatile int *)(p), (value), __ATOMIC_SEQ_CST)
#endif
