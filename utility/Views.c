// SPDX-License-Identifier: MIT
//
// Arguments that are typed memoryviews or buffers, and borrow the memory of a NumPy array or of a caller in C.

/////////////// NoMemoryView.proto ///////////////

// What stands for the memoryview of a slice that borrows: the address of its array, or 0 for a caller in C; whether
// the memory could be written to; and whether the array is the memoryview itself, which the module that borrows has
// made.  The complement of an address is odd, which no object's address is, and cannot be read.
#define __PYX_CUSTOMSLOTS_LENT(array, writable) \
    ((struct __pyx_memoryview_obj *) (~(size_t) (array) & ~((writable) ? (size_t) 4 : (size_t) 6)))
#define __PYX_CUSTOMSLOTS_LENT_ITSELF(memview) ((struct __pyx_memoryview_obj *) ((size_t) (memview) | 4))
#define __PYX_CUSTOMSLOTS_IS_LENT(memview) ((size_t) (memview) & 1)
#define __PYX_CUSTOMSLOTS_IS_ITSELF(memview) (((size_t) (memview) & 4) != 0)
#define __PYX_CUSTOMSLOTS_LENDER(memview) ((PyObject *) ~((size_t) (memview) | 7))
#define __PYX_CUSTOMSLOTS_LENT_WRITABLE(memview) (((size_t) (memview) & 2) != 0)

/////////////// LentView.proto ///////////////
//@requires: NoMemoryView

#ifndef Py_LIMITED_API
// An argument of a typed record as Cython's functions take it.
static CYTHON_INLINE __Pyx_memviewslice __Pyx_CustomSlots_LentView(const PyTypedMethodArray *array) {
    __Pyx_memviewslice slice;
    slice.memview = __PYX_CUSTOMSLOTS_LENT(0, 1);
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

/////////////// Transpose.proto ///////////////

static CYTHON_INLINE void __Pyx_CustomSlots_Transpose(__Pyx_memviewslice *slice, int ndim) {
    int i;
    for (i = 0; i < ndim / 2; i++) {
        const int j = ndim - 1 - i;
        const Py_ssize_t shape = slice->shape[i], stride = slice->strides[i];
        slice->shape[i] = slice->shape[j];
        slice->strides[i] = slice->strides[j];
        slice->shape[j] = shape;
        slice->strides[j] = stride;
    }
}

/////////////// IsContiguous.proto ///////////////

static CYTHON_INLINE int __Pyx_CustomSlots_IsContiguous(__Pyx_memviewslice slice, char order, int ndim,
                                                        Py_ssize_t stride) {
    int i;
    for (i = 0; i < ndim; i++) {
        const int at = order == 'F' ? i : ndim - 1 - i;
        if (slice.suboffsets[at] >= 0 || slice.strides[at] != stride) return 0;
        stride *= slice.shape[at];
    }
    return 1;
}

/////////////// CopySlice.proto ///////////////

static int __Pyx_CustomSlots_CopySlice(__Pyx_memviewslice, __Pyx_memviewslice, int, int, Py_ssize_t); /*proto*/

/////////////// CopySlice ///////////////
//@requires: NoMemoryView

// Cython reads the size of the items, and the number of dimensions, in the memoryviews of both.
static int __Pyx_CustomSlots_CopySlice(__Pyx_memviewslice source, __Pyx_memviewslice target, int source_ndim,
                                       int target_ndim, Py_ssize_t itemsize) {
    struct __pyx_memoryview_obj items;
    items.view.itemsize = itemsize;
    items.view.ndim = source_ndim > target_ndim ? source_ndim : target_ndim;
    if (__PYX_CUSTOMSLOTS_IS_LENT(source.memview)) source.memview = &items;
    if (__PYX_CUSTOMSLOTS_IS_LENT(target.memview)) target.memview = &items;
    return __pyx_memoryview_copy_contents(source, target, source_ndim, target_ndim, 0);
}

/////////////// NumPyItems.proto ///////////////

#ifndef Py_LIMITED_API

static CYTHON_INLINE int __Pyx_CustomSlots_IsNumPyArray(PyObject *obj) {
    PyTypeObject *type = Py_TYPE(obj), *known = _Pycs_LOAD(PyTypeObject *, &_Pycs_ndarray);
    if (likely(known)) return type == known;
    return _Pycs_NumPyBase(type) == type && _Pycs_IsKnownNumPy(type);
}

// Does an array have these items, where Cython may reach them?  code -1: a char is any integer of one byte, or a
// bool, as Cython has it.
_Pycs_FAST int __Pyx_CustomSlots_Fits(const _Pycs_NumPy *array, int ndim, int code, int bits, int order, int writable) {
    const int wanted = order | _Pycs_NUMPY_ALIGNED | (writable ? _Pycs_NUMPY_WRITEABLE : 0);
    const DLDataType dtype = _Pycs_TypeOfNumPy(array);
    if (code < 0 && (dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool)) code = dtype.code;
    return likely(array->nd == ndim && dtype.code == code && dtype.bits == bits && (array->flags & wanted) == wanted
                  && !(array->flags & _Pycs_NUMPY_WARN_ON_WRITE));
}

// The strides of NumPy's buffers: for contiguous arrays they are what they would be if no length were 0 or 1.
_Pycs_FAST void __Pyx_CustomSlots_StridesOf(const _Pycs_NumPy *array, int ndim, int bits, int order,
                                            Py_ssize_t *strides) {
    const int both = _Pycs_NUMPY_C_CONTIGUOUS | _Pycs_NUMPY_F_CONTIGUOUS, contiguous = array->flags & both;
    const int is_fortran = contiguous == both ? order == _Pycs_NUMPY_F_CONTIGUOUS
                                              : contiguous == _Pycs_NUMPY_F_CONTIGUOUS;
    Py_ssize_t stride = bits / 8;
    int i;
    for (i = 0; i < ndim; i++) {
        const int at = is_fortran ? i : ndim - 1 - i;
        strides[at] = contiguous ? stride : array->strides[at];
        if (contiguous) stride *= array->dimensions[at];
    }
}

#endif

/////////////// StableViews.proto ///////////////
//@requires: BorrowViews

#ifndef Py_LIMITED_API
static void __Pyx_CustomSlots_LetLend(PyTypeObject *, int); /*proto*/
#endif

/////////////// StableViews ///////////////

#ifndef Py_LIMITED_API
// Promises that the items of the objects of a class of Cython's stay where they are.  Without the promise all is as
// with plain Cython, so an exception is no reason to stop, even where another module has promised the same for a
// class that they share.
static void __Pyx_CustomSlots_LetLend(PyTypeObject *type, int number) {
    PyBufferProcs *procs = &__Pyx_CustomSlots_lending[number];
    PyCustomSlot slot;
    if (!type->tp_as_buffer) return;
    *procs = *type->tp_as_buffer;
    slot.id = PyTypedArray_STABLE_BUFFER;
    slot.data.pointer = procs;
    if (PyCustomSlots_Register(type, &slot) < 0) PyErr_Clear();
}
#endif

/////////////// BorrowViews.proto ///////////////
//@requires: NoMemoryView
//@requires: NumPyItems

#ifdef Py_LIMITED_API
  #define __Pyx_CustomSlots_BorrowView(obj, slice, type, ndim, code, bits, order, writable) 0
#else

// For this module's class of memoryviews, and for its class of arrays: the functions that
// LetLend() makes the promise for.
static PyBufferProcs __Pyx_CustomSlots_lending[2];

_Pycs_NOINLINE static int __Pyx_CustomSlots_BorrowStable(PyObject *, __Pyx_memviewslice *, const __Pyx_TypeInfo *,
                                                         int, int, int, int, int); /*proto*/

// 1: *slice is filled as Cython fills it, but for the memoryview, and owns a reference to the array.  0: Cython has to
// do it, or to say why it cannot.
_Pycs_FAST int __Pyx_CustomSlots_BorrowView(PyObject *obj, __Pyx_memviewslice *slice, const __Pyx_TypeInfo *type,
                                            int ndim, int code, int bits, int order, int writable) {
    const _Pycs_NumPy *array = (const _Pycs_NumPy *) _Pycs_BEHIND_HEAD(obj);
    int i;
    if (unlikely(!__Pyx_CustomSlots_IsNumPyArray(obj))) {
        __Pyx_memviewslice other;       // the address of *slice goes nowhere, so that most of it can be in registers
        if (!__Pyx_CustomSlots_BorrowStable(obj, &other, type, ndim, code, bits, order, writable)) return 0;
        for (i = 0; i < ndim; i++) {
            slice->shape[i] = other.shape[i];
            slice->strides[i] = other.strides[i];
            slice->suboffsets[i] = -1;
        }
        slice->data = other.data;
        slice->memview = other.memview;
        return 1;
    }
    if (unlikely(!__Pyx_CustomSlots_Fits(array, ndim, code, bits, order, writable))) return 0;
    for (i = 0; i < ndim; i++) {
        slice->shape[i] = array->dimensions[i];
        slice->suboffsets[i] = -1;
    }
    __Pyx_CustomSlots_StridesOf(array, ndim, bits, order, slice->strides);
    slice->data = array->data;
    slice->memview = __PYX_CUSTOMSLOTS_LENT(obj, array->flags & _Pycs_NUMPY_WRITEABLE);
    Py_INCREF(obj);
    return 1;
}

#endif

/////////////// BorrowViews ///////////////

#ifndef Py_LIMITED_API

// The same for an object whose buffer lasts as long as the object, such as a memoryview of another module.  A
// memoryview of this module is left to Cython, unless Cython takes it as it is.
static int __Pyx_CustomSlots_BorrowStable(PyObject *obj, __Pyx_memviewslice *slice, const __Pyx_TypeInfo *type,
                                          int ndim, int code, int bits, int order, int writable) {
    const int flags = order == _Pycs_NUMPY_C_CONTIGUOUS ? PyBUF_C_CONTIGUOUS :
                      order == _Pycs_NUMPY_F_CONTIGUOUS ? PyBUF_F_CONTIGUOUS : PyBUF_STRIDES;
    const PyBufferProcs *procs = Py_TYPE(obj)->tp_as_buffer;
    Py_buffer view;
    DLDataType dtype = {0, 0, 0};
    Py_ssize_t stride;
    int i, fits, is_ours;
    if (obj == Py_None || !_Pycs_HasStableBuffer(obj)) return 0;
    is_ours = procs->bf_getbuffer == __Pyx_CustomSlots_lending[0].bf_getbuffer;
    if (is_ours && ((struct __pyx_memoryview_obj *) obj)->typeinfo != type) return 0;
    if (procs->bf_getbuffer(obj, &view, flags | PyBUF_INDIRECT | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)) < 0) {
        PyErr_Clear();
        return 0;
    }
    if (likely(view.format)) dtype = _Pycs_TypeOfFormat(view.format, view.itemsize);
    // Cython knows fewer formats.
    if (dtype.code != kDLFloat && !(dtype.bits && strchr("bBhHiIlLqQZ?", view.format[0]))) dtype.bits = 0;
    if (code < 0 && (dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool)) code = dtype.code;
    fits = view.ndim == ndim && dtype.code == code && dtype.bits == bits && view.shape && view.strides
           && !view.suboffsets && !(writable && view.readonly);
    stride = view.itemsize;
    for (i = 0; fits && i < ndim; i++) {
        const int at = order == _Pycs_NUMPY_F_CONTIGUOUS ? i : ndim - 1 - i;
        slice->shape[at] = view.shape[at];
        slice->strides[at] = view.strides[at];
        fits = order == _Pycs_NUMPY_ANY_ORDER || view.shape[at] <= 1 || view.strides[at] == stride || view.len <= 0;
        stride *= view.shape[at];
    }
    if (fits) {
        slice->data = (char *) view.buf;
        slice->memview = __PYX_CUSTOMSLOTS_LENT(obj, !view.readonly);
        if (is_ours) slice->memview = __PYX_CUSTOMSLOTS_LENT_ITSELF(slice->memview);
        Py_INCREF(obj);
    }
    if (unlikely(procs->bf_releasebuffer)) PyBuffer_Release(&view);
    else Py_XDECREF(view.obj);
    return fits;
}

#endif

/////////////// BorrowBuffers.proto ///////////////
//@requires: NumPyItems

// What Cython writes for `np.ndarray[double] x`, and which items these are.
#ifdef Py_LIMITED_API
  #define __Pyx_CustomSlots_GetBuffer(buf, obj, type, flags, ndim, cast, stack, code, bits, order) \
      __Pyx_GetBufferAndValidate(buf, obj, type, flags, ndim, cast, stack)
#else
  #define __Pyx_CustomSlots_GetBuffer(buf, obj, type, flags, ndim, cast, stack, code, bits, order) \
      (__Pyx_CustomSlots_BorrowBuffer(buf, obj, ndim, code, bits, order, ((flags) & PyBUF_WRITABLE) != 0) ? 0 : \
       __Pyx_GetBufferAndValidate(buf, obj, type, flags, ndim, cast, stack))

// 1: the fields of *buf that Cython reads are filled, and *buf owns a reference to the array, as NumPy's would, so
// that PyBuffer_Release() gives the reference back.  Cython copies lengths and strides next.  0: Cython has to ask
// NumPy.
_Pycs_FAST int __Pyx_CustomSlots_BorrowBuffer(Py_buffer *buf, PyObject *obj, int ndim, int code, int bits, int order,
                                              int writable) {
    const _Pycs_NumPy *array;
    Py_ssize_t strides[sizeof(__Pyx_minusones) / sizeof(*__Pyx_minusones)];
    int i;
    if (unlikely(!obj || !__Pyx_CustomSlots_IsNumPyArray(obj))) return 0;
    array = (const _Pycs_NumPy *) _Pycs_BEHIND_HEAD(obj);
    if (unlikely(!__Pyx_CustomSlots_Fits(array, ndim, code, bits, order, writable)
                 || Py_TYPE(obj)->tp_as_buffer->bf_releasebuffer)) return 0;
    __Pyx_CustomSlots_StridesOf(array, ndim, bits, order, strides);
    for (i = 0; i < ndim; i++) if (unlikely(strides[i] != array->strides[i])) return 0;
    buf->buf = array->data;
    buf->obj = obj;
    buf->shape = array->dimensions;
    buf->strides = array->strides;
    buf->suboffsets = __Pyx_minusones;
    Py_INCREF(obj);
    return 1;
}

#endif

/////////////// Takers.proto ///////////////

// C functions of a module, and for each the arguments, one bit each, that may be slices without a memoryview.  The
// name of the capsule says what stands for the memoryview, and changes with it.
typedef struct { void (*function)(void); unsigned PY_LONG_LONG arguments; } __Pyx_CustomSlots_Taker;
#define __PYX_CUSTOMSLOTS_TAKERS "cython_customslots: takers of borrowed views, 1"

/////////////// ExportTakers.proto ///////////////
//@requires: Takers

static int __Pyx_CustomSlots_ExportTakers(PyObject *module, const __Pyx_CustomSlots_Taker *takers); /*proto*/

/////////////// ExportTakers ///////////////

static int __Pyx_CustomSlots_ExportTakers(PyObject *module, const __Pyx_CustomSlots_Taker *takers) {
    PyObject *functions = PyObject_GetAttrString(module, "__pyx_capi__"), *capsule = NULL;
    int result = -1;
    if (!functions) goto done;
    capsule = PyCapsule_New((void *) takers, __PYX_CUSTOMSLOTS_TAKERS, NULL);
    if (!capsule) goto done;
    result = PyDict_SetItemString(functions, __PYX_CUSTOMSLOTS_TAKERS, capsule);
done:
    Py_XDECREF(functions);
    Py_XDECREF(capsule);
    return result;
}

/////////////// ImportTakers.proto ///////////////
//@requires: Takers

typedef struct { void (**function)(void); unsigned PY_LONG_LONG *arguments; } __Pyx_CustomSlots_Asked;

static int __Pyx_CustomSlots_ImportTakers(const char *module_name, const __Pyx_CustomSlots_Asked *asked); /*proto*/

/////////////// ImportTakers ///////////////

// What a module says of its functions, which may be nothing; -1 and an exception if the module cannot be imported.
static int __Pyx_CustomSlots_ImportTakers(const char *module_name, const __Pyx_CustomSlots_Asked *asked) {
    PyObject *module = PyImport_ImportModule(module_name), *functions = NULL, *capsule = NULL;
    const __Pyx_CustomSlots_Taker *takers = NULL;
    int result = -1;
    if (!module) goto done;
    functions = PyObject_GetAttrString(module, "__pyx_capi__");
    if (!functions) goto done;
    capsule = PyDict_GetItemString(functions, __PYX_CUSTOMSLOTS_TAKERS);
    if (capsule && PyCapsule_IsValid(capsule, __PYX_CUSTOMSLOTS_TAKERS))
        takers = (const __Pyx_CustomSlots_Taker *) PyCapsule_GetPointer(capsule, __PYX_CUSTOMSLOTS_TAKERS);
    for (; asked->function; asked++) {
        const __Pyx_CustomSlots_Taker *taker = takers;
        while (taker && taker->function && taker->function != *asked->function) taker++;
        *asked->arguments = taker ? taker->arguments : 0;
    }
    result = 0;
done:
    Py_XDECREF(functions);
    Py_XDECREF(module);
    return result;
}

/////////////// Materialise.proto ///////////////
//@requires: NoMemoryView
//@requires: BorrowViews

static int __Pyx_CustomSlots_Materialise(__Pyx_memviewslice *, const __Pyx_TypeInfo *, int, int, int); /*proto*/

/////////////// Materialise ///////////////

#ifdef Py_LIMITED_API
  #define __Pyx_CustomSlots_KeepFormat(memview, type)
#else

// The dtype of an array may have been set meanwhile; the memoryview keeps the items as they were.
static void __Pyx_CustomSlots_KeepFormat(struct __pyx_memoryview_obj *memview, const __Pyx_TypeInfo *type) {
    static const char formats[] = "b\0h\0i\0q\0B\0H\0I\0Q\0f\0d\0g\0Zf\0Zd\0Zg";
    const DLDataType dtype = _Pycs_TypeOfFormat(memview->view.format, memview->view.itemsize);
    const char group = type->typegroup;
    const int code = group == 'R' ? kDLFloat : group == 'C' ? kDLComplex : group == 'U' ? kDLUInt : kDLInt;
    const size_t size = type->size;
    int at;
    if (likely(dtype.bits == 8 * size && (dtype.code == code || group == 'H'))) return;
    at = group == 'R' ? 16 + 2 * ((size > sizeof(float)) + (size > sizeof(double))) :
         group == 'C' ? 22 + 3 * ((size > 2 * sizeof(float)) + (size > 2 * sizeof(double))) :
         (group == 'U' ? 8 : 0) + 2 * ((size > 1) + (size > 2) + (size > 4));
    memview->view.format = (char *) formats + at;
    memview->view.itemsize = (Py_ssize_t) size;
}
#endif

// Gives a slice a memoryview of its array, as it would have been when the array was lent; or, if the slice is of
// a memoryview, that one.
static int __Pyx_CustomSlots_Materialise(__Pyx_memviewslice *slice, const __Pyx_TypeInfo *type, int ndim, int writable,
                                         int have_gil) {
    PyGILState_STATE state = have_gil ? PyGILState_UNLOCKED : PyGILState_Ensure();
    PyObject *lender = __PYX_CUSTOMSLOTS_LENDER(slice->memview);
    const int is_itself = __PYX_CUSTOMSLOTS_IS_ITSELF(slice->memview);
    struct __pyx_memoryview_obj *memview = (struct __pyx_memoryview_obj *) (
        is_itself ? lender : __pyx_memoryview_new(lender, PyBUF_RECORDS_RO, 0, (__Pyx_TypeInfo *) type));
    if (is_itself) {
        if (__pyx_add_acquisition_count(memview) == 0) Py_INCREF(lender);
        slice->memview = memview;
    } else if (likely(memview)) {
        if (writable) memview->flags |= PyBUF_WRITABLE;
        memview->view.readonly = !__PYX_CUSTOMSLOTS_LENT_WRITABLE(slice->memview);
        memview->view.ndim = ndim;
        __Pyx_CustomSlots_KeepFormat(memview, type);
        __pyx_add_acquisition_count(memview);
        slice->memview = memview;
    }
    if (!have_gil) PyGILState_Release(state);
    return memview ? 0 : -1;
}
