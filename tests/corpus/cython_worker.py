# SPDX-License-Identifier: MIT
"""Runs files of Cython's own test suite, for cython_tests.py: one process, one compiler.

    python cython_worker.py SETTINGS        a JSON file that cython_tests.py writes

Cython's runtests.py does the work, with the Cython that is installed.  One JSON line is
written when a test file begins and one when it has ended, so that a crash has a name.
"""

import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import sys
import unittest
import zlib

SETTINGS = json.loads(pathlib.Path(sys.argv[1]).read_text())


class Enough(Exception):
    """Ends a test before its C is compiled."""


class Watched:
    """Stands for stdout; counts what Cython's check of reference counts complains about."""

    def __init__(self, stream):
        self.stream, self.complaints = stream, 0

    def write(self, text):
        self.complaints += text.count("REFNANNY:")
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


class Result(unittest.TestResult):
    """The outcome of each doctest, and "module" for what is before them."""

    def __init__(self):
        super().__init__()
        self.outcomes, self.details = {}, {}

    def keep(self, test, outcome, err=None):
        name, number = test.id(), 1
        if isinstance(test, (RUNTESTS.CythonCompileTestCase, RUNTESTS.EndToEndTest)):
            name = "module"
        while name in self.outcomes:             # the same docstring twice, for example
            number += 1
            name = f"{test.id()} ({number})"
        self.outcomes[name] = outcome
        if err is not None:
            self.details[name] = self._exc_info_to_string(err, test)[-4000:]

    def addSuccess(self, test):
        self.keep(test, "passed")

    def addError(self, test, err):
        if not isinstance(err[1], Enough):
            self.keep(test, f"error: {err[0].__name__}", err)

    def addFailure(self, test, err):
        self.keep(test, "failed", err)

    def addSkip(self, test, reason):
        self.keep(test, f"skipped: {reason}")


class Runner:
    """Stands for unittest's runner: runs what is asked for and has not been run yet."""

    def __init__(self, **_):
        pass

    def run(self, suite):
        done, wanted = set(SETTINGS["done"]), SETTINGS["wanted"]
        for test in flatten(suite):
            key = key_of(test)
            if zlib.crc32(key.encode()) % SETTINGS["jobs"] != SETTINGS["job"]:
                continue
            if key not in done and (wanted is None or key in wanted):
                run_one(test, key)
        report(finished=True)
        return unittest.TestResult()


def flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        elif isinstance(test, (RUNTESTS.CythonCompileTestCase, RUNTESTS.EndToEndTest)):
            yield test                           # the rest runs .py files without Cython


def key_of(test):
    """The name of a test: where it is built, below the work directory."""
    return os.path.relpath(test.workdir, SETTINGS["workdir"])


def run_one(test, key):
    current.update(c={}, classes=0)
    report(begin=key)
    result = Result()
    if not (SETTINGS["generate_only"] and isinstance(test, RUNTESTS.EndToEndTest)):
        sys.stdout = watched = Watched(sys.stdout)
        try:
            test.run(result)
        finally:
            sys.stdout = watched.stream
        shutil.rmtree(test.workdir, ignore_errors=True)
        if watched.complaints:
            result.outcomes["reference counts"] = f"{watched.complaints} complaints"
    report(end=key, outcomes=result.outcomes, details=result.details, **current)


def report(**line):
    with open(SETTINGS["report"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def fingerprint(path):
    """A hash of generated C, without the paths in it."""
    text = path.read_text(encoding="utf-8").replace(SETTINGS["workdir"], "")
    text = re.sub(r"(?s)\A/\* BEGIN: Cython Metadata.*?END: Cython Metadata \*/", "", text)
    return hashlib.sha256(text.encode()).hexdigest()


def patch(runtests):
    plain_run_distutils = runtests.CythonCompileTestCase.run_distutils
    plain_import_ext = runtests.import_ext
    plain_tear_down = runtests.EndToEndTest.tearDown

    def run_distutils(self, test_directory, module, workdir, *args, **kwargs):
        source = pathlib.Path(workdir, self.build_target_filename(module))
        if source.exists():
            current["c"][module] = fingerprint(source)
        if SETTINGS["generate_only"] or current["c"] == SETTINGS["known"].get(key_of(self)):
            raise Enough
        return plain_run_distutils(self, test_directory, module, workdir, *args, **kwargs)

    def import_ext(*args):
        module = plain_import_ext(*args)
        current["classes"] += count(module)
        return module

    def tear_down(self):
        # Nothing of it is imported here, so it is the C that shows its classes.
        for path in pathlib.Path(self.workdir).rglob("*.c*"):
            if path.suffix in (".c", ".cpp", ".cxx"):
                current["classes"] += path.read_text(errors="replace").count(" = __Pyx_CustomSlots_NewStatic(")
        plain_tear_down(self)

    runtests.CythonCompileTestCase.run_distutils = run_distutils
    runtests.EndToEndTest.tearDown = tear_down
    runtests.import_ext = import_ext
    # Where its tests of build scripts find "cython.py".
    runtests.EndToEndTest.cython_root = SETTINGS["programs"]
    runtests.unittest.TextTestRunner = Runner


def count(module):
    """The extensible classes that a module shows."""
    import cython_customslots.provider as provider
    return sum(provider.layout(cls)["extensible"]
               for cls in {id(value): value for value in list(vars(module).values())
                           if isinstance(value, type)}.values())


def load(path):
    spec = importlib.util.spec_from_file_location("runtests", path)
    module = sys.modules["runtests"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


current = {}
if SETTINGS["extended"]:
    import setuptools  # noqa: F401  (has to come before Cython.Build's distutils)

    from cython_customslots.compiler import install
    install(**SETTINGS["switches"])
RUNTESTS = load(SETTINGS["runtests"])
patch(RUNTESTS)
sys.argv[1:] = ["--no-unit", "--no-doctest", "--no-examples", "--no-code-style", "--no-pyregr",
                "--no-cpp-locals", "--exit-ok",
                f"--backends={SETTINGS['backends']}", f"--root-dir={SETTINGS['tests']}",
                f"--work-dir={SETTINGS['workdir']}", f"--cython-dir={SETTINGS['programs']}",
                *SETTINGS["selectors"]]
RUNTESTS.main()
