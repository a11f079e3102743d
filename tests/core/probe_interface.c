/* SPDX-License-Identifier: MIT
 *
 * probe_interface.c - interfaces written by hand: tables, providers, and who calls them.
 *
 * Every function takes the object and an argument and says who it is: ("direct", place, argument)
 * from one of two sets of functions, or whatever Python finds under the name.
 */
#include "probe.h"

#define PLACES 8
static const char *const place_names[PLACES] = {
    "area", "scale", "draw", "m3", "m4", "m5", "m6", "m7"};

typedef PyObject *(*place_function)(PyObject *, PyObject *);

#define DIRECT(set, place) \
    static PyObject *direct_##set##_##place(PyObject *self, PyObject *arg) \
    { \
        (void)self; \
        return Py_BuildValue("siO", set ? "second" : "first", place, arg); \
    }
#define DISPATCH(place) \
    static PyObject *dispatch_##place(PyObject *self, PyObject *arg) \
    { \
        return PyObject_CallMethod(self, place_names[place], "(O)", arg); \
    }
#define MISSING(place) \
    static PyObject *missing_##place(PyObject *self, PyObject *arg) \
    { \
        (void)self; \
        (void)arg; \
        PyErr_SetString(PyExc_NotImplementedError, place_names[place]); \
        return NULL; \
    }
#define EACH(place) DIRECT(0, place) DIRECT(1, place) DISPATCH(place) MISSING(place)
EACH(0) EACH(1) EACH(2) EACH(3) EACH(4) EACH(5) EACH(6) EACH(7)

#define ROW(prefix) {prefix##0, prefix##1, prefix##2, prefix##3, prefix##4, prefix##5, prefix##6, prefix##7}
static const place_function direct[2][PLACES] = {ROW(direct_0_), ROW(direct_1_)};
static const place_function dispatch[PLACES] = ROW(dispatch_);
static const place_function missing[PLACES] = ROW(missing_);

/* A table that lives as long as the process, as a constant would. */
typedef struct {
    PyCustomSlots_Interface description;
    uint64_t hashes[PLACES];
    PyCustomSlots_Function dispatch[PLACES];
    const PyCustomSlots_Interface *described;
    PyCustomSlots_Function functions[PLACES];
} made_table;

static uint64_t
hash_of(int seed, size_t count)
{
    PyCustomSlots_Signature lines[PLACES];
    uint64_t hashes[PLACES];
    size_t i;
    for (i = 0; i < count; i++) {
        lines[i].text = (uint64_t)(seed + (int)i);
        lines[i].numbers = 0;
    }
    (void)PyCustomSlots_HashSignatures(lines, count, NULL, hashes);
    return hashes[count - 1];
}

static const unsigned int numbers[] = {8, 'u' << 24 | 4, 'i' << 24 | 2, 4};

/* interface_table(name, count, overridable, set=0, seed=1): the address of a table whose places
   with a bit in `overridable` have a dispatching function; set 2: all raise. */
static PyObject *
interface_table(PyObject *module, PyObject *args)
{
    const char *name;
    int count, overridable, set = 0, seed = 1, i;
    made_table *made;
    if (!PyArg_ParseTuple(args, "sii|ii", &name, &count, &overridable, &set, &seed)) return NULL;
    if (!(made = (made_table *)calloc(1, sizeof(*made))) || !(name = keep_name(name))) {
        free(made);
        return PyErr_NoMemory();
    }
    made->described = &made->description;
    made->description.size = sizeof(made->description);
    made->description.count = (size_t)count;
    made->description.hashes = made->hashes;
    made->description.layout = "f% area(object)\n% scale(object,%)\ni% draw(object)\nv m3()\nv m4()\n"
                               "v m5()\nv m6()\nv m7()\n";
    made->description.numbers = numbers;
    made->description.names = place_names;
    made->description.name = name;
    made->description.dispatch = overridable != 0 ? made->dispatch : NULL;
    for (i = 0; i < count; i++) {
        made->hashes[i] = hash_of(seed, (size_t)i + 1);
        made->functions[i] = (PyCustomSlots_Function)(set == 2 ? missing[i] : direct[set][i]);
        if (overridable >> i & 1) made->dispatch[i] = (PyCustomSlots_Function)dispatch[i];
    }
    return PyLong_FromVoidPtr(made->functions);
}

/* interface_spoil(table, how): what no compiler makes. */
static PyObject *
interface_spoil(PyObject *module, PyObject *args)
{
    PyObject *address;
    const char *how;
    made_table *made;
    int i;
    if (!PyArg_ParseTuple(args, "Os", &address, &how)) return NULL;
    if (!(made = (made_table *)PyLong_AsVoidPtr(address)) && PyErr_Occurred()) return NULL;
    made = (made_table *)(void *)((char *)made - offsetof(made_table, functions));
    if (strcmp(how, "no description") == 0) made->described = NULL;
    else if (strcmp(how, "no names") == 0) made->description.names = NULL;
    else if (strcmp(how, "no count") == 0) made->description.count = 0;
    else if (strcmp(how, "short") == 0) made->description.size = sizeof(size_t);
    else if (strcmp(how, "another third") == 0) for (i = 2; i < PLACES; i++) made->hashes[i] ^= 1;
    Py_RETURN_NONE;
}

static PyMethodDef *
methods_of(int set, int mask)
{
    PyMethodDef *methods = (PyMethodDef *)calloc(PLACES + 1, sizeof(*methods));
    int i, n = 0;
    if (methods == NULL) return (PyMethodDef *)PyErr_NoMemory();
    for (i = 0; i < PLACES; i++) {
        if (!(mask >> i & 1)) continue;
        methods[n].ml_name = place_names[i];
        methods[n].ml_meth = direct[set][i];
        methods[n++].ml_flags = METH_O;
    }
    return methods;
}

/* interface_heap(name, bases, slots, set, mask): a heap type from a spec, with Python methods for the
   places in `mask`. */
static PyObject *
interface_heap(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *bases, *list;
    int set, mask;
    Py_ssize_t count;
    PyCustomSlot *own;
    PyType_Slot slots[2];
    PyType_Spec spec;
    if (!PyArg_ParseTuple(args, "sOOii", &name, &bases, &list, &set, &mask)) return NULL;
    memset(&spec, 0, sizeof(spec));
    memset(slots, 0, sizeof(slots));
    slots[0].slot = Py_tp_methods;
    if (!(slots[0].pfunc = methods_of(set, mask)) || !(spec.name = keep_name(name))
            || !(own = parse_slots(list, 0, &count))) return NULL;
    spec.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    spec.slots = slots;
    return PyExtensibleType_FromSpec(NULL, module, &spec, PyTuple_GET_SIZE(bases) > 0 ? bases : NULL, own, count);
}

/* interface_declare(id, name, doc, table, default table or 0, signatures or None, extends=0): what
   the table says is what is declared.  The spec. */
static PyObject *
interface_declare(PyObject *module, PyObject *args)
{
    PyObject *id, *address, *fallback, *texts, *extends = NULL;
    const char *name, *doc, **signatures = NULL;
    PyExtensibleType_InterfaceSpec *spec;
    Py_ssize_t i;
    if (!PyArg_ParseTuple(args, "OzzOOO|O", &id, &name, &doc, &address, &fallback, &texts, &extends)
            || !(spec = (PyExtensibleType_InterfaceSpec *)calloc(1, sizeof(*spec)))) return NULL;
    spec->size = sizeof(*spec);
    spec->id = (uintptr_t)PyLong_AsVoidPtr(id);
    spec->name = name != NULL ? keep_name(name) : NULL;
    spec->doc = doc != NULL ? keep_name(doc) : NULL;
    spec->iface = PyCustomSlots_InterfaceOf(PyLong_AsVoidPtr(address));
    spec->table = PyLong_AsVoidPtr(fallback);
    spec->extends = extends != NULL ? (uintptr_t)PyLong_AsVoidPtr(extends) : 0;
    if (texts != Py_None) {
        signatures = (const char **)calloc((size_t)PyTuple_GET_SIZE(texts), sizeof(*signatures));
        for (i = 0; i < PyTuple_GET_SIZE(texts); i++) {
            signatures[i] = keep_name(PyUnicode_AsUTF8(PyTuple_GET_ITEM(texts, i)));
        }
    }
    spec->signatures = signatures;
    if (PyErr_Occurred() || PyExtensibleType_DeclareInterface(spec) < 0) return NULL;
    return PyLong_FromVoidPtr(spec);
}

static PyObject *
interface_class(PyObject *module, PyObject *id)
{
    return PyExtensibleType_InterfaceClass((uintptr_t)PyLong_AsVoidPtr(id));
}

/* interface_position(id) */
static PyObject *
interface_position(PyObject *module, PyObject *arg)
{
    uintptr_t id = (uintptr_t)PyLong_AsVoidPtr(arg);
    Py_ssize_t position;
    if (id == 0 && PyErr_Occurred()) return NULL;
    position = PyCustomSlots_Position(id);
    return position < 0 ? NULL : PyLong_FromSsize_t(position);
}

/* interface_call(obj, id, place, arg, count=place + 1, seed=1): as a consumer that knows `count`
   functions; LookupError if its check says no. */
static PyObject *
interface_call(PyObject *module, PyObject *args)
{
    PyObject *obj, *id, *arg;
    int place, count = 0, seed = 1;
    uintptr_t number;
    const void *table;
    if (!PyArg_ParseTuple(args, "OOiO|ii", &obj, &id, &place, &arg, &count, &seed)) return NULL;
    number = (uintptr_t)PyLong_AsVoidPtr(id);
    if (count == 0) count = place + 1;
    table = PyCustomSlots_CheckInterface(PyCustomSlots_FindAny(obj, number, 0), (size_t)count,
                                         hash_of(seed, (size_t)count));
    if (table == NULL) {
        if (number == 0) PyCustomSlots_RefuseInterface(obj, number, "tests.Forgotten");
        else PyErr_SetString(PyExc_LookupError, "no table of these functions");
        return NULL;
    }
    return ((place_function)((const PyCustomSlots_Function *)table)[place])(obj, arg);
}

/* interface_found(class, id): (table, base of its table, position), or None. */
static PyObject *
interface_found(PyObject *module, PyObject *args)
{
    PyObject *type, *id;
    PyCustomSlot *slot;
    const PyCustomSlots_Interface *interface;
    if (!PyArg_ParseTuple(args, "O!O", &PyType_Type, &type, &id)) return NULL;
    slot = PyCustomSlots_FindType((PyTypeObject *)type, (uintptr_t)PyLong_AsVoidPtr(id), 0);
    if (slot == NULL) Py_RETURN_NONE;
    interface = PyCustomSlots_InterfaceOf(slot->data.pointer);
    return Py_BuildValue("NNn", PyLong_FromVoidPtr(slot->data.pointer),
                         PyLong_FromVoidPtr((void *)(uintptr_t)(interface != NULL ? interface->base : NULL)),
                         (Py_ssize_t)(slot - PyCustomSlots_TableType((PyTypeObject *)type)));
}

/* interface_completed(tables, mine): where those tables, or new ones in their place, have all functions of the table
   `mine`, whose own are its bodies. */
static PyObject *
interface_completed(PyObject *module, PyObject *args)
{
    PyObject *tables, *address, *result;
    PyCustomSlots_Interface mine;
    void *made = NULL;
    Py_ssize_t i;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &tables, &address)) return NULL;
    mine = *PyCustomSlots_InterfaceOf(PyLong_AsVoidPtr(address));
    mine.bodies = (const PyCustomSlots_Function *)PyLong_AsVoidPtr(address);
    result = PyList_New(PyTuple_Size(tables));
    for (i = 0; result != NULL && i < PyTuple_Size(tables); i++) {
        const PyCustomSlot slot = {2, {PyLong_AsVoidPtr(PyTuple_GetItem(tables, i))}};
        const void *completed = PyCustomSlots_CompleteInterface(&made, &slot, &mine, mine.count);
        PyList_SetItem(result, i, PyLong_FromVoidPtr((void *)(uintptr_t)completed));
    }
    return result;
}

PyMethodDef interface_methods[] = {
    TAKES_ARGS(interface_table), TAKES_ARGS(interface_spoil), TAKES_ARGS(interface_heap),
    TAKES_ARGS(interface_declare), TAKES_ONE(interface_class), TAKES_ONE(interface_position),
    TAKES_ARGS(interface_call), TAKES_ARGS(interface_found), TAKES_ARGS(interface_completed),
    {NULL, NULL, 0, NULL}
};
