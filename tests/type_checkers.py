# SPDX-License-Identifier: MIT
"""Which tests need which type checker, or Sphinx.  Where CI has installed all tools (CUSTOMSLOTS_ALL_TOOLS), one that
is missing is a failure and not a test that is skipped."""
import importlib.util
import os

import pytest


def needs(package):
    """A mark: the test runs mypy, pyright or sphinx."""
    missing = importlib.util.find_spec(package) is None and not os.environ.get("CUSTOMSLOTS_ALL_TOOLS")
    return pytest.mark.skipif(missing, reason=f"{package} is not installed (the extra 'thorough' has it)")
