/* SPDX-License-Identifier: MIT
 *
 * age.c - the test module `probe` as one C file, so that it can be built against the headers of
 * any age (ages.py): a module that was compiled once with an older or newer cython-customslots.
 */
#include "probe.h"

#include "probe_consumer.c"
#include "probe_types.c"
#include "probe_fields.c"
#define describe age_describe
#include "probe_described.c"
#undef describe
#include "probe_memory.c"
#include "probe_register.c"
#include "probe_interface.c"

/* number of an implementation, and who carries it */
static PyObject *
age_of(const _Pycs_Impl *impl)
{
    if (impl == NULL) Py_RETURN_NONE;
    return PyUnicode_FromFormat("%s %u.%u.%u", impl->module, (unsigned)(impl->number >> 24),
                                (unsigned)(impl->number >> 12 & 0xFFF),
                                (unsigned)(impl->number & 0xFFF));
}

/* serving(): "module number" */
static PyObject *
serving(PyObject *module, PyObject *ignored)
{
    _Pycs_API *api = _Pycs_GetAPI();
    (void)module, (void)ignored;
    return api != NULL ? age_of(_Pycs_IMPL(api)) : NULL;
}

/* met(): [(who came by, whom it found, verdict)], the first one first; does not come by itself */
static PyObject *
met(PyObject *module, PyObject *metaclass)
{
    _Pycs_API *api = _Pycs_APIOf((PyTypeObject *)metaclass);
    PyObject *list = PyList_New(0);
    const _Pycs_Met *m = _Pycs_LOAD(_Pycs_Met *, &api->met);
    (void)module;
    for (; list != NULL && m != NULL; m = m->next) {
        PyObject *row = Py_BuildValue("(NNi)", age_of(m->impl), age_of(m->found), (int)m->verdict);
        if (row == NULL || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    if (list != NULL && PyList_Reverse(list) < 0) Py_CLEAR(list);
    return list;
}

/* A field as later headers describe it, with one member more: later(metaclass, name, number)
   registers one int, which reads as that number if it is not 0. */
static PyObject *
later(PyObject *module, PyObject *args)
{
    PyObject *metaclass;
    const char *name;
    int number;
    struct { PyExtensibleType_Field field; int later, padding; } described;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!si", &PyType_Type, &metaclass, &name, &number)) return NULL;
    memset(&described, 0, sizeof(described));
    described.field.name = keep_name(name);
    described.field.offset = ((PyTypeObject *)metaclass)->tp_base->tp_basicsize;
    described.field.size = sizeof(int);
    described.field.type = 1;
    described.field.flags = PyExtensibleType_READABLE | PyExtensibleType_WRITABLE;
#ifdef AGE_LATER
    described.field.later = number;
    if (PyExtensibleType_RegisterFields((PyTypeObject *)metaclass, &described.field, 1) < 0) {
        return NULL;
    }
#else
    described.later = number;
    {
        _Pycs_API *api = _Pycs_GetAPI();
        if (api == NULL || _Pycs_IMPL(api)->register_fields(
                api, (PyTypeObject *)metaclass, &described.field, 1,
                (Py_ssize_t)sizeof(described)) < 0) return NULL;
    }
#endif
    Py_RETURN_NONE;
}

/* heap(name, bases, slots): PyExtensibleType_FromSpec() */
static PyObject *
heap(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *bases, *list;
    PyCustomSlot *own;
    Py_ssize_t count;
    PyType_Slot slots[1];
    PyType_Spec spec;
    if (!PyArg_ParseTuple(args, "sO!O", &name, &PyTuple_Type, &bases, &list)
            || !(own = parse_slots(list, 0, &count))) return NULL;
    memset(&spec, 0, sizeof(spec));
    memset(slots, 0, sizeof(slots));
    if (!(spec.name = keep_name(name))) return NULL;
    spec.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
    spec.slots = slots;
    return PyExtensibleType_FromSpec(NULL, module, &spec, bases, own, count);
}

/* answer(): asks for a function that came with 9.3.0, as the headers of that release do it.  If the
   implementation that serves is older, the module that this one was told to import is imported,
   which may bring a newer one. */
#ifdef AGE_ANSWER
#  if defined(_Pycs_CARRIES)
#    define WHAT_TO_DO "this module carries a later one, which could not take over: " \
                       "_customslots_runtime.info() says why"
#  elif defined(PyExtensibleType_RUNTIME_MODULE)
#    define WHAT_TO_DO "install or rebuild '" PyExtensibleType_RUNTIME_MODULE "' with a later cython-customslots"
#  else
#    define WHAT_TO_DO ""
#  endif

static PyObject *
answer(PyObject *module, PyObject *ignored)
{
    _Pycs_API *api = _Pycs_GetAPI();
    const _Pycs_Impl *impl;
    (void)module, (void)ignored;
    if (api == NULL) return NULL;
    impl = _Pycs_IMPL(api);
#  ifdef PyExtensibleType_RUNTIME_MODULE
    if (!_Pycs_HAS(impl, answer)) {
        PyObject *imported = PyImport_ImportModule(PyExtensibleType_RUNTIME_MODULE);
        if (imported == NULL && !PyErr_ExceptionMatches(PyExc_ImportError)) return NULL;
        PyErr_Clear();
        Py_XDECREF(imported);
        impl = _Pycs_IMPL(api);
    }
#  endif
    if (_Pycs_HAS(impl, answer)) return impl->answer(api);
    return PyErr_Format(PyExc_NotImplementedError,
                        "PyExtensibleType_Answer(): found implementation %u.%u.%u of extensible types, of module "
                        "'%s', expected 9.3.0 or later; " WHAT_TO_DO, (unsigned)(impl->number >> 24),
                        (unsigned)(impl->number >> 12 & 0xFFF), (unsigned)(impl->number & 0xFFF),
                        impl->module[0] != '\0' ? impl->module : "?");
}
#endif

static PyMethodDef age_methods[] = {
    {"serving", serving, METH_NOARGS, NULL},
    {"met", met, METH_O, NULL},
    {"heap", heap, METH_VARARGS, NULL},
    {"later", later, METH_VARARGS, NULL},
#ifdef AGE_ANSWER
    {"answer", answer, METH_NOARGS, NULL},
#endif
    {NULL, NULL, 0, NULL}
};

/* A module comes by when it is imported, as every module with a provider does; not one that is
   LAZY. */
static int
exec_age(PyObject *module)
{
    PyMethodDef *const all[] = {consumer_methods, types_methods, fields_methods, memory_methods,
                                described_methods, register_methods, interface_methods, age_methods};
    size_t i;
    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (PyModule_AddFunctions(module, all[i]) < 0) return -1;
    }
#ifndef AGE_LAZY
    if (PyExtensibleType_Import() == NULL) return -1;
#endif
#ifdef AGE_FAILS
    PyErr_SetString(PyExc_RuntimeError, "for another reason");
    return -1;
#endif
    return 0;
}

MODULE(PROBE_NAME, NULL, EXECUTE(exec_age) IN_ALL_INTERPRETERS)
