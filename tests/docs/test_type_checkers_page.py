# SPDX-License-Identifier: MIT
"""The page about type checkers: its stub is the one that is written, and both checkers say what it says."""
import json
import re
import sys
from pathlib import Path

import pages
import pytest
import support
from pages import block
from type_checkers import needs, run

pytestmark = pytest.mark.once

PAGE = "type-checkers.md"


@pytest.fixture(scope="module")
def built():
    examples = pages.Examples(PAGE)
    module, = examples.build(examples.write(support.cache_directory("pages", PAGE)))
    return Path(module)


def test_signatures_are_those_that_the_page_says(built):
    support.check_child("""
        import inspect, sys
        from plugins import Plugin, PluginType
        assert {"priority", "tags"} < set(inspect.signature(PluginType).parameters)
        try:
            said = str(inspect.signature(Plugin.__init_subclass__))
        except ValueError:
            said = "ValueError"
        assert said == ("()" if sys.version_info >= (3, 13) else "ValueError"), said
    """, modules=[built])


CLASSES = """\
# cython: embedsignature=True
cdef class Cinit:
    def __cinit__(self, int n): pass
cdef class Init:
    def __init__(self, int n): pass
cdef class Both:
    def __cinit__(self, *args): pass
    def __init__(self, int n): pass
class Python:
    def __init__(self, int n): pass
"""


def test_what_a_cdef_class_takes_is_not_in_its_stub_and_of_a_python_class_it_is(tmp_path):
    source = support.write_source(support.cache_directory("pages", "classes") / "classes.pyx", CLASSES)
    module = Path(support.build_cython(source, directory=source.parent / "built", layer=False))
    code, said = run("cython_customslots", "stub", "classes", "-o", "-", cwd=tmp_path, PYTHONPATH=str(module.parent))
    assert code == 0 and said.count("def __init__(self, *args: Any, **kwargs: Any) -> None: ...") == 3, said
    assert "def __init__(self, n: int) -> None: ..." in said, said


@pytest.mark.thorough
def test_the_stub_on_the_page_is_the_one_that_is_written(built, tmp_path):
    assert run("cython_customslots", "stub", "plugins", "-o", "-", cwd=tmp_path, PYTHONPATH=str(built.parent)) == (
        0, block(PAGE, "stub: plugins"))


@pytest.mark.nightly
@pytest.mark.parametrize("checker", [pytest.param(c, marks=needs(c)) for c in ("mypy", "pyright")])
def test_type_checkers_refuse_what_the_page_says_they_refuse(built, tmp_path, checker):
    (tmp_path / "plugins.pyi").write_text(block(PAGE, "stub: plugins"))
    (tmp_path / "combined.py").write_text(block(PAGE, "program: combined"))
    (tmp_path / "program.py").write_text(block(PAGE, "program: plugins"))
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({
        "typeCheckingMode": "strict", "reportMissingModuleSource": "none"}))
    options = {"mypy": ["--strict", "--cache-dir", tmp_path / "cache"],
               "pyright": ["--pythonpath", sys.executable]}[checker]
    code, said = run(checker, *options, "combined.py", cwd=tmp_path, PYTHONPATH=str(built.parent))
    assert code == 0, said
    _, said = run(checker, *options, "program.py", cwd=tmp_path, PYTHONPATH=str(built.parent))
    lines = block(PAGE, "program: plugins").splitlines()
    expected = {i for i, line in enumerate(lines, 1) if "# refused" in line}
    assert len(expected) == 5
    assert {int(n) for n in re.findall(r"program\.py:(\d+)(?::\d+)?(?: -|:) error", said)} == expected, said


@pytest.mark.thorough
def test_the_combined_example_runs(built, tmp_path):
    (tmp_path / "combined.py").write_text(block(PAGE, "program: combined"))
    assert run("combined", cwd=tmp_path, PYTHONPATH=str(built.parent)) == (0, "")
