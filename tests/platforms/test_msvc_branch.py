# SPDX-License-Identifier: MIT
"""What is for MSVC runs: clang reads it as MSVC does (see msvc/words.h), for this machine.

Of the session platforms(msvc) this is the smallest part: it runs tests/core and tests/typed with
modules that are compiled so.
"""
import os
import re
import subprocess

import cross
import cython_customslots
import pytest
import support

pytestmark = [pytest.mark.once, pytest.mark.msvc]

PROGRAM = """
    import carrier

    class Ours(metaclass=carrier.extensibletype):
        pass

    carrier.give(list, "platforms.test")
    assert carrier.ask([], "platforms.test") == (0, id(list))
    assert carrier.ask(Ours(), "platforms.test") == (0, 0)
    class Below(list):
        pass
    assert carrier.ask(Below(), "platforms.test") == (0, id(list))
    assert carrier.call(carrier.half, 3.0) == 1.5
    assert carrier.call(lambda x: 2 * x, 3.0) == 6.0
    assert carrier.twice(carrier.half, 3.0) == 3.0
    assert carrier.twice(lambda x: 2 * x, 3.0) == 12.0
    try:
        carrier.twice(lambda x: 1 / 0, 3.0)
    except ZeroDivisionError:
        print("kept")
"""


@pytest.mark.processors
def test_a_module_that_carries_all_of_it_works(tmp_path):
    path = support.build_c("carrier", cross.CARRIER, directory=tmp_path)
    assert support.check_child(PROGRAM, modules=[path], cwd=tmp_path) == "kept"


@pytest.mark.nightly
def test_the_same_works_as_msvc_reads_it(tmp_path, monkeypatch):
    clang, = cross.compiler("clang")
    made = tmp_path / "carrier.o"
    cross.compile_one([clang], cross.CARRIER, cross.running(), made, *cross.AS_MSVC, "-std=c99", "-O1", "-fPIC")
    path = cross.link([clang], [made], tmp_path / f"carrier{support.toolchain().suffix}")
    assert support.check_child(PROGRAM, modules=[path], cwd=tmp_path) == "kept"


@pytest.mark.nightly
def test_no_word_of_another_compiler_is_left_there(tmp_path):
    """Attributes and built-in functions of gcc and clang, which MSVC has not."""
    source = tmp_path / "alone.c"
    source.write_text('#include "extensibletype.h"\n#include "typedmethod.h"\n')
    clang, = cross.compiler("clang")
    shown = subprocess.run(
        [clang, *cross.AS_MSVC, f"-I{cython_customslots.get_include()}", "-isystem", cross.running(), "-E",
         source], check=True, capture_output=True, text=True).stdout
    ours, path = [], ""
    for line in shown.splitlines():
        if marker := re.match(r'# \d+ "(.*?)"', line):
            path = marker[1]
        elif os.path.dirname(path).startswith(cython_customslots.get_include()):
            ours.append(line)
    text = "\n".join(ours)
    assert len(ours) > 5_000 and "__forceinline" in text and "__declspec(noinline)" in text
    # What words.h puts in the place of functions of MSVC's is written with those of clang.
    text = re.sub(r"__atomic_(exchange_n|add_fetch|sub_fetch)\(+(?:\(volatile int \*\)|[^;]*, 5\))", "", text)
    assert not re.findall(r"__attribute__|__builtin_(?!offsetof|va_)\w+|__atomic_\w+|__typeof__", text)
