# SPDX-License-Identifier: MIT
"""Fixtures for all tests, workers and the closing summary; helpers are in support.py."""
import collections
import faulthandler
import gc
import importlib.util
import os
import signal
import sys
import tempfile

import pytest

#: What so many tests import that one message is better than one for each; pyproject.toml has it in the extra test.
NEEDED = ("Cython", "filelock", "hypothesis")
if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
    pytest.exit(f"found no {', '.join(missing)} in {sys.executable}, expected the extra: pip install '.[test]'",
                returncode=1)

import support      # noqa: E402

#: Hypothesis writes beside what is built, not into a tree that may be read-only.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(support.CACHE / "hypothesis"))

#: Marks of what is run only where -m names them: it takes longer than a developer should wait for, or
#: needs more than this package's own environment.
LEFT_OUT = {"thorough", "nightly", "platforms", "pypy"}

#: The command for the first two of these.
THOROUGH = "pip install '.[thorough]' && pytest -m 'thorough or nightly'"

#: Folders that ask what each interpreter may answer in its own way; files elsewhere say so by a mark.
OF_INTERPRETERS = ("ages", "c", "core", "hostile", "layout", "typed")


left_out_key = pytest.StashKey()


def pytest_report_header(config):
    import cython_customslots
    return [f"cython_customslots: {cython_customslots.__version__} from "
            f"{cython_customslots.get_include()}",
            f"test modules: {support.CACHE}{' (sanitized)' if support.SANITIZE else ''}"]


def pytest_configure():
    """A run that gets SIGTERM, as CI sends to one that hangs, first prints where each thread is."""
    if hasattr(faulthandler, "register"):       # not on Windows
        faulthandler.register(signal.SIGTERM, file=os.dup(2), chain=True)


def pytest_sessionstart():
    """Without a compiler or headers, or a directory to write to, one message, and not one for each test."""
    try:
        support.toolchain()
        support.CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=support.CACHE):
            pass
    except support.building.BuildError as error:
        pytest.exit(str(error), returncode=1)
    except OSError as error:
        pytest.exit(f"found no way to write to {support.CACHE} ({error.strerror}), expected a directory for what tests "
                    "compile; let CUSTOMSLOTS_TEST_CACHE name another", returncode=1)


def names_files(config):
    """Does the command line name a file, and not only directories?"""
    return any(os.path.isfile(argument.partition("::")[0]) for argument in config.args)


def _let_hypothesis_begin():
    """What it makes for the first test it asks gc.get_referrers() for, which skips what is
    frozen."""
    import hypothesis

    @hypothesis.settings(max_examples=1, database=None)
    @hypothesis.given(hypothesis.strategies.none())
    def begin(_):
        pass

    begin()


@pytest.hookimpl(tryfirst=True)                 # before xdist's own, which starts them
def pytest_cmdline_main(config):
    """Workers for directories, none for single files, unless the command line says -n.

    Each worker has whole files, because tests of a file share what is built for them.
    """
    options = config.option
    if (not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput")
            or options.dist != "no"):
        return
    if options.numprocesses is None and not (
            names_files(config) or options.usepdb or options.collectonly or support.THREADS_MAKE_IMMORTAL):
        options.numprocesses = "auto"
    if options.numprocesses:
        options.dist, options.loadscopereorder = "loadfile", False
        if options.maxworkerrestart is None:    # with another one in its place, a run may never end
            options.maxworkerrestart = "0"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """One for each processor; xdist counts cores where psutil happens to be installed."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" not in os.environ:
        return min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity")
                   else os.cpu_count() or 1)


def marks_of(item):
    return {mark.name for mark in item.iter_markers()}


def pytest_itemcollected(item):
    if item.path.parent.name in OF_INTERPRETERS:
        item.add_marker("interpreters")


@pytest.hookimpl(trylast=True)                  # when marks have been added
def pytest_collection_modifyitems(config, items):
    """Leaves out what the command line does not ask for, by -m or by the name of a file.

    Where a thread makes all classes immortal, tests that need them to die come first.
    """
    unnamed = {mark for mark in LEFT_OUT if mark not in config.option.markexpr}
    named = {os.path.realpath(argument.partition("::")[0]) for argument in config.args}
    left_out = [item for item in items if marks_of(item) & unnamed and os.path.realpath(item.path) not in named]
    if left_out:
        out = set(left_out)
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in out]
        if hasattr(config, "workeroutput"):
            config.workeroutput["left_out"] = len(left_out)
        config.stash[left_out_key] = len(left_out)
    if support.THREADS_MAKE_IMMORTAL:
        items.sort(key=lambda item: "mortal_classes" not in getattr(item, "fixturenames", ()))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Workers collect; the process that tells of it does not."""
    node.config.stash[left_out_key] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_collection_finish():
    if "hypothesis" in sys.modules:
        _let_hypothesis_begin()


@pytest.fixture(scope="module", autouse=True)
def _freeze():
    """What is there before the first test of a file stays: the collector, which many tests call, need not
    look at it each time."""
    gc.collect()
    if hasattr(gc, "freeze"):       # not on PyPy
        gc.freeze()


def pytest_terminal_summary(terminalreporter):
    """What was skipped, by reason, and what was left out: nothing of it in silence.

    In the file that CUSTOMSLOTS_TEST_OUTCOMES names: a line for each test, from which .ci/run
    knows what was skipped in all of its sessions.
    """
    reasons = collections.defaultdict(list)
    lines = []
    for report in terminalreporter.stats.get("skipped", ()):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        reasons[reason].append(report.nodeid)
        lines.append(f"skipped\t{report.nodeid}\t{reason}\n")
    for kind in ("passed", "failed", "xfailed"):
        lines += (f"{kind}\t{report.nodeid}\n" for report in terminalreporter.stats.get(kind, ()))
    if path := os.environ.get("CUSTOMSLOTS_TEST_OUTCOMES"):
        with open(path, "a", encoding="utf-8") as file:
            file.writelines(lines)
    if reasons:
        terminalreporter.section("skipped, by reason")
    for reason, names in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
        terminalreporter.line(f"{len(names)} skipped: {reason}")
    if left_out := terminalreporter.config.stash.get(left_out_key, 0):
        terminalreporter.line(f"left to CI: {left_out} tests that take longer; to run them: {THOROUGH}")


@pytest.fixture
def switch_often():
    """Threads take turns as often as can be.

    Without Hypothesis's callback of the collector, which is in Python: other threads would go
    on inside of an assignment of __bases__, and CPython crashes then with plain classes, too.
    """
    before, callbacks = sys.getswitchinterval(), gc.callbacks[:]
    gc.callbacks.clear()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)
    gc.callbacks[:] = callbacks


@pytest.fixture
def mortal_classes():
    support.need_mortal_classes()


@pytest.fixture(scope="session", autouse=True)
def _cache_exists():
    support.CACHE.mkdir(parents=True, exist_ok=True)


@pytest.fixture(scope="session")
def probe(_cache_exists):
    """The C module that shows both headers to Python."""
    return support.probe()


@pytest.fixture(scope="session")
def probe_twin(_cache_exists):
    """The same source, built apart: another module with statics of its own."""
    return support.probe("probe_twin")


@pytest.fixture(scope="session")
def extensibletype(probe):
    return probe.import_metaclass()


@pytest.fixture(scope="session")
def metas(probe):
    """RichMeta and RicherMeta, which have fields of every kind: core/test_described_fields.py lists them."""
    return probe.rich_metaclasses()


@pytest.fixture(scope="session")
def rich(metas):
    return metas[0]


@pytest.fixture(scope="session")
def np():
    return support.need("numpy")


@pytest.fixture
def collected():
    """Call it to collect garbage until nothing more goes away."""
    def collect():
        while gc.collect():
            pass
    yield collect
    collect()
