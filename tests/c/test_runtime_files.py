# SPDX-License-Identifier: MIT
"""The implementation is ordinary C files: each compiles alone, and so does all of it in one."""
import re
import subprocess
import sys
from pathlib import Path

import cython_customslots
import pytest
import support
from cython_customslots.tools import headers

pytestmark = pytest.mark.compilers

RUNTIME = support.ROOT / "cython_customslots" / "runtime"
FILES = sorted(RUNTIME.glob("*.[ch]"))
CARRIER = ('#include "extensibletype.h"\n'
           "int use(void);\nint use(void) { return PyExtensibleType_Import() != NULL; }\n")


@pytest.mark.parametrize("path", support.thoroughly(FILES, plain=4, thorough=0), ids=[path.name for path in FILES])
def test_a_file_compiles_alone(path, tmp_path):
    """So each includes what it uses, and the order of includes is nobody's concern."""
    source = tmp_path / "alone.c"
    source.write_text(f'#include "runtime/{path.name}"\n'
                      + ("" if path.suffix == ".c" else "typedef int not_empty;\n"))
    done = support.compile_strictly(source, "c99", tmp_path / "alone.o",
                                    f"-I{RUNTIME.parent}", "-Wno-unused-function", check_only=True)
    assert done.returncode == 0, done.stdout


def test_the_one_file_is_what_the_files_say():
    installed = Path(cython_customslots.get_include(), headers.RUNTIME_HEADER).read_text()
    text = headers.runtime_text(RUNTIME)
    assert text == installed
    assert not re.search(r'#\s*include\s*"runtime/', text)
    for path in FILES:
        if path.suffix == ".c" and path.name not in headers._NOT_CARRIED:
            assert path.read_text().rpartition("#include")[2].partition("\n")[2].strip() in text, path


#: The headers of an interpreter are those for its builds without a GIL, too.
BUILDS = ["", "#define Py_GIL_DISABLED 1\n"][:1 + (sys.version_info >= (3, 13) and not support.FREE_THREADED)]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("dialect", support.DIALECTS)
def test_a_module_that_carries_all_of_it_compiles_without_a_warning(dialect, build, tmp_path):
    """Unused functions are warned of, so there are none."""
    source = tmp_path / "carrier.c"
    source.write_text(build + CARRIER)
    done = support.compile_strictly(source, dialect, tmp_path / "carrier.o", check_only=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("who, defines", support.thoroughly([
    ("carried", ""), ("installed", "#define PyExtensibleType_RUNTIME_INSTALLED\n"),
    ("of the package", '#define PyExtensibleType_RUNTIME_MODULE "pkg.mod"\n'),
    ("in another file", "#define PyExtensibleType_RUNTIME_ELSEWHERE\n")]))
def test_nothing_of_it_is_visible_outside(who, defines, tmp_path):
    """Two versions in one binary must not see each other."""
    source = tmp_path / "carrier.c"
    source.write_text(defines + CARRIER)
    done = support.compile_strictly(source, "c99", tmp_path / "carrier.o")
    assert done.returncode == 0, done.stdout
    symbols = subprocess.run(["nm", "--defined-only", tmp_path / "carrier.o"], check=True,
                             capture_output=True, text=True).stdout
    # (gcc itself adds hidden helpers for position-independent code of 32 bits.)
    outside = [line.split()[2] for line in symbols.splitlines() if line.split()[1].isupper()
               and not line.split()[2].startswith("__x86.get_pc_thunk.")]
    assert outside == ["use"], outside
    assert ("_Pycs_alloc" in symbols) == (who == "carried")


NAMED = '#define PyExtensibleType_RUNTIME_LINKED\n#define PyExtensibleType_MODULE_NAME "pkg.mod"\n'


@pytest.mark.parametrize("dialect", support.DIALECTS)
def test_what_is_linked_compiles_without_a_warning_in_both_files(dialect, tmp_path):
    sources = [tmp_path / "linked.c", tmp_path / "runtime.c"]
    sources[0].write_text(NAMED + CARRIER)
    sources[1].write_text(Path(cython_customslots.get_runtime_source()).read_text())
    support.compile_all_strictly(sources, dialect, tmp_path, check_only=True)


def test_a_linked_file_without_a_name_is_an_error_that_says_so(tmp_path):
    source = tmp_path / "linked.c"
    source.write_text("#define PyExtensibleType_RUNTIME_LINKED\n" + CARRIER)
    done = support.compile_strictly(source, "c99", tmp_path / "linked.o", check_only=True)
    assert done.returncode != 0
    assert "found no PyExtensibleType_MODULE_NAME, expected the name of this module" in done.stdout


def test_the_headers_are_installed_whole():
    installed = {path.name for path in Path(cython_customslots.get_include()).glob("*.h")}
    assert installed == set(headers.PUBLIC_HEADERS)
