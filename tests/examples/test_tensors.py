# SPDX-License-Identifier: MIT
"""examples/tensors: arrays of Cython and functions of tvm-ffi, which compiles C++ while it runs."""
import shutil

import pytest
import support
from build_tools import need, python
from examples_support import EXAMPLES

pytestmark = [pytest.mark.thorough, pytest.mark.interop]

PRINTED = """\
signal    [0. 1. 2. 3. 4. 5.]
every 2nd [0. 1. 1. 3. 2. 5.]
reversed  [5. 2. 3. 1. 1. 0.]
energy    40.0 40.0 5.0 5.0
kept      [0. 3.]
TypeError found a 'numpy.ndarray' of int64, expected an array of float64 with 1 dimension; convert it, with \
numpy.asarray(x, dtype) for example
"""


def test_arrays_and_tensors_go_both_ways(tmp_path):
    support.need("tvm_ffi")
    support.need("numpy")
    need("setuptools", "ninja")
    project = tmp_path / "tensors"
    shutil.copytree(EXAMPLES / "tensors", project, ignore=shutil.ignore_patterns("*.c", "*.so", "*.pyd", "build"))
    python("setup.py", "--quiet", "build_ext", "--inplace", cwd=project)
    assert python("example.py", cwd=project, TVM_FFI_CACHE_DIR=str(tmp_path)) == PRINTED
