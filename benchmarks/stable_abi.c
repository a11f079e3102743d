/* SPDX-License-Identifier: MIT
 *
 * stable_abi.c - what a consumer does with each object, for the full API or for a stable ABI; stable_abi_run.c calls
 * it.
 */
#ifdef ABI3
#  define Py_LIMITED_API 0x030B0000
#elif defined(ABI3T)
#  define Py_TARGET_ABI3T 0x030F0000
#endif
#include "typedarray.h"
#include "typedmethod.h"
#include "loops.h"
#include "stable_abi.h"

#define F8_F8 PyTypedMethod_SIGNATURE(f8(f8))
PyTypedMethod_CALLER(call, f8, f8)

static const PyTypedArray_Spec doubles = PyTypedArray_SPEC(double, 1, 0);
static PyTypedCallable held;
static uintptr_t id;

BENCH_LOOP(empty, sum += (uintptr_t)o & 1)
BENCH_LOOP(find, sum += PyCustomSlots_Find(o, id, 0) != NULL)
BENCH_LOOP(find_any, sum += PyCustomSlots_FindAny(o, id, 0) != NULL)
BENCH_LOOP(array, {
    PyTypedArray a;
    if (PyTypedArray_Init(&a, o, &doubles) < 0) PyErr_Clear();
    else {
        sum += (uintptr_t)a.size;
        PyTypedArray_Clear(&a);
    }
})
BENCH_LOOP(find_typed, {
    PyTypedMethodCall found;
    sum += (uintptr_t)PyTypedMethod_Find(o, F8_F8, &found);
})
BENCH_LOOP(called, {
    (void)o;
    sum += (uintptr_t)call(&held, (double)i);
})

const BenchNamedLoop stable_loops[] = {
    BENCH_ENTRY(empty), BENCH_ENTRY(find), BENCH_ENTRY(find_any), BENCH_ENTRY(array), BENCH_ENTRY(find_typed),
    BENCH_ENTRY(called), {NULL, NULL}
};

int
stable_prepare(PyObject *callable, const char *name)
{
    PyTypedCallable_Clear(&held);
    if (!(id = PyCustomSlots_Intern(name))) return -1;
    return callable == Py_None ? 0 : PyTypedCallable_Init(&held, callable, F8_F8);
}
