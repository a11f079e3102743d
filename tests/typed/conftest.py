# SPDX-License-Identifier: MIT
"""Fixtures of this folder; what is behind `typed` is in typed_support.py."""
import os
import sys

import pytest
import support
import typed_support
from support import need


#: Fixtures that are of libraries which the extra `test` does not bring.
OF_LIBRARIES = {"cffi", "low", "numba", "scipy", "wrapped"}


def pytest_collection_modifyitems(items):
    for item in items:
        if OF_LIBRARIES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("nightly")     # and CI's session interop has them


@pytest.fixture(scope="session", params=[
    "full", pytest.param("abi3", marks=support.has_abi3), pytest.param("abi3t", marks=support.has_abi3t)])
def typed(_cache_exists, request):
    """The module typed_probe, whose consumers are for the full API or for a stable ABI."""
    typed_support.abi = request.param
    return typed_support.typed_probe()


@pytest.fixture(scope="session")
def c(_cache_exists):
    """The module interop: functions with records of all kinds, and a consumer."""
    return support.load(support.build_c(
        "interop", typed_support.HERE / "interop.c", ldflags=() if os.name == "nt" else ("-lm",),
        cflags=("-std=c99", *support.STRICT_FLAGS, "-Wno-unused-function")))


@pytest.fixture(scope="session")
def numba():
    return need("numba")


@pytest.fixture(scope="session")
def cffi():
    return need("cffi")


@pytest.fixture(scope="session")
def scipy():
    scipy = need("scipy")
    need("scipy.integrate")
    need("scipy.ndimage")
    return scipy


@pytest.fixture
def unraisable(monkeypatch):
    """What the unraisable hook was told: exceptions and objects."""
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: seen.append((args.exc_value, args.object)))
    return seen


@pytest.fixture
def lost(monkeypatch):
    """The same as texts."""
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: seen.append(repr(args.exc_value)))
    return seen
