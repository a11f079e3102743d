/* SPDX-License-Identifier: MIT
 *
 * lookup.c - objects that answer a question in C, and every way of asking it.
 *
 * All objects have a pointer to a vtable (the baseline: a consumer that knows their
 * struct), and their types carry the same function as a custom slot (a consumer that
 * knows nothing of them), as an attribute with a capsule, and as a field of the struct
 * behind PyObject_TypeCheck().  One function serves all types: what is compared is the
 * look-up, not how well the processor predicts the callee.
 */
#include "extensibletype.h"
#include "untested.h"

#define N_STATIC 32
#define SLOT_DIRECT PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE01, 0)
#define SLOT_STRUCT PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE02, 0)
#define SLOT_OFFSET PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE03, 0)
#define SLOT_FOURTH PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE04, 0)
#define SLOT_LAST   PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE05, 0)
#define SLOT_ABSENT PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE06, 0)
#define SLOT_OF_MANY(i) PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, i, 0)
#define MANY_SLOTS  1000

typedef uintptr_t (*Answer)(PyObject *, uintptr_t);

/* [Speaker.begin] */
typedef struct {
    Answer     answer;
    Py_ssize_t next_offset;     /* where the object has its `next` */
} Protocol;

typedef struct {
    PyObject_HEAD
    const Protocol *vtable;
    PyObject       *next;       /* borrowed: the chain loops follow it */
    uintptr_t       value;
} Speaker;
/* [Speaker.end] */

BENCH_NOINLINE static uintptr_t
speaker_answer(PyObject *self, uintptr_t x)
{
    return ((Speaker *)self)->value + x;
}

static Protocol speaker_protocol = {speaker_answer, offsetof(Speaker, next)};

static PyHeapExtensibleTypeObject static_types[N_STATIC];
static PyCustomSlot static_slots[N_STATIC][4];
static char static_names[N_STATIC][32];
static PyTypeObject *speaker_base;      /* the first of them */
static PyObject *capsule_name;          /* interned */
#define CAPSULE_NAME "bench.answer"

static PyObject *
speaker_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *self = type->tp_alloc(type, 0);
    (void)args;
    (void)kwargs;
    if (self != NULL) {
        ((Speaker *)self)->vtable = &speaker_protocol;
        ((Speaker *)self)->next = self;
        ((Speaker *)self)->value = 1;
    }
    return self;
}

static void
fill_slots(PyCustomSlot *slots)
{
    PyCustomSlot all[4] = {
        {SLOT_DIRECT, {(void *)(uintptr_t)speaker_answer}},
        {SLOT_STRUCT, {&speaker_protocol}},
        {SLOT_OFFSET, {NULL}},
        {SLOT_FOURTH, {(void *)(uintptr_t)speaker_answer}},
    };
    all[2].data.objoffset = offsetof(Speaker, next);
    memcpy(slots, all, sizeof(all));
}

/* ------------------------------------------------------------------------ the loops -- */

#define FIND(id, pos) PyCustomSlots_Find(o, (id), (pos))
#define FIELD(o)      (((Speaker *)(o))->vtable)

/* Look up and call. */
BENCH_LOOP(call_vtable, sum += FIELD(o)->answer(o, i))
BENCH_LOOP(call_slot, {
    PyCustomSlot *slot = FIND(SLOT_DIRECT, 0);
    if (slot != NULL) sum += ((Answer)(uintptr_t)slot->data.pointer)(o, i);
})
BENCH_LOOP(call_slot_struct, {
    PyCustomSlot *slot = FIND(SLOT_STRUCT, 1);
    if (slot != NULL) sum += ((Protocol *)slot->data.pointer)->answer(o, i);
})
BENCH_LOOP(call_slot_fourth, {
    PyCustomSlot *slot = FIND(SLOT_FOURTH, 3);
    if (slot != NULL) sum += ((Answer)(uintptr_t)slot->data.pointer)(o, i);
})
BENCH_LOOP(call_slot_scan, {
    PyCustomSlot *slot = FIND(SLOT_FOURTH, 0);
    if (slot != NULL) sum += ((Answer)(uintptr_t)slot->data.pointer)(o, i);
})
BENCH_LOOP(call_slot_last, {
    PyCustomSlot *slot = FIND(SLOT_LAST, 0);
    if (slot != NULL) sum += ((Answer)(uintptr_t)slot->data.pointer)(o, i);
})

/* The same without some of the tests. */
BENCH_LOOP(call_untested, {
    PyCustomSlot *slot = find_untested(o);
    sum += ((Answer)(uintptr_t)slot->data.pointer)(o, i);
})
BENCH_LOOP(call_id_tested, {
    PyCustomSlot *slot = find_id_tested(o, SLOT_DIRECT);
    if (slot != NULL) sum += ((Answer)(uintptr_t)slot->data.pointer)(o, i);
})
BENCH_LOOP(call_class_tested, {
    PyCustomSlot *slot = find_class_tested(o, SLOT_DIRECT);
    if (slot != NULL) sum += ((Answer)(uintptr_t)slot->data.pointer)(o, i);
})
/* What any test takes that keeps `int` and its like out: is the metaclass `type`?  Two loads. */
BENCH_LOOP(miss_metaclass, sum += Py_TYPE((PyObject *)Py_TYPE(o)) != &PyType_Type)

BENCH_LOOP(call_typecheck, {
    if (PyObject_TypeCheck(o, speaker_base)) sum += FIELD(o)->answer(o, i);
})

/* A type is known by a token, an address that its spec has, for as many as share the address. */
#if PY_VERSION_HEX >= 0x030E0000
#  define HAVE_TOKEN 1
static char speaker_token;
#  define HAS_TOKEN(o) (PyType_GetBaseByToken(Py_TYPE(o), &speaker_token, NULL) == 1)
BENCH_LOOP(call_token, {
    if (HAS_TOKEN(o)) sum += FIELD(o)->answer(o, i);
})
BENCH_LOOP(miss_token, sum += HAS_TOKEN(o))
#endif

/* An attribute of the type that holds a capsule: 1 found, 0 not, as a slot look-up. */
static inline Answer
find_capsule(PyObject *o)
{
    PyObject *capsule;
    Answer answer = NULL;
#if PY_VERSION_HEX >= 0x030D0000
    if (PyObject_GetOptionalAttr((PyObject *)Py_TYPE(o), capsule_name, &capsule) < 0) {
        PyErr_Clear();
    }
#else
    capsule = PyObject_GetAttr((PyObject *)Py_TYPE(o), capsule_name);
    if (capsule == NULL) PyErr_Clear();
#endif
    if (capsule != NULL) {
        answer = (Answer)(uintptr_t)PyCapsule_GetPointer(capsule, CAPSULE_NAME);
        Py_DECREF(capsule);
    }
    return answer;
}
BENCH_LOOP(call_capsule, {
    Answer answer = find_capsule(o);
    if (answer != NULL) sum += answer(o, i);
})

/* Look up, do not call. */
BENCH_LOOP(look_vtable, sum += (uintptr_t)FIELD(o)->answer)
BENCH_LOOP(look_slot, {
    PyCustomSlot *slot = FIND(SLOT_DIRECT, 0);
    if (slot != NULL) sum += (uintptr_t)slot->data.pointer;
})

/* The address of the next object comes out of the look-up, as data: a function to call
   would be predicted, and the loop would not wait for the look-up. */
BENCH_CHAIN(chain_vtable, o = *(PyObject **)((char *)o + FIELD(o)->next_offset))
BENCH_CHAIN(chain_slot, {
    PyCustomSlot *slot = FIND(SLOT_OFFSET, 2);
    if (slot != NULL) o = *(PyObject **)((char *)o + slot->data.objoffset);
})

/* Nothing there. */
BENCH_LOOP(empty, sum += (uintptr_t)o & 1)
BENCH_LOOP(miss_slot, sum += FIND(SLOT_DIRECT, 0) != NULL)
BENCH_LOOP(miss_in_table, sum += FIND(SLOT_ABSENT, 0) != NULL)
BENCH_LOOP(miss_typecheck, sum += PyObject_TypeCheck(o, speaker_base) != 0)
BENCH_LOOP(miss_capsule, sum += find_capsule(o) != NULL)

static const BenchNamedLoop loops[] = {
    BENCH_ENTRY(call_vtable), BENCH_ENTRY(call_slot), BENCH_ENTRY(call_slot_struct),
    BENCH_ENTRY(call_slot_fourth), BENCH_ENTRY(call_slot_scan), BENCH_ENTRY(call_slot_last),
    BENCH_ENTRY(miss_in_table), BENCH_ENTRY(call_typecheck),
    BENCH_ENTRY(call_capsule), BENCH_ENTRY(look_vtable), BENCH_ENTRY(look_slot), BENCH_ENTRY(chain_vtable),
    BENCH_ENTRY(chain_slot), BENCH_ENTRY(call_untested), BENCH_ENTRY(call_id_tested), BENCH_ENTRY(call_class_tested),
    BENCH_ENTRY(miss_metaclass), BENCH_ENTRY(empty), BENCH_ENTRY(miss_slot), BENCH_ENTRY(miss_typecheck),
    BENCH_ENTRY(miss_capsule),
#ifdef HAVE_TOKEN
    BENCH_ENTRY(call_token), BENCH_ENTRY(miss_token),
#endif
    {NULL, NULL}
};

/* ----------------------------------------------------------------------- the module -- */

static PyObject *
run(PyObject *module, PyObject *args)
{
    (void)module;
    return bench_run(loops, "lookup.c", args);
}

/* link(objects): each points to the next, the last one to the first */
static PyObject *
link_objects(PyObject *module, PyObject *objects)
{
    (void)module;
    if (!PyTuple_Check(objects)) {
        PyErr_SetString(PyExc_TypeError, "link: expected a tuple of speakers");
        return NULL;
    }
    for (Py_ssize_t i = 0, n = PyTuple_GET_SIZE(objects); i < n; i++) {
        PyObject *o = PyTuple_GET_ITEM(objects, i);
        if (Py_TYPE(o)->tp_new != speaker_base->tp_new
                && !PyCustomSlots_Find(o, SLOT_DIRECT, 0)) {
            PyErr_SetString(PyExc_TypeError, "link: expected a tuple of speakers");
            return NULL;
        }
        ((Speaker *)o)->next = PyTuple_GET_ITEM(objects, (i + 1) % n);
    }
    Py_RETURN_NONE;
}

/* own_table(cls): a table that cls shares with no other class */
static PyObject *
own_table(PyObject *module, PyObject *cls)
{
    PyCustomSlot slots[4];
    (void)module;
    if (!PyType_Check(cls)) {
        PyErr_SetString(PyExc_TypeError, "own_table: expected a class");
        return NULL;
    }
    fill_slots(slots);
    if (PyExtensibleType_SetSlots((PyTypeObject *)cls, slots, 4) < 0) return NULL;
    Py_RETURN_NONE;
}

/* long_table(cls, count): a table of so many slots, of which the last one answers */
static PyObject *
long_table(PyObject *module, PyObject *args)
{
    PyCustomSlot slots[MANY_SLOTS];
    PyObject *cls;
    Py_ssize_t count;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!n", &PyType_Type, &cls, &count)) return NULL;
    if (count < 5 || count > MANY_SLOTS) {
        PyErr_Format(PyExc_ValueError, "long_table: found %zd slots, expected 5 to %d", count, MANY_SLOTS);
        return NULL;
    }
    fill_slots(slots);
    for (Py_ssize_t i = 4; i < count; i++) {
        slots[i].id = i < count - 1 ? SLOT_OF_MANY(i) : SLOT_LAST;
        slots[i].data.pointer = (void *)(uintptr_t)speaker_answer;
    }
    if (PyExtensibleType_SetSlots((PyTypeObject *)cls, slots, count) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS, NULL},
    {"link", link_objects, METH_O, NULL},
    {"own_table", own_table, METH_O, NULL},
    {"long_table", long_table, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "lookup", NULL, -1, methods, NULL, NULL, NULL, NULL
};

/* A heap type with the token; static types cannot have one. */
static int
add_token_type(PyObject *module)
{
#ifdef HAVE_TOKEN
    PyType_Slot slots[] = {{Py_tp_new, (void *)(uintptr_t)speaker_new},
                           {Py_tp_token, &speaker_token}, {0, NULL}};
    PyType_Spec spec = {"lookup.TokenSpeaker", sizeof(Speaker), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return PyModule_Add(module, "TokenSpeaker", PyType_FromSpec(&spec));
#else
    (void)module;
    return 0;
#endif
}

static int
add_types(PyObject *module)
{
    PyObject *types = PyTuple_New(N_STATIC), *capsule;
    int status;
    if (types == NULL) return -1;
    if (PyModule_AddIntConstant(module, "COPIES", BENCH_COPIES) < 0
            || PyModule_AddIntConstant(module, "OBJECTS", BENCH_OBJECTS) < 0) goto bad;
    for (int i = 0; i < N_STATIC; i++) {
        PyTypeObject *type = (PyTypeObject *)&static_types[i];
        PyOS_snprintf(static_names[i], sizeof(static_names[i]), "lookup.Speaker%d", i);
        type->tp_name = static_names[i];
        type->tp_basicsize = sizeof(Speaker);
        type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
        type->tp_new = speaker_new;
        fill_slots(static_slots[i]);
        static_types[i].etp_custom_slots = static_slots[i];
        static_types[i].etp_custom_slot_count = 4;
        if (PyExtensibleType_Ready(&static_types[i], 4) < 0) goto bad;
        capsule = PyCapsule_New((void *)(uintptr_t)speaker_answer, CAPSULE_NAME, NULL);
        if (capsule == NULL) goto bad;
        /* tp_dict before the first look-up: no cache to invalidate. */
#if PY_VERSION_HEX >= 0x030C0000
        PyObject *dict = PyType_GetDict(type);
#else
        PyObject *dict = Py_NewRef(type->tp_dict);
#endif
        status = PyDict_SetItem(dict, capsule_name, capsule);
        Py_DECREF(dict);
        Py_DECREF(capsule);
        if (status < 0) goto bad;
        PyType_Modified(type);
        PyTuple_SET_ITEM(types, i, Py_NewRef((PyObject *)type));
    }
    speaker_base = (PyTypeObject *)&static_types[0];
    status = PyObject_SetAttrString(module, "static_types", types);
    Py_DECREF(types);
    return status;
bad:
    Py_DECREF(types);
    return -1;
}

PyMODINIT_FUNC
PyInit_lookup(void)
{
    PyObject *module = PyModule_Create(&module_def);
    if (module == NULL) return NULL;
    capsule_name = PyUnicode_InternFromString("__bench_answer__");
    if (capsule_name == NULL || add_types(module) < 0 || add_token_type(module) < 0) {
        Py_CLEAR(module);
    }
    return module;
}
