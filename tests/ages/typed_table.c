/* SPDX-License-Identifier: MIT
 *
 * typed_table.c - the module `later_runtime`: what _customslots_runtime offers other languages
 * about typed functions, built from runtime/typed.c of another age (typed_ages.py).
 */
#define _Pycs_PRIVATE static
#include "runtime/typed.c"

static int
execute(PyObject *module)
{
    PyObject *capsule = _Pycs_NewCapsule();
    int status = capsule == NULL ? -1 : PyObject_SetAttrString(module, "_typed_v1", capsule);
    Py_XDECREF(capsule);
    return status;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)execute},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "later_runtime", NULL, 0, NULL, slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_later_runtime(void)
{
    return PyModuleDef_Init(&definition);
}
