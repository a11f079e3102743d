# SPDX-License-Identifier: MIT
"""Keeps what is released: writes packaging/released/VERSION/extensibletype.h, one text with all headers
and the implementation, and typedmethod.h, which tests/ages builds from then on as one age more.

    python packaging/freeze.py

To be run when a release is made, from its tree, and not before: headers may change until then, so it is
refused while the newest entry of CHANGELOG.md is "(unreleased)".  Nothing needs to be installed.  What is
there already is a release and stays as it is: another text is refused.
"""
import importlib.util
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASED = ROOT / "packaging" / "released"
PACKAGE = ROOT / "cython_customslots"


def of_this_tree(name="extensibletype.h"):
    """(version, text) of the tree that this file is in, whatever is installed."""
    spec = importlib.util.spec_from_file_location("headers_of_this_tree", PACKAGE / "tools" / "headers.py")
    headers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(headers)
    version, = re.findall(r'^__version__ = "([^"]+)"$',
                          (PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE)
    return version, headers.header_text(name)


def title():
    """Of the newest entry of the changelog."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1].partition("\n")[0]


def freeze(directory, title):
    """The files, written now or before; RuntimeError if nothing is released yet, or another text was."""
    if "unreleased" in title:
        raise RuntimeError(f"found '{title}' on top of CHANGELOG.md, expected a version and its date: texts are kept "
                           "when a release is made, and not before")
    paths = []
    for name in "extensibletype.h", "typedmethod.h":
        version, text = of_this_tree(name)
        path = Path(directory) / version / name
        if path.exists() and path.read_text(encoding="ascii") != text:
            raise RuntimeError(
                f"found {path} with another text, expected none or the same: what was released does "
                "not change; give this tree a number of its own, or delete that file if nobody ever got it")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")
        paths.append(path)
    return paths


if __name__ == "__main__":
    try:
        print(*freeze(RELEASED, title()), sep="\n")
    except RuntimeError as refused:
        sys.exit(f"freeze.py: {refused}")
