# SPDX-License-Identifier: MIT
"""What the tests of cython_customslots.typed share: the C module interop, and libraries that
may not be installed.
"""
import functools
import importlib
import os
import warnings
from pathlib import Path

import pytest
import support


@functools.lru_cache(maxsize=None)
def interop():
    path = support.build_c("interop", Path(__file__).with_name("interop.c"),
                           cflags=("-std=c99", *support.STRICT_FLAGS, "-Wno-unused-function"),
                           ldflags=() if os.name == "nt" else ("-lm",))
    return support.load(path)


def need(name):
    """The library, or a skip: they have wheels for some interpreters only, and the nox
    session `interop` runs where they have."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError:
        if os.environ.get("CUSTOMSLOTS_INTEROP"):
            raise
        pytest.skip(f"{name} is not installed; the extra test-interop has it")
