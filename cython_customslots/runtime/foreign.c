/* SPDX-License-Identifier: MIT
 *
 * runtime/foreign.c - functions for languages that cannot use the headers.
 *
 * C code uses inline functions of customslots.h, and the layout of type objects.  Other languages
 * call these functions through the table of functions (api.h) instead.  The first argument of
 * each is the API whose table the function was found in; it is left out below.
 *
 * Unless a function says otherwise: it needs the GIL or, on free-threaded builds, an attached
 * thread state; it fails with -1, 0 or NULL and an exception, and has then changed nothing;
 * slots that are passed in are copied, and what their data points to must live as long as the
 * type.
 */
#include "runtime/arguments.h"
#include "runtime/floors.h"
#include "runtime/slots.h"
#include "runtime/state.h"

/* -------------------------------------------------------------------- readers -- */

/* Is it a class, or about to become one?  Needs no GIL: what ob_type may be, CPython itself
   follows in any thread. */
static inline int
_Pycs_IsClass(PyTypeObject *type)
{
    PyTypeObject *metaclass = type != NULL ? _Pycs_LOAD(PyTypeObject *, &((PyObject *)type)->ob_type) : NULL;
    return metaclass != NULL && (_Pycs_FLAGS(metaclass) & Py_TPFLAGS_TYPE_SUBCLASS) != 0;
}

/* The slot with this ID in the table of a type, or NULL: PyCustomSlots_FindType().  `position`
   is where to look first; any number is allowed.  Borrowed: it lives as long as the type, which
   the caller keeps alive.  Sets no exception, and needs neither the GIL nor a thread state.
   NULL, and what is no class, has nothing. */
_Pycs_PRIVATE const PyCustomSlot *
_Pycs_find(_Pycs_API *api, PyTypeObject *type, uintptr_t id, Py_ssize_t position)
{
    (void)api;
    return _Pycs_IsClass(type) ? PyCustomSlots_FindType(type, id, position) : NULL;
}

/* The same, and if the table has none what was registered for the type or one of its bases:
   PyCustomSlots_FindAnyType().  Sets no exception, but needs the GIL. */
_Pycs_PRIVATE const PyCustomSlot *
_Pycs_find_any(_Pycs_API *api, PyTypeObject *type, uintptr_t id, Py_ssize_t position)
{
    (void)api;
    return _Pycs_IsClass(type) ? PyCustomSlots_FindAnyType(type, id, position) : NULL;
}

/* How many entries the table of a type has, those without a slot included; 0 for a type
   without one, NULL, or what is no class.  As `find` otherwise. */
_Pycs_PRIVATE Py_ssize_t
_Pycs_slot_count(_Pycs_API *api, PyTypeObject *type)
{
    (void)api;
    return _Pycs_IsClass(type) ? PyCustomSlots_CountType(type) : 0;
}

/* Those entries; NULL for a type without a table, NULL, or what is no class.  A caller that asks
   for the count first, and for the table afterwards, may read that many entries, whatever other
   threads do.  As `find` otherwise. */
_Pycs_PRIVATE const PyCustomSlot *
_Pycs_slot_table(_Pycs_API *api, PyTypeObject *type)
{
    (void)api;
    return _Pycs_IsClass(type) ? PyCustomSlots_TableType(type) : NULL;
}

/* The ID that belongs to a name (UTF-8 or any other bytes, ended by NUL; copied) in this
   process: PyCustomSlots_Intern().  0 with ValueError (NULL, no name), MemoryError,
   RuntimeError. */
_Pycs_PRIVATE uintptr_t
_Pycs_intern(_Pycs_API *api, const char *name)
{
    (void)api;
    return PyCustomSlots_Intern(name);
}

/* Gives a type that is not extensible a slot, which `find_any` finds: PyCustomSlots_Register().
   0, or -1 with TypeError (no class, not ready, extensible), ValueError (NULL, ID 0 or 1, other
   data for this ID), MemoryError, RuntimeError. */
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

/* Makes a class as a class statement with an empty body does, and gives it slots.

   `metaclass`: NULL, or one that derives from extensibletype; the class gets the most derived
   one of that, extensibletype and those of the bases.  `module`: the name that becomes
   __module__; NULL: that of the Python code which is running.  `name`: what becomes
   __qualname__, of which __name__ is what stands behind the last dot.  Both UTF-8.  `bases`: a
   tuple of classes, or NULL for none.  __prepare__, __set_name__ and __init_subclass__ run as
   ever; the slots are there afterwards.

   A new reference, or NULL with ValueError (no name; bad slots, as set_slots says), TypeError
   (metaclass or bases are none, or conflict), UnicodeDecodeError, MemoryError, or what the class
   statement raises. */
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
        PyErr_Format(PyExc_ValueError, "%s: found '%.200s' as the name, expected that of a "
                     "class, such as 'Shape' or 'Outer.Shape'", function,
                     name != NULL ? name : "NULL");
        return NULL;
    }
    if (metaclass != NULL && _Pycs_CheckMetaclass(api, function, metaclass) < 0) return NULL;
    if (_Pycs_CheckBases(function, name, NULL, bases) < 0) return NULL;
    if (_Pycs_CheckOwn(name, own, count) < 0) return NULL;

    if (bases != NULL) Py_INCREF(bases);
    if (!(all = bases != NULL ? bases : PyTuple_New(0))) goto done;
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
    Py_XDECREF(all);
    Py_XDECREF(text);
    Py_XDECREF(qualname);
    Py_XDECREF(ns);
    return cls;
}

/* ---------------------------------------------------------------- static types -- */

/* Memory for a static type with this metaclass (NULL: extensibletype), so that the caller need not compute
   its size or an offset in it: zeroed but for the head, and there as long as the process.
   Write the members of PyTypeObject that a static type needs into it, tp_name first of all,
   leave the head as it is, and call `ready_block`.

   Borrowed, or NULL with TypeError (the metaclass does not derive from extensibletype),
   ImportError (a sub-interpreter, where static types cannot live) or MemoryError. */
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
    metaclass = _Pycs_calculate_metaclass(api, metaclass, NULL, NULL);
    if (metaclass == NULL) return NULL;
    if (_Pycs_CheckInterpreter("(of static_block)") < 0) return NULL;
    type = (PyTypeObject *)PyMem_RawCalloc(1, (size_t)metaclass->tp_basicsize);
    if (type == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    memcpy((void *)type, &first.head, sizeof(first.head));
    Py_INCREF((PyObject *)metaclass);           /* kept, as the block is */
    Py_SET_TYPE((PyObject *)type, metaclass);
    return type;
}

/* 0, or -1 with an exception: is this what static_block() returned, and filled in? */
static int
_Pycs_CheckBlock(_Pycs_API *api, PyTypeObject *type)
{
    PyTypeObject *preset, *metaclass;

    /* In this order: an object that is no type need not have an ob_size. */
    if (type == NULL || (preset = Py_TYPE((PyObject *)type)) == NULL
            || _Pycs_APIOf(preset) != api || ((PyVarObject *)type)->ob_size != _Pycs_STATIC_MARK) {
        PyErr_Format(PyExc_ValueError, "ready_block: found %s, expected what static_block() "
                     "returned in this interpreter; write the members behind the head of that "
                     "PyTypeObject (reference count, ob_type, ob_size) and nothing else",
                     type == NULL ? "NULL" : "a type object that is no such block, or whose head "
                                             "was written to");
        return -1;
    }
    if (_Pycs_CheckNamed("ready_block", type) < 0
            || _Pycs_CheckBases("ready_block", type->tp_name, type->tp_base, type->tp_bases) < 0) return -1;
    metaclass = _Pycs_calculate_metaclass(api, preset, type->tp_base, type->tp_bases);
    if (metaclass == NULL) return -1;
    if (metaclass->tp_basicsize > preset->tp_basicsize) {
        PyErr_Format(PyExc_TypeError, "ready_block('%.200s'): found a block for metaclass "
                     "'%.200s', %zd bytes long, but the bases' metaclass '%.200s' needs %zd; ask "
                     "static_block() for one of that metaclass", type->tp_name, preset->tp_name,
                     preset->tp_basicsize, metaclass->tp_name, metaclass->tp_basicsize);
        return -1;
    }
    return 0;
}

/* Readies the type in a block, in place of PyType_Ready(), and publishes it with these slots of
   its own.  0, also for one that is finished, or -1 with ValueError (NULL; no block, or one
   whose head was written to; no tp_name; bad slots; the instance layout of a base without the
   C fields that the metaclass brings), TypeError (metaclasses conflict, or the bases' one needs
   a longer block), ImportError (a sub-interpreter), or what PyType_Ready() raises.  What was
   refused before that may be mended in the block and readied again; after a failure of
   PyType_Ready(), which does not undo its own work, take a new block. */
_Pycs_PRIVATE int
_Pycs_ready_block(_Pycs_API *api, PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    if (_Pycs_CheckBlock(api, type) < 0) return -1;
    if (_Pycs_HasTable(type)) return 0;
    if (_Pycs_CheckInterpreter(type->tp_name) < 0) return -1;
    return _Pycs_ReadyWith(api, (PyHeapExtensibleTypeObject *)type, own, count, PY_SSIZE_T_MAX);
}
