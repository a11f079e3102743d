# SPDX-License-Identifier: MIT
"""Fixtures of this folder; what is behind them is in typed_support.py."""
import pytest
import typed_support


@pytest.fixture(scope="session")
def typed(_cache_exists):
    """The module typed_probe."""
    return typed_support.typed_probe()
