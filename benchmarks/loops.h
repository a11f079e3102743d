/* SPDX-License-Identifier: MIT
 *
 * loops.h - timed loops over an array of objects, for things that take a nanosecond.
 */
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include <Python.h>
#include <stdint.h>
#include <time.h>

#if defined(__GNUC__) || defined(__clang__)
/* The compiler must take the value as it comes and cannot hoist or vectorise. */
#  define BENCH_HIDE(x)       __asm__ volatile("" : "+r"(x))
#  define BENCH_ALWAYS_INLINE inline __attribute__((always_inline))
#  define BENCH_LOOP_FUNCTION __attribute__((noinline, aligned(64)))
#  define BENCH_NOINLINE      __attribute__((noinline))
#else
#  error "the benchmarks need GCC or clang, to keep loops from being optimised away"
#endif

/* Objects in a loop: more than the first-level cache holds.  A constant, so that the
   unrolled loops below have no rest to do. */
#define BENCH_OBJECTS 1024

/* How often a loop is there, each at another distance from the start of a cache line:
   a loop must not win or lose because of where the linker put it. */
#define BENCH_COPIES 4

static inline int64_t
bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What the loops computed ends up here, so that it is computed. */
static volatile uintptr_t bench_sink;

typedef int64_t (*BenchLoop)(PyObject **objs, Py_ssize_t repetitions);

#define BENCH_COPY(name, number, distance)                                       \
    BENCH_LOOP_FUNCTION static int64_t                                           \
    name##_##number(PyObject **objs, Py_ssize_t repetitions)                     \
    {                                                                            \
        __asm__ volatile(".skip " #distance ", 0x90");                           \
        return name##_body(objs, repetitions);                                   \
    }

#define BENCH_ALL_COPIES(name)                                                   \
    BENCH_COPY(name, 0, 1) BENCH_COPY(name, 1, 18)                               \
    BENCH_COPY(name, 2, 36) BENCH_COPY(name, 3, 54)                              \
    static const BenchLoop name[BENCH_COPIES] =                                  \
        {name##_0, name##_1, name##_2, name##_3};

/* The loop `repetitions` times over BENCH_OBJECTS objects; `body` sees the object as
   `o`, its number as `i`, and adds what it found to `sum`.

   Unrolled, because a loop of one call is a special case for a processor's prediction
   of jumps: on Zen 5 the same loop around a vtable call takes 1.07 or 1.6 ns an object,
   from slice to slice, and with it any ratio would be an accident.  Eight calls to a
   round take 1.08 ns each, always. */
#define BENCH_LOOP(name, body)                                                   \
    static BENCH_ALWAYS_INLINE int64_t                                           \
    name##_body(PyObject **objs, Py_ssize_t repetitions)                         \
    {                                                                            \
        uintptr_t sum = 0;                                                       \
        int64_t start = bench_now();                                             \
        for (Py_ssize_t r = 0; r < repetitions; r++) {                           \
            _Pragma("GCC unroll 8")                                              \
            for (Py_ssize_t i = 0; i < BENCH_OBJECTS; i++) {                     \
                PyObject *o = objs[i];                                           \
                BENCH_HIDE(o);                                                   \
                body;                                                            \
            }                                                                    \
        }                                                                        \
        bench_sink = sum;                                                        \
        return bench_now() - start;                                              \
    }                                                                            \
    BENCH_ALL_COPIES(name)

/* The same, but the next object is known only when the body has found it (it assigns
   to `o`): how long one answer takes, not how many come in a second. */
#define BENCH_CHAIN(name, body)                                                  \
    static BENCH_ALWAYS_INLINE int64_t                                           \
    name##_body(PyObject **objs, Py_ssize_t repetitions)                         \
    {                                                                            \
        PyObject *o = objs[0];                                                   \
        int64_t start = bench_now();                                             \
        for (Py_ssize_t r = 0; r < repetitions; r++) {                           \
            _Pragma("GCC unroll 8")                                              \
            for (Py_ssize_t i = 0; i < BENCH_OBJECTS; i++) {                     \
                BENCH_HIDE(o);                                                   \
                body;                                                            \
            }                                                                    \
        }                                                                        \
        bench_sink = (uintptr_t)o;                                               \
        return bench_now() - start;                                              \
    }                                                                            \
    BENCH_ALL_COPIES(name)

#endif /* BENCH_LOOPS_H */
