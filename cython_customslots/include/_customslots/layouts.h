/* SPDX-License-Identifier: MIT
 *
 * _customslots/layouts.h - where things stand in the objects of the running interpreter, for the limited API.
 * Included by customslots.h; not for direct use.
 *
 * One binary runs on CPythons whose structs differ.  Only two sizes differ: the size of the head, with which
 * objects begin and which ob_type ends (16 bytes; without a GIL 32), and the size of PyHeapTypeObject.  Behind
 * the head, the members of a type object that are read here stand at the same places in CPython 3.10 to 3.15.
 * The static types `type` and `object` tell both, without a call or the GIL.  Nothing is assumed of a later
 * CPython: the functions of the limited API are called, and the one figure that they cannot tell, the size of
 * PyHeapTypeObject, is asked for once.
 */

#ifdef Py_TARGET_ABI3T          /* PyObject is opaque, and this is a function */
#  define _Pycs_OB_SIZE(type) Py_SIZE((PyObject *)(type))
#else
#  define _Pycs_OB_SIZE(type) (((PyVarObject *)(type))->ob_size)
#endif

#ifndef Py_LIMITED_API
typedef PyHeapExtensibleTypeObject _Pycs_Type;
#  define _Pycs_CAST(type)   ((_Pycs_Type *)(type))
#  define _Pycs_OB_TYPE(obj) Py_TYPE(obj)
#  define _Pycs_HEAD         ((Py_ssize_t)sizeof(PyObject))
#  define _Pycs_BEHIND_HEAD(obj)    ((const char *)(obj) + _Pycs_HEAD)
#  define _Pycs_TP_NAME(type) ((type)->tp_name)
#  define _Pycs_SIZE_OF(type) ((type)->tp_basicsize)
#  define _Pycs_FLAGS(type)  _Pycs_LOAD(unsigned long, &(type)->tp_flags)
#  define _Pycs_BASE(type)   _Pycs_LOAD(PyTypeObject *, &(type)->tp_base)
#  define _Pycs_TYPE_AT(types, i) ((PyTypeObject *)PyTuple_GET_ITEM((types), (i)))
#else
typedef struct {
    Py_ssize_t    etp_custom_slot_count;
    PyCustomSlot *etp_custom_slots;
    uintptr_t     etp_check;
} _Pycs_Type;

/* Words behind the head of a type object, of which ob_size is the first. */
#define _Pycs_TP_NAME_WORD   1
#define _Pycs_TP_BASICSIZE 2
#define _Pycs_TP_FLAGS     19

static Py_ssize_t _Pycs_head = 0;       /* bytes; 0: not read yet; -1: this CPython is not known */
static Py_ssize_t _Pycs_heap_size = 0;  /* sizeof(PyHeapTypeObject); 0: not read yet */

/* A word of a type object. */
_Pycs_FAST void *
_Pycs_Word(const void *type, Py_ssize_t head, int number)
{
    return (void *)((char *)type + head + number * (Py_ssize_t)sizeof(void *));
}

/* Is this the size of the head?  The type `object` has `type` as its ob_type, and a tp_basicsize that
   is the head's. */
_Pycs_UNUSED static int
_Pycs_IsHead(Py_ssize_t head)
{
    const void *object = &PyBaseObject_Type;
    return *(const void **)_Pycs_Word(object, head, -1) == (const void *)&PyType_Type
           && *(Py_ssize_t *)_Pycs_Word(object, head, _Pycs_TP_BASICSIZE) == head;
}

/* The __basicsize__ of a built-in type; takes the GIL, and leaves exceptions alone.  0: it has none. */
_Pycs_SLOW Py_ssize_t
_Pycs_AskSize(PyTypeObject *asked)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *type, *value, *traceback, *size;
    Py_ssize_t answer;
    PyErr_Fetch(&type, &value, &traceback);
    size = PyObject_GetAttrString((PyObject *)asked, "__basicsize__");
    answer = size != NULL ? PyLong_AsSsize_t(size) : 0;
    Py_XDECREF(size);
    PyErr_Restore(type, value, traceback);
    PyGILState_Release(gil);
    return answer;
}

/* Reads both figures, once for each C file, by whichever threads come first; returns the head. */
_Pycs_SLOW Py_ssize_t
_Pycs_ReadLayouts(void)
{
    const char *version = Py_GetVersion();
    const Py_ssize_t word = (Py_ssize_t)sizeof(void *);
    Py_ssize_t head = -1;
    if (strncmp(version, "3.1", 3) == 0 && version[3] >= '0' && version[3] <= '5' && version[4] == '.') {
        for (head = 2 * word; head > 0 && !_Pycs_IsHead(head);) head = head < 5 * word ? head + word : -1;
    }
    _Pycs_STORE(Py_ssize_t, &_Pycs_heap_size, head > 0 ? *(Py_ssize_t *)_Pycs_Word(
                    &PyType_Type, head, _Pycs_TP_BASICSIZE) : _Pycs_AskSize(&PyType_Type));
    _Pycs_STORE(Py_ssize_t, &_Pycs_head, head);
    return head;
}

_Pycs_FAST Py_ssize_t
_Pycs_Head(void)
{
    const Py_ssize_t head = _Pycs_LOAD(Py_ssize_t, &_Pycs_head);
    return _Pycs_LIKELY(head != 0) ? head : _Pycs_ReadLayouts();
}

_Pycs_FAST _Pycs_Type *
_Pycs_CAST(PyTypeObject *type)
{
    Py_ssize_t size = _Pycs_LOAD(Py_ssize_t, &_Pycs_heap_size);
    if (size == 0) {
        (void)_Pycs_ReadLayouts();
        size = _Pycs_LOAD(Py_ssize_t, &_Pycs_heap_size);
    }
    return (_Pycs_Type *)((char *)type + size);
}

/* Py_TYPE(), which is a call from 3.14's limited API on. */
_Pycs_FAST PyTypeObject *
_Pycs_OB_TYPE(PyObject *obj)
{
    const Py_ssize_t head = _Pycs_Head();
    return _Pycs_LIKELY(head > 0) ? *(PyTypeObject **)_Pycs_Word(obj, head, -1) : Py_TYPE(obj);
}

/* The __name__ of a type of a CPython that is not known, where tp_name may be longer, for messages and comparing; a
   reference to the text is kept for ever.  Leaves exceptions alone. */
_Pycs_SLOW const char *
_Pycs_AskName(PyTypeObject *type)
{
    PyObject *kind, *value, *traceback, *name;
    const char *text = NULL;
    PyErr_Fetch(&kind, &value, &traceback);
    name = PyObject_GetAttrString((PyObject *)type, "__name__");
    if (name != NULL && PyUnicode_CheckExact(name)) {
        PyUnicode_InternInPlace(&name);
        text = PyUnicode_AsUTF8AndSize(name, NULL);
    }
    else Py_XDECREF(name);
    PyErr_Restore(kind, value, traceback);
    return text != NULL ? text : "?";
}

_Pycs_UNUSED static inline const char *
_Pycs_TP_NAME(PyTypeObject *type)
{
    const Py_ssize_t head = _Pycs_Head();
    return head > 0 ? *(const char **)_Pycs_Word(type, head, _Pycs_TP_NAME_WORD) : _Pycs_AskName(type);
}

/* tp_basicsize; where CPython is not known, a number that is larger than any. */
_Pycs_FAST Py_ssize_t
_Pycs_SIZE_OF(PyTypeObject *type)
{
    const Py_ssize_t head = _Pycs_Head();
    return head > 0 ? *(Py_ssize_t *)_Pycs_Word(type, head, _Pycs_TP_BASICSIZE) : PY_SSIZE_T_MAX;
}
#  define _Pycs_HEAD         _Pycs_Head()
#  define _Pycs_BEHIND_HEAD(obj)    ((const char *)(obj) + _Pycs_HEAD)
#  define _Pycs_FLAGS(type)  PyType_GetFlags(type)
#  define _Pycs_BASE(type)   ((PyTypeObject *)PyType_GetSlot((type), Py_tp_base))
#  define _Pycs_TYPE_AT(types, i) ((PyTypeObject *)PyTuple_GetItem((types), (i)))
#endif
