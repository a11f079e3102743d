# SPDX-License-Identifier: MIT
"""`python -m cython_customslots new`: projects to begin with, which build and meet."""
import re

import pytest
import support
from build_tools import need, python

pytestmark = pytest.mark.once

SLOT = "--slot", "ones.size"

MEETING = """\
import importlib, sys, ones
class Disc(ones.Ones): pass
for name in sys.argv[1:]:
    assert importlib.import_module(name).total([ones.Ones(1.0), Disc(2.0), "no area"]) == 3.0
print("met")
"""


@pytest.mark.parametrize("language, build, tools", support.thoroughly([
    ("cython", "setuptools", ["setuptools"]),
    ("cython", "meson-python", ["meson-python", "meson", "ninja"]),
    ("cython", "scikit-build-core", ["scikit-build-core", "cmake", "ninja"]),
    ("c", "setuptools", ["setuptools"]),
    ("pybind11", "setuptools", ["setuptools", "pybind11"]),
    ("nanobind", "scikit-build-core", ["scikit-build-core", "cmake", "ninja", "nanobind"]),
], plain=0, thorough=4))
def test_new_projects_build_and_meet(language, build, tools, tmp_path):
    need(*tools)
    names = ["ones", "others", *["stable"] * (support.ABI3 and language in ("cython", "c"))]
    for name, arguments in zip(names, (["provider"], ["consumer", *SLOT], ["consumer", "--abi3", *SLOT])):
        said = python("-m", "cython_customslots", "new", *arguments, name, "--language", language, "--build", build,
                      cwd=tmp_path)
        assert said.splitlines()[-1] == f"pip install --no-build-isolation ./{name}"
    python("-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-input", "--target", tmp_path / "site",
           *(f"./{name}" for name in names), cwd=tmp_path)
    assert python("-c", MEETING, *names[1:], cwd=tmp_path / "site") == "met\n"
    if "stable" in names:
        assert "\nTag: cp311-abi3-" in (tmp_path / "site/stable-1.0.dist-info/WHEEL").read_text()


@pytest.mark.parametrize("arguments, why", [
    (["provider", "class"], "found the name 'class', expected one that Python can import"),
    (["provider", "two words"], "expected one that Python can import"),
    (["provider", "../up"], "expected one that Python can import"),
    (["provider", "größe"], "expected one that Python can import"),
    (["provider", "_ones"], "expected one that Python can import"),
    (["consumer", "json", *SLOT], "which is that of another module"),
    (["provider", "Cython"], "which is that of another module"),
    (["provider", "install", "--build", "scikit-build-core"], "which CMake keeps for itself"),
    (["provider", "x" * 300], "File name too long"),
    (["consumer", "there", *SLOT], "found there here already, which is left as it is"),
    (["provider", "ones", "--abi3"], "found --abi3 for a provider, expected it for a consumer"),
    (["consumer", "mine", *SLOT, "--abi3", "--language", "pybind11"],
     "found --abi3 with --language pybind11, expected cython or c"),
    (["provider", "ones", "--language", "c", "--build", "meson-python"],
     "found --build meson-python with --language c, expected setuptools"),
    (["provider", "nanobind", "--language", "nanobind"], "which is that of another module"),
    (["consumer", "mine"], "found no --slot for a consumer, expected the name that providers have given their slot"),
    (["consumer", "mine", "--slot", "area"], "expected a name with a dot in it"),
    (["consumer", "mine", "--slot", 'a."b'], "expected a name with a dot in it"),
    (["consumer", "mine", "--slot", "a.1"], "expected a name with a dot in it"),
    (["consumer", "mine", "--build", "make"], "invalid choice: 'make'"),
    (["consumer"], "the following arguments are required: name"),
])
def test_new_refuses_what_would_not_build(arguments, why, tmp_path):
    (tmp_path / "there").write_text("kept")
    assert why in python("-m", "cython_customslots", "new", *arguments, cwd=tmp_path, expect=2)
    assert [path.name for path in tmp_path.iterdir()] == ["there"] and (tmp_path / "there").read_text() == "kept"


@pytest.mark.parametrize("language", ["cython", "c", "pybind11", "nanobind"])
def test_new_projects_say_what_the_user_has_named(language, tmp_path):
    """And nothing of the tutorial, from which they are: a class of geometry, a licence of this package."""
    for kind in "provider", "consumer":
        python("-m", "cython_customslots", "new", kind, f"my_{kind}", "--slot", "my.double", "--language", language,
               cwd=tmp_path)
    text = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    left = "circle|square|blob|area|radius|side|shapes|totals|biblical|developers|" + (
        "pybind11|PYBIND" if language == "nanobind" else "nanobind")
    assert re.findall(left, text, re.IGNORECASE) == []
    assert {"MyProvider", "double_of_my_provider", "my.double"} <= set(re.findall(r"\b[\w.]+\b", text))
    assert text.count("Copyright (c) [YEAR] [COPYRIGHT HOLDER]\n\nPermission is") == 2
    assert text.count('license = "MIT"\n') == 2


def test_what_cibuildwheel_runs_is_a_command_of_every_system(tmp_path):
    """To cmd.exe of Windows ' is no quote."""
    python("-m", "cython_customslots", "new", "provider", "ones", cwd=tmp_path)
    assert "test-command = 'python -c \"import ones\"'\n" in (tmp_path / "ones" / "pyproject.toml").read_text()


def test_what_pages_say_to_add_to_meson_build_is_not_ignored(tmp_path):
    """cython.process(..., extra_args: ...), which Meson drops without a word where the generator does not take them."""
    for kind in "provider", "consumer":
        python("-m", "cython_customslots", "new", kind, kind, "--build", "meson-python", *SLOT, cwd=tmp_path)
        assert "'@EXTRA_ARGS@'" in (tmp_path / kind / "meson.build").read_text()
