# SPDX-License-Identifier: MIT
"""Fixtures of this folder; what is behind them is in typed_support.py."""
import pytest
import typed_support


#: Fixtures that are of libraries which the extra `test` does not bring.
OF_LIBRARIES = {"cffi", "low", "numba", "scipy", "wrapped"}


def pytest_collection_modifyitems(items):
    for item in items:
        if OF_LIBRARIES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("nightly")     # and CI's session interop has them


@pytest.fixture(scope="session")
def typed(_cache_exists):
    """The module typed_probe."""
    return typed_support.typed_probe()
