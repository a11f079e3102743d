# SPDX-License-Identifier: MIT
"""The small builder behind the demo and the tests."""
import pytest
import support
from examples_support import run_python

from cython_customslots.tools.building import BuildError, Module, build, build_all

pytestmark = pytest.mark.once

C_SOURCE = """\
#include <Python.h>
#include "answer.h"
static struct PyModuleDef def = { PyModuleDef_HEAD_INIT, .m_name = "tiny" };
PyMODINIT_FUNC PyInit_tiny(void)
{
    PyObject *module = PyModule_Create(&def);
    if (module && PyModule_AddIntConstant(module, "answer", ANSWER) < 0) return NULL;
    return module;
}
"""


@pytest.fixture
def tiny(tmp_path):
    """A module that depends on a header: its sources' directory and the Module."""
    (tmp_path / "tiny.c").write_text(C_SOURCE)
    (tmp_path / "answer.h").write_text("#define ANSWER 42\n")
    return tmp_path, Module("tiny", [tmp_path / "tiny.c"], cflags=["-O0"])


def answer(directory):
    done = run_python("-W", "ignore", "-c", "import tiny; print(tiny.answer)", cwd=directory)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_it_is_built_again_when_something_has_changed_or_is_lost_and_only_then(tiny, tmp_path):
    sources, module = tiny
    out = tmp_path / "out"
    assert build(module, out).built
    (sources / "answer.h").write_text("#define ANSWER 42\n")  # newer, but the same
    second = build(module, out)
    assert not second.built
    assert second.path.parent == out and answer(out) == "42"
    (sources / "answer.h").write_text("#define ANSWER 43\n")
    assert build(module, out).built and answer(out) == "43"
    other = Module("tiny", module.sources, cflags=["-O0", "-DUNUSED"])
    assert build(other, out).built
    second.path.unlink()
    assert build(other, out).built and not build(other, out).built


def test_error_of_the_compiler_is_shown_with_its_command(tiny, tmp_path):
    sources, module = tiny
    (sources / "answer.h").write_text("#define ANSWER nowhere\n")
    with pytest.raises(BuildError) as caught:
        build(module, tmp_path / "out")
    text = str(caught.value)
    assert "The C compiler on tiny.c failed with exit code 1:" in text
    assert "nowhere" in text and "The command was: " in text
    assert not list((tmp_path / "out").rglob("work-*"))


def test_failed_build_leaves_the_last_good_one_but_is_not_up_to_date(tiny, tmp_path):
    sources, module = tiny
    out = tmp_path / "out"
    build(module, out)
    (sources / "answer.h").write_text("#define ANSWER nowhere\n")
    for _ in range(2):
        with pytest.raises(BuildError):
            build(module, out)
    assert answer(out) == "42"


@pytest.mark.parametrize("layer", support.thoroughly([True, False]))
def test_error_of_cython_points_at_line_and_column(tmp_path, layer):
    (tmp_path / "wrong.pyx").write_text("x = 1\ndef f(:\n")
    with pytest.raises(BuildError, match=r"Cython on wrong\.pyx failed(.|\n)*wrong\.pyx:2:6"):
        build(Module("wrong", [tmp_path / "wrong.pyx"], layer=layer), tmp_path)


def test_missing_source_is_named(tmp_path):
    with pytest.raises(BuildError, match=r"Cannot read .*absent\.pyx: No such file(.|\n)*gone"):
        build(Module("gone", [tmp_path / "absent.pyx"]), tmp_path)


def test_unknown_kind_of_source_is_refused(tmp_path):
    (tmp_path / "a.f90").write_text("")
    with pytest.raises(BuildError, match=r"Cannot build a\.f90: .*\.pyx"):
        build(Module("a", [tmp_path / "a.f90"]), tmp_path)


def test_build_all_raises_the_failure_of_one_and_keeps_the_order_of_all(tiny, tmp_path):
    sources, module = tiny
    seen = []
    results = build_all([(module, tmp_path / "a"), (module, tmp_path / "b")],
                        report=lambda index, result: seen.append(index))
    assert [result.path.parent.name for result in results] == ["a", "b"]
    assert sorted(seen) == [0, 1]
    with pytest.raises(BuildError, match="absent"):
        build_all([(module, tmp_path / "a"), (Module("absent", [tmp_path / "absent.c"]), tmp_path / "c")])
