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
def site(examples_copy):
    """name -> where that example is, built when it is first asked for."""
    ready = set()

    def built(name):
        directory = examples_copy / name
        if name not in ready:
            done = run_python("setup.py", "-q", "build_ext", "--inplace", cwd=directory)
            assert done.returncode == 0, done.stdout + done.stderr
            ready.add(name)
        return directory
    return built
