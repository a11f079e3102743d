/* SPDX-License-Identifier: MIT
 *
 * vector.c - a class of C whose objects are arrays, compiled as C and as C++.  What stands between
 * the marks is in docs/arrays.md.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* [vector.begin] */
#include "typedarray_provide.h"

typedef struct {
    PyObject_HEAD
    double *items;
    int64_t length, stride;
} Vector;

static int                                      /* 0, or -1 with an exception */
vector_fill(PyObject *self, DLTensor *tensor, uint64_t *flags)
{
    Vector *vector = (Vector *)self;
    (void)flags;                                /* DLPACK_FLAG_BITMASK_READ_ONLY, if that is so */
    tensor->data = vector->items;
    tensor->dtype.code = kDLFloat;
    tensor->dtype.bits = 64;
    tensor->dtype.lanes = 1;
    tensor->ndim = 1;
    tensor->shape = &vector->length;
    tensor->strides = &vector->stride;          /* counts items, as all of DLPack */
    return 0;
}
PyTypedArray_PROVIDER(vector_array, vector_fill)
/* [vector.end] */

static PyObject *
vector_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t length, i;
    Vector *self;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "n", &length) || !(self = (Vector *)type->tp_alloc(type, 0))) return NULL;
    self->items = (double *)malloc(sizeof(double) * (size_t)(length > 0 ? length : 1));
    self->length = length;
    self->stride = 1;
    for (i = 0; i < length; i++) self->items[i] = (double)i;
    return (PyObject *)self;
}

static void
vector_dealloc(PyObject *self)
{
    free(((Vector *)self)->items);
    Py_TYPE(self)->tp_free(self);
}

static PyTypeObject VectorType, BelowType;

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "vector", NULL, -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC
PyInit_vector(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) return NULL;
#ifdef Py_GIL_DISABLED
    if (PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED) < 0) return NULL;
#endif
    Py_SET_REFCNT((PyObject *)&VectorType, 1);
    Py_SET_REFCNT((PyObject *)&BelowType, 1);
    VectorType.tp_name = "vector.Vector";
    VectorType.tp_basicsize = sizeof(Vector);
    VectorType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    VectorType.tp_new = vector_new;
    VectorType.tp_dealloc = vector_dealloc;
    BelowType.tp_name = "vector.Below";
    BelowType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    BelowType.tp_base = &VectorType;
    if (PyType_Ready(&VectorType) < 0) return NULL;
    /* [provide.begin] */
    if (PyTypedArray_Provide(&VectorType, &vector_array) < 0) return NULL;      /* when it is ready */
    /* [provide.end] */
    if (PyType_Ready(&BelowType) < 0) return NULL;
    Py_INCREF(&VectorType);
    Py_INCREF(&BelowType);
    if (PyModule_AddObject(module, "Vector", (PyObject *)&VectorType) < 0
            || PyModule_AddObject(module, "Below", (PyObject *)&BelowType) < 0) return NULL;
    return module;
}
