#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Build what is released, from the last commit, and check it.

    python packaging/dist.py DIST

Puts an sdist, and a wheel for this Python that is made from it, into the new directory DIST.  Both are
built twice, in different places and at different times, and must come out the same to the byte.  On Linux
the wheel gets the tag of the systems that it fits, by auditwheel.
Exit code 1 says that something is wrong; what it is stands last.

Needs git, a C compiler and the packages of the extra `release`.  `nox -s release` brings them, and
runs tests from the sdist; releasing.md in docs/ has the other steps.
"""
import hashlib
import os
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Wrong(Exception):
    """What was found, and what was expected."""


def run(*command, cwd=None, env=None):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=dict(os.environ, **(env or {})),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    if done.returncode:
        raise Wrong(f"{done.stdout}\n{shlex.join(map(str, command))} ended with {done.returncode}")
    return done.stdout


def built(directory, place):
    """{name: path} of what `build` makes of a clone in directory/place."""
    clone, out = directory / place / "clone", directory / place / "dist"
    run("git", "clone", "-q", "--no-hardlinks", ROOT, clone)
    # The date of the commit: what is in the archives has no other.
    date = run("git", "log", "-1", "--format=%ct", cwd=clone).strip()
    run(sys.executable, "-m", "build", "--no-isolation", "-o", out, clone, env={"SOURCE_DATE_EPOCH": date})
    for wheel in out.glob("*-linux_*.whl"):                 # which PyPI takes from nobody
        run(sys.executable, "-m", "auditwheel", "repair", "-w", out, wheel, env={"SOURCE_DATE_EPOCH": date})
        wheel.unlink()
    return {path.name: path for path in sorted(out.iterdir())}


def digests(files):
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}


def check_same(first, second):
    if digests(first) != digests(second):
        raise Wrong(f"found other files when they were built again: {digests(first)} and then "
                    f"{digests(second)}; expected the same bytes")


def check_contents(sdist, wheel):
    tracked = set(run("git", "ls-tree", "-r", "--name-only", "HEAD", cwd=ROOT).splitlines())
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()
                if not archive.getmember(name).isdir()}
    if held != tracked | {"PKG-INFO"}:
        raise Wrong(f"found an sdist without {sorted(tracked - held)}, and with {sorted(held - tracked)} besides; "
                    "expected what the last commit has, and PKG-INFO")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    # Of one that is for several versions of Python, abi3audit would have to look at what it uses.
    if abi3 := [name for name in names if ".abi3." in name]:
        raise Wrong(f"found {abi3} in {wheel.name}, expected modules for one version of Python; "
                    "let abi3audit look at the wheel")


def check_classifiers():
    from trove_classifiers import classifiers
    with open(ROOT / "pyproject.toml", "rb") as file:
        ours = tomllib.load(file)["project"]["classifiers"]
    if unknown := [one for one in ours if one not in classifiers]:
        raise Wrong(f"found the classifiers {unknown}, which PyPI does not know")


def check_limited_api(directory):
    """What readers get who compile for several versions of Python: abi3audit looks at one."""
    module = directory / "limited_consumer.abi3.so"
    compiler = shlex.split(os.environ.get("CC") or "cc")
    run(*compiler, "-shared", "-fPIC", "-O2", "-std=c99", f"-I{ROOT / 'cython_customslots' / 'include'}",
        f"-I{sysconfig.get_path('include')}", ROOT / "tests" / "c" / "limited_consumer.c", "-o", module)
    run(sys.executable, "-m", "abi3audit", "--strict", "--assume-minimum-abi3", "3.10", module)


def main(arguments):
    if len(arguments) != 1 or Path(arguments[0]).exists():
        print(f"dist.py: found {arguments}, expected a directory that is not there yet", file=sys.stderr)
        return 2
    dist = Path(arguments[0])
    try:
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            first = built(directory, "a")
            time.sleep(2)                                    # what would be a date, is another one
            second = built(directory, "in another place")
            check_same(first, second)
            sdist, wheel = (path for suffix in (".tar.gz", ".whl") for path in first.values()
                            if path.name.endswith(suffix))
            check_contents(sdist, wheel)
            print(run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel), end="")
            print(run(sys.executable, "-m", "check_wheel_contents", wheel), end="")
            check_classifiers()
            check_limited_api(directory)
            dist.mkdir(parents=True)
            for path in first.values():
                (dist / path.name).write_bytes(path.read_bytes())
            for file, digest in digests(first).items():
                print(f"{digest}  {file}: built twice, the same")
    except Wrong as wrong:
        print(f"dist.py: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
