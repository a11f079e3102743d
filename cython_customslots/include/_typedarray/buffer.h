/* SPDX-License-Identifier: MIT
 *
 * _typedarray/buffer.h - the buffer protocol of classes whose objects are arrays.
 * Included by typedarray_provide.h; not for direct use.
 */

/* The format of items, as the module `struct` has it; NULL: there is none. */
_Pycs_UNUSED static const char *
_Pycs_FormatOf(DLDataType dtype)
{
    const int bits = dtype.bits;
    if (dtype.lanes != 1) return NULL;
    switch (dtype.code) {
    case kDLBool: return bits == 8 ? "?" : NULL;
    case kDLInt: return bits == 8 ? "b" : bits == 16 ? "h" : bits == 32 ? "i" : bits != 64 ? NULL
                        : sizeof(long) == 8 ? "l" : "q";
    case kDLUInt: return bits == 8 ? "B" : bits == 16 ? "H" : bits == 32 ? "I" : bits != 64 ? NULL
                         : sizeof(long) == 8 ? "L" : "Q";
    case kDLFloat: return bits == 16 ? "e" : bits == 32 ? "f" : bits == 64 ? "d"
                          : bits == 8 * (int)sizeof(long double) ? "g" : NULL;
    case kDLComplex: return bits == 64 ? "Zf" : bits == 128 ? "Zd" : NULL;
    default: return NULL;
    }
}

/* Is the array in the order that the flags of a request for a buffer want? */
_Pycs_UNUSED static int
_Pycs_HasOrderOfBuffer(const PyTypedArray *a, int flags)
{
    const int wants_any = (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS;
    const int wants_c = (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS || (flags & PyBUF_STRIDES) != PyBUF_STRIDES;
    const int wants_f = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS;
    const int is_c = a->size == 0 || _Pycs_IsContiguous(a, a->ndim - 1, -1);
    const int is_f = a->size == 0 || _Pycs_IsContiguous(a, 0, 1);
    return !(wants_c && !is_c) && !(wants_f && !is_f) && !(wants_any && !is_c && !is_f);
}

/* Shows *a as a buffer, or raises BufferError and clears *a. */
_Pycs_UNUSED static int
_Pycs_ShowAsBuffer(PyTypedArray *a, PyObject *self, Py_buffer *view, int flags)
{
    const char *format = _Pycs_FormatOf(a->dtype), *wrong = NULL;
    char type[48];
    if (format == NULL) wrong = "whose items have no format in a buffer, expected others; use __dlpack__()";
    else if (a->readonly && (flags & PyBUF_WRITABLE)) wrong = "that is read-only, expected one that may be written to";
    else if (!_Pycs_HasOrderOfBuffer(a, flags)) {
        wrong = "whose items do not follow one another, expected them to; pass a copy";
    }
    if (wrong != NULL) {
        PyErr_Format(PyExc_BufferError, "found a '%.200s' of %s %s", Py_TYPE(self)->tp_name,
                     _Pycs_TypeName(a->dtype, type), wrong);
        PyTypedArray_Clear(a);
        PyMem_Free(a);
        return -1;
    }
    view->buf = a->data;
    view->len = a->size * a->itemsize;
    view->itemsize = a->itemsize;
    view->readonly = a->readonly;
    view->ndim = a->ndim;
    view->format = flags & PyBUF_FORMAT ? (char *)format : NULL;
    view->shape = flags & PyBUF_ND ? a->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? a->strides : NULL;
    view->suboffsets = NULL;
    view->internal = a;
    Py_INCREF(self);
    view->obj = self;
    return 0;
}

_Pycs_UNUSED static int
_Pycs_GetBuffer(PyObject *self, Py_buffer *view, int flags)
{
    const PyTypedArray_Spec spec = PyTypedArray_SPEC(any, PyTypedArray_ANY_NDIM, PyTypedArray_UNALIGNED);
    DLManagedTensorVersioned *managed;
    PyTypedArray *a;
    view->obj = NULL;
    if (_Pycs_ExportOf(self, &managed) < 0) return -1;
    if (!(a = (PyTypedArray *)PyMem_Malloc(sizeof(*a)))) {
        _Pycs_DeleteTensor(managed);
        PyErr_NoMemory();
        return -1;
    }
    if (_Pycs_AcceptVersioned(a, self, &spec, managed) < 0) {
        PyMem_Free(a);
        return -1;
    }
    return _Pycs_ShowAsBuffer(a, self, view, flags);
}

/* For a class's own function bf_getbuffer.  The object keeps the items, so nothing is exported. */
_Pycs_FAST int
_Pycs_GetStableBuffer(PyObject *self, PyTypedArray_FillFunction fill, Py_buffer *view, int flags)
{
    const PyTypedArray_Spec spec = PyTypedArray_SPEC(any, PyTypedArray_ANY_NDIM, PyTypedArray_UNALIGNED);
    int64_t numbers[2 * PyTypedArray_MAX_NDIM];
    PyTypedArray *a = (PyTypedArray *)PyMem_Malloc(sizeof(*a));
    uint64_t tensor_flags = 0;
    DLTensor tensor;
    view->obj = NULL;
    if (a == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memset(&tensor, 0, sizeof(tensor));
    tensor.shape = numbers;
    tensor.strides = numbers + PyTypedArray_MAX_NDIM;
    if (_Pycs_Fill(self, fill, &tensor, &tensor_flags, a) < 0
            || (tensor.device.device_type != kDLCPU && _Pycs_RefuseExport(self, a, &spec, _Pycs_OTHER_DEVICE) < 0)) {
        PyMem_Free(a);
        return -1;
    }
    a->held = _Pycs_HOLDS_NOTHING;
    a->readonly = (tensor_flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    return _Pycs_ShowAsBuffer(a, self, view, flags);
}

_Pycs_UNUSED static void
_Pycs_ReleaseBuffer(PyObject *self, Py_buffer *view)
{
    PyTypedArray *a = (PyTypedArray *)view->internal;
    (void)self;
    PyTypedArray_Clear(a);
    PyMem_Free(a);
}


/** Defines `name`, a static PyBufferProcs for PyTypedArray_ProvideStable(), from the function that fills a tensor. */
#define PyTypedArray_STABLE(name, fill)                                                       \
    static int name##_get(PyObject *self, Py_buffer *view, int flags)                         \
    {                                                                                         \
        return _Pycs_GetStableBuffer(self, fill, view, flags);                                \
    }                                                                                         \
    static PyBufferProcs name = {name##_get, _Pycs_ReleaseBuffer};
