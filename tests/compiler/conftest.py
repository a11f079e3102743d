# SPDX-License-Identifier: MIT
"""The modules that these tests look at, each built once in a session."""
import pytest
import support
from layer_modules import build


@pytest.fixture(scope="session")
def base():
    """Extensible classes, metaclasses and slots of all kinds, in one module."""
    return support.load(build("layer_base.pyx"))


@pytest.fixture(scope="session")
def sub(base):
    """Classes derived from those in `base`, in another module."""
    return support.load(build("layer_sub.pyx"))


@pytest.fixture(scope="session")
def reader():
    """A consumer."""
    return support.load(build("layer_reader.pyx"))


@pytest.fixture(scope="session")
def pure():
    """Written in pure-Python mode."""
    return support.load(build("layer_pure.py"))


@pytest.fixture(scope="session")
def automatic():
    """Compiled with --extend-all."""
    support.load(build("layer_automatic_foreign.pyx", layer=False))
    return support.load(build("layer_automatic.pyx", "--extend-all"))
