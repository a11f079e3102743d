# SPDX-License-Identifier: MIT
"""`python -m cython_customslots new`: projects to begin with, which build and meet."""
import pytest
import support
from build_tools import need, python

pytestmark = pytest.mark.once

MEETING = """\
import importlib, sys, ones
class Disc(ones.Circle): pass
for name in sys.argv[1:]:
    assert importlib.import_module(name).total([ones.Circle(1.0), Disc(2.0), "no area"]) == 15.0
print("met")
"""


@pytest.mark.parametrize("build, tools", support.thoroughly([
    ("setuptools", ["setuptools"]),
    ("meson-python", ["meson-python", "meson", "ninja"]),
    ("scikit-build-core", ["scikit-build-core", "cmake", "ninja"]),
], plain=0, thorough=3))
def test_new_projects_build_and_meet(build, tools, tmp_path):
    need(*tools)
    names = ["ones", "others", *["stable"] * support.ABI3]
    for name, arguments in zip(names, (["provider"], ["consumer"], ["consumer", "--abi3"])):
        said = python("-m", "cython_customslots", "new", *arguments, name, "--build", build, "--slot", "my.area",
                      cwd=tmp_path)
        assert said.splitlines()[-1] == f"pip install ./{name}"
    python("-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-input", "--target", tmp_path / "site",
           *(f"./{name}" for name in names), cwd=tmp_path)
    assert python("-c", MEETING, *names[1:], cwd=tmp_path / "site") == "met\n"
    if support.ABI3:
        assert "\nTag: cp311-abi3-" in (tmp_path / "site/stable-1.0.dist-info/WHEEL").read_text()


@pytest.mark.parametrize("arguments, why", [
    (["provider", "class"], "found the name 'class', expected one that Python can import"),
    (["provider", "two words"], "expected one that Python can import"),
    (["provider", "../up"], "expected one that Python can import"),
    (["provider", "größe"], "expected one that Python can import"),
    (["consumer", "json"], "which is that of another module"),
    (["provider", "Cython"], "which is that of another module"),
    (["provider", "install", "--build", "scikit-build-core"], "which CMake keeps for itself"),
    (["provider", "x" * 300], "File name too long"),
    (["consumer", "there"], "found there here already, which is left as it is"),
    (["provider", "ones", "--abi3"], "found --abi3 for a provider, expected it for a consumer"),
    (["consumer", "mine", "--slot", "area"], "expected a name with a dot in it"),
    (["consumer", "mine", "--slot", 'a."b'], "expected a name with a dot in it"),
    (["consumer", "mine", "--build", "make"], "invalid choice: 'make'"),
    (["consumer"], "the following arguments are required: name"),
])
def test_new_refuses_what_would_not_build(arguments, why, tmp_path):
    (tmp_path / "there").write_text("kept")
    assert why in python("-m", "cython_customslots", "new", *arguments, cwd=tmp_path, expect=2)
    assert [path.name for path in tmp_path.iterdir()] == ["there"] and (tmp_path / "there").read_text() == "kept"


def test_what_cibuildwheel_runs_is_a_command_of_every_system(tmp_path):
    """To cmd.exe of Windows ' is no quote."""
    python("-m", "cython_customslots", "new", "provider", "ones", cwd=tmp_path)
    assert "test-command = 'python -c \"import ones\"'\n" in (tmp_path / "ones" / "pyproject.toml").read_text()


def test_what_pages_say_to_add_to_meson_build_is_not_ignored(tmp_path):
    """cython.process(..., extra_args: ...), which Meson drops without a word where the generator does not take them."""
    for kind in "provider", "consumer":
        python("-m", "cython_customslots", "new", kind, kind, "--build", "meson-python", cwd=tmp_path)
        assert "'@EXTRA_ARGS@'" in (tmp_path / kind / "meson.build").read_text()
