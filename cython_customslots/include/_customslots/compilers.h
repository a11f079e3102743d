/* SPDX-License-Identifier: MIT
 *
 * _customslots/compilers.h - atomic loads and stores, and what is inlined.
 * Included by customslots.h; not for direct use.
 *
 * Tables are replaced (by __bases__ assignment) while other threads read them: on
 * free-threaded builds and, as no GIL is needed here, on the others too.  LOAD
 * acquires, STORE releases, of four or eight bytes.  With MSVC a volatile access does both on
 * x86 and x64, but on ARM64 with /volatile:ms only, so there it is an instruction of its own.
 *
 * FAST and SLOW keep loops around a look-up as quick as loops around a vtable call.
 * FAST functions do what nearly every call needs, and are inlined for certain: left to
 * itself, gcc stops inlining a function that one file calls often.  They leave the rest to SLOW
 * functions, which are not inlined and are marked as hardly ever called.  The reason:
 * a call overwrites all vector registers.  If one may happen in any iteration of a loop with
 * `x = f(x)`, compilers keep x in memory, and the loop takes twice as long; if it hardly
 * ever happens, they save x only when it does.
 * A SLOW function that has much to do calls a HOT one: gcc makes cold code small, not
 * quick.  HOT functions begin a line of the cache: PyTypedMethod_Find() that began in the middle of one took a
 * third longer for a miss.  NOINLINE is for what is neither: large, and called from no FAST function.
 * LIKELY is used sparingly in FAST functions: for the stamp, where hits would gain nothing without
 * it; for clang at the expected position, where it would keep x in memory; and where FindAny has
 * found its slot.  In all other places that were tried gcc or clang did worse.
 *
 * COUNTED and SET_COUNT count roughly: threads may lose some of each other's counts.
 */

#if defined(__GNUC__) || defined(__clang__)
#  define _Pycs_LOAD(T, p)     __atomic_load_n((T *)(p), __ATOMIC_ACQUIRE)
#  define _Pycs_STORE(T, p, v) __atomic_store_n((T *)(p), (v), __ATOMIC_RELEASE)
#  define _Pycs_UNUSED         __attribute__((unused))
#  define _Pycs_NOINLINE       __attribute__((noinline, unused))
#  define _Pycs_SLOW           __attribute__((noinline, cold, unused)) static
#  define _Pycs_HOT            __attribute__((noinline, hot, unused, aligned(64))) static
#  if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#    define _Pycs_FAST         __attribute__((always_inline, unused)) static inline
#  else
#    define _Pycs_FAST         __attribute__((unused)) static inline
#  endif
#  define _Pycs_LIKELY(x)      __builtin_expect(!!(x), 1)
#  define _Pycs_SWAP_INT(p, n) __atomic_exchange_n((p), (n), __ATOMIC_ACQ_REL)
#  define _Pycs_THREAD_LOCAL   __thread
#  define _Pycs_COUNTED(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#  define _Pycs_SET_COUNT(p, n) __atomic_store_n((p), (n), __ATOMIC_RELAXED)
#elif defined(_MSC_VER)
#  include <intrin.h>
#  if defined(_M_ARM64) || defined(_M_ARM64EC)
#    define _Pycs_LOAD(T, p) \
         ((T)(sizeof(T) == 8 ? (uintptr_t)__ldar64((unsigned __int64 volatile *)(p)) \
                             : (uintptr_t)__ldar32((unsigned __int32 volatile *)(p))))
#    define _Pycs_STORE(T, p, v) \
         (sizeof(T) == 8 \
          ? __stlr64((unsigned __int64 volatile *)(p), (unsigned __int64)(uintptr_t)(v)) \
          : __stlr32((unsigned __int32 volatile *)(p), (unsigned __int32)(uintptr_t)(v)))
#  else
#    define _Pycs_LOAD(T, p)     (*(T volatile *)(p))
#    define _Pycs_STORE(T, p, v) (*(T volatile *)(p) = (v))
#  endif
#  define _Pycs_UNUSED
#  define _Pycs_NOINLINE       __declspec(noinline)
#  define _Pycs_SLOW           __declspec(noinline) static
#  define _Pycs_HOT            __declspec(noinline) static
#  define _Pycs_FAST           static __forceinline
#  define _Pycs_LIKELY(x)      (x)
#  define _Pycs_SWAP_INT(p, n) _InterlockedExchange((long volatile *)(p), (n))
#  define _Pycs_THREAD_LOCAL   __declspec(thread)
#  define _Pycs_COUNTED(p)     (*(volatile int *)(p))
#  define _Pycs_SET_COUNT(p, n) (*(volatile int *)(p) = (n))
#else
#  error "customslots.h needs GCC, clang or MSVC for its atomic loads"
#endif
#ifdef __clang__
#  define _Pycs_CLANG_LIKELY(x) _Pycs_LIKELY(x)
#else
#  define _Pycs_CLANG_LIKELY(x) (x)
#endif
/* A library of several C files may compile the functions that are not inlined once: PyCustomSlots_ELSEWHERE is then a
   prefix for the tables of their addresses, one for each header, and the file that has the tables
   defines PyCustomSlots_HERE, too.  (docs/building.md) */
#ifdef PyCustomSlots_ELSEWHERE
#  define _Pycs_TABLE_OF(header)            _Pycs_PREFIXED(PyCustomSlots_ELSEWHERE, header)
#  define _Pycs_PREFIXED(prefix, header)    _Pycs_PREFIXED_TO(prefix, header)
#  define _Pycs_PREFIXED_TO(prefix, header) prefix##_##header
#endif
/* For symbols that no other module may use: that module may have been built with headers of another release. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32) && !defined(__CYGWIN__)
#  define _Pycs_HIDDEN __attribute__((visibility("hidden")))
#else
#  define _Pycs_HIDDEN
#endif
