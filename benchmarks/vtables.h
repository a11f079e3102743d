/* SPDX-License-Identifier: MIT
 *
 * vtables.h - a timed loop around a call that Cython generated.
 */
#ifndef BENCH_VTABLES_H
#define BENCH_VTABLES_H

#include "loops.h"

typedef int (*Caller)(PyObject *);

/* The caller is a constant wherever this is inlined, and is inlined itself. */
static BENCH_ALWAYS_INLINE int64_t
vtables_call_body(Caller caller, PyObject **objs, Py_ssize_t repetitions)
{
    uintptr_t sum = 0;
    int64_t start = bench_now();
    for (Py_ssize_t r = 0; r < repetitions; r++) {
        _Pragma("GCC unroll 8")
        for (Py_ssize_t i = 0; i < BENCH_OBJECTS; i++) {
            PyObject *o = objs[i];
            BENCH_HIDE(o);
            sum += (uintptr_t)caller(o);
        }
    }
    bench_sink = sum;
    return bench_now() - start;
}

static BENCH_ALWAYS_INLINE int64_t
vtables_call(Caller caller, int copy, PyObject **objs, Py_ssize_t repetitions)
{
    switch (copy) {
    case 0:  __asm__ volatile(".skip 1, 0x90");
             return vtables_call_body(caller, objs, repetitions);
    case 1:  __asm__ volatile(".skip 18, 0x90");
             return vtables_call_body(caller, objs, repetitions);
    case 2:  __asm__ volatile(".skip 36, 0x90");
             return vtables_call_body(caller, objs, repetitions);
    default: __asm__ volatile(".skip 54, 0x90");
             return vtables_call_body(caller, objs, repetitions);
    }
}

#endif
