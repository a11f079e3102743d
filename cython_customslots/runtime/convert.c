/* SPDX-License-Identifier: MIT
 *
 * runtime/convert.c - values of C fields as Python sees them.
 */
#include "runtime/convert.h"

#include "runtime/fields.h"
#include "runtime/state.h"

/* The signedness of a Py_T_* code: 1 for a signed integer, 0 for an unsigned one; -1 for all
   others. */
static int
_Pycs_Signedness(int code)
{
    switch (code) {
    case 0: case 1: case 2: case 8: case 17: case 19: return 1;
    case 9: case 10: case 11: case 12: case 18: return 0;
    default: return -1;
    }
}

/* Prefixes the message of a failed conversion with the field, its class and its metaclass. */
static void
_Pycs_BlameField(const char *class_name, const _Pycs_FieldEntry *field)
{
    PyObject *type, *value, *traceback, *text = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    if (type == PyExc_TypeError || type == PyExc_ValueError || type == PyExc_OverflowError) {
        PyErr_NormalizeException(&type, &value, &traceback);
        text = value != NULL ? PyObject_Str(value) : NULL;
        PyErr_Clear();
    }
    if (text == NULL) {
        PyErr_Restore(type, value, traceback);
        return;
    }
    PyErr_Format(type, "field '%s' of class '%.200s' (metaclass '%.200s'): %U",
                 field->def.name, class_name, field->layer->metaclass->tp_name, text);
    Py_DECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

/* Stores an integer of the field's size; OverflowError if it does not fit.  (PyMember_SetOne()
   would truncate it with a warning.) */
static int
_Pycs_StoreInteger(const _Pycs_FieldDef *def, int is_signed, void *to, PyObject *value)
{
    PyObject *number = PyNumber_Index(value), *shown = NULL;
    const int bits = 8 * (int)def->size;
    long long s = 0;
    unsigned long long u = 0;
    int fits, status = -1;

    if (number == NULL) goto done;
    if (is_signed) {
        s = PyLong_AsLongLong(number);
        fits = bits == 64 || (s >= -(1LL << (bits - 1)) && s < 1LL << (bits - 1));
        u = (unsigned long long)s;
    }
    else {
        u = PyLong_AsUnsignedLongLong(number);
        fits = bits == 64 || u < 1ULL << bits;
    }
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) goto done;
        PyErr_Clear();
        fits = 0;
    }
    if (!fits) {
        if ((shown = _Pycs_Show(value)) != NULL) {
            PyErr_Format(PyExc_OverflowError, "found %U, expected %s integer of %zd bytes",
                         shown, is_signed ? "a signed" : "an unsigned", def->size);
        }
        goto done;
    }
    switch (def->size) {
    case 1: { uint8_t v = (uint8_t)u; memcpy(to, &v, sizeof(v)); break; }
    case 2: { uint16_t v = (uint16_t)u; memcpy(to, &v, sizeof(v)); break; }
    case 4: { uint32_t v = (uint32_t)u; memcpy(to, &v, sizeof(v)); break; }
    default: memcpy(to, &u, sizeof(u));
    }
    status = 0;
done:
    Py_XDECREF(number);
    Py_XDECREF(shown);
    return status;
}

/* Keeps an object that values point into (KEEP) as long as the interpreter: of equal bytes and of
   equal strings, one.  The one, borrowed; NULL with an exception. */
static PyObject *
_Pycs_Intern(_Pycs_API *api, PyObject *object)
{
    PyObject *key = PyBytes_CheckExact(object) || PyUnicode_CheckExact(object)
                    ? PyTuple_Pack(2, (PyObject *)Py_TYPE(object), object)
                    : PyLong_FromVoidPtr(object);
    PyObject *kept = key != NULL ? PyDict_SetDefault(api->state->texts, key, object) : NULL;
    Py_XDECREF(key);
    return kept;
}

/* Stores what `object` is converted to.  0, or -1 with an exception.  May run any code. */
static int
_Pycs_ConvertInto(const _Pycs_FieldEntry *field, char *value, PyObject *object)
{
    const _Pycs_FieldDef *def = &field->def;
    const int is_signed = _Pycs_Signedness(def->type);
    PyMemberDef member;

    if (def->from_object != NULL) return def->from_object(value, object);
    if (_Pycs_IsObject(field)) return 0;
    if (is_signed >= 0) return _Pycs_StoreInteger(def, is_signed, value, object);
    memset(&member, 0, sizeof(member));
    member.name = def->name;
    member.type = def->type;
    return PyMember_SetOne(value, &member, object);
}

/* Converts `object`: what a class statement or a setter gives, with a setting; NULL with an exception
   that names the class and the field.  May run any code. */
_Pycs_PRIVATE _Pycs_Value *
_Pycs_Convert(const char *class_name, const _Pycs_FieldEntry *field, PyObject *object)
{
    _Pycs_Value *value = _Pycs_NewValue(field, object);
    char *bytes;
    PyObject *kept;
    int status;

    if (value == NULL) return NULL;
    bytes = _Pycs_BytesOf(value);
    if (_Pycs_IsObject(field)) {
        *(PyObject **)(void *)bytes = field->def.from_object != NULL ? Py_None : object;
        Py_INCREF(*(PyObject **)(void *)bytes);
    }
    status = _Pycs_ConvertInto(field, bytes, object);
    if (status == 0 && field->def.flags & PyExtensibleType_KEEP) {
        kept = _Pycs_Intern(field->api, object);
        if (kept != object) {
            if (_Pycs_IsHooked(field)) field->def.destroy(bytes);
            status = kept != NULL ? _Pycs_ConvertInto(field, bytes, kept) : -1;
        }
    }
    if (status < 0) {
        if (_Pycs_IsObject(field)) Py_XDECREF(*(PyObject **)(void *)bytes);
        _Pycs_FreeRaw(value);
        _Pycs_BlameField(class_name, field);
        return NULL;
    }
    return value;
}

/* What Python sees of the value at `from`: a new reference, NULL with an exception. */
static PyObject *
_Pycs_ToObject(const _Pycs_FieldEntry *field, const char *from)
{
    PyMemberDef member;
    if (field->def.to_object != NULL) return field->def.to_object(from);
    memset(&member, 0, sizeof(member));
    member.name = field->def.name;
    member.type = field->def.type;
    return PyMember_GetOne(from, &member);
}

/* The value of a field of `type`, which has memory for it, as Python sees it: a new
   reference, NULL with an exception.  The lock is held only while the value is copied: a
   thread that replaces it drops the old one after releasing the lock.  A conversion may run
   Python code, so it works on the copy, outside the lock. */
_Pycs_PRIVATE PyObject *
_Pycs_ReadField(_Pycs_API *api, PyTypeObject *type, const _Pycs_FieldEntry *field)
{
    union { char bytes[64]; double alignment[8]; } little;
    _Pycs_Value *value = NULL;
    char *copy = little.bytes;
    PyObject *object = NULL;
    int status;

    if (_Pycs_IsHooked(field) || (size_t)field->def.size > sizeof(little)) {
        if (!(value = _Pycs_NewValue(field, NULL))) return NULL;
        copy = _Pycs_BytesOf(value);
    }
    _Pycs_Lock(api);
    status = _Pycs_CopyValue(field, copy, _Pycs_FieldAt(type, field));
    _Pycs_Unlock(api);
    if (status < 0) {
        PyMem_RawFree(value);
        return NULL;
    }
    if (_Pycs_IsObject(field) && field->def.to_object == NULL) {
        return *(PyObject **)(void *)copy;
    }
    object = _Pycs_ToObject(field, copy);
    if (_Pycs_IsObject(field)) Py_DECREF(*(PyObject **)(void *)copy);
    _Pycs_FreeValues(&value);
    return object;
}
