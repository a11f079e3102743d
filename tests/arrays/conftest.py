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
