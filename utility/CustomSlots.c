// SPDX-License-Identifier: MIT
//
// What the compiler layer puts into generated C, besides the text of extensibletype.h.
// One function a section; they call the _PyExtensibleType_* functions of the header.

/////////////// CustomSlotsInit.init ///////////////

// The rendezvous comes before any type import: extensibletype is imported from it.
if (unlikely(!PyExtensibleType_Import())) return -1;

/////////////// CustomSlotsNewStatic.proto ///////////////

static PyTypeObject *__Pyx_CustomSlots_NewStatic(PyTypeObject *tmpl, PyTypeObject *metaclass, size_t metaclass_size, PyTypeObject *base, PyObject *bases, int automatic); /*proto*/

/////////////// CustomSlotsNewStatic ///////////////
//@requires: CustomSlotsCheckMetaclass

// The type object to use in place of Cython's static one. `automatic`: the class was
// made extensible by --extend-all; where that cannot be, it stays as it is.
static PyTypeObject *__Pyx_CustomSlots_NewStatic(PyTypeObject *tmpl, PyTypeObject *metaclass, size_t metaclass_size, PyTypeObject *base, PyObject *bases, int automatic) {
    PyTypeObject *winner;
    if (unlikely(__Pyx_CustomSlots_CheckMetaclass(tmpl->tp_name, metaclass, metaclass_size) < 0)) return NULL;
    winner = _PyExtensibleType_CalculateMetaclass(metaclass, base, bases);
    if (unlikely(!winner)) {
        if (automatic && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            return tmpl;
        }
        return NULL;
    }
    return _PyExtensibleType_NewStatic(tmpl, winner, base, bases);
}

/////////////// CustomSlotsCheckMetaclass.proto ///////////////

static int __Pyx_CustomSlots_CheckMetaclass(const char *name, PyTypeObject *metaclass, size_t size); /*proto*/

/////////////// CustomSlotsCheckMetaclass ///////////////

// Cython's own size check tolerates differences up to tp_itemsize, which metaclasses
// have; the fields of a metaclass that grew would lie elsewhere.
static int __Pyx_CustomSlots_CheckMetaclass(const char *name, PyTypeObject *metaclass, size_t size) {
    if (size == 0) return 0;
    if (unlikely(!metaclass)) {
        PyErr_Format(PyExc_SystemError, "the metaclass of '%.200s' is not ready yet", name);
        return -1;
    }
    if (unlikely((size_t)metaclass->tp_basicsize != size)) {
        PyErr_Format(PyExc_TypeError,
            "metaclass '%.200s' of '%.200s' has size %zd, but this module was compiled for %zd; recompile it against the metaclass's current .pxd",
            metaclass->tp_name, name, metaclass->tp_basicsize, (Py_ssize_t)size);
        return -1;
    }
    return 0;
}

/////////////// CustomSlotsFromSpec.proto ///////////////

#if CYTHON_USE_TYPE_SPECS
#if CYTHON_COMPILING_IN_LIMITED_API
  #error "extensible cdef classes need the layout of PyHeapTypeObject, which the Limited API does not have; compile this module without Py_LIMITED_API"
#endif
static PyObject *__Pyx_CustomSlots_FromSpec(PyObject *module, PyType_Spec *spec, PyObject *bases, PyTypeObject *metaclass, size_t metaclass_size); /*proto*/
#endif

/////////////// CustomSlotsFromSpec ///////////////
//@requires: CustomSlotsCheckMetaclass

#if CYTHON_USE_TYPE_SPECS
static PyObject *__Pyx_CustomSlots_FromSpec(PyObject *module, PyType_Spec *spec, PyObject *bases, PyTypeObject *metaclass, size_t metaclass_size) {
#if PY_VERSION_HEX >= 0x030C0000
    PyObject *type;
    if (unlikely(__Pyx_CustomSlots_CheckMetaclass(spec->name, metaclass, metaclass_size) < 0)) return NULL;
    metaclass = _PyExtensibleType_CalculateMetaclass(metaclass, NULL, bases);
    if (unlikely(!metaclass)) return NULL;
    type = PyType_FromMetaclass(metaclass, module, spec, bases);
    if (unlikely(!type)) return NULL;
    if (unlikely(_PyExtensibleType_Finish((PyTypeObject *)type) < 0)) Py_CLEAR(type);
    return type;
#else
    (void)module; (void)bases; (void)metaclass; (void)metaclass_size;
    PyErr_Format(PyExc_ImportError,
        "'%.200s' is an extensible cdef class in a module compiled with CYTHON_USE_TYPE_SPECS, which needs CPython 3.12 or later; compile it without",
        spec->name);
    return NULL;
#endif
}
#endif

/////////////// CustomSlotsPublish.proto ///////////////

static int __Pyx_CustomSlots_Publish(PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count); /*proto*/

/////////////// CustomSlotsPublish ///////////////

// A type that stayed plain (see CustomSlotsNewStatic) has nothing to publish.
static int __Pyx_CustomSlots_Publish(PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count) {
    if (!_PyCustomSlots_HasMemory(type) || !_PyExtensibleType_APIOf(Py_TYPE(type))) return 0;
    return _PyExtensibleType_Publish(type, own, count);
}

/////////////// CustomSlotsVtable.proto ///////////////

// What the vtable slot points to. `hashes[i]` covers the first i + 1 methods.
typedef struct {
    size_t size;                // of this struct
    void *vtable;
    size_t n;
    const uint64_t *hashes;
    const char *layout;         // one line a method, types by width
} __Pyx_CustomSlots_VtableData;

static uintptr_t __Pyx_CustomSlots_DescribeVtable(__Pyx_CustomSlots_VtableData *data, void *vtable, const char *name, const char *formats, const unsigned char *widths, uint64_t *hashes, char *layout, size_t layout_size); /*proto*/

/////////////// CustomSlotsVtable ///////////////

// Fills in the widths ('%' in `formats`, one byte each in `widths`), hashes every line,
// and returns the slot ID that belongs to `name`; 0 with an exception.
static uintptr_t __Pyx_CustomSlots_DescribeVtable(__Pyx_CustomSlots_VtableData *data, void *vtable, const char *name, const char *formats, const unsigned char *widths, uint64_t *hashes, char *layout, size_t layout_size) {
    uint64_t hash = 14695981039346656037ull;    // FNV-1a
    size_t used = 0, n = 0;
    for (; *formats; formats++) {
        char text[8];
        int i, length = 1;
        text[0] = *formats;
        if (*formats == '%') length = PyOS_snprintf(text, sizeof(text), "%u", (unsigned)*widths++);
        for (i = 0; i < length; i++) {
            hash = (hash ^ (unsigned char)text[i]) * 1099511628211ull;
            if (used + 1 < layout_size) layout[used++] = text[i];
        }
        if (*formats == '\n') hashes[n++] = hash;
    }
    layout[used] = 0;
    data->size = sizeof(*data);
    data->vtable = vtable;
    data->n = n;
    data->hashes = hashes;
    data->layout = layout;
    return PyCustomSlots_Intern(name);
}
