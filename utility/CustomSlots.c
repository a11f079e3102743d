// SPDX-License-Identifier: MIT
//
// What the compiler layer puts into generated C, besides the text of extensibletype.h.
// One function a section; they call the _PyExtensibleType_* functions of the header.

/////////////// CustomSlotsInit.proto ///////////////

#if !_PyCustomSlots_SUPPORTED
  #error "extensible cdef classes need CPython 3.10 or later: other implementations have no room in their type objects"
#elif CYTHON_COMPILING_IN_LIMITED_API
  #error "extensible cdef classes need the layout of PyHeapTypeObject, which the Limited API does not have; compile this module without Py_LIMITED_API"
#elif CYTHON_USE_TYPE_SPECS && PY_VERSION_HEX < 0x030C0000
  #error "extensible cdef classes as heap types (CYTHON_USE_TYPE_SPECS) need CPython 3.12 or later; compile this module without CYTHON_USE_TYPE_SPECS"
#endif

/////////////// CustomSlotsInit.init ///////////////

// The rendezvous comes before any type import: extensibletype is imported from it.
if (unlikely(!PyExtensibleType_Import())) return -1;

/////////////// CustomSlotsCheckMetaclass.proto ///////////////

static int __Pyx_CustomSlots_CheckMetaclass(PyTypeObject *metaclass, size_t size, const char *user); /*proto*/

/////////////// CustomSlotsCheckMetaclass ///////////////

// Is `metaclass` what `user`, a module or a class, was compiled for? `size` 0: no matter.
static int __Pyx_CustomSlots_CheckMetaclass(PyTypeObject *metaclass, size_t size, const char *user) {
    if (size == 0) return 0;
    if (unlikely(!metaclass)) {
        PyErr_Format(PyExc_SystemError, "the metaclass of '%.200s' is not ready yet; define it further up in the module", user);
        return -1;
    }
    if (unlikely((size_t)metaclass->tp_basicsize != size)) {
        PyErr_Format(PyExc_TypeError,
            "metaclass '%.200s' has size %zd, but '%.200s' was compiled for %zd; recompile it with the current .pxd of the metaclass",
            metaclass->tp_name, metaclass->tp_basicsize, user, (Py_ssize_t)size);
        return -1;
    }
    return 0;
}

/////////////// CustomSlotsMetaclass.proto ///////////////

static int __Pyx_CustomSlots_ReadyMetaclass(PyTypeObject *metaclass, const PyExtensibleType_Field *fields, Py_ssize_t count); /*proto*/

/////////////// CustomSlotsMetaclass ///////////////

// Fields are inherited from now on, and tp_new is that of `type`: a metaclass with its
// own would lock out classes that PyType_FromSpec() makes.
static int __Pyx_CustomSlots_ReadyMetaclass(PyTypeObject *metaclass, const PyExtensibleType_Field *fields, Py_ssize_t count) {
#if CYTHON_USE_TYPE_SPECS
    // Here Cython's tp_new is in the spec, and so in the dict already.
    if (PyObject_DelAttrString((PyObject *)metaclass, "__new__") < 0) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
        PyErr_Clear();
    }
#endif
    return PyExtensibleType_RegisterFields(metaclass, fields, count);
}

/////////////// CustomSlotsField.proto ///////////////

#include <stddef.h>
#include <string.h>

// Where a field lies.  g++ warns of offsetof() in a struct with C++ objects in it.
#ifdef __cplusplus
  #define __PYX_CUSTOMSLOTS_OFFSETOF(type, field) \
      ((Py_ssize_t)((const char *)&((type *)64)->field - (const char *)64))
#else
  #define __PYX_CUSTOMSLOTS_OFFSETOF(type, field) ((Py_ssize_t)offsetof(type, field))
#endif

// Declares `name`, a pointer to memory that Cython's property functions take for an
// instance: they convert a field, and may count references of the instance and lock it.
typedef struct {
    PyObject_HEAD
    int end;
} __Pyx_CustomSlots_Instance;

#ifdef __cplusplus
  #define __PYX_CUSTOMSLOTS_INSTANCE(type, name) \
      alignas(type) unsigned char name##_memory[sizeof(type)]; \
      type *name = (type *)__Pyx_CustomSlots_InitInstance(name##_memory, sizeof(name##_memory));
#else
  #define __PYX_CUSTOMSLOTS_INSTANCE(type, name) \
      type name##_memory; \
      type *name = (type *)__Pyx_CustomSlots_InitInstance(&name##_memory, sizeof(name##_memory));
#endif

static CYTHON_INLINE void *__Pyx_CustomSlots_InitInstance(void *memory, size_t size) {
    // What a static object starts with is different in every CPython.
    __Pyx_CustomSlots_Instance start = {PyObject_HEAD_INIT(&PyBaseObject_Type) 0};
    memset(memory, 0, size);
    memcpy(memory, &start, sizeof(PyObject));
    return memory;
}

/////////////// CustomSlotsCppField.proto ///////////////
//@requires: CustomSlotsField

#ifndef __cplusplus
  #error "a metaclass of this module has C++ objects as fields; compile it as C++ (language=c++)"
#endif
#include <new>
#include <utility>

// How the value of a field that is a C++ object is made, copied, moved and destroyed.
template <class T> struct __Pyx_CustomSlots_Value {
    static int create(void *to) {
        try {
            new (to) T();
        } catch (...) {
            __Pyx_CppExn2PyErr();
            return -1;
        }
        return 0;
    }
    static int copy(void *to, const void *from) {
        try {
            new (to) T(*static_cast<const T *>(from));
        } catch (...) {
            __Pyx_CppExn2PyErr();
            return -1;
        }
        return 0;
    }
    static void move(void *to, void *from) noexcept {
        T *value = static_cast<T *>(from);
        new (to) T(std::move(*value));
        value->~T();
    }
    static void destroy(void *field) {
        static_cast<T *>(field)->~T();
    }
};

// PyExtensibleType_SetField() of whatever makes a T.
template <class T, class Value>
static int __Pyx_CustomSlots_SetValue(PyTypeObject *type, Py_ssize_t offset, const Value &value) {
    try {
        T copy(value);
        return PyExtensibleType_SetField(type, offset, &copy, (Py_ssize_t)sizeof(copy));
    } catch (...) {
        __Pyx_CppExn2PyErr();
        return -1;
    }
}

/////////////// CustomSlotsNewStatic.proto ///////////////

static PyTypeObject *__Pyx_CustomSlots_NewStatic(PyTypeObject *tmpl, PyTypeObject *metaclass, size_t metaclass_size, PyTypeObject *base, PyObject *bases, int automatic); /*proto*/

/////////////// CustomSlotsNewStatic ///////////////
//@requires: CustomSlotsCheckMetaclass

// The type object to use in place of Cython's static one. `automatic`: the class was
// made extensible by --extend-all; where that cannot be, it stays as it is.
static PyTypeObject *__Pyx_CustomSlots_NewStatic(PyTypeObject *tmpl, PyTypeObject *metaclass, size_t metaclass_size, PyTypeObject *base, PyObject *bases, int automatic) {
    PyTypeObject *winner;
    if (unlikely(__Pyx_CustomSlots_CheckMetaclass(metaclass, metaclass_size, tmpl->tp_name) < 0)) return NULL;
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

/////////////// CustomSlotsFromSpec.proto ///////////////

#if CYTHON_USE_TYPE_SPECS
static PyObject *__Pyx_CustomSlots_FromSpec(PyObject *module, PyType_Spec *spec, PyObject *bases, PyTypeObject *metaclass, size_t metaclass_size); /*proto*/
#endif

/////////////// CustomSlotsFromSpec ///////////////
//@requires: CustomSlotsCheckMetaclass

#if CYTHON_USE_TYPE_SPECS
// PyType_FromModuleAndSpec() with a metaclass, which PyType_FromMetaclass() is from
// CPython 3.12 on; CustomSlotsInit refuses older ones.
static PyObject *__Pyx_CustomSlots_FromSpec(PyObject *module, PyType_Spec *spec, PyObject *bases, PyTypeObject *metaclass, size_t metaclass_size) {
    PyObject *type;
    if (unlikely(__Pyx_CustomSlots_CheckMetaclass(metaclass, metaclass_size, spec->name) < 0)) return NULL;
    metaclass = _PyExtensibleType_CalculateMetaclass(metaclass, NULL, bases);
    if (unlikely(!metaclass)) return NULL;
    type = PyType_FromMetaclass(metaclass, module, spec, bases);
    if (unlikely(!type)) return NULL;
    // Before any field is set: it fills in those that nobody wrote to.
    if (unlikely(_PyExtensibleType_Finish((PyTypeObject *)type) < 0)) Py_CLEAR(type);
    return type;
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

#include <stdint.h>

// What the vtable slot points to. `hashes[i]` covers the first i + 1 methods.
typedef struct {
    size_t size;                // of this struct
    void *vtable;
    size_t n;
    const uint64_t *hashes;
    const char *layout;         // one line a method, types by width
} __Pyx_CustomSlots_VtableData;

// The numbers of a signature: a width in bytes, for an integer type with 'i' or 'u'.
#define __PYX_CUSTOMSLOTS_WIDTH(type) ((unsigned int)sizeof(type))
#define __PYX_CUSTOMSLOTS_INTEGER(type) \
    ((unsigned int)sizeof(type) | (unsigned int)((type)-1 > (type)0 ? 'u' : 'i') << 24)

static uintptr_t __Pyx_CustomSlots_DescribeVtable(__Pyx_CustomSlots_VtableData *data, void *vtable, const char *name, const char *signatures, const unsigned int *numbers, uint64_t *hashes, char *layout, size_t layout_size); /*proto*/

/////////////// CustomSlotsVtable ///////////////

// Writes the numbers into the signatures ('%', one line a method), hashes every line, and
// returns the slot ID that belongs to `name`; 0 with an exception.
static uintptr_t __Pyx_CustomSlots_DescribeVtable(__Pyx_CustomSlots_VtableData *data, void *vtable, const char *name, const char *signatures, const unsigned int *numbers, uint64_t *hashes, char *layout, size_t layout_size) {
    uint64_t hash = ((uint64_t)0xCBF29CE4u << 32) | 0x84222325u;          // FNV-1a
    const uint64_t prime = ((uint64_t)0x100u << 32) | 0x1B3u;
    size_t used = 0, n = 0;
    for (; *signatures; signatures++) {
        char text[16];
        int i, length = 0;
        if (*signatures == '%') {
            if (*numbers >> 24) text[length++] = (char)(*numbers >> 24);
            length += PyOS_snprintf(text + length, sizeof(text) - 1, "%u", *numbers++ & 0xFFFFFFu);
        } else {
            text[length++] = *signatures;
        }
        for (i = 0; i < length; i++) {
            hash = (hash ^ (unsigned char)text[i]) * prime;
            if (used + 1 < layout_size) layout[used++] = text[i];
        }
        if (*signatures == '\n') hashes[n++] = hash;
    }
    layout[used] = 0;
    data->size = sizeof(*data);
    data->vtable = vtable;
    data->n = n;
    data->hashes = hashes;
    data->layout = layout;
    return PyCustomSlots_Intern(name);
}
