/* SPDX-License-Identifier: MIT
 *
 * Exports whatever a test says, right or wrong; array_consumer.c shows typedarray.h to Python. */
#include "typedarray_provide.h"
#include "array_consumer.h"
#include "../module.h"

/* ---------------------------------------------------------------------- exporter -- */

#define DIMENSIONS 40

/* What Exporter(...) was told: a tensor, and how to export it. */
typedef struct {
    PyObject_HEAD
    DLTensor      tensor;
    int64_t       shape[DIMENSIONS], strides[DIMENSIONS];
    Py_ssize_t    bytes[DIMENSIONS], lengths[DIMENSIONS];   /* the same for a buffer */
    uint64_t      flags;
    unsigned      major;
    int           fails;            /* 1: without an exception; 2: with one; 3: returns NULL; 4: forgets the dtype */
    int           readonly;
    Py_ssize_t    itemsize;
    PyObject     *format;
    Py_buffer     memory;
} Exporter;

static int managed_alive = 0;       /* managed tensors that nobody has deleted */

static int
numbers_of(PyObject *sequence, int64_t *numbers)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(sequence) && i < DIMENSIONS; i++) {
        numbers[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(sequence, i));
        if (numbers[i] == -1 && PyErr_Occurred()) return -1;
    }
    return 0;
}

/* Exporter(shape, strides, memory, dtype=(code, bits, lanes), ...): `strides` in items, None: NULL. */
static int
exporter_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {
        "shape", "strides", "memory", "dtype", "device", "byte_offset", "flags", "major", "fails",
        "readonly", "format", "itemsize", "ndim", NULL};
    Exporter *e = (Exporter *)self;
    PyObject *shape, *strides, *memory;
    int code = kDLFloat, bits = 64, lanes = 1, device = kDLCPU, number = 0, ndim = -1;
    unsigned long long byte_offset = 0, flags = 0;
    int i;
    e->major = 1;
    e->itemsize = 8;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "OOO|(iii)(ii)KKIiiOni", (char **)(uintptr_t)names, &shape, &strides, &memory, &code,
            &bits, &lanes, &device, &number, &byte_offset, &flags, &e->major, &e->fails, &e->readonly, &e->format,
            &e->itemsize, &ndim)) return -1;
    Py_XINCREF(e->format);
    if (memory != Py_None && PyObject_GetBuffer(memory, &e->memory, PyBUF_SIMPLE) < 0) return -1;
    if (shape != Py_None && numbers_of(shape, e->shape) < 0) return -1;
    if (strides != Py_None && numbers_of(strides, e->strides) < 0) return -1;
    e->flags = flags;
    e->tensor.data = memory != Py_None ? e->memory.buf : NULL;
    e->tensor.device.device_type = (DLDeviceType)device;
    e->tensor.device.device_id = number;
    e->tensor.ndim = ndim != -1 ? ndim : shape != Py_None ? (int)PyTuple_GET_SIZE(shape) : 0;
    e->tensor.dtype.code = (uint8_t)code;
    e->tensor.dtype.bits = (uint8_t)bits;
    e->tensor.dtype.lanes = (uint16_t)lanes;
    e->tensor.shape = shape != Py_None ? e->shape : NULL;
    e->tensor.strides = strides != Py_None ? e->strides : NULL;
    e->tensor.byte_offset = byte_offset;
    for (i = 0; i < DIMENSIONS; i++) {
        e->lengths[i] = (Py_ssize_t)e->shape[i];
        e->bytes[i] = (Py_ssize_t)((uint64_t)e->strides[i] * (uint64_t)e->itemsize);
    }
    return 0;
}

static void
exporter_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Exporter *e = (Exporter *)self;
    if (e->memory.obj != NULL) PyBuffer_Release(&e->memory);
    Py_XDECREF(e->format);
    type->tp_free(self);
    Py_DECREF(type);
}

static int
fails(Exporter *e)
{
    if (e->fails == 2) PyErr_SetString(PyExc_BufferError, "not today");
    return e->fails == 1 || e->fails == 2;
}

static void
give_back(void *managed, void *exporter)
{
    PyMem_Free(managed);
    managed_alive--;
    Py_DECREF((PyObject *)exporter);
}

static void
delete_versioned(DLManagedTensorVersioned *managed)
{
    give_back(managed, managed->manager_ctx);
}

static void
delete_unversioned(DLManagedTensor *managed)
{
    give_back(managed, managed->manager_ctx);
}

static DLManagedTensorVersioned *
new_versioned(Exporter *e)
{
    DLManagedTensorVersioned *managed = (DLManagedTensorVersioned *)PyMem_Calloc(1, sizeof(*managed));
    if (managed == NULL) return NULL;
    managed->version.major = e->major;
    managed->version.minor = 99;
    managed->manager_ctx = Py_NewRef((PyObject *)e);
    managed->deleter = delete_versioned;
    managed->flags = e->flags;
    managed->dl_tensor = e->tensor;
    managed_alive++;
    return managed;
}

static int
export_managed(void *self, DLManagedTensorVersioned **out)
{
    if (fails((Exporter *)self)) return -1;
    if (((Exporter *)self)->fails != 3) *out = new_versioned((Exporter *)self);
    return 0;
}

static int
export_view(void *self, DLTensor *out)
{
    const DLDataType kept = out->dtype;
    if (fails((Exporter *)self)) return -1;
    if (((Exporter *)self)->fails != 3) *out = ((Exporter *)self)->tensor;
    if (((Exporter *)self)->fails == 4) out->dtype = kept;
    return 0;
}

static void
drop_capsule(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        delete_versioned((DLManagedTensorVersioned *)PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    }
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        delete_unversioned((DLManagedTensor *)PyCapsule_GetPointer(capsule, "dltensor"));
    }
}

/* What __dlpack__() of a test returns. */
static PyObject *
exporter_capsule(PyObject *self, PyObject *versioned)
{
    if (PyObject_IsTrue(versioned)) {
        return PyCapsule_New(new_versioned((Exporter *)self), "dltensor_versioned", drop_capsule);
    }
    else {
        DLManagedTensor *managed = (DLManagedTensor *)PyMem_Calloc(1, sizeof(*managed));
        managed->dl_tensor = ((Exporter *)self)->tensor;
        managed->manager_ctx = Py_NewRef(self);
        managed->deleter = delete_unversioned;
        managed_alive++;
        return PyCapsule_New(managed, "dltensor", drop_capsule);
    }
}

static int
exporter_getbuffer(PyObject *self, Py_buffer *view, int flags)
{
    Exporter *e = (Exporter *)self;
    view->obj = NULL;
    if (fails(e)) return -1;
    view->obj = Py_NewRef(self);
    view->buf = e->tensor.data;
    view->len = e->memory.len;
    view->itemsize = e->itemsize;
    view->readonly = e->readonly;
    view->ndim = e->tensor.ndim;
    view->format = e->format == NULL ? (char *)(uintptr_t)"d"
        : e->format == Py_None ? NULL : (char *)(uintptr_t)PyUnicode_AsUTF8(e->format);
    view->shape = e->tensor.shape != NULL ? e->lengths : NULL;
    view->strides = e->tensor.strides != NULL ? e->bytes : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    managed_alive++;
    return 0;
}

static void exporter_releasebuffer(PyObject *self, Py_buffer *view) { managed_alive--; }

static PyMethodDef exporter_methods[] = {
    {"capsule", exporter_capsule, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static PyType_Slot exporter_slots[] = {
    {Py_tp_init, (void *)(uintptr_t)exporter_init},
    {Py_tp_dealloc, (void *)(uintptr_t)exporter_dealloc},
    {Py_tp_methods, exporter_methods},
    {0, NULL}
};
static PyType_Spec exporter_spec = {
    "array_probe.Exporter", sizeof(Exporter), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, exporter_slots};

static PyType_Slot buffer_slots[] = {
    {Py_bf_getbuffer, (void *)(uintptr_t)exporter_getbuffer},
    {Py_bf_releasebuffer, (void *)(uintptr_t)exporter_releasebuffer},
    {0, NULL}
};
static PyType_Spec buffer_spec = {
    "array_probe.BufferExporter", sizeof(Exporter), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, buffer_slots};

/* api(name, major, minor, functions, previous): a capsule with a table; functions: 1 the quick one,
   2 the managed one; name None: a table of no capsule, as PyCapsule_New() calls it. */
static PyObject *
api(PyObject *module, PyObject *args)
{
    DLPackExchangeAPI *table = (DLPackExchangeAPI *)PyMem_Calloc(1, sizeof(*table));  /* as long as the process */
    PyObject *previous = Py_None;
    const char *name;
    unsigned major, minor;
    int functions;
    if (!PyArg_ParseTuple(args, "zIIi|O", &name, &major, &minor, &functions, &previous)) return NULL;
    table->header.version.major = major;
    table->header.version.minor = minor;
    if (previous != Py_None) {
        table->header.prev_api =
            (DLPackExchangeAPIHeader *)PyCapsule_GetPointer(previous, PyCapsule_GetName(previous));
    }
    if (functions & 1) table->dltensor_from_py_object_no_sync = export_view;
    if (functions & 2) table->managed_tensor_from_py_object_no_sync = export_managed;
    if (functions & 4) table->header.prev_api = &table->header;     /* a chain without an end */
    return PyCapsule_New(table, name, NULL);
}

/* register_slot(cls, capsule): capsule None: a slot with NULL. */
static PyObject *
register_slot(PyObject *module, PyObject *args)
{
    PyObject *cls, *capsule;
    PyCustomSlot slot;
    if (!PyArg_ParseTuple(args, "OO", &cls, &capsule)) return NULL;
    slot.id = PyCustomSlots_Intern("dlpack.exchange_api");
    slot.data.pointer = capsule != Py_None ? PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)) : NULL;
    if (PyErr_Occurred() || PyCustomSlots_Register((PyTypeObject *)cls, &slot) < 0) return NULL;
    Py_RETURN_NONE;
}

/* The same for a provider: */
static int
exporter_fill(PyObject *self, DLTensor *tensor, uint64_t *flags)
{
    Exporter *e = (Exporter *)self;
    if (fails(e)) return -1;
    *tensor = e->tensor;
    *flags = e->flags;
    return 0;
}
PyTypedArray_PROVIDER(provider, exporter_fill)

static int
exporter_fill_room(PyObject *self, DLTensor *tensor, uint64_t *flags)
{
    int64_t *shape = tensor->shape, *strides = tensor->strides;
    int i;
    if (exporter_fill(self, tensor, flags) < 0) return -1;
    if (tensor->ndim < 0 || tensor->ndim > PyTypedArray_MAX_NDIM || tensor->shape == NULL) return 0;
    for (i = 0; i < tensor->ndim; i++) {
        shape[i] = tensor->shape[i];
        if (tensor->strides != NULL) strides[i] = tensor->strides[i];
    }
    tensor->shape = shape;
    if (tensor->strides != NULL) tensor->strides = strides;
    return 0;
}
PyTypedArray_PROVIDER_WITH_ROOM(provider_with_room, exporter_fill_room)

PyTypedArray_STABLE(stable, exporter_fill)

/* provide(cls, kind): 1 with room, 2 stable, else neither. */
static PyObject *
provide(PyObject *module, PyObject *args)
{
    PyObject *cls;
    PyTypeObject *type;
    int kind;
    if (!PyArg_ParseTuple(args, "Oi", &cls, &kind)) return NULL;
    type = (PyTypeObject *)cls;
    if ((kind == 2 ? PyTypedArray_ProvideStable(type, &provider, &stable)
                   : PyTypedArray_Provide(type, kind == 1 ? &provider_with_room : &provider)) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyCustomSlots_Bridge bridge = PyCustomSlots_BRIDGE(
    "dlpack.exchange_api", "__dlpack_c_exchange_api__", "dlpack_exchange_api");

/* publish(cls): its slot as the attribute. */
static PyObject *
publish(PyObject *module, PyObject *cls)
{
    if (PyCustomSlots_PublishCapsule((PyTypeObject *)cls, &bridge) < 0) return NULL;
    Py_RETURN_NONE;
}

/* bridged(cls): the address of the table behind it, or None. */
static PyObject *
bridged(PyObject *module, PyObject *cls)
{
    void *found = PyCustomSlots_FindBridged((PyTypeObject *)cls, &bridge);
    if (PyErr_Occurred()) return NULL;
    return found != NULL ? PyLong_FromVoidPtr(found) : Py_NewRef(Py_None);
}

static PyObject *
address(PyObject *module, PyObject *capsule)
{
    return PyLong_FromVoidPtr(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
}

/* What the table of a class makes: allocate(cls, shape, (code, bits), device) -> object.  Without a GIL, as
   its caller may be. */
static void
keep_error(void *error_ctx, const char *kind, const char *message)
{
    ((const char **)error_ctx)[0] = kind;
    ((const char **)error_ctx)[1] = message;
}

static PyObject *
allocate(PyObject *module, PyObject *args)
{
    const char *error[2] = {NULL, NULL};
    const DLPackExchangeAPI *table;
    DLManagedTensorVersioned *managed;
    DLTensor prototype;
    PyObject *cls, *shape, *capsule;
    int64_t numbers[DIMENSIONS];
    int code, bits, device, result;
    void *object, *stream = &object;
    if (!PyArg_ParseTuple(args, "OO(ii)i", &cls, &shape, &code, &bits, &device) || numbers_of(shape, numbers) < 0
            || !(capsule = PyObject_GetAttrString(cls, "__dlpack_c_exchange_api__"))) return NULL;
    table = (const DLPackExchangeAPI *)PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    Py_DECREF(capsule);
    memset(&prototype, 0, sizeof(prototype));
    prototype.device.device_type = (DLDeviceType)device;
    prototype.ndim = (int)PyTuple_GET_SIZE(shape);
    prototype.dtype.code = (uint8_t)code;
    prototype.dtype.bits = (uint8_t)bits;
    prototype.dtype.lanes = 1;
    prototype.shape = numbers;
    Py_BEGIN_ALLOW_THREADS
    result = table->managed_tensor_allocator(&prototype, &managed, error, keep_error);
    Py_END_ALLOW_THREADS
    if (result < 0) {
        PyErr_Format(strcmp(error[0], "MemoryError") == 0 ? PyExc_MemoryError : PyExc_BufferError, "%s", error[1]);
        return NULL;
    }
    if ((uintptr_t)managed->dl_tensor.data % 256 != 0 || table->current_work_stream(kDLCPU, 0, &stream) != 0
            || stream != NULL) {
        PyErr_SetString(PyExc_AssertionError, "not aligned, or no stream");
        return NULL;
    }
    if (table->managed_tensor_to_py_object_no_sync(managed, &object) < 0) return NULL;
    return (PyObject *)object;
}

static PyObject *alive(PyObject *module, PyObject *unused) { return PyLong_FromLong(managed_alive); }

static PyMethodDef methods[] = {
    TAKES_ARGS(look), TAKES_ARGS(hold), TAKES_ONE(add_one), TAKES_ARGS(api),
    TAKES_ARGS(register_slot), TAKES_ARGS(provide), TAKES_ONE(publish), TAKES_ONE(bridged), TAKES_ONE(address),
    TAKES_ARGS(allocate), TAKES_NONE(alive),
    {NULL, NULL, 0, NULL}
};

static int
execute(PyObject *module)
{
    PyObject *exporter = PyType_FromSpec(&exporter_spec);
    PyObject *bases = exporter != NULL ? PyTuple_Pack(1, exporter) : NULL;
    PyObject *buffer = bases != NULL ? PyType_FromSpecWithBases(&buffer_spec, bases) : NULL;
    Py_XDECREF(bases);
    if (buffer == NULL) return -1;
    if (PyModule_AddObject(module, "Exporter", exporter) < 0) return -1;
    return PyModule_AddObject(module, "BufferExporter", buffer);
}

#ifndef NAME
#  define NAME array_probe
#endif
MODULE(NAME, methods, EXECUTE(execute) IN_ALL_INTERPRETERS)
