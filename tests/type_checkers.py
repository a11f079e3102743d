# SPDX-License-Identifier: MIT
"""Type checkers, and which tests need one, or Sphinx.  Where CI has installed all tools (CUSTOMSLOTS_ALL_TOOLS), one
that is missing is a failure and not a test that is skipped."""
import importlib.util
import os
import subprocess
import sys

import pytest


def needs(package):
    """A mark: the test runs mypy, pyright or sphinx."""
    missing = importlib.util.find_spec(package) is None and not os.environ.get("CUSTOMSLOTS_ALL_TOOLS")
    return pytest.mark.skipif(missing, reason=f"{package} is not installed (the extra 'thorough' has it)")


def run(*arguments, cwd, **environment):
    """(exit code, output) of `python -m ARGUMENTS...`."""
    done = subprocess.run([sys.executable, "-m", *map(str, arguments)], cwd=cwd,
                          env=dict(os.environ, PYRIGHT_PYTHON_IGNORE_WARNINGS="1", **environment), encoding="utf-8",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return done.returncode, done.stdout
