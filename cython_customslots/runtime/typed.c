/* SPDX-License-Identifier: MIT
 *
 * runtime/typed.c - typed functions for languages that cannot use typedmethod.h.
 */

/* Callers know only the flags that runtime/typed.h names, whatever typedmethod.h may add: entries
   with other flags are passed over. */
#define _Pycs_UNDERSTOOD 127u

#include "runtime/typed.h"

#include "typedmethod.h"

/* 0, or -1 with a ValueError if the pointer is NULL. */
static int
check(const char *function, const void *pointer, const char *expected)
{
    if (pointer != NULL) return 0;
    PyErr_Format(PyExc_ValueError, "%s: found NULL, expected %s", function, expected);
    return -1;
}

static int
find(PyObject *callable, const char *text, void **function, void **context, uint32_t *flags, uint64_t *error)
{
    static const char *const what = "typed find";
    PyTypedMethodCall call;
    uint64_t signature;
    int found;

    if (check(what, callable, "a callable") < 0
            || check(what, text, "the text of a signature such as 'f8(f8, i4)'") < 0
            || check(what, function, "the address of a void * for the function") < 0
            || check(what, context, "the address of a void * for the context") < 0
            || check(what, flags, "the address of a uint32_t for the flags") < 0
            || check(what, error, "the address of eight bytes for the error value") < 0) return -1;
    memset(&call, 0, sizeof(call));
    found = PyTypedMethod_Parse(text, &signature);
    if (found == 0) found = PyTypedMethod_Find(callable, signature, &call);
    *function = call.function;
    *context = call.context;
    *flags = call.flags;
    memcpy(error, &call.error, sizeof(*error));
    return found;
}

/* Is a record registered for the PyMethodDef that says the same? */
static int
is_registered(const PyMethodDef *def, const PyTypedMethodRecord *record)
{
    _Pycs_Cells *cells = _Pycs_GetCells();
    const PyTypedMethodRecord *there = cells == NULL ? NULL
        : (const PyTypedMethodRecord *)_Pycs_ValueOf(cells, _Pycs_RecordKey(def));
    const PyTypedMethodEntry *x = record->entries, *y;
    uint32_t i;
    if (there == NULL || there->count != record->count) return 0;
    for (i = 0, y = there->entries; i < record->count; i++) {
        if (x->signature != y->signature || x->function != y->function || x->flags != y->flags
                || memcmp(&x->error, &y->error, sizeof(x->error)) != 0) return 0;
        x = _Pycs_NextEntry(record, x);
        y = _Pycs_NextEntry(there, y);
    }
    return 1;
}

/* A new record, with its entries behind it.  It uses the name of the PyMethodDef, which is never
   freed.  NULL with an exception. */
static PyTypedMethodRecord *
new_record(const PyMethodDef *def, Py_ssize_t count, const char *const *signatures,
           void *const *functions, const uint32_t *flags, const uint64_t *errors)
{
    struct block { PyTypedMethodRecord record; PyTypedMethodEntry entries[1]; } *block;
    Py_ssize_t i;

    block = (struct block *)_Pycs_NewBlock(sizeof(*block) + sizeof(block->entries[0]) * (size_t)(count - 1));
    if (block == NULL) return NULL;
    block->record.magic = PyTypedMethod_MAGIC;
    block->record.abi = PyTypedMethod_ABI_VERSION;
    block->record.entry_size = (uint16_t)sizeof(block->entries[0]);
    block->record.count = (uint32_t)count;
    block->record.name = def->ml_name;
    block->record.entries = block->entries;
    for (i = 0; i < count; i++) {
        PyTypedMethodEntry *entry = &block->entries[i];
        if (PyTypedMethod_Parse(signatures[i], &entry->signature) < 0) {
            PyMem_RawFree(block);
            return NULL;
        }
        entry->function = functions[i];
        entry->flags = flags[i];
        memcpy(&entry->error, &errors[i], sizeof(entry->error));
    }
    return &block->record;
}

static int
register_functions(PyMethodDef *def, Py_ssize_t count, const char *const *signatures,
                   void *const *functions, const uint32_t *flags, const uint64_t *errors)
{
    static const char *const function = "register_functions";
    PyTypedMethodRecord *record = NULL;
    int result = -1;

    if (check(function, def, "a PyMethodDef") < 0 || check(function, signatures, "an array of signatures") < 0
            || check(function, functions, "an array of functions") < 0
            || check(function, flags, "an array of flags") < 0
            || check(function, errors, "an array of error values") < 0) return -1;
    if (def->ml_name == NULL) {
        PyErr_Format(PyExc_ValueError, "%s: found NULL as ml_name, expected the name of the function; "
                     "fill in the PyMethodDef first", function);
        return -1;
    }
    if (count < 1 || count > PyTypedMethod_MAX_ENTRIES) {
        PyErr_Format(PyExc_ValueError, "%s('%.100s'): found %zd functions, expected 1 to %d",
                     function, def->ml_name, count, PyTypedMethod_MAX_ENTRIES);
        return -1;
    }
    if (!(record = new_record(def, count, signatures, functions, flags, errors))) return -1;
    if (_Pycs_CheckRecord(record, function, def->ml_name) == 0) {
        result = PyTypedMethod_Register(def, record);
        if (result == 0) return 0;              /* the record is never freed */
        if (is_registered(def, record)) {       /* before, or by another thread */
            PyErr_Clear();
            result = 0;
        }
    }
    PyMem_RawFree(record);
    return result;
}

static PyObject *
signatures(PyObject *callable)
{
    return check("signatures", callable, "a callable") < 0 ? NULL : PyTypedMethod_Signatures(callable);
}

static PyObject *
why_not(PyObject *callable, const char *text)
{
    uint64_t signature;
    if (check("why_not", callable, "a callable") < 0 || PyTypedMethod_Parse(text, &signature) < 0) return NULL;
    return PyTypedMethod_WhyNot(callable, signature);
}

_Pycs_PRIVATE PyObject *
_Pycs_NewCapsule(void)
{
    static const _Pycs_Functions functions = {
        1, 4, find, register_functions, signatures, why_not};
    return PyCapsule_New((void *)&functions, _Pycs_FUNCTIONS_CAPSULE, NULL);
}
