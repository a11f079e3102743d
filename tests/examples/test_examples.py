# SPDX-License-Identifier: MIT
"""The examples print what they promise, however they are built."""
import os
import shutil

import pytest
from build_tools import install
from examples_support import EXAMPLES, printed
from expected_output import DUCK_TYPING, GREETINGS

import cython_customslots


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


def test_installed_package_carries_the_example_that_new_projects_are_made_of():
    """Otherwise they are made of something else than what is tested: install again."""
    installed = os.path.join(os.path.dirname(cython_customslots.__file__), "examples")
    for path in (EXAMPLES / "first_protocol").rglob("*"):
        relative = path.relative_to(EXAMPLES)
        if path.suffix in {".pyx", ".py", ".c", ".h", ".md", ".toml"} and "build" not in relative.parts:
            with open(os.path.join(installed, relative), "rb") as file:
                assert file.read() == path.read_bytes(), relative
