/* SPDX-License-Identifier: MIT
 *
 * typed_age.c - the test module `typed_probe` as one C file, built against the typedmethod.h of any
 * age (typed_ages.py): providers and finders that were compiled in different years.  Beside what
 * the probe makes at run time there are records written with the macros of these headers.
 */
#include "typed_probe.h"

#include "typed_probe.c"
#undef NAMED                        /* both files have one */
#include "typed_calling.c"
#include "typed_finding.c"

static PyObject *
same_number(PyObject *self, PyObject *number)
{
    (void)self;
    Py_INCREF(number);
    return number;
}

PyTypedMethod_FUNCTION(plain, inc, 0, 0, long(long));

#ifdef AGE_FLAGS
/* Entries that only later finders understand, before others and behind them: two flags, a type. */
static void *const inc_is_at = (void *)(uintptr_t)inc;
static int64_t echo_i16(int64_t x) { return x; }
PyTypedMethod_RECORD(
    newest_typed, "newest",
    PyTypedMethod_ENTRY(&inc_is_at, PyTypedMethod_INDIRECT, 0, long(long)),
    PyTypedMethod_ENTRY(double_any, PyTypedMethod_RAISES_LATER, 0, f8(f8)),
    PyTypedMethod_ENTRY_AS(echo_i16, 0, i, 0, PyTypedMethod_SIG(PyTypedMethod_I16,
                                                                PyTypedMethod_I16)),
    PyTypedMethod_ENTRY(long_1, PyTypedMethod_RAISES_MAYBE, -1, long(long)),
    PyTypedMethod_ENTRY(echo_i4, 0, 0, i4(i4)));
#endif

static PyMethodDef typed_methods[] = {
    {"plain", same_number, METH_O, NULL},
#ifdef AGE_FLAGS
    {"newest", same_number, METH_O, NULL},
#endif
    {NULL, NULL, 0, NULL}
};

static const PyTypedMethodRecord *const records[] = {
    &plain_typed,
#ifdef AGE_FLAGS
    &newest_typed,
#endif
};

/* What these headers know. */
static const struct { const char *name; long value; } knows[] = {
    {"ABI", PyTypedMethod_ABI_VERSION},
#ifdef AGE_FLAGS
    {"LATER", PyTypedMethod_RAISES_LATER},
#endif
};

static int
exec_age(PyObject *module)
{
    size_t i;
    for (i = 0; i < sizeof(knows) / sizeof(knows[0]); i++) {
        if (PyModule_AddIntConstant(module, knows[i].name, knows[i].value) < 0) return -1;
    }
    if (PyModule_AddFunctions(module, typed_methods) < 0) return -1;
    return PyTypedMethod_RegisterMethods(typed_methods, records,
                                         sizeof(records) / sizeof(records[0]));
}

MODULE(AGE_NAME, NULL, EXECUTE(exec_module) EXECUTE(exec_age) IN_ALL_INTERPRETERS)
