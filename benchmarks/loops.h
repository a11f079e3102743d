/* SPDX-License-Identifier: MIT
 *
 * loops.h - timed loops over an array of objects, for things that take a nanosecond.
 */
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include <Python.h>
#include <stdint.h>
#include <string.h>
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
#define BENCH_LOOP(name, body) BENCH_LOOP_OF(uintptr_t, "GCC unroll 8", name, body)

/* The same with another type of sum, unrolled as the pragma says. */
#define BENCH_LOOP_OF(type, pragma, name, body)                                  \
    static BENCH_ALWAYS_INLINE int64_t                                           \
    name##_body(PyObject **objs, Py_ssize_t repetitions)                         \
    {                                                                            \
        type sum = 0;                                                            \
        int64_t start = bench_now();                                             \
        for (Py_ssize_t r = 0; r < repetitions; r++) {                           \
            _Pragma(pragma)                                                      \
            for (Py_ssize_t i = 0; i < BENCH_OBJECTS; i++) {                     \
                PyObject *o = objs[i];                                           \
                BENCH_HIDE(o);                                                   \
                body;                                                            \
            }                                                                    \
        }                                                                        \
        bench_sink = (uintptr_t)sum;                                             \
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

/* ---------------------------------------------------- loops that Python calls by name -- */

typedef struct {
    const char      *name;          /* NULL ends an array of them */
    const BenchLoop *copies;
} BenchNamedLoop;

#define BENCH_ENTRY(name) {#name, name}

#ifndef Py_LIMITED_API
/* 0, or -1 with ValueError: what run() is given is not what the loops expect. */
static inline int
bench_check(int copy, PyObject *objects)
{
    if (PyTuple_GET_SIZE(objects) == BENCH_OBJECTS && copy >= 0 && copy < BENCH_COPIES) return 0;
    PyErr_Format(PyExc_ValueError, "run: found %zd objects and copy %d, expected %d objects and "
                 "a copy below %d", PyTuple_GET_SIZE(objects), copy, BENCH_OBJECTS, BENCH_COPIES);
    return -1;
}

/* Nanoseconds that a copy of the loop of this name takes, after bench_check(); `file` has them. */
static inline PyObject *
bench_time(const BenchNamedLoop *loops, const char *file, const char *name, int copy,
           PyObject *objects, Py_ssize_t repetitions)
{
    for (; loops->name != NULL; loops++) {
        if (strcmp(loops->name, name) == 0) {
            return PyLong_FromLongLong(loops->copies[copy](
                ((PyTupleObject *)objects)->ob_item, repetitions));
        }
    }
    return PyErr_Format(PyExc_ValueError, "run: found the name '%s', expected that of a "
                        "loop in %s", name, file);
}

/* run(name, copy, objects, repetitions) -> nanoseconds */
static inline PyObject *
bench_run(const BenchNamedLoop *loops, const char *file, PyObject *args)
{
    const char *name;
    int copy;
    PyObject *objects;
    Py_ssize_t repetitions;
    if (!PyArg_ParseTuple(args, "siO!n", &name, &copy, &PyTuple_Type, &objects, &repetitions)
            || bench_check(copy, objects) < 0) return NULL;
    return bench_time(loops, file, name, copy, objects, repetitions);
}
#endif /* Py_LIMITED_API */

#endif /* BENCH_LOOPS_H */
