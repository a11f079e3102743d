// SPDX-License-Identifier: MIT
//
// What the compiler layer puts into generated C, besides the text of extensibletype.h.
// One function a section; they call the _Pycs_* functions of the header.

/////////////// CustomSlotsInit.proto ///////////////

// Where there is no room for what extensible classes need, classes that only --extend-all extends
// are left as Cython makes them, and so are classes on PyPy that have nothing but interfaces,
// whose tables are registered there; others are an error.
#if _Pycs_SUPPORTED && !CYTHON_COMPILING_IN_LIMITED_API && (!CYTHON_USE_TYPE_SPECS || PY_VERSION_HEX >= 0x030C0000)
  #define __PYX_CUSTOMSLOTS_PLAIN 0
#elif defined(_Pycs_OPTIONAL) || (!_Pycs_SUPPORTED && defined(_Pycs_REGISTERED))
  #define __PYX_CUSTOMSLOTS_PLAIN 1
  #if defined(_Pycs_OPTIONAL) && CYTHON_COMPILING_IN_LIMITED_API
    #pragma message("cython-customslots: --extend-all has no effect in this module: the Limited API has no room in type objects; compile it without Py_LIMITED_API")
  #elif defined(_Pycs_OPTIONAL) && _Pycs_SUPPORTED
    #pragma message("cython-customslots: --extend-all has no effect in this module: extensible heap types need CPython 3.12 or later; compile it without CYTHON_USE_TYPE_SPECS")
  #endif
#elif !_Pycs_SUPPORTED
  #define __PYX_CUSTOMSLOTS_PLAIN 1      // extensibletype.h says what is wrong
#elif CYTHON_COMPILING_IN_LIMITED_API
  #error "extensible cdef classes need the layout of PyHeapTypeObject, which the Limited API does not have; compile this module without Py_LIMITED_API"
#else
  #error "extensible cdef classes as heap types (CYTHON_USE_TYPE_SPECS) need CPython 3.12 or later; compile this module without CYTHON_USE_TYPE_SPECS"
#endif

#if !CYTHON_USE_TYPE_SPECS && !__PYX_CUSTOMSLOTS_PLAIN
// What the rendezvous led to in the interpreter that imports this module. Because of the static types Cython lets no
// other interpreter in.
static _Pycs_API *__Pyx_CustomSlots_API = NULL;
#endif

/////////////// CustomSlotsInit.init ///////////////

#if !__PYX_CUSTOMSLOTS_PLAIN
// The rendezvous comes before any type import: extensibletype is imported from it.
{
    _Pycs_API *api = _Pycs_GetAPI();
    if (unlikely(!api)) return -1;
#if !CYTHON_USE_TYPE_SPECS
    __Pyx_CustomSlots_API = api;
#endif
}
#endif

/////////////// CustomSlotsCarry.init ///////////////

#if _Pycs_SUPPORTED
// A module that carries the implementation for others: an import of it makes the rendezvous.
if (unlikely(!_Pycs_GetAPI())) return -1;
#endif

/////////////// CustomSlotsCheckMetaclass.proto ///////////////
//@requires: CustomSlotsInit

#if !__PYX_CUSTOMSLOTS_PLAIN
// What stands for the metaclass of a class that --extend-all extends: None if the class cannot have
// ours, because its base's metaclass is in the way, for example. Then the class stays as it is.
static CYTHON_INLINE PyObject *__Pyx_CustomSlots_OrNone(PyObject *winner, int automatic) {
    if (likely(winner || !automatic || !PyErr_ExceptionMatches(PyExc_TypeError))) return winner;
    PyErr_Clear();
    Py_RETURN_NONE;
}

// Is `metaclass` what `user`, a module or a class, was compiled for? `size` 0: any size. An
// ImportError if not, as for everything that was built for something else than what is there.
static int __Pyx_CustomSlots_CheckMetaclass(PyTypeObject *metaclass, size_t size, const char *user) {
    if (size == 0) return 0;
    if (unlikely(!metaclass)) {
        PyErr_Format(PyExc_SystemError, "the metaclass of '%.200s' is not ready yet; define it further up in the module", user);
        return -1;
    }
    if (unlikely((size_t)metaclass->tp_basicsize != size)) {
        PyErr_Format(PyExc_ImportError,
            "metaclass '%.200s' has size %zd, but '%.200s' was compiled for %zd; recompile it with the current .pxd of the metaclass",
            metaclass->tp_name, metaclass->tp_basicsize, user, (Py_ssize_t)size);
        return -1;
    }
    return 0;
}
#endif

/////////////// CustomSlotsMetaclass.proto ///////////////

// Fields are inherited from now on, and tp_new becomes `type`'s: a metaclass with its own would
// lock out classes that PyType_FromSpec() makes.
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
    // The head of a static object is different in every CPython.
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

// PyExtensibleType_SetField() with any value of which a T can be made.
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

/////////////// CustomSlotsWinner.proto ///////////////
//@requires: CustomSlotsCheckMetaclass

#if !__PYX_CUSTOMSLOTS_PLAIN && !CYTHON_USE_TYPE_SPECS
// The metaclass for a class, or None; a new reference.
static PyObject *__Pyx_CustomSlots_Winner(PyTypeObject *tmpl, PyTypeObject *metaclass, size_t metaclass_size, PyTypeObject *base, PyObject *bases, int automatic) {
    PyTypeObject *winner;
    // Checking the rendezvous again for each class would be a third of what a class costs.
    _Pycs_API *api = __Pyx_CustomSlots_API;
    if (unlikely(__Pyx_CustomSlots_CheckMetaclass(metaclass, metaclass_size, tmpl->tp_name) < 0)) return NULL;
    winner = _Pycs_IMPL(api)->calculate_metaclass(api, metaclass, base, bases);
    Py_XINCREF((PyObject *)winner);
    return __Pyx_CustomSlots_OrNone((PyObject *)winner, automatic);
}
#endif

/////////////// CustomSlotsNewStatic.proto ///////////////
//@requires: CustomSlotsInit

#if __PYX_CUSTOMSLOTS_PLAIN
  #define __Pyx_CustomSlots_NewStatic(tmpl, winner, base, bases) (tmpl)
#elif !CYTHON_USE_TYPE_SPECS
// The type object to use in place of Cython's static one. `winner` is its metaclass, which is
// stolen; None: the type stays as it is; NULL: an exception.
static PyTypeObject *__Pyx_CustomSlots_NewStatic(PyTypeObject *tmpl, PyObject *winner, PyTypeObject *base, PyObject *bases) {
    PyTypeObject *type = tmpl;
    if (unlikely(!winner)) return NULL;
    if (likely(winner != Py_None)) type = _Pycs_NewStatic(tmpl, (PyTypeObject *)winner, base, bases);
    Py_DECREF(winner);
    return type;
}
#endif

/////////////// CustomSlotsCheckBases.proto ///////////////
//@requires: CustomSlotsInit

#if __PYX_CUSTOMSLOTS_PLAIN
  #define __Pyx_CustomSlots_CheckBases(arguments) 0
#else
// Cython tries a class of several bases by calling type(name, bases, dict). Where metaclasses of the bases
// conflict because one is ours, plain Cython would have no conflict: the error says how to avoid it.
static int __Pyx_CustomSlots_CheckBases(PyObject *arguments) {
    PyObject *bases = PyTuple_GET_ITEM(arguments, 1), *first = PyTuple_GET_ITEM(bases, 0), *module;
    PyTypeObject *metaclass = Py_TYPE(first), *root, *other;
    Py_ssize_t i;
    for (i = 1; i < PyTuple_GET_SIZE(bases); i++) {
        other = Py_TYPE(PyTuple_GET_ITEM(bases, i));
        if (PyType_IsSubtype(metaclass, other) || !PyType_IsSubtype(other, &PyType_Type)) continue;
        if (unlikely(!(root = PyExtensibleType_Import()))) return -1;
        if (PyType_IsSubtype(other, metaclass) || !PyType_IsSubtype(metaclass, root)) break;
        if (unlikely(!(module = PyObject_GetAttrString((PyObject *)other, "__module__")))) return -1;
        PyErr_Format(PyExc_TypeError,
            "class '%U': metaclass conflict: its base '%.200s' is extensible, with the metaclass '%.200s', and its base '%.200s' has the metaclass '%.200s'; compile '%.200s' with --metaclass=%S.%.200s, or with the decorator extensible(metaclass=%.200s)",
            PyTuple_GET_ITEM(arguments, 0), ((PyTypeObject *)first)->tp_name, metaclass->tp_name,
            ((PyTypeObject *)PyTuple_GET_ITEM(bases, i))->tp_name, other->tp_name, ((PyTypeObject *)first)->tp_name,
            module, other->tp_name, other->tp_name);
        Py_DECREF(module);
        return -1;
    }
    return 0;
}
#endif

/////////////// CustomSlotsReady.proto ///////////////
//@requires: CustomSlotsInit

#if __PYX_CUSTOMSLOTS_PLAIN || CYTHON_USE_TYPE_SPECS || defined(Py_GIL_DISABLED)
  #define __Pyx_CustomSlots_Ready(type) __Pyx_PyType_Ready(type)
#else
static int __Pyx_CustomSlots_Ready(PyTypeObject *type); /*proto*/
#endif

/////////////// CustomSlotsReady ///////////////

#if !(__PYX_CUSTOMSLOTS_PLAIN || CYTHON_USE_TYPE_SPECS || defined(Py_GIL_DISABLED))
// If the metaclass of a class is not `type`, CPython looks up mro() and calls it; if it is
// `type`, CPython does the work in C, in a third of the time. Our metaclass has the mro() of
// `type`. So the metaclass of the class is `type` until the class is ready, which no code sees:
// the GIL is held, and without the collector nothing runs Python code.
static int __Pyx_CustomSlots_Ready(PyTypeObject *type) {
    PyTypeObject *metaclass = Py_TYPE(type);
    const int hidden = metaclass == __Pyx_CustomSlots_API->metaclass;
    int status, collects = 0;
    if (hidden) {
        collects = PyGC_Disable();
        Py_SET_TYPE((PyObject *)type, &PyType_Type);
    }
    status = __Pyx_PyType_Ready(type);
    if (hidden) Py_SET_TYPE((PyObject *)type, metaclass);
    if (collects) PyGC_Enable();
    return status;
}
#endif

/////////////// CustomSlotsFromSpec.proto ///////////////
//@requires: CustomSlotsCheckMetaclass

#if __PYX_CUSTOMSLOTS_PLAIN
  #define __Pyx_CustomSlots_FromSpec(module, spec, bases, metaclass, metaclass_size) __Pyx_PyType_FromModuleAndSpec(module, spec, bases)
#elif CYTHON_USE_TYPE_SPECS
// PyType_FromModuleAndSpec() with a metaclass, by PyType_FromMetaclass(), which CPython has from
// 3.12 on; CustomSlotsInit refuses older ones.
static PyObject *__Pyx_CustomSlots_FromSpec(PyObject *module, PyType_Spec *spec, PyObject *bases, PyTypeObject *metaclass, size_t metaclass_size) {
    PyObject *type;
    if (unlikely(__Pyx_CustomSlots_CheckMetaclass(metaclass, metaclass_size, spec->name) < 0)) return NULL;
    metaclass = _Pycs_CalculateMetaclass(metaclass, NULL, bases);
    if (unlikely(!metaclass)) return NULL;
    type = PyType_FromMetaclass(metaclass, module, spec, bases);
    if (unlikely(!type)) return NULL;
    // Before any field is set: this fills in the fields that were not written to.
    if (unlikely(_Pycs_Finish((PyTypeObject *)type) < 0)) Py_CLEAR(type);
    return type;
}
#endif

/////////////// CustomSlotsPublish.proto ///////////////
//@requires: CustomSlotsABC

#if !__PYX_CUSTOMSLOTS_PLAIN
// A type that stayed plain (see CustomSlotsNewStatic) has nothing to publish.
static int __Pyx_CustomSlots_Publish(PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count) {
    _Pycs_API *api = _Pycs_HasMemory(type) ? _Pycs_APIOf(Py_TYPE(type)) : NULL;
    if (!api) return 0;
    if (unlikely(_Pycs_IMPL(api)->publish(api, type, own, count) < 0)) return -1;
    return likely(Py_TYPE(type) == api->metaclass) ? 0 : __Pyx_CustomSlots_InitABC(type);
}
#endif

/////////////// CustomSlotsABC.proto ///////////////
//@requires: CustomSlotsInit

#if !__PYX_CUSTOMSLOTS_PLAIN
// ABCMeta.__new__ does not run for a type that is readied in C.  What ABCMeta.__new__ does
// besides making the class is done here, or isinstance() would fail: for ABCMeta and whatever
// derives from it, once for each class.  (A static type refuses new attributes.)
static int __Pyx_CustomSlots_CallABC(PyTypeObject *type, const char *module, const char *function) {
    PyObject *abc = PyImport_ImportModule(module), *result = NULL;
    unsigned long immutable = type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE;
    if (likely(abc)) {
        type->tp_flags &= ~immutable;
        result = PyObject_CallMethod(abc, function, "O", (PyObject *)type);
        type->tp_flags |= immutable;
    }
    Py_XDECREF(abc);
    Py_XDECREF(result);
    return result ? 0 : -1;
}

static int __Pyx_CustomSlots_InitABC(PyTypeObject *type) {
    PyObject *mro = Py_TYPE(type)->tp_mro;
    Py_ssize_t i;
    for (i = 0; mro && i < PyTuple_GET_SIZE(mro); i++) {
        // By name, because most types have no such metaclass and need no import of abc.
        if (strcmp(((PyTypeObject *)PyTuple_GET_ITEM(mro, i))->tp_name, "ABCMeta") == 0) break;
    }
    if (likely(!mro || i == PyTuple_GET_SIZE(mro))) return 0;
    if (PyDict_GetItemString(type->tp_dict, "_abc_impl")) return 0;
    return __Pyx_CustomSlots_CallABC(type, "_abc", "_abc_init");
}
#endif

/////////////// CustomSlotsAnnounce.proto ///////////////
//@requires: CustomSlotsInit

// Tells the bases of a class, whose body is complete, of the class, as type.__new__ does.
static int __Pyx_CustomSlots_Announce(PyTypeObject *type) {
    PyObject *builtins = PyImport_ImportModule("builtins");          // PyPy has no PySuper_Type
    PyObject *above = builtins ? PyObject_CallMethod(builtins, "super", "OO", type, type) : NULL;
    PyObject *result = above ? PyObject_CallMethod(above, "__init_subclass__", NULL) : NULL;
    Py_XDECREF(builtins);
    Py_XDECREF(above);
    Py_XDECREF(result);
    return result ? 0 : -1;
}

/////////////// CustomSlotsTrial.proto ///////////////

typedef struct {
    PyObject_HEAD
    PyObject *owner;
} __Pyx_CustomSlots_TrialEnd;

static PyObject *__Pyx_CustomSlots_EndTrial(PyObject *self, PyObject *arguments) {
    PyObject *owner = PyTuple_GetItem(arguments, 0);
    if (unlikely(!owner)) return NULL;
    Py_INCREF(owner);
    Py_XDECREF(((__Pyx_CustomSlots_TrialEnd *)self)->owner);
    ((__Pyx_CustomSlots_TrialEnd *)self)->owner = owner;
    PyErr_SetNone(PyExc_StopIteration);
    return NULL;
}

// type.__new__(type, name, bases, {}), from which Cython reads the best base. The __set_name__ of an attribute ends
// it when the bases are known, before the __init_subclass__ of a base would hear of the class.
static PyObject *__Pyx_CustomSlots_Trial(PyObject *arguments) {
    static PyMethodDef methods[] = {{"__set_name__", __Pyx_CustomSlots_EndTrial, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, NULL}};
    PyType_Spec spec = {"customslots.trial", (int)sizeof(__Pyx_CustomSlots_TrialEnd), 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *kind = PyType_FromSpec(&spec), *end = kind ? PyObject_CallObject(kind, NULL) : NULL, *made = NULL;
    if (likely(end && PyDict_SetItemString(PyTuple_GetItem(arguments, 2), "customslots_trial", end) == 0)) {
        made = __Pyx_PyType_GetSlot(&PyType_Type, tp_new, newfunc)(&PyType_Type, arguments, NULL);
        if (likely(!made)) made = ((__Pyx_CustomSlots_TrialEnd *)end)->owner;
        if (likely(made)) PyErr_Clear();
    }
    Py_XDECREF(end);
    Py_XDECREF(kind);
    return made;
}

/////////////// CustomSlotsDecorate.proto ///////////////

// A decorator of a cdef class, which must return the class: C code cannot derive from another object.
static int __Pyx_CustomSlots_Decorate(PyTypeObject *type, PyObject *decorator) {
    PyObject *result = PyObject_CallFunctionObjArgs(decorator, (PyObject *)type, NULL);
    if (unlikely(result && result != (PyObject *)type)) {
        PyErr_Format(PyExc_TypeError,
            "decorator %.200R of class '%.200s': found %.200R, expected the class itself, because nothing can take the place of a cdef class; call it in a line of its own",
            decorator, type->tp_name, result);
        Py_CLEAR(result);
    }
    Py_XDECREF(result);
    return result ? 0 : -1;
}

/////////////// CustomSlotsCombinedWinner.proto ///////////////
//@requires: CustomSlotsCheckMetaclass
//@requires: CustomSlotsABC

#if __PYX_CUSTOMSLOTS_PLAIN
  #define __Pyx_CustomSlots_UpdateABC(type) 0
#else
  #if CYTHON_USE_TYPE_SPECS && !defined(_Pycs_OPTIONAL)
    #error "extensible(metaclass=...) needs static types: CPython makes no class from a type spec if the metaclass has a __new__; compile this module without CYTHON_USE_TYPE_SPECS"
  #endif
// Abstract methods, once the class has all of its methods.
static int __Pyx_CustomSlots_UpdateABC(PyTypeObject *type) {
    return PyDict_GetItemString(type->tp_dict, "_abc_impl") ? __Pyx_CustomSlots_CallABC(type, "abc", "update_abstractmethods") : 0;
}

  #if !CYTHON_USE_TYPE_SPECS
// A Python-level metaclass, by module and attributes; a new reference.
static PyObject *__Pyx_CustomSlots_ImportMetaclass(const char *module, const char *attribute, const char *user) {
    PyObject *from = PyImport_ImportModule(module), *operators = from ? PyImport_ImportModule("_operator") : NULL;
    PyObject *getter = operators ? PyObject_CallMethod(operators, "attrgetter", "s", attribute) : NULL;
    PyObject *found = getter ? PyObject_CallFunctionObjArgs(getter, from, NULL) : NULL;
    Py_XDECREF(from);
    Py_XDECREF(operators);
    Py_XDECREF(getter);
    if (found && unlikely(!PyType_Check(found) || !PyType_IsSubtype((PyTypeObject *)found, &PyType_Type))) {
        PyObject *shown = _Pycs_Repr(found);
        if (likely(shown)) {
            PyErr_Format(PyExc_TypeError,
                "metaclass of class '%.200s': found %U, expected a metaclass, a class that derives from type",
                user, shown);
        }
        Py_XDECREF(shown);
        Py_CLEAR(found);
    }
    return found;
}

// __Pyx_CustomSlots_Winner() of a class that has a Python-level metaclass, too.
static PyObject *__Pyx_CustomSlots_CombinedWinner(PyTypeObject *tmpl, PyTypeObject *metaclass, size_t metaclass_size, PyTypeObject *base, PyObject *bases, int automatic, const char *module, const char *attribute) {
    PyObject *all = NULL, *python = NULL, *winner = NULL;
    PyTypeObject *root;
    Py_ssize_t i, n = bases ? PyTuple_GET_SIZE(bases) : base ? 1 : 0;
    char who[300];
    if (unlikely(__Pyx_CustomSlots_CheckMetaclass(metaclass, metaclass_size, tmpl->tp_name) < 0)) goto done;
    if (unlikely(!(python = __Pyx_CustomSlots_ImportMetaclass(module, attribute, tmpl->tp_name)))) goto done;
    if (unlikely(!(root = PyExtensibleType_Import()))) goto done;
    PyOS_snprintf(who, sizeof(who), "metaclass of class '%.200s'", tmpl->tp_name);
    // Whether that metaclass goes with ours is up to the author who named it.
    if (unlikely(!(all = PyTuple_Pack(2, python, metaclass ? (PyObject *)metaclass : (PyObject *)root)))) goto done;
    if (unlikely(!(winner = _Pycs_Combine(all, who)))) goto done;
    Py_CLEAR(all);
    Py_CLEAR(winner);
    if (unlikely(!(all = PyTuple_New(n + 2)))) goto done;
    for (i = 0; i < n + 2; i++) {
        PyObject *item = i == n ? python : i == n + 1 ? (PyObject *)(metaclass ? metaclass : root)
            : (PyObject *)Py_TYPE(bases ? PyTuple_GET_ITEM(bases, i) : (PyObject *)base);
        Py_INCREF(item);
        PyTuple_SET_ITEM(all, i, item);
    }
    winner = __Pyx_CustomSlots_OrNone(_Pycs_Combine(all, who), automatic);
done:
    Py_XDECREF(all);
    Py_XDECREF(python);
    return winner;
}
  #endif
#endif
