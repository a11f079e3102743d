// SPDX-License-Identifier: MIT
//
// The vtable slot in generated C: classes of the compiler layer describe their C methods,
// and modules that import a class compare them with what they were compiled for.
// compiler/classes/vtables.py says what a description looks like.

/////////////// CustomSlotsVtableData.proto ///////////////

#include <stdint.h>
#include <string.h>

// What the vtable slot points to. `hashes[i]` covers the first i + 1 methods.
typedef struct {
    size_t size;                // of this struct
    void *vtable;
    size_t n;
    const uint64_t *hashes;
    const char *layout;         // one line a method, '%' for each number
    const unsigned int *numbers;
} __Pyx_CustomSlots_VtableData;

/////////////// CustomSlotsVtable.proto ///////////////
//@requires: CustomSlotsVtableData

// Completes `data`, of which `hashes` is a part, and returns the slot ID that belongs to
// `name`; 0 with an exception.
CYTHON_UNUSED static uintptr_t __Pyx_CustomSlots_DescribeVtable(__Pyx_CustomSlots_VtableData *data, const char *name, const PyCustomSlots_Signature *lines, uint64_t *hashes) {
    data->size = sizeof(*data);
    data->hashes = hashes;
    PyCustomSlots_HashSignatures(lines, data->n, data->numbers, hashes);
    return PyCustomSlots_Intern(name);
}

/////////////// CustomSlotsCheckVtable.proto ///////////////
//@requires: CustomSlotsVtableData

#if _Pycs_SUPPORTED
static size_t __Pyx_CustomSlots_LineLength(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? (size_t)(end - line) + 1 : strlen(line);
}

// The line of `text` that equals `line`, and how many lines further it is; or NULL.
static const char *__Pyx_CustomSlots_FindLine(const char *text, const char *line, size_t *distance) {
    size_t length = __Pyx_CustomSlots_LineLength(line);
    for (*distance = 0; *text; text += __Pyx_CustomSlots_LineLength(text), ++*distance) {
        if (strncmp(text, line, length) == 0) return text;
    }
    return NULL;
}

static char *__Pyx_CustomSlots_PutLine(char *to, const char *mark, const char *line) {
    size_t length = __Pyx_CustomSlots_LineLength(line);
    memcpy(to, mark, 4);
    memcpy(to + 4, line, length);
    return to + 4 + length;
}

// Both layouts in one text, line by line, like diff: "  - " is only in `expected`,
// "  + " only in `found`.  `to` has room for both, and four bytes more for each line.
static void __Pyx_CustomSlots_CompareLayouts(const char *expected, const char *found, char *to) {
    while (*expected || *found) {
        size_t skipped = 0, missing = 0;
        const char *in_found = *expected ? __Pyx_CustomSlots_FindLine(found, expected, &skipped) : NULL;
        const char *in_expected = *found ? __Pyx_CustomSlots_FindLine(expected, found, &missing) : NULL;
        if (in_found == found && in_found) {
            to = __Pyx_CustomSlots_PutLine(to, "    ", expected);
            expected += __Pyx_CustomSlots_LineLength(expected);
            found += __Pyx_CustomSlots_LineLength(found);
        } else if (*expected && (!in_found || !*found || (in_expected && missing <= skipped))) {
            to = __Pyx_CustomSlots_PutLine(to, "  - ", expected);
            expected += __Pyx_CustomSlots_LineLength(expected);
        } else {
            to = __Pyx_CustomSlots_PutLine(to, "  + ", found);
            found += __Pyx_CustomSlots_LineLength(found);
        }
    }
    *to = 0;
}

static size_t __Pyx_CustomSlots_LineCount(const char *text) {
    size_t n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

// The text of a layout, its numbers written out; NULL with MemoryError.
static char *__Pyx_CustomSlots_LayoutText(const char *layout, const unsigned int *numbers) {
    size_t size = strlen(layout) + 1;
    const char *c;
    char *text, *to;
    for (c = layout; *c; c++) size += *c == '%' ? 8 : 0;       // a letter and eight digits
    text = to = (char *)PyMem_Malloc(size);
    if (unlikely(!text)) {
        PyErr_NoMemory();
        return NULL;
    }
    for (c = layout; *c; c++) {
        if (*c != '%') {
            *to++ = *c;
            continue;
        }
        if (*numbers >> 24) *to++ = (char)(*numbers >> 24);
        PyOS_snprintf(to, 9, "%u", *numbers++ & 0xFFFFFFu);
        to += strlen(to);
    }
    *to = 0;
    return text;
}

// The ImportError; `data` NULL: the class has no C methods any more.
static void __Pyx_CustomSlots_VtableError(const char *class_name, const char *running_name, const char *user, const char *layout, const unsigned int *numbers, const __Pyx_CustomSlots_VtableData *data, int derived) {
    PyObject *message = NULL, *provider = NULL, *importer = NULL;
    const char *dot = strrchr(class_name, '.');
    char *expected = __Pyx_CustomSlots_LayoutText(layout, numbers), *both = NULL;
    char *found = __Pyx_CustomSlots_LayoutText(data ? data->layout : "", data ? data->numbers : NULL);
    if (unlikely(!expected || !found)) goto done;
    both = (char *)PyMem_Malloc(strlen(expected) + strlen(found) + 1
        + 4 * (__Pyx_CustomSlots_LineCount(expected) + __Pyx_CustomSlots_LineCount(found)));
    if (unlikely(!both)) {
        PyErr_NoMemory();
        goto done;
    }
    __Pyx_CustomSlots_CompareLayouts(expected, found, both);
    provider = PyUnicode_FromStringAndSize(class_name, dot ? dot - class_name : 0);
    importer = PyUnicode_FromString(user);
    if (unlikely(!provider || !importer)) goto done;
    message = PyUnicode_FromFormat(
        "the C methods of class '%s'%s%s%s are not those that %s'%U' %s compiled for; calls would go to wrong functions.\n"
        "Compiled for (-), found in the running class (+):\n"
        "%s%s\n"
        "Rebuild '%U' with the .pxd files of the '%U' that is installed, or install the '%U' that it was built with.",
        class_name, running_name ? " (which is now '" : "", running_name ? running_name : "", running_name ? "')" : "",
        derived ? "derived classes in " : "", importer, derived ? "were" : "was", both,
        derived ? "A module with derived classes needs exactly the methods that it was built with."
                : "Only methods appended to the class itself are compatible; one appended to a base class moves those behind it.",
        importer, provider, provider);
    if (likely(message)) PyErr_SetImportError(message, importer, NULL);
done:
    PyMem_Free(expected);
    PyMem_Free(found);
    PyMem_Free(both);
    Py_XDECREF(message);
    Py_XDECREF(provider);
    Py_XDECREF(importer);
}

// Stores the class's own vtable, which Cython keeps in a capsule in its dict; NULL if there
// is none.  0, or -1 with an exception.
static int __Pyx_CustomSlots_OwnVtable(PyTypeObject *type, void **vtable) {
#if CYTHON_COMPILING_IN_LIMITED_API
    PyObject *missing = PyExc_AttributeError, *capsule = PyObject_GetAttrString((PyObject *)type, "__pyx_vtable__");
#else
    PyObject *missing = PyExc_KeyError, *capsule = PyMapping_GetItemString(type->tp_dict, "__pyx_vtable__");
#endif
    *vtable = NULL;
    if (!capsule) {
        if (unlikely(!PyErr_ExceptionMatches(missing))) return -1;
        PyErr_Clear();
        return 0;
    }
    if (PyCapsule_IsValid(capsule, NULL)) *vtable = PyCapsule_GetPointer(capsule, NULL);
    Py_DECREF(capsule);
    return 0;
}

// The description of `vtable` in the slot named `name`; NULL with or without an exception.
static const __Pyx_CustomSlots_VtableData *__Pyx_CustomSlots_VtableOf(PyTypeObject *type, const char *name, void *vtable) {
    uintptr_t id = PyCustomSlots_Intern(name);
    const PyCustomSlot *slot = id ? PyCustomSlots_FindType(type, id, 0) : NULL;
    const __Pyx_CustomSlots_VtableData *data = slot ? (const __Pyx_CustomSlots_VtableData *)slot->data.pointer : NULL;
    if (data && data->size < offsetof(__Pyx_CustomSlots_VtableData, numbers) + sizeof(data->numbers)) {
        PyErr_Format(PyExc_ImportError,
            "the C methods of class '%s' are described in %zu bytes, expected %zu or more; rebuild the module that defines it with a current cython-customslots",
            strchr(name, ':') + 1, data->size, offsetof(__Pyx_CustomSlots_VtableData, numbers) + sizeof(data->numbers));
        return NULL;
    }
    // An inherited slot describes another table.
    return data && data->vtable == vtable ? data : NULL;
}
#endif

// Do the C methods of an imported class stand where this module, `user`, was compiled to
// look for them?  `name` is the slot's; `derived`: the module has classes that
// derive from it, whose tables begin with the class's; `has_slot`: the class was declared to have
// this slot when the module was compiled.  0, or -1 with an ImportError.  Any other class without
// a slot is not checked: plain Cython compiled it.
static int __Pyx_CustomSlots_CheckVtable(PyTypeObject *type, const char *name, const char *user, const char *layout, const PyCustomSlots_Signature *lines, size_t n, const unsigned int *numbers, int derived, int has_slot) {
#if _Pycs_SUPPORTED
    const char *class_name = strchr(name, ':') + 1, *running_name = NULL;
    const __Pyx_CustomSlots_VtableData *data = NULL;
    void *vtable;
    uint64_t hash;
    if (!PyCustomSlots_CheckType(type)) goto no_slot;
    if (unlikely(__Pyx_CustomSlots_OwnVtable(type, &vtable) < 0)) return -1;
    if (vtable) {
        data = __Pyx_CustomSlots_VtableOf(type, name, vtable);
        if (unlikely(!data && PyErr_Occurred())) return -1;
  #if !CYTHON_COMPILING_IN_LIMITED_API
        if (unlikely(!data && strcmp(class_name, type->tp_name) != 0)) {
            // Moved or renamed, with the old name left for modules like this one.
            PyObject *other = PyUnicode_FromFormat("cython.vtable:%s", type->tp_name);
            const char *text = other ? PyUnicode_AsUTF8(other) : NULL;
            running_name = type->tp_name;
            if (likely(text)) data = __Pyx_CustomSlots_VtableOf(type, text, vtable);
            Py_XDECREF(other);
            if (unlikely(!data && PyErr_Occurred())) return -1;
        }
  #endif
        if (!data) goto no_slot;
        hash = PyCustomSlots_HashSignatures(lines, n, numbers, NULL);
        if (likely(n > 0 && n <= data->n && data->hashes[n - 1] == hash && (!derived || n == data->n))) return 0;
    }
    __Pyx_CustomSlots_VtableError(class_name, running_name, user, layout, numbers, data, derived);
    return -1;
no_slot:
    if (likely(!has_slot)) return 0;
    PyErr_Format(PyExc_ImportError,
        "class '%s' does not say where its C methods are, found no slot '%s' of it, which '%s' expects since it was compiled for a class with customslots.extensible; calls could go to wrong functions. "
        "Rebuild '%s' with the .pxd files of the module that is installed, or install the one that it was built with.",
        class_name, name, user, user);
    return -1;
#else
    (void)type; (void)name; (void)user; (void)layout; (void)lines; (void)n; (void)numbers; (void)derived; (void)has_slot;
    return 0;
#endif
}
