/* SPDX-License-Identifier: MIT
 * A second implementation in the process; swap() lets the two serve in turn, as if each took over from the other. */
#define _Pycs_NUMBER ((uint32_t)(9 << 24))
#define PyExtensibleType_MODULE_NAME "swapping"
#include "extensibletype.h"

static PyObject *
swap(PyObject *self, PyObject *metaclass)
{
    _Pycs_API *api = _Pycs_APIOf((PyTypeObject *)metaclass);
    const _Pycs_Met *met = api->met;
    (void)self;
    while (met != NULL && met->impl == _Pycs_IMPL(api)) met = met->next;
    if (met != NULL) _Pycs_STORE(const _Pycs_Impl *, &api->impl, met->impl);
    return PyUnicode_FromString(met != NULL ? met->impl->module : "none");
}

static PyMethodDef methods[] = {{"swap", swap, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "swapping", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC
PyInit_swapping(void)
{
    PyObject *module = PyExtensibleType_Import() < 0 ? NULL : PyModule_Create(&def);
#ifdef Py_GIL_DISABLED
    if (module != NULL) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    return module;
}
