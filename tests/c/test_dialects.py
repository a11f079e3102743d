# SPDX-License-Identifier: MIT
"""Everything that includes our headers compiles under every standard, without a warning."""
import re
from pathlib import Path

import pytest
import support
from cython_customslots.tools import headers

pytestmark = pytest.mark.compilers

HERE = Path(__file__).resolve().parent
CORE = HERE.parent / "core"
C_TESTS = [path for folder in (CORE, HERE.parent / "layout", HERE.parent / "typed")
           for path in sorted(folder.glob("*.c"))]

#: One of each header, which are most of their text; the others are tested thoroughly.
MOST_TELLING = {"probe_interface.c", "typed_probe.c"}

by_dialect = pytest.mark.parametrize("dialect", support.DIALECTS)


def by_header(*plain):
    """All of our headers, these in every run."""
    return pytest.mark.parametrize("header", [
        header if header in plain else pytest.param(header, marks=pytest.mark.thorough)
        for header in headers.PUBLIC_HEADERS])


def check_all(sources, dialect, directory, *extra, **options):
    support.compile_all_strictly(sources, dialect, directory, *extra, check_only=True, **options)


def test_checking_without_an_object_finds_what_compiling_finds(tmp_path):
    """The functions are unused, end without a value, fall through; the variables may be unset."""
    source = tmp_path / "wrong.c"
    source.write_text("""
static int unused_function(int x) { return x; }
int without_value(int x);
int without_value(int x) { if (x) return 1; }
int falls(int x);
int falls(int x) { switch (x) { case 1: x++; case 2: return x; } return 0; }
int unset(int x);
int unset(int x) { int never; return x + never; }
int compared(int x, unsigned y, int unused_parameter);
int compared(int x, unsigned y, int unused_parameter) { return x < y; }
static int unused_variable;
""")
    for dialect in "c99", "c++11":
        found = [set(re.findall(r"-W(?:error=)?([\w-]+)=?\]", support.compile_strictly(
            source, dialect, tmp_path / "wrong.o", check_only=check_only).stdout))
            for check_only in (True, False)]
        assert found[0] == found[1] >= {"return-type", "sign-compare", "unused-parameter"}
        assert found[0] & {"uninitialized", "maybe-uninitialized"}


@by_dialect
def test_c_tests_compile_without_a_warning(dialect, tmp_path):
    telling = [path for path in C_TESTS if path.name in MOST_TELLING]
    assert len(telling) == len(MOST_TELLING)
    check_all(telling, dialect, tmp_path)


@pytest.mark.nightly
@by_dialect
def test_every_other_c_test_compiles_without_a_warning(dialect, tmp_path):
    assert len(C_TESTS) >= 6
    check_all([path for path in C_TESTS if path.name not in MOST_TELLING], dialect, tmp_path)


@by_dialect
@by_header("extensibletype.h", "typedmethod.h")
def test_header_stands_alone_and_may_be_unused(header, dialect, tmp_path):
    """Nothing of it is called: no 'defined but not used', no empty translation unit."""
    source = tmp_path / "alone.c"
    source.write_text(f'#include "{header}"\n#include "{header}"\nint probe_unused;\n')
    check_all([source], dialect, tmp_path)


@pytest.mark.thorough
@by_dialect
def test_flattened_and_included_header_may_meet_in_one_file(dialect, tmp_path):
    source = tmp_path / "mixed.c"
    source.write_text(headers.header_text("customslots.h") + '\n#include "extensibletype.h"\n'
                      "PyObject *probe_mixed(void);\nPyObject *probe_mixed(void)\n"
                      "{ return (PyObject *)PyExtensibleType_Import(); }\n")
    check_all([source], dialect, tmp_path)


@by_dialect
def test_all_headers_may_meet_in_one_file_in_any_order(dialect, tmp_path):
    """Their private names are of one name space."""
    sources = []
    for order in headers.PUBLIC_HEADERS, headers.PUBLIC_HEADERS[::-1]:
        sources.append(tmp_path / f"of_{order[0]}.c")
        sources[-1].write_text("".join(f'#include "{header}"\n' for header in order) + "int probe_unused;\n")
    check_all(sources, dialect, tmp_path)


@pytest.mark.parametrize("header, defined, words", [
    ("extensibletype.h", "Py_LIMITED_API 0x030A0000", "cannot be used with Py_LIMITED_API"),
    ("typedarray.h", "Py_LIMITED_API 0x030A0000", "needs Py_LIMITED_API of 3.11"),
    ("typedmethod.h", "Py_LIMITED_API 0x030A0000", "needs Py_LIMITED_API of 3.11"),
    ("customslots.h", "GRAALVM_PYTHON", "works on CPython and PyPy, not on GraalPy")])
def test_headers_refuse_in_words_where_they_do_not_work(header, defined, words, tmp_path):
    source = tmp_path / "refused.c"
    source.write_text(f'#define {defined}\n#include "{header}"\n')
    done = support.compile_strictly(source, "c11", tmp_path / "refused.o")
    assert done.returncode != 0
    if "LIMITED" not in words or not support.FREE_THREADED:     # there CPython's own #error comes first
        assert words in done.stdout


def test_c_s_own_formatting_is_not_asked_for_what_windows_lacks():
    """%zd and its like: PyErr_Format() and PyUnicode_FromFormat() know them everywhere, the
    functions of C do not, with MinGW's compiler as the one that says so."""
    calls = 0
    for folder in "cython_customslots", "utility", "examples":
        for path in sorted((support.ROOT / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".pyx", ".pxd", ".py"):
                continue
            text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            for call in re.findall(r"\b(?:PyOS_)?v?s?n?printf\s*\(.*?;", text, re.DOTALL):
                calls += 1
                assert not re.search(r"%[-+ #0-9.*]*[zjt]", call), f"{path}: {call}"
    assert calls >= 5
