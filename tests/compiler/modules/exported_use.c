/* SPDX-License-Identifier: MIT
 *
 * Another file of the module `exported`: it knows nothing of custom slots, and uses the type
 * objects as the generated header declares them.
 */
#include "exported.h"

/* In C++, what Cython declares public is C++; these are asked for by name. */
#ifdef __cplusplus
extern "C" {
#endif
PyObject *exported_use_types(void);
PyObject *exported_use_subclass(void);
int exported_use_which(PyObject *obj);
#ifdef __cplusplus
}
#endif

/* Their addresses are constants. */
static PyTypeObject *const known[] = {
    &ExportedBaseType, &ExportedShapeType, &ExportedBothType, &ExportedAbstractType,
    &ExportedSeveralType
};

PyObject *
exported_use_types(void)
{
    return Py_BuildValue("[OOOOO]", known[0], known[1], known[2], known[3], known[4]);
}

/* The most derived of Base, Shape and Both that an object is an instance of; -1: none. */
int
exported_use_which(PyObject *obj)
{
    int i;
    for (i = 2; i >= 0 && !PyObject_TypeCheck(obj, known[i]); i--) { }
    if (i >= 0 && exported_doubled((struct ExportedBase *)obj) == 0) return -2;
    return i;
}

typedef struct {
    struct ExportedShape shape;
    int more;
} Sub;

static PyTypeObject SubType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    "exported.Sub", sizeof(Sub), 0
};

/* A static type in C, derived from one of them. */
PyObject *
exported_use_subclass(void)
{
    SubType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    SubType.tp_base = &ExportedShapeType;
    if (PyType_Ready(&SubType) < 0) return NULL;
    Py_INCREF((PyObject *)&SubType);
    return (PyObject *)&SubType;
}
