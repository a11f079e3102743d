// SPDX-License-Identifier: MIT
//
// Arguments that are typed memoryviews, and borrow the memory of a NumPy array or of a caller in C.

/////////////// NoMemoryView.proto ///////////////

// Where a slice that borrows has no memoryview.  Nothing is there: code that reads it crashes.
#define __PYX_CUSTOMSLOTS_BORROWED ((struct __pyx_memoryview_obj *) 8)

/////////////// LentView.proto ///////////////
//@requires: NoMemoryView

#ifndef Py_LIMITED_API
// An argument of a typed record as Cython's functions take it.
static CYTHON_INLINE __Pyx_memviewslice __Pyx_CustomSlots_LentView(const PyTypedMethodArray *array) {
    __Pyx_memviewslice slice;
    slice.memview = __PYX_CUSTOMSLOTS_BORROWED;
    slice.data = (char *) array->data;
    slice.shape[0] = array->length;
    slice.strides[0] = array->stride;
    slice.suboffsets[0] = -1;
    return slice;
}
#endif

/////////////// Measure.proto ///////////////

// An attribute of the memoryview, a product that its slice can tell, too.
static CYTHON_INLINE PyObject *__Pyx_CustomSlots_Measure(const __Pyx_memviewslice *slice, int ndim, Py_ssize_t unit,
                                                         PyObject *name) {
    int i;
    if (unlikely((PyObject *) slice->memview == Py_None)) return PyObject_GetAttr(Py_None, name);
    for (i = 0; i < ndim; i++) unit *= slice->shape[i];
    return PyLong_FromSsize_t(unit);
}

/////////////// BorrowViews.proto ///////////////
//@requires: NoMemoryView

#ifdef Py_LIMITED_API
  #define __Pyx_CustomSlots_BorrowView(obj, held, slice, ndim, code, bits, order, writable) 0
#else

static CYTHON_INLINE int __Pyx_CustomSlots_IsNumPyArray(PyObject *obj) {
    PyTypeObject *type = Py_TYPE(obj), *known = _Pycs_LOAD(PyTypeObject *, &_Pycs_ndarray);
    if (likely(known)) return type == known;
    return _Pycs_NumPyBase(type) == type && _Pycs_IsKnownNumPy(type);
}

// 1: *slice is filled as Cython fills it, but for the memoryview, and *held is a reference to the array.  0: Cython
// has to do it, or to say why it cannot.  code -1: a char is any integer of one byte, or a bool, as Cython has it.
_Pycs_FAST int __Pyx_CustomSlots_BorrowView(PyObject *obj, PyObject **held, __Pyx_memviewslice *slice,
                                            int ndim, int code, int bits, int order, int writable) {
    const _Pycs_NumPy *array = (const _Pycs_NumPy *) _Pycs_BEHIND_HEAD(obj);
    const int both = _Pycs_NUMPY_C_CONTIGUOUS | _Pycs_NUMPY_F_CONTIGUOUS;
    int wanted = order | _Pycs_NUMPY_ALIGNED | (writable ? _Pycs_NUMPY_WRITEABLE : 0), contiguous, i;
    DLDataType dtype;
    if (unlikely(!__Pyx_CustomSlots_IsNumPyArray(obj))) return 0;
    dtype = _Pycs_TypeOfNumPy(array);
    if (code < 0 && (dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool)) code = dtype.code;
    if (unlikely(array->nd != ndim || dtype.code != code || dtype.bits != bits || (array->flags & wanted) != wanted
                 || (array->flags & _Pycs_NUMPY_WARN_ON_WRITE))) return 0;
    for (i = 0; i < ndim; i++) {
        slice->shape[i] = array->dimensions[i];
        slice->strides[i] = array->strides[i];
        slice->suboffsets[i] = -1;
    }
    // NumPy's buffers of contiguous arrays have the strides that they would have if none were of length 0 or 1.
    contiguous = array->flags & both;
    if (contiguous) {
        Py_ssize_t stride = bits / 8;
        const int is_fortran = contiguous == both ? order == _Pycs_NUMPY_F_CONTIGUOUS
                                                  : contiguous == _Pycs_NUMPY_F_CONTIGUOUS;
        for (i = 0; i < ndim; i++) {
            const int at = is_fortran ? i : ndim - 1 - i;
            slice->strides[at] = stride;
            stride *= slice->shape[at];
        }
    }
    slice->data = array->data;
    slice->memview = __PYX_CUSTOMSLOTS_BORROWED;
    Py_INCREF(obj);
    *held = obj;
    return 1;
}

#endif
