# SPDX-License-Identifier: MIT
"""The figures on the pages of the ABI are those of the interpreter and of the compiler."""
import ctypes
import re
import sys

import pytest
import support
from foreign import PAGE, offsets

pytestmark = pytest.mark.once


def test_the_size_of_the_struct_on_the_pages_is_that_of_this_interpreter():
    build = f"{sys.version_info[0]}.{sys.version_info[1]}"
    build += ", free-threaded" * support.FREE_THREADED
    row = re.search(rf"^\| {build} \| (\d+) \| (\d+) \| (\d+), (\d+) \|$", PAGE, re.MULTILINE)
    if row is None:
        pytest.skip(f"the pages have no figure for CPython {build}")
    words = 5 * ctypes.sizeof(ctypes.c_void_p)
    column = 0 if sys.maxsize > 2**32 else 1
    assert int(row[1 + column]) == type.__basicsize__
    assert int(row[3 + column]) == type.__basicsize__ + words


@pytest.mark.parametrize("dialect", support.thoroughly(["c11", "c++11"]))
def test_the_offsets_on_the_pages_are_those_of_the_compiler(dialect, tmp_path):
    claims = []
    for struct, last in (("PyHeapExtensibleTypeObject", "C fields of derived metaclasses"), ("_Pycs_API", "met"),
                         ("PyExtensibleType_Field", "(size)"), ("_Pycs_Impl", "what is added later")):
        rows, start = offsets(last), "sizeof(PyHeapTypeObject) + " * struct.startswith("PyHeap")
        if last != "met":
            claims.append(f"sizeof({struct}) == {start}{rows.pop(last)}")
        claims += [f"offsetof({struct}, {member}) == {start}{offset}" for member, offset in rows.items()]
    assert len(claims) >= 6 + 13 + 10 + 36
    source = tmp_path / "offsets.c"
    source.write_text('#include "extensibletype.h"\n' + "".join(
        f"extern char claim_{i}[({claim}) ? 1 : -1];    /* {claim} */\n"
        for i, claim in enumerate(claims)))
    done = support.compile_strictly(source, dialect, tmp_path / "offsets.o")
    assert done.returncode == 0, done.stdout
