/* SPDX-License-Identifier: MIT
 *
 * _customslots/integers.h - an object as an integer of a given width.
 * Included by customslots.h; not for direct use.
 */

/* Stores what an object is as an integer of 1, 2, 4 or 8 bytes.  1; 0 if it does not fit; -1 with an exception. */
_Pycs_UNUSED static int
_Pycs_StoreInteger(PyObject *object, int is_signed, size_t size, void *to)
{
    PyObject *number = PyLong_Check(object) ? object : PyNumber_Index(object);
    const int unused = 64 - 8 * (int)size;              /* bits */
    unsigned long long u;
    int fits;

    if (number == NULL) return -1;
    if (is_signed) {
#if _Pycs_SUPPORTED && PY_VERSION_HEX >= 0x030C0000 && !defined(Py_LIMITED_API)
        /* An inline function of CPython reads a small one. */
        const PyLongObject *i = (const PyLongObject *)number;
        const long long s = PyUnstable_Long_IsCompact(i) ? PyUnstable_Long_CompactValue(i) : PyLong_AsLongLong(number);
#else
        const long long s = PyLong_AsLongLong(number);
#endif
        const long long above = s >> (63 - unused);
        u = (unsigned long long)s;
        fits = above == 0 || above == -1;
    }
    else {
        u = PyLong_AsUnsignedLongLong(number);
        fits = u << unused >> unused == u;
    }
    if (number != object) Py_DECREF(number);
    if (u == (unsigned long long)-1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return -1;
        PyErr_Clear();
        return 0;
    }
    switch (size) {
    case 1: { const uint8_t v = (uint8_t)u; memcpy(to, &v, sizeof(v)); break; }
    case 2: { const uint16_t v = (uint16_t)u; memcpy(to, &v, sizeof(v)); break; }
    case 4: { const uint32_t v = (uint32_t)u; memcpy(to, &v, sizeof(v)); break; }
    default: { const uint64_t v = (uint64_t)u; memcpy(to, &v, sizeof(v)); break; }
    }
    return fits;
}
