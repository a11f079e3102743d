# SPDX-License-Identifier: MIT
"""Fixtures of this folder; what is behind them is in array_support.py."""
import array_support
import pytest
import support


@pytest.fixture(scope="session", params=[
    "full API", pytest.param("abi3", marks=support.has_abi3),
    pytest.param("abi3t", marks=support.has_abi3t)])
def arrays(_cache_exists, request):
    """The module array_probe, whose consumer is for the full API or the stable ABI."""
    return array_support.array_probe(request.param.replace("full API", ""))


@pytest.fixture
def nothing_left(arrays):
    """Every managed tensor and buffer that the test took was given back."""
    before = arrays.alive()
    yield
    assert arrays.alive() == before


@pytest.fixture(scope="module")
def modules(np, request):
    """The test file's SOURCE by plain Cython, and with --borrow-views."""
    source = request.module.SOURCE
    return [support.load(support.build_cython(
        source, borrows, name=f"{source.stem}_{'ours' if borrows else 'plain'}", cflags=("-Wno-unknown-pragmas",),
        cython_args=["--borrow-views"] if borrows else [], include_dirs=[np.get_include()]))
        for borrows in (False, True)]


@pytest.fixture(scope="module")
def ours(modules):
    return modules[1]
