/* SPDX-License-Identifier: MIT
 * A second implementation in the process; swap() lets the two serve in turn, as if each took over from the other. */
#define _Pycs_NUMBER ((uint32_t)(9 << 24))
#define PyExtensibleType_MODULE_NAME "swapping"
#include "../module.h"
#include "extensibletype.h"

static PyObject *
swap(PyObject *self, PyObject *metaclass)
{
    _Pycs_API *api = _Pycs_APIOf((PyTypeObject *)metaclass);
    const _Pycs_Met *met = api->met;
    while (met != NULL && met->impl == _Pycs_IMPL(api)) met = met->next;
    if (met != NULL) _Pycs_STORE(const _Pycs_Impl *, &api->impl, met->impl);
    return PyUnicode_FromString(met != NULL ? met->impl->module : "none");
}

static int
execute(PyObject *module)
{
    return PyExtensibleType_Import() == NULL ? -1 : 0;
}

static PyMethodDef methods[] = {TAKES_ONE(swap), {NULL, NULL, 0, NULL}};
MODULE(swapping, methods, EXECUTE(execute))
