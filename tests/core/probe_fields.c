/* SPDX-License-Identifier: MIT
 *
 * probe_fields.c - metaclasses with C fields, as a C author writes them.
 *
 *   extensibletype <- NumberMeta {number, text} <- RealMeta {real}
 *                  <- OtherMeta {number}
 */
#include "probe.h"

typedef struct {
    PyHeapExtensibleTypeObject base;
    long        number;
    const char *text;
} NumberMeta;

typedef struct {
    NumberMeta base;
    double     real;
} RealMeta;

typedef struct {
    PyHeapExtensibleTypeObject base;
    long other;
} OtherMeta;

static PyHeapTypeObject NumberMeta_Type, RealMeta_Type, OtherMeta_Type;

/* Like the tp_new that Cython writes for a metaclass: none of its own business. */
static PyObject *
new_like_cython(PyTypeObject *metaclass, PyObject *args, PyObject *kwargs)
{
    return PyType_Type.tp_new(metaclass, args, kwargs);
}

/* Like the tp_dealloc that Cython writes: it goes on with the base's. */
static void chained_dealloc(PyObject *self) { ((PyTypeObject *)&OtherMeta_Type)->tp_base->tp_dealloc(self); }

/* Readies one of the static metaclasses below a heap type, as Cython does. */
PyTypeObject *
ready_metaclass(PyHeapTypeObject *heap, const char *name, PyTypeObject *base, size_t size)
{
    PyTypeObject *type = (PyTypeObject *)heap;
    int enabled, status;
    if (base == NULL || (type->tp_flags & Py_TPFLAGS_READY)) return base != NULL ? type : NULL;
    memcpy((void *)type, (const void *)static_head, sizeof(static_head));
    type->tp_name = name;
    type->tp_basicsize = (Py_ssize_t)size;
    type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_IMMUTABLETYPE;
    type->tp_new = new_like_cython;
    if (heap == &OtherMeta_Type) type->tp_dealloc = chained_dealloc;
    Py_INCREF((PyObject *)base);
    type->tp_base = base;
    enabled = PyGC_Disable();
    status = PyType_Ready(type);
    type->tp_flags &= ~Py_TPFLAGS_HEAPTYPE;
    if (enabled) PyGC_Enable();
    return status < 0 ? NULL : type;
}

static PyTypeObject *
plain_metaclass(PyHeapTypeObject *heap, const char *name, PyTypeObject *base, size_t size)
{
    PyTypeObject *type = ready_metaclass(heap, name, base, size);
    return type != NULL && PyExtensibleType_InheritFields(type) < 0 ? NULL : type;
}

static PyTypeObject *
number_meta(void)
{
    return plain_metaclass(&NumberMeta_Type, MODULE_STRING(PROBE_NAME) ".NumberMeta",
                           PyExtensibleType_Import(), sizeof(NumberMeta));
}

/* metaclasses(): (NumberMeta, RealMeta, OtherMeta) */
static PyObject *
metaclasses(PyObject *module, PyObject *ignored)
{
    PyTypeObject *number = number_meta(), *real, *other;
    real = plain_metaclass(&RealMeta_Type, MODULE_STRING(PROBE_NAME) ".RealMeta", number, sizeof(RealMeta));
    other = plain_metaclass(&OtherMeta_Type, MODULE_STRING(PROBE_NAME) ".OtherMeta",
                            real != NULL ? PyExtensibleType_Import() : NULL,
                            sizeof(OtherMeta));
    if (other == NULL) return NULL;
    return Py_BuildValue("OOO", number, real, other);
}

/* The type object if it has the memory of this metaclass, NULL + TypeError if not. */
static void *
with_memory(PyObject *cls, PyHeapTypeObject *metaclass)
{
    if (PyType_Check(cls) && _Pycs_HasMemory((PyTypeObject *)cls)
            && PyType_IsSubtype(Py_TYPE(cls), (PyTypeObject *)metaclass)) {
        return cls;
    }
    PyErr_Format(PyExc_TypeError, "%R has no memory for the fields of %s", cls,
                 ((PyTypeObject *)metaclass)->tp_name);
    return NULL;
}

#define READ(name, S, make) \
    static PyObject * \
    name(PyObject *module, PyObject *cls) \
    { \
        S *type = (S *)with_memory(cls, &S##_Type); \
        (void)module; \
        return type != NULL ? make : NULL; \
    }

READ(number, NumberMeta, PyLong_FromLong(type->number))
READ(text, NumberMeta, Py_BuildValue("y", type->text))
READ(real, RealMeta, PyFloat_FromDouble(type->real))

/* set_fields(cls, number, text): writes the memory, as a provider does */
static PyObject *
set_fields(PyObject *module, PyObject *args)
{
    PyObject *cls;
    long value;
    const char *words;
    NumberMeta *type;
    if (!PyArg_ParseTuple(args, "Oly", &cls, &value, &words)
            || !(type = (NumberMeta *)with_memory(cls, &NumberMeta_Type))) return NULL;
    type->number = value;
    if (!(type->text = keep_name(words))) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
set_real(PyObject *module, PyObject *args)
{
    PyObject *cls;
    double value;
    RealMeta *type;
    if (!PyArg_ParseTuple(args, "Od", &cls, &value)
            || !(type = (RealMeta *)with_memory(cls, &RealMeta_Type))) return NULL;
    type->real = value;
    Py_RETURN_NONE;
}

/* publish(cls): as generated code does */
static PyObject *
publish(PyObject *module, PyObject *cls)
{
    if (publish_type((PyTypeObject *)cls, NULL, 0) < 0) return NULL;
    Py_RETURN_NONE;
}

/* A static type object of the metaclass's struct, with fields, readied as SEP 200 has
   it: ready_with_fields(name, bases, number, text, pointers in an instance) */
static PyObject *
ready_with_fields(PyObject *module, PyObject *args)
{
    const char *name, *words;
    PyObject *bases;
    long value;
    Py_ssize_t pointers = 1;
    NumberMeta *type;
    PyTypeObject *t, *metaclass = number_meta();

    if (metaclass == NULL) return NULL;
    if (!PyArg_ParseTuple(args, "sO!ly|n", &name, &PyTuple_Type, &bases, &value, &words, &pointers)) return NULL;
    if (!(type = (NumberMeta *)guarded_block(sizeof(NumberMeta)))) return NULL;
    t = (PyTypeObject *)type;
    memcpy((void *)t, (const void *)static_head, sizeof(static_head));
    Py_SET_TYPE((PyObject *)t, metaclass);
    t->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    if (PyTuple_GET_SIZE(bases) > 0) t->tp_base = (PyTypeObject *)PyTuple_GET_ITEM(bases, 0);
    else {
        t->tp_basicsize = (Py_ssize_t)sizeof(PyObject) + pointers * (Py_ssize_t)sizeof(void *);
        t->tp_new = PyType_GenericNew;
    }
    type->number = value;
    if (!(t->tp_name = keep_name(name)) || !(type->text = keep_name(words))) return NULL;
    if (PyExtensibleType_Ready((PyHeapExtensibleTypeObject *)type, 0) < 0) return NULL;
    return Py_NewRef((PyObject *)t);
}

PyMethodDef fields_methods[] = {
    TAKES_NONE(metaclasses), TAKES_ONE(number), TAKES_ONE(text), TAKES_ONE(real), TAKES_ARGS(set_fields),
    TAKES_ARGS(set_real), TAKES_ONE(publish), TAKES_ARGS(ready_with_fields),
    {NULL, NULL, 0, NULL}
};
