/* SPDX-License-Identifier: MIT
 *
 * recorded.c - look-ups without a lock, and what changes what they read, with the runtime, compiled for recording.h.
 */
#include "recording.h"
#include <sched.h>
#include "extensibletype.h"
#include "typedmethod.h"

/* A look-up, and what it is for. */
typedef struct Aim {
    uintptr_t (*look_up)(const struct Aim *);
    PyTypeObject *type;
    uintptr_t id;
    Py_ssize_t position;
    PyObject *callable;
    const char *name;
    PyCustomSlots_Bridge *bridge;
    int number;
} Aim;
static Aim next;
UNSEEN uintptr_t look_up_next(void) { return next.look_up(&next); }

static uintptr_t data_of(const PyCustomSlot *slot) { return slot != NULL ? slot->data.flags : 0; }

static uintptr_t find(const Aim *aim) { return data_of(PyCustomSlots_FindType(aim->type, aim->id, aim->position)); }
static uintptr_t find_any(const Aim *aim) { return data_of(PyCustomSlots_FindAnyType(aim->type, aim->id, 0)); }
static uintptr_t intern(const Aim *aim) { return PyCustomSlots_Intern(aim->name); }
static uintptr_t place(const Aim *aim) { return (uintptr_t)PyCustomSlots_Position(aim->id); }
static uintptr_t find_bridged(const Aim *aim) { return (uintptr_t)PyCustomSlots_FindBridged(aim->type, aim->bridge); }

/* Is there memory for as many entries as the count says? */
static uintptr_t walk(const Aim *aim)
{
    const Py_ssize_t count = PyCustomSlots_CountType(aim->type);
    PyCustomSlot *table = PyCustomSlots_TableType(aim->type);
    return count <= PyCustomSlots_MIN_CAPACITY || count <= _Pycs_RecordAround(table)->capacity;
}

static uintptr_t find_typed(const Aim *aim)
{
    PyTypedMethodCall call;
    return PyTypedMethod_Find(aim->callable, PyTypedMethod_SIGNATURE(f8(f8)), &call) ? (uintptr_t)call.function : 0;
}

/* The same for all functions behind it. */
static uintptr_t find_record(const Aim *aim)
{
    const PyTypedMethodRecord *record;
    PyObject *bound;
    return PyTypedMethod_Overloads(aim->callable, &record, &bound) ? (uintptr_t)record->entries->function : 0;
}

/* Tables of interfaces: one that has a function, what asks for two, and declarations. */
static void nothing(void) { }
static const uint64_t hashes[] = {1, 2};
static const char *const function_names[] = {"first", "second"};
static const PyCustomSlots_Function functions[] = {nothing, nothing};
static const PyCustomSlots_Interface one_function
    = {.size = sizeof(one_function), .count = 1, .hashes = hashes, .dispatch = functions, .names = function_names};
static const PyCustomSlots_Interface two_functions = {.size = sizeof(two_functions), .count = 2, .hashes = hashes,
                                                      .names = function_names, .bodies = functions};
static const struct { const PyCustomSlots_Interface *described; PyCustomSlots_Function first; } tables[50]
    = {[0 ... 49] = {&one_function, nothing}};
static PyExtensibleType_InterfaceSpec specs[50][2];

static uintptr_t complete(const Aim *aim)
{
    static void *made[50];
    const PyCustomSlot slot = {2, {(void *)(uintptr_t)&tables[aim->number].first}};
    return (uintptr_t)PyCustomSlots_CompleteInterface(&made[aim->position], &slot, &two_functions, 2);
}

static uintptr_t override(const Aim *aim)
{
    _Pycs_InterfaceNode *node = _Pycs_KnownInterface(aim->id);
    return node == NULL ? 0 : (uintptr_t)_Pycs_TableFor(node, &tables[aim->number].first, &one_function, NULL);
}

static uintptr_t is_default(const Aim *aim)
{
    return (uintptr_t)_Pycs_IsDefault(_Pycs_KnownInterface(aim->id), &tables[aim->number].first);
}

/* What is declared of an interface: nothing, 1: no text, 2: a text. */
static uintptr_t declared(const Aim *aim)
{
    const _Pycs_Declaration *found = _Pycs_FirstDeclaration(_Pycs_APIOf(aim->type), aim->id);
    return found == NULL ? 0 : _Pycs_SPEC(found, spec)->doc != NULL ? 2 : 1;
}

/* Has the declaration what the count of its changes tells of: first a text, then a table? */
static uintptr_t changed(const Aim *aim)
{
    const _Pycs_Declaration *found = _Pycs_FirstDeclaration(_Pycs_APIOf(aim->type), aim->id);
    const uintptr_t changes = _Pycs_LOAD(uintptr_t, &found->changes);
    const int has_table = _Pycs_SPEC(found, tabled) != NULL;
    return (changes < 1 || _Pycs_SPEC(found, spec)->doc != NULL) && (changes < 2 || has_table);
}

/* 0: this implementation is not among those that met the API; 1: it is, and serves. */
static uintptr_t met(const Aim *aim)
{
    _Pycs_API *api = _Pycs_APIOf(aim->type);
    const _Pycs_Met *mine = _Pycs_FindMet(_Pycs_LOAD(_Pycs_Met *, &api->met));
    return mine == NULL ? 0 : mine->verdict == _Pycs_MET_TOOK && _Pycs_IMPL(api) == mine->impl ? 1 : 2;
}

/* Which fields have the classes of a metaclass: the sum of their places. */
static uintptr_t find_fields(const Aim *aim)
{
    _Pycs_FieldEntry *field;
    uintptr_t sum = 0;
    _Pycs_EACH_FIELD(field, _Pycs_APIOf(aim->type), aim->type) sum += (uintptr_t)field->def.offset;
    return sum;
}

static const struct { const char *name; uintptr_t (*function)(const Aim *); } look_ups[] = {
    {"find", find}, {"find_any", find_any}, {"find_any_and_remember", find_any}, {"intern", intern}, {"place", place},
    {"find_bridged", find_bridged}, {"walk", walk}, {"find_typed", find_typed}, {"find_record", find_record},
    {"complete", complete}, {"override", override},
    {"is_default", is_default}, {"declared", declared}, {"changed", changed}, {"met", met},
    {"find_fields", find_fields}, {NULL, NULL}};

UNSEEN int take_aim(Aim *aim, PyObject *arguments, PyObject *named)
{
    static PyCustomSlots_Bridge bridges[100];
    static char *names[] = {"", "type", "id", "position", "callable", "name", "number", NULL};
    const char *look_up;
    int i;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "s|OnnOsi", names, &look_up, &aim->type, &aim->id,
                                     &aim->position, &aim->callable, &aim->name, &aim->number)) return -1;
    aim->bridge = &bridges[aim->number];
    aim->bridge->name = "recorded.bridge";
    aim->bridge->attribute = "__recorded__";
    aim->bridge->capsule = "recorded";
    for (i = 0; strcmp(look_ups[i].name, look_up) != 0; i++) { }
    aim->look_up = look_ups[i].function;
    return 0;
}

/* at(look_up, type=, id=, position=, callable=, name=, number=): the next look-up */
UNSEEN PyObject *at(PyObject *self, PyObject *arguments, PyObject *named)
{
    PyTypeObject *type;
    int i;
    next = (Aim){0};
    if (take_aim(&next, arguments, named) < 0) return NULL;
    memset(foreign, 0, sizeof(foreign));
    type = next.callable != NULL ? Py_TYPE(next.callable) : next.type;
    if (type != NULL && !PyType_IsSubtype(type, &PyType_Type)) {
        const void *const words[] = {&type->tp_mro, &type->tp_bases, &type->tp_base, &type->tp_flags, &type->tp_call};
        for (i = 0; i < 5; i++) {
            foreign[i].word = words[i];
            foreign[i].size = sizeof(void *);
        }
        foreign[5].word = &type->tp_version_tag;
        foreign[5].size = sizeof(type->tp_version_tag);
    }
    remembers = strcmp(PyUnicode_AsUTF8(PyTuple_GET_ITEM(arguments, 0)), "find_any_and_remember") == 0;
    Py_XINCREF(next.type);
    Py_XINCREF(next.callable);
    reader = look_up_next;
    begin();                    /* with it comes what leads there */
    Py_RETURN_NONE;
}

/* now(as for at()): a look-up that is a part of a change */
UNSEEN PyObject *now(PyObject *self, PyObject *arguments, PyObject *named)
{
    Aim aim = {0};
    return take_aim(&aim, arguments, named) < 0 ? NULL : PyLong_FromSize_t(aim.look_up(&aim));
}

/* ------------------------------------------------------------------------- changes -- */

static PyObject *set_slots(PyObject *self, PyObject *arguments)
{
    PyCustomSlot slots[100];
    PyObject *cls, *pairs;
    Py_ssize_t i, n;
    if (!PyArg_ParseTuple(arguments, "OO!", &cls, &PyTuple_Type, &pairs)) return NULL;
    for (i = 0, n = PyTuple_GET_SIZE(pairs); i < n; i++) {
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(pairs, i), "nn", &slots[i].id, &slots[i].data.objoffset)) return NULL;
    }
    return PyExtensibleType_SetSlots((PyTypeObject *)cls, slots, n) < 0 ? NULL : Py_NewRef(cls);
}

/* let_go(tuples): those that nothing else holds, and that may not be read any more */
UNSEEN PyObject *let_go(PyObject *self, PyObject *tuples)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(tuples); i++) {
        PyObject *tuple = PyTuple_GET_ITEM(tuples, i);
        if (Py_REFCNT(tuple) == 1) note(tuple, (size_t)(sizeof(PyTupleObject) + 8 * Py_SIZE(tuple)), NULL, 0);
    }
    Py_RETURN_NONE;
}

/* at_load(cls, function): what the next look for subclasses of the class calls first */
UNSEEN PyObject *at_load(PyObject *self, PyObject *arguments)
{
    PyTypeObject *cls;
    if (!PyArg_ParseTuple(arguments, "OO", &cls, &called)) return NULL;
    Py_INCREF(called);
    watched = &cls->tp_subclasses;
    Py_RETURN_NONE;
}

/* at_lock(n, function): what the n-th to take the lock calls first; at_lock(0, None): nobody calls anything */
UNSEEN PyObject *at_lock(PyObject *self, PyObject *arguments)
{
    PyObject *function;
    if (!PyArg_ParseTuple(arguments, "nO", &nth, &function)) return NULL;
    Py_XSETREF(called, Py_NewRef(function));
    taken_lock = nth == 0 ? NULL : &_Pycs_APIOf(PyExtensibleType_Import())->state->lock_owner;
    Py_RETURN_NONE;
}

static PyObject *finish(PyObject *self, PyObject *cls)
{
    if (_Pycs_Finish((PyTypeObject *)cls) < 0) return NULL;
    Py_RETURN_NONE;
}

/* register_slot(type, id, data) */
static PyObject *register_slot(PyObject *self, PyObject *arguments)
{
    PyObject *cls;
    PyCustomSlot slot;
    if (!PyArg_ParseTuple(arguments, "Onn", &cls, &slot.id, &slot.data.objoffset)) return NULL;
    if (PyCustomSlots_Register((PyTypeObject *)cls, &slot) < 0) return NULL;
    Py_RETURN_NONE;
}

/* register_until(type, id, data, n), and end(n): as if a class at this address came and died, whose reference CPython
   clears with an atomic. */
static PyTypeObject *referents[100];
static _Pycs_Entry *entries[100];
static PyObject *register_until(PyObject *self, PyObject *arguments)
{
    _Pycs_Entry given = {{0, {NULL}}, NULL, NULL, NULL};
    int n;
    if (!PyArg_ParseTuple(arguments, "Onni", &given.type, &given.slot.id, &given.slot.data.objoffset, &n)) return NULL;
    referents[n] = given.type;
    given.referent = &referents[n];
    entries[n] = _Pycs_AddEntry(_Pycs_GetTable(NULL), &given);
    Py_RETURN_NONE;
}

static PyObject *end(PyObject *self, PyObject *number)
{
    const long n = PyLong_AsLong(number);
    PyObject *capsule = PyCapsule_New(_Pycs_GetTable(NULL), _Pycs_ENTRY_NAME, _Pycs_EndEntry);
    PyCapsule_SetContext(capsule, entries[n]);
    __atomic_store_n(&referents[n], NULL, __ATOMIC_RELEASE);
    Py_DECREF(capsule);
    Py_RETURN_NONE;
}

/* function(n), register_function(n), register_layout(a subclass of complex), set_function(an instance, n) */
static double doubled(double x) { return 2 * x; }
PyTypedMethod_RECORD(doubled_record, "doubled", PyTypedMethod_ENTRY(doubled, 0, 0, f8(f8)));
static PyMethodDef defs[100];

static PyObject *function(PyObject *self, PyObject *number)
{
    PyMethodDef *def = &defs[PyLong_AsLong(number)];
    def->ml_name = "doubled";
    def->ml_meth = function;
    def->ml_flags = METH_O;
    return PyCFunction_New(def, self);
}

static PyObject *register_function(PyObject *self, PyObject *number)
{
    if (PyTypedMethod_Register(&defs[PyLong_AsLong(number)], &doubled_record) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *register_layout(PyObject *self, PyObject *cls)
{
    if (PyTypedMethod_RegisterLayout((PyTypeObject *)cls, offsetof(PyComplexObject, cval), -1) < 0) return NULL;
    Py_RETURN_NONE;
}

UNSEEN PyObject *set_function(PyObject *self, PyObject *arguments)
{
    PyObject *object;
    int n;
    if (!PyArg_ParseTuple(arguments, "Oi", &object, &n)) return NULL;
    *(PyMethodDef **)(void *)&((PyComplexObject *)object)->cval = &defs[n];
    Py_RETURN_NONE;
}

/* give_record(a complex number): one that was made just now, where its native-call slot leads */
static PyObject *give_record(PyObject *self, PyObject *object)
{
    PyTypedMethodNative *native = (PyTypedMethodNative *)(void *)&((PyComplexObject *)object)->cval;
    PyTypedMethodRecord *record = (PyTypedMethodRecord *)malloc(sizeof(*record));
    memcpy(record, &doubled_record, sizeof(*record));
    _Pycs_STORE(const PyTypedMethodRecord *, &native->record, record);
    Py_RETURN_NONE;
}

/* capsule(): as bridges find it in an attribute, with the address 7 */
static PyObject *capsule(PyObject *self, PyObject *ignored) { return PyCapsule_New((void *)7, "recorded", NULL); }

/* add_default(id, n) */
static PyObject *add_default(PyObject *self, PyObject *arguments)
{
    Py_ssize_t id;
    int n;
    if (!PyArg_ParseTuple(arguments, "ni", &id, &n)) return NULL;
    if (_Pycs_AddDefault(_Pycs_KnownInterface((uintptr_t)id), &tables[n].first) < 0) return NULL;
    Py_RETURN_NONE;
}

/* table_of(n): its address */
UNSEEN PyObject *table_of(PyObject *self, PyObject *number)
{
    return PyLong_FromVoidPtr((void *)(uintptr_t)&tables[PyLong_AsLong(number)].first);
}

/* declare(id, n, with a text) */
static PyObject *declare(PyObject *self, PyObject *arguments)
{
    PyExtensibleType_InterfaceSpec *spec;
    Py_ssize_t id;
    int n, with_text;
    if (!PyArg_ParseTuple(arguments, "nii", &id, &n, &with_text)) return NULL;
    spec = &specs[n][with_text];
    spec->size = sizeof(*spec);
    spec->id = (uintptr_t)id;
    spec->name = "recorded.Interface";
    spec->doc = with_text ? "a text" : NULL;
    spec->table = with_text ? &tables[n].first : NULL;
    spec->iface = &one_function;
    if (PyExtensibleType_DeclareInterface(spec) < 0) return NULL;
    Py_RETURN_NONE;
}

/* with_field(metaclass): one below it, with one field more; register_fields() says so */
static PyObject *with_field(PyObject *self, PyObject *base)
{
    PyTypeObject *made;
    PyType_Slot slots[] = {{Py_tp_base, base}, {0, NULL}};
    PyType_Spec spec = {"recorded.Meta", (int)((PyTypeObject *)base)->tp_basicsize + 8, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    if (!(made = (PyTypeObject *)PyType_FromSpec(&spec))) return NULL;
#if PY_VERSION_HEX < 0x030C0000
    Py_INCREF((PyObject *)Py_TYPE(base));
    Py_SET_TYPE((PyObject *)made, Py_TYPE(base));
#endif
    return (PyObject *)made;
}

static PyObject *register_fields(PyObject *self, PyObject *meta)
{
    PyExtensibleType_Field field = {"", 0, sizeof(int), 1, PyExtensibleType_READABLE | PyExtensibleType_WRITABLE,
                                    NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    char name[30];
    field.offset = ((PyTypeObject *)meta)->tp_basicsize - 8;
    sprintf(name, "field_%d", (int)field.offset);
    field.name = name;
    if (PyExtensibleType_RegisterFields((PyTypeObject *)meta, &field, 1) < 0) return NULL;
    Py_RETURN_NONE;
}

/* grow_cells(): those of the process's table are replaced */
static PyObject *grow_cells(PyObject *self, PyObject *ignored)
{
    _Pycs_ProcessTable *shared = _Pycs_GetTable(NULL);
    int status;
    _Pycs_LockWord(&shared->owner);
    status = _Pycs_ReserveCells(shared, shared->cells->mask / 4 + 2 - shared->cells->used);
    _Pycs_UnlockWord(&shared->owner);
    return status < 0 ? PyErr_NoMemory() : Py_NewRef(Py_None);
}

/* shrink_cells(): the former ones are back */
UNSEEN PyObject *shrink_cells(PyObject *self, PyObject *ignored)
{
    _Pycs_ProcessTable *shared = _Pycs_GetTable(NULL);
    shared->cells = shared->cells->former;
    Py_RETURN_NONE;
}

/* forget_table(): as if this library had not looked for the table yet, and nobody had brought services */
UNSEEN PyObject *forget_table(PyObject *self, PyObject *ignored)
{
    _Pycs_GetTable(NULL)->services = NULL;
    *_Pycs_TableCache() = NULL;
    Py_RETURN_NONE;
}

/* close_table(): as when the interpreter ends */
static PyObject *close_table(PyObject *self, PyObject *ignored)
{
    PyObject *capsule = PyCapsule_New(_Pycs_GetTable(NULL), _Pycs_TABLE_KEY, _Pycs_CloseTable);
    Py_DECREF(capsule);
    Py_RETURN_NONE;
}

/* let_older_serve(): as if this implementation had not been imported yet, and one with a lower number were there */
static _Pycs_Impl other_implementation;
UNSEEN PyObject *let_older_serve(PyObject *self, PyObject *ignored)
{
    _Pycs_API *api = _Pycs_APIOf(PyExtensibleType_Import());
    other_implementation = _Pycs_implementation;
    other_implementation.number = 0;
    api->met = _Pycs_NewMet();
    api->met->impl = api->impl = &other_implementation;
    Py_RETURN_NONE;
}

/* meet(): it comes; import_later(): a later one comes, and import_later(None) goes again */
static PyObject *meet(PyObject *self, PyObject *ignored)
{
    return _Pycs_Meet(_Pycs_APIOf(PyExtensibleType_Import())) < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *import_later(PyObject *self, PyObject *comes)
{
    _Pycs_API *api = _Pycs_APIOf(PyExtensibleType_Import());
    const int back = comes == Py_None;
    if (!back) memcpy((void *)&other_implementation, &_Pycs_implementation, sizeof(other_implementation));
    (void)_Pycs_SwapWord((uintptr_t *)(void *)&api->impl,
                         (uintptr_t)(back ? &other_implementation : &_Pycs_implementation),
                         (uintptr_t)(back ? &_Pycs_implementation : &other_implementation));
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    RECORDING_METHODS, {"at", (PyCFunction)(void *)at, METH_VARARGS | METH_KEYWORDS, NULL},
    {"now", (PyCFunction)(void *)now, METH_VARARGS | METH_KEYWORDS, NULL},
    TAKES_ARGS(set_slots), TAKES_ARGS(at_load), TAKES_ARGS(at_lock), TAKES_ONE(finish),
    TAKES_ONE(let_go), TAKES_ARGS(register_slot), TAKES_ARGS(register_until), TAKES_ONE(end), TAKES_ONE(function),
    TAKES_ONE(register_function), TAKES_ONE(register_layout), TAKES_ARGS(set_function), TAKES_ONE(give_record),
    TAKES_NONE(capsule), TAKES_ARGS(add_default), TAKES_ONE(table_of), TAKES_ARGS(declare), TAKES_ONE(with_field),
    TAKES_ONE(register_fields), TAKES_NONE(grow_cells), TAKES_NONE(shrink_cells), TAKES_NONE(forget_table),
    TAKES_NONE(close_table), TAKES_NONE(let_older_serve), TAKES_NONE(meet), TAKES_ONE(import_later),
    {NULL, NULL, 0, NULL}};

static int execute(PyObject *module)
{
    return PyModule_AddObject(module, "metaclass", Py_XNewRef((PyObject *)PyExtensibleType_Import()));
}

MODULE(recorded, methods, EXECUTE(execute))
