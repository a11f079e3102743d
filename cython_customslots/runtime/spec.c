/* SPDX-License-Identifier: MIT
 *
 * runtime/spec.c - heap types from a PyType_Spec, with our metaclass.
 *
 * From 3.12 on there is PyType_FromMetaclass().  Before, PyType_FromModuleAndSpec()
 * allocates with the metaclass `type`, which is too short for us, but it allocates room
 * for the members of the spec behind the type object.  So the spec gets members that
 * serve no purpose, as many as fill the space that our words and fields need; when the type
 * is ready, they are taken out of its dict and their memory is ours:
 *
 *     PyHeapTypeObject | padding members ...      | the spec's members | end
 *     PyHeapTypeObject | our words | C fields ... | the spec's members | end
 */
#include "runtime/arguments.h"
#include "runtime/prototypes.h"
#include "runtime/finish.h"

#if PY_VERSION_HEX >= 0x030C0000

#  define _Pycs_FromMetaclass(api, metaclass, module, spec, bases) \
       PyType_FromMetaclass(metaclass, module, spec, bases)

#else

#define _Pycs_PADDING "__customslots_padding__"

static PyObject *
_Pycs_FromMetaclass(_Pycs_API *api, PyTypeObject *metaclass, PyObject *module, PyType_Spec *spec, PyObject *bases)
{
    const size_t extra = (size_t)metaclass->tp_basicsize - sizeof(PyHeapTypeObject);
    const Py_ssize_t padding = (Py_ssize_t)((extra + sizeof(PyMemberDef) - 1) / sizeof(PyMemberDef));
    const PyMemberDef *wanted = NULL;
    PyMemberDef *members = NULL;
    Py_ssize_t i, n, place = -1, count = 0;
    PyType_Spec padded = *spec;
    PyObject *self = NULL;
    PyTypeObject *type;
    _Pycs_Birth birth = _Pycs_BIRTH_INIT;

    for (n = 0; spec->slots[n].slot != 0; n++) {
        if (spec->slots[n].slot == Py_tp_members) place = n;
    }
    if (place >= 0) wanted = (const PyMemberDef *)spec->slots[place].pfunc;
    while (wanted != NULL && wanted[count].name != NULL) count++;
    members = (PyMemberDef *)_Pycs_NewBlock(((size_t)(padding + count) + 1) * sizeof(PyMemberDef));
    padded.slots = (PyType_Slot *)_Pycs_NewBlock(((size_t)n + 2) * sizeof(PyType_Slot));
    if (members == NULL || padded.slots == NULL) goto done;
    for (i = 0; i < padding; i++) {
        members[i].name = _Pycs_PADDING;
        members[i].type = T_BYTE;
        members[i].flags = READONLY;
    }
    if (count > 0) memcpy(members + padding, wanted, sizeof(PyMemberDef) * (size_t)count);
    memcpy(padded.slots, spec->slots, sizeof(PyType_Slot) * (size_t)n);
    if (place < 0) place = n;
    padded.slots[place].slot = Py_tp_members;
    padded.slots[place].pfunc = members;
    birth.metaclass = metaclass;
    if (_Pycs_BirthInherit(api, &birth, NULL) < 0) goto done;
    if (!(self = PyType_FromModuleAndSpec(module, &padded, bases))) goto done;

    type = (PyTypeObject *)self;
    if (PyDict_DelItemString(type->tp_dict, _Pycs_PADDING) < 0) {
        Py_CLEAR(self);
        goto done;
    }
    PyType_Modified(type);
    type->tp_members += padding;
    Py_SET_SIZE((PyVarObject *)type, 0);
    memset((char *)type + sizeof(PyHeapTypeObject), 0, extra);
    Py_INCREF((PyObject *)metaclass);
    Py_SET_TYPE(self, metaclass);
    _Pycs_Lock(api);
    _Pycs_BirthFill(api, &birth, type, 0);
    _Pycs_Unlock(api);
done:
    _Pycs_BirthEnd(&birth);
    PyMem_RawFree(padded.slots);
    PyMem_RawFree(members);
    return self;
}

#endif

/* The bases that the spec itself names, a tuple or a class, as PyType_FromSpec() reads them;
   borrowed, NULL if it names none. */
static PyObject *
_Pycs_BasesOfSpec(const PyType_Spec *spec)
{
    PyObject *base = NULL, *bases = NULL;
    Py_ssize_t i;
    for (i = 0; spec->slots[i].slot != 0; i++) {
        if (spec->slots[i].slot == Py_tp_base) base = (PyObject *)spec->slots[i].pfunc;
        if (spec->slots[i].slot == Py_tp_bases) bases = (PyObject *)spec->slots[i].pfunc;
    }
    return bases != NULL ? bases : base;
}

/* `bases`, a tuple of classes or one class, as a tuple.  A new reference, NULL with TypeError or
   MemoryError. */
static PyObject *
_Pycs_TupleOfBases(const char *name, PyObject *bases)
{
    const int is_tuple = Py_TYPE(bases) != NULL && PyTuple_Check(bases);
    if (_Pycs_CheckBases("from_spec", name, is_tuple ? NULL : (PyTypeObject *)bases,
                         is_tuple ? bases : NULL) < 0) return NULL;
    if (!is_tuple) return PyTuple_Pack(1, bases);
    /* As in a class statement.  CPython fails without an exception. */
    if (PyTuple_GET_SIZE(bases) == 0) return PyTuple_Pack(1, (PyObject *)&PyBaseObject_Type);
    return Py_NewRef(bases);
}

_Pycs_PRIVATE PyObject *
_Pycs_from_spec(_Pycs_API *api, PyTypeObject *metaclass,
                PyObject *module, PyType_Spec *spec, PyObject *bases,
                const PyCustomSlot *own, Py_ssize_t count)
{
    PyObject *all = NULL;
    PyTypeObject *type = NULL;

    if (spec == NULL || spec->name == NULL || spec->slots == NULL) {
        return PyErr_Format(PyExc_ValueError, "from_spec: found NULL as the %s, expected a PyType_Spec "
                            "with a name and slots; {0, NULL} ends these",
                            spec == NULL ? "spec" : spec->name == NULL ? "name in it" : "slots in it");
    }
    if (bases == NULL) bases = _Pycs_BasesOfSpec(spec);
    if (bases != NULL && !(all = _Pycs_TupleOfBases(spec->name, bases))) goto done;
    if (_Pycs_CheckOwn(spec->name, own, count) < 0) goto done;
    if (!(metaclass = _Pycs_calculate_metaclass(api, metaclass, NULL, all))) goto done;
    if ((type = (PyTypeObject *)_Pycs_FromMetaclass(api, metaclass, module, spec, all)) == NULL) {
        if (!PyErr_Occurred()) PyErr_NoMemory();    /* CPython forgets to set it in one place */
    }
    else if (_Pycs_CheckInstances(api, "PyExtensibleType_FromSpec", type, metaclass, type->tp_base, type->tp_bases) < 0
             || _Pycs_publish(api, type, own, count) < 0) Py_CLEAR(type);
done:
    Py_XDECREF(all);
    return (PyObject *)type;
}
