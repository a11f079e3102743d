# SPDX-License-Identifier: MIT
"""The figures on the pages of the ABI are those of the interpreter and of the compiler."""
import ctypes
import re
import sys

import pytest
import support
from foreign import PAGE

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


def offset_table(last):
    """Rows [(offset on this platform, member)] of the one table of offsets that ends so."""
    column = 0 if ctypes.sizeof(ctypes.c_void_p) == 8 else 1
    found = []
    for table in re.findall(r"^\| [^\n]*, 64-bit \| 32-bit \|[^\n]*\n\|[-| ]+\n((?:\|[^\n]*\n)+)",
                            PAGE, re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip("|").split("|")]
                for line in table.splitlines()]
        if rows[-1][2].strip("`") == last:
            found.append([(int(row[column]), row[2].strip("`")) for row in rows])
    assert len(found) == 1, f"the pages have {len(found)} tables of offsets that end with {last!r}"
    return found[0]


@pytest.mark.parametrize("dialect", support.thoroughly(["c11", "c++11"]))
def test_the_offsets_on_the_pages_are_those_of_the_compiler(dialect, tmp_path):
    *words, (end, _) = offset_table("C fields of derived metaclasses")
    *members, (size, _) = offset_table("(size)")
    head = offset_table("met")
    *functions, (end_of_functions, _) = offset_table("what is added later")
    claims = [f"offsetof(PyHeapExtensibleTypeObject, {member}) == sizeof(PyHeapTypeObject) + {offset}"
              for offset, member in words]
    claims += [f"sizeof(PyHeapExtensibleTypeObject) == sizeof(PyHeapTypeObject) + {end}"]
    claims += [f"offsetof(PyExtensibleType_Field, {member}) == {offset}"
               for offset, member in members]
    claims += [f"sizeof(PyExtensibleType_Field) == {size}"]
    claims += [f"offsetof(_Pycs_API, {member}) == {offset}"
               for offset, member in head]
    claims += [f"offsetof(_Pycs_Impl, {member}) == {offset}"
               for offset, member in functions]
    claims += [f"sizeof(_Pycs_Impl) == {end_of_functions}"]
    assert len(claims) >= 6 + 13 + 10 + 36
    source = tmp_path / "offsets.c"
    source.write_text('#include "extensibletype.h"\n' + "".join(
        f"extern char claim_{i}[({claim}) ? 1 : -1];    /* {claim} */\n"
        for i, claim in enumerate(claims)))
    done = support.compile_strictly(source, dialect, tmp_path / "offsets.o")
    assert done.returncode == 0, done.stdout
