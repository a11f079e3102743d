# SPDX-License-Identifier: MIT
"""customslots::array, the C++ class."""
import array
import ctypes
import shutil
import struct
import subprocess

import cython_customslots
import pytest
import support
from array_support import HERE

EXAMPLE = HERE / "example_array.cpp"


@pytest.fixture(scope="module", params=support.thoroughly(["c++11", "c++20", "c++17"]))
def cpp(request):
    # array_module.cpp is one of two files, and each includes all.
    return support.load(support.build_c(
        "array_module", HERE / "array_module.cpp", EXAMPLE,
        cflags=(f"-std={request.param}", *support.STRICT_FLAGS, "-fno-exceptions")))


@pytest.mark.skipif(not shutil.which("clang++"), reason="clang++ is not on this machine")
def test_clang_compiles_it_without_a_warning(tmp_path):
    done = subprocess.run(
        ["clang++", "-std=c++11", "-fsyntax-only", *support.STRICT_FLAGS, f"-I{cython_customslots.get_include()}",
         *(f"-isystem{path}" for path in support.toolchain().include_dirs), str(HERE / "array_module.cpp")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("what, words", [
    ("array<char *>", "found a type that no array has items of"), ("array<double, 9>", "expected 1 to 8"),
    ("array<double, 0>", "expected 1 to 8")])
def test_what_no_array_has_does_not_compile(what, words, tmp_path):
    source = tmp_path / "wrong.cpp"
    source.write_text('#include "typedarray.hpp"\nbool probe(PyObject *o);\n'
                      f"bool probe(PyObject *o) {{ customslots::{what} a(o); return (bool)a; }}\n")
    done = support.compile_strictly(source, "c++11", tmp_path / "wrong.o")
    assert done.returncode != 0 and words in done.stdout


def test_range_for_goes_through_rows_and_items(cpp):
    x = memoryview(struct.pack("6d", 1, 2, 3, 4, 5, 6)).cast("d", (2, 3))
    assert cpp.largest_row(x) == 15
    with pytest.raises(TypeError, match="with 1 dimension, expected an array of float64 with 2 dimensions$"):
        cpp.largest_row(array.array("d", [1]))


def test_three_ways_to_an_item_are_one(cpp):
    x = (ctypes.c_int32 * 4 * 3 * 2)()
    for i in range(24):
        x[i // 12][i // 4 % 3][i % 4] = i * i
    total = sum(i * i for i in range(24))
    assert cpp.sum3(x) == (total, total, total, 24)
    assert cpp.sum3(memoryview(x).cast("B").cast("i", (2, 3, 4))) == (total, total, total, 24)
    assert cpp.sum3((ctypes.c_int32 * 4 * 0 * 2)()) == (0, 0, 0, 0)


def test_items_that_are_not_const_are_written_to(cpp):
    x = array.array("d", [1, 2, 3, 4])
    cpp.doubled(x)
    cpp.doubled(memoryview(x)[::-2])
    assert list(x) == [2, 8, 6, 16]
    with pytest.raises(TypeError, match="that is read-only, expected an array of float64 with 1 dimension, writable"):
        cpp.doubled(bytes(8) and memoryview(bytes(8)).cast("d"))
    assert cpp.of_nothing()


def test_each_type_of_c_plus_plus_has_its_items(cpp):
    for which, format in enumerate("?bHlQf"):
        x = memoryview(bytes(range(2 * struct.calcsize(format)))).cast(format)
        assert cpp.bytes_of(x, which) == x.tobytes()
        with pytest.raises(TypeError, match="C-contiguous"):
            cpp.bytes_of(x[::-1], which)
        with pytest.raises(TypeError, match="expected an array of complex128 with 1 dimension, C-contiguous"):
            cpp.bytes_of(x, 8)
