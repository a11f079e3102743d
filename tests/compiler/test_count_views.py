# SPDX-License-Identifier: MIT
"""benchmarks/count_views.py, which counts what borrows in real packages."""
import subprocess
import sys

import pytest
import support
from compiling import source

pytestmark = pytest.mark.once

COUNTED = source("""
    cimport cython
    from cpython cimport array
    def borrows(double[::1] x, const int[:, :] y): return x[0] + y[0, 0]
    def returns(double[::1] x): return x
    def sometimes(double[::1] x, bint b):
        return x if b else None
    def never(double[::1] x):
        yield x
    def fused(cython.floating[:] x):
        if cython.floating is float:
            return x
    def local(obj, object other):
        cdef double[::1] v = obj
        cdef double[::1] w = other
        return v[0], w
    cpdef declared(double[:] x): return x
    """)
TABLE = {
    "files": 2, "... that compile alone": 1, "view arguments": 7,
    "view arguments: ... that borrow": 6,
    "view arguments: ... without an object on every path": 3,
    "local views of objects": 2, "local views of objects: ... that borrow": 1,
    "view arguments of C functions for other modules": 1,
    "view arguments of C functions for other modules: ... that borrow": 0,
    "arguments in buffer syntax": 0, "arguments in buffer syntax: ... that borrow": 0,
    "variables in buffer syntax": 0, "variables in buffer syntax: ... that borrow": 0,
    "argument does not borrow: the function is a generator": 1,
    "variable does not borrow: it is made a Python object": 1,
    "argument borrows, but needs an object always: it is made a Python object": 3,
    "C argument does not borrow: it is made a Python object": 1}


def test_each_view_of_a_folder_is_counted_once_with_what_the_layer_says_of_it(tmp_path):
    (tmp_path / "counted.pyx").write_text(COUNTED)
    (tmp_path / "counted.pxd").write_text("cpdef declared(double[:] x)\n")
    (tmp_path / "wrong.pyx").write_text("def f(double[:] x): return nosuch\ncdef int f = 1\n")
    (tmp_path / "nothing.pyx").write_text("def f(x): return x\n")
    done = subprocess.run([sys.executable, str(support.ROOT / "benchmarks" / "count_views.py"), "--jobs", "1",
                           str(tmp_path)], capture_output=True, encoding="utf-8", timeout=600)
    assert done.returncode == 0, done.stderr
    table, group = {}, ""
    for line in done.stdout.splitlines():
        if line.startswith("| ") and not line.startswith(("| | ", "| --- ", "| why ")):
            name, *numbers = line.strip("| ").split(" | ")
            group = group if name.startswith("...") else name
            table[name if name in ("... that compile alone", group) else f"{group}: {name}"] = int(numbers[-1])
    assert table == TABLE
    assert "wrong.pyx does not compile alone: wrong.pyx:" in done.stderr
