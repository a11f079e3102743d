# SPDX-License-Identifier: MIT
"""Fixtures of this folder: metaclasses with fields of every kind, which test_described_fields.py lists, and a class."""
import pytest


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
