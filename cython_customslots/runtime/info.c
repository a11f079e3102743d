/* SPDX-License-Identifier: MIT
 *
 * runtime/info.c - which implementation serves, and which others it met, for people who look for the
 * cause of something.
 *
 * This is part of the modules that show it, not of the implementation: looking must not change
 * anything, and importing an implementation may make it take over.
 */
#include "runtime/info.h"

#if defined(_WIN32)
#  include <windows.h>
#else
#  include <dlfcn.h>
#endif

/* The file that an address belongs to, a new str; None if it is not known. */
static PyObject *
_Pycs_FileOf(const void *address)
{
#if defined(_WIN32)
    wchar_t path[4096];
    HMODULE module;
    DWORD length = 0;
    if (GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS
                           | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                           (LPCWSTR)address, &module)) {
        length = GetModuleFileNameW(module, path, 4096);
    }
    if (length > 0 && length < 4096) return PyUnicode_FromWideChar(path, (Py_ssize_t)length);
#else
    Dl_info found;
    if (dladdr(address, &found) != 0 && found.dli_fname != NULL) {
        return PyUnicode_DecodeFSDefault(found.dli_fname);
    }
#endif
    Py_RETURN_NONE;
}

/* (module, number, state version, functions, file) of an implementation. */
static PyObject *
_Pycs_Describe(const _Pycs_Impl *impl)
{
    if (impl == NULL) Py_RETURN_NONE;
    return Py_BuildValue(
        "(NNIIN)",
        PyUnicode_DecodeUTF8(impl->module, (Py_ssize_t)strlen(impl->module), "replace"),
        PyUnicode_FromFormat("%u.%u.%u", (unsigned)(impl->number >> 24),
                             (unsigned)(impl->number >> 12 & 0xFFF),
                             (unsigned)(impl->number & 0xFFF)),
        (unsigned)impl->state_version, (unsigned)impl->count, _Pycs_FileOf(impl));
}

/* The facts that cython_customslots.runtime_info() puts into words: the tuple (rendezvous
   version, table ABI, state version, the implementation that serves, all that the API has met).
   The last is a list of (implementation, found, verdict), the creator first; an implementation is
   (module, version, state version that it serves, functions, file).  A new reference, NULL with an
   exception. */
_Pycs_PRIVATE PyObject *
_Pycs_Info(_Pycs_API *api)
{
    static const char *const verdicts[] = {"created", "took over", "older", "state", "pinned"};
    PyObject *list = PyList_New(0), *row;
    const _Pycs_Met *met = _Pycs_LOAD(_Pycs_Met *, &api->met);

    for (; list != NULL && met != NULL; met = met->next) {
        const uintptr_t verdict = _Pycs_LOAD(uintptr_t, &met->verdict);
        row = Py_BuildValue("(NNs)", _Pycs_Describe(met->impl),
                            _Pycs_Describe(_Pycs_LOAD(const _Pycs_Impl *, &met->found)),
                            verdict < 5 ? verdicts[verdict] : "unknown");
        if (row == NULL || PyList_Append(list, row) < 0) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    if (list != NULL && PyList_Reverse(list) < 0) Py_CLEAR(list);
    if (list == NULL) return NULL;
    return Py_BuildValue("(IIINN)", (unsigned)api->rendezvous_version, (unsigned)api->table_abi,
                         (unsigned)api->state_version,
                         _Pycs_Describe(_Pycs_IMPL(api)), list);
}
