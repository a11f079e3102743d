# SPDX-License-Identifier: MIT
"""Fixtures of this folder: metaclasses with fields of every kind, which test_described_fields.py lists, and a class."""
import pytest
import support


@pytest.fixture(scope="module")
def fromspec(_cache_exists):
    return support.load(support.build_c("fromspec", support.TESTS / "core" / "fromspec_module.c"))


@pytest.fixture(scope="module")
def limited(_cache_exists):
    """A reader under the limited API; None where there is none."""
    return None if support.FREE_THREADED else support.limited_consumer()


@pytest.fixture(scope="module")
def metas(probe):
    """RichMeta and RicherMeta."""
    return probe.rich_metaclasses()


@pytest.fixture(scope="module")
def rich(metas):
    return metas[0]


@pytest.fixture
def base(rich):
    return rich("Base", (), {"level": 1, "label": "one", "motto": b"uno", "box": 11})
