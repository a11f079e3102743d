/* SPDX-License-Identifier: MIT
 *
 * typed_probe.h - between the translation units of the test module `typed_probe`.
 */
#ifndef TYPED_PROBE_H
#define TYPED_PROBE_H

#include <Python.h>
#if !defined(PYPY_VERSION) && !defined(Py_LIMITED_API)
#  include "extensibletype.h"
#endif
#include "typedmethod.h"

#include "../module.h"

#ifndef PROBE_NAME
#  define PROBE_NAME typed_probe
#endif
/* Two builds of this source in one process must not share an exported symbol. */
#define PROBE(name) MODULE_CONCAT(MODULE_CONCAT(PROBE_NAME, _), name)

#define find_methods    PROBE(find_methods)
#define calling_methods PROBE(calling_methods)
#define c_functions     PROBE(c_functions)
#define held_of         PROBE(held_of)
#define is_attached     PROBE(is_attached)
#define hold            PROBE(hold)

#ifdef __cplusplus
extern "C" {
#endif

/* A C function that entries may name. */
typedef struct {
    const char *name;
    void       *function;
} CFunction;

extern const CFunction c_functions[];       /* NULL behind the last; typed_calling.c */
extern PyMethodDef find_methods[], calling_methods[];
extern int is_attached(void);           /* has this thread the GIL, or an attached thread state? */
extern PyTypedCallable *held_of(PyObject *object);      /* of a Held */
extern int hold(PyTypedCallable *held, PyObject *args);

#ifdef __cplusplus
}
#endif

#endif /* TYPED_PROBE_H */
