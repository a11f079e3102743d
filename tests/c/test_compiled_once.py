# SPDX-License-Identifier: MIT
"""A library of several C files compiles once what is not inlined, under a prefix of its own."""
import re
import subprocess
import sys

import pytest
import support

pytestmark = pytest.mark.compilers

HERE = support.TESTS / "c"
ONCE, SOLVER = HERE / "compiled_once.c", HERE / "limited_solver.c"

ABIS = pytest.mark.parametrize("flags", [
    pytest.param((), id="full API"), pytest.param(("-DABI3",), marks=support.has_abi3, id="abi3"),
    pytest.param(("-DABI3T",), marks=support.has_abi3t, id="abi3t")])


def elsewhere(prefix):
    return f"-DPyCustomSlots_ELSEWHERE={prefix}"


@ABIS
@pytest.mark.parametrize("dialect", support.thoroughly(["c99", "c++11", "c11", "c++17"]))
def test_it_does_what_a_copy_in_each_file_does(flags, dialect, tmp_path):
    name = "limited_solver"
    objects = support.compile_all_strictly([SOLVER, ONCE], dialect, tmp_path, *flags, elsewhere("mylib"))
    tools = support.toolchain()
    linker = tools.cxx if dialect.startswith("c++") else tools.cc
    target = tmp_path / (name + tools.suffix)
    subprocess.run([*linker, *map(str, objects), *tools.link_flags, "-o", str(target)], check=True)
    support.check_child("""
        import array, math, limited_solver
        ones = array.array("d", [1.0, 1.0])
        assert limited_solver.apply(math.exp, ones) == 2 * math.e and limited_solver.apply(lambda x: x / 2, ones) == 1
        for callable, obj, words in ((5, ones, "expected a callable for f8(f8)"), (lambda x: "", ones, "must be real"),
                                     (abs, array.array("f"), "found a 'array.array' of float32, expected an array")):
            try: limited_solver.apply(callable, obj)
            except TypeError as error: assert words in str(error), error
            else: raise AssertionError(words)
        """, modules=[target])


@pytest.mark.skipif(sys.platform != "linux", reason="reads what the linker says")
def test_two_libraries_in_one_binary_need_two_prefixes_and_each_one_file_that_has_the_functions(tmp_path):
    def link(*objects):
        tools = support.toolchain()
        done = subprocess.run([*tools.cc, *map(str, objects), *tools.link_flags, "-o", str(tmp_path / "linked.so")],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return "" if done.returncode == 0 else done.stdout

    def compiled(source, prefix):
        output = tmp_path / f"{source.stem}_{prefix}.o"
        done = support.compile_strictly(source, "c99", output, elsewhere(prefix), "-O2")
        assert done.returncode == 0, done.stdout
        return output
    one, other, user = compiled(ONCE, "one"), compiled(ONCE, "other"), compiled(SOLVER, "one")
    assert link(user, one, other) == ""
    assert re.search("(undefined|hidden) .*one_typed", link(user, other))
    again = tmp_path / "again.o"
    again.write_bytes(one.read_bytes())
    assert "multiple definition of `one_typed" in link(user, one, again)
    copy = tmp_path / "copy.o"
    assert support.compile_strictly(SOLVER, "c99", copy, "-O2").returncode == 0
    assert user.stat().st_size * 4 < copy.stat().st_size
