/* SPDX-License-Identifier: MIT
 *
 * runtime/module.c - the module _customslots_runtime: the implementation by itself.
 *
 * Importing it, from whatever language, provides the interpreter with an implementation, so that
 * the importing module need not carry one.  It depends on nothing but CPython.
 */
#include "runtime/typed.h"

#include "runtime/info.h"

#define _Pycs_SEPARATE
#include "extensibletype.h"

PyDoc_STRVAR(info_doc,
"info()\n--\n\n"
"What cython_customslots.runtime_info() puts into words.");

static PyObject *
info(PyObject *self, PyObject *ignored)
{
    _Pycs_API *api = _Pycs_GetAPI();
    (void)self;
    (void)ignored;
    return api != NULL ? _Pycs_Info(api) : NULL;
}

PyDoc_STRVAR(metaclass_doc,
"metaclass()\n--\n\n"
"The metaclass of extensible types, shared by all of this interpreter; made if need be.");

static PyObject *
metaclass(PyObject *self, PyObject *ignored)
{
    PyTypeObject *type = PyExtensibleType_Import();
    (void)self;
    (void)ignored;
    return Py_XNewRef((PyObject *)type);
}

static PyMethodDef functions[] = {
    {"info", info, METH_NOARGS, info_doc},
    {"metaclass", metaclass, METH_NOARGS, metaclass_doc},
    {NULL, NULL, 0, NULL}
};

/* Runs on import, so that code which needs an implementation only has to import this module. */
static int
execute(PyObject *self)
{
    PyObject *capsule;
    int status;
    if (PyExtensibleType_Import() == NULL || !(capsule = _Pycs_NewCapsule())) return -1;
    status = PyObject_SetAttrString(self, strrchr(_Pycs_FUNCTIONS_CAPSULE, '.') + 1, capsule);
    Py_DECREF(capsule);
    return status;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)execute},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_customslots_runtime",
    "The implementation of extensible types (cython-customslots), by itself.", 0, functions,
    slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit__customslots_runtime(void)
{
    return PyModuleDef_Init(&definition);
}
