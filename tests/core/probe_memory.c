/* SPDX-License-Identifier: MIT
 *
 * probe_memory.c - an allocator that fails on demand, for the thread that asked.
 *
 * _testcapi.set_nomemory() does the same where it exists; many builds lack it.
 */
#include "probe.h"

#define DOMAINS 3

static PyMemAllocatorEx originals[DOMAINS];
static const PyMemAllocatorDomain domains[DOMAINS] = {
    PYMEM_DOMAIN_RAW, PYMEM_DOMAIN_MEM, PYMEM_DOMAIN_OBJ};
static long long seen, first, last;       /* allocations [first, last) fail */
static unsigned long owner;
static int installed;

static int
fails(void)
{
    if (PyThread_get_thread_ident() != owner) return 0;
    seen++;
    return seen > first && seen <= last;
}

static void *
failing_malloc(void *ctx, size_t size)
{
    PyMemAllocatorEx *a = (PyMemAllocatorEx *)ctx;
    return fails() ? NULL : a->malloc(a->ctx, size);
}

static void *
failing_calloc(void *ctx, size_t n, size_t size)
{
    PyMemAllocatorEx *a = (PyMemAllocatorEx *)ctx;
    return fails() ? NULL : a->calloc(a->ctx, n, size);
}

static void *
failing_realloc(void *ctx, void *block, size_t size)
{
    PyMemAllocatorEx *a = (PyMemAllocatorEx *)ctx;
    return fails() ? NULL : a->realloc(a->ctx, block, size);
}

static void
plain_free(void *ctx, void *block)
{
    PyMemAllocatorEx *a = (PyMemAllocatorEx *)ctx;
    a->free(a->ctx, block);
}

/* call_failing(function, n, forever): calls function() with the n-th allocation failing
   (counted from 0), or that and all later ones.  (result or exception, whether the
   failure was reached).  MemoryErrors come back as the class. */
static PyObject *
call_failing(PyObject *module, PyObject *args)
{
    PyObject *function, *result, *type = NULL, *value = NULL, *traceback = NULL, *answer;
    long long n;
    int forever, i, reached;

    if (!PyArg_ParseTuple(args, "OLp", &function, &n, &forever)) return NULL;
    if (installed) {
        PyErr_SetString(PyExc_RuntimeError, "call_failing: cannot be nested");
        return NULL;
    }
    seen = 0;
    first = n;
    last = forever ? 0x7fffffffffffffffLL : n + 1;
    owner = PyThread_get_thread_ident();
    for (i = 0; i < DOMAINS; i++) {
        PyMemAllocatorEx hook;
        PyMem_GetAllocator(domains[i], &originals[i]);
        hook.ctx = &originals[i];
        hook.malloc = failing_malloc;
        hook.calloc = failing_calloc;
        hook.realloc = failing_realloc;
        hook.free = plain_free;
        PyMem_SetAllocator(domains[i], &hook);
    }
    installed = 1;
    result = PyObject_CallNoArgs(function);
    reached = seen > first;
    PyErr_Fetch(&type, &value, &traceback);
    for (i = 0; i < DOMAINS; i++) PyMem_SetAllocator(domains[i], &originals[i]);
    installed = 0;
    if (result == NULL && type == NULL) {
        PyErr_SetString(PyExc_SystemError, "call_failing: NULL without an exception");
        return NULL;
    }
    if (result == NULL) {
        result = type;
        type = NULL;
    }
    answer = Py_BuildValue("NN", result, PyBool_FromLong(reached));
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return answer;
}

/* The number of allocations in the last call_failing(). */
static PyObject *allocations_seen(PyObject *module, PyObject *ignored) { return PyLong_FromLongLong(seen); }

PyMethodDef memory_methods[] = {
    TAKES_NONE(allocations_seen), TAKES_ARGS(call_failing),
    {NULL, NULL, 0, NULL}
};
