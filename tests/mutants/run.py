# SPDX-License-Identifier: MIT
"""Plant small bugs in what is installed, and print those that no test finds: `nox -s mutants`, or, in an environment
that is nobody else's, since the package in it gets the bugs,

    python tests/mutants/run.py [--seed N] [--minutes N] [--count N] [--each N] [--steps N] [AREA...]

Needs meson, ninja and what the tests need.  For each mutant, of one area after another: a line of the product is chosen
at random, something in it changed (sources.py), the package installed, and the tests of its area run until one fails.
What no compiler takes is counted apart, and so is what is not compiled here.  No exit code says that a mutant lives:
whether it is a bug, a reader decides.
"""
import argparse
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sources

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

#: {area: (product files, tests in steps: the next ones run if those before found nothing)}
AREAS = {
    "runtime": ("runtime/*.[ch] include/extensibletype.h include/_extensibletype/*.h",
                ["core", "compiler/test_diamonds.py compiler/test_vtable*.py", "hostile ages inspecting", "compiler"]),
    "slots": ("include/customslots.h include/_customslots/*.h",
              ["core typed/test_find.py", "compiler/test_vtable*.py c typed inspecting", "hostile ages", "compiler"]),
    "calls": ("include/typedmethod.h* include/_typedmethod/*.h typed/*.[ch] typed/*.py runtime/typed.[ch]",
              ["typed", "typed c hostile/test_process_table.py hostile/test_callback_failures.py "
               "compiler/test_typed*.py", "core ages examples"]),
    "arrays": ("include/typedarray* include/_typedarray/*.h", ["arrays", "compiler/test_*arr*.py typed c"]),
    "views": ("compiler/views/*.py ../utility/Views.c",
              ["compiler/test_borrow_views.py arrays/test_*view*.py arrays/test_borrowed_buffers.py"]),
    "interfaces": ("compiler/interfaces/*.py ../utility/Interfaces.c compiler/commands/interface_headers.py",
                   ["compiler/test_errors.py compiler/test_interface*.py core/test_interface*.py",
                    "compiler examples"]),
    "functions": ("compiler/typed/*.py ../utility/TypedMethods.c",
                  ["compiler/test_errors.py compiler/test_typed*.py compiler/test_callables.py", "compiler typed"]),
    "classes": ("compiler/classes/*.py compiler/decorators/*.py ../utility/CustomSlots.c ../utility/Vtables.c",
                ["compiler/test_errors.py compiler/test_classes.py compiler/test_values.py "
                 "compiler/test_object_fields.py compiler/test_class_kinds.py compiler/test_vtable*.py", "compiler"]),
    "compiler": ("compiler/*.py compiler/shared/*.py compiler/switches/*.py compiler/reports/*.py "
                 "compiler/commands/*.py",
                 ["compiler/test_errors.py compiler/test_switches.py compiler/test_commands.py "
                  "compiler/test_tracking.py compiler/test_runtime_switch.py compiler/test_annotation.py", "compiler"]),
}


class Mutants:
    def __init__(self, work, steps):
        self.work, self.tree, self.steps = work, work / "tree", steps
        shutil.copytree(ROOT, self.tree, ignore=shutil.ignore_patterns(".cache", ".git", "__pycache__", "build"))
        (work / "bin").mkdir()
        for name in ("cc", "c++", "gcc", "g++", "clang", "clang++"):
            if shutil.which(name):
                (work / "bin" / name).symlink_to(HERE / "cc.py")
        kept = Path(os.environ.get("CUSTOMSLOTS_MUTANTS_KEPT", work))       # what one run compiled, for the next one
        for name in "OBJECTS", "MODULES", "GENERATED":
            (kept / name).mkdir(parents=True, exist_ok=True)
        os.environ.update(
            PATH=f"{work / 'bin'}{os.pathsep}{os.environ['PATH']}", CUSTOMSLOTS_MUTANTS_OBJECTS=str(kept / "OBJECTS"),
            CUSTOMSLOTS_TEST_CACHE=str(kept / "MODULES"), CUSTOMSLOTS_TEST_GENERATED=str(kept / "GENERATED"))
        self.call("meson", "setup", "build", "-Doptimization=0", "-Db_ndebug=false", "-Dunity=off",
                  f"--prefix={sys.prefix}", "-Dpython.install_env=venv")
        if not self.call("meson", "install", "-C", "build")[0]:      # all of it, whatever was left there
            raise SystemExit("the package cannot be installed without a mutant, either")
        self.times = {}                         # {tests: seconds they take without a mutant}
        self.finders = kept / "finders.json"    # {area: tests that found a mutant, the last one first}

    def call(self, command, *arguments):
        """Whether a command of the environment ends well, and what it says."""
        done = subprocess.run([Path(sys.prefix, "bin", command), *arguments], cwd=self.tree, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        return done.returncode == 0, done.stdout

    def install(self):
        return self.call("meson", "install", "-C", "build", "--only-changed")[0]

    def files(self, area):
        top = self.tree / "cython_customslots"
        return sorted({path for glob in AREAS[area][0].split() for path in (
            (top.parent if glob.startswith("../") else top).glob(glob.removeprefix("../")))})

    def tests(self, paths, thorough=False):
        """What a run of the tests in these files and folders came to: None, or how they failed."""
        marks = "(thorough or not nightly)" if thorough else "not (thorough or nightly)"
        found = [path for glob in paths.split() for path in ([self.tree / "tests" / glob] if "::" in glob else
                                                             sorted((self.tree / "tests").glob(glob)))]
        # A mutant hangs that takes three times as long as it takes without one; an hour until that is known.
        limit, since = 3 * self.times.get(paths, 1200) + 20, time.monotonic()
        done = subprocess.run(
            ["timeout", "--foreground", "-k", "5", f"{limit:.0f}", Path(sys.prefix, "bin", "pytest"), "-xq",
             "-m", f"{marks} and not (platforms or pypy)", "-p", "no:cacheprovider", "--rootdir", self.tree,
             "-c", self.tree / "pyproject.toml", *found],
            cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        seconds = time.monotonic() - since
        if done.returncode == 0:
            self.times.setdefault(paths, seconds)
            return None
        if done.returncode == 124 or seconds > limit:
            return "a hang"
        if first := re.search(r"^(?:FAILED|ERROR) (?:.*?tests/)?(\S+?)(?:\[| |$)", done.stdout, re.M):
            return ("no compiler" if "The C compiler on" in done.stdout or "The C++ compiler on" in done.stdout
                    else first[1])
        return f"a crash ({done.returncode}) in {(re.findall('in (test_.*)', done.stdout) or ['?'])[0]}"

    def judge(self, path, change):
        """How a mutant ended: "not compiled", "not here", "alive", or what found it."""
        text = path.read_text(encoding="utf-8")
        before = sources.compiled(self.tree, path)
        steps, finders = AREAS[self.area][1][:self.steps], self.known().get(self.area, [])
        # What found others takes seconds, and finds most; it may be thorough.
        for step, paths in enumerate([" ".join(finders[:8]), *steps] if finders else steps, 0 if finders else 1):
            if paths not in self.times and (failed := self.tests(paths, step != 1)):
                raise SystemExit(f"tests of {paths} fail without a mutant, too: {failed}")
            try:
                path.write_text(change.apply(text), encoding="utf-8")
                if ended := self.found(path, before, paths, step != 1):
                    return ended
            finally:
                path.write_text(text, encoding="utf-8")
                self.install()
        return "alive"

    def found(self, path, before, paths, thorough):
        """How the mutant that is there now ended in these tests; None if they pass."""
        after = sources.compiled(self.tree, path)
        if after == before:
            return "not here"
        module = ".".join(path.relative_to(self.tree).with_suffix("").parts).removesuffix(".__init__")
        if after is None or not self.install() or path.suffix == ".py" and not self.call(
                "python", "-Ic", f"import {module}")[0]:
            return "not compiled"
        failed = self.tests(paths, thorough)
        # Of C that the layer writes, it is a fault of the layer that no compiler takes it.
        return "not compiled" if failed == "no compiler" and path.suffix != ".py" else failed

    def known(self):
        return json.loads(self.finders.read_text(encoding="utf-8")) if self.finders.exists() else {}

    def remember(self, finder):
        known = self.known()
        known[self.area] = list(dict.fromkeys([finder, *known.get(self.area, [])]))
        self.finders.write_text(json.dumps(known), encoding="utf-8")

    def one(self, area, chance):
        """Choose a mutant of the area, and judge it; a line about it."""
        self.area = area
        path = chance.choice([path for path in self.files(area) for _ in path.read_text(encoding="utf-8").splitlines()])
        text = path.read_text(encoding="utf-8")
        if not (lines := sources.changes(path, text)):
            return "not here", ""
        change = chance.choice(lines[chance.choice(sorted(lines))])
        line = text.count("\n", 0, change.start) + 1
        end = self.judge(path, change)
        return end, f"{path.relative_to(self.tree)}:{line}: {change.shown(text)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--count", type=int, default=10 ** 9)
    parser.add_argument("--each", type=int, default=10, help="mutants of an area before the next one")
    parser.add_argument("--steps", type=int, help="of the tests; without it, all")
    parser.add_argument("areas", nargs="*")
    wanted = parser.parse_args()
    if unknown := set(wanted.areas) - set(AREAS):
        raise SystemExit(f"found {', '.join(unknown)}, expected areas: {', '.join(AREAS)}")
    if sys.prefix == sys.base_prefix:
        raise SystemExit("run it in a virtual environment of its own: the package there gets the bugs")
    chance, began = random.Random(wanted.seed), time.monotonic()
    areas = wanted.areas or chance.sample(list(AREAS), len(AREAS))
    ended, finders = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="customslots-mutants-") as work:
        mutants = Mutants(Path(work), wanted.steps)
        while (number := ended["found"] + ended["alive"]) < wanted.count and (
                time.monotonic() - began < 60 * wanted.minutes):
            area, since = areas[number // wanted.each % len(areas)], time.monotonic()
            how, text = mutants.one(area, chance)
            kind = how if how in ("alive", "not compiled", "not here") else "found"
            ended[kind] += 1
            if kind == "found":
                finders[how] += 1
                if "::" in how:
                    mutants.remember(how)
            if kind in ("found", "alive"):
                print(f"{how:12} {area}: {text} ({time.monotonic() - since:.0f} s)", flush=True)
    print(f"seed {wanted.seed}:", ", ".join(f"{number} {kind}" for kind, number in sorted(ended.items())))
    for finder, number in finders.most_common():
        print(f"{number:5} first found by {finder}")


if __name__ == "__main__":
    main()
