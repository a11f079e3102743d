# SPDX-License-Identifier: MIT
"""Replacing something of Cython's for a while."""

import contextlib


@contextlib.contextmanager
def replaced(owner, **values):
    """Within it, attributes of *owner* have these values."""
    before = {name: getattr(owner, name) for name in values}
    try:
        for name, value in values.items():
            setattr(owner, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(owner, name, value)
