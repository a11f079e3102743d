# SPDX-License-Identifier: MIT
"""examples/mytypedmod: a typed module in C and one that calls what it is given."""
import shutil
import subprocess
import sys

import pytest
from examples_support import EXAMPLES, run_python

pytestmark = pytest.mark.thorough

EXPECTED = """\
inc(41) in Python is 42

inc    10000000 times from 0: 10000000, called as C
dec           4 times from 2:       -2, called as C
twice        10 times from 1:     1024, called as Python
abs           3 times from -5:        5, called as Python
TypeError: 'str' object cannot be interpreted as an integer
TypeError: 'float' object cannot be interpreted as an integer
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Where pip has installed a copy of the example."""
    directory = tmp_path_factory.mktemp("mytypedmod")
    project = directory / "project"
    shutil.copytree(EXAMPLES / "mytypedmod", project, ignore=shutil.ignore_patterns(
        "__pycache__", "build", "*.so", "*.pyd", "*.egg-info"))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps",
         "--no-input", "--disable-pip-version-check", "--target", str(directory / "site"),
         str(project)],
        cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    assert done.returncode == 0, done.stdout
    return directory / "site"


def test_example_prints_what_it_promises(site, tmp_path):
    shutil.copy(EXAMPLES / "mytypedmod" / "example.py", tmp_path)
    done = run_python("example.py", cwd=tmp_path, PYTHONPATH=str(site))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", EXPECTED)


def test_built_modules_need_nothing_of_ours(site, tmp_path):
    code = ("import sys, mytypedmod, counting\n"
            "assert counting.count(mytypedmod.inc, 0, 5) == (5, 'C')\n"
            "print([name for name in sys.modules if 'customslots' in name or 'extensible' in name])")
    done = run_python("-c", code, cwd=tmp_path, PYTHONPATH=str(site))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "[]\n")


def test_error_is_raised_and_its_value_is_none_otherwise(site, tmp_path):
    code = ("import sys, counting, mytypedmod\n"
            "lowest = -2 ** (8 * __import__('struct').calcsize('l') - 1)\n"
            "assert counting.count(mytypedmod.dec, lowest + 1, 1) == (lowest, 'C')\n"
            "try: counting.count(mytypedmod.dec, lowest + 1, 2)\n"
            "except OverflowError as error: print(error)\n")
    done = run_python("-c", code, cwd=tmp_path, PYTHONPATH=str(site))
    assert (done.returncode, done.stderr, done.stdout) == (
        0, "", "dec: there is nothing below this number\n")
