/* SPDX-License-Identifier: MIT
 *
 * runtime/interfaces.c - Python's view of interfaces: a class for each declaration, in each interpreter.
 *
 *     extensibletype            the metaclass of extensible types
 *      +-- interface            the metaclass of classes that stand for an interface, and of classes of
 *           |                   Python that derive from those; made with the first of them
 *           +-- geometry.Shape  for what was declared under this name and ID
 *                +-- Poly       a class of Python: implements it
 *
 * Modules declare interfaces when they are imported, which makes no class.  The classes are in a
 * dictionary of the rendezvous module, {ID: class}, where the collector sees them; the class of a
 * later declaration of an ID is under the address of the declaration's entry in the list.  What the
 * classes answer, and whose tables they have: docs/abi-process.md, "Python's view".
 */
#include "runtime/arguments.h"
#include "runtime/prototypes.h"
#include "runtime/override_tables.h"
#include "runtime/overriding.h"

#define _Pycs_CLASSES     "_interfaces"                         /* an entry of the rendezvous module's dict */
#define _Pycs_DECLARATION _Pycs_MODULE "._interface"            /* a capsule */

/* ------------------------------------------------------------------------ declarations -- */

/* 0, or -1 with a ValueError. */
static int
_Pycs_CheckSpec(const char *function, const PyExtensibleType_InterfaceSpec *spec)
{
    const PyCustomSlots_Interface *iface;
    const char *found = NULL;
    if (spec == NULL) found = "NULL";
    else if (spec->size < offsetof(PyExtensibleType_InterfaceSpec, module) + sizeof(spec->module)) {
        found = "a spec that is too short";
    }
    else if (spec->id <= PyCustomSlots_SKIP) found = "ID 0 or 1";
    else if (spec->extends == spec->id) found = "an interface that extends itself";
    else if (spec->name == NULL || strrchr(spec->name, '.') == NULL) found = "a name without a dot";
    else if ((iface = spec->iface) == NULL || iface->size < _Pycs_DESCRIBED || iface->count == 0
             || iface->hashes == NULL || iface->names == NULL) {
        found = "no description with a count, hashes and names";
    }
    if (found == NULL) return 0;
    return _Pycs_Deny(PyExc_ValueError, "PyExtensibleType_%s: found %s, expected a spec with its "
                      "size, a slot ID, a name such as 'geometry.Shape', and a description", function, found);
}

/* Records that the functions of a table raise unless Python overrides them.  0, or -1 with a
   MemoryError. */
static int
_Pycs_AddDefault(_Pycs_InterfaceNode *node, const void *table)
{
    _Pycs_ProcessTable *process = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    _Pycs_DefaultTable *fresh;

    if (table == NULL || _Pycs_IsDefault(node, table)) return 0;
    if (!(fresh = (_Pycs_DefaultTable *)_Pycs_NewBlock(sizeof(*fresh)))) return -1;
    fresh->table = table;
    _Pycs_LockWord(&process->owner);
    fresh->next = (_Pycs_DefaultTable *)_Pycs_LOAD(void *, &node->defaults);
    _Pycs_STORE(void *, &node->defaults, (void *)fresh);
    _Pycs_UnlockWord(&process->owner);
    return 0;
}

/* Does a declaration, or its table, have the functions of another one, and perhaps more? */
static int
_Pycs_BeginsWith(const PyExtensibleType_InterfaceSpec *spec, const PyExtensibleType_InterfaceSpec *start)
{
    const size_t count = start->iface->count;
    return spec->iface->count >= count && spec->iface->hashes[count - 1] == start->iface->hashes[count - 1];
}

/* Does one of two modules have a table that is not for the other's class?  That is so if one of them
   has bodies: a class gets the bodies of the declaration that it derives from. */
static int
_Pycs_Apart(const PyExtensibleType_InterfaceSpec *one, const PyExtensibleType_InterfaceSpec *other)
{
    return one->table != NULL && other->table != NULL && one->table != other->table
        && (one->iface->bodies != NULL || other->iface->bodies != NULL);
}

/* The entry in the list that declares the same; NULL: there is none. */
static _Pycs_Declaration *
_Pycs_SameDeclaration(const _Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_Declaration *declaration;
    _Pycs_EACH_DECLARATION(declaration, api, spec->id) {
        if (_Pycs_BeginsWith(_Pycs_SPEC(declaration, spec), spec)
                && _Pycs_BeginsWith(spec, _Pycs_SPEC(declaration, spec))
                && !_Pycs_Apart(_Pycs_SPEC(declaration, spec), spec)) break;
    }
    return declaration;
}

/* Did the same module declare both? */
static int
_Pycs_Together(const PyExtensibleType_InterfaceSpec *one, const PyExtensibleType_InterfaceSpec *other)
{
    const char *mine = one->module, *theirs = other->module;
    return mine != NULL && theirs != NULL && strcmp(mine, theirs) == 0;
}

/* The declaration that this one extends: the longest one with which it begins, of the same module if that
   has one of this length; NULL: there is none. */
static _Pycs_Declaration *
_Pycs_Extended(const _Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_Declaration *declaration, *found = NULL;
    if (spec->extends == 0) return NULL;
    _Pycs_EACH_DECLARATION(declaration, api, spec->extends) {
        const PyExtensibleType_InterfaceSpec *start = _Pycs_SPEC(declaration, spec);
        const PyExtensibleType_InterfaceSpec *known = found != NULL ? _Pycs_SPEC(found, spec) : NULL;
        if (!_Pycs_BeginsWith(spec, start)) continue;
        if (known == NULL || start->iface->count > known->iface->count
                || (start->iface->count == known->iface->count && _Pycs_Together(spec, start))) found = declaration;
    }
    return found;
}

/* How much a declaration has beside its functions: the declaration of the module that owns the
   interface has a table for classes written in Python; others may have texts for people. */
static int
_Pycs_Wealth(const PyExtensibleType_InterfaceSpec *spec)
{
    return (spec->table != NULL) * 3 + (spec->doc != NULL) + (spec->signatures != NULL);
}

/* Lets classes of a declaration have the table of `spec`, unless that table does not serve them, is not for
   them, or would not serve a class that the present table serves.  Under the lock. */
static void
_Pycs_GiveTable(_Pycs_Declaration *declaration, const PyExtensibleType_InterfaceSpec *spec)
{
    const PyExtensibleType_InterfaceSpec *own = declaration->spec, *now = declaration->tabled;
    if (spec == NULL || spec->table == NULL || spec == now
            || !_Pycs_BeginsWith(spec, own) || _Pycs_Apart(spec, own)) return;
    if (now != NULL && !_Pycs_Apart(now, own)
            && (spec->iface->count == now->iface->count || !_Pycs_BeginsWith(spec, now))) return;
    _Pycs_STORE(const PyExtensibleType_InterfaceSpec *, &declaration->tabled, spec);
    _Pycs_STORE(uintptr_t, &declaration->changes, declaration->changes + 1);
}

/* Adds a declaration to the list.  Under the lock.  0, or -1, without an exception, if there is no memory. */
static int
_Pycs_AddSpec(_Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_Declaration *declaration = _Pycs_SameDeclaration(api, spec), *other, **end;

    if (declaration == NULL) {
        declaration = (_Pycs_Declaration *)PyMem_RawCalloc(1, sizeof(*declaration));
        if (declaration == NULL) return -1;
        declaration->spec = spec;
        _Pycs_EACH_DECLARATION(other, api, spec->id) _Pycs_GiveTable(declaration, other->tabled);
        end = &api->state->interfaces;
        while (*end != NULL) end = &(*end)->next;
        _Pycs_STORE(_Pycs_Declaration *, end, declaration);
    }
    else if (_Pycs_Wealth(spec) > _Pycs_Wealth(declaration->spec)) {
        _Pycs_STORE(const PyExtensibleType_InterfaceSpec *, &declaration->spec, spec);
        _Pycs_STORE(uintptr_t, &declaration->changes, declaration->changes + 1);
    }
    _Pycs_EACH_DECLARATION(other, api, spec->id) _Pycs_GiveTable(other, spec);
    return 0;
}

/* ------------------------------------------------------------------- the functions' names -- */

/* An object that may be missing: Py_T_OBJECT_EX is 16 (T_OBJECT_EX before 3.12), and Py_READONLY 1. */
#define _Pycs_METHOD_MEMBER(name, member, readonly) {name, 16, offsetof(_Pycs_Method, member), readonly, NULL}

static PyMemberDef _Pycs_method_members[] = {
    _Pycs_METHOD_MEMBER("__name__", name, 1),
    _Pycs_METHOD_MEMBER("__qualname__", qualname, 1),
    _Pycs_METHOD_MEMBER("__doc__", doc, 1),
    _Pycs_METHOD_MEMBER("__text_signature__", signature, 1),
    _Pycs_METHOD_MEMBER("__wrapped__", body, 0),
    {NULL, 0, 0, 0, NULL}
};

static void
_Pycs_method_dealloc(PyObject *self)
{
    _Pycs_Method *method = (_Pycs_Method *)self;
    PyTypeObject *type = Py_TYPE(self);
    _Pycs_XDECREF_ALL(method->name, method->qualname, method->doc, method->signature, method->body);
    type->tp_free(self);
    Py_DECREF((PyObject *)type);
}

/* How many classes of the MRO there are up to the class whose entry `method` is, this class included. */
static Py_ssize_t
_Pycs_PlaceOfMethod(_Pycs_Method *method, PyObject *mro)
{
    Py_ssize_t i;
    for (i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (Py_TYPE(item) == method->api->state->interface_meta
                && PyDict_GetItemWithError(item->tp_dict, method->name) == (PyObject *)method) return i + 1;
    }
    return 0;
}

static PyObject *
_Pycs_method_get(PyObject *self, PyObject *obj, PyObject *cls)
{
    _Pycs_Method *method = (_Pycs_Method *)self;
    PyObject *mro, *behind = NULL, *found = NULL, *bound;
    int status;

    if (obj == NULL || obj == Py_None) return Py_NewRef(self);
    if (!(found = Py_XNewRef(method->body))) {
        if (!(mro = _Pycs_FetchMro(method->api, Py_TYPE(obj)))) return PyErr_NoMemory();
        if (cls != NULL) {                      /* obj.name, or super().name in a class before this one */
            behind = PyTuple_GetSlice(mro, _Pycs_PlaceOfMethod(method, mro), PyTuple_GET_SIZE(mro));
            Py_DECREF(mro);
            if (!(mro = behind)) return NULL;
        }
        status = _Pycs_FindInDicts(method->api, mro, method->name, &found);
        Py_DECREF(mro);
        if (status < 0) return NULL;
    }
    if (found == NULL) {
        return PyErr_Format(PyExc_AttributeError, "'%.200s' object has no attribute '%U' that Python sees: "
                            "%U is a function of its interface", Py_TYPE(obj)->tp_name, method->name,
                            method->qualname);
    }
    if (Py_TYPE(found)->tp_descr_get == NULL) return found;
    bound = Py_TYPE(found)->tp_descr_get(found, obj, cls);
    Py_DECREF(found);
    return bound;
}

static PyObject *
_Pycs_method_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *bound, *rest, *result = NULL;
    if (PyTuple_GET_SIZE(args) == 0) {
        return PyErr_Format(PyExc_TypeError, "%U needs an argument: the object", ((_Pycs_Method *)self)->qualname);
    }
    if (((_Pycs_Method *)self)->body != NULL) {
        return PyObject_Call(((_Pycs_Method *)self)->body, args, kwargs);
    }
    bound = _Pycs_method_get(self, PyTuple_GET_ITEM(args, 0), NULL);
    if (bound == NULL) return NULL;
    rest = PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args));
    if (rest != NULL) result = PyObject_Call(bound, rest, kwargs);
    Py_XDECREF(rest);
    Py_DECREF(bound);
    return result;
}

static PyTypeObject *
_Pycs_NewMethodType(void)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)(uintptr_t)_Pycs_method_dealloc},
        {Py_tp_descr_get, (void *)(uintptr_t)_Pycs_method_get},
        {Py_tp_call, (void *)(uintptr_t)_Pycs_method_call},
        {Py_tp_members, _Pycs_method_members},
        {0, NULL}
    };
    PyType_Spec spec;
    memset(&spec, 0, sizeof(spec));
    spec.name = _Pycs_MODULE ".interface_method";
    spec.basicsize = (int)sizeof(_Pycs_Method);
    spec.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    spec.slots = slots;
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

static _Pycs_Method *
_Pycs_NewMethod(_Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec, size_t place)
{
    _Pycs_Method *method = (_Pycs_Method *)PyType_GenericAlloc(api->state->interface_method, 0);
    if (method == NULL) return NULL;
    method->api = api;
    if (!(method->name = PyUnicode_InternFromString(spec->iface->names[place]))
            || !(method->qualname = PyUnicode_FromFormat("%s.%U", strrchr(spec->name, '.') + 1,
                                                         method->name))
            || !(method->doc = _Pycs_SignatureOf(spec, place, 1))
            || !(method->signature = _Pycs_TextSignature(method->doc))) {
        Py_CLEAR(method);
    }
    return method;
}

/* ------------------------------------------------------------------------------ classes -- */

/* Makes the types that all interfaces share.  0, or -1 with an exception. */
static int
_Pycs_NeedInterfaceTypes(_Pycs_API *api)
{
    _Pycs_State *const state = api->state;
    PyTypeObject *method, *meta = NULL;
    int status;

    if (_Pycs_LOAD(PyTypeObject *, &state->interface_meta) != NULL) return 0;
    if ((method = _Pycs_NewMethodType()) != NULL) meta = _Pycs_NewInterfaceMetaclass(api);
    status = meta != NULL ? 0 : -1;
    _Pycs_Lock(api);
    if (meta != NULL && state->interface_meta == NULL) {        /* or another thread was faster */
        state->interface_method = method;
        _Pycs_STORE(PyTypeObject *, &state->interface_meta, meta);
        method = meta = NULL;
    }
    _Pycs_Unlock(api);
    Py_XDECREF((PyObject *)meta);
    Py_XDECREF((PyObject *)method);
    return status;
}

/* The interface that the class itself stands for; NULL, without an exception, if there is
   none. */
_Pycs_PRIVATE _Pycs_Declaration *
_Pycs_StandsFor(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *meta = _Pycs_LOAD(PyTypeObject *, &api->state->interface_meta);
    PyObject *capsule;
    if (meta == NULL || Py_TYPE(type) != meta || type->tp_dict == NULL) return NULL;
    capsule = PyDict_GetItemWithError(type->tp_dict, api->state->name_interface);
    if (capsule == NULL || !PyCapsule_IsValid(capsule, _Pycs_DECLARATION)) {
        PyErr_Clear();
        return NULL;
    }
    return (_Pycs_Declaration *)PyCapsule_GetPointer(capsule, _Pycs_DECLARATION);
}

/* Puts the slots of a class that stands for an interface into an array: its table, under its own ID and
   under the IDs of the interfaces that it extends.  How many places they take, or -1 with an exception. */
static Py_ssize_t
_Pycs_SlotsOf(_Pycs_API *api, const _Pycs_Declaration *declaration, PyCustomSlot *slots, Py_ssize_t room)
{
    const PyExtensibleType_InterfaceSpec *tabled = _Pycs_SPEC(declaration, tabled);
    Py_ssize_t n = 0, count = room;

    memset(slots, 0, (size_t)room * sizeof(*slots));
    for (; tabled != NULL && declaration != NULL && n < room - PyCustomSlots_MIN_CAPACITY; n++) {
        const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
        _Pycs_InterfaceNode *node = _Pycs_InterfaceNodeOf(spec->id);
        if (node == NULL || _Pycs_AddDefault(node, tabled->table) < 0) return -1;
        PyCustomSlots_PlaceSlot(slots, room, node->position, spec->id, tabled->table);
        declaration = _Pycs_Extended(api, spec);
    }
    while (count > 0 && slots[count - 1].id == PyCustomSlots_EMPTY) count--;
    return count;
}

#define _Pycs_MOST_EXTENDED 16

/* Gives a class that stands for an interface its functions and slots, as declared by now.  0, or
   -1 with an exception. */
static int
_Pycs_GiveDeclared(_Pycs_API *api, PyTypeObject *type, const _Pycs_Declaration *declaration)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    PyCustomSlot slots[_Pycs_MOST_EXTENDED + PyCustomSlots_MIN_CAPACITY];
    PyObject *older;
    Py_ssize_t count;
    size_t i;
    int status;

    for (i = 0; i < spec->iface->count; i++) {
        _Pycs_Method *method;
        if (spec->iface->names[i] == NULL) continue;
        if (!(method = _Pycs_NewMethod(api, spec, i))) return -1;
        if ((status = _Pycs_LookUp(type->tp_dict, method->name, &older)) == 0) {
            if (older != NULL && Py_TYPE(older) == Py_TYPE(method)) {
                method->body = Py_XNewRef(((_Pycs_Method *)older)->body);
            }
            Py_XDECREF(older);
            status = PyDict_SetItem(type->tp_dict, method->name, (PyObject *)method);
        }
        Py_DECREF((PyObject *)method);
        if (status < 0) return -1;
    }
    PyType_Modified(type);
    count = _Pycs_SlotsOf(api, declaration, slots, (Py_ssize_t)(sizeof(slots) / sizeof(slots[0])));
    return count >= 0 ? _Pycs_set_slots(api, type, slots, count) : -1;
}

/* Gives the class of a declaration what was declared since it was made, or last completed; other threads may do
   the same.  0, or -1 with an exception: then the class is completed when it is asked for again. */
static int
_Pycs_Complete(_Pycs_API *api, PyTypeObject *type, _Pycs_Declaration *declaration)
{
    uintptr_t now;
    while ((now = _Pycs_LOAD(uintptr_t, &declaration->changes)) != _Pycs_LOAD(uintptr_t, &declaration->completed)) {
        if (_Pycs_GiveDeclared(api, type, declaration) < 0) return -1;
        _Pycs_STORE(uintptr_t, &declaration->completed, now);
    }
    return 0;
}

static PyObject *_Pycs_ClassFor(_Pycs_API *api, uintptr_t id, _Pycs_Declaration *declaration, int make);

/* A new reference, or NULL with an exception. */
static PyObject *
_Pycs_NewInterfaceClass(_Pycs_API *api, _Pycs_Declaration *declaration)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    PyObject *base = NULL, *made = NULL, *capsule = NULL;
    PyType_Slot slots[2];
    PyType_Spec type;

    if (_Pycs_NeedInterfaceTypes(api) < 0) return NULL;
    if (spec->extends != 0
            && !(base = _Pycs_ClassFor(api, spec->extends, _Pycs_Extended(api, spec), 1))) return NULL;
    memset(&type, 0, sizeof(type));
    memset(slots, 0, sizeof(slots));
    type.name = spec->name;
    type.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE;
    type.slots = slots;
    if (spec->doc != NULL) {
        slots[0].slot = Py_tp_doc;
        slots[0].pfunc = (void *)(uintptr_t)spec->doc;
    }
    made = _Pycs_from_spec(api, api->state->interface_meta, NULL, &type, base, NULL, 0);
    Py_XDECREF(base);
    capsule = made != NULL ? PyCapsule_New(declaration, _Pycs_DECLARATION, NULL) : NULL;
    if (capsule == NULL
            || PyDict_SetItem(((PyTypeObject *)made)->tp_dict, api->state->name_interface, capsule) < 0
            || _Pycs_GiveDeclared(api, (PyTypeObject *)made, declaration) < 0) Py_CLEAR(made);
    Py_XDECREF(capsule);
    return made;
}

/* The class for a declaration of an ID; if there is none and `make` is set, it is made.  A new
   reference; NULL with an exception after an error, such as a LookupError if there is no declaration;
   NULL without an exception if there is no class, and none was to be made. */
static PyObject *
_Pycs_ClassFor(_Pycs_API *api, uintptr_t id, _Pycs_Declaration *declaration, int make)
{
    PyObject *classes, *key = NULL, *found = NULL, *made;

    if (declaration == NULL) {
        return PyErr_Format(PyExc_LookupError, "PyExtensibleType_InterfaceClass: found no interface with ID %p in "
                            "this interpreter, expected one that a module has declared; import that module "
                            "first", (void *)id);
    }
    if (!(classes = _Pycs_KeepInModule(_Pycs_CLASSES, PyDict_New()))) return NULL;
    key = PyLong_FromVoidPtr(declaration == _Pycs_FirstDeclaration(api, id) ? (void *)id : (void *)declaration);
    if (key == NULL) goto done;
    found = PyObject_GetItem(classes, key);
    if (found == NULL) {
        const uintptr_t now = _Pycs_LOAD(uintptr_t, &declaration->changes);
        if (!PyErr_ExceptionMatches(PyExc_KeyError)) goto done;
        PyErr_Clear();
        if (!make || Py_EnterRecursiveCall(" in the class of an interface")) goto done;
        if ((made = _Pycs_NewInterfaceClass(api, declaration)) != NULL) {
            found = PyObject_CallMethod(classes, "setdefault", "OO", key, made);
            if (found == made) _Pycs_STORE(uintptr_t, &declaration->completed, now);
            Py_DECREF(made);
        }
        Py_LeaveRecursiveCall();
    }
    if (found != NULL && _Pycs_StandsFor(api, (PyTypeObject *)found) == declaration
            && _Pycs_Complete(api, (PyTypeObject *)found, declaration) < 0) Py_CLEAR(found);
done:
    Py_XDECREF(key);
    Py_DECREF(classes);
    return found;
}

/* Of several declarations the first one that classes can derive from. */
_Pycs_PRIVATE PyObject *
_Pycs_interface_class(_Pycs_API *api, uintptr_t id)
{
    _Pycs_Declaration *declaration;
    _Pycs_EACH_DECLARATION(declaration, api, id) {
        if (_Pycs_SPEC(declaration, tabled) != NULL) break;
    }
    return _Pycs_ClassFor(api, id, declaration != NULL ? declaration : _Pycs_FirstDeclaration(api, id), 1);
}

_Pycs_PRIVATE PyObject *
_Pycs_interface_class_of(_Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    if (_Pycs_CheckSpec("InterfaceClassOf", spec) < 0) return NULL;
    return _Pycs_ClassFor(api, spec->id, _Pycs_SameDeclaration(api, spec), 1);
}

_Pycs_PRIVATE int
_Pycs_declare_interface(_Pycs_API *api, const PyExtensibleType_InterfaceSpec *spec)
{
    _Pycs_InterfaceNode *node;
    _Pycs_Declaration *declaration;
    int status;

    if (_Pycs_CheckSpec("DeclareInterface", spec) < 0 || !(node = _Pycs_InterfaceNodeOf(spec->id))
            || _Pycs_AddDefault(node, spec->table) < 0) return -1;
    _Pycs_Lock(api);
    status = _Pycs_AddSpec(api, spec);
    _Pycs_Unlock(api);
    if (status < 0) PyErr_NoMemory();
    if (status < 0 || _Pycs_LOAD(PyTypeObject *, &api->state->interface_meta) == NULL) return status;
    _Pycs_EACH_DECLARATION(declaration, api, spec->id) {
        PyObject *type = _Pycs_ClassFor(api, spec->id, declaration, 0);
        if (type == NULL && PyErr_Occurred()) return -1;
        Py_XDECREF(type);
    }
    return 0;
}
