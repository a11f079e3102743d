# SPDX-License-Identifier: MIT
"""examples/scipy_callbacks: SciPy's C code with typedmethod.h, built from its sdist as the README says."""
import json
import os
import shutil
import subprocess
import sys

import filelock
import pytest
import support
from examples_support import EXAMPLES, cflags, printed, run_python

pytestmark = [pytest.mark.thorough, pytest.mark.interop]

EXPECTED = """\
a cpdef function     0.3333
a partial of one     1.0000
a cached one         0.3333
a ufunc              0.3333
ctypes               0.3333
a LowLevelCallable   0.3333
a Python function    0.3333
with an argument     0.2500
ValueError: more than 0.9
IndexError: list index out of range
ValueError: found user_data, for which the function has no argument; expected one whose last or first \
argument is a 'void *'
[ 1.  3.  6.  9. 12. 14.]
"""


def need_scipy():
    """SciPy 1.17, whose sdist the example takes, or a skip; the nox session `interop` has it."""
    try:
        import scipy
        found = scipy.__version__
    except ImportError:
        found = "none"
    if not found.startswith("1.17."):
        reason = f"found SciPy {found}, expected 1.17; the extra test-interop has it"
        if os.environ.get("CUSTOMSLOTS_INTEROP"):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the example in which its modules are built."""
    need_scipy()
    project = tmp_path_factory.mktemp("scipy_callbacks") / "project"
    shutil.copytree(EXAMPLES / "scipy_callbacks", project, ignore=shutil.ignore_patterns(
        "__pycache__", "build", "*.so", "*.pyd", "*.egg-info", "functions.c"))
    sdists = support.CACHE / "sdists"
    sdists.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(sdists / "lock"):
        done = subprocess.run(
            [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"], cwd=project,
            env=dict(os.environ, CFLAGS=cflags(os.environ), SCIPY_SDIST_CACHE=str(sdists)),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout
    return project


def test_scipys_functions_take_all_kinds_of_callables(project):
    assert printed("example.py", cwd=project) == EXPECTED


def test_the_benchmark_writes_the_rows_that_it_prints(project):
    said = printed("bench.py", "3", "--json", "rows.json", cwd=project)
    groups = json.loads((project / "rows.json").read_text(encoding="utf-8"))
    rows = [row for group in groups.values() for row in group]
    for row, line in zip(rows, said.splitlines()[-len(rows):], strict=True):
        assert line.startswith(row["name"] + " ")
        assert f"{row['baseline_ns']:9.0f} {row['ns']:9.0f}" in line


@pytest.mark.parametrize("module, least, chosen", [
    ("_lib.tests.test_ccallback", 4, ""),
    ("integrate.tests.test_quadpack", 50, ""),
    ("ndimage.tests.test_c_api", 3, ""),
    ("ndimage.tests.test_filters", 20, "generic"),
    ("ndimage.tests.test_interpolation", 20, "geometric"),
])
def test_scipys_own_tests_pass(project, tmp_path, module, least, chosen):
    done = run_python("-m", "pytest", "-q", "-c", os.devnull, "--rootdir", tmp_path,
                      "-p", "scipy_callbacks", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", chosen,
                      "--pyargs", f"scipy.{module}", cwd=tmp_path, PYTHONPATH=str(project), PYTEST_ADDOPTS="")
    assert done.returncode == 0, done.stdout + done.stderr
    passed = int(done.stdout.rpartition(" passed")[0].split()[-1])
    assert passed >= least, done.stdout


def test_modules_of_the_example_are_those_that_scipy_uses(project):
    code = ("import scipy_callbacks; scipy_callbacks.replace()\n"
            "from scipy.integrate import _quadpack_py\n"
            "from scipy.ndimage import _filters, _interpolation\n"
            "import scipy_callbacks._quadpack as q, scipy_callbacks._nd_image as n\n"
            "print(_quadpack_py._quadpack is q, _filters._nd_image is _interpolation._nd_image is n)")
    assert printed("-c", code, cwd=project) == "True True\n"
