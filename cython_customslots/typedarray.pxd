# SPDX-License-Identifier: MIT
"""Any array as C sees it: an address, a shape, strides.  docs/arrays.md; cimporting this imports
nothing at run time, and needs neither NumPy nor its headers.

    from cython_customslots.typedarray cimport PyTypedArray, PyTypedArray_Init, PyTypedArray_Clear, \
        PyTypedArray_At1, PyTypedArray_MakeSpec, PyTypedArray_Spec, kDLFloat

    cdef PyTypedArray_Spec doubles = PyTypedArray_MakeSpec(kDLFloat, 64, 1, 0)    # at module level

    def total(x):
        cdef PyTypedArray a
        cdef double sum = 0
        PyTypedArray_Init(&a, x, &doubles)              # any array, or TypeError
        with nogil:
            for i in range(a.shape[0]):
                sum += (<double *>PyTypedArray_At1(&a, i))[0]
        PyTypedArray_Clear(&a)
        return sum

Between Init and Clear nothing may raise, or Clear stands in a `finally`.

Every function is described in typedarray.h, whose text an installed copy of this file carries.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from cython_customslots cimport PyCustomSlot        # the text of customslots.h comes with it


cdef extern from "typedarray.h" nogil:

    # ---- DLPack's types
    # The kind of an item's type; a number of bits goes with it: 64 for double, 128 for double complex, 8 for bool.
    const int kDLInt
    const int kDLUInt
    const int kDLFloat
    const int kDLBfloat
    const int kDLComplex
    const int kDLBool
    const int kDLFloat8_e3m4
    const int kDLFloat8_e4m3
    const int kDLFloat8_e4m3b11fnuz
    const int kDLFloat8_e4m3fn
    const int kDLFloat8_e4m3fnuz
    const int kDLFloat8_e5m2
    const int kDLFloat8_e5m2fnuz
    const int kDLFloat8_e8m0fnu
    const int kDLFloat6_e2m3fn
    const int kDLFloat6_e3m2fn
    const int kDLFloat4_e2m1fn

    # Where the memory is.
    ctypedef enum DLDeviceType:
        kDLCPU
        kDLCUDA
        kDLCUDAHost
        kDLMetal
        kDLROCM
        kDLCUDAManaged
        kDLOneAPI

    ctypedef struct DLDevice:
        DLDeviceType device_type
        int32_t device_id

    ctypedef struct DLDataType:
        uint8_t code
        uint8_t bits
        uint16_t lanes

    # What a provider fills, see DLPack's own documentation.  Strides count items here.
    ctypedef struct DLTensor:
        void *data
        DLDevice device
        int32_t ndim
        DLDataType dtype
        int64_t *shape
        int64_t *strides
        uint64_t byte_offset

    const uint64_t DLPACK_FLAG_BITMASK_READ_ONLY

    # ---- what is asked for
    const unsigned int PyTypedArray_C_CONTIGUOUS
    const unsigned int PyTypedArray_F_CONTIGUOUS
    const unsigned int PyTypedArray_WRITABLE
    const unsigned int PyTypedArray_UNALIGNED
    const int PyTypedArray_ANY_NDIM
    const int PyTypedArray_MAX_NDIM

    ctypedef struct PyTypedArray_Spec:
        DLDataType dtype
        int ndim
        unsigned int flags
        int device_type

    # bits 0: items of any type.
    PyTypedArray_Spec PyTypedArray_MakeSpec(int code, int bits, int ndim, unsigned int flags) noexcept

    # ---- what is found
    ctypedef struct PyTypedArray:
        void *data
        Py_ssize_t size
        int ndim
        bint readonly
        DLDataType dtype
        DLDevice device
        Py_ssize_t itemsize
        Py_ssize_t shape[8]
        Py_ssize_t strides[8]           # in bytes

    # The address of an item.  An index is not checked.
    void *PyTypedArray_At1(const PyTypedArray *a, Py_ssize_t i) noexcept
    void *PyTypedArray_At2(const PyTypedArray *a, Py_ssize_t i, Py_ssize_t j) noexcept
    void *PyTypedArray_At(const PyTypedArray *a, const Py_ssize_t *indices) noexcept

    # A loop over all items of an array with any number of dimensions; NULL: no more.
    ctypedef struct PyTypedArray_Cursor:
        Py_ssize_t index[8]

    void *PyTypedArray_First(const PyTypedArray *a, PyTypedArray_Cursor *cursor) noexcept
    void *PyTypedArray_Next(const PyTypedArray *a, PyTypedArray_Cursor *cursor) noexcept


cdef extern from *:

    # Any array, borrowed for a computation in which none of the user's code runs.  TypeError.
    int PyTypedArray_Init(PyTypedArray *a, object obj, const PyTypedArray_Spec *spec) except -1

    # Any array, for as long as you like.  TypeError.
    int PyTypedArray_Own(PyTypedArray *a, object obj, const PyTypedArray_Spec *spec) except -1

    # Ends what Init or Own began; does nothing when called again, or for a struct of zeros.
    void PyTypedArray_Clear(PyTypedArray *a) noexcept
