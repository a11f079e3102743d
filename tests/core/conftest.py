# SPDX-License-Identifier: MIT
"""Fixtures of this folder: modules, and a class with fields of every kind."""
import pytest
import support


@pytest.fixture(scope="module")
def fromspec(_cache_exists):
    return support.load(support.build_c("fromspec", support.TESTS / "core" / "fromspec_module.c"))


@pytest.fixture(scope="module")
def limited(_cache_exists):
    """A reader under the limited API; None where there is none."""
    return None if support.FREE_THREADED else support.limited_consumer()


@pytest.fixture
def base(rich):
    return rich("Base", (), {"level": 1, "label": "one", "motto": b"uno", "box": 11})
