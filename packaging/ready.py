#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""May this tree be released?  The step before an upload, which cannot be taken back.

    python packaging/ready.py DIST

DIST has the files that are to be uploaded, an sdist and wheels.  Exit code 0 if nothing is missing;
otherwise 1, and a line for each thing that is.  Needs Python 3.11 or later and git.
"""
import importlib.util
import io
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: What a page on PyPI links to.
URLS = ("Documentation", "Source", "Issues", "Changelog")


def load(path):
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8").stdout.strip()


def other_than_committed(sdist):
    """The files that are not the same in an sdist and in the last commit."""
    committed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(committed)) as archive:
        ours = {file.name: archive.extractfile(file).read() for file in archive if file.isfile()}
    with tarfile.open(sdist) as archive:
        theirs = {file.name.partition("/")[2]: archive.extractfile(file).read() for file in archive if file.isfile()}
    return sorted(name for name in {*ours, *theirs} - {"PKG-INFO"} if ours.get(name) != theirs.get(name))


def missing(dist):
    """What stands in the way, a sentence each."""
    versions = load("packaging/version.py")
    version = versions.one(*versions.PLACE)
    for path, pattern, expected in versions.copies(version):
        if (found := versions.one(path, pattern)) != expected:
            yield f"found {found} in {path.name}, expected {expected}: packaging/version.py {version}"

    freeze = load("packaging/freeze.py")
    title = freeze.title()
    if not re.fullmatch(rf"{re.escape(version)} \(\d{{4}}-\d\d-\d\d\)", title):
        yield f"found '{title}' on top of CHANGELOG.md, expected '{version} (YYYY-MM-DD)'"

    with open(ROOT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    urls, authors = project.get("urls", {}), project.get("authors", [])
    if not any("@" in author.get("email", "") for author in authors):
        yield (f"found {authors} as authors in pyproject.toml, expected one with an email address, to which "
               "SECURITY.md sends whoever has found a weakness")
    for name in URLS:
        if not re.match(r"https://[^/]+\.[^/]+/", urls.get(name, "")):
            yield (f"found {urls.get(name)!r} as '{name}' in [project.urls] of pyproject.toml, expected where that "
                   "is: an address that begins with https:// and is there for everybody")

    path = freeze.RELEASED / f"{version}.zip"
    if not path.exists() or freeze.kept(path) != freeze.of_this_tree()[1]:
        yield f"found {path.relative_to(ROOT)} other than the headers are, or not at all: python packaging/freeze.py"

    if changed := git("status", "--porcelain"):
        yield f"found changes that are not committed, expected none:\n{changed}"
    if f"v{version}" not in git("tag", "--points-at", "HEAD").split():
        yield f"found no tag v{version} at the last commit: git tag v{version}"

    names = sorted(path.name for path in dist.iterdir()) if dist.is_dir() else []
    if f"cython_customslots-{version}.tar.gz" not in names:
        yield f"found no sdist of {version} in {dist}: python packaging/dist.py {dist}"
    elif other := other_than_committed(dist / f"cython_customslots-{version}.tar.gz"):
        yield f"found an sdist with other {', '.join(other[:5])} than the last commit has: build all files again"
    if not any(name.endswith(".whl") for name in names):
        yield f"found no wheel in {dist}: make wheels with cibuildwheel"
    for name in names:
        if not re.fullmatch(rf"cython_customslots-{re.escape(version)}(\.tar\.gz|-[\w.-]+\.whl)", name):
            yield f"found {name} in {dist}, which is no file of {version}"
        if "-linux_" in name:
            yield f"found {name}, which PyPI takes from nobody: make wheels with cibuildwheel"


def main(arguments):
    if len(arguments) != 1:
        print(f"ready.py: found {arguments}, expected the directory of what is to be uploaded", file=sys.stderr)
        return 2
    problems = list(missing(Path(arguments[0])))
    for problem in problems:
        print(f"ready.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
