# SPDX-License-Identifier: MIT
"""Typed callables: the C function behind a Python callable.  Cimporting this imports
nothing at run time.

    from cython_customslots.typedmethod cimport PyTypedCallable, PyTypedCallable_Init, \
        PyTypedCallable_Clear, PyTypedCallable_call_f8_f8, PyTypedMethod_Parse

    cdef uint64_t signature
    PyTypedMethod_Parse(b"f8(f8)", &signature)

    cdef PyTypedCallable f
    PyTypedCallable_Init(&f, function, signature)      # any callable
    with nogil:
        y = PyTypedCallable_call_f8_f8(&f, 0.5)        # raises what it raises
    PyTypedCallable_Clear(&f)

Every function is described in typedmethod.h, whose text an installed copy of this file carries.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t, uintptr_t
from cpython.object cimport PyObject
from cython_customslots cimport PyCustomSlot        # the text of customslots.h comes with it


cdef extern from "typedmethod.h" nogil:

    # ---- types and signatures
    const int PyTypedMethod_VOID
    const int PyTypedMethod_BOOL
    const int PyTypedMethod_I1
    const int PyTypedMethod_I2
    const int PyTypedMethod_I4
    const int PyTypedMethod_I8
    const int PyTypedMethod_U1
    const int PyTypedMethod_U2
    const int PyTypedMethod_U4
    const int PyTypedMethod_U8
    const int PyTypedMethod_F4
    const int PyTypedMethod_F8
    const int PyTypedMethod_F16
    const int PyTypedMethod_C8
    const int PyTypedMethod_C16
    const int PyTypedMethod_C32
    const int PyTypedMethod_POINTER
    const int PyTypedMethod_OBJECT
    const int PyTypedMethod_ARRAY           # before the code of the items: PyTypedMethod_SIG(f8, ARRAY, f8)
    const int PyTypedMethod_CONST_ARRAY
    const int PyTypedMethod_STRIDED
    const int PyTypedMethod_CONST_STRIDED
    const int PyTypedMethod_LONG_DOUBLE
    const int PyTypedMethod_LONG_COMPLEX

    # An array argument in C, `const PyTypedMethodArray *`; the stride is in bytes.
    ctypedef struct PyTypedMethodArray:
        void *data
        Py_ssize_t length
        Py_ssize_t stride

    # A macro: a C constant expression of codes, the result's first.
    uint64_t PyTypedMethod_SIG(int result, ...) noexcept nogil

    # ---- records
    const uint32_t PyTypedMethod_RAISES
    const uint32_t PyTypedMethod_RAISES_VALUE
    const uint32_t PyTypedMethod_RAISES_MAYBE
    const uint32_t PyTypedMethod_RAISES_ANY
    const uint32_t PyTypedMethod_NOGIL
    const uint32_t PyTypedMethod_CTX
    const uint32_t PyTypedMethod_CTX_FIRST
    const uint32_t PyTypedMethod_CTX_LAST
    const uint32_t PyTypedMethod_SELF
    const uint32_t PyTypedMethod_UNVERIFIED
    const uint32_t PyTypedMethod_CONVERTS
    const uint32_t PyTypedMethod_KNOWN
    const uint32_t PyTypedMethod_MAGIC
    const int PyTypedMethod_ABI_VERSION
    const int PyTypedMethod_MAX_ENTRIES

    ctypedef union PyTypedMethodError:
        int64_t i
        uint64_t u
        double f
        void *p

    ctypedef struct PyTypedMethodEntry:
        uint64_t signature
        void *function
        uint32_t flags
        uint32_t reserved
        PyTypedMethodError error

    ctypedef struct PyTypedMethodRecord:
        uint32_t magic
        uint16_t abi
        uint16_t entry_size
        uint32_t count
        uint32_t flags
        const char *name
        const PyTypedMethodEntry *entries

    # A slot with this ID leads, by data.objoffset in the instance, to this.
    const uintptr_t PyTypedMethod_NATIVE_CALL
    # A slot with this ID leads, by data.pointer, to what all instances share.
    const uintptr_t PyTypedMethod_CLASS_CALL

    ctypedef struct PyTypedMethodClassCall:
        uint32_t size
        int32_t offset
        const PyTypedMethodRecord *record
        const PyTypedMethodRecord *direct
        const void *methods

    ctypedef struct PyTypedMethodNative:
        const PyTypedMethodRecord *record
        void *context

    # ---- finding and holding
    ctypedef struct PyTypedMethodCall:
        void *function
        void *context
        uint32_t flags
        uint32_t reserved
        PyTypedMethodError error

    ctypedef struct PyTypedCallable:
        PyTypedMethodCall call
        uint64_t signature
        PyObject *callable

    bint PyTypedCallable_IsTyped(const PyTypedCallable *held) noexcept nogil


cdef extern from *:

    # The text of a signature, `f8(f8, i4)` or `di->d`, and back.  ValueError.
    int PyTypedMethod_Parse(const char *text, uint64_t *signature) except -1
    str PyTypedMethod_Format(uint64_t signature)

    # The C function with this signature behind a callable; borrowed from it.
    bint PyTypedMethod_Find(object callable, uint64_t signature, PyTypedMethodCall *call) noexcept

    # All its overloads: the record, and the receiver of a bound callable (borrowed).
    bint PyTypedMethod_Overloads(object callable, const PyTypedMethodRecord **record, PyObject **bound) noexcept

    # The texts of what can be found, and why something cannot.
    tuple PyTypedMethod_Signatures(object callable)
    str PyTypedMethod_WhyNot(object callable, uint64_t signature)

    # Holds a callable, to be called as a C function or else through Python.
    int PyTypedCallable_Init(PyTypedCallable *held, object callable, uint64_t signature) except -1
    int PyTypedCallable_InitTyped(PyTypedCallable *held, object callable, uint64_t signature) except -1
    str PyTypedCallable_WhyNot(const PyTypedCallable *held)
    void PyTypedCallable_Clear(PyTypedCallable *held) noexcept


# Types come as `object`: Cython's test for arguments declared `type` is exact.
cdef extern from *:
    """
    #ifndef __PYX_CUSTOMSLOTS_TYPED
    #define __PYX_CUSTOMSLOTS_TYPED
    #ifdef Py_LIMITED_API
    #define __Pyx_CustomSlots_RegisterLayout PyTypedMethod_RegisterLayout
    #else
    static CYTHON_INLINE int __Pyx_CustomSlots_RegisterLayout(PyObject *cls, Py_ssize_t def_offset, Py_ssize_t self_offset) {
        return PyTypedMethod_RegisterLayout((PyTypeObject *)cls, def_offset, self_offset);
    }
    #endif
    PyTypedMethod_CALLER(PyTypedCallable_call_void, void)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_void_with_gil, void)
    PyTypedMethod_CALLER(PyTypedCallable_call_f8, f8)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_f8_with_gil, f8)
    PyTypedMethod_CALLER(PyTypedCallable_call_f8_f8, f8, f8)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_f8_f8_with_gil, f8, f8)
    PyTypedMethod_CALLER(PyTypedCallable_call_f8_f8_f8, f8, f8, f8)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_f8_f8_f8_with_gil, f8, f8, f8)
    PyTypedMethod_CALLER(PyTypedCallable_call_f8_f8_f8_f8, f8, f8, f8, f8)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_f8_f8_f8_f8_with_gil, f8, f8, f8, f8)
    PyTypedMethod_CALLER(PyTypedCallable_call_f8_i4, f8, i4)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_f8_i4_with_gil, f8, i4)
    PyTypedMethod_CALLER(PyTypedCallable_call_f8_i8, f8, i8)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_f8_i8_with_gil, f8, i8)
    PyTypedMethod_CALLER(PyTypedCallable_call_i4, i4)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_i4_with_gil, i4)
    PyTypedMethod_CALLER(PyTypedCallable_call_i4_i4, i4, i4)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_i4_i4_with_gil, i4, i4)
    PyTypedMethod_CALLER(PyTypedCallable_call_i4_i4_i4, i4, i4, i4)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_i4_i4_i4_with_gil, i4, i4, i4)
    PyTypedMethod_CALLER(PyTypedCallable_call_i8, i8)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_i8_with_gil, i8)
    PyTypedMethod_CALLER(PyTypedCallable_call_i8_i8, i8, i8)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_i8_i8_with_gil, i8, i8)
    PyTypedMethod_CALLER(PyTypedCallable_call_i8_i8_i8, i8, i8, i8)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_i8_i8_i8_with_gil, i8, i8, i8)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_object, object)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_object_object, object, object)
    PyTypedMethod_CALLER_WITH_GIL(PyTypedCallable_call_object_object_object, object, object, object)
    #endif
    """
    # Says how functions of a type lead to their PyMethodDef.  TypeError, ValueError.
    int PyTypedMethod_RegisterLayout "__Pyx_CustomSlots_RegisterLayout" (object cls, Py_ssize_t def_offset, Py_ssize_t self_offset) except -1

    # Callers for the commonest signatures.  They work with and without the GIL, and so must test
    # for it in each call, unless the C function does not need it.  In code that has the GIL the
    # compiler layer replaces each caller by its form `..._with_gil`, which makes no test; plain
    # Cython calls what is written.  Callers with objects always need the GIL.
    #
    # Others, in one line at module level, with the compiler layer:
    #     call = PyTypedMethod_CALLER("double(double, long)")
    # and with plain Cython (nogil: not where there is an object):
    #     cdef extern from * nogil:
    #         "PyTypedMethod_CALLER(call, double, double, long)"
    #         double call(PyTypedCallable *held, double x, long n) except? -1
    object PyTypedMethod_CALLER "PyTypedMethod_CALLER_needs_the_compiler_layer" (str signature)

    int PyTypedCallable_call_void(PyTypedCallable *held) except -1 nogil
    double PyTypedCallable_call_f8(PyTypedCallable *held) except? -1 nogil
    double PyTypedCallable_call_f8_f8(PyTypedCallable *held, double a) except? -1 nogil
    double PyTypedCallable_call_f8_f8_f8(PyTypedCallable *held, double a, double b) except? -1 nogil
    double PyTypedCallable_call_f8_f8_f8_f8(PyTypedCallable *held, double a, double b, double c) except? -1 nogil
    double PyTypedCallable_call_f8_i4(PyTypedCallable *held, int32_t a) except? -1 nogil
    double PyTypedCallable_call_f8_i8(PyTypedCallable *held, int64_t a) except? -1 nogil
    int32_t PyTypedCallable_call_i4(PyTypedCallable *held) except? -1 nogil
    int32_t PyTypedCallable_call_i4_i4(PyTypedCallable *held, int32_t a) except? -1 nogil
    int32_t PyTypedCallable_call_i4_i4_i4(PyTypedCallable *held, int32_t a, int32_t b) except? -1 nogil
    int64_t PyTypedCallable_call_i8(PyTypedCallable *held) except? -1 nogil
    int64_t PyTypedCallable_call_i8_i8(PyTypedCallable *held, int64_t a) except? -1 nogil
    int64_t PyTypedCallable_call_i8_i8_i8(PyTypedCallable *held, int64_t a, int64_t b) except? -1 nogil
    object PyTypedCallable_call_object(PyTypedCallable *held)
    object PyTypedCallable_call_object_object(PyTypedCallable *held, object a)
    object PyTypedCallable_call_object_object_object(PyTypedCallable *held, object a, object b)

    # The same for code that has the GIL.
    int PyTypedCallable_call_void_with_gil(PyTypedCallable *held) except -1
    double PyTypedCallable_call_f8_with_gil(PyTypedCallable *held) except? -1
    double PyTypedCallable_call_f8_f8_with_gil(PyTypedCallable *held, double a) except? -1
    double PyTypedCallable_call_f8_f8_f8_with_gil(PyTypedCallable *held, double a, double b) except? -1
    double PyTypedCallable_call_f8_f8_f8_f8_with_gil(PyTypedCallable *held, double a, double b, double c) except? -1
    double PyTypedCallable_call_f8_i4_with_gil(PyTypedCallable *held, int32_t a) except? -1
    double PyTypedCallable_call_f8_i8_with_gil(PyTypedCallable *held, int64_t a) except? -1
    int32_t PyTypedCallable_call_i4_with_gil(PyTypedCallable *held) except? -1
    int32_t PyTypedCallable_call_i4_i4_with_gil(PyTypedCallable *held, int32_t a) except? -1
    int32_t PyTypedCallable_call_i4_i4_i4_with_gil(PyTypedCallable *held, int32_t a, int32_t b) except? -1
    int64_t PyTypedCallable_call_i8_with_gil(PyTypedCallable *held) except? -1
    int64_t PyTypedCallable_call_i8_i8_with_gil(PyTypedCallable *held, int64_t a) except? -1
    int64_t PyTypedCallable_call_i8_i8_i8_with_gil(PyTypedCallable *held, int64_t a, int64_t b) except? -1
