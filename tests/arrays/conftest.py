# SPDX-License-Identifier: MIT
"""Fixtures of this folder; what is behind them is in array_support.py."""
import array_support
import pytest


@pytest.fixture(scope="session")
def arrays(_cache_exists):
    """The module array_probe."""
    return array_support.array_probe()


@pytest.fixture
def nothing_left(arrays):
    """Every managed tensor and buffer that the test took was given back."""
    before = arrays.alive()
    yield
    assert arrays.alive() == before
