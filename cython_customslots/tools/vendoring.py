# SPDX-License-Identifier: MIT
"""``python -m cython_customslots vendor DIR``: headers as single files, to be kept in another project.

Each file works alone, knows its version, and says in its first lines its version and its ABI
numbers.  A file with anything in it that this command did not write is not overwritten.
"""
from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from .. import __file__ as _package_file
from .. import __version__
from . import headers

#: What is asked for -> the files that it takes, each of which works without the others.
KINDS = {
    "readers": ("customslots.h",),
    "providers": ("extensibletype.h",),
    "typed": ("typedmethod.h", "typedmethod.hpp"),
    "arrays": ("typedarray.h", "typedarray.hpp", "typedarray_provide.h"),
    "linked": ("customslots_runtime.c",),
}
FILES = tuple(name for files in KINDS.values() for name in files)

_USAGE = """\
usage: python -m cython_customslots vendor DIR [--what KIND ...] [--check] [--force]

Writes headers into DIR, each in one file that includes no other of them, to be kept in another
project.

  --what KIND ...  readers    customslots.h: look slots up, register slots, intern names
                   providers  extensibletype.h: extensible types, with the implementation
                   typed      typedmethod.h and typedmethod.hpp: typed calls
                   arrays     typedarray.h, typedarray.hpp and typedarray_provide.h: arrays as C sees them
                   linked     customslots_runtime.c, for C generated with --runtime=linked
                   all        all of them
                   default: those that DIR has, or all if it has none
  --check          write nothing; exit code 1 if a file is missing or not what would be written
  --force          overwrite files that were edited, or that are newer than this package
"""

_NUMBERS = (("table ABI", r"#define PyCustomSlots_ABI_VERSION (\d+)"),
            ("rendezvous", r"#define _Pycs_RENDEZVOUS_VERSION (\d+)"),
            ("state", r"#define _Pycs_STATE_VERSION (\d+)"),
            ("typed-record ABI", r"#define PyTypedMethod_ABI_VERSION (\d+)"))

_MARK = re.compile(r"^ \* \[cython-customslots vendor: (\S+) (\d+)\.(\d+)\.(\d+) sha256 ([0-9a-f]{64})\]$",
                   re.MULTILINE)
_NO_DIGEST = "0" * 64

_HEAD = """\
/* SPDX-License-Identifier: {spdx}
 *
 * {name} of cython-customslots {version}, in one file: {numbers}.
 * Not to be edited: python -m cython_customslots vendor writes it, and sees whether it is as written.
 * [cython-customslots vendor: {name} {version} sha256 {digest}]
 *
{licence}
 */
#if defined(Py_CUSTOMSLOTS_H) \\
    && (!defined(PyCustomSlots_VERSION_HEX) || PyCustomSlots_VERSION_HEX != {hex})
#  error "{name} is of cython-customslots {version}, and a header of another version was included \\
before it: take all of them from one, with python -m cython_customslots vendor"
#endif

/* What `strings` finds in a binary. */
#if !defined(_Pycs_VENDORED_{macro}) && (defined(__GNUC__) || defined(__clang__))
#  define _Pycs_VENDORED_{macro} 1
#  undef _Pycs_VENDORED
#  define _Pycs_VENDORED 1
static const char _Pycs_vendored_{macro}[] __attribute__((used)) =
    "{name} of cython-customslots {version}: {numbers}";
#endif

"""


class Refused(Exception):
    """A file that is not to be overwritten, and why."""


def text(name: str) -> str:
    """The text of vendored header *name*, one of FILES.

    FileNotFoundError or OSError where the package is not installed whole.
    """
    body = headers.whole_text(name)
    numbers = [f"{what} {found[1]}" for what, pattern in _NUMBERS if (found := re.search(pattern, body))]
    version_hex = re.search(r"#define PyCustomSlots_VERSION_HEX (\w+)", body)
    assert version_hex is not None and numbers
    licence = (Path(_package_file).parent / "LICENSE").read_text(encoding="ascii")
    head = _HEAD.format(
        spdx=" AND ".join(dict.fromkeys(["MIT", *re.findall("SPDX-License-Identifier: (Apache-2.0)", body)])),
        name=name, version=__version__, numbers=", ".join(numbers), digest=_NO_DIGEST,
        macro=re.sub(r"\W", "_", name), hex=version_hex[1],
        licence="\n".join(f" * {line}".rstrip() for line in licence.strip().splitlines()))
    whole = head + body
    return whole.replace(_NO_DIGEST, _digest(whole), 1)


def _digest(whole: str) -> str:
    """The digest of a text in whose mark no digest stands yet."""
    return hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()


def written_by_us(found: str, name: str) -> tuple[int, int, int] | None:
    """The version of a text that `vendor` has written as *name*, not edited since; else None."""
    mark = _MARK.search(found)
    if mark is None or mark[1] != name:
        return None
    start, end = mark.span(5)
    if _digest(found[:start] + _NO_DIGEST + found[end:]) != mark[5]:
        return None
    return int(mark[2]), int(mark[3]), int(mark[4])


def _read(path: Path) -> str | None:
    """The text of a file, None if there is none; Refused for anything but an ordinary file."""
    if path.is_symlink() or path.exists() and not path.is_file():
        raise Refused(f"found {path}, which is no ordinary file, expected one or none; remove it, or "
                      "name another directory")
    try:
        # Line ends do not matter: version control changes them.
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return None


def _is_ours(found: str | None, name: str) -> bool:
    mark = _MARK.search(found) if found is not None else None
    return mark is not None and mark[1] == name


def _check_overwriting(path: Path, found: str, force: bool) -> None:
    """Refused, with what to do, if this command did not write the file."""
    if not _is_ours(found, path.name):
        raise Refused(f"found {path}, which this command did not write; move it, or name another "
                      "directory")
    if force:
        return
    version = written_by_us(found, path.name)
    if version is None:
        raise Refused(f"found {path} edited, expected it as this command wrote it; take your changes "
                      "out of it, or give them up with --force")
    if version > tuple(map(int, __version__.split("."))):
        raise Refused(f"found {path} of cython-customslots {'.'.join(map(str, version))}, which is newer "
                      f"than {__version__}, which is installed; install that one, or go back with --force")


def wanted(directory: Path, what: Iterable[str]) -> list[str]:
    """The names of the files that are meant by *what*; without it, those that the directory has."""
    if not (kinds := list(what)):
        there = [name for name in FILES if _is_ours(_read(directory / name), name)]
        return there or list(FILES)
    return list(FILES) if "all" in kinds else [name for kind in KINDS if kind in kinds for name in KINDS[kind]]


def write(directory: Path, names: Sequence[str], force: bool = False) -> list[str]:
    """Write the files, and return a line for each; Refused or OSError, and none is changed."""
    lines, new = [], {}
    for name in names:
        path, fresh = directory / name, text(name)
        found = _read(path)
        if found is not None and found != fresh:
            _check_overwriting(path, found, force)
        if found != fresh:
            new[path] = fresh
        lines.append(f"{'is current' if found == fresh else 'wrote' if found is None else 'updated'}: {path}")
    directory.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        # All files are written beside their places first: a full disk leaves no half of them.
        temporary = {path: _written(stack, directory, fresh) for path, fresh in new.items()}
        for path, made in temporary.items():
            os.replace(made, path)
    return lines


def _written(stack: contextlib.ExitStack, directory: Path, fresh: str) -> str:
    handle, name = tempfile.mkstemp(prefix=".vendor-", dir=directory)
    stack.callback(lambda: Path(name).unlink(missing_ok=True))
    with open(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(fresh)
    umask = os.umask(0)
    os.umask(umask)
    os.chmod(name, 0o666 & ~umask)                # mkstemp() makes files that others cannot read
    return name


def check(directory: Path, names: Sequence[str]) -> tuple[list[str], bool]:
    """A line for each file, and whether all of them are what would be written now."""
    lines, current = [], True
    for name in names:
        path = directory / name
        found = _read(path)
        if found == text(name):
            lines.append(f"is current: {path}")
            continue
        current = False
        version = written_by_us(found, name) if found is not None else None
        lines.append(
            f"is missing: {path}" if found is None else
            f"is not ours: {path}" if not _is_ours(found, name) else
            f"was edited: {path}" if version is None else
            f"is of cython-customslots {'.'.join(map(str, version))}, and {__version__} is installed: {path}")
    return lines, current


def main(arguments: Sequence[str]) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(prog="vendor", usage=_USAGE.removeprefix("usage: "), add_help=False,
                                     allow_abbrev=False)
    parser.add_argument("directory", nargs="?")
    parser.add_argument("--what", nargs="+", action="extend", default=[], choices=[*KINDS, "all"])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--force", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args(arguments)
    if options.help:
        print(_USAGE, end="")
        return 0
    # An empty argument is a shell variable that was never set, not the current directory.
    if not options.directory or options.check and options.force:
        problem = ("DIR is missing" if not options.directory
                   else "--check writes nothing, and --force is about writing: expected one of them")
        print(f"{_USAGE}\nvendor: error: {problem}", file=sys.stderr)
        return 2
    directory = Path(options.directory)
    try:
        if directory.exists() and not directory.is_dir():
            raise Refused(f"found {directory}, which is no directory, expected one, or nothing: then it is made")
        names = wanted(directory, options.what)
        if options.check:
            lines, fine = check(directory, names)
        else:
            lines, fine = write(directory, names, options.force), True
    except (OSError, Refused) as failure:
        print(f"vendor: {failure}", file=sys.stderr)
        return 1
    print(*lines, sep="\n")
    return 0 if fine else 1
