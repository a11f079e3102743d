/* SPDX-License-Identifier: MIT
 *
 * runtime/foreign.c - functions for languages that cannot use the headers.
 *
 * C code uses inline functions of customslots.h, and the layout of type objects.  Other languages
 * call these functions through the table of functions (api.h) instead.  What each takes, returns and
 * raises: docs/abi-rendezvous.md.
 */
#include "runtime/arguments.h"
#include "runtime/prototypes.h"

/* -------------------------------------------------------------------- readers -- */

/* Is it a class, or about to become one?  Needs no GIL: CPython itself follows any ob_type in any thread. */
static inline int
_Pycs_IsClass(PyTypeObject *type)
{
    PyTypeObject *metaclass = type != NULL ? _Pycs_LOAD(PyTypeObject *, &((PyObject *)type)->ob_type) : NULL;
    return metaclass != NULL && (_Pycs_FLAGS(metaclass) & Py_TPFLAGS_TYPE_SUBCLASS) != 0;
}

/* A function that answers `none` for an object that is no class. */
#define _Pycs_READER(result, name, parameters, found, none) \
    _Pycs_PRIVATE result \
    _Pycs_##name parameters \
    { \
        (void)api; \
        return _Pycs_IsClass(type) ? found : none; \
    }

_Pycs_READER(const PyCustomSlot *, find, (_Pycs_API *api, PyTypeObject *type, uintptr_t id, Py_ssize_t position),
             PyCustomSlots_FindType(type, id, position), NULL)
_Pycs_READER(const PyCustomSlot *, find_any, (_Pycs_API *api, PyTypeObject *type, uintptr_t id, Py_ssize_t position),
             PyCustomSlots_FindAnyType(type, id, position), NULL)
_Pycs_READER(Py_ssize_t, slot_count, (_Pycs_API *api, PyTypeObject *type), PyCustomSlots_CountType(type), 0)
_Pycs_READER(const PyCustomSlot *, slot_table, (_Pycs_API *api, PyTypeObject *type),
             PyCustomSlots_TableType(type), NULL)

_Pycs_PRIVATE uintptr_t
_Pycs_intern(_Pycs_API *api, const char *name)
{
    (void)api;
    return PyCustomSlots_Intern(name);
}

_Pycs_PRIVATE int
_Pycs_register_slot(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *slot)
{
    (void)api;
    return PyCustomSlots_Register(type, slot);
}

/* ---------------------------------------------------------------- heap classes -- */

/* The namespace that a class statement would begin with: a new reference, or NULL with an
   exception. */
static PyObject *
_Pycs_NewNamespace(PyTypeObject *metaclass, PyObject *name, PyObject *bases, PyObject *qualname, const char *module)
{
    PyObject *ns = PyObject_CallMethod((PyObject *)metaclass, "__prepare__", "OO", name, bases), *text = NULL;

    if (ns != NULL && !PyMapping_Check(ns)) {
        PyErr_Format(PyExc_TypeError, "%.200s.__prepare__() returned an object of type '%.200s', "
                     "expected a mapping", metaclass->tp_name, Py_TYPE(ns)->tp_name);
        Py_CLEAR(ns);
    }
    if (ns == NULL) return NULL;
    if ((module != NULL && (!(text = PyUnicode_FromString(module))
                            || PyMapping_SetItemString(ns, "__module__", text) < 0))
            || PyMapping_SetItemString(ns, "__qualname__", qualname) < 0) Py_CLEAR(ns);
    Py_XDECREF(text);
    return ns;
}

_Pycs_PRIVATE PyObject *
_Pycs_new_class(_Pycs_API *api, PyTypeObject *metaclass,
                const char *module, const char *name, PyObject *bases,
                const PyCustomSlot *own, Py_ssize_t count)
{
    static const char *const function = "new_class";
    PyObject *all = NULL, *text = NULL, *qualname = NULL, *ns = NULL, *cls = NULL;
    const char *last = name != NULL ? strrchr(name, '.') : NULL;

    last = last != NULL ? last + 1 : name;
    if (last == NULL || last[0] == '\0') {
        return PyErr_Format(PyExc_ValueError, "%s: found '%.200s' as the name, expected that of a "
                            "class, such as 'Shape' or 'Outer.Shape'", function,
                            name != NULL ? name : "NULL");
    }
    if (metaclass != NULL && _Pycs_CheckMetaclass(api, function, metaclass) < 0) return NULL;
    if (_Pycs_CheckBases(function, name, NULL, bases) < 0) return NULL;
    if (_Pycs_CheckOwn(name, own, count) < 0) return NULL;

    if (!(all = bases != NULL ? Py_NewRef(bases) : PyTuple_New(0))) goto done;
    if (!(metaclass = _Pycs_calculate_metaclass(api, metaclass, NULL, all))) goto done;
    if (!(text = PyUnicode_FromString(last))) goto done;
    if (!(qualname = PyUnicode_FromString(name))) goto done;
    ns = _Pycs_NewNamespace(metaclass, text, all, qualname, module);
    if (ns == NULL) goto done;
    cls = PyObject_CallFunctionObjArgs((PyObject *)metaclass, text, all, ns, NULL);
    if (cls == NULL) goto done;
    if (!PyType_Check(cls)) {
        PyErr_Format(PyExc_TypeError, "%s('%.200s'): metaclass '%.200s' returned an object of "
                     "type '%.200s', expected a class", function, name, metaclass->tp_name,
                     Py_TYPE(cls)->tp_name);
        Py_CLEAR(cls);
    }
    else if (_Pycs_publish(api, (PyTypeObject *)cls, own, count) < 0) Py_CLEAR(cls);
done:
    _Pycs_XDECREF_ALL(all, text, qualname, ns);
    return cls;
}

/* ---------------------------------------------------------------- static types -- */

/* The caller need compute neither the size of a type object nor an offset in it. */
_Pycs_PRIVATE PyTypeObject *
_Pycs_static_block(_Pycs_API *api, PyTypeObject *metaclass)
{
    /* The mark says that the memory behind the type object is there (customslots.h). */
    static const struct {
        PyVarObject head;
        int end;
    } first = {PyVarObject_HEAD_INIT(NULL, _Pycs_STATIC_MARK) 0};
    PyTypeObject *type;

    if (metaclass != NULL && _Pycs_CheckMetaclass(api, "static_block", metaclass) < 0) return NULL;
    if (!(metaclass = _Pycs_calculate_metaclass(api, metaclass, NULL, NULL))) return NULL;
    if (!(type = (PyTypeObject *)_Pycs_NewBlock((size_t)metaclass->tp_basicsize))) return NULL;
    memcpy((void *)type, &first.head, sizeof(first.head));
    Py_INCREF((PyObject *)metaclass);           /* kept, as the block is */
    Py_SET_TYPE((PyObject *)type, metaclass);
    return type;
}

_Pycs_PRIVATE int
_Pycs_ready_block(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    PyTypeObject *preset = type != NULL ? Py_TYPE((PyObject *)type) : NULL;

    /* In this order: an object that is no type need not have an ob_size. */
    if (preset == NULL || _Pycs_APIOf(preset) != api || ((PyVarObject *)type)->ob_size != _Pycs_STATIC_MARK) {
        return _Pycs_Deny(PyExc_ValueError, "ready_block: found %s, expected what static_block() returned in this "
                          "interpreter; write the members behind the head of that PyTypeObject (reference count, "
                          "ob_type, ob_size) and nothing else",
                          type == NULL ? "NULL" : "a type object that is no such block, or whose head was written to");
    }
    if (_Pycs_HasTable(type)) return 0;
    return _Pycs_ReadyWith(api, "ready_block", type, own, count, PY_SSIZE_T_MAX);
}
