# SPDX-License-Identifier: MIT
"""benchmarks/count_views.py, which counts what borrows in real packages."""
import subprocess
import sys

import pytest
import support
from compiling import source

pytestmark = pytest.mark.once

COUNTED = source("""
    def borrows(double[::1] x, const int[:, :] y): return x[0] + y[0, 0]
    def returns(double[::1] x): return x
    def sometimes(double[::1] x, bint b):
        return x if b else None
    def never(double[::1] x):
        yield x
    def local(obj):
        cdef double[::1] v = obj
        return v[0]
    """)
TABLE = """
    files | 2 | 2
    ... that compile alone | 1 | 1
    view arguments | 5 | 5
    ... that borrow | 4 | 4
    ... without an object on every path | 3 | 3
    local views of objects | 1 | 1
    ... that borrow | 1 | 1
    """
REASONS = """
    argument borrows, but needs an object always: it is made a Python object | 1
    argument does not borrow: the function is a generator | 1
    """


def test_each_view_of_a_folder_is_counted_once_with_what_the_layer_says_of_it(tmp_path):
    (tmp_path / "counted.pyx").write_text(COUNTED)
    (tmp_path / "wrong.pyx").write_text("def f(double[:] x): return nosuch\ncdef int f = 1\n")
    (tmp_path / "nothing.pyx").write_text("def f(x): return x\n")
    done = subprocess.run([sys.executable, str(support.ROOT / "benchmarks" / "count_views.py"), "--jobs", "1",
                           str(tmp_path)], capture_output=True, encoding="utf-8", timeout=600)
    assert done.returncode == 0, done.stderr
    lines = "\n".join(line.strip("| ") for line in done.stdout.splitlines())
    assert source(TABLE) in lines and source(REASONS) in lines + "\n"
    assert "wrong.pyx does not compile alone: wrong.pyx:" in done.stderr
