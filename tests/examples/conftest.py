# SPDX-License-Identifier: MIT
"""What is built once for all tests of this folder."""
import os
import pickle
import shutil

import filelock
import pytest
from examples_support import EXAMPLES, run_python


def pytest_collection_modifyitems(items):
    """All examples of the demo take a minute to build."""
    for item in items:
        if "demo" in getattr(item, "fixturenames", ()):
            item.add_marker("nightly")


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


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The first run of demo --all: (the directory it built in, its CompletedProcess).

    There is one for all workers of pytest-xdist: tests change copies only.
    """
    base = tmp_path_factory.getbasetemp()
    directory = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "the-demo"
    directory.mkdir(exist_ok=True)
    root, kept = directory / "build", directory / "done.pickle"
    with filelock.FileLock(directory / "lock"):
        if not kept.exists():
            done = run_python("-m", "cython_customslots", "demo", "--all", "--directory", root,
                              cwd=directory)
            kept.write_bytes(pickle.dumps(done))
        return root, pickle.loads(kept.read_bytes())
