/* SPDX-License-Identifier: MIT
 *
 * typedarray_provide.h - a class whose objects are arrays, from one C function that says where they are.
 * For C and C++, with the full API; consumers of arrays need only typedarray.h, whose contract holds here
 * otherwise.
 * PyTypedArray_PROVIDER() makes a table of the function, and PyTypedArray_Provide() gives it to the class;
 * docs/arrays.md has an example, which is compiled and run.
 */
#ifndef Py_TYPEDARRAY_PROVIDE_H
#define Py_TYPEDARRAY_PROVIDE_H

#include "typedarray.h"

#if defined(Py_LIMITED_API)
#  error "typedarray_provide.h cannot be used with Py_LIMITED_API: it writes to the type object; consumers may use typedarray.h"
#  include <arrays_are_provided_with_the_full_API>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------- filling -- */

/** Fills *tensor, which comes as zeros for the CPU, with where the items of `self` are: data, dtype, ndim,
   shape, strides (in items), and what else applies.  *flags comes as 0; set DLPACK_FLAG_BITMASK_READ_ONLY
   if the items may not be written to.  0, or -1 with an exception.  The tensor is checked afterwards.

   The data must stay where it is for as long as the object lives: the class must not move it while
   there may be a view.  Shape and strides are members of the object, or last as long.  DLPack 1.2 wants strides
   of contiguous arrays, too; consumers refuse an array of one or more dimensions without them. */
typedef int (*PyTypedArray_FillFunction)(PyObject *self, DLTensor *tensor, uint64_t *flags);

/* A tensor that holds an object, and its shape and strides. */
typedef struct {
    DLManagedTensorVersioned managed;
    int64_t shape[PyTypedArray_MAX_NDIM], strides[PyTypedArray_MAX_NDIM];
} _Pycs_Exported;

/* BufferError, and -1. */
_Pycs_SLOW int
_Pycs_RefuseExport(PyObject *obj, const PyTypedArray *a, const PyTypedArray_Spec *spec, _Pycs_Reason reason)
{
    const char *advice;
    PyObject *found = _Pycs_Found(a, obj, spec, reason, &advice);
    if (found != NULL) {
        PyErr_Format(PyExc_BufferError, "found %U, expected an array; what its class says of data, shape, strides "
                     "and device is wrong", found);
        Py_DECREF(found);
    }
    return -1;
}

/* Checks what a tensor says and stores it in *a; else BufferError, and -1. */
_Pycs_FAST int
_Pycs_CheckExport(PyObject *obj, const DLTensor *tensor, PyTypedArray *a)
{
    PyTypedArray_Spec spec = PyTypedArray_SPEC(any, PyTypedArray_ANY_NDIM, PyTypedArray_UNALIGNED);
    _Pycs_Reason reason;
    a->readonly = 0;
    spec.device_type = (int)tensor->device.device_type;
    reason = _Pycs_FromTensor(a, tensor, 0);
    if (reason == _Pycs_FITS) reason = _Pycs_Check(a, &spec);
    return reason == _Pycs_FITS ? 0 : _Pycs_RefuseExport(obj, a, &spec, reason);
}

/* Lets `fill` fill *tensor, checks it, and stores in *a what it says. */
_Pycs_FAST int
_Pycs_Fill(PyObject *obj, PyTypedArray_FillFunction fill, DLTensor *tensor, uint64_t *flags, PyTypedArray *a)
{
    tensor->device.device_type = kDLCPU;
    if (fill(obj, tensor, flags) != 0) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_BufferError, "found a '%.200s' that failed to say where its items are, without an "
                         "exception", Py_TYPE(obj)->tp_name);
        }
        return -1;
    }
    return _Pycs_CheckExport(obj, tensor, a);
}

/* ------------------------------------------------------------- the exchange API -- */

/* From any thread, with the GIL or without. */
_Pycs_UNUSED static void
_Pycs_DeleteExported(DLManagedTensorVersioned *managed)
{
    PyObject *exporter = (PyObject *)managed->manager_ctx;      /* NULL: it is memory of our own */
    if (exporter != NULL && Py_IsInitialized()) {
        const int taken = !_Pycs_IsAttached();
        const PyGILState_STATE state = taken ? PyGILState_Ensure() : PyGILState_LOCKED;
        Py_DECREF(exporter);
        if (taken) PyGILState_Release(state);
    }
    free(managed);
}

/* Completes an export whose tensor says what *a says, with a shape and strides of its own. */
_Pycs_UNUSED static void
_Pycs_CompleteTensor(_Pycs_Exported *exported, const PyTypedArray *a)
{
    DLTensor *tensor = &exported->managed.dl_tensor;
    int i;
    for (i = 0; i < a->ndim; i++) {
        exported->shape[i] = a->shape[i];
        exported->strides[i] = tensor->strides != NULL ? tensor->strides[i] : a->strides[i] / a->itemsize;
    }
    tensor->shape = exported->shape;
    tensor->strides = exported->strides;
    exported->managed.version.major = DLPACK_MAJOR_VERSION;
    exported->managed.version.minor = DLPACK_MINOR_VERSION;
    exported->managed.deleter = _Pycs_DeleteExported;
}

/* For a class's own function DLPackDLTensorFromPyObjectNoSync. */
_Pycs_FAST int
_Pycs_ShowArray(PyObject *obj, PyTypedArray_FillFunction fill, DLTensor *tensor)
{
    PyTypedArray a;
    uint64_t flags = 0;
    memset(tensor, 0, sizeof(*tensor));
    if (_Pycs_Fill(obj, fill, tensor, &flags, &a) < 0) return -1;
    if (tensor->strides == NULL && tensor->ndim != 0) {
        PyErr_Format(PyExc_BufferError, "found a '%.200s' without strides, expected %d; DLPack wants them since "
                     "1.2, of contiguous arrays, too", Py_TYPE(obj)->tp_name, (int)tensor->ndim);
        return -1;
    }
    return 0;
}

/* For a class's own function DLPackManagedTensorFromPyObjectNoSync. */
_Pycs_UNUSED static int
_Pycs_Export(PyObject *obj, PyTypedArray_FillFunction fill, DLManagedTensorVersioned **out)
{
    _Pycs_Exported *exported = (_Pycs_Exported *)calloc(1, sizeof(*exported));
    DLTensor *tensor;
    PyTypedArray a;
    *out = NULL;
    if (exported == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    tensor = &exported->managed.dl_tensor;
    tensor->shape = exported->shape;
    tensor->strides = exported->strides;
    if (_Pycs_Fill(obj, fill, tensor, &exported->managed.flags, &a) < 0) {
        free(exported);
        return -1;
    }
    _Pycs_CompleteTensor(exported, &a);
    Py_INCREF(obj);
    exported->managed.manager_ctx = obj;
    *out = &exported->managed;
    return 0;
}

/* A DLPackManagedTensorAllocator: C-contiguous memory of the CPU.  Needs no GIL. */
_Pycs_UNUSED static int
_Pycs_Allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *error_ctx,
               void (*SetError)(void *error_ctx, const char *kind, const char *message))
{
    const uintptr_t alignment = 256;            /* DLPack's */
    DLTensor tensor = *prototype;
    _Pycs_Exported *exported = NULL;
    PyTypedArray a;
    Py_ssize_t size;
    int i;
    *out = NULL;
    tensor.strides = NULL;
    tensor.byte_offset = 0;
    if (tensor.device.device_type != kDLCPU || _Pycs_FromTensor(&a, &tensor, 0) != _Pycs_FITS) {
        SetError(error_ctx, "BufferError", "expected the shape and the type of an array on the CPU with at most 8 "
                 "dimensions");
        return -1;
    }
    size = _Pycs_IsEmpty(&a) ? 0 : a.itemsize;          /* the product is no larger than the first stride was */
    for (i = 0; size != 0 && i < a.ndim; i++) size *= a.shape[i];
    if (size <= PY_SSIZE_T_MAX - (Py_ssize_t)(sizeof(*exported) + alignment)) {
        exported = (_Pycs_Exported *)calloc(1, sizeof(*exported) + alignment + (size_t)size);
    }
    if (exported == NULL) {
        SetError(error_ctx, "MemoryError", "there is not so much memory");
        return -1;
    }
    tensor.data = (void *)(((uintptr_t)(exported + 1) + alignment - 1) / alignment * alignment);
    exported->managed.dl_tensor = tensor;
    _Pycs_CompleteTensor(exported, &a);
    *out = &exported->managed;
    return 0;
}

/* A DLPackCurrentWorkStream: NULL, as the CPU has no stream; for other devices it means the default stream. */
_Pycs_UNUSED static int
_Pycs_WorkStream(DLDeviceType device_type, int32_t device_id, void **out_current_stream)
{
    (void)device_type;
    (void)device_id;
    *out_current_stream = NULL;
    return 0;
}

/* What the class of an object exports: 0 and a tensor that is ours to delete, or -1. */
_Pycs_UNUSED static int
_Pycs_ExportOf(PyObject *obj, DLManagedTensorVersioned **out)
{
    const DLPackExchangeAPI *api = _Pycs_ApiOf(Py_TYPE(obj));
    const int exports = api != NULL && api->header.version.major == DLPACK_MAJOR_VERSION
                        && api->managed_tensor_from_py_object_no_sync != NULL;
    *out = NULL;
    if (exports && api->managed_tensor_from_py_object_no_sync(obj, out) == 0 && *out != NULL) return 0;
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_BufferError, exports ? "found a '%.200s' that exports nothing by its slot "
                     "dlpack.exchange_api, expected a tensor" : "found a '%.200s' without the slot "
                     "dlpack.exchange_api, which its class had", Py_TYPE(obj)->tp_name);
    }
    return -1;
}

#include "_typedarray/buffer.h"

/* ------------------------------------------------------------------- __dlpack__() -- */

/* The deleter of the form before DLPack 1. */
_Pycs_UNUSED static void
_Pycs_DeleteOld(DLManagedTensor *managed)
{
    _Pycs_DeleteTensor((DLManagedTensorVersioned *)managed->manager_ctx);
    free(managed);
}

_Pycs_UNUSED static void
_Pycs_EndCapsule(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {     /* else a consumer has it */
        _Pycs_DeleteTensor((DLManagedTensorVersioned *)PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    }
    else if (PyCapsule_IsValid(capsule, "dltensor")) {
        _Pycs_DeleteOld((DLManagedTensor *)PyCapsule_GetPointer(capsule, "dltensor"));
    }
}

/* A function SetError of DLPack's, for a caller that has the GIL. */
_Pycs_UNUSED static void
_Pycs_SetError(void *error_ctx, const char *kind, const char *message)
{
    (void)error_ctx;
    PyErr_SetString(strcmp(kind, "MemoryError") == 0 ? PyExc_MemoryError : PyExc_BufferError, message);
}

/* A tensor with the same items, in C's order; NULL with an exception. */
_Pycs_UNUSED static DLManagedTensorVersioned *
_Pycs_CopyOf(PyObject *obj, DLTensor *tensor)
{
    DLManagedTensorVersioned *copy;
    PyTypedArray_Cursor cursor;
    PyTypedArray a;
    char *from, *to;
    if (_Pycs_CheckExport(obj, tensor, &a) < 0
            || _Pycs_Allocate(tensor, &copy, NULL, _Pycs_SetError) < 0) return NULL;
    to = (char *)copy->dl_tensor.data;
    for (from = (char *)PyTypedArray_First(&a, &cursor); from != NULL;
            from = (char *)PyTypedArray_Next(&a, &cursor), to += a.itemsize) {
        memcpy(to, from, (size_t)a.itemsize);
    }
    copy->flags = DLPACK_FLAG_BITMASK_IS_COPIED;
    return copy;
}

/* A capsule with the tensor, which is deleted if that fails. */
_Pycs_UNUSED static PyObject *
_Pycs_ArrayCapsule(DLManagedTensorVersioned *versioned, int is_old)
{
    DLManagedTensor *old = is_old ? (DLManagedTensor *)malloc(sizeof(*old)) : NULL;
    PyObject *capsule = NULL;
    if (old != NULL) {
        old->dl_tensor = versioned->dl_tensor;
        old->manager_ctx = versioned;
        old->deleter = _Pycs_DeleteOld;
        capsule = PyCapsule_New(old, "dltensor", _Pycs_EndCapsule);
    }
    else if (is_old) PyErr_NoMemory();
    else capsule = PyCapsule_New(versioned, "dltensor_versioned", _Pycs_EndCapsule);
    if (capsule != NULL) return capsule;
    free(old);
    _Pycs_DeleteTensor(versioned);
    return NULL;
}

/* `pair` is None or two numbers; 0, or -1 with TypeError. */
_Pycs_UNUSED static int
_Pycs_ReadPair(PyObject *pair, const char *name, long *first, long *second)
{
    if (pair == Py_None) return 0;
    if (!PyTuple_Check(pair)) {
        PyErr_Format(PyExc_TypeError, "__dlpack__: found a '%.200s' as %s, expected a tuple of two numbers, or None",
                     Py_TYPE(pair)->tp_name, name);
        return -1;
    }
    return PyArg_ParseTuple(pair, "ll:__dlpack__", first, second) ? 0 : -1;
}

_Pycs_UNUSED static PyObject *
_Pycs_DLPack(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const keywords[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream = Py_None, *max_version = Py_None, *dl_device = Py_None, *copy = Py_None;
    DLManagedTensorVersioned *managed, *copied;
    const char *wrong = NULL;
    long major = 0, minor = 0, type, number;
    int copies;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO:__dlpack__", (char **)(uintptr_t)keywords, &stream,
                                     &max_version, &dl_device, &copy)
            || _Pycs_ReadPair(max_version, "max_version", &major, &minor) < 0
            || (copies = copy == Py_None ? 0 : PyObject_IsTrue(copy)) < 0
            || _Pycs_ExportOf(self, &managed) < 0) return NULL;
    type = (long)managed->dl_tensor.device.device_type;
    number = (long)managed->dl_tensor.device.device_id;
    if (_Pycs_ReadPair(dl_device, "dl_device", &type, &number) < 0) {
        _Pycs_DeleteTensor(managed);
        return NULL;
    }
    if (type != (long)managed->dl_tensor.device.device_type || number != (long)managed->dl_tensor.device.device_id) {
        wrong = "on one device, expected it on another one; copy it there first";
    }
    else if (stream != Py_None && type == (long)kDLCPU) wrong = "on the CPU, expected no stream";
    else if ((managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY) && major < 1 && !copies) {
        wrong = "that is read-only, which DLPack says since 1.0; expected max_version=(1, 0) or later";
    }
    if (wrong != NULL) {
        PyErr_Format(PyExc_BufferError, "__dlpack__: found a '%.200s' %s", Py_TYPE(self)->tp_name, wrong);
        _Pycs_DeleteTensor(managed);
        return NULL;
    }
    if (copies) {
        copied = _Pycs_CopyOf(self, &managed->dl_tensor);
        _Pycs_DeleteTensor(managed);
        if ((managed = copied) == NULL) return NULL;
    }
    return _Pycs_ArrayCapsule(managed, major < 1);
}

_Pycs_UNUSED static PyObject *
_Pycs_DLPackDevice(PyObject *self, PyObject *unused)
{
    DLManagedTensorVersioned *managed;
    int type, number;
    (void)unused;
    if (_Pycs_ExportOf(self, &managed) < 0) return NULL;
    type = (int)managed->dl_tensor.device.device_type;
    number = (int)managed->dl_tensor.device.device_id;
    _Pycs_DeleteTensor(managed);
    return Py_BuildValue("ii", type, number);
}

/* ---------------------------------------------------------------------- NumPy's -- */

/* NumPy asks for a buffer, clears the exception of that, and calls this before it makes an array of objects:
   this raises the exception. */
_Pycs_UNUSED static PyObject *
_Pycs_Array(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const keywords[] = {"dtype", "copy", NULL};
    PyObject *dtype = Py_None, *copy = Py_None, *array = NULL;
    PyObject *numpy = NULL, *function = NULL, *none = NULL, *view, *options;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:__array__", (char **)(uintptr_t)keywords, &dtype, &copy)
            || !(numpy = PyImport_ImportModule("numpy")) || !(function = PyObject_GetAttrString(numpy, "array"))
            || !(none = PyTuple_New(0))) goto done;
#ifdef PYPY_VERSION                             /* its classes have no buffer */
    view = PyObject_CallMethod(numpy, "from_dlpack", "O", self);
#else
    view = PyMemoryView_FromObject(self);
#endif
    options = view != NULL ? Py_BuildValue("{sNsOsO}", "object", view, "dtype", dtype, "copy", copy) : NULL;
    if (options != NULL) array = PyObject_Call(function, none, options);
    Py_XDECREF(options);
done:
    Py_XDECREF(numpy);
    Py_XDECREF(function);
    Py_XDECREF(none);
    return array;
}

/* --------------------------------------------------------------------- the class -- */

/* Gives a class an attribute, unless the class itself has it; steals `value`. */
_Pycs_UNUSED static int
_Pycs_Give(PyTypeObject *type, const char *name, PyObject *value)
{
    PyObject *key = value != NULL ? PyUnicode_InternFromString(name) : NULL;
    const int done = key != NULL && PyDict_SetDefault(type->tp_dict, key, value) != NULL;
    Py_XDECREF(key);
    Py_XDECREF(value);
    return done ? 0 : -1;
}

/* The buffer protocol, unless the class has one of its own. */
_Pycs_UNUSED static int
_Pycs_GiveBuffer(PyTypeObject *type, PyBufferProcs *procs)
{
    const PyBufferProcs *own = type->tp_as_buffer, *bases = type->tp_base != NULL ? type->tp_base->tp_as_buffer : NULL;
    if (own != NULL && own->bf_getbuffer != NULL
            && (bases == NULL || own->bf_getbuffer != bases->bf_getbuffer)) return 0;
    /* A static type has its base's tp_as_buffer, and a heap type its own, which CPython writes to. */
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) *type->tp_as_buffer = *procs;
    else type->tp_as_buffer = procs;
#if PY_VERSION_HEX >= 0x030C0000 && !defined(PYPY_VERSION)
    {   /* Python subclasses look for the functions in the wrappers that CPython makes of them. */
        static const char *const names[] = {"__buffer__", "__release_buffer__"};
        void *functions[2];
        int i;
        memcpy(&functions[0], &procs->bf_getbuffer, sizeof(void *));
        memcpy(&functions[1], &procs->bf_releasebuffer, sizeof(void *));
        for (i = 0; i < 2; i++) {
            PyObject *known = PyObject_GetAttrString((PyObject *)&PyByteArray_Type, names[i]), *wrapper = NULL;
            if (known != NULL && Py_TYPE(known) == &PyWrapperDescr_Type) {
                wrapper = PyDescr_NewWrapper(type, ((PyWrapperDescrObject *)known)->d_base, functions[i]);
            }
            Py_XDECREF(known);
            if (_Pycs_Give(type, names[i], wrapper) < 0) return -1;
        }
    }
#endif
    return 0;
}

/* Gives a class a slot, unless it has the same one. */
_Pycs_UNUSED static int
_Pycs_GiveSlot(PyTypeObject *type, uintptr_t id, const void *pointer)
{
    const PyCustomSlot *found = PyCustomSlots_FindAnyType(type, id, 0);
    PyCustomSlot slot;
    slot.id = id;
    slot.data.pointer = (void *)(uintptr_t)pointer;
    if (found != NULL && found->data.pointer == pointer) return 0;
#if _Pycs_SUPPORTED
    if (_Pycs_HasMemory(type) && _Pycs_Passes(type)) {
        PyErr_Format(PyExc_TypeError, "PyTypedArray_Provide(%.200s): found an extensible class %s this slot, expected "
                     "it among the slots that the class was made with: {%s, {the address of what is passed here}}",
                     type->tp_name, found != NULL ? "that inherits other data for" : "without",
                     id == PyTypedArray_STABLE_BUFFER ? "PyTypedArray_STABLE_BUFFER"
                     : "PyCustomSlots_Intern(\"dlpack.exchange_api\")");
        return -1;
    }
#endif
    return PyCustomSlots_Register(type, &slot);
}

_Pycs_UNUSED static int
_Pycs_ProvideWith(PyTypeObject *type, const DLPackExchangeAPI *api, PyBufferProcs *procs);

/** Gives a class that is ready all that makes its objects arrays: the slot dlpack.exchange_api, the class
   attribute __dlpack_c_exchange_api__, __dlpack__(), __dlpack_device__(), __array__(), and the buffer protocol.
   Those that the class itself has stay.  `api` comes from PyTypedArray_PROVIDER() and lives as long as the class.

   Call it before other classes derive from `type`: their objects are arrays, too.  An extensible
   class has no room for a slot that comes later, and must declare this one among its own.

   0, or -1 with an exception.  Needs the GIL or an attached thread state.  On PyPy a class that is ready gets
   everything but the buffer protocol. */
_Pycs_UNUSED static int
PyTypedArray_Provide(PyTypeObject *type, const DLPackExchangeAPI *api)
{
    static PyBufferProcs procs = {_Pycs_GetBuffer, _Pycs_ReleaseBuffer};
    return _Pycs_ProvideWith(type, api, &procs);
}

/** The same for a class whose objects keep their items, where they are, for as long as they live: the class also
   gets the slot PyTypedArray_STABLE_BUFFER.  `procs` comes from PyTypedArray_STABLE() with the same function as
   `api`, and lives as long as the class. */
_Pycs_UNUSED static int
PyTypedArray_ProvideStable(PyTypeObject *type, const DLPackExchangeAPI *api, PyBufferProcs *procs)
{
    return _Pycs_ProvideWith(type, api, procs) < 0 ? -1 : _Pycs_GiveSlot(type, PyTypedArray_STABLE_BUFFER, procs);
}

_Pycs_UNUSED static int
_Pycs_ProvideWith(PyTypeObject *type, const DLPackExchangeAPI *api, PyBufferProcs *procs)
{
    static PyMethodDef methods[] = {
        {"__dlpack__", (PyCFunction)(void (*)(void))_Pycs_DLPack, METH_VARARGS | METH_KEYWORDS,
         "__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
         "A capsule with the array, see DLPack."},
        {"__dlpack_device__", _Pycs_DLPackDevice, METH_NOARGS,
         "__dlpack_device__()\n--\n\nThe type and the number of the array's device, see DLPack."},
        {"__array__", (PyCFunction)(void (*)(void))_Pycs_Array, METH_VARARGS | METH_KEYWORDS,
         "__array__(dtype=None, copy=None)\n--\n\nThe array as a numpy.ndarray."}};
    const uintptr_t id = PyCustomSlots_Intern(_Pycs_bridge.name);
    int i;
    if (id == 0 || _Pycs_CheckTakesAttributes(type, "PyTypedArray_Provide") < 0
            || _Pycs_GiveSlot(type, id, api) < 0) return -1;
    for (i = 0; i < 3; i++) {
        if (_Pycs_Give(type, methods[i].ml_name, PyDescr_NewMethod(type, &methods[i])) < 0) return -1;
    }
    if (_Pycs_GiveBuffer(type, procs) < 0 || _Pycs_Give(type, "__dlpack_c_exchange_api__", PyCapsule_New(
                   (void *)(uintptr_t)api, "dlpack_exchange_api", NULL)) < 0) return -1;
    PyType_Modified(type);
    return 0;
}

/* --------------------------------------------------- an object for another's tensor -- */

typedef struct {
    PyObject_HEAD
    DLManagedTensorVersioned *managed;
} _Pycs_Holder;

_Pycs_UNUSED static void
_Pycs_DeallocHolder(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    DLManagedTensorVersioned *managed = ((_Pycs_Holder *)self)->managed;
    if (managed != NULL) _Pycs_DeleteTensor(managed);
    type->tp_free(self);
    Py_DECREF(type);
}

_Pycs_UNUSED static int
_Pycs_FillHolder(PyObject *self, DLTensor *tensor, uint64_t *flags)
{
    const DLManagedTensorVersioned *managed = ((_Pycs_Holder *)self)->managed;
    *tensor = managed->dl_tensor;
    *flags = managed->flags;
    return 0;
}

/* A DLPackManagedTensorToPyObjectNoSync: makes an object that is the array and owns the tensor,
   of a class without a constructor. */
_Pycs_UNUSED static int
_Pycs_TensorToObject(DLManagedTensorVersioned *managed, void **out);

/** Defines `name`, a static const DLPackExchangeAPI for PyTypedArray_Provide(), from the function that fills a
   tensor, a PyTypedArray_FillFunction. */
#define PyTypedArray_PROVIDER(name, fill)                                                     \
    static int name##_show(void *obj, DLTensor *out)                                          \
    {                                                                                         \
        return _Pycs_ShowArray((PyObject *)obj, fill, out);                                   \
    }                                                                                         \
    _Pycs_PROVIDER(name, fill, name##_show)

/** The same for objects that keep no shape and strides: tensor->shape and tensor->strides come with room
   for PyTypedArray_MAX_NDIM numbers each, which `fill` may write to.  Every consumer gets an export, which
   costs an allocation. */
#define PyTypedArray_PROVIDER_WITH_ROOM(name, fill) _Pycs_PROVIDER(name, fill, NULL)

#define _Pycs_PROVIDER(name, fill, show)                                                      \
    static int name##_export(void *obj, DLManagedTensorVersioned **out)                       \
    {                                                                                         \
        return _Pycs_Export((PyObject *)obj, fill, out);                                      \
    }                                                                                         \
    static const DLPackExchangeAPI name = {                                                   \
        {{DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, NULL}, _Pycs_Allocate,                 \
        name##_export, _Pycs_TensorToObject, show, _Pycs_WorkStream};

PyTypedArray_PROVIDER(_Pycs_holder, _Pycs_FillHolder)

/* A new reference to the class of holders, which each interpreter has once; NULL with an exception. */
_Pycs_UNUSED static PyObject *
_Pycs_HolderType(void)
{
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)(uintptr_t)_Pycs_DeallocHolder},
        {0, NULL}};
    static PyType_Spec spec = {"customslots.array", sizeof(_Pycs_Holder), 0,
                               Py_TPFLAGS_DEFAULT, slots};
    static PyObject *kept = NULL;
    const int is_main = _Pycs_IsMain();
    PyObject *type = is_main ? _Pycs_LOAD(PyObject *, &kept) : NULL;
    if (type != NULL) {
        Py_INCREF(type);
        return type;
    }
    type = PyType_FromSpec(&spec);
    if (type == NULL) return NULL;
    ((PyTypeObject *)type)->tp_new = NULL;
    if (PyTypedArray_Provide((PyTypeObject *)type, &_Pycs_holder) < 0) Py_CLEAR(type);
    else if (is_main) {
        Py_INCREF(type);
        _Pycs_STORE(PyObject *, &kept, type);
    }
    return type;
}

_Pycs_UNUSED static int
_Pycs_TensorToObject(DLManagedTensorVersioned *managed, void **out)
{
    PyTypeObject *type = (PyTypeObject *)_Pycs_HolderType();
    PyObject *self = type != NULL ? type->tp_alloc(type, 0) : NULL;
    *out = self;
    Py_XDECREF((PyObject *)type);
    if (self == NULL) return -1;
    ((_Pycs_Holder *)self)->managed = managed;
    return 0;
}

#ifdef __cplusplus
}
#endif

#endif /* Py_TYPEDARRAY_PROVIDE_H */
