/* SPDX-License-Identifier: MIT
 *
 * typed_probe.c - a test module that shows typedmethod.h to Python: signatures, records of
 * any shape, and callables of every kind that a record may stand behind.
 * typed_calling.c has the C functions, and what calls them, typed_finding.c what finds them.
 */
#include "typed_probe.h"
#include "native_type.h"

/* ---------------------------------------------------------------- signatures -- */

static PyObject *
parse(PyObject *module, PyObject *arg)
{
    uint64_t signature = 77;
    const char *text = arg == Py_None ? NULL : PyUnicode_AsUTF8(arg);
    if (arg != Py_None && text == NULL) return NULL;
    if (PyTypedMethod_Parse(text, &signature) < 0) {
        assert(signature == 0);
        return NULL;
    }
    return PyLong_FromUnsignedLongLong(signature);
}

static PyObject *
format(PyObject *module, PyObject *arg)
{
    unsigned long long signature = PyLong_AsUnsignedLongLong(arg);
    if (PyErr_Occurred()) return NULL;
    return PyTypedMethod_Format((uint64_t)signature);
}

/* intern(name) -> ID */
static PyObject *
intern(PyObject *module, PyObject *arg)
{
    uintptr_t id = PyCustomSlots_Intern(PyUnicode_AsUTF8(arg));
    return id == 0 ? NULL : PyLong_FromUnsignedLongLong(id);
}

/* {text: what the macros make of it when they are compiled} */
static PyObject *
compiled(PyObject *module, PyObject *ignored)
{
#define WRITTEN(text) {#text, PyTypedMethod_SIGNATURE(text)}
    static const struct { const char *text; uint64_t signature; } all[] = {
        WRITTEN(void()), WRITTEN(f8()), WRITTEN(f8(f8)), WRITTEN(f8(f8, i4)),
        WRITTEN(bool(bool)), WRITTEN(object(object, pointer)), WRITTEN(i1(i1, i2, i4, i8)),
        WRITTEN(u1(u1, u2, u4, u8)), WRITTEN(f16(f4, f8, f16)), WRITTEN(c8(c16, c32)),
        WRITTEN(f8(i4, i4, i4, i4, i4, i4, i4, i4, i4, i4, i4)),
        {"l->l", PyTypedMethod_SIGNATURE(long(long))},
        {"inN->b", PyTypedMethod_SIGNATURE(char(int, Py_ssize_t, size_t))},
        {"hf->d", PyTypedMethod_SIGNATURE(double(short, float))},
        {"di->d", PyTypedMethod_SIG(PyTypedMethod_F8, PyTypedMethod_F8,
                                    PyTypedMethod_TYPE_INT(int))},
        {"->v", PyTypedMethod_SIG(PyTypedMethod_VOID)},
        {"bBhHiIlLqQ->", PyTypedMethod_SIG(
            PyTypedMethod_VOID, PyTypedMethod_TYPE_INT(signed char),
            PyTypedMethod_TYPE_INT(unsigned char), PyTypedMethod_TYPE_INT(short),
            PyTypedMethod_TYPE_INT(unsigned short), PyTypedMethod_TYPE_INT(int),
            PyTypedMethod_TYPE_INT(unsigned), PyTypedMethod_TYPE_INT(long),
            PyTypedMethod_TYPE_INT(unsigned long), PyTypedMethod_TYPE_INT(long long),
            PyTypedMethod_TYPE_INT(unsigned long long))},
    };
    PyObject *dict = PyDict_New();
    size_t i;
    for (i = 0; dict != NULL && i < sizeof(all) / sizeof(all[0]); i++) {
        PyObject *number = PyLong_FromUnsignedLongLong(all[i].signature);
        if (number == NULL || PyDict_SetItemString(dict, all[i].text, number) < 0) Py_CLEAR(dict);
        Py_XDECREF(number);
    }
    return dict;
}

/* ------------------------------------------------------------------- records -- */

static void *
function_of(PyObject *name)
{
    const CFunction *f = c_functions;
    if (name == Py_None) return NULL;
    while (f->name != NULL && PyUnicode_CompareWithASCIIString(name, f->name) != 0) f++;
    if (f->name == NULL) PyErr_Format(PyExc_KeyError, "no C function %R", name);
    return f->function;
}

/* A copy that lives as long as the process. */
static char *
keep_name(const char *name)
{
    char *copy = (char *)malloc(strlen(name) + 1);
    if (copy == NULL) Py_FatalError("no memory");
    return strcpy(copy, name);
}

/* record(entries, **what differs): the address of a record that stays.
   entries: [(signature, function or None, flags, error, reserved = 0)] */
static PyObject *
record(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {
        "entries", "magic", "abi", "entry_size", "count", "flags", "shift_record",
        "shift_entries", "no_entries", "name", NULL};
    PyObject *list;
    unsigned magic = PyTypedMethod_MAGIC, abi = PyTypedMethod_ABI_VERSION, size = sizeof(PyTypedMethodEntry), flags = 0;
    long long count = -1;
    int shift_record = 0, shift_entries = 0, no_entries = 0;
    const char *name = "of the probe";
    PyTypedMethodRecord filled, *kept;
    char *entries, *place;
    Py_ssize_t i;

    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "O!|IIILIiiiz", (char **)(uintptr_t)names, &PyList_Type, &list,
            &magic, &abi, &size, &count, &flags, &shift_record, &shift_entries, &no_entries,
            &name)) return NULL;
    entries = (char *)calloc((size_t)PyList_GET_SIZE(list) + 2, size < 32 ? 32 : size);
    place = (char *)calloc(1, sizeof(*kept) + 8);
    if (entries == NULL || place == NULL) return PyErr_NoMemory();
    entries += shift_entries;
    for (i = 0; i < PyList_GET_SIZE(list); i++) {
        PyTypedMethodEntry entry;
        unsigned long long signature;
        unsigned entry_flags, reserved = 0;
        PyObject *function, *error;
        memset(&entry, 0, sizeof(entry));
        if (!PyArg_ParseTuple(PyList_GET_ITEM(list, i), "KOIO|I", &signature, &function,
                              &entry_flags, &error, &reserved)) return NULL;
        entry.signature = signature;
        entry.function = function_of(function);
        entry.flags = entry_flags;
        entry.reserved = reserved;
        if (PyFloat_Check(error)) entry.error.f = PyFloat_AS_DOUBLE(error);
        else if (error != Py_None) entry.error.u = PyLong_AsUnsignedLongLongMask(error);
        if (PyErr_Occurred()) return NULL;
        memcpy(entries + i * (Py_ssize_t)(size < 32 ? 32 : size), &entry, sizeof(entry));
    }
    memset(&filled, 0, sizeof(filled));
    filled.magic = magic;
    filled.abi = (uint16_t)abi;
    filled.entry_size = (uint16_t)size;
    filled.count = (uint32_t)(count < 0 ? PyList_GET_SIZE(list) : count);
    filled.flags = flags;
    filled.name = name != NULL ? keep_name(name) : NULL;
    filled.entries = no_entries ? NULL : (PyTypedMethodEntry *)(uintptr_t)entries;
    memcpy(place + shift_record, &filled, sizeof(filled));
    return PyLong_FromVoidPtr(place + shift_record);
}

/* ----------------------------------------------------- callables of every kind -- */

/* What all of them do when Python calls them. */
static PyObject *
called(PyObject *self, PyObject *args)
{
    return PyTuple_Pack(2, self != NULL ? self : Py_None, args);
}

/* method(name, flags=0): the address of a new PyMethodDef that stays. */
static PyObject *
method(PyObject *module, PyObject *args)
{
    const char *name;
    int flags = 0;
    PyMethodDef *def = (PyMethodDef *)calloc(2, sizeof(*def));
    if (def == NULL) return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "s|i", &name, &flags)) return NULL;
    def->ml_name = keep_name(name);
    def->ml_meth = called;
    def->ml_flags = METH_VARARGS | flags;
    return PyLong_FromVoidPtr(def);
}

static void *address(PyObject *number) { return number == Py_None ? NULL : PyLong_AsVoidPtr(number); }

/* register([(method, record)]): None as either is NULL. */
static PyObject *
do_register(PyObject *module, PyObject *list)
{
    PyTypedMethod_Pair pairs[4200];
    Py_ssize_t i, count = PyList_Size(list);
    if (count < 0 || count > 4200) return NULL;
    for (i = 0; i < count; i++) {
        PyObject *pair = PyList_GET_ITEM(list, i);
        pairs[i].def = (PyMethodDef *)address(PyTuple_GET_ITEM(pair, 0));
        pairs[i].record = (PyTypedMethodRecord *)address(PyTuple_GET_ITEM(pair, 1));
    }
    if (count == 1 ? PyTypedMethod_Register(pairs[0].def, pairs[0].record) < 0
                   : PyTypedMethod_RegisterMany(pairs, count) < 0) return NULL;
    Py_RETURN_NONE;
}

/* register_methods([methods], [records]): by name. */
static PyObject *
register_methods(PyObject *module, PyObject *args)
{
    PyObject *names, *addresses;
    static PyMethodDef defs[8];         /* of which what is registered stays */
    const PyTypedMethodRecord *records[8] = {NULL};
    Py_ssize_t i;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &names, &PyList_Type, &addresses)) return NULL;
    for (i = 0; i < PyList_GET_SIZE(names); i++) {
        defs[i].ml_name = PyUnicode_AsUTF8(PyList_GET_ITEM(names, i));
    }
    for (i = 0; i < PyList_GET_SIZE(addresses); i++) {
        records[i] = (PyTypedMethodRecord *)address(PyList_GET_ITEM(addresses, i));
    }
    if (PyTypedMethod_RegisterMethods(defs, records, PyList_GET_SIZE(addresses)) < 0) return NULL;
    Py_RETURN_NONE;
}

/* function(method, self): a builtin function. */
static PyObject *
function(PyObject *module, PyObject *args)
{
    PyObject *number, *self;
    if (!PyArg_ParseTuple(args, "OO", &number, &self)) return NULL;
    return PyCFunction_New((PyMethodDef *)address(number), self == Py_None ? NULL : self);
}

/* descriptor(method, type): a method descriptor. */
static PyObject *
descriptor(PyObject *module, PyObject *args)
{
    PyObject *number;
    PyTypeObject *type;
    if (!PyArg_ParseTuple(args, "OO!", &number, &PyType_Type, &type)) return NULL;
    return PyDescr_NewMethod(type, (PyMethodDef *)address(number));
}

/* An object like Cython's function. */
typedef struct {
    PyObject_HEAD
    void        *before;
    PyMethodDef *def;
    PyObject    *self;
} Function;

static PyObject *
function_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *number, *self = NULL;
    Function *made;
    if (!PyArg_ParseTuple(args, "O|O", &number, &self)) return NULL;
    made = (Function *)type->tp_alloc(type, 0);
    if (made == NULL) return NULL;
    made->def = (PyMethodDef *)address(number);
    Py_XINCREF(self);
    made->self = self;
    return (PyObject *)made;
}

static void
function_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((Function *)self)->self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
function_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return called(((Function *)self)->self, args);
}

static PyObject *
function_get(PyObject *self, PyObject *object, PyObject *type)
{
    if (object == NULL || object == Py_None) {
        Py_INCREF(self);
        return self;
    }
    return PyMethod_New(self, object);
}

static PyType_Slot function_slots[] = {
    {Py_tp_new, (void *)(uintptr_t)function_new},
    {Py_tp_dealloc, (void *)(uintptr_t)function_dealloc},
    {Py_tp_call, (void *)(uintptr_t)function_call},
    {Py_tp_descr_get, (void *)(uintptr_t)function_get},
    {0, NULL}
};

static PyType_Spec function_spec = {
    "typed_probe.Function", sizeof(Function), 0, Py_TPFLAGS_DEFAULT, function_slots};

/* function_type(): a new type of functions, of which nothing is known. */
static PyObject *function_type(PyObject *module, PyObject *ignored) { return PyType_FromSpec(&function_spec); }

/* register_layout(type, def_offset=, self_offset=): the right offsets if not given. */
static PyObject *
register_layout(PyObject *module, PyObject *args)
{
    PyObject *type;
    Py_ssize_t def_offset = offsetof(Function, def), self_offset = offsetof(Function, self);
    if (!PyArg_ParseTuple(args, "O|nn", &type, &def_offset, &self_offset)) return NULL;
    if (PyTypedMethod_RegisterLayout(type == Py_None ? NULL : (PyTypeObject *)type, def_offset,
                                    self_offset) < 0) return NULL;
    Py_RETURN_NONE;
}

/* An extensible type whose instances carry a native call. */
typedef struct {
    PyObject_HEAD
    PyTypedMethodNative native;
    double              factor;     /* the context of native calls points here */
} Native;

static int
native_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *number;
    Native *native = (Native *)self;
    native->factor = 1.0;
    if (!PyArg_ParseTuple(args, "O|d", &number, &native->factor)) return -1;
    native->native.record = (const PyTypedMethodRecord *)address(number);
    native->native.context = &native->factor;
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *native_call(PyObject *self, PyObject *args, PyObject *kwargs) { return called(self, args); }

static PyType_Slot native_slots[] = {
    {Py_tp_init, (void *)(uintptr_t)native_init},
    {Py_tp_call, (void *)(uintptr_t)native_call},
    {0, NULL}
};

static PyType_Spec native_spec = {
    "typed_probe.Native", sizeof(Native), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    native_slots};

/* ------------------------------------------------------------------- holders -- */

typedef struct {
    PyObject_HEAD
    PyTypedCallable held;
} Held;

static int
held_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    PyTypedCallable_Traverse(&((Held *)self)->held);
    return 0;
}

static int
held_clear(PyObject *self)
{
    PyTypedCallable_Clear(&((Held *)self)->held);
    return 0;
}

static void
held_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    (void)held_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

int is_attached(void) { return _Pycs_IsAttached(); }

PyTypedCallable *held_of(PyObject *object) { return &((Held *)object)->held; }

/* Held(callable, signature) */
static int held_init(PyObject *self, PyObject *args, PyObject *kwargs) { return hold(held_of(self), args); }

static PyType_Slot held_slots[] = {
    {Py_tp_init, (void *)(uintptr_t)held_init},
    {Py_tp_traverse, (void *)(uintptr_t)held_traverse},
    {Py_tp_clear, (void *)(uintptr_t)held_clear},
    {Py_tp_dealloc, (void *)(uintptr_t)held_dealloc},
    {0, NULL}
};

static PyType_Spec held_spec = {
    "typed_probe.Held", sizeof(Held), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, held_slots};

/* --------------------------------------------------------------------- table -- */

/* What the process's table knows of functions now, and how full it is. */
static PyObject *
table_state(PyObject *module, PyObject *ignored)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable("table_state");
    _Pycs_LayoutNode *node;
    _Pycs_Cells *cells;
    Py_ssize_t live = 0, layouts = 0;
    size_t i;
    if (table == NULL) return NULL;
    cells = table->cells;
    for (i = 0; cells != NULL && i <= cells->mask; i++) {
        live += cells->cells[i].value != NULL
                && cells->cells[i].key % 4 <= _Pycs_KEY_LAYOUT;
    }
    for (node = table->layouts; node != NULL; node = node->next) layouts++;
    return Py_BuildValue("{s:n, s:n, s:n, s:n, s:N}", "live", live,
                         "used", cells != NULL ? (Py_ssize_t)cells->used : 0,
                         "cells", cells != NULL ? (Py_ssize_t)cells->mask + 1 : 0,
                         "layouts", layouts, "address", PyLong_FromVoidPtr(table));
}

/* Is something registered for this address? */
static PyObject *
is_registered(PyObject *module, PyObject *number)
{
    _Pycs_Cells *cells = _Pycs_GetCells();
    const void *where = (const void *)(uintptr_t)address(number);
    return PyBool_FromLong(cells != NULL && (_Pycs_ValueOf(cells, _Pycs_RecordKey(where)) != NULL
                                             || _Pycs_ValueOf(cells, _Pycs_LayoutKey(where)) != NULL));
}

static PyMethodDef probe_methods[] = {
    TAKES_ONE(parse), TAKES_ONE(format), TAKES_ONE(intern), TAKES_NONE(compiled),
    {"record", (PyCFunction)(void (*)(void))record, METH_VARARGS | METH_KEYWORDS, NULL},
    TAKES_ARGS(method),
    {"register", do_register, METH_O, NULL},
    TAKES_ARGS(register_methods), TAKES_ARGS(function), TAKES_ARGS(descriptor), TAKES_NONE(function_type),
    TAKES_ARGS(register_layout), TAKES_NONE(table_state), TAKES_ONE(is_registered),
    {NULL, NULL, 0, NULL}
};

/* -------------------------------------------------------------------- module -- */

static int
exec_module(PyObject *module)
{
    static const struct { const char *name; unsigned value; } flags[] = {
        {"VALUE", PyTypedMethod_RAISES_VALUE}, {"MAYBE", PyTypedMethod_RAISES_MAYBE},
        {"ANY", PyTypedMethod_RAISES_ANY}, {"NOGIL", PyTypedMethod_NOGIL},
        {"FIRST", PyTypedMethod_CTX_FIRST}, {"LAST", PyTypedMethod_CTX_LAST},
        {"SELF", PyTypedMethod_SELF}, {"UNVERIFIED", PyTypedMethod_UNVERIFIED},
    };
    PyObject *native, *held;
    size_t i;
    int failed;

    native = make_native_type(module, &native_spec, offsetof(Native, native));
    if (native == NULL) return -1;
    failed = PyModule_AddObjectRef(module, "Native", native);
    Py_DECREF(native);
    if (failed < 0) return -1;
    held = PyType_FromSpec(&held_spec);
    if (held == NULL) return -1;
    failed = PyModule_AddObjectRef(module, "Held", held);
    Py_DECREF(held);
    if (failed < 0) return -1;
    for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (PyModule_AddIntConstant(module, flags[i].name, (long)flags[i].value) < 0) return -1;
    }
    return PyModule_AddFunctions(module, probe_methods) < 0 || PyModule_AddFunctions(module, find_methods) < 0
           || PyModule_AddFunctions(module, calling_methods) < 0 ? -1 : 0;
}

MODULE(PROBE_NAME, NULL, EXECUTE(exec_module) IN_ALL_INTERPRETERS)
