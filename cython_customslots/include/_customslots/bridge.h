/* SPDX-License-Identifier: MIT
 *
 * _customslots/bridge.h - look-ups of registered slots, and of slots that are also class attributes
 * (capsules). Included by customslots.h; not for direct use.
 *
 * Both look-ups find registered slots (register.h); a library with the full API makes both for libraries with
 * the limited API.
 *
 * Protocols that know nothing of slots put a table of functions into a capsule, and the capsule into an attribute
 * of the class, as DLPack does with __dlpack_c_exchange_api__.  A bridge says that a slot and such an attribute are
 * the same: a look-up finds either, and a slot can be published as the attribute.  (It is not for
 * protocols that have a method which makes a capsule for each object, such as Arrow's __arrow_c_array__.)
 *
 * The answer of a look-up is remembered as for registered slots (register.h): it is true for one version of
 * the type, and CPython gives the type another version when an attribute of the class or of a base
 * is set, replaced or deleted.
 */

/* [bridge.begin] */
/** Which slot and which attribute; static, made by PyCustomSlots_BRIDGE(). */
typedef struct PyCustomSlots_Bridge {
    const char *name;           /**< of the slot, as for PyCustomSlots_Intern() */
    const char *attribute;      /**< of the class */
    const char *capsule;        /**< the name of the capsule in it */
    uintptr_t   id, key;        /* 0: not asked for yet */
    PyObject   *text;           /* `attribute`, of the main interpreter */
} PyCustomSlots_Bridge;
/* [bridge.end] */

/* [bridge_key.begin] */
/** The initialiser:

       static PyCustomSlots_Bridge bridge = PyCustomSlots_BRIDGE(
           "dlpack.exchange_api", "__dlpack_c_exchange_api__", "dlpack_exchange_api");
   */
#define PyCustomSlots_BRIDGE(name, attribute, capsule) {(name), (attribute), (capsule), 0, 0, NULL}

/* Gives the bridge its ID, and the ID under which its answers are remembered; 0, or -1 with an exception. */
_Pycs_SLOW int
_Pycs_OpenBridge(PyCustomSlots_Bridge *bridge)
{
    PyObject *text = PyBytes_FromFormat("customslots.bridge %s %s %s", bridge->name, bridge->attribute,
                                        bridge->capsule);
    const uintptr_t id = text != NULL ? PyCustomSlots_Intern(bridge->name) : 0;
    const uintptr_t key = id != 0 ? PyCustomSlots_Intern(PyBytes_AsString(text)) : 0;
    Py_XDECREF(text);
    if (key == 0) return -1;
    _Pycs_STORE(uintptr_t, &bridge->id, id);
    _Pycs_STORE(uintptr_t, &bridge->key, key);
    return 0;
}
/* [bridge_key.end] */

/* The pointer in the capsule of that name, in the attribute of the class or a base; NULL, with no exception, if
   there is none. */
_Pycs_UNUSED static void *
_Pycs_CapsuleOf(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    PyObject *found;
    void *pointer = NULL;
#if defined(PYPY_VERSION) || defined(Py_LIMITED_API)
    found = PyObject_GetAttrString((PyObject *)type, bridge->attribute);
    if (found == NULL) PyErr_Clear();
#else
    /* The main interpreter keeps the attribute's name as a str: making it takes longer than looking for it. */
    const int is_main = _Pycs_IsMain();
    PyObject *name = is_main ? _Pycs_LOAD(PyObject *, &bridge->text) : NULL;
    if (name == NULL) {
        name = PyUnicode_InternFromString(bridge->attribute);
        if (name == NULL) {
            PyErr_Clear();
            return NULL;
        }
        if (is_main) _Pycs_STORE(PyObject *, &bridge->text, name);
    }
#  if PY_VERSION_HEX >= 0x030D0000
    found = _PyType_LookupRef(type, name);
#  else
    found = _PyType_Lookup(type, name);
    Py_XINCREF(found);
#  endif
    if (!is_main) Py_DECREF(name);
#endif
    if (PyCapsule_IsValid(found, bridge->capsule)) pointer = PyCapsule_GetPointer(found, bridge->capsule);
    Py_XDECREF(found);
    return pointer;
}

/* After a bridge could not be opened: is it because the limited API, in a sub-interpreter, cannot reach the process's
   table?  Then no slots can be found, but attributes can, and the exception is cleared. */
_Pycs_SLOW int
_Pycs_HasAttributesOnly(void)
{
#ifdef Py_LIMITED_API
    if (!_Pycs_IsMain() && PyErr_ExceptionMatches(PyExc_RuntimeError)) {
        PyErr_Clear();
        return 1;
    }
#endif
    return 0;
}

#ifdef Py_LIMITED_API
#  define _Pycs_BringServices(table) ((void)(table))

/* The functions that a library with the full API has brought for others; NULL: none has, or it knows less
   than this code. */
_Pycs_FAST const _Pycs_Services *
_Pycs_ServicesOf(_Pycs_ProcessTable *table)
{
    const _Pycs_Services *services = _Pycs_LOAD(const _Pycs_Services *, &table->services);
    return services != NULL && services->size >= sizeof(*services) ? services : NULL;
}
#else
static void _Pycs_BringServices(_Pycs_ProcessTable *table);
#endif

/* Follows the MRO, and remembers what it found. */
_Pycs_NOINLINE static const PyCustomSlot *
_Pycs_SeekRegistered(PyTypeObject *type, uintptr_t id)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable(NULL);
    _Pycs_Answer found;
    if (table == NULL) return NULL;
    _Pycs_BringServices(table);
    _Pycs_BeginAnswer(table, type, id, &found);
    found.slot = _Pycs_FollowMro(table, type, id);
    _Pycs_EndAnswer(table, &found);
    return found.slot;
}

_Pycs_HOT const PyCustomSlot *
_Pycs_FindRegistered(PyTypeObject *type, uintptr_t id)
{
    /* No answer of a table that was closed is true. */
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    const PyCustomSlot *slot = NULL;
    if (_Pycs_LIKELY(table != NULL)) {
        if (_Pycs_LIKELY(_Pycs_Recall(table, type, id, &slot))) return slot;
        if (!_Pycs_IsNoted(table, id)) return NULL;
#ifdef Py_LIMITED_API
        const _Pycs_Services *services = _Pycs_ServicesOf(table);
        if (_Pycs_LIKELY(services != NULL)) return services->find_registered(type, id);
#endif
    }
    return _Pycs_SeekRegistered(type, id);
}

/** The slot with this ID: from the table of the type (what PyCustomSlots_FindType() would
   return, at the same cost), or else one that was registered for the type or for the
   nearest class in its MRO.  NULL if there is none.

   Needs the GIL or, on free-threaded builds, an attached thread state, unlike Find:
   the classes of the MRO must stay alive.  Sets no exception and leaves a pending one alone.
   The first call of a library finds the process's table, which costs some look-ups in a
   dictionary, and in a sub-interpreter a visit to the main one.  Takes no lock, except
   CPython's own for the MRO, on free-threaded builds, where no answer for type and ID is
   remembered.  Under the limited API the MRO is read as the attribute __mro__, each time, as long as no library
   with the full API has brought the function that remembers answers.
   A slot of a table is borrowed from `type`.  A registered one is borrowed from the type
   it was registered for, and is freed when that type dies, which needs Python code to run. */
_Pycs_FAST const PyCustomSlot *
PyCustomSlots_FindAnyType(PyTypeObject *type, uintptr_t id, Py_ssize_t expected_pos)
{
    const PyCustomSlot *slot = PyCustomSlots_FindType(type, id, expected_pos);
    return _Pycs_LIKELY(slot != NULL) ? slot : _Pycs_FindRegistered(type, id);
}

/** PyCustomSlots_FindAnyType() of the type of `obj`, which must not be NULL. */
_Pycs_FAST const PyCustomSlot *
PyCustomSlots_FindAny(PyObject *obj, uintptr_t id, Py_ssize_t expected_pos)
{
    return PyCustomSlots_FindAnyType(Py_TYPE(obj), id, expected_pos);
}

/* Follows the MRO, for a registered slot and for the attribute, and remembers what it found. */
_Pycs_NOINLINE static void *
_Pycs_SeekBridged(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable(NULL);
    const PyCustomSlot *slot = NULL;
    void *pointer;
    _Pycs_Answer found;
    if (_Pycs_LOAD(uintptr_t, &bridge->key) == 0) {
        if (_Pycs_OpenBridge(bridge) < 0) return _Pycs_HasAttributesOnly() ? _Pycs_CapsuleOf(type, bridge) : NULL;
        slot = PyCustomSlots_FindType(type, bridge->id, 0);
    }
    if (table != NULL) _Pycs_BringServices(table);
    _Pycs_BeginAnswer(table, type, bridge->key, &found);
    if (slot == NULL && table != NULL) slot = _Pycs_FollowMro(table, type, bridge->id);
    pointer = slot != NULL ? slot->data.pointer : _Pycs_CapsuleOf(type, bridge);
    found.slot = (const PyCustomSlot *)pointer;
    _Pycs_EndAnswer(table, &found);
    return pointer;
}

/* The answer where FindBridged finds no slot in the type's table. */
_Pycs_HOT void *
_Pycs_FindBridgedElsewhere(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    _Pycs_ProcessTable *table = _Pycs_LOAD(_Pycs_ProcessTable *, _Pycs_TableCache());
    const uintptr_t key = _Pycs_LOAD(uintptr_t, &bridge->key);
    const PyCustomSlot *pointer = NULL;
    if (_Pycs_LIKELY(table != NULL && key != 0) && _Pycs_LIKELY(_Pycs_Recall(table, type, key, &pointer))) {
        return (void *)(uintptr_t)pointer;
    }
#ifdef Py_LIMITED_API
    if (table != NULL && key != 0) {
        const _Pycs_Services *services = _Pycs_ServicesOf(table);
        if (_Pycs_LIKELY(services != NULL)) return services->find_bridged(type, bridge);
    }
#endif
    return _Pycs_SeekBridged(type, bridge);
}

#ifndef Py_LIMITED_API
/* Brings this library's functions to libraries with the limited API, unless another library's functions are more
   or newer.  Called by each library that looks for what is not remembered, and by the runtime when it is
   imported.  (If two threads do so at once, either may be the last: both are right.) */
_Pycs_UNUSED static void
_Pycs_BringServices(_Pycs_ProcessTable *table)
{
    static const _Pycs_Services mine = {sizeof(mine), PyCustomSlots_VERSION_HEX, _Pycs_FindRegistered,
                                        _Pycs_FindBridgedElsewhere};
    const _Pycs_Services *there = _Pycs_LOAD(const _Pycs_Services *, &table->services);
    if (there == NULL || there->size < mine.size || (there->size == mine.size && there->version < mine.version)) {
        _Pycs_STORE(const _Pycs_Services *, &table->services, &mine);
    }
}
#endif

/** The pointer of the slot, as PyCustomSlots_FindAnyType() finds it, or else of the capsule that the type has
   as a class attribute, inherited or its own; NULL if there is neither, or if the attribute is something
   else, such as a capsule of another name.  The attribute is read the first time for a type, and its
   value is remembered until the attribute or the MRO changes.  The caller finds the protocol's version
   where the pointer leads.

   Needs the GIL or an attached thread state.  Sets no exception, except MemoryError or RuntimeError
   when a bridge is used the first time.  (Under the limited API, in a sub-interpreter, only attributes are found as
   long as nothing in the main interpreter has asked for the process's table.)  The pointer stays valid as long
   as the protocol says; DLPack's tables live as long as the process. */
_Pycs_FAST void *
PyCustomSlots_FindBridged(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    /* ID 0 is never found. */
    const PyCustomSlot *slot = PyCustomSlots_FindType(type, _Pycs_LOAD(uintptr_t, &bridge->id), 0);
    return slot != NULL ? slot->data.pointer : _Pycs_FindBridgedElsewhere(type, bridge);
}

/* Is it a class, and none of the builtin types, which have no tp_dict: from 3.12 on each interpreter has its own dict
   for them?  0, or -1 with TypeError. */
_Pycs_UNUSED static int
_Pycs_CheckTakesAttributes(PyTypeObject *type, const char *function)
{
    if (!PyType_Check((PyObject *)type)) {
        PyErr_Format(PyExc_TypeError, "%s: found %R, expected a class", function, (PyObject *)type);
        return -1;
    }
#if !defined(Py_LIMITED_API) && !defined(PYPY_VERSION)
    if (type->tp_dict == NULL) {
        PyErr_Format(PyExc_TypeError, "%s: found the builtin type %R, expected one that may get attributes", function,
                     (PyObject *)type);
        return -1;
    }
#endif
    return 0;
}

/** Publishes the slot of a class as the attribute, for consumers that do not know slots: the class gets a
   capsule with the slot's pointer.  Subclasses inherit the attribute as they inherit the slot; publish the
   slot of a subclass that has another one, too.  0, or -1 with an exception: TypeError if the class has no
   such slot, or is one of CPython's builtin types. */
_Pycs_UNUSED static int
PyCustomSlots_PublishCapsule(PyTypeObject *type, PyCustomSlots_Bridge *bridge)
{
    const uintptr_t id = _Pycs_CheckTakesAttributes(type, "PyCustomSlots_PublishCapsule") == 0
                         ? PyCustomSlots_Intern(bridge->name) : 0;
    const PyCustomSlot *slot = id != 0 ? PyCustomSlots_FindAnyType(type, id, 0) : NULL;
    PyObject *capsule;
    int result;
    if (id == 0) return -1;
    if (slot == NULL || slot->data.pointer == NULL) {
        PyErr_Format(PyExc_TypeError, "PyCustomSlots_PublishCapsule: found no pointer in slot '%.200s' of %R, "
                     "expected one for its attribute %.200s", bridge->name, (PyObject *)type, bridge->attribute);
        return -1;
    }
    capsule = PyCapsule_New(slot->data.pointer, bridge->capsule, NULL);
    if (capsule == NULL) return -1;
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
    result = PyObject_SetAttrString((PyObject *)type, bridge->attribute, capsule);
#else
    /* Into the dict: the class may not allow Python to set it. */
    result = PyDict_SetItemString(type->tp_dict, bridge->attribute, capsule);
    PyType_Modified(type);
#endif
    Py_DECREF(capsule);
    return result;
}
