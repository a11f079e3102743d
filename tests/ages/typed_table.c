/* SPDX-License-Identifier: MIT
 *
 * typed_table.c - the module `later_runtime`: what _customslots_runtime offers other languages
 * about typed functions, built from runtime/typed.c of another age (typed_ages.py).
 */
#define _Pycs_PRIVATE static
#include "runtime/typed.c"
#include "../module.h"

static int
execute(PyObject *module)
{
    PyObject *capsule = _Pycs_NewCapsule();
    int status = capsule == NULL ? -1 : PyObject_SetAttrString(module, "_typed_v1", capsule);
    Py_XDECREF(capsule);
    return status;
}

MODULE(later_runtime, NULL, EXECUTE(execute))
