# SPDX-License-Identifier: MIT
"""The examples print what they promise, however they are built."""
import os
import re
import shutil

import pytest
from build_tools import install
from examples_support import EXAMPLES, printed
from expected_output import DUCK_TYPING, GREETINGS

import cython_customslots
from cython_customslots.tools.building import Module, build


# ---------------------------------------------------------------- as projects of their own --

@pytest.mark.nightly
def test_greetings_is_a_project_that_pip_installs(examples_copy, tmp_path):
    install(examples_copy / "greetings", tmp_path / "site")
    installed = tmp_path / "site" / "greetings_examples"
    for pattern, text in GREETINGS.items():
        assert printed(installed / pattern / "example.py", cwd=tmp_path) == text


@pytest.mark.nightly
def test_duck_typing_is_a_project_that_pip_installs(examples_copy, tmp_path):
    install(examples_copy / "duck_typing", tmp_path / "site")
    shutil.copy(EXAMPLES / "duck_typing" / "example.py", tmp_path)
    assert printed("example.py", cwd=tmp_path, PYTHONPATH=str(tmp_path / "site")) == DUCK_TYPING


# -------------------------------------------------------------------- who depends on whom --

@pytest.fixture
def built(site):
    return site("duck_typing")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["polynomial", "summing"])
def test_what_the_layer_generates_does_not_need_the_package(built, name):
    """Built modules work where cython_customslots is not installed."""
    code = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] == 'cython_customslots':\n"
        "            raise ImportError('the test hides ' + name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
        f"import {name}\n"
        "print([m for m in sys.modules if m.startswith('cython_customslots')])\n")
    assert printed("-c", code, cwd=built) == "[]\n"
    # As a directive: the headers' own comments show how to include them.
    assert not re.search(r'^\s*#\s*include\s+["<].*(customslots|extensibletype)',
                         (built / f"{name}.c").read_text(encoding="utf-8"), re.M)


@pytest.mark.thorough
def test_consumer_imports_no_provider_and_no_metaclass(built):
    code = "import sys\nbefore = set(sys.modules)\nimport summing\nprint(sorted(set(sys.modules) - before))\n"
    new = eval(printed("-c", code, cwd=built))
    assert "summing" in new
    assert not {"polynomial", "sine_wave", "_extensibletype"} & set(new)


@pytest.mark.thorough
def test_consumer_works_compiled_by_plain_cython(built, tmp_path):
    """What plain Cython built works on providers that the layer and C built."""
    source = EXAMPLES / "duck_typing"
    build(Module("summing", [source / "summing.pyx"], layer=False, cflags=["-O1"]), tmp_path)
    code = ("import sys\n"
            "import summing\n"
            f"sys.path.append({str(built)!r})\n"
            "from polynomial import Polynomial\nfrom sine_wave import SineWave\n"
            "print(summing.__file__)\n"
            "print(summing.sum_at([Polynomial(1, 1), SineWave(0.0), abs, None], 3.0))\n")
    where, result = printed("-c", code, cwd=tmp_path).splitlines()
    assert where.startswith(str(tmp_path))
    assert result == "(7.0, {'slot': 2, 'python': 1, 'skipped': 1})"


def test_installed_package_carries_the_example_that_new_projects_are_made_of():
    """Otherwise they are made of something else than what is tested: install again."""
    installed = os.path.join(os.path.dirname(cython_customslots.__file__), "examples")
    for path in (EXAMPLES / "first_protocol").rglob("*"):
        relative = path.relative_to(EXAMPLES)
        if path.suffix in {".pyx", ".py", ".c", ".h", ".md", ".toml"} and "build" not in relative.parts:
            with open(os.path.join(installed, relative), "rb") as file:
                assert file.read() == path.read_bytes(), relative
