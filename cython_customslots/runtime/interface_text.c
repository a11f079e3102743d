/* SPDX-License-Identifier: MIT
 *
 * runtime/interface_text.c - interfaces as text: their functions, and how the functions of a type differ from them.
 */
#include "runtime/prototypes.h"
#include "runtime/override_tables.h"

/* One line of a layout with its numbers in place; "?" for a line that is not there.  A new reference. */
static PyObject *
_Pycs_LineOf(const PyCustomSlots_Interface *iface, size_t place)
{
    char text[_Pycs_LONGEST_LINE];
    _Pycs_LineText(iface, place, text);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* The function as a person writes it; `whole`: with its docstring, as help() shows it.  A new reference. */
_Pycs_PRIVATE PyObject *
_Pycs_SignatureOf(const PyExtensibleType_InterfaceSpec *spec, size_t place, int whole)
{
    const char *text = spec->signatures != NULL ? spec->signatures[place] : NULL;
    if (text == NULL) return _Pycs_LineOf(spec->iface, place);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)(whole ? strlen(text) : strcspn(text, "\n")), NULL);
}

/* "(self, canvas)" for "int draw(self, object canvas) except -1".  A new reference. */
_Pycs_PRIVATE PyObject *
_Pycs_TextSignature(PyObject *signature)
{
    const char *text = PyUnicode_AsUTF8(signature), *word = NULL, *end = NULL;
    PyObject *result = PyUnicode_FromString("(self");
    int depth = 0, first = 1;

    if (text == NULL || result == NULL) {
        Py_XDECREF(result);
        return NULL;
    }
    for (text = strchr(text, '('); text != NULL && *text != '\0'; text++) {
        const char c = *text;
        const int is_word = c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
        if (c == '(' || c == '[') depth++;
        if (is_word && end == text) end++;
        else if (is_word) {
            word = text;
            end = text + 1;
        }
        if (c == ')' || c == ']') depth--;
        if ((c == ',' && depth == 1) || depth == 0) {
            if (!first && word != NULL) {
                PyUnicode_AppendAndDel(&result, PyUnicode_FromString(", "));
                if (result == NULL) return NULL;
                PyUnicode_AppendAndDel(&result, PyUnicode_DecodeUTF8(word, (Py_ssize_t)(end - word), "replace"));
                if (result == NULL) return NULL;
            }
            first = 0;
            word = NULL;
        }
        if (depth == 0) break;
    }
    PyUnicode_AppendAndDel(&result, PyUnicode_FromString(")"));
    return result;
}

/* Why a slot (or NULL) does not implement the declared interface: a new reference; NULL without
   an exception if it does. */
_Pycs_PRIVATE PyObject *
_Pycs_WhyNot(const PyExtensibleType_InterfaceSpec *spec, const PyCustomSlot *slot)
{
    const PyCustomSlots_Interface *declared = spec->iface, *found;
    PyObject *expected = NULL, *line = NULL, *result = NULL;
    size_t same;

    if (slot == NULL || slot->data.pointer == NULL) {
        return PyUnicode_FromFormat("it has no %s", slot == NULL ? "such slot" : "functions there");
    }
    if (!(found = _Pycs_Described(slot->data.pointer)) || found->hashes == NULL) {
        return PyUnicode_FromString("its functions have no description");
    }
    same = _Pycs_CountSame(found, declared, declared->count);
    if (same == declared->count || _Pycs_CountServed(found, declared, declared->count) != 0) return NULL;
    if (!(expected = _Pycs_SignatureOf(spec, same, 0))) return NULL;
    if (same == found->count) {
        result = PyUnicode_FromFormat("it has the first %zu of %zu functions, and lacks '%U'%s", same,
                                      declared->count, expected,
                                      same + 1 < declared->count ? " and what comes behind it" : "");
    }
    else if ((line = _Pycs_LineOf(found, same)) != NULL) {
        result = PyUnicode_FromFormat("function %zu is '%U', expected '%U'", same, line, expected);
    }
    Py_DECREF(expected);
    Py_XDECREF(line);
    return result;
}

#define _Pycs_MOST_SHOWN 1000       /* of a table whose count may be junk */

/* Appends a line for each function to a text, which is NULL after a failure, behind a line that begins
   with `what`: the functions of `spec`, or, if it is NULL, of the table.  `mark` is put before functions
   that are not the same: '!', or '+' for those that a newer version only appends. */
static void
_Pycs_AppendFunctions(PyObject **text, const char *what,
                      const PyExtensibleType_InterfaceSpec *spec,
                      const PyCustomSlots_Function *table, size_t same, char mark)
{
    const PyCustomSlots_Interface *iface = spec != NULL ? spec->iface : _Pycs_Described(table);
    const PyCustomSlots_Function *base = (const PyCustomSlots_Function *)iface->base;
    const char *module = spec != NULL ? spec->module : NULL;
    size_t i;

    PyUnicode_AppendAndDel(text, PyUnicode_FromFormat(
        "\n%s %zu function%s%s%s%s:", what, iface->count, iface->count == 1 ? "" : "s",
        module != NULL ? ", declared by module '" : "", module != NULL ? module : "",
        module != NULL ? "'" : ""));
    for (i = 0; *text != NULL && i < iface->count && i < _Pycs_MOST_SHOWN; i++) {
        PyObject *line = _Pycs_LineOf(iface, i);
        PyObject *written = line == NULL ? NULL : spec != NULL && spec->signatures != NULL
                            ? _Pycs_SignatureOf(spec, i, 0) : PyUnicode_FromString("");
        PyUnicode_AppendAndDel(text, written == NULL ? NULL : PyUnicode_FromFormat(
            "\n  %c %zu  %U%s%U%s", i < same ? '=' : mark, i, written,
            PyUnicode_GET_LENGTH(written) > 0 ? "    # " : "", line,
            spec == NULL && base != NULL && base[i] != table[i] ? "    (looks in Python)" : ""));
        Py_XDECREF(line);
        Py_XDECREF(written);
    }
}

/* Both layouts, the verdict, and what else is declared under the ID: a text of several lines; a new
   reference.  `missing`: the names of functions that are not there when they are called, or NULL. */
_Pycs_PRIVATE PyObject *
_Pycs_Explain(const _Pycs_API *api, const _Pycs_Declaration *declaration, PyTypeObject *type,
              const PyCustomSlot *slot, PyObject *missing)
{
    const PyExtensibleType_InterfaceSpec *spec = _Pycs_SPEC(declaration, spec);
    _Pycs_Declaration *other;
    const PyCustomSlots_Function *table = slot != NULL ? (const PyCustomSlots_Function *)slot->data.pointer : NULL;
    const PyCustomSlots_Interface *found = _Pycs_Described(table);
    PyObject *why = _Pycs_WhyNot(spec, slot), *text;
    size_t same;

    if (why == NULL && PyErr_Occurred()) return NULL;
    if (found != NULL && found->hashes == NULL) found = NULL;
    same = found != NULL ? _Pycs_CountSame(found, spec->iface, spec->iface->count) : 0;
    text = why == NULL && missing != NULL
        ? PyUnicode_FromFormat("'%.200s' does not implement all of %s: found no methods in Python for %U, so calls "
                               "of these raise NotImplementedError; define them", type->tp_name, spec->name, missing)
        : why == NULL
        ? PyUnicode_FromFormat("'%.200s' implements %s%s", type->tp_name, spec->name, same == spec->iface->count ? ""
                               : ", with bodies of the interface for what it was compiled without")
        : PyUnicode_FromFormat("'%.200s' does not implement %s: %U", type->tp_name, spec->name, why);
    if (text != NULL) _Pycs_AppendFunctions(&text, "expected", spec, NULL, same, why != NULL ? '!' : '+');
    if (text != NULL && found != NULL) {
        _Pycs_AppendFunctions(&text, "found", NULL, table, same, same == spec->iface->count ? '+' : '!');
    }
    _Pycs_EACH_DECLARATION(other, api, spec->id) {
        const PyExtensibleType_InterfaceSpec *said = _Pycs_SPEC(other, spec);
        if (text == NULL || other == declaration) continue;
        same = _Pycs_CountSame(said->iface, spec->iface, spec->iface->count);
        _Pycs_AppendFunctions(&text, "under the same ID", said, NULL, same, same == spec->iface->count ? '+' : '!');
    }
    Py_XDECREF(why);
    return text;
}
