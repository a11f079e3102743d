/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/provide.h - records in hand-written modules: one line per function.
 * Included by typedmethod.h; not for direct use.
 */

/** Says at file level, with a semicolon, that the Python function `name` has this C
   function behind it: the record is called name_typed.

       PyTypedMethod_FUNCTION(inc, inc_impl, PyTypedMethod_RAISES_MAYBE, -1, long(long)); */
#define PyTypedMethod_FUNCTION(name, function, flags, error, text)                       \
    PyTypedMethod_RECORD(name##_typed, #name,                                            \
                         PyTypedMethod_ENTRY(function, flags, error, text))

/** Registers records for the methods of the same names, of a module or a type: call it when
   the module is executed.  `methods` ends with a NULL name.  0, or -1 with ValueError (no
   method of that name) or what PyTypedMethod_RegisterMany() raises; then nothing is
   registered. */
_Pycs_UNUSED static int
PyTypedMethod_RegisterMethods(PyMethodDef *methods, const PyTypedMethodRecord *const *records, Py_ssize_t count)
{
    PyTypedMethod_Pair *pairs;
    Py_ssize_t i;
    int result = -1;

    if (count <= 0) return 0;
    pairs = (PyTypedMethod_Pair *)calloc((size_t)count, sizeof(*pairs));
    if (pairs == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (i = 0; i < count; i++) {
        const char *name = records[i] != NULL ? records[i]->name : NULL;
        PyMethodDef *def = methods;
        while (name != NULL && def->ml_name != NULL && strcmp(def->ml_name, name) != 0) def++;
        if (name == NULL || def->ml_name == NULL) {
            PyErr_Format(PyExc_ValueError, "PyTypedMethod_RegisterMethods: found the record "
                         "of '%.100s', expected one of a method in this PyMethodDef array",
                         name != NULL ? name : "NULL");
            goto done;
        }
        pairs[i].def = def;
        pairs[i].record = records[i];
    }
    result = PyTypedMethod_RegisterMany(pairs, count);
done:
    free(pairs);
    return result;
}
