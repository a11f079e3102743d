/* SPDX-License-Identifier: MIT
 *
 * probe.c - a test module that shows customslots.h and extensibletype.h to Python.
 *
 *   probe_consumer.c  every function of customslots.h
 *   probe_types.c     types made in every way that C code can make them
 *   probe_fields.c    metaclasses with C fields
 *   probe_described.c a metaclass that describes its fields, of every kind
 *   probe_memory.c    an allocator that fails on demand
 *   probe_register.c  slots for types that are not extensible
 *   probe_interface.c interfaces written by hand
 */
#include "probe.h"
#include "probe.h"            /* every header must bear a second inclusion */
#include "customslots.h"
#include "extensibletype.h"

/* interface_class_of(spec), in this interpreter: not in probe_interface.c, because not every age has it. */
static PyObject *
interface_class_of(PyObject *module, PyObject *address)
{
    const PyExtensibleType_InterfaceSpec *spec = (const PyExtensibleType_InterfaceSpec *)PyLong_AsVoidPtr(address);
    if (spec != NULL && PyExtensibleType_DeclareInterface(spec) < 0) return NULL;
    return PyExtensibleType_InterfaceClassOf(spec);
}

static PyMethodDef newest_methods[] = {
    {"interface_class_of", interface_class_of, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static int
exec_module(PyObject *module)
{
    PyMethodDef *const all[] = {consumer_methods, types_methods, fields_methods,
                                memory_methods, described_methods, register_methods,
                                interface_methods, newest_methods};
    size_t i;
    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (PyModule_AddFunctions(module, all[i]) < 0) return -1;
    }
    return 0;
}

MODULE(PROBE_NAME, NULL, EXECUTE(exec_module) IN_ALL_INTERPRETERS)
