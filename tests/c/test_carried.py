# SPDX-License-Identifier: MIT
"""What stands in a file behind the implementation that it carries is compiled as if that were not
there, although part of the implementation is compiled with less optimisation."""
import shutil
import subprocess

import cython_customslots
import pytest
import support

pytestmark = pytest.mark.compilers

HEAD = """
#include <Python.h>
#include "extensibletype.h"
void *joined(void) { return (void *)_Pycs_GetAPI(); }
"""
BEHIND = """
static int last(int x) { return x * 3 + 1; }
static int next_to_last(int x) { int i; for (i = 0; i < x; i++) x ^= last(x); return x; }
int of_the_user(PyObject *a, PyObject *b, int x)
{
    PyObject *kept = PyTuple_CheckExact(a) ? PyTuple_GET_ITEM(a, 0) : NULL;
    Py_XINCREF(kept);
    x = next_to_last(x);
    Py_XDECREF(kept);
    Py_XDECREF(b);
    return x;
}
"""


def instructions(compiler, head, directory):
    """Those of of_the_user(), and the functions that the file has besides."""
    source, made = directory / "behind.c", directory / "behind.o"
    source.write_text(head + BEHIND)
    subprocess.run(
        [compiler, "-O2", "-DNDEBUG", "-w", "-fPIC", "-fno-asynchronous-unwind-tables", "-c", "-o",
         str(made), f"-I{cython_customslots.get_include()}",
         *(f"-I{path}" for path in support.toolchain().include_dirs), str(source)], check=True)
    shown = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(made)],
                           stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    functions = {}
    for block in shown.split("\n\n"):
        first, _, rest = block.strip().partition("\n")
        if first.endswith(">:"):
            functions[first.split("<")[1][:-2]] = [
                line.split("\t")[1].split()[0] for line in rest.splitlines() if "\t" in line]
    used = functions.pop("of_the_user")
    while used[-1].startswith(("nop", "cs", "data16", "xchg")):     # fills the gap behind it
        used.pop()
    return used, functions


@pytest.mark.parametrize("compiler", support.thoroughly(["gcc", "clang"], plain=0, thorough=1))
def test_functions_behind_it_are_compiled_as_without_it(compiler, tmp_path):
    if not (shutil.which(compiler) and shutil.which("objdump")):
        pytest.skip(f"{compiler} or objdump is not on this machine")
    alone, _ = instructions(compiler, "#include <Python.h>\n", tmp_path)
    behind, others = instructions(compiler, HEAD, tmp_path)
    assert "_Pycs_alloc" in others, "the file carries no implementation"
    assert behind == alone
