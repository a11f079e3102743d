/* SPDX-License-Identifier: MIT
 *
 * _typedarray/array.h - what is asked for, what is found, and where its items are.
 * Included by typedarray.h; not for direct use.
 */

/* ------------------------------------------------------------------ what is asked -- */

#define PyTypedArray_C_CONTIGUOUS 1u    /**< the last index runs fastest, without gaps */
#define PyTypedArray_F_CONTIGUOUS 2u    /**< the first index does; with C_CONTIGUOUS: either of them */
#define PyTypedArray_WRITABLE     4u    /**< read-only arrays are refused */
#define PyTypedArray_UNALIGNED    8u    /**< items may stand at any address: read them with memcpy() */

#define PyTypedArray_ANY_NDIM  (-1)     /**< as PyTypedArray_Spec.ndim */
#define PyTypedArray_MAX_NDIM  8        /**< arrays with more dimensions are refused */

/** Which arrays are accepted; constant, usually: see PyTypedArray_SPEC(). */
typedef struct {
    DLDataType dtype;       /**< of an item; bits 0: any; look at all of what is found */
    int        ndim;        /**< or PyTypedArray_ANY_NDIM */
    unsigned   flags;       /**< of the flags above */
    int        device_type; /**< a DLDeviceType; 0: kDLCPU */
} PyTypedArray_Spec;

/** The initialiser of a PyTypedArray_Spec for a type that is named by a word: bool; i1, i2, i4, i8,
   u1, u2, u4, u8 (integers of so many bytes), bf2 (bfloat16), f2, f4, f8, c8, c16 (complex); any; or
   C's short, int, long, float, double, size_t, Py_ssize_t.

       static const PyTypedArray_Spec matrix = PyTypedArray_SPEC(double, 2, PyTypedArray_C_CONTIGUOUS);
   */
#define PyTypedArray_SPEC(word, ndim, flags) \
    {{_Pycs_CODE_##word, 1}, (ndim), (flags), 0}

#define _Pycs_INT(type)  kDLInt, 8 * sizeof(type)
#define _Pycs_UINT(type) kDLUInt, 8 * sizeof(type)
#define _Pycs_CODE_any   kDLInt, 0
#define _Pycs_CODE_bool  kDLBool, 8
#define _Pycs_CODE__Bool kDLBool, 8         /* where stdbool.h was included */
#define _Pycs_CODE_i1    kDLInt, 8
#define _Pycs_CODE_i2    kDLInt, 16
#define _Pycs_CODE_i4    kDLInt, 32
#define _Pycs_CODE_i8    kDLInt, 64
#define _Pycs_CODE_u1    kDLUInt, 8
#define _Pycs_CODE_u2    kDLUInt, 16
#define _Pycs_CODE_u4    kDLUInt, 32
#define _Pycs_CODE_u8    kDLUInt, 64
#define _Pycs_CODE_bf2   kDLBfloat, 16
#define _Pycs_CODE_f2    kDLFloat, 16
#define _Pycs_CODE_f4    kDLFloat, 32
#define _Pycs_CODE_f8    kDLFloat, 64
#define _Pycs_CODE_c8    kDLComplex, 64
#define _Pycs_CODE_c16   kDLComplex, 128
#define _Pycs_CODE_short  _Pycs_INT(short)
#define _Pycs_CODE_int    _Pycs_INT(int)
#define _Pycs_CODE_long   _Pycs_INT(long)
#define _Pycs_CODE_float  kDLFloat, 32
#define _Pycs_CODE_double kDLFloat, 64
#define _Pycs_CODE_size_t     _Pycs_UINT(size_t)
#define _Pycs_CODE_Py_ssize_t _Pycs_INT(Py_ssize_t)

/** The same as a function, for types that are known when the program runs, and for Cython. */
_Pycs_UNUSED static inline PyTypedArray_Spec
PyTypedArray_MakeSpec(int code, int bits, int ndim, unsigned flags)
{
    const PyTypedArray_Spec spec = {{(uint8_t)code, (uint8_t)bits, 1}, ndim, flags, 0};
    return spec;
}

/* ------------------------------------------------------------------ what is found -- */

/** An array as C sees it; filled by PyTypedArray_Init() or PyTypedArray_Own().  Of shape and strides
   only the first `ndim` are set.  Neither copied nor moved while it holds something. */
/* [PyTypedArray.begin] */
typedef struct {
    void      *data;        /**< the first item; may be NULL if there are no items */
    DLDevice   device;      /**< where `data` is */
    int        ndim;
    DLDataType dtype;       /**< of an item: code, bits, lanes */
    int64_t   *lengths;     /* from `data` to `offset` it is a DLTensor, for exporters to fill */
    int64_t   *steps;
    uint64_t   offset;
    uintptr_t  held;        /* what keeps the memory: an object (strong), or one of _Pycs_HOLDS_... */
    Py_ssize_t size;        /**< how many items there are */
    Py_ssize_t itemsize;    /**< in bytes */
    int        readonly;    /**< not to be written to; also where the source does not say */
    Py_ssize_t shape[PyTypedArray_MAX_NDIM];
    Py_ssize_t strides[PyTypedArray_MAX_NDIM];  /**< from one item to the next, in bytes */
    void      *managed;     /* of DLPack, ours to delete */
    Py_buffer  buffer;
} PyTypedArray;
/* [PyTypedArray.end] */

_Pycs_ASSERT(array_begins_as_a_tensor,
             offsetof(PyTypedArray, ndim) == offsetof(DLTensor, ndim)
             && offsetof(PyTypedArray, dtype) == offsetof(DLTensor, dtype)
             && offsetof(PyTypedArray, offset) == offsetof(DLTensor, byte_offset));

#define _Pycs_HOLDS_NOTHING   0
#define _Pycs_HOLDS_BUFFER    2
#define _Pycs_HOLDS_MANAGED   3     /* DLManagedTensor */
#define _Pycs_HOLDS_VERSIONED 4     /* DLManagedTensorVersioned; a higher value is the address of an object */

_Pycs_UNUSED static void
_Pycs_DeleteTensor(DLManagedTensorVersioned *managed)
{
    if (managed->deleter != NULL) managed->deleter(managed);
}

_Pycs_SLOW void
_Pycs_Release(PyTypedArray *a, uintptr_t held)
{
    if (held == _Pycs_HOLDS_BUFFER) PyBuffer_Release(&a->buffer);
    else if (held == _Pycs_HOLDS_VERSIONED) _Pycs_DeleteTensor((DLManagedTensorVersioned *)a->managed);
    else if (held == _Pycs_HOLDS_MANAGED) {
        DLManagedTensor *managed = (DLManagedTensor *)a->managed;
        if (managed->deleter != NULL) managed->deleter(managed);
    }
}

/** For the tp_traverse of an object that holds one.  The collector does not see what a tensor of DLPack keeps. */
#define PyTypedArray_Traverse(a) Py_VISIT(_Pycs_HeldObject(a))

/* The object that keeps the memory, if it is known; borrowed. */
_Pycs_UNUSED static inline PyObject *
_Pycs_HeldObject(const PyTypedArray *a)
{
    if (a->held > _Pycs_HOLDS_VERSIONED) return (PyObject *)a->held;
    return a->held == _Pycs_HOLDS_BUFFER ? a->buffer.obj : NULL;
}

/** Gives back what PyTypedArray_Init() or PyTypedArray_Own() took; `data` is NULL
   then.  Does nothing when it is called again, after a failure, or with a struct of zeros.  Needs the
   GIL or an attached thread state, whichever thread filled *a; may run Python code. */
_Pycs_UNUSED static inline void
PyTypedArray_Clear(PyTypedArray *a)
{
    const uintptr_t held = a->held;
    a->held = _Pycs_HOLDS_NOTHING;
    a->data = NULL;
    if (_Pycs_LIKELY(held > _Pycs_HOLDS_VERSIONED)) {
        PyObject *object = (PyObject *)held;
        Py_DECREF(object);
    }
    else if (held != _Pycs_HOLDS_NOTHING) _Pycs_Release(a, held);
}

/* ------------------------------------------------------------------ where items are --
 *
 * Without the GIL, in any thread, between Init and Clear.  An index is not checked.
 */

/** The address of item [i] of an array with one dimension. */
_Pycs_FAST void *
PyTypedArray_At1(const PyTypedArray *a, Py_ssize_t i)
{
    return (char *)a->data + i * a->strides[0];
}

/** The address of item [i, j] of an array with two dimensions. */
_Pycs_FAST void *
PyTypedArray_At2(const PyTypedArray *a, Py_ssize_t i, Py_ssize_t j)
{
    return (char *)a->data + i * a->strides[0] + j * a->strides[1];
}

/** The address of the item with these `ndim` indices. */
_Pycs_FAST void *
PyTypedArray_At(const PyTypedArray *a, const Py_ssize_t *indices)
{
    char *at = (char *)a->data;
    int i;
    for (i = 0; i < a->ndim; i++) at += indices[i] * a->strides[i];
    return at;
}

/** Where a loop over all items is; `index` has the indices of the item. */
typedef struct {
    char      *at;
    Py_ssize_t index[PyTypedArray_MAX_NDIM];
} PyTypedArray_Cursor;

/** The address of the first item, NULL if there are none.  A loop over all items of an array with
   any number of dimensions, the last index running fastest:

       PyTypedArray_Cursor cursor;
       double *x = (double *)PyTypedArray_First(&a, &cursor);
       for (; x != NULL; x = (double *)PyTypedArray_Next(&a, &cursor)) sum += *x;
   */
_Pycs_UNUSED static inline void *
PyTypedArray_First(const PyTypedArray *a, PyTypedArray_Cursor *cursor)
{
    memset(cursor->index, 0, sizeof(cursor->index));
    cursor->at = (char *)a->data;
    return a->size != 0 ? cursor->at : NULL;
}

/** The address of the next item, NULL if that was the last one. */
_Pycs_UNUSED static inline void *
PyTypedArray_Next(const PyTypedArray *a, PyTypedArray_Cursor *cursor)
{
    int i;
    for (i = a->ndim - 1; i >= 0; i--) {
        if (++cursor->index[i] < a->shape[i]) {
            cursor->at += a->strides[i];
            return cursor->at;
        }
        cursor->at -= (a->shape[i] - 1) * a->strides[i];
        cursor->index[i] = 0;
    }
    return NULL;
}
