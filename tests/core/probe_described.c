/* SPDX-License-Identifier: MIT
 *
 * probe_described.c - a metaclass that describes its C fields, of every kind there is.
 *
 *   extensibletype <- RichMeta {level, label, motto, box, ratio, secret}
 *                       <- RicherMeta {extra}
 *                  <- HiddenMeta {note, box, motto}: Python reads none of them, and sets the last
 */
#include "probe.h"

/* A value with hooks: a number on the heap.  Alive boxes are counted, and copying can be
   made to fail. */
typedef struct { long *number; } Box;

static long boxes_alive, copies_until_failure = -1;

/* Boxes are converted and destroyed in any thread. */
static void
count_boxes(long number)
{
#if defined(__GNUC__) || defined(__clang__)
    (void)__atomic_add_fetch(&boxes_alive, number, __ATOMIC_RELAXED);
#else
    boxes_alive += number;
#endif
}

static int
box_set(Box *box, long number)
{
    if (copies_until_failure == 0) {
        PyErr_SetString(PyExc_RuntimeError, "this box cannot be copied");
        return -1;
    }
    if (copies_until_failure > 0) copies_until_failure--;
    if (!(box->number = (long *)PyMem_RawMalloc(sizeof(long)))) {
        PyErr_NoMemory();
        return -1;
    }
    *box->number = number;
    count_boxes(1);
    return 0;
}

static int box_create(void *to) { return box_set((Box *)to, -1); }

static int box_copy(void *to, const void *from) { return box_set((Box *)to, *((const Box *)from)->number); }

static void
box_move(void *to, void *from)
{
    memcpy(to, from, sizeof(Box));
    memset(from, 0xEE, sizeof(Box));       /* nobody may use it any more */
}

static void
box_destroy(void *field)
{
    PyMem_RawFree(((Box *)field)->number);
    count_boxes(-1);
    memset(field, 0xDD, sizeof(Box));
}

static int
box_from_object(void *to, PyObject *value)
{
    long number = PyLong_AsLong(value);
    if (number == -1 && PyErr_Occurred()) return -1;
    return box_set((Box *)to, number);
}

static int
box_from_text(void *to, PyObject *value)
{
    Py_ssize_t length = PyBytes_Size(value);
    return length < 0 ? -1 : box_set((Box *)to, (long)length);
}

static PyObject *box_to_object(const void *field) { return PyLong_FromLong(*((const Box *)field)->number); }

/* A pointer into the object that it was converted from. */
static int
motto_from_object(void *to, PyObject *value)
{
    char *text = PyBytes_AsString(value);
    if (text == NULL) return -1;
    *(const char **)to = text;
    return 0;
}

static PyObject *
motto_to_object(const void *field)
{
    const char *text = *(const char *const *)field;
    if (text == NULL) Py_RETURN_NONE;
    return PyBytes_FromString(text);
}

/* Plain bytes, more than fit on a stack, whose conversion runs Python code: it gives what
   the function gives that set_converter() was given. */
typedef struct { long number, more[15]; } Watched;

static PyObject *converter;

static PyObject *
watched_to_object(const void *field)
{
    return converter != NULL ? PyObject_CallFunction(converter, "l", ((const Watched *)field)->number)
                             : PyLong_FromLong(((const Watched *)field)->number);
}

static int
watched_from_object(void *to, PyObject *value)
{
    ((Watched *)to)->number = PyLong_AsLong(value);
    return ((Watched *)to)->number == -1 && PyErr_Occurred() ? -1 : 0;
}

/* set_converter(function or None) */
static PyObject *
set_converter(PyObject *module, PyObject *function)
{
    PyObject *former = converter;
    converter = function == Py_None ? NULL : function;
    Py_XINCREF(converter);
    Py_XDECREF(former);
    Py_RETURN_NONE;
}

typedef struct {
    PyHeapExtensibleTypeObject base;
    int         level;
    PyObject   *label;
    const char *motto;
    Box         box;
    double      ratio;
    long        secret[2];
    Watched     watched;
} RichMeta;

typedef struct {
    RichMeta  base;
    PyObject *extra;
} RicherMeta;

#define FIELD(S, member, type, flags) \
    #member, (Py_ssize_t)offsetof(S, member), (Py_ssize_t)sizeof(((S *)NULL)->member), type, flags
#define BOTH  (PyExtensibleType_READABLE | PyExtensibleType_WRITABLE)
#define PLAIN NULL, NULL, NULL, NULL, NULL, NULL, NULL

static const PyExtensibleType_Field rich_fields[] = {
    {FIELD(RichMeta, ratio, 4, PyExtensibleType_READABLE), PLAIN},
    {FIELD(RichMeta, level, 1, BOTH), PLAIN},
    {FIELD(RichMeta, label, PyExtensibleType_OBJECT, BOTH), PLAIN},
    {FIELD(RichMeta, motto, PyExtensibleType_OPAQUE, BOTH | PyExtensibleType_KEEP),
     NULL, NULL, NULL, NULL, NULL, motto_from_object, motto_to_object},
    {FIELD(RichMeta, box, PyExtensibleType_OPAQUE, BOTH),
     NULL, box_create, box_copy, box_move, box_destroy, box_from_object, box_to_object},
    {FIELD(RichMeta, watched, PyExtensibleType_OPAQUE, BOTH),
     NULL, NULL, NULL, NULL, NULL, watched_from_object, watched_to_object},
};
static const PyExtensibleType_Field richer_fields[] = {
    {FIELD(RicherMeta, extra, PyExtensibleType_OBJECT, BOTH), PLAIN},
};

static PyHeapTypeObject RichMeta_Type, RicherMeta_Type;

/* rich_metaclasses(): (RichMeta, RicherMeta) */
static PyObject *
rich_metaclasses(PyObject *module, PyObject *ignored)
{
    PyTypeObject *rich, *richer;
    rich = ready_metaclass(&RichMeta_Type, MODULE_STRING(PROBE_NAME) ".RichMeta",
                           PyExtensibleType_Import(), sizeof(RichMeta));
    if (rich == NULL || PyExtensibleType_RegisterFields(rich, rich_fields, 6) < 0) return NULL;
    richer = ready_metaclass(&RicherMeta_Type, MODULE_STRING(PROBE_NAME) ".RicherMeta", rich, sizeof(RicherMeta));
    if (richer == NULL
            || PyExtensibleType_RegisterFields(richer, richer_fields, 1) < 0) return NULL;
    return Py_BuildValue("OO", rich, richer);
}

static RichMeta *
rich(PyObject *cls)
{
    RichMeta *fields = PyType_Check(cls)
        ? (RichMeta *)PyExtensibleType_Fields((PyTypeObject *)cls,
                                              (PyTypeObject *)&RichMeta_Type) : NULL;
    if (fields == NULL) PyErr_Format(PyExc_TypeError, "%R has no memory for RichMeta", cls);
    return fields;
}

/* raw(cls): (level, label, motto, box, ratio, secret[1]) as a C reader sees them */
static PyObject *
raw(PyObject *module, PyObject *cls)
{
    RichMeta *fields = rich(cls);
    if (fields == NULL) return NULL;
    return Py_BuildValue("iOyldl", fields->level, fields->label,
                         fields->motto != NULL ? fields->motto : "", *fields->box.number,
                         fields->ratio, fields->secret[1]);
}

/* read_words(cls, times): reads the fields that are words as C code does that has no lock and no GIL; how often the
   object was missing */
static PyObject *
read_words(PyObject *module, PyObject *args)
{
    PyObject *cls;
    RichMeta *fields;
    int times, missing = 0;
    if (!PyArg_ParseTuple(args, "Oi", &cls, &times) || !(fields = rich(cls))) return NULL;
    Py_BEGIN_ALLOW_THREADS
    while (times-- > 0) {
        missing += _Pycs_LOAD(PyObject *, &fields->label) == NULL;
        (void)_Pycs_LOAD(const char *, &fields->motto);
    }
    Py_END_ALLOW_THREADS
    return PyLong_FromLong(missing);
}

/* set_secret(cls, number): the setter for bytes that nobody described, a part of them */
static PyObject *
set_secret(PyObject *module, PyObject *args)
{
    PyObject *cls;
    long number;
    if (!PyArg_ParseTuple(args, "O!l", &PyType_Type, &cls, &number)) return NULL;
    if (PyExtensibleType_SetField((PyTypeObject *)cls, offsetof(RichMeta, secret) + sizeof(long),
                                  &number, sizeof(number)) < 0) return NULL;
    Py_RETURN_NONE;
}

/* write_level(cls, number), write_label(cls, object): as code does that knows of no setter */
#define WRITER(name, T, format, statement) \
    static PyObject * \
    name(PyObject *module, PyObject *args) \
    { \
        PyObject *cls; \
        RichMeta *fields; \
        T value; \
        if (!PyArg_ParseTuple(args, "O" format, &cls, &value) || !(fields = rich(cls))) return NULL; \
        statement; \
        Py_RETURN_NONE; \
    }
WRITER(write_level, int, "i", fields->level = value)
WRITER(write_label, PyObject *, "O", Py_XSETREF(fields->label, Py_NewRef(value)))

static Py_ssize_t
offset_of(const char *name)
{
    size_t i;
    for (i = 0; i < sizeof(rich_fields) / sizeof(rich_fields[0]); i++) {
        if (strcmp(rich_fields[i].name, name) == 0) return rich_fields[i].offset;
    }
    return (Py_ssize_t)offsetof(RichMeta, secret);
}

/* set_c_field(cls, "ratio" or "box", value): PyExtensibleType_SetField() with a C value */
static PyObject *
set_c_field(PyObject *module, PyObject *args)
{
    PyObject *cls, *value;
    const char *name;
    Py_ssize_t offset;
    int status;
    if (!PyArg_ParseTuple(args, "O!sO", &PyType_Type, &cls, &name, &value)) return NULL;
    offset = offset_of(name);
    if (strcmp(name, "ratio") == 0) {
        double ratio = PyFloat_AsDouble(value);
        status = PyExtensibleType_SetField((PyTypeObject *)cls, offset, &ratio, sizeof(ratio));
    }
    else {
        Box box = {NULL};
        if (box_from_object(&box, value) < 0) return NULL;
        status = PyExtensibleType_SetField((PyTypeObject *)cls, offset, &box, sizeof(box));
        box_destroy(&box);
    }
    if (status < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
delete_field(PyObject *module, PyObject *args)
{
    PyObject *cls;
    const char *name;
    if (!PyArg_ParseTuple(args, "O!s", &PyType_Type, &cls, &name)) return NULL;
    if (PyExtensibleType_DeleteField((PyTypeObject *)cls, offset_of(name)) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
own_field(PyObject *module, PyObject *args)
{
    PyObject *cls;
    const char *name;
    Py_ssize_t offset;
    if (!PyArg_ParseTuple(args, "O!s", &PyType_Type, &cls, &name)) return NULL;
    offset = offset_of(name);
    if (_Pycs_MarkFields((PyTypeObject *)cls, &offset, 1) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *alive_boxes(PyObject *module, PyObject *ignored) { return PyLong_FromLong(boxes_alive); }

/* fail_copies(n): the n-th copy from now on fails, and all after it; -1: none */
static PyObject *
fail_copies(PyObject *module, PyObject *number)
{
    copies_until_failure = PyLong_AsLong(number);
    if (copies_until_failure == -1 && PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

typedef struct {
    PyHeapExtensibleTypeObject base;
    PyObject   *note;
    Box         box;
    const char *motto;
} HiddenMeta;

static const PyExtensibleType_Field hidden_fields[] = {
    {FIELD(HiddenMeta, note, PyExtensibleType_OBJECT, 0), PLAIN},
    {FIELD(HiddenMeta, box, PyExtensibleType_OPAQUE, 0),
     NULL, box_create, box_copy, box_move, box_destroy, NULL, NULL},
    {FIELD(HiddenMeta, motto, PyExtensibleType_OPAQUE,
           PyExtensibleType_WRITABLE | PyExtensibleType_KEEP),
     NULL, NULL, NULL, NULL, NULL, motto_from_object, NULL},
};

static PyHeapTypeObject HiddenMeta_Type;

static PyObject *
hidden_metaclass(PyObject *module, PyObject *ignored)
{
    PyTypeObject *hidden = ready_metaclass(&HiddenMeta_Type, MODULE_STRING(PROBE_NAME) ".HiddenMeta",
                                           PyExtensibleType_Import(), sizeof(HiddenMeta));
    if (hidden == NULL || PyExtensibleType_RegisterFields(hidden, hidden_fields, 3) < 0) return NULL;
    return Py_NewRef((PyObject *)hidden);
}

/* hidden(cls): (note, box, motto) as a C reader sees them */
static PyObject *
hidden(PyObject *module, PyObject *cls)
{
    HiddenMeta *fields = PyType_Check(cls)
        ? (HiddenMeta *)PyExtensibleType_Fields((PyTypeObject *)cls,
                                                (PyTypeObject *)&HiddenMeta_Type) : NULL;
    if (fields == NULL) return PyErr_Format(PyExc_TypeError, "%R has no such memory", cls);
    return Py_BuildValue("Oly", fields->note, *fields->box.number, fields->motto != NULL ? fields->motto : "");
}

/* set_hidden(cls, note, box) */
static PyObject *
set_hidden(PyObject *module, PyObject *args)
{
    PyObject *cls, *note, *number;
    Box box = {NULL};
    int status;
    if (!PyArg_ParseTuple(args, "O!OO", &PyType_Type, &cls, &note, &number)
            || box_from_object(&box, number) < 0) return NULL;
    status = PyExtensibleType_SetField((PyTypeObject *)cls, offsetof(HiddenMeta, box), &box, sizeof(box));
    box_destroy(&box);
    if (status < 0 || PyExtensibleType_SetField((PyTypeObject *)cls, offsetof(HiddenMeta, note),
                                                &note, sizeof(note)) < 0) return NULL;
    Py_RETURN_NONE;
}

/* describe(metaclass, [(name, offset, size, type, flags, hooks)]): registers also nonsense */
static PyObject *
describe(PyObject *module, PyObject *args)
{
    PyObject *metaclass, *rows;
    PyExtensibleType_Field fields[8];
    Py_ssize_t i, count;
    if (!PyArg_ParseTuple(args, "O!O!", &PyType_Type, &metaclass, &PyList_Type, &rows)) return NULL;
    memset(fields, 0, sizeof(fields));
    count = PyList_GET_SIZE(rows);
    for (i = 0; i < count && i < 8; i++) {
        int hooks;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(rows, i), "znniIi", &fields[i].name,
                              &fields[i].offset, &fields[i].size, &fields[i].type,
                              &fields[i].flags, &hooks)) return NULL;
        if (hooks & 1) fields[i].create = box_create;
        if (hooks & 2) fields[i].copy = box_copy;
        if (hooks & 4) fields[i].move = box_move, fields[i].destroy = box_destroy;
        if (hooks & 8) fields[i].from_object = box_from_text;
    }
    if (PyExtensibleType_RegisterFields((PyTypeObject *)metaclass, fields, count) < 0) return NULL;
    Py_RETURN_NONE;
}

/* undescribed_metaclass(base=extensibletype): one with room for three words more, ready, but not registered */
static PyObject *
undescribed_metaclass(PyObject *module, PyObject *args)
{
    PyHeapTypeObject *fresh = (PyHeapTypeObject *)guarded_block(sizeof(PyHeapTypeObject));
    PyTypeObject *base = PyExtensibleType_Import();
    if (!PyArg_ParseTuple(args, "|O!", &PyType_Type, &base)) return NULL;
    if (fresh == NULL || !ready_metaclass(
            fresh, "probe.Undescribed", base, (size_t)base->tp_basicsize + 3 * sizeof(void *))) return NULL;
    return Py_NewRef((PyObject *)fresh);
}

PyMethodDef described_methods[] = {
    TAKES_NONE(rich_metaclasses), TAKES_ONE(raw), TAKES_ARGS(read_words), TAKES_ARGS(set_secret),
    TAKES_ARGS(write_level), TAKES_ARGS(write_label), TAKES_ARGS(set_c_field), TAKES_ARGS(delete_field),
    TAKES_ARGS(own_field), TAKES_ONE(set_converter), TAKES_NONE(alive_boxes),
    TAKES_ONE(fail_copies), TAKES_NONE(hidden_metaclass), TAKES_ONE(hidden), TAKES_ARGS(set_hidden),
    TAKES_ARGS(describe), TAKES_ARGS(undescribed_metaclass),
    {NULL, NULL, 0, NULL}
};
