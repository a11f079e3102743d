/* SPDX-License-Identifier: MIT
 *
 * threads.c - look-ups and private work, in several threads at once.
 *
 * run(kind, objects, threads, repetitions) starts the threads itself, lets them wait for
 * each other, and returns the nanoseconds of processor time that they spent in the loops,
 * all together.  A shared cache line that is written to costs processor time; waiting for
 * a turn on a processor that others use, too, does not.
 */
#include <Python.h>
#include <pthread.h>
#include <time.h>
#include "extensibletype.h"

#define ID PyCustomSlots_ID(1, 0xBE06, 0)
#define MAX_THREADS 64
#define MAX_OBJECTS 64

typedef struct { Py_ssize_t (*call)(Py_ssize_t); } Vtable;

/* An object with a vtable of its own, as a cdef class has: the yardstick. */
typedef struct {
    PyObject_HEAD
    Vtable *vtable;
} WithVtable;

static Py_ssize_t
next_number(Py_ssize_t x)
{
    return x + 1;
}

static Vtable vtable = {next_number};

typedef struct {
    PyObject **objects;
    WithVtable *private_objects;
    Py_ssize_t count, repetitions;
    int kind;
    Py_ssize_t result;
    double took;
    char padding[128];               /* the next one is on another cache line */
} Work;

static pthread_barrier_t barrier;

static void *
work(void *argument)
{
    Work *w = (Work *)argument;
    const Py_ssize_t n = w->count;
    Py_ssize_t i, k, x = 0;
    struct timespec start, end;
    pthread_barrier_wait(&barrier);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    if (w->kind == 0) {              /* slots of shared objects */
        for (i = 0; i < w->repetitions; i++) {
            for (k = 0; k < n; k++) {
                PyCustomSlot *slot = PyCustomSlots_Find(w->objects[k], ID, 0);
                if (slot != NULL) x += ((Vtable *)slot->data.pointer)->call(k);
            }
        }
    }
    else {                           /* vtables of private objects */
        for (i = 0; i < w->repetitions; i++) {
            for (k = 0; k < n; k++) {
                x += w->private_objects[k].vtable->call(k);
            }
        }
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    w->result = x;
    w->took = (double)(end.tv_sec - start.tv_sec) * 1e9
              + (double)(end.tv_nsec - start.tv_nsec);
    return NULL;
}

static PyObject *
run(PyObject *module, PyObject *args)
{
    PyObject *list, *objects[MAX_OBJECTS];
    static WithVtable private_objects[MAX_THREADS][MAX_OBJECTS];
    static Work works[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    Py_ssize_t repetitions, n, k;
    double took = 0;
    int kind, count, i, failed = 0;

    (void)module;
    if (!PyArg_ParseTuple(args, "iO!in", &kind, &PyList_Type, &list, &count, &repetitions)) {
        return NULL;
    }
    n = PyList_GET_SIZE(list);
    if (count < 1 || count > MAX_THREADS || n < 1 || n > MAX_OBJECTS) {
        PyErr_Format(PyExc_ValueError, "found %d threads and %zd objects, expected 1 to %d and "
                     "1 to %d", count, n, MAX_THREADS, MAX_OBJECTS);
        return NULL;
    }
    for (k = 0; k < n; k++) objects[k] = PyList_GET_ITEM(list, k);
    Py_BEGIN_ALLOW_THREADS
    pthread_barrier_init(&barrier, NULL, (unsigned)count + 1);
    for (i = 0; i < count; i++) {
        for (k = 0; k < n; k++) private_objects[i][k].vtable = &vtable;
        works[i].objects = objects;
        works[i].private_objects = private_objects[i];
        works[i].count = n;
        works[i].repetitions = repetitions;
        works[i].kind = kind;
        if (pthread_create(&threads[i], NULL, work, &works[i]) != 0) {
            fprintf(stderr, "threads: cannot start %d threads\n", count);
            abort();                 /* or the others would wait at the barrier without end */
        }
    }
    pthread_barrier_wait(&barrier);
    for (i = 0; i < count; i++) {
        failed |= pthread_join(threads[i], NULL);
        took += works[i].took;
    }
    pthread_barrier_destroy(&barrier);
    Py_END_ALLOW_THREADS
    if (failed) return PyErr_Format(PyExc_RuntimeError, "threads: pthread_join failed");
    return PyFloat_FromDouble(took);
}

/* provide(type): gives a class the slot. */
static PyObject *
provide(PyObject *module, PyObject *type)
{
    PyCustomSlot slot;
    (void)module;
    if (!PyType_Check(type)) return PyErr_Format(PyExc_TypeError, "found %R, expected a class", type);
    slot.id = ID;
    slot.data.pointer = &vtable;
    if (PyExtensibleType_SetSlots((PyTypeObject *)type, &slot, 1) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS, NULL},
    {"provide", provide, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static PyModuleDef_Slot slots[] = {
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "threads", NULL, 0, methods, slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_threads(void)
{
    return PyModuleDef_Init(&module_def);
}
