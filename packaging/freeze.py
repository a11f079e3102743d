# SPDX-License-Identifier: MIT
"""Keeps what is released: writes packaging/released/VERSION.zip, with extensibletype.h, one text with all
headers and the implementation, and typedmethod.h, which tests/ages builds from then on as one age more.

    python packaging/freeze.py

To be run when a release is made, from its tree, and not before: headers may change until then, so it is
refused while the newest entry of CHANGELOG.md is "(unreleased)".  Nothing needs to be installed.  What is
there already is a release and stays as it is: another text is refused.  (It is packed because nobody is to
read, find or change anything there: these are copies.)
"""
import importlib.util
import re
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASED = ROOT / "packaging" / "released"
PACKAGE = ROOT / "cython_customslots"


def of_this_tree():
    """(version, {name of a header: text}) of the tree that this file is in, whatever is installed."""
    spec = importlib.util.spec_from_file_location("headers_of_this_tree", PACKAGE / "tools" / "headers.py")
    headers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(headers)
    version, = re.findall(r'^__version__ = "([^"]+)"$',
                          (PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE)
    return version, {name: headers.header_text(name) for name in ("extensibletype.h", "typedmethod.h")}


def title():
    """Of the newest entry of the changelog."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1].partition("\n")[0]


def kept(path):
    """The texts of a release."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode("ascii") for name in archive.namelist()}


def freeze(directory, title):
    """The file, written now or before; RuntimeError if nothing is released yet, or other texts were."""
    if "unreleased" in title:
        raise RuntimeError(f"found '{title}' on top of CHANGELOG.md, expected a version and its date: texts are kept "
                           "when a release is made, and not before")
    version, texts = of_this_tree()
    path = Path(directory) / f"{version}.zip"
    if path.exists() and kept(path) != texts:
        raise RuntimeError(
            f"found {path} with other texts, expected none or the same: what was released does "
            "not change; give this tree a number of its own, or delete that file if nobody ever got it")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in texts.items():
                archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED, 9)
    return path


if __name__ == "__main__":
    try:
        print(freeze(RELEASED, title()))
    except RuntimeError as refused:
        sys.exit(f"freeze.py: {refused}")
