# SPDX-License-Identifier: MIT
"""`python -m cython_customslots stub MODULE`: what type checkers read of a compiled module.

A class keyword or a value in a class body that is meant for a C field is seen by no type checker:
there is no Python source, and the field is in the metaclass.  The stub has fields as attributes of
their class, and as keywords of its __init_subclass__, which mypy and pyright check.
"""
from __future__ import annotations

import argparse
import difflib
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from ..inspecting.targets import TargetError, import_named
from .module_text import stub_of

#: The first line of a stub begins so: a file without it was written by hand.
MARK = "# Made by: python -m cython_customslots stub "


class Refused(Exception):
    """What was found, what was expected, what to do."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m cython_customslots stub", description="Write the stub (.pyi) of a compiled "
        "module: classes with their C fields as attributes and class keywords, methods, functions. "
        "Imports the module.  A stub that was not written by this command is never overwritten.")
    parser.add_argument("module", metavar="MODULE", nargs="+", help="full name, 'package.module'")
    parser.add_argument("-o", "--output", metavar="DIR", help="the folder that has the packages, such as "
                        "'src'; '-' prints (default: beside the module's own file)")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the stubs are "
                        "up to date, with the differences; exit status 1 if one is not")
    options = parser.parse_args(arguments)
    sys.path.insert(0, "")
    status = 0
    for name in options.module:
        try:
            status = max(status, _stub(name, options.output, options.check))
        except Refused as refused:
            print(f"cython_customslots stub: {refused}", file=sys.stderr)
            status = 2
    return status


def _stub(name: str, output: str | None, check: bool) -> int:
    module = _module(name)
    text = f"{MARK}{name}\n{stub_of(module)}"
    if output == "-":
        print(text, end="")
        return 0
    path = _path(module, output)
    there = _own_text(path)
    if check:
        return _compare(path, there, text)
    if there == text:
        print(f"{path}: is up to date")
        return 0
    _write(path, text)
    print(f"{path}: {'written' if there is None else 'written again'}")
    return 0


def _module(name: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise Refused(f"found {name!r}, expected the full name of a compiled module, such as 'package.module'")
    try:
        module = import_named(name)
    except TargetError as error:
        raise Refused(f"{error}; expected the full name of a compiled module; run the command where Python finds it, "
                      f"or install it first") from None
    if getattr(module, "__name__", None) != name:
        raise Refused(f"found a module that calls itself {getattr(module, '__name__', None)!r}, expected {name!r}")
    file = getattr(module, "__file__", None)
    if file is None or file.endswith((".py", ".pyc")):
        what = "no file" if file is None else f"{file}, Python source"
        raise Refused(f"{name}: found {what}, expected a compiled module; type checkers read the source of "
                      f"modules in Python, and a stub would hide it")
    return module


def _path(module: ModuleType, output: str | None) -> Path:
    *packages, last = module.__name__.split(".")
    if hasattr(module, "__path__"):
        packages, last = [*packages, last], "__init__"
    if output is None:
        return Path(str(module.__file__)).parent / f"{last}.pyi"
    directory = Path(output)
    if not directory.is_dir():
        raise Refused(f"-o {output}: found {'a file' if directory.exists() else 'nothing there'}, expected the "
                      f"folder that has the packages; make it first")
    return directory.joinpath(*packages, f"{last}.pyi")


def _own_text(path: Path) -> str | None:
    """The stub that exists, or None; a stub that this command did not write is refused."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path}: found something that cannot be read ({error}), expected no file, or a stub "
                      f"that this command wrote; move it away") from None
    if not text.startswith(MARK):
        raise Refused(f"{path}: found a file that this command did not write (its first line does not begin "
                      f"with {MARK.strip()!r}); move it away, or write elsewhere with -o DIR, or print with -o -")
    return text


def _compare(path: Path, there: str | None, text: str) -> int:
    if there == text:
        print(f"{path}: is up to date")
        return 0
    if there is None:
        print(f"{path}: is missing; write it with the same command without --check", file=sys.stderr)
    else:
        print("".join(difflib.unified_diff(there.splitlines(True), text.splitlines(True), str(path),
                                           "what the module has now")), end="")
        print(f"{path}: is out of date; write it again with the same command without --check", file=sys.stderr)
    return 1


def _write(path: Path, text: str) -> None:
    """All of it or nothing: type checkers may be reading."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(suffix=".pyi", dir=path.parent)
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise Refused(f"{path}: cannot be written ({error}); write elsewhere with -o DIR") from None
