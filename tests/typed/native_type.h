/* SPDX-License-Identifier: MIT
 *
 * native_type.h - a type whose instances have a native call: with a slot in the type, and on PyPy,
 * whose types have no room for one, with a registered one.
 */
#ifndef NATIVE_TYPE_H
#define NATIVE_TYPE_H

#include <Python.h>
#ifndef PYPY_VERSION
#  include "extensibletype.h"
#endif
#include "typedmethod.h"

static PyObject *
make_native_type(PyObject *module, PyType_Spec *spec, Py_ssize_t offset)
{
    PyCustomSlot slot;
    slot.id = PyTypedMethod_NATIVE_CALL;
    slot.data.flags = 0;
    slot.data.objoffset = offset;
#ifdef PYPY_VERSION
    {
        PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
        if (type != NULL && PyCustomSlots_Register((PyTypeObject *)type, &slot) < 0) Py_CLEAR(type);
        return type;
    }
#else
    return PyExtensibleType_FromSpec(NULL, module, spec, NULL, &slot, 1);
#endif
}

#endif /* NATIVE_TYPE_H */
