# SPDX-License-Identifier: MIT
"""`cdef public class` and `cdef api class`: C code takes what has a name in C for a PyTypeObject, and it is one.

That a decorator is refused is in errors/classes.pyx.
"""
import shutil
from pathlib import Path

import pytest
import support
import warm_cython

HERE = Path(__file__).parent


def compile_it(folder, module, *arguments):
    """What was said, and the headers for other C code."""
    shutil.copy(HERE / "exported.pyx", folder)
    done = warm_cython.run_module(module, "-3", *arguments, "exported.pyx", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stderr, [(folder / name).read_text(encoding="utf-8") for name in ("exported.h", "exported_api.h")]


def test_extend_all_leaves_them_and_their_relatives_plain_and_says_why(tmp_path):
    said, headers = compile_it(tmp_path, "cython_customslots.compiler.commands.cli", "-v", "--extend-all")
    name = "has the name '{}' in C, and C code takes that for a PyTypeObject"
    related = f"class 'Shown', which is related to it, {name.format('ShownType')}"
    assert [line.partition("customslots: class ")[2] for line in said.splitlines() if "customslots:" in line] == [
        f"'{cls}' stays as Cython makes it: {why}" for cls, why in (
            ("Base", related), ("Shown", f"it {name.format('ShownType')}"), ("Beside", related),
            ("Api", f"it {name.format('ApiType')}"))]
    assert headers == compile_it(tmp_path, "cython")[1]


@pytest.mark.thorough
def test_their_symbols_are_the_classes():
    path = support.build_cython(HERE / "exported.pyx", cython_args=("--extend-all",))
    assert support.check_child("""
        import exported as m
        print(m.symbol() is m.Shown, isinstance(m.Shown(), m.Base))
        print(*(type(cls).__name__ for cls in (m.Base, m.Shown, m.Beside, m.Api, m.Other, m.Sub)))
        """, modules=[path]).splitlines() == ["True True", "type type type type extensibletype_v4 extensibletype_v4"]
