/* SPDX-License-Identifier: MIT
 *
 * fields.h - the C data of fields.pyx, and the loops around its readers.
 */
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include "customslots.h"
#include "loops.h"

/* What each class knows in C. */
typedef struct {
    const char *sentence;
    Py_ssize_t  next_offset;    /* where its instances have a pointer to the next one */
} Greeting;

#define N_GREETINGS 33           /* of the provider class itself, and of 32 others */
static Greeting greetings[N_GREETINGS];

/* All classes have the same instances, with everything that any of the ways needs. */
typedef const Greeting *(*Reader)(PyObject *);

/* The first C field of the object's class, as C reads a member behind a pointer. */
static inline const Greeting *
read_behind(PyObject *o)
{
    return *(const Greeting **)((PyHeapExtensibleTypeObject *)Py_TYPE(o) + 1);
}

/* The reader is a constant wherever these are inlined, and is inlined itself: what is
   timed is the read, not a call. */
#define FIELDS_BODY(throughput)                                                  \
    {                                                                            \
        uintptr_t sum = 0;                                                       \
        PyObject *o = objs[0];                                                   \
        int64_t start = bench_now();                                             \
        for (Py_ssize_t r = 0; r < repetitions; r++) {                           \
            _Pragma("GCC unroll 8")                                              \
            for (Py_ssize_t i = 0; i < BENCH_OBJECTS; i++) {                     \
                if (throughput) o = objs[i];                                     \
                BENCH_HIDE(o);                                                   \
                const Greeting *greeting = reader(o);                            \
                if (throughput) sum += (uintptr_t)greeting;                      \
                else o = *(PyObject **)((char *)o + greeting->next_offset);      \
            }                                                                    \
        }                                                                        \
        bench_sink = sum + (uintptr_t)o;                                         \
        return bench_now() - start;                                              \
    }

static BENCH_ALWAYS_INLINE int64_t
fields_read_body(Reader reader, PyObject **objs, Py_ssize_t repetitions)
FIELDS_BODY(1)

static BENCH_ALWAYS_INLINE int64_t
fields_chain_body(Reader reader, PyObject **objs, Py_ssize_t repetitions)
FIELDS_BODY(0)

#define FIELDS_COPIES(body)                                                      \
    switch (copy) {                                                              \
    case 0:  __asm__ volatile(".skip 1, 0x90");                                  \
             return body(reader, objs, repetitions);                             \
    case 1:  __asm__ volatile(".skip 18, 0x90");                                 \
             return body(reader, objs, repetitions);                             \
    case 2:  __asm__ volatile(".skip 36, 0x90");                                 \
             return body(reader, objs, repetitions);                             \
    default: __asm__ volatile(".skip 54, 0x90");                                 \
             return body(reader, objs, repetitions);                             \
    }

/* Each read on its own: how many in a second. */
static BENCH_ALWAYS_INLINE int64_t
fields_read(Reader reader, int copy, PyObject **objs, Py_ssize_t repetitions)
{
    FIELDS_COPIES(fields_read_body)
}

/* Each read tells where the next object is: how long one takes. */
static BENCH_ALWAYS_INLINE int64_t
fields_chain(Reader reader, int copy, PyObject **objs, Py_ssize_t repetitions)
{
    FIELDS_COPIES(fields_chain_body)
}

#endif /* BENCH_FIELDS_H */
