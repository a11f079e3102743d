# SPDX-License-Identifier: MIT
"""What is built once for all tests of this folder."""
import shutil

import pytest
from examples_support import EXAMPLES, run_python


@pytest.fixture(scope="session")
def examples_copy(tmp_path_factory):
    """A copy of examples/, to be built in."""
    copy = tmp_path_factory.mktemp("projects") / "examples"
    shutil.copytree(EXAMPLES, copy, ignore=shutil.ignore_patterns(
        ".build", "__pycache__", "build", "*.so", "*.pyd", "*.egg-info"))
    return copy


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The demo's first run: (the directory it built in, its CompletedProcess)."""
    directory = tmp_path_factory.mktemp("demo")
    root = directory / "build"
    return root, run_python("-m", "cython_customslots", "demo", "--directory", root,
                            cwd=directory)
