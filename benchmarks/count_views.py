# SPDX-License-Identifier: MIT
"""What typed memoryviews of real packages become with --borrow-views: how many borrow, and why others do not.

    python benchmarks/count_views.py [--jobs N] [--reasons N] PACKAGE...

A PACKAGE is what pip calls it ("scipy", "scipy==1.17.0"), whose newest sdist is fetched, or a folder with its source.
Each .pyx is compiled until the layer has decided, and what it says of each argument and variable is counted, once for
each position: of a fused function, if all specializations do.  Needs numpy, for its .pxd.
"""
import argparse
import collections
import contextlib
import multiprocessing
import os
import pathlib
import re
import signal
import sys
import tempfile

from Cython.Compiler import Main, Options

from cython_customslots.compiler import install
from cython_customslots.compiler.views import borrowing, escaping

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "corpus"))

import sdists

#: What has views, or buffers in the old syntax.
INTERESTING = re.compile(r"\[ *(:|\.\.\.)|ndarray *\[")
ALWAYS = "borrows, but needs an object always: "
UNINTERESTING = {"tests", "test", "doc", "docs", "benchmarks", "examples"}
SECONDS = 300
PLACES = {"argument": "view arguments", "variable": "local views of objects",
          "C argument": "view arguments of C functions for other modules",
          "buffer argument": "arguments in buffer syntax", "buffer variable": "variables in buffer syntax"}
ROWS = [("files", "files"), ("compiled", "... that compile alone"), *(
    row for what, said in PLACES.items() for row in (
        (what, said), (f"{what} borrows", "... that borrow"),
        # The others need none, or do not borrow.
        *([(f"{what} needs no object", "... without an object on every path")] if what == "argument" else [])))]


class Decided(Exception):
    """What was asked is known, and no C is wanted."""


def observed(found):
    """Note in {(file, line, column, name, what): [outcomes]} what the layer says; an outcome is a text."""
    def noted(what, pos, entry):
        return found.setdefault((pos[0].get_filenametable_entry(), *pos[1:], entry.name, what), [])

    @contextlib.contextmanager
    def saying(said, function, what, pos, entry, *rest):
        kind = f"buffer {what}" if entry.type.is_buffer else what
        with original(said, function, what, pos, entry, *rest) as say:
            def say_and_note(slices=None):
                noted(kind, pos, entry).append(f"{ALWAYS}{slices.until}" if slices and slices.always else "borrows")
                return say(slices)
            try:
                yield say_and_note
            except escaping.Escape as reason:
                noted(kind, pos, entry).append(str(reason))
                raise

    def decide(functions, *rest):
        for wrapper in functions.wrappers:
            for arg in wrapper.args:
                if arg.entry is not None and arg.entry.type.is_buffer:
                    noted("buffer argument", arg.entry.pos, arg.entry)
        borrowing_of(functions, *rest)
        raise Decided

    original, borrowing_of = borrowing._saying, borrowing._borrowing
    borrowing._saying, borrowing._borrowing = saying, decide


def count(root, path):
    """(What was found in a file, None), or (None, why it does not compile)."""
    signal.alarm(SECONDS)
    os.chdir(root)
    install(borrow_views=True, warn=False)
    found = {}
    observed(found)
    with tempfile.TemporaryDirectory() as directory, open(os.path.join(directory, "errors"), "w+") as errors:
        for cplus in (False, True):              # which of them stands in a build script
            with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(errors), contextlib.suppress(Exception):
                try:
                    Main.compile([str(path)], Main.CompilationOptions(
                        Options.default_options, include_path=[str(root), str(root / "src"), str(path.parent)],
                        language_level=3, cplus=cplus, compiler_directives={"cdivision": True},
                        output_file=os.path.join(directory, "module.c")))
                except Decided:
                    return found, None
        errors.seek(0)
        lines = [line for line in errors if re.match(r"[^ ]*\.p(yx|xd|xi):\d+:\d+: ", line)]
    return None, lines[-1].strip() if lines else "Cython says nothing of it"


def count_package(root, jobs):
    """({row of the table: number}, {reason: number}, {file: why it does not compile})."""
    sdists.expand(root)
    paths = [path for path in sorted(root.rglob("*.pyx")) if not UNINTERESTING & set(path.relative_to(root).parts)
             and INTERESTING.search(path.read_text(encoding="utf-8", errors="replace"))]
    places, failed = {}, {}
    with multiprocessing.get_context("fork").Pool(jobs, maxtasksperchild=1) as pool:
        for path, (found, why) in zip(paths, pool.starmap(count, [(root, path) for path in paths], chunksize=1)):
            places.update(found or {})
            if why:
                failed[str(path.relative_to(root))] = why
    numbers, reasons = collections.Counter(files=len(paths), compiled=len(paths) - len(failed)), collections.Counter()
    for (*_, what), outcomes in places.items():
        others = {outcome for outcome in outcomes if outcome != "borrows"}
        numbers[what] += 1
        numbers[f"{what} borrows"] += bool(outcomes) and all(outcome.startswith(ALWAYS) for outcome in others)
        numbers[f"{what} needs no object"] += bool(outcomes) and not others
        for reason in {re.sub(r"(, in line \d+|'[^']*'|\w+\(\))", lambda m: "" if m[0][0] == "," else "...", text)
                       for text in others}:
            reasons[f"{what} {'' if reason.startswith(ALWAYS) else 'does not borrow: '}{reason}"] += 1
    return numbers, reasons, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--reasons", type=int, default=25, metavar="N", help="how many, the most frequent ones")
    parser.add_argument("packages", nargs="+", metavar="PACKAGE")
    options = parser.parse_args()
    columns, reasons, total = {}, collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="customslots-views-") as directory:
        for package in options.packages:
            root = pathlib.Path(package).resolve() if os.path.isdir(package) else sdists.fetch(package, directory)
            columns[root.name], some, failed = count_package(root, options.jobs)
            reasons += some
            total += columns[root.name]
            for path, why in failed.items():
                print(f"{root.name}: {path} does not compile alone: {why[:200]}", file=sys.stderr, flush=True)
    columns["all"] = total
    print(f"| | {' | '.join(columns)} |", f"| --- |{' --- |' * len(columns)}", sep="\n")
    for row, said in ROWS:
        print(f"| {said} | {' | '.join(str(numbers[row]) for numbers in columns.values())} |")
    print("", "| why others do not, or not for nothing | |", "| --- | --- |", sep="\n")
    for reason, number in reasons.most_common(options.reasons):
        print(f"| {reason} | {number} |")


if __name__ == "__main__":
    main()
