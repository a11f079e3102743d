/* SPDX-License-Identifier: MIT
 *
 * _typedarray/numpy.h - NumPy's arrays, by its struct, and the types of their items.
 * Included by typedarray.h; not for direct use.
 */

/* The fields of an array and of its dtype that NumPy promises to compiled modules, from 1.7 to 2.x, behind the head. */
typedef struct {
    char       *data;
    int         nd;
    Py_ssize_t *dimensions;
    Py_ssize_t *strides;        /* in bytes */
    PyObject   *base;
    PyObject   *descr;
    int         flags;
} _Pycs_NumPy;

typedef struct {
    PyTypeObject *typeobj;
    char kind, type, byteorder, former_flags;
    int  type_num;
} _Pycs_NumPyDescr;

#define _Pycs_NUMPY_ANY_ORDER     0x0
#define _Pycs_NUMPY_C_CONTIGUOUS  0x1
#define _Pycs_NUMPY_F_CONTIGUOUS  0x2
#define _Pycs_NUMPY_ALIGNED       0x100
#define _Pycs_NUMPY_WRITEABLE     0x400
#define _Pycs_NUMPY_WARN_ON_WRITE (-0x7FFFFFFF - 1)     /* bit 31: counts as read-only */

#define _Pycs_NUMPY_REGISTERED    256       /* the first number of a type that others have registered */

/* numpy.ndarray, once an object of it was seen; a static type, which lives as long as the process. */
static PyTypeObject *_Pycs_ndarray = NULL;

/* The object with this name in a module that is imported already, a new reference.  NULL, without an
   exception: there is none, or the module is half imported. */
_Pycs_SLOW PyObject *
_Pycs_Imported(const char *module, const char *name)
{
    PyObject *key = PyUnicode_FromString(module);
    PyObject *found = key != NULL ? PyImport_GetModule(key) : NULL;
    PyObject *value = found != NULL ? PyObject_GetAttrString(found, name) : NULL;
    Py_XDECREF(key);
    Py_XDECREF(found);
    if (value == NULL) PyErr_Clear();
    return value;
}

/* Is the object that Imported() finds this one? */
_Pycs_SLOW int
_Pycs_IsImported(const char *module, const char *name, const void *object)
{
    PyObject *found = _Pycs_Imported(module, name);
    Py_XDECREF(found);
    return found != NULL && (const void *)found == object;
}

/* Does this static type, which calls itself numpy.ndarray, belong to a NumPy whose structs we know?
   The table that NumPy gives to compiled modules says so: it begins with a function that returns the
   version of NumPy's structs, and has the type at index 2. */
_Pycs_SLOW int
_Pycs_IsKnownNumPy(PyTypeObject *type)
{
    static const char *const modules[] = {"numpy._core._multiarray_umath", "numpy.core._multiarray_umath"};
    int i, known = 0;
    for (i = 0; i < 2 && !known; i++) {
        PyObject *table = _Pycs_Imported(modules[i], "_ARRAY_API");
        if (table != NULL && PyCapsule_IsValid(table, NULL)) {
            void **api = (void **)PyCapsule_GetPointer(table, NULL);
            if (api[0] != NULL && api[2] == (void *)type) {
                const unsigned version = ((unsigned (*)(void))(uintptr_t)api[0])();
                known = (version >> 24) == 1 || (version >> 24) == 2;
            }
        }
        Py_XDECREF(table);
    }
    if (known) _Pycs_STORE(PyTypeObject *, &_Pycs_ndarray, type);
    return known;
}

/* numpy.ndarray, if this type is numpy.ndarray or derives from it; else NULL. */
_Pycs_NOINLINE static PyTypeObject *
_Pycs_NumPyBase(PyTypeObject *type)
{
    PyTypeObject *known = _Pycs_LOAD(PyTypeObject *, &_Pycs_ndarray);
#ifdef Py_LIMITED_API
    if (_Pycs_Head() < 0) {             /* and types have no tp_name, either */
        PyObject *ndarray = _Pycs_Imported("numpy", "ndarray");
        known = ndarray != NULL && PyType_Check(ndarray) && PyType_IsSubtype(type, (PyTypeObject *)ndarray)
                ? (PyTypeObject *)ndarray : NULL;
        Py_XDECREF(ndarray);            /* `type` holds it */
        return known;
    }
#endif
    for (; _Pycs_BASE(type) != NULL; type = _Pycs_BASE(type)) {           /* not `object` */
        if (type == known) return type;
        if (known == NULL && !(_Pycs_FLAGS(type) & Py_TPFLAGS_HEAPTYPE) && _Pycs_TP_NAME(type)[0] == 'n'
                && strcmp(_Pycs_TP_NAME(type), "numpy.ndarray") == 0) return type;
    }
    return NULL;
}

#define _Pycs_OTHER_ORDER (PY_LITTLE_ENDIAN ? '>' : '<')

/* The type of the items; bits 0: none of NumPy's own numbers, or in the other byte order. */
_Pycs_FAST DLDataType
_Pycs_TypeOfNumPy(const _Pycs_NumPy *array)
{
    static const DLDataType types[24] = {           /* by type_num; bits 0: not ours */
        {kDLBool, 8, 1}, {kDLInt, 8, 1}, {kDLUInt, 8, 1},
        {_Pycs_INT(short), 1}, {_Pycs_UINT(short), 1},
        {_Pycs_INT(int), 1}, {_Pycs_UINT(int), 1},
        {_Pycs_INT(long), 1}, {_Pycs_UINT(long), 1}, {kDLInt, 64, 1}, {kDLUInt, 64, 1},
        {kDLFloat, 32, 1}, {kDLFloat, 64, 1}, {kDLFloat, 8 * sizeof(long double), 1},
        {kDLComplex, 64, 1}, {kDLComplex, 128, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0},
        {0, 0, 0}, {0, 0, 0}, {kDLFloat, 16, 1}};
    const _Pycs_NumPyDescr *descr = (const _Pycs_NumPyDescr *)_Pycs_BEHIND_HEAD(array->descr);
    return types[(unsigned)descr->type_num < 24 && descr->byteorder != _Pycs_OTHER_ORDER ? descr->type_num : 16];
}

/* The same for a type that ml_dtypes has registered with NumPy, where an item takes at least a byte. */
_Pycs_SLOW DLDataType
_Pycs_TypeOfRegistered(const _Pycs_NumPyDescr *descr)
{
    static const DLDataType none = {0, 0, 0}, types[] = {
        {kDLBfloat, 16, 1}, {kDLFloat8_e3m4, 8, 1}, {kDLFloat8_e4m3, 8, 1}, {kDLFloat8_e4m3b11fnuz, 8, 1},
        {kDLFloat8_e4m3fn, 8, 1}, {kDLFloat8_e4m3fnuz, 8, 1}, {kDLFloat8_e5m2, 8, 1}, {kDLFloat8_e5m2fnuz, 8, 1},
        {kDLFloat8_e8m0fnu, 8, 1}, {kDLFloat6_e2m3fn, 6, 1}, {kDLFloat6_e3m2fn, 6, 1}, {kDLFloat4_e2m1fn, 4, 1},
        {kDLInt, 4, 1}, {kDLUInt, 4, 1}, {kDLInt, 2, 1}, {kDLUInt, 2, 1}, {kDLInt, 1, 1}, {kDLUInt, 1, 1},
        {kDLComplex, 32, 1}};
    const char *full = _Pycs_TP_NAME(descr->typeobj), *dot = strrchr(full, '.'), *name = dot != NULL ? dot + 1 : full;
    char buffer[48];
    size_t i;
    for (i = 0; i < sizeof(types) / sizeof(*types) && descr->byteorder != _Pycs_OTHER_ORDER; i++) {
        if (strcmp(_Pycs_TypeName(types[i], buffer), name) == 0) {
            return _Pycs_IsImported("ml_dtypes", name, descr->typeobj) ? types[i] : none;
        }
    }
    return none;
}

/* TypeError for items that DLPack's types cannot express, or in the other byte order. */
_Pycs_SLOW int
_Pycs_RefuseNumPyItems(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    PyObject *const of = ((const _Pycs_NumPy *)_Pycs_BEHIND_HEAD(obj))->descr;
    const _Pycs_NumPyDescr *descr = (const _Pycs_NumPyDescr *)_Pycs_BEHIND_HEAD(of);
    return _Pycs_Fail(a, PyUnicode_FromFormat(
        "a '%.200s' of %S, %s", _Pycs_TP_NAME(_Pycs_OB_TYPE(obj)), of,
        descr->byteorder == _Pycs_OTHER_ORDER ? "whose bytes are in the other order"
            : descr->type_num < _Pycs_NUMPY_REGISTERED ? "which is no type of numbers that DLPack has"
            : "which is no type of ml_dtypes that DLPack has"), spec,
        "; convert it, with numpy.asarray(x, dtype) for example");
}

_Pycs_FAST int
_Pycs_IsReadonlyNumPy(const _Pycs_NumPy *array)
{
    return (array->flags & (_Pycs_NUMPY_WRITEABLE | _Pycs_NUMPY_WARN_ON_WRITE)) != _Pycs_NUMPY_WRITEABLE;
}

static const DLDevice _Pycs_cpu = {kDLCPU, 0};

/* An object of numpy.ndarray or a class below it. */
_Pycs_NOINLINE static int
_Pycs_FromAnyNumPy(PyTypedArray *a, PyObject *obj, const PyTypedArray_Spec *spec)
{
    const _Pycs_NumPy *array = (const _Pycs_NumPy *)_Pycs_BEHIND_HEAD(obj);
    int i;
    a->held = _Pycs_HOLDS_NOTHING;
    a->dtype = _Pycs_TypeOfNumPy(array);
    if (a->dtype.bits == 0) {
        const _Pycs_NumPyDescr *descr = (const _Pycs_NumPyDescr *)_Pycs_BEHIND_HEAD(array->descr);
        if (descr->type_num >= _Pycs_NUMPY_REGISTERED) a->dtype = _Pycs_TypeOfRegistered(descr);
        if (a->dtype.bits == 0) return _Pycs_RefuseNumPyItems(a, obj, spec);
    }
    a->ndim = array->nd;
    if (a->ndim > PyTypedArray_MAX_NDIM) return _Pycs_RefuseArray(a, obj, spec, _Pycs_BAD_NDIM);
    for (i = 0; i < a->ndim; i++) {
        a->shape[i] = array->dimensions[i];
        a->strides[i] = array->strides[i];
    }
    a->data = array->data;
    a->itemsize = (a->dtype.bits + 7) / 8;
    a->device = _Pycs_cpu;
    a->readonly = _Pycs_IsReadonlyNumPy(array);
    _Pycs_HoldObject(a, obj);
    return _Pycs_Accept(a, obj, spec);
}
