/* SPDX-License-Identifier: MIT
 *
 * probe.h - between the translation units of the test module `probe`.
 */
#ifndef PROBE_H
#define PROBE_H

#include "extensibletype.h"

#include "../module.h"

#ifndef PROBE_NAME
#  define PROBE_NAME probe
#endif
/* Two builds of this source in one process must not share an exported symbol. */
#define PROBE(name) MODULE_CONCAT(MODULE_CONCAT(PROBE_NAME, _), name)

#define consumer_methods PROBE(consumer_methods)
#define types_methods    PROBE(types_methods)
#define fields_methods   PROBE(fields_methods)
#define memory_methods   PROBE(memory_methods)
#define described_methods PROBE(described_methods)
#define ready_metaclass  PROBE(ready_metaclass)
#define register_methods PROBE(register_methods)
#define interface_methods PROBE(interface_methods)
#define parse_slots      PROBE(parse_slots)
#define list_of_slots    PROBE(list_of_slots)
#define guarded_block    PROBE(guarded_block)
#define keep_name        PROBE(keep_name)
#define static_head      PROBE(static_head)

#ifdef __cplusplus
extern "C" {
#endif

extern PyMethodDef consumer_methods[], types_methods[], fields_methods[], memory_methods[],
    described_methods[], register_methods[], interface_methods[];

/* [(id, data)] as an array of `room` entries, EMPTY behind them (room below the length
   counts as the length); lives as long as the process, as a static array would. */
PyCustomSlot *parse_slots(PyObject *list, Py_ssize_t room, Py_ssize_t *count);
PyObject *list_of_slots(const PyCustomSlot *slots, Py_ssize_t count);

/* Zeroed memory of exactly `size` bytes: reading behind it is a crash. */
void *guarded_block(size_t size);

/* tp_name is not copied by CPython: a copy that lives as long as the process. */
const char *keep_name(const char *name);

/* Readies a static metaclass below a heap type, once, as Cython does; NULL, with an
   exception, if `base` is NULL. */
PyTypeObject *ready_metaclass(PyHeapTypeObject *heap, const char *name, PyTypeObject *base,
                              size_t size);

/* What generated code does with a type that is ready: own slots. */
_Pycs_UNUSED static inline int
publish_type(PyTypeObject *type, const PyCustomSlot *own, Py_ssize_t count)
{
    _Pycs_API *api = _Pycs_APIOf(Py_TYPE(type));
    if (api == NULL) api = _Pycs_GetAPI();
    return api != NULL ? _Pycs_IMPL(api)->publish(api, type, own, count) : -1;
}

/* The object header of a static type: immortal where CPython has that. */
extern const PyVarObject static_head[1];

#ifdef __cplusplus
}
#endif

#endif /* PROBE_H */
