/* SPDX-License-Identifier: MIT
 *
 * _typedarray/sources.h - where arrays come from: five ways to ask, quickest first.
 * Included by typedarray.h; not for direct use.
 *
 * A source answers 1 (there is the array), -1 (an exception is set) or 0 (the object does not know
 * this way, ask another).
 */

/* ---------------------------------------------------------------- a promise -- */

/** The ID of a slot that is a promise: the items that a buffer of an object shows are there, and stay where they are,
   for as long as the object lives, and not only until PyBuffer_Release().  So a consumer copies shape and
   strides, gives the buffer back at once, and holds the object.

   `pointer` is a const PyBufferProcs *, the two functions that keep the promise: a subclass with other
   functions, such as a Python class with __buffer__() or __release_buffer__(), does not make it. */
#define PyTypedArray_STABLE_BUFFER PyCustomSlots_ID(PyCustomSlots_REGISTRAR_CYTHON, 2, 1)

/* Has the object's class made that promise? */
_Pycs_FAST int
_Pycs_HasStableBuffer(PyObject *obj)
{
    PyTypeObject *const type = _Pycs_OB_TYPE(obj);
    const PyCustomSlot *slot = PyCustomSlots_FindAnyType(type, PyTypedArray_STABLE_BUFFER, 0);
    void *meant[2] = {NULL, NULL};
    if (slot == NULL || slot->data.pointer == NULL) return 0;
    memcpy(meant, slot->data.pointer, sizeof(meant));
#ifdef Py_LIMITED_API
    return meant[0] != NULL && PyType_GetSlot(type, Py_bf_getbuffer) == meant[0]
           && PyType_GetSlot(type, Py_bf_releasebuffer) == meant[1];
#else
    return meant[0] != NULL && type->tp_as_buffer != NULL && memcmp(type->tp_as_buffer, meant, sizeof(meant)) == 0;
#endif
}

_Pycs_UNUSED static int
_Pycs_FromBuffer(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec);

/* ------------------------------------------------------------------------ DLPack -- */

/* The strides of a C array of that shape; 0: they are too large. */
_Pycs_UNUSED static int
_Pycs_FillStrides(PyTypedArray *a)
{
    Py_ssize_t stride = a->itemsize;
    int i, fits = 1;
    for (i = a->ndim - 1; i >= 0; i--) {
        a->strides[i] = stride;
        if (a->shape[i] > 1 && !_Pycs_Multiply(stride, a->shape[i], &stride)) {
            stride = a->itemsize;
            fits = 0;
        }
    }
    return fits || _Pycs_IsEmpty(a);
}

/* Fills *a from a tensor, which may be the one inside *a, and may be wrong.  With the flag
   IS_SUBBYTE_TYPE_PADDED an item smaller than a byte takes a byte. */
_Pycs_NOINLINE static _Pycs_Reason
_Pycs_FromTensor(PyTypedArray *a, const DLTensor *tensor, uint64_t flags)
{
    const uint32_t bits = (uint32_t)tensor->dtype.bits * tensor->dtype.lanes;
    const int is_padded = (flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) && bits < 8 && tensor->dtype.lanes == 1;
    Py_ssize_t bytes;
    int i, fits = 1;
    memmove(a, tensor, sizeof(*tensor));
    a->itemsize = (Py_ssize_t)((bits + 7) / 8);
    if (bits == 0 || (bits % 8 != 0 && !is_padded)) return _Pycs_BAD_ITEMS;
    if (a->ndim < 0 || a->ndim > PyTypedArray_MAX_NDIM) return _Pycs_BAD_NDIM;
    if (a->lengths == NULL && a->ndim != 0) return _Pycs_BAD_SHAPE;
    for (i = a->ndim - 1; i >= 0; i--) {
        const int64_t length = a->lengths[i], items = a->steps != NULL ? a->steps[i] : 0;
        if (length < 0 || length > PY_SSIZE_T_MAX) return _Pycs_BAD_SHAPE;
        a->shape[i] = (Py_ssize_t)length;
        if (length <= 1) a->strides[i] = a->itemsize;           /* never used, whatever it says */
        else if (items == INT64_MIN || (items < 0 ? -items : items) > PY_SSIZE_T_MAX
                 || !_Pycs_Multiply((Py_ssize_t)(items < 0 ? -items : items), a->itemsize, &bytes)) {
            a->strides[i] = a->itemsize;
            fits = 0;
        }
        else a->strides[i] = items < 0 ? -bytes : bytes;
    }
    if (a->steps == NULL ? !_Pycs_FillStrides(a) : !fits && !_Pycs_IsEmpty(a)) return _Pycs_TOO_LARGE;
    if (a->offset != 0 && a->data != NULL) {
        if (a->offset > (uint64_t)PY_SSIZE_T_MAX) return _Pycs_TOO_LARGE;
        a->data = (char *)a->data + (size_t)a->offset;
    }
    return _Pycs_FITS;
}

_Pycs_UNUSED static int
_Pycs_AcceptTensor(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec, const DLTensor *tensor,
                   uint64_t flags)
{
    const _Pycs_Reason reason = _Pycs_FromTensor(a, tensor, flags);
    if (reason != _Pycs_FITS) return _Pycs_RefuseArray(a, obj, spec, reason);
    return _Pycs_Accept(a, obj, spec);
}

/* Before a tensor of complex numbers is taken: PyTorch's tables show x.conj(), whose items are conjugated
   when they are used, as if it were x.  0, or -1 if `obj` is such a tensor; may run Python code. */
_Pycs_NOINLINE static int
_Pycs_RefuseConjugate(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    PyObject *answer = PyObject_CallMethod(obj, "is_conj", NULL);
    if (answer == NULL && !PyErr_ExceptionMatches(PyExc_AttributeError)) return _Pycs_Failed(a, obj, spec);
    PyErr_Clear();
    Py_XDECREF(answer);
    return answer != Py_True ? 0 : _Pycs_Fail(a, PyUnicode_FromFormat(
        "a '%.200s' whose items are conjugated when they are used", _Pycs_TP_NAME(_Pycs_OB_TYPE(obj))), spec,
        "; pass x.resolve_conj()");
}

/* Takes a tensor that is ours to delete. */
_Pycs_UNUSED static int
_Pycs_AcceptVersioned(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec,
                      DLManagedTensorVersioned *managed)
{
    if (managed == NULL) return _Pycs_RefuseArray(a, obj, spec, _Pycs_OTHER_VERSION);
    a->managed = managed;
    a->held = _Pycs_HOLDS_VERSIONED;
    if (managed->version.major != DLPACK_MAJOR_VERSION) {
        return _Pycs_RefuseArray(a, obj, spec, _Pycs_OTHER_VERSION);
    }
    if ((managed->flags & DLPACK_FLAG_BITMASK_IS_COPIED) && (spec->flags & PyTypedArray_WRITABLE)) {
        return _Pycs_RefuseArray(a, obj, spec, _Pycs_IS_COPY);
    }
    a->readonly = (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
    if (managed->dl_tensor.dtype.code == kDLComplex && _Pycs_RefuseConjugate(a, obj, spec) < 0) return -1;
    return _Pycs_AcceptTensor(a, obj, spec, &managed->dl_tensor, managed->flags);
}

/* By the function of a table that makes an export.  Where a class has promised that items stay where they are, a buffer
   is as good, and quicker. */
_Pycs_NOINLINE static int
_Pycs_FromManaged(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec, const DLPackExchangeAPI *api)
{
    DLManagedTensorVersioned *managed = NULL;
    int result;
    a->held = _Pycs_HOLDS_NOTHING;
    if (_Pycs_HasStableBuffer(obj) && (result = _Pycs_FromBuffer(a, obj, spec)) != 0) return result;
    if (api->managed_tensor_from_py_object_no_sync == NULL) return 0;
    if (api->managed_tensor_from_py_object_no_sync(obj, &managed) != 0) return _Pycs_Failed(a, obj, spec);
    return _Pycs_AcceptVersioned(a, obj, spec, managed);
}

/* The slot dlpack.exchange_api, whose data is a const DLPackExchangeAPI *, and the attribute that is the same. */
static PyCustomSlots_Bridge _Pycs_bridge = PyCustomSlots_BRIDGE(
    "dlpack.exchange_api", "__dlpack_c_exchange_api__", "dlpack_exchange_api");

/* The table of functions of a type, from its slot or the attribute.  NULL without an exception: the type
   has none.  A slot's table lives as long as the type, an attribute's as long as the process. */
_Pycs_FAST const DLPackExchangeAPI *
_Pycs_ApiOf(PyTypeObject *type)
{
    return (const DLPackExchangeAPI *)PyCustomSlots_FindBridged(type, &_Pycs_bridge);
}

/* The same, among the tables behind a table of another version. */
_Pycs_NOINLINE static const DLPackExchangeAPI *
_Pycs_SeekThisVersion(const DLPackExchangeAPI *api)
{
    const DLPackExchangeAPIHeader *header = &api->header;
    int i;
    for (i = 0; header != NULL && header->version.major != DLPACK_MAJOR_VERSION; i++) {
        header = i < 16 ? header->prev_api : NULL;
    }
    return (const DLPackExchangeAPI *)(const void *)header;
}

/* The table of this major version, in a list of them; NULL: there is none. */
_Pycs_FAST const DLPackExchangeAPI *
_Pycs_ThisVersion(const DLPackExchangeAPI *api)
{
    if (api == NULL || _Pycs_LIKELY(api->header.version.major == DLPACK_MAJOR_VERSION)) return api;
    return _Pycs_SeekThisVersion(api);
}

/* Takes the answer of a table's quick function, whose tensor is in *a. */
_Pycs_FAST int
_Pycs_Ask(const DLPackExchangeAPI *api, PyObject *obj, PyTypedArray *a)
{
    static const DLDataType none = {0, 0, 0};
    /* A producer that forgets to fill a member leaves one here that is refused: no data, no type.  The device is
       left as it is, because setting it costs 0.5 ns. */
    a->data = NULL;
    a->ndim = 0;
    a->dtype = none;
    a->lengths = a->steps = NULL;
    a->offset = 0;
    return api->dltensor_from_py_object_no_sync(obj, (DLTensor *)(void *)a);
}

/* The rest of that: `status` is what the quick function returned. */
_Pycs_NOINLINE static int
_Pycs_FromQuick(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec, int status)
{
    a->held = _Pycs_HOLDS_NOTHING;
    if (status == 0 && a->dtype.lanes == 1 && a->dtype.bits < 8) {      /* an export says whether it is padded */
        const DLPackExchangeAPI *api = _Pycs_ThisVersion(_Pycs_ApiOf(_Pycs_OB_TYPE(obj)));
        if (api != NULL && api->managed_tensor_from_py_object_no_sync != NULL) {
            return _Pycs_FromManaged(a, obj, spec, api);
        }
    }
    if (status == 0 && a->dtype.code == kDLComplex) {
        const DLPackExchangeAPI *api;
        if (_Pycs_RefuseConjugate(a, obj, spec) < 0) return -1;
        /* Python code may have run. */
        api = _Pycs_ThisVersion(_Pycs_ApiOf(_Pycs_OB_TYPE(obj)));
        if (api == NULL || api->dltensor_from_py_object_no_sync == NULL) return 0;
        status = _Pycs_Ask(api, obj, a);
    }
    if (status != 0) return _Pycs_Failed(a, obj, spec);
    a->readonly = 1;
    _Pycs_HoldObject(a, obj);
    return _Pycs_AcceptTensor(a, obj, spec, (DLTensor *)(void *)a, 0);
}

/* By a table of functions.  The quick function returns a view that does not say whether it may be
   written to, and that is valid until the exporter gets control again. */
_Pycs_FAST int
_Pycs_FromApi(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec, int owns,
              const DLPackExchangeAPI *api)
{
    int status;
    api = _Pycs_ThisVersion(api);
    if (api == NULL) return 0;
    if (api->dltensor_from_py_object_no_sync == NULL || owns || (spec->flags & PyTypedArray_WRITABLE)) {
        return _Pycs_FromManaged(a, obj, spec, api);
    }
    status = _Pycs_Ask(api, obj, a);
    if (_Pycs_LIKELY(status == 0 && _Pycs_IsUsual(spec, &a->dtype, a->ndim) && spec->dtype.code != kDLComplex
            && a->device.device_type == kDLCPU && a->offset == 0 && a->lengths != NULL && a->steps != NULL
            && _Pycs_TakeUsual(a, spec, 1, a->data, a->lengths[0], a->steps[0], 1))) {
        _Pycs_HoldObject(a, obj);
        return 1;
    }
    return _Pycs_FromQuick(a, obj, spec, status);
}

/* By a call of __dlpack__(), of the newest form that the exporter knows. */
_Pycs_UNUSED static int
_Pycs_FromMethod(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    PyObject *method = !PyType_Check(obj) ? PyObject_GetAttrString(obj, "__dlpack__") : NULL;
    PyObject *none = NULL, *version = NULL, *capsule = NULL;
    const char *name;
    int result = -1;
    if (method == NULL) {
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_AttributeError)) return _Pycs_Failed(a, obj, spec);
        PyErr_Clear();
        return 0;
    }
    if (!(none = PyTuple_New(0))) goto done;
    if (!(version = Py_BuildValue("{s(ii)}", "max_version", DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION))) goto done;
    capsule = PyObject_Call(method, none, version);
    if (capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {       /* older than DLPack 1 */
        PyErr_Clear();
        capsule = PyObject_Call(method, none, NULL);
    }
    if (capsule == NULL) {
        result = _Pycs_Failed(a, obj, spec);
        goto done;
    }
    name = PyCapsule_CheckExact(capsule) ? PyCapsule_GetName(capsule) : NULL;
    if (name != NULL && strcmp(name, "dltensor_versioned") == 0) {
        DLManagedTensorVersioned *managed =
            (DLManagedTensorVersioned *)PyCapsule_GetPointer(capsule, name);
        if (managed == NULL || PyCapsule_SetName(capsule, "used_dltensor_versioned") < 0) goto done;
        result = _Pycs_AcceptVersioned(a, obj, spec, managed);
    }
    else if (name != NULL && strcmp(name, "dltensor") == 0) {
        DLManagedTensor *managed = (DLManagedTensor *)PyCapsule_GetPointer(capsule, name);
        if (managed == NULL || PyCapsule_SetName(capsule, "used_dltensor") < 0) goto done;
        a->managed = managed;
        a->held = _Pycs_HOLDS_MANAGED;
        a->readonly = 1;                        /* this form does not say */
        result = _Pycs_AcceptTensor(a, obj, spec, &managed->dl_tensor, 0);
    }
    else {
        result = _Pycs_Fail(a, PyUnicode_FromFormat(
            "a '%.200s' whose __dlpack__() returned %R, and not a capsule named 'dltensor_versioned' or "
            "'dltensor'", _Pycs_TP_NAME(_Pycs_OB_TYPE(obj)), capsule), spec, "");
    }
done:
    Py_XDECREF(method);
    Py_XDECREF(none);
    Py_XDECREF(version);
    Py_XDECREF(capsule);
    return result;
}

/* --------------------------------------------------------------- buffer protocol -- */

/* The type that a format of the module `struct` names; bits 0: none of these. */
_Pycs_UNUSED static DLDataType
_Pycs_TypeOfFormat(const char *format, Py_ssize_t itemsize)
{
    /* With the size of an item, native and standard; 0: it has none. */
    static const struct { char letter; uint8_t code, native, standard; } formats[] = {
        {'d', kDLFloat, 8, 8}, {'f', kDLFloat, 4, 4}, {'l', kDLInt, sizeof(long), 4}, {'i', kDLInt, sizeof(int), 4},
        {'B', kDLUInt, 1, 1}, {'b', kDLInt, 1, 1}, {'h', kDLInt, sizeof(short), 2}, {'q', kDLInt, 8, 8},
        {'H', kDLUInt, sizeof(short), 2}, {'I', kDLUInt, sizeof(int), 4}, {'L', kDLUInt, sizeof(long), 4},
        {'Q', kDLUInt, 8, 8}, {'n', kDLInt, sizeof(Py_ssize_t), 0}, {'N', kDLUInt, sizeof(size_t), 0},
        {'?', kDLBool, sizeof(char), 1}, {'e', kDLFloat, 2, 2}, {'g', kDLFloat, sizeof(long double), 0},
        {'F', kDLComplex, 8, 8}, {'D', kDLComplex, 16, 16}};
    const size_t count = sizeof(formats) / sizeof(*formats);
    const DLDataType none = {0, 0, 0};
    DLDataType dtype = {0, 0, 1};
    int is_native = 1, is_complex = 0, is_swapped = 0;
    size_t i = 0;
    if (format == NULL) format = "B";
    if (*format == '@' || *format == '^') format++;
    else if (*format == '=' || *format == '<' || *format == '>' || *format == '!') {
        is_native = 0;
        is_swapped = *format != '=' && (*format == '<') != PY_LITTLE_ENDIAN;
        format++;
    }
    if (*format == 'Z') {
        is_complex = 1;
        format++;
    }
    while (i < count && formats[i].letter != *format) i++;
    if (i == count || (is_complex && formats[i].code != kDLFloat) || format[1] != '\0'
            || itemsize != (is_native ? formats[i].native : formats[i].standard) << is_complex
            || itemsize > 31 || (is_swapped && itemsize > 1)) return none;
    dtype.code = is_complex ? (uint8_t)kDLComplex : formats[i].code;
    dtype.bits = (uint8_t)(8 * itemsize);
    return dtype;
}

_Pycs_UNUSED static int
_Pycs_FromBuffer(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    const Py_buffer *buffer = &a->buffer;
#ifdef Py_LIMITED_API
    int i;
    if (!PyObject_CheckBuffer(obj)) return 0;
    if (PyObject_GetBuffer(obj, &a->buffer, PyBUF_RECORDS_RO) < 0) {
#else
    const PyBufferProcs *procs = _Pycs_OB_TYPE(obj)->tp_as_buffer;
    int i;
    if (procs == NULL || procs->bf_getbuffer == NULL) return 0;
    if (procs->bf_getbuffer(obj, &a->buffer, PyBUF_RECORDS_RO) < 0) {   /* PyObject_GetBuffer() does no more */
#endif
        PyObject *type, *value, *traceback;
        int has_other;
        if (!PyErr_ExceptionMatches(PyExc_BufferError)) return _Pycs_Failed(a, obj, spec);
        PyErr_Fetch(&type, &value, &traceback);
        has_other = PyObject_HasAttrString(obj, "__dlpack__");  /* a buffer has no format for JAX's bfloat16 */
        PyErr_Restore(type, value, traceback);
        if (!has_other) return _Pycs_Failed(a, obj, spec);
        PyErr_Clear();
        return 0;
    }
    a->held = _Pycs_HOLDS_BUFFER;
    a->dtype = _Pycs_TypeOfFormat(buffer->format, buffer->itemsize);
    if (a->dtype.bits == 0) {
        return _Pycs_Fail(a, PyUnicode_FromFormat(
            "a '%.200s' of %zd bytes with the format '%.200s'", _Pycs_TP_NAME(_Pycs_OB_TYPE(obj)), buffer->itemsize,
            buffer->format != NULL ? buffer->format : "B"), spec,
            "; convert it, with numpy.asarray(x, dtype) for example");
    }
    a->data = buffer->buf;
    a->readonly = buffer->readonly;
    a->device = _Pycs_cpu;
    a->ndim = buffer->ndim;
    if (_Pycs_IsUsual(spec, &a->dtype, a->ndim) && !(a->readonly && (spec->flags & PyTypedArray_WRITABLE))
            && buffer->shape != NULL && buffer->strides != NULL
            && _Pycs_TakeUsual(a, spec, a->readonly, a->data, buffer->shape[0], buffer->strides[0], 0)) return 1;
    a->itemsize = buffer->itemsize;
    if (a->ndim < 0 || a->ndim > PyTypedArray_MAX_NDIM) {
        return _Pycs_RefuseArray(a, obj, spec, _Pycs_BAD_NDIM);
    }
    if (a->ndim != 0 && buffer->shape == NULL) return _Pycs_RefuseArray(a, obj, spec, _Pycs_BAD_SHAPE);
    for (i = 0; i < a->ndim; i++) {
        a->shape[i] = buffer->shape[i];
        if (buffer->strides != NULL) a->strides[i] = buffer->strides[i];
    }
    if (buffer->strides == NULL && !_Pycs_FillStrides(a)) {
        return _Pycs_RefuseArray(a, obj, spec, _Pycs_TOO_LARGE);
    }
    return _Pycs_Accept(a, obj, spec);
}

/* ---------------------------------------------------------------- all, in order -- */

/* 0, or -1 after a failure, with *a zeroed, so that nothing refused can be used by mistake. */
_Pycs_FAST int
_Pycs_End(PyTypedArray *a, int result)
{
    if (_Pycs_LIKELY(result > 0)) return 0;
    memset(a, 0, sizeof(*a));
    return -1;
}

/* An object of numpy.ndarray or of a class below it.  0: ask the other ways. */
_Pycs_NOINLINE static int
_Pycs_FromNumPyKind(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec, PyTypeObject *numpy)
{
    PyTypeObject *const type = _Pycs_OB_TYPE(obj);
    const DLPackExchangeAPI *api;
    a->held = _Pycs_HOLDS_NOTHING;
    if (type == numpy || (_Pycs_BASE(type) == numpy && strcmp(_Pycs_TP_NAME(type), "memmap") == 0
                          && _Pycs_IsImported("numpy", "memmap", type))) {
        const int known = _Pycs_HEAD > 0 && (numpy == _Pycs_LOAD(PyTypeObject *, &_Pycs_ndarray)
                          || _Pycs_IsKnownNumPy(numpy));
        return known ? _Pycs_FromAnyNumPy(a, obj, spec) : 0;
    }
    /* Subclasses may mask items or give them a unit, which their memory does not show. */
    api = _Pycs_ApiOf(type);
    if (api != NULL && api != _Pycs_ApiOf(numpy)) return 0;
    if (PyErr_Occurred()) return -1;
    return _Pycs_Fail(a, PyUnicode_FromFormat(
        "a '%.200s', a subclass of numpy.ndarray that may mask items or give them a unit", _Pycs_TP_NAME(type)),
        spec, "; pass numpy.asarray(x) if only its items matter");
}

/* The ways without a table; `result`: what the ways with one returned.  0, or -1 with an exception. */
_Pycs_NOINLINE static int
_Pycs_FromRest(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec, int result)
{
    a->held = _Pycs_HOLDS_NOTHING;
    /* There may be an exception only as long as the bridge could not be opened. */
    if (result == 0 && _Pycs_LOAD(uintptr_t, &_Pycs_bridge.key) == 0 && PyErr_Occurred()) result = -1;
    if (result == 0) result = _Pycs_FromBuffer(a, obj, spec);
    if (result == 0) result = _Pycs_FromMethod(a, obj, spec);
    if (result == 0) {
        result = _Pycs_Fail(a, PyUnicode_FromFormat(
            "an object of type '%.200s', which has neither the slot dlpack.exchange_api, nor a capsule "
            "__dlpack_c_exchange_api__ of DLPack %d, nor a buffer, nor __dlpack__()", _Pycs_TP_NAME(_Pycs_OB_TYPE(obj)),
            DLPACK_MAJOR_VERSION), spec,
            PyList_Check(obj) || PyTuple_Check(obj) ? "; convert it, with numpy.asarray(x, dtype) for example" : "");
    }
    return _Pycs_End(a, result);
}

_Pycs_FAST int
_Pycs_FromOthers(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec, int owns)
{
    PyTypeObject *const numpy = _Pycs_SIZE_OF(_Pycs_OB_TYPE(obj)) >= _Pycs_HEAD + (Py_ssize_t)sizeof(_Pycs_NumPy)
                                ? _Pycs_NumPyBase(_Pycs_OB_TYPE(obj)) : NULL;
    int result = numpy != NULL ? _Pycs_FromNumPyKind(a, obj, spec, numpy) : 0;
    if (result == 0) {
        const DLPackExchangeAPI *api = _Pycs_ApiOf(_Pycs_OB_TYPE(obj));
        if (api != NULL) result = _Pycs_FromApi(a, obj, spec, owns, api);
    }
    return _Pycs_LIKELY(result > 0) ? 0 : _Pycs_FromRest(a, obj, spec, result);
}

_Pycs_HOT int
_Pycs_BorrowOthers(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    return _Pycs_FromOthers(a, obj, spec, 0);
}

_Pycs_NOINLINE static int
_Pycs_OwnOthers(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    return _Pycs_FromOthers(a, obj, spec, 1);
}

/* An object of numpy.ndarray itself. */
_Pycs_NOINLINE static int
_Pycs_FromUnusualNumPy(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    return _Pycs_End(a, _Pycs_FromAnyNumPy(a, obj, spec));
}

_Pycs_FAST int
_Pycs_FromNumPy(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    const _Pycs_NumPy *array = (const _Pycs_NumPy *)_Pycs_BEHIND_HEAD(obj);
    const DLDataType dtype = _Pycs_TypeOfNumPy(array);
    const int readonly = _Pycs_IsReadonlyNumPy(array);
    if (_Pycs_LIKELY(_Pycs_IsUsual(spec, &dtype, array->nd) && !(readonly && (spec->flags & PyTypedArray_WRITABLE))
            && _Pycs_TakeUsual(a, spec, readonly, array->data, array->dimensions[0], array->strides[0], 0))) {
        _Pycs_HoldObject(a, obj);
        a->data = array->data;
        a->device = _Pycs_cpu;
        a->ndim = 1;
        a->dtype = dtype;
        return 0;
    }
    return _Pycs_FromUnusualNumPy(a, obj, spec);
}

_Pycs_FAST int
_Pycs_From(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec, int owns)
{
    /* NumPy's struct says more than a slot or a method could, and comparing the type costs nothing. */
    return _Pycs_OB_TYPE(obj) == _Pycs_LOAD(PyTypeObject *, &_Pycs_ndarray)
        ? _Pycs_FromNumPy(a, obj, spec)
        : owns ? _Pycs_OwnOthers(a, obj, spec) : _Pycs_BorrowOthers(a, obj, spec);
}

/** Any array as C sees it: fills *a with where the items of `obj` are.

   Asked, in this order: numpy.ndarray and numpy.memmap by NumPy's struct; the slot
   "dlpack.exchange_api"; the class attribute __dlpack_c_exchange_api__; the buffer protocol;
   __dlpack__().  Subclasses of numpy.ndarray that have neither slot nor attribute of their own are
   refused: the memory does not show what they add, masks or units.

   0, or -1 with TypeError (found, expected, what to do); its cause is what the object's own function raised; but
   MemoryError, and what is no Exception, are raised as they are.  After -1 *a is zeros.  *a need not be initialised
   before, and must hold nothing.

   THE MEMORY is borrowed from the object: *a holds a reference or a buffer until PyTypedArray_Clear(),
   so the memory does not go away by itself.  The owner of the object may still change it: items at any
   time, and the memory itself by ndarray.resize(refcheck=False), or by what a library with an exchange
   API does when it gets control again.  So call Init, compute, call Clear, and run none of the user's
   code between.  To keep an array longer: PyTypedArray_Own().

   Read-only: an array that the quick function of an exchange API shows counts as read-only, because that
   function does not say; with PyTypedArray_WRITABLE the slower function is asked, which does say. */
_Pycs_UNUSED static int
PyTypedArray_Init(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    return _Pycs_From(a, obj, spec, 0);
}

/** The same, for memory that stays until PyTypedArray_Clear(), however long that is, and whichever thread
   uses it: an exchange API is asked for an export of our own, which costs an allocation there.  What a library lets
   happen to memory that others hold can happen to this memory, too: ndarray.resize() refuses while it is held;
   ndarray.resize(refcheck=False) does not, and neither does what gives a tensor of PyTorch other memory. */
_Pycs_UNUSED static int
PyTypedArray_Own(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    return _Pycs_From(a, obj, spec, 1);
}
