/* SPDX-License-Identifier: MIT
 *
 * _memory.c - reads memory of this process, also where there is none, and tells whose it is.
 *
 * inspect looks at whatever it is shown: a damaged slot table, a check word that lies.  Reading
 * through the system, which says that an address is wrong instead of ending the process, makes it
 * safe to follow any pointer.  Nothing here changes what is looked at.
 */
#define PY_SSIZE_T_CLEAN
#if defined(__linux__) && !defined(_GNU_SOURCE)
#  define _GNU_SOURCE
#endif
#include "typedmethod.h"
#include "../typed/_reasons.h"

#if defined(_WIN32)
#  include <windows.h>
#else
#  include <dlfcn.h>
#  include <errno.h>
#  include <fcntl.h>
#  include <unistd.h>
#endif
#if defined(__linux__)
#  include <sys/syscall.h>
#  include <sys/uio.h>
#endif

#define LARGEST ((Py_ssize_t)1 << 24)

#if !defined(_WIN32)
/* By the pipe that every POSIX system has: write() says EFAULT of an address that is wrong.
   1: copied, 0: cannot be read, -1 with OSError. */
static int
copy_by_pipe(char *to, const char *from, size_t size)
{
    int ends[2], result = -1;
    if (pipe(ends) < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    while (size > 0) {
        const size_t wanted = size < 512 ? size : 512;      /* what every pipe takes at once */
        const ssize_t written = write(ends[1], from, wanted);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            result = 0;
            goto done;
        }
        if (read(ends[0], to, (size_t)written) != written) {
            PyErr_SetFromErrno(PyExc_OSError);
            goto done;
        }
        to += written;
        from += written;
        size -= (size_t)written;
    }
    result = 1;
done:
    (void)close(ends[0]);
    (void)close(ends[1]);
    return result;
}
#endif

static int
copy(char *to, const char *from, size_t size)
{
#if defined(_WIN32)
    SIZE_T done = 0;
    return ReadProcessMemory(GetCurrentProcess(), from, to, size, &done) && done == size;
#else
#  if defined(__linux__) && defined(SYS_process_vm_readv)
    struct iovec local, remote;
    long done;
    local.iov_base = to;
    local.iov_len = size;
    remote.iov_base = (void *)(uintptr_t)from;
    remote.iov_len = size;
    done = syscall(SYS_process_vm_readv, (long)getpid(), &local, 1L, &remote, 1L, 0L);
    if (done == (long)size) return 1;
    if (done >= 0 || errno == EFAULT) return 0;
    /* Some containers forbid the call. */
#  endif
    return copy_by_pipe(to, from, size);
#endif
}

static PyObject *
read_with(PyObject *args, int (*how)(char *, const char *, size_t))
{
    PyObject *where, *result;
    unsigned long long address;
    Py_ssize_t size;
    int status;

    if (!PyArg_ParseTuple(args, "O!n:read", &PyLong_Type, &where, &size)) return NULL;
    if (size < 0 || size > LARGEST) {
        PyErr_Format(PyExc_ValueError, "read: found a size of %zd bytes, expected 0 to %zd", size,
                     LARGEST);
        return NULL;
    }
    address = PyLong_AsUnsignedLongLong(where);
    if (address == (unsigned long long)-1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return NULL;
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    if (address > UINTPTR_MAX || (uintptr_t)address > UINTPTR_MAX - (uintptr_t)size) Py_RETURN_NONE;
    if (!(result = PyBytes_FromStringAndSize(NULL, size))) return NULL;
    status = size == 0 ? 1 : how(PyBytes_AS_STRING(result), (const char *)(uintptr_t)address,
                                 (size_t)size);
    if (status > 0) return result;
    Py_DECREF(result);
    if (status < 0) return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(read_doc,
"read(address, size, /)\n--\n\n"
"Return that many bytes of this process's memory; None if they cannot be read.");

static PyObject *
read_memory(PyObject *module, PyObject *args)
{
    (void)module;
    return read_with(args, copy);
}

#if !defined(_WIN32)
static PyObject *
read_memory_by_pipe(PyObject *module, PyObject *args)
{
    (void)module;
    return read_with(args, copy_by_pipe);
}
#endif

PyDoc_STRVAR(address_doc,
"address(obj, /)\n--\n\n"
"Return the address of the PyObject, which C code knows *obj* by.");

static PyObject *
address(PyObject *module, PyObject *arg)
{
    (void)module;
    return PyLong_FromVoidPtr(arg);
}

PyDoc_STRVAR(file_of_doc,
"file_of(address, /)\n--\n\n"
"Return the path of the program or library whose code or static data lies there; None if it is in\n"
"none, as what was allocated.");

static PyObject *
file_of(PyObject *module, PyObject *arg)
{
    void *address = PyLong_AsVoidPtr(arg);
    (void)module;
    if (address == NULL && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return NULL;
        PyErr_Clear();
        Py_RETURN_NONE;
    }
#if defined(_WIN32)
    {
        HMODULE library;
        wchar_t path[1024];
        DWORD length;
        if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS
                                    | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                                (LPCWSTR)address, &library)) Py_RETURN_NONE;
        length = GetModuleFileNameW(library, path, 1024);
        if (length == 0 || length == 1024) Py_RETURN_NONE;
        return PyUnicode_FromWideChar(path, (Py_ssize_t)length);
    }
#else
    {
        Dl_info found;
        if (!dladdr(address, &found) || found.dli_fname == NULL) Py_RETURN_NONE;
        return PyUnicode_DecodeFSDefault(found.dli_fname);
    }
#endif
}

PyDoc_STRVAR(process_table_doc,
"process_table()\n--\n\n"
"Return the address of the table that belongs to the process (docs/abi-process.md).\n\n"
"RuntimeError if it cannot be had: the interpreter is ending, or something else took its place.");

static PyObject *
process_table(PyObject *module, PyObject *ignored)
{
    _Pycs_ProcessTable *table = _Pycs_GetTable("inspect");
    (void)module;
    (void)ignored;
    return table != NULL ? PyLong_FromVoidPtr(table) : NULL;
}

PyDoc_STRVAR(signatures_doc,
"signatures(callable, /)\n--\n\n"
"Return a tuple of the signatures under which C finds something, as typed.signatures() does for what\n"
"has a record, but without the module of typed functions, which brings an implementation along.");

static PyObject *
signatures(PyObject *module, PyObject *arg)
{
    (void)module;
    return PyTypedMethod_Signatures(arg);
}

/* why_not(callable): why C finds nothing at all */
static PyObject *
why_not(PyObject *module, PyObject *arg)
{
    (void)module;
    return why_not_found(arg, PyTypedMethod_SIG(PyTypedMethod_VOID));
}

static PyMethodDef methods[] = {
    {"read", read_memory, METH_VARARGS, read_doc},
#if !defined(_WIN32)
    {"_read_by_pipe", read_memory_by_pipe, METH_VARARGS, NULL},
#endif
    {"address", address, METH_O, address_doc},
    {"file_of", file_of, METH_O, file_of_doc},
    {"signatures", signatures, METH_O, signatures_doc},
    {"why_not", why_not, METH_O, NULL},
    {"process_table", process_table, METH_NOARGS, process_table_doc},
    {NULL, NULL, 0, NULL}
};

static PyModuleDef_Slot module_slots[] = {
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "_memory", "Reads memory of this process, also where there is none.",
    0, methods, module_slots, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit__memory(void)
{
    return PyModuleDef_Init(&module_def);
}
