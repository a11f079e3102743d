# SPDX-License-Identifier: MIT
"""examples/mytypedmod: a typed module in C and one that calls what it is given."""
import shutil

import pytest
from build_tools import install
from examples_support import EXAMPLES, printed

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
    install(project, directory / "site")
    return directory / "site"


def test_example_prints_what_it_promises(site, tmp_path):
    shutil.copy(EXAMPLES / "mytypedmod" / "example.py", tmp_path)
    assert printed("example.py", cwd=tmp_path, PYTHONPATH=str(site)) == EXPECTED


def test_built_modules_need_nothing_of_ours(site, tmp_path):
    code = ("import sys, mytypedmod, counting\n"
            "assert counting.count(mytypedmod.inc, 0, 5) == (5, 'C')\n"
            "print([name for name in sys.modules if 'customslots' in name or 'extensible' in name])")
    assert printed("-c", code, cwd=tmp_path, PYTHONPATH=str(site)) == "[]\n"
