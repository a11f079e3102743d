/* SPDX-License-Identifier: MIT
 *
 * _typedarray/check.h - is what a source says an array, and the array that is asked for?
 * Included by typedarray.h; not for direct use.
 *
 * Every source (sources.h) fills a PyTypedArray and ends here, so that none is trusted more than
 * another.  Shapes and strides that cannot be right are refused; only the exporter knows whether
 * the memory behind them is there.
 */

/* Why an array is refused; the text follows "found a '...' ". */
typedef enum {
    _Pycs_FITS,
    _Pycs_OTHER_TYPE, _Pycs_OTHER_NDIM, _Pycs_OTHER_DEVICE,
    _Pycs_IS_READONLY, _Pycs_NOT_CONTIGUOUS, _Pycs_NOT_ALIGNED,
    _Pycs_IS_COPY, _Pycs_BAD_NDIM, _Pycs_BAD_ITEMS, _Pycs_BAD_SHAPE,
    _Pycs_TOO_LARGE, _Pycs_NO_DATA, _Pycs_OTHER_VERSION
} _Pycs_Reason;

/* ------------------------------------------------------------------------- types -- */

/* Writes the name of a type, such as "float64", into the buffer, and returns it. */
_Pycs_UNUSED static const char *
_Pycs_TypeName(DLDataType dtype, char buffer[48])
{
    static const char *const names[] = {
        "int", "uint", "float", "handle", "bfloat", "complex", "bool", "float8_e3m4", "float8_e4m3",
        "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
        "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"};
    const int is_known = dtype.code <= kDLFloat4_e2m1fn;
    const char *name = is_known ? names[dtype.code] : "DLPack's float";
    const int says_bits = is_known && dtype.code > kDLBool && dtype.bits == name[5] - '0';
    if (dtype.bits == 0) return "numbers of any type";
    if (dtype.code == kDLBool && dtype.bits == 8 && dtype.lanes == 1) return "bool";
    PyOS_snprintf(buffer, 48, says_bits ? "%s" : dtype.code > kDLBool && is_known ? "%s of %d bits" : "%s%d", name,
                  (int)dtype.bits);
    if (dtype.lanes != 1) {
        const size_t length = strlen(buffer);
        PyOS_snprintf(buffer + length, 48 - length, "x%d", (int)dtype.lanes);
    }
    return buffer;
}

/* -------------------------------------------------------------------- the checks -- */

/* x * y for numbers that are not negative; 0 if it is too large. */
_Pycs_UNUSED static inline int
_Pycs_Multiply(Py_ssize_t x, Py_ssize_t y, Py_ssize_t *product)
{
#if defined(__GNUC__) || defined(__clang__)
    return !__builtin_mul_overflow(x, y, product);
#else
    if (y != 0 && x > PY_SSIZE_T_MAX / y) return 0;
    *product = x * y;
    return 1;
#endif
}

/* Does an array have no items, and no negative length?  Then its strides are never used, whatever they say. */
_Pycs_UNUSED static int
_Pycs_IsEmpty(const PyTypedArray *a)
{
    int i, is_empty = 0;
    for (i = 0; i < a->ndim; i++) {
        if (a->shape[i] < 0) return 0;
        is_empty |= a->shape[i] == 0;
    }
    return is_empty;
}

/* Do the items follow one another, from index `first` in steps of `step`? */
_Pycs_UNUSED static inline int
_Pycs_IsContiguous(const PyTypedArray *a, int first, int step)
{
    Py_ssize_t expected = a->itemsize;
    int i, count;
    for (i = first, count = 0; count < a->ndim; i += step, count++) {
        if (a->shape[i] != 1 && a->strides[i] != expected) return 0;
        expected *= a->shape[i];
    }
    return 1;
}

/* Is it in one of the orders that the flags name? */
_Pycs_UNUSED static inline int
_Pycs_HasOrder(const PyTypedArray *a, unsigned flags)
{
    if (a->ndim == 1) return a->strides[0] == a->itemsize || a->size == 1;
    return ((flags & PyTypedArray_C_CONTIGUOUS) && _Pycs_IsContiguous(a, a->ndim - 1, -1))
           || ((flags & PyTypedArray_F_CONTIGUOUS) && _Pycs_IsContiguous(a, 0, 1));
}

/* For items that are not aligned to their size: are they aligned as C requires for such numbers, or for
   the parts of complex numbers? */
_Pycs_SLOW _Pycs_Reason
_Pycs_CheckAlignment(DLDataType dtype, uintptr_t address)
{
    struct i2 { char c; int16_t x; };
    struct i4 { char c; int32_t x; };
    struct f8 { char c; double x; };
    struct f16 { char c; long double x; };
    const int bits = dtype.bits >> (dtype.code == kDLComplex);
    const size_t alignment = bits == 16 ? offsetof(struct i2, x) : bits == 32 ? offsetof(struct i4, x)
        : bits == 64 ? offsetof(struct f8, x) : bits == 8 * (int)sizeof(long double) ? offsetof(struct f16, x) : 1;
    return (address & (alignment - 1)) != 0 ? _Pycs_NOT_ALIGNED : _Pycs_FITS;
}

/* The rest of the checks, which also sets the size.  No extent may be larger than a difference of pointers can be. */
_Pycs_NOINLINE static _Pycs_Reason
_Pycs_MeasureAndCheck(PyTypedArray *a, const PyTypedArray_Spec *spec)
{
    const unsigned flags = spec->flags;
    uintptr_t address = (uintptr_t)a->data;         /* the bits of all addresses together */
    Py_ssize_t size = 1, bytes = a->itemsize, extent = 0, reach;
    int i;
    for (i = 0; i < a->ndim; i++) {
        const Py_ssize_t length = a->shape[i], stride = a->strides[i];
        if (length > 1) {
            if (!_Pycs_Multiply(bytes, length, &bytes)
                    || stride == PY_SSIZE_T_MIN
                    || !_Pycs_Multiply(length - 1, stride < 0 ? -stride : stride, &reach)
                    || reach > PY_SSIZE_T_MAX - extent) {
                a->size = 0;
                return _Pycs_IsEmpty(a) ? _Pycs_FITS : _Pycs_TOO_LARGE;
            }
            extent += reach;
            address |= (uintptr_t)stride;
        }
        else if (length < 0) return _Pycs_BAD_SHAPE;
        size *= length;
    }
    a->size = size;
    if (size == 0) return _Pycs_FITS;
    if (a->data == NULL) return _Pycs_NO_DATA;
    if ((flags & (PyTypedArray_C_CONTIGUOUS | PyTypedArray_F_CONTIGUOUS))
            && !_Pycs_HasOrder(a, flags)) return _Pycs_NOT_CONTIGUOUS;
    if (!(flags & PyTypedArray_UNALIGNED) && (address & (uintptr_t)(a->itemsize - 1)) != 0) {
        return _Pycs_CheckAlignment(a->dtype, address);
    }
    return _Pycs_FITS;
}

_Pycs_FAST _Pycs_Reason
_Pycs_Check(PyTypedArray *a, const PyTypedArray_Spec *spec)
{
    if ((a->dtype.bits != spec->dtype.bits || a->dtype.code != spec->dtype.code
            || a->dtype.lanes != spec->dtype.lanes) && spec->dtype.bits != 0) return _Pycs_OTHER_TYPE;
    if (a->ndim != spec->ndim && spec->ndim >= 0) return _Pycs_OTHER_NDIM;
    if ((int)a->device.device_type != (spec->device_type != 0 ? spec->device_type : (int)kDLCPU)) {
        return _Pycs_OTHER_DEVICE;
    }
    if (a->readonly && (spec->flags & PyTypedArray_WRITABLE)) return _Pycs_IS_READONLY;
    return _Pycs_MeasureAndCheck(a, spec);
}

/* ---------------------------------------------------------------- the usual case --
 *
 * One dimension of the type that is asked for, on the CPU.  These tests accept only what the checks above
 * accept, in fewer instructions; all other arrays are left to those checks.
 */

/* Does this usual case serve what is asked for? */
_Pycs_FAST int
_Pycs_IsUsual(const PyTypedArray_Spec *spec, const DLDataType *dtype, int ndim)
{
    return ndim == 1 && (spec->ndim == 1 || spec->ndim < 0) && memcmp(dtype, &spec->dtype, sizeof(*dtype)) == 0
           && spec->dtype.lanes == 1 && spec->dtype.bits % 8 == 0
           && (unsigned)spec->device_type <= (unsigned)kDLCPU;
}

/* Lengths and strides below this are multiplied without a test. */
#define _Pycs_SMALL ((uint64_t)1 << (4 * sizeof(Py_ssize_t) - 4))

/* Fills in what no DLTensor has and returns 1, or returns 0.  The stride is in bytes or in items. */
_Pycs_FAST int
_Pycs_TakeUsual(PyTypedArray *a, const PyTypedArray_Spec *spec, int readonly, const void *data, int64_t length,
                int64_t units, int are_items)
{
    const Py_ssize_t itemsize = spec->dtype.bits / 8;
    Py_ssize_t stride;
    a->size = (Py_ssize_t)length;
    if (((uint64_t)length | ((uint64_t)units + _Pycs_SMALL)) >= 2 * _Pycs_SMALL) return 0;
    stride = are_items ? (Py_ssize_t)units * itemsize : (Py_ssize_t)units;
    if (data == NULL || (((uintptr_t)data | (uintptr_t)stride) & (uintptr_t)(itemsize - 1)) != 0
            || (stride != itemsize
                && (spec->flags & (PyTypedArray_C_CONTIGUOUS | PyTypedArray_F_CONTIGUOUS)))) return 0;
    a->itemsize = itemsize;
    a->readonly = readonly;
    a->shape[0] = (Py_ssize_t)length;
    a->strides[0] = stride;
    return 1;
}

/* -------------------------------------------------------------------- exceptions -- */

/* "an array of float64 with 2 dimensions, C-contiguous, writable"; NULL with an exception. */
_Pycs_UNUSED static PyObject *
_Pycs_ShowSpec(const PyTypedArray_Spec *spec)
{
    const unsigned order = spec->flags & (PyTypedArray_C_CONTIGUOUS | PyTypedArray_F_CONTIGUOUS);
    char type[48], ndim[48] = "", device[48] = "";
    if (spec->ndim >= 0) {
        PyOS_snprintf(ndim, sizeof(ndim), " with %d dimension%s", spec->ndim, spec->ndim == 1 ? "" : "s");
    }
    if (spec->device_type != 0 && spec->device_type != (int)kDLCPU) {
        PyOS_snprintf(device, sizeof(device), ", on a device of type %d", spec->device_type);
    }
    return PyUnicode_FromFormat(
        "an array of %s%s%s%s%s", _Pycs_TypeName(spec->dtype, type), ndim,
        order == 0 ? "" : order == PyTypedArray_C_CONTIGUOUS ? ", C-contiguous"
            : order == PyTypedArray_F_CONTIGUOUS ? ", Fortran-contiguous" : ", C- or Fortran-contiguous",
        spec->flags & PyTypedArray_WRITABLE ? ", writable" : "", device);
}

/* TypeError, and -1: what was found (a new reference, or NULL with an exception), what was expected. */
_Pycs_UNUSED static int
_Pycs_Fail(PyTypedArray *a, PyObject *found, const PyTypedArray_Spec *spec, const char *advice)
{
    PyObject *expected = found != NULL ? _Pycs_ShowSpec(spec) : NULL;
    PyObject *type, *value, *traceback;
    if (expected != NULL) {
        PyErr_Format(PyExc_TypeError, "found %U, expected %U%s", found, expected, advice);
    }
    Py_XDECREF(found);
    Py_XDECREF(expected);
    PyErr_Fetch(&type, &value, &traceback);     /* what is released may run Python code */
    PyTypedArray_Clear(a);
    PyErr_Restore(type, value, traceback);
    return -1;
}

/* What is wrong with it, "a '...' that is read-only", and what to do; NULL with an exception. */
_Pycs_SLOW PyObject *
_Pycs_Found(const PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec,
            _Pycs_Reason reason, const char **advice)
{
    const char *of = _Pycs_TP_NAME(_Pycs_OB_TYPE(obj));
    char type[48];
    *advice = "";
    switch (reason) {
    case _Pycs_OTHER_TYPE:
        *advice = "; convert it, with numpy.asarray(x, dtype) for example";
        return PyUnicode_FromFormat("a '%.200s' of %s", of, _Pycs_TypeName(a->dtype, type));
    case _Pycs_OTHER_NDIM:
        return PyUnicode_FromFormat("a '%.200s' with %d dimension%s", of, a->ndim, a->ndim == 1 ? "" : "s");
    case _Pycs_OTHER_DEVICE:
        *advice = spec->device_type == 0 ? "; copy it to the CPU first" : "; copy it there first";
        return PyUnicode_FromFormat("a '%.200s' on a device of type %d, number %d", of,
                                    (int)a->device.device_type, (int)a->device.device_id);
    case _Pycs_IS_READONLY:
        *advice = "; pass a copy, or an array that may be changed";
        return PyUnicode_FromFormat("a '%.200s' that is read-only", of);
    case _Pycs_NOT_CONTIGUOUS:
        *advice = spec->flags & PyTypedArray_C_CONTIGUOUS ? "; numpy.ascontiguousarray(x) makes one"
                                                          : "; numpy.asfortranarray(x) makes one";
        return PyUnicode_FromFormat("a '%.200s' whose items do not follow one another", of);
    case _Pycs_NOT_ALIGNED:
        *advice = "; a copy of it is aligned";
        return PyUnicode_FromFormat("a '%.200s' that is not aligned", of);
    case _Pycs_IS_COPY:
        return PyUnicode_FromFormat("a '%.200s' that gives a copy of itself, which nobody sees changed", of);
    case _Pycs_BAD_NDIM:
        return PyUnicode_FromFormat("a '%.200s' with %d dimensions, but no more than %d are supported", of,
                                    a->ndim, PyTypedArray_MAX_NDIM);
    case _Pycs_BAD_ITEMS:
        if (a->dtype.bits * a->dtype.lanes != 0) *advice = "; items are bytes, padded to one if they are smaller";
        return PyUnicode_FromFormat("a '%.200s' of %d times %d bits, which are no bytes", of,
                                    (int)a->dtype.lanes, (int)a->dtype.bits);
    case _Pycs_BAD_SHAPE:
        return PyUnicode_FromFormat("a '%.200s' with a shape that is missing, negative or too large", of);
    case _Pycs_TOO_LARGE:
        return PyUnicode_FromFormat("a '%.200s' that says it reaches further than there are addresses", of);
    case _Pycs_NO_DATA:
        return PyUnicode_FromFormat("a '%.200s' with items and no memory", of);
    default:
        return PyUnicode_FromFormat("a '%.200s' that exports another major version of DLPack than %d, or "
                                    "nothing at all", of, DLPACK_MAJOR_VERSION);
    }
}

_Pycs_SLOW int
_Pycs_RefuseArray(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec, _Pycs_Reason reason)
{
    const char *advice;
    PyObject *found = _Pycs_Found(a, obj, spec, reason, &advice);
    return _Pycs_Fail(a, found, spec, advice);
}

/* TypeError, and -1, where a function of an exporter failed: its exception is the cause.  MemoryError, and what
   is no Exception, such as KeyboardInterrupt, are left as they are. */
_Pycs_SLOW int
_Pycs_Failed(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    PyObject *error, *cause;
    if (!PyErr_Occurred()) {
        return _Pycs_Fail(a, PyUnicode_FromFormat(
            "a '%.200s' that failed to export itself, without an exception",
            _Pycs_TP_NAME(_Pycs_OB_TYPE(obj))), spec, "");
    }
    if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) {
        return _Pycs_Fail(a, NULL, spec, "");
    }
    cause = _Pycs_TakeRaised();
    (void)_Pycs_Fail(a, PyUnicode_FromFormat("a '%.200s' that raised %.200s when it was asked for its items",
                                             _Pycs_TP_NAME(_Pycs_OB_TYPE(obj)),
                                             _Pycs_TP_NAME(_Pycs_OB_TYPE(cause))), spec, "");
    error = _Pycs_TakeRaised();
    PyException_SetCause(error, cause);             /* which it takes */
    _Pycs_RaiseAgain(error);
    return -1;
}

/* --------------------------------------------------------- the end of every source -- */

/* The array is filled and something is held: 1, or -1 if it is not what is asked for. */
_Pycs_FAST int
_Pycs_Accept(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    const _Pycs_Reason reason = _Pycs_Check(a, spec);
    return reason == _Pycs_FITS ? 1 : _Pycs_RefuseArray(a, obj, spec, reason);
}

_Pycs_FAST void
_Pycs_HoldObject(PyTypedArray *a, PyObject *obj)
{
    Py_INCREF(obj);
    a->held = (uintptr_t)obj;
}
