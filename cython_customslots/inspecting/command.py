# SPDX-License-Identifier: MIT
"""python -m cython_customslots inspect"""
from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from .picture import svg
from .records import Inspection, to_json
from .targets import TargetError, inspect_all, inspect_object, resolve

_EPILOG = """\
TARGET is a module, module:Class or module.Class, an expression whose names are modules
("geometry.Circle(2)"), or a file of a module.  All are imported in this order, and then looked at.
Without one, or with --all, all that is imported then is looked at.
"""


class _Progress:
    """On stderr: on a terminal a line that is rewritten, elsewhere one line now and then."""

    def __init__(self) -> None:
        self.terminal = sys.stderr is not None and sys.stderr.isatty()
        self.began = self.last = time.monotonic()
        self.written = False

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if sys.stderr is None or now - self.last < (0.1 if self.terminal else 5.0) or (
                self.terminal and now - self.began < 0.5):
            return
        self.last, self.written = now, True
        line = f"inspect: {done} of {of} types"
        print(f"\r{line}" if self.terminal else line, end="" if self.terminal else "\n",
              file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.written and self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _runtime() -> dict[str, object] | None:
    """Which implementation serves; None: none was needed yet, and inspecting loads none."""
    if "_extensibletype" not in sys.modules:
        return None
    from ..implementations import runtime_info
    try:
        info = runtime_info()
    except Exception as error:                  # something else took the place: the error is the answer
        return {"error": str(error)}
    return {**to_json(info), "text": str(info)}


def _print(inspections: Sequence[Inspection], runtime: dict[str, object] | None) -> None:
    for inspection in inspections:
        print(inspection, end="\n\n")
    if runtime is None and sys.implementation.name == "cpython":
        print("extensible types: none was needed in this process yet")
    elif runtime is None:
        print("extensible types: none, they need CPython; slots of registered types are shown by "
              "`inspect TYPE`")
    else:
        print("extensible types:", runtime.get("error") or runtime["text"])


def _draw(path: Path, inspections: Sequence[Inspection]) -> None:
    reports = [report for inspection in inspections for report in inspection.types]
    if len(reports) != 1:
        raise TargetError(f"--svg draws one type, and found {len(reports)}; name a class or an object")
    if path.is_dir():
        raise TargetError(f"--svg: found the directory {path}, expected a file")
    if path.exists() and 'class="customslots"' not in path.read_text("utf-8", "replace")[:400]:
        raise TargetError(f"--svg: found {path}, which this command did not write; it overwrites "
                          "its own pictures only")
    path.write_text(svg(reports[0]), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m cython_customslots inspect", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Print what types carry: slots with the names of their IDs, C fields with values, "
                    "interfaces, typed signatures, and the implementation that serves.")
    parser.add_argument("target", nargs="*", metavar="TARGET")
    parser.add_argument("--all", action="store_true",
                        help="import the targets, and look at all that is imported then")
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    parser.add_argument("--svg", type=Path, metavar="FILE",
                        help="draw the memory of one type into this file")
    options = parser.parse_args(arguments)
    if hasattr(sys.stdout, "reconfigure"):      # a value may have what a terminal cannot show
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.path.insert(0, "")
    progress = _Progress()
    found, failed, inspections = [], False, []
    for target in options.target:
        try:
            found.append((target, *resolve(target)))
        except TargetError as error:
            failed = True
            print(f"cython_customslots inspect: {error}", file=sys.stderr)
    try:
        for target, what, obj in found if not options.all else ():
            inspections.append(inspect_object(obj, target, what, progress))
        if options.all or not options.target:
            inspections.append(inspect_all(progress))
    finally:
        progress.end()
    try:
        if options.svg is not None and not failed:
            _draw(options.svg, inspections)
    except (TargetError, OSError) as error:
        failed = True
        print(f"cython_customslots inspect: {error}", file=sys.stderr)
    try:
        _show(options.json, inspections)
    except BrokenPipeError:                     # `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1 if failed else 0


def _show(as_json: bool, inspections: Sequence[Inspection]) -> None:
    if sys.stdout is None:                      # `>&-`
        return
    if as_json:
        json.dump({"inspections": to_json(inspections), "runtime": _runtime()}, sys.stdout, indent=2)
        print()
    elif inspections:
        _print(inspections, _runtime())
    sys.stdout.flush()
