# SPDX-License-Identifier: MIT
"""The metadata that PyPy's branch for typed functions reads, in the C that is generated.

No PyPy runs here: the C is read, and compiled as PyPy would have it compiled.
"""
import re
import subprocess

import pytest
import support
from compiling import compile_all, source

FUNCTIONS = """
    # cython: always_allow_keywords=False
    cimport cython_customslots

    cpdef long increment(long x) noexcept: return x + 1
    cpdef double half(double x) noexcept: return x / 2
    cpdef object same(object x): return x
    cpdef object tested(list x): return x
    cpdef long checked(long x) except -1: return x
    cpdef double two(double x, long y) noexcept: return x + y

    # PyPy takes these results for errors, whatever PyErr_Occurred() says.
    cpdef long maybe(long x): return x
    cpdef double raising(double x): return x
    # And has no word for these.
    cpdef int narrow(int x) noexcept: return x
    cpdef long optional(long x=1) noexcept: return x
    cpdef void nothing(long x) noexcept: pass

    cdef class A:
        cpdef long method(self, long x) noexcept: return x
    """

#: {function: (codes of its arguments, code of its result, flags)}
METADATA = {
    "increment": ("T_C_LONG, -1", "T_C_LONG", "METH_O|METH_TYPED"),
    "half": ("T_C_DOUBLE, -1", "T_C_DOUBLE", "METH_O|METH_TYPED"),
    "same": ("T_PY_OBJECT, -1", "-T_PY_OBJECT", "METH_O|METH_TYPED"),
    "tested": ("T_PY_OBJECT, -1", "-T_PY_OBJECT", "METH_O|METH_TYPED"),
    "checked": ("T_C_LONG, -1", "-T_C_LONG", "METH_O|METH_TYPED"),
    "two": ("T_C_DOUBLE, T_C_LONG, -1", "T_C_DOUBLE",
            "__Pyx_METH_FASTCALL|METH_KEYWORDS|METH_TYPED"),
}


@pytest.fixture(scope="module", params=["True", "False"])
def c(request):
    text = source(FUNCTIONS).replace("False\n", f"False, binding={request.param}\n", 1)
    result = compile_all({"case": {"mod.pyx": text}})["case"]
    assert result.errors == [], result.messages
    return result.c


def test_metadata_stand_where_pypy_looks_for_them(c):
    found = {}
    pattern = re.compile(
        r'static int (\w+)_types\[\] = \{(.*)\};\n'
        r'static const PyPyTypedMethodMetadata \1 = \{\1_types, (.*), \(void \*\)(\w+), "(\w+)"\};')
    for cname, arguments, result, function, name in pattern.findall(c):
        assert re.search(rf"static \w+ \*?{function}\(.*\); /\*proto\*/", c)
        flags, = re.findall(rf"\{{{cname}\.ml_name, .*, (\S*METH_TYPED), \w+\}}", c)
        found[name] = (arguments, result, flags)
    assert found == METADATA


def test_nothing_of_it_is_compiled_for_cpython(c):
    text = c
    for name in METADATA:
        text = re.sub(r"#if defined\(PYPY_VERSION\).*\n(?:(?!#).*\n)*?(#else\n|#endif\n)",
                      r"\1", text)
    generated = text[text.index("/* Implementation of"):]
    assert "METH_TYPED" not in generated and "PyPyTypedMethodMetadata" not in generated


SHIM = """
#include <Python.h>
#if PY_VERSION_HEX >= 0x030B0000
/* PyPy's frames have this member. */
struct _frame { PyObject_HEAD int f_lineno; };
#endif
"""


@pytest.mark.parametrize("fastcall", [0, 1])
def test_it_compiles_where_the_macros_are_pypys(c, tmp_path, fastcall):
    (tmp_path / "shim.h").write_text(SHIM)
    (tmp_path / "mod.c").write_text(c)
    tools = support.toolchain()
    done = subprocess.run(
        [*tools.cc, *(f"-I{path}" for path in tools.include_dirs), "-fsyntax-only", "-Wall",
         "-include", "shim.h", '-DPYPY_VERSION="7.3.17"', "-DPYPY_VERSION_NUM=0x07031100",
         f"-DCYTHON_METH_FASTCALL={fastcall}", "mod.c"], cwd=tmp_path, timeout=300,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    ours = [line for line in done.stdout.splitlines()
            if re.search(r"error:|typed|TypedMethod", line)]
    assert done.returncode == 0 and not ours, done.stdout
