# SPDX-License-Identifier: MIT
"""Keeps what is released: writes tests/ages/VERSION/extensibletype.h, one text with all headers and
the implementation, and typedmethod.h, which the tests of this directory build from then on as one
age more.

    python tests/ages/freeze.py

To be run once for each release, from its tree; nothing needs to be installed.  What is there
already is a release and stays as it is: another text is refused.
"""
import importlib.util
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent / "cython_customslots"


def of_this_tree(name="extensibletype.h"):
    """(version, text) of the tree that this file is in, whatever is installed."""
    spec = importlib.util.spec_from_file_location("headers_of_this_tree", PACKAGE / "tools" / "headers.py")
    headers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(headers)
    version, = re.findall(r'^__version__ = "([^"]+)"$',
                          (PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE)
    return version, headers.header_text(name)


def freeze(directory, version, text, name="extensibletype.h"):
    """The file, written now or before; RuntimeError if another text was released as *version*."""
    path = Path(directory) / version / name
    if path.exists() and path.read_text(encoding="ascii") != text:
        raise RuntimeError(
            f"found {path} with another text, expected none or the same: what was released does "
            "not change; give this tree a number of its own, or delete that file if nobody ever got it")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="ascii")
    return path


if __name__ == "__main__":
    try:
        for name in "extensibletype.h", "typedmethod.h":
            print(freeze(HERE, *of_this_tree(name), name))
    except RuntimeError as refused:
        sys.exit(f"freeze.py: {refused}")
