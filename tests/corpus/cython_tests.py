# SPDX-License-Identifier: MIT
"""Cython's own tests are the judge: run them with plain Cython and through the layer.

The tests are those of the sdist of the Cython that is installed; its runtests.py runs
them, in workers (cython_worker.py), with Cython's check of reference counts.  Each file
is compiled with plain Cython and with the compiler layer's extend_all.  The C of most
must be the same, byte for byte; what differs is built both ways, and every doctest must
have the same outcome.  Run with an interpreter that has cython-customslots, Cython and
setuptools (70.1 or later, or wheel beside it) installed::

    python tests/corpus/cython_tests.py [--jobs N] [--borrow-views] [NAME...]

A NAME is a regular expression, as for runtests.py: 'run\\.cdef_.*'.  --borrow-views stands for that switch instead of
extend_all, and for the tests of memoryviews and buffers.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import sdists

#: Directories of Cython's tests: all of those that are compiled.
ALL = (r"^run\.", r"^compile\.", r"^errors\.", r"^memoryview\.", r"^buffers\.")

WORKER = pathlib.Path(__file__).with_name("cython_worker.py")

#: What --borrow-views has to do with.
VIEWS = (r"^memoryview\.", r"^buffers\.", r"^run\..*(memview|memoryview|fused|numpy)")

#: Seconds without a test file ending after which a worker is taken to hang.
PATIENCE = 1800

# Build scripts in Cython's tests run in processes of their own; this is imported there.
SITECUSTOMIZE = """
import sys
if any(name.endswith((".py", "cython", "cythonize")) for name in sys.orig_argv[1:3]):
    import setuptools
    import Cython.Build.Dependencies
    if {extended!r}:
        from cython_customslots.compiler import install
        install(**{switches!r})
"""


class Run:
    """Cython's tests with one compiler: {key: line of a worker}, crashes included."""

    def __init__(self, kind, sources, directory, options, *, generate_only=False, wanted=None, known=None):
        self.kind, self.directory = kind, directory
        directory.mkdir()
        programs = directory / "programs"
        programs.mkdir()
        for name in ("cython.py", "cythonize.py"):
            (programs / name).write_text((sources / name).read_text())
        (programs / "sitecustomize.py").write_text(SITECUSTOMIZE.format(
            extended=kind == "extended", switches=options.switches))
        self.settings = {
            "extended": kind == "extended", "switches": options.switches, "generate_only": generate_only,
            "wanted": wanted, "known": known or {}, "jobs": options.jobs,
            "runtests": str(sources / "runtests.py"), "tests": str(sources / "tests"),
            "programs": str(programs), "selectors": options.selectors,
            "backends": options.backends}
        self.results = {}
        workers = [Worker(self, job) for job in range(options.jobs)]
        while any(worker.poll() for worker in workers):
            time.sleep(0.5)


class Worker:
    """One process after another: the next one begins behind the test that crashed."""

    def __init__(self, run, job):
        self.run, self.job, self.process, self.count = run, job, None, 0
        self.directory = run.directory / f"job{job}"
        self.directory.mkdir()
        # Cython 3.0's runtests.py looks for Cython/Runtime/refnanny.pyx where it runs.
        (self.directory / "Cython").symlink_to(pathlib.Path(run.settings["runtests"]).with_name("Cython"))
        self.begin()

    def begin(self):
        self.count += 1
        self.position, self.running, self.since = 0, None, time.monotonic()
        self.finished = False
        self.report = self.directory / f"report{self.count}"
        self.report.touch()
        settings = self.directory / f"settings{self.count}"
        settings.write_text(json.dumps({
            **self.run.settings, "job": self.job, "done": sorted(self.run.results),
            "report": str(self.report), "workdir": str(self.directory / "work")}))
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(WORKER), str(settings)], cwd=self.directory,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                env=dict(os.environ, CFLAGS="-O0 -g0 -w", PYTHONHASHSEED="0",
                         PYTHONDONTWRITEBYTECODE="1"))

    def poll(self):
        """Return whether there is more to come."""
        ended = self.process.poll() is not None
        self.read()
        if not ended:
            if time.monotonic() - self.since > PATIENCE:
                self.process.kill()
            return True
        if self.finished:
            return False
        if self.running is None:
            log = (self.directory / "log").read_text(errors="replace")
            raise SystemExit(f"{log[-4000:]}\na worker ended with status "
                             f"{self.process.returncode} before any test; its log is above")
        self.run.results[self.running] = {
            "outcomes": {"module": f"crash, status {self.process.returncode}"},
            "details": {}, "c": {}, "classes": 0}
        self.begin()
        return True

    def read(self):
        with open(self.report, encoding="utf-8") as file:
            file.seek(self.position)
            for line in iter(file.readline, ""):
                if not line.endswith("\n"):
                    break
                self.position = file.tell()
                self.since = time.monotonic()
                line = json.loads(line)
                self.finished = self.finished or "finished" in line
                self.running = line.get("begin")
                if "end" in line:
                    self.run.results[line.pop("end")] = line


def compare(sources, directory, options):
    """Run all; return (names of files, plain results, extended results, same C)."""
    say = print if options.verbose else lambda *_, **__: None
    first = Run("plain", sources, directory / "generated", options, generate_only=True).results
    say(f"plain C of {len(first)} files generated", flush=True)
    extended = Run("extended", sources, directory / "extended", options,
                   known={key: line["c"] for key, line in first.items() if line["c"]}).results
    same = {key for key, line in extended.items() if line["c"] and line["c"] == first.get(key, {}).get("c")}
    say(f"{len(same)} of {len(extended)} files with the same C; {len(extended) - len(same)} run", flush=True)
    plain = Run("plain", sources, directory / "plain", options, wanted=sorted(set(extended) - same)).results
    assert first.keys() == extended.keys(), first.keys() ^ extended.keys()
    return plain, extended, same


def judge(plain, extended, same, switches):
    """Return ([rows of the table], [problems])."""
    passed, problems = {"plain": 0, "extended": 0}, []
    tests = classes = with_classes = different = 0
    for key in sorted(extended.keys() - same):
        ways = {"plain": plain[key]["outcomes"], "extended": extended[key]["outcomes"]}
        for way, outcomes in ways.items():
            passed[way] += sum(outcome == "passed" for outcome in outcomes.values())
        classes += extended[key]["classes"]
        with_classes += bool(extended[key]["classes"])
        names = ways["plain"].keys() | ways["extended"].keys()
        tests += len(names)
        for name in sorted(names):
            found = [ways[way].get(name) for way in ("plain", "extended")]
            if found[0] != found[1]:
                different += 1
                problems.append(f"  {key}: {name}: plain {found[0]}, extended {found[1]}")
    rows = [("test files", len(extended)),
            ("  whose C is the same, byte for byte", len(same)),
            ("  compiled and run both ways", len(extended) - len(same)),
            ("  with classes that became extensible", with_classes),
            ("extensible classes", classes),
            ("tests that ran both ways", tests),
            ("  passed with plain Cython", passed["plain"]),
            ("  passed through the layer", passed["extended"]),
            ("  with a different outcome", different)]
    if switches.get("extend_all") and not classes:
        problems.append("  no class became extensible")
    return rows, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--backends", default="c", help="c (the default), cpp or c,cpp")
    parser.add_argument("--borrow-views", action="store_true", help="that switch, and tests of memoryviews")
    parser.add_argument("--keep", metavar="DIRECTORY", help="work there, which does not exist yet, "
                        "and leave logs and results.json behind")
    parser.add_argument("--verbose", action="store_true", help="say how far it is")
    parser.add_argument("selectors", nargs="*", metavar="NAME")
    options = parser.parse_args()
    options.selectors = options.selectors or list(VIEWS if options.borrow_views else ALL)
    options.switches = {"borrow_views" if options.borrow_views else "extend_all": True}

    import Cython
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="customslots-cython-") as temporary:
        directory = pathlib.Path(options.keep or temporary).resolve()
        directory.mkdir(exist_ok=not options.keep)
        sources = sdists.fetch(f"cython=={Cython.__version__}", directory / "sdist")
        plain, extended, same = compare(sources, directory, options)
        if options.keep:
            (directory / "results.json").write_text(json.dumps(
                {"plain": plain, "extended": extended, "same": sorted(same)}, indent=1))
    rows, problems = judge(plain, extended, same, options.switches)
    times = os.times()
    print(f"Tests of Cython {Cython.__version__} on CPython {sys.version.split()[0]}: "
          f"{(time.monotonic() - started) / 60:.0f} minutes, of the processor "
          f"{(times.children_user + times.children_system) / 60:.0f}")
    for name, value in rows:
        print(f"{name:<42} {value:>6}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
