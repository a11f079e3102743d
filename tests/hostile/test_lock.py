# SPDX-License-Identifier: MIT
"""A debug build ends with what was wrong when code has the lock, or has not, against the rules."""
import re
import signal
import sysconfig
from pathlib import Path

import pytest
import support

pytestmark = pytest.mark.msvc

SOURCE = r"""
#include "module.h"
#include "extensibletype.h"

static _Pycs_API *api_of(PyObject *type) { return _Pycs_APIOf(Py_TYPE(type)); }

static PyObject *look(PyObject *self, PyObject *type)
{
    PyObject *mro = PyTuple_New(0);
    int found;
    _Pycs_FieldEntry field;
    memset((void *)&field, 0, sizeof(field));
    found = _Pycs_SourceOfField(api_of(type), NULL, mro, &field) != NULL;
    Py_DECREF(mro);
    return PyBool_FromLong(found);
}

static PyObject *take(PyObject *self, PyObject *type)
{
    _Pycs_Lock(api_of(type));
    _Pycs_Unlock(api_of(type));
    Py_RETURN_NONE;
}

static PyObject *call(PyObject *self, PyObject *arguments)
{
    PyObject *type, *function, *result;
    if (!PyArg_ParseTuple(arguments, "OO", &type, &function)) return NULL;
    _Pycs_Lock(api_of(type));
    result = PyObject_CallOneArg(function, type);
    _Pycs_Unlock(api_of(type));
    return result;
}

static PyObject *fetch(PyObject *self, PyObject *type)
{
    return _Pycs_FetchMro(api_of(type), (PyTypeObject *)type);
}

static PyMethodDef methods[] = {
    TAKES_ONE(look), TAKES_ONE(take), TAKES_ARGS(call), TAKES_ONE(fetch), {NULL, NULL, 0, NULL}};

MODULE(locked, methods, )
"""

HAS, HAS_NOT = "_Pycs_HasLock(api)", "!_Pycs_HasLock(api)"

#: What is done with a class C: what the assertion says.
WRONG = {
    "what is guarded is looked at without the lock": ("locked.look(C)", HAS),
    "the lock is taken by who has it": ("locked.call(C, locked.take)", HAS_NOT),
    "CPython's lock is taken under ours": ("locked.call(C, locked.fetch)", HAS_NOT),
}


def locked(*flags):
    source = support.write_source(support.cache_directory("locked", SOURCE) / "locked.c", SOURCE)
    return support.build_c("locked", source, cflags=flags, include_dirs=[support.TESTS], carries=True)


def run(path, code):
    return support.run_child("import locked\nfrom cython_customslots import ExtensibleType\n"
                             f"C = ExtensibleType('C', (), {{}})\n{code}", modules=[path])


@pytest.mark.parametrize("case", WRONG)
def test_a_debug_build_ends_at_the_mistake(case):
    code, says = WRONG[case]
    done = run(locked("-UNDEBUG"), code)
    assert done.returncode == -signal.SIGABRT, done.stderr
    assert re.search(f"Assertion.*{re.escape(says)}", done.stderr)


@pytest.mark.parametrize("flags", ["-UNDEBUG", "-DNDEBUG"])
def test_what_keeps_to_the_rules_goes_on(flags):
    done = run(locked(flags), "print(locked.take(C), locked.call(C, locked.look), locked.fetch(C))")
    assert done.stdout == "None False (<class '__main__.C'>, <class 'object'>)\n", done.stderr


@pytest.mark.skipif(not sysconfig.get_config_var("Py_DEBUG"), reason="this interpreter is no debug build")
def test_in_a_debug_interpreter_the_package_asserts():
    import _customslots_runtime
    from cython_customslots import provider
    from cython_customslots.typed import _typed
    for module in _customslots_runtime, provider, _typed:
        assert b"__assert_fail" in Path(module.__file__).read_bytes(), module
