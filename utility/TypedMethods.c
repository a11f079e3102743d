// SPDX-License-Identifier: MIT
//
// What the compiler layer puts into generated C for typed records, besides the text of
// typedmethod.h.  One function a section.

/////////////// TypedMethodsTypes.proto ///////////////

#include <stddef.h>
#include <string.h>

// Codes of types whose width only the C compiler knows.  Whatever its name is, a type that
// makes 1 of 2 is bool.
#define __PYX_CUSTOMSLOTS_TYPED_INTEGER(type) \
    ((type)2 == (type)1 ? PyTypedMethod_BOOL : PyTypedMethod_TYPE_INT(type))
#define __PYX_CUSTOMSLOTS_TYPED_FLOAT(type) \
    (sizeof(type) == sizeof(float) ? PyTypedMethod_F4 : \
     sizeof(type) == sizeof(double) ? PyTypedMethod_F8 : PyTypedMethod_LONG_DOUBLE)

// In C++, -1 may be out of an enum's range, and a scoped enum converts to nothing.
#ifdef __cplusplus
  #include <type_traits>
  #define __PYX_CUSTOMSLOTS_TYPED_ENUM(name) PyTypedMethod_TYPE_INT(std::underlying_type<name>::type)
#else
  #define __PYX_CUSTOMSLOTS_TYPED_ENUM(name) PyTypedMethod_TYPE_INT(name)
#endif

// The flag of functions that need no GIL where an object is of the type that it must be of.
// Where modules keep their types in a module state, the types are found only with the GIL.
#if CYTHON_USE_MODULE_STATE
  #define __PYX_CUSTOMSLOTS_TYPED_NOGIL 0u
#else
  #define __PYX_CUSTOMSLOTS_TYPED_NOGIL PyTypedMethod_NOGIL
#endif

// Where a Cython function has its PyMethodDef: it begins with a PyCFunctionObject, or with
// a PyCMethodObject, which begins with one.
#define __PYX_CUSTOMSLOTS_TYPED_DEF_OFFSET \
    ((Py_ssize_t)(offsetof(__pyx_CyFunctionObject, func) + offsetof(PyCFunctionObject, m_ml)))

/////////////// TypedMethodsDef.proto ///////////////

#ifndef Py_LIMITED_API
// The entry of this name, which is there.
static PyMethodDef *__Pyx_CustomSlots_TypedDef(PyMethodDef *table, const char *name) {
    while (strcmp(table->ml_name, name) != 0) table++;
    return table;
}
#endif

/////////////// TypedMethodsLong.proto ///////////////

#ifndef Py_LIMITED_API

// Stores the signature of more types than a number has room for, once in a process:
// another interpreter's copy of the module finds it there.
static int __Pyx_CustomSlots_TypedLong(uint64_t *signature, const unsigned char *codes, int count) {
    _Pycs_Types types;
    char text[PyTypedMethod_TEXT_SIZE];
    if (*signature != 0) return 0;
    types.count = count;
    memcpy(types.codes, codes, (size_t)count);
    _Pycs_Print(&types, text);
    return PyTypedMethod_Parse(text, signature);
}
#endif
