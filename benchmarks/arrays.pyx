# cython: language_level=3, boundscheck=False, wraparound=False
# SPDX-License-Identifier: MIT
"""For bench_arrays.py: one array of doubles as C sees it, in each possible way, in loops that take
(repetitions, array) and return nanoseconds."""
from cpython.buffer cimport PyBUF_RECORDS_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int64_t, uint32_t
from cython_customslots cimport PyCustomSlot, PyCustomSlots_Intern, PyCustomSlots_Register
from cython_customslots.typedarray cimport (
    DLTensor, PyTypedArray, PyTypedArray_At1, PyTypedArray_C_CONTIGUOUS, PyTypedArray_Clear, PyTypedArray_Init,
    PyTypedArray_MakeSpec, PyTypedArray_Own, PyTypedArray_Spec, kDLCPU, kDLFloat)
from cython_customslots.typedcallback cimport (
    PyTypedCallable_InitAny, PyTypedCallback, PyTypedCallback_Clear, PyTypedCallback_Enter, PyTypedCallback_Leave,
    PyTypedCallbackForm)
from cython_customslots.typedmethod cimport (
    PyTypedCallable, PyTypedCallable_Clear, PyTypedCallable_Init, PyTypedMethodArray)
from time import perf_counter_ns

cdef extern from * nogil:
    """
    #include <time.h>
    static long long now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
    }
    """
    long long now()
    ctypedef struct DLPackVersion:
        uint32_t major, minor
    ctypedef struct DLPackExchangeAPIHeader:
        DLPackVersion version
    ctypedef struct DLPackExchangeAPI:
        DLPackExchangeAPIHeader header
        int (*dltensor_from_py_object_no_sync)(void *, DLTensor *) noexcept

cdef PyTypedArray_Spec any_strides = PyTypedArray_MakeSpec(kDLFloat, 64, 1, 0)
cdef PyTypedArray_Spec no_gaps = PyTypedArray_MakeSpec(kDLFloat, 64, 1, PyTypedArray_C_CONTIGUOUS)


# ---------------------------------------------------------------------- a provider --

ctypedef struct Memory:
    double items[10]
    Py_ssize_t shape[1]
    Py_ssize_t strides[1]

cdef Memory memory
memory.items = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
memory.shape[0], memory.strides[0] = 10, 1

cdef class Tensor:
    """A handle of ten doubles, with a buffer; how its subclasses are found besides, they say."""
    cdef Memory *memory

    def __cinit__(self):
        self.memory = &memory

    def __getbuffer__(self, Py_buffer *view, int flags):
        view.buf, view.len, view.itemsize, view.readonly, view.ndim = self.memory.items, 80, 8, 0, 1
        view.format, view.shape, view.strides = b"d", self.memory.shape, &view.itemsize
        view.suboffsets, view.internal, view.obj = NULL, NULL, self

cdef int fill(void *tensor, DLTensor *out) noexcept:
    cdef Memory *memory = (<Tensor>tensor).memory
    out.data = memory.items
    out.device.device_type, out.device.device_id = kDLCPU, 0
    out.ndim = 1
    out.dtype.code, out.dtype.bits, out.dtype.lanes = kDLFloat, 64, 1
    out.shape, out.strides, out.byte_offset = <int64_t *>memory.shape, <int64_t *>memory.strides, 0
    return 0

cdef DLPackExchangeAPI api
api.header.version.major, api.header.version.minor = 1, 3
api.dltensor_from_py_object_no_sync = fill
capsule = PyCapsule_New(&api, "dlpack_exchange_api", NULL)

def register(cls):
    cdef PyCustomSlot slot
    slot.id = PyCustomSlots_Intern(b"dlpack.exchange_api")
    slot.data.pointer = &api
    PyCustomSlots_Register(cls, &slot)


# --------------------------------------------------------------------------- loops --

def empty(Py_ssize_t n, x):
    cdef double sum = 0
    cdef Py_ssize_t i
    start = perf_counter_ns()
    for i in range(n):
        sum += i
    took = perf_counter_ns() - start
    return took if sum > -1 else 0

def typed(Py_ssize_t n, x):
    cdef PyTypedArray a
    cdef double sum = 0
    cdef Py_ssize_t i
    start = perf_counter_ns()
    for i in range(n):
        PyTypedArray_Init(&a, x, &any_strides)
        sum += (<double *>a.data)[0]
        PyTypedArray_Clear(&a)
    took = perf_counter_ns() - start
    return took if sum > -1 else 0

def typed_contiguous(Py_ssize_t n, x):
    cdef PyTypedArray a
    cdef double sum = 0
    cdef Py_ssize_t i
    start = perf_counter_ns()
    for i in range(n):
        PyTypedArray_Init(&a, x, &no_gaps)
        sum += (<double *>a.data)[0]
        PyTypedArray_Clear(&a)
    took = perf_counter_ns() - start
    return took if sum > -1 else 0

def owned(Py_ssize_t n, x):
    cdef PyTypedArray a
    cdef double sum = 0
    cdef Py_ssize_t i
    start = perf_counter_ns()
    for i in range(n):
        PyTypedArray_Own(&a, x, &any_strides)
        sum += (<double *>a.data)[0]
        PyTypedArray_Clear(&a)
    took = perf_counter_ns() - start
    return took if sum > -1 else 0

def view(Py_ssize_t n, x):
    cdef double[:] a
    cdef double sum = 0
    cdef Py_ssize_t i
    start = perf_counter_ns()
    for i in range(n):
        a = x
        sum += a[0]
    took = perf_counter_ns() - start
    return took if sum > -1 else 0

def attribute(Py_ssize_t n, x):
    """As consumers of DLPack's exchange API ask today."""
    cdef DLTensor a
    cdef double sum = 0
    cdef Py_ssize_t i
    start = perf_counter_ns()
    for i in range(n):
        found = type(x).__dlpack_c_exchange_api__
        (<DLPackExchangeAPI *>PyCapsule_GetPointer(found, "dlpack_exchange_api")).dltensor_from_py_object_no_sync(
            <void *>x, &a)
        sum += (<double *>a.data)[0]
    took = perf_counter_ns() - start
    return took if sum > -1 else 0

cdef extern from *:
    """
    static PyCustomSlots_Bridge bridge = PyCustomSlots_BRIDGE(
        "dlpack.exchange_api", "__dlpack_c_exchange_api__", "dlpack_exchange_api");
    """
    ctypedef struct PyCustomSlots_Bridge:
        pass
    PyCustomSlots_Bridge bridge
    void *PyCustomSlots_FindBridged(type, PyCustomSlots_Bridge *)

def least(Py_ssize_t n, x):
    """What nobody can leave out who asks by a slot or its attribute: the look-up, the call, a reference."""
    cdef DLTensor a
    cdef double sum = 0
    cdef Py_ssize_t i
    start = perf_counter_ns()
    for i in range(n):
        (<DLPackExchangeAPI *>PyCustomSlots_FindBridged(type(x), &bridge)).dltensor_from_py_object_no_sync(<void *>x, &a)
        Py_INCREF(x)
        sum += (<double *>a.data)[0]
        Py_DECREF(x)
    took = perf_counter_ns() - start
    return took if sum > -1 else 0

def least_buffer(Py_ssize_t n, x):
    """The same by a buffer."""
    cdef Py_buffer a
    cdef double sum = 0
    cdef Py_ssize_t i
    start = perf_counter_ns()
    for i in range(n):
        PyObject_GetBuffer(x, &a, PyBUF_RECORDS_RO)
        sum += (<double *>a.buf)[0]
        PyBuffer_Release(&a)
    took = perf_counter_ns() - start
    return took if sum > -1 else 0

def by_method(Py_ssize_t n, x):
    """__dlpack__(), and the capsule is dropped."""
    cdef Py_ssize_t i
    start = perf_counter_ns()
    for i in range(n):
        x.__dlpack__()
    return perf_counter_ns() - start


# -------------------------------------------------------------- called from Python --

def nothing(x):
    return 0.0

def first_typed(x):
    cdef PyTypedArray a
    PyTypedArray_Init(&a, x, &any_strides)
    cdef double result = (<double *>a.data)[0]
    PyTypedArray_Clear(&a)
    return result

def dot_typed(x, y):
    cdef PyTypedArray a, b
    cdef double sum = 0
    cdef Py_ssize_t i
    PyTypedArray_Init(&a, x, &no_gaps)
    try:
        PyTypedArray_Init(&b, y, &no_gaps)
    except:
        PyTypedArray_Clear(&a)
        raise
    for i in range(min(a.shape[0], b.shape[0])):
        sum += (<double *>a.data)[i] * (<double *>b.data)[i]
    PyTypedArray_Clear(&a)
    PyTypedArray_Clear(&b)
    return sum


# ------------------------------------------------------------------- called from C --

cdef extern from *:
    """
    // [form.begin]
    static const PyTypedCallbackForm of_array[] = {{PyTypedMethod_SIGNATURE(f8(const_array(f8))), NULL, NULL}, {0, NULL, NULL}};
    PyTypedCallback_CALLER(call_back, Py_NAN, f8, const_array(f8))
    // [form.end]
    PyTypedMethod_CALLER(call_typed, f8, const_array(f8))
    """
    const PyTypedCallbackForm *of_array
    double call_back(PyTypedCallback *callback, const PyTypedMethodArray *x) noexcept nogil
    double call_typed(PyTypedCallable *held, const PyTypedMethodArray *x) noexcept nogil

ctypedef double (*Pointer)(const double *x, Py_ssize_t n) noexcept nogil

cdef double first_pointer(const double *x, Py_ssize_t n) noexcept nogil:
    return x[0]

cdef double sum_pointer(const double *x, Py_ssize_t n) noexcept nogil:
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(n):
        sum += x[i]
    return sum

cdef Pointer pointer

def through_pointer(Py_ssize_t n, which):
    """A call through a pointer with address and length, as of a library in C."""
    global pointer
    pointer = first_pointer if which == "first" else sum_pointer
    cdef double sum = 0
    cdef long long i, start, took
    with nogil:
        start = now()
        for i in range(n):
            sum += pointer(memory.items, 10)
        took = now() - start
    return took if sum > -1 else 0

def through_callback(Py_ssize_t n, function):
    """The same through a PyTypedCallback, which finds a record."""
    cdef PyTypedCallback f
    cdef PyTypedMethodArray array = PyTypedMethodArray(data=&memory.items[0], length=10, stride=sizeof(double))
    cdef double sum = 0
    cdef long long i, start, took
    # [callback.begin]
    PyTypedCallable_InitAny(&f, function, of_array)
    PyTypedCallback_Enter(&f)
    with nogil:
        start = now()
        for i in range(n):
            sum += call_back(&f, &array)
        took = now() - start
    PyTypedCallback_Leave(&f)
    PyTypedCallback_Clear(&f)
    # [callback.end]
    return took if sum > -1 else 0

def through_callable(Py_ssize_t n, function):
    """The same through a PyTypedCallable."""
    cdef PyTypedCallable f
    cdef PyTypedMethodArray array = PyTypedMethodArray(data=&memory.items[0], length=10, stride=sizeof(double))
    cdef double sum = 0
    cdef long long i, start, took
    PyTypedCallable_Init(&f, function, of_array[0].signature)
    with nogil:
        start = now()
        for i in range(n):
            sum += call_typed(&f, &array)
        took = now() - start
    PyTypedCallable_Clear(&f)
    return took if sum > -1 else 0
