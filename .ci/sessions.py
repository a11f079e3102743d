# SPDX-License-Identifier: MIT
"""Run CI's sessions on a clean clone, some at a time, and tell how they ended: .ci/run and .ci/nightly.

What a session needs is looked for, or installed, before the first session begins.  Then there are as many at a time as
processors, and one more, or CUSTOMSLOTS_CI_JOBS of them; those that take longest begin first.  A run of all steps has,
at the end, one of the nightly sessions as well: the number of commits says whose turn it is.
"""
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple


class Session(NamedTuple):
    name: str                       # as in noxfile.py
    seconds: int                    # that it took last: a run tells at its end where the table is wrong
    needs: str                      # what .ci/machine.py provides, and "cython"; with a ? it does without
    thorough: str = ""              # arguments from .ci/nightly
    only_nightly: bool = False
    may_fail: bool = False          # its failure is reported, but does not fail the run


#: Arguments without a space in one of them.
EVERYTHING = "-m (thorough)or(nightly)or(not(thorough))"
LAYER = f"{EVERYTHING} tests/compiler"
SESSIONS = [
    Session("lint", 70, ""),                                        # sources, texts, commit messages
    Session("readme", 1690, "3.11? 3.12? 3.13? 3.14? 3.15? rustc?"),    # README's commands for tests
    Session("demo", 170, "3.14?"),                                  # README's command for the demo
    Session("tests(3.14, clang)", 500, "3.14 clang rustc? pyo3?", EVERYTHING),  # an installed wheel on other
    Session("tests(3.10, gcc)", 230, "3.10", EVERYTHING),                   # interpreters: noxfile.py says
    Session("tests(3.15, gcc)", 350, "3.15", EVERYTHING),                   # which part of the suite
    Session("tests(3.13td, gcc)", 920, "cython 3.13td", EVERYTHING),
    Session("tests(3.13t, gcc)", 900, "cython 3.13t", EVERYTHING, only_nightly=True),
    Session("tests(3.11, clang)", 900, "3.11 clang", EVERYTHING, only_nightly=True),
    Session("tests(3.12, gcc)", 900, "3.12", EVERYTHING, only_nightly=True),
    Session("tests(3.13, gcc)", 900, "3.13", EVERYTHING, only_nightly=True),
    Session("tests(3.14d, gcc)", 900, "cython 3.14d", EVERYTHING, only_nightly=True),
    Session("tests(3.15d, gcc)", 900, "cython 3.15d", EVERYTHING, only_nightly=True),
    Session("cythons(3.0)", 170, "3.12", LAYER),                    # the layer with other Cythons
    Session("cythons(3.1)", 900, "3.12", LAYER, only_nightly=True),
    Session("cythons(3.2)", 900, "3.12", LAYER, only_nightly=True),
    Session("cythons(pure)", 900, "3.12", LAYER, only_nightly=True),        # its wheel without C
    Session("cythons(newest)", 900, "3.12", LAYER, only_nightly=True, may_fail=True),       # not released yet
    Session("corpus", 220, "3.12", "--selection all"),              # other people's packages
    Session("views", 400, "3.12", only_nightly=True),               # scikit-learn, SciPy, pandas, scikit-image
    Session("interop(libraries)", 210, "3.12"),                     # NumPy, SciPy, numba, cffi
    Session("interop(clusters)", 90, "3.12", only_nightly=True),    # dask, ray
    Session("interop(frameworks)", 180, "3.11", only_nightly=True),         # PyTorch, JAX
    Session("pypy", 190, "3.12 pypy"),
    Session("sanitizers", 560, "sanitizers 3.11", "-m not(once)and(not(compilers))"),      # addresses, undefined
    Session("threads", 600, "3.13t", "4 200 20"),                   # races: tests/hostile/tsan.sh, which compiles
                                                                    # an interpreter on a new machine: else 260
    Session("models", 400, "spin", only_nightly=True),             # of several threads, checked by Spin
    Session("nightly", 900, "3.11 rustc pyo3?", only_nightly=True),          # tests with this mark
    Session("mutants", 1200, "3.11", only_nightly=True),            # small bugs, and whether a test finds them
    Session("long(3.11)", 600, "3.11", only_nightly=True),          # random programs, other ones each time
    Session("long(3.13t)", 600, "cython 3.13t", only_nightly=True),
    Session("long(3.15)", 600, "3.15", only_nightly=True),
    Session("tests(32, gcc)", 200, "32", EVERYTHING),               # an interpreter of 32 bits
    Session("release", 170, "3.11", only_nightly=True),             # sdist and wheel, built twice
    Session("platforms(windows)", 210, "3.11 mingw windows 3.10 3.15 3.13t"),       # docs/platforms.md
    Session("platforms(msvc)", 100, "3.11 clang", only_nightly=True),
    Session("platforms(systems)", 90, "3.11 musl"),
    Session("platforms(wheels)", 20, "3.11"),
    Session("platforms(s390x)", 200, "cython s390x", only_nightly=True),
    Session("platforms(arm64)", 200, "cython arm64", only_nightly=True),
    Session("benchmarks", 120, "3.11", "--processes 3"),            # they run; their figures are not judged
    Session("docs", 40, "3.12 doxygen"),                            # the site, without a warning
]
STEPS = list(dict.fromkeys(session.name.partition("(")[0] for session in SESSIONS))

#: What .ci/nightly sets; it prevails over what noxfile.py says.
THOROUGH = {
    "CUSTOMSLOTS_TEST_PROGRAMS": "2000", "CUSTOMSLOTS_TEST_CYTHON_FLAGS": "-O2 -g0",
    "CUSTOMSLOTS_TEST_C_FLAGS": "-O2 -g", "CUSTOMSLOTS_TEST_DIALECTS": "c99 c11 c++11 c++17"}

#: Seconds after which the nightly session whose turn it is does not begin any more.
TURN = 3000

#: Lines of a log that sum a success up, and those that say what failed.
SUMMARY = re.compile(r"\d+ (passed|skipped: )|=+ .* in |nox > Session|.*(: ok|same outcome|classes checked)")
REASON = re.compile(r"(FAILED|E   |Fatal|!!!|(Current thread|Thread) 0x|  File \")|"
                    r".*(Sanitizer|ERROR|[Ee]rror:|Exception:|\d (failed|error)|No space left)")

ROOT = Path(__file__).resolve().parent.parent
#: They are looked at where a child is waited for, and nowhere else.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)


class Ended(NamedTuple):
    state: str                      # passed, not run, FAILED, or failed, which it may
    seconds: float
    processor: float
    log: str


def needs(session):
    """{what it needs: whether it does without}"""
    return {"nox": False, **{name.rstrip("?"): name.endswith("?") for name in session.needs.split()}}


def why(log):
    """The lines of a log that say what went wrong, and the last ones."""
    lines = [line[:300] for line in log.splitlines()]
    return "\n".join([*[line for line in lines[:-5] if REASON.match(line)][-40:], *lines[-5:]])


def kill(child, number):
    """A signal for a child and all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, number)


class Run:
    def __init__(self, sessions, nightly, turn=None):
        self.sessions, self.nightly, self.turn = sorted(sessions, key=lambda session: -session.seconds), nightly, turn
        self.sessions += [turn] if turn else []
        self.jobs = int(os.environ.get("CUSTOMSLOTS_CI_JOBS") or len(os.sched_getaffinity(0)) + 1)
        self.children = {}          # {process: (session, since when)}
        self.found = {}             # {need: its path}
        self.missing = {}           # {need: why it could not be had}
        self.ended = {}             # {session: Ended}
        self.began = time.monotonic()
        self.work = Path(tempfile.mkdtemp(prefix="customslots-ci."))
        self.env = {
            **os.environ, **(THOROUGH if nightly else {}), "PYTHONDONTWRITEBYTECODE": "1",
            # Shared by all sessions, each of which has one worker, as there are several sessions.
            "CUSTOMSLOTS_TEST_GENERATED": f"{self.work}/generated", "CUSTOMSLOTS_WHEELS": f"{self.work}/wheels",
            "CUSTOMSLOTS_PYTEST": "-n0", "CI_TREE": str(ROOT), "CI_PYTHON": sys.executable, "CI_WORK": str(self.work)}

    def directory(self, session):
        """Where a session may leave files, until it is over; its log is beside it."""
        return self.work / "each" / re.sub(r"[^\w.]+", "-", session.name)

    def log(self, session):
        return Path(f"{self.directory(session)}.log").read_text(encoding="utf-8", errors="replace")

    def go(self):
        for need in dict.fromkeys(name for session in self.sessions for name in needs(session)):
            self.provide(need)
        waiting = list(self.sessions)
        while waiting or self.children:
            if waiting and len(self.children) < self.jobs:
                self.begin(waiting.pop(0))
            else:
                self.over(*self.wait())

    def provide(self, need):
        """Find, or install, what sessions need: a command that prints its path last."""
        script = {
            # An old nox does; it is not what is tested.
            "nox": "git clone -q --no-hardlinks $CI_TREE $CI_WORK/clone; $CI_PYTHON -m venv $CI_WORK/nox;"
                   "$CI_WORK/nox/bin/pip install -q nox uv; echo $CI_WORK/nox/bin/nox",
            # It generates C for the interpreters that take ten times as long for that.
            "cython": "python=$($CI_PYTHON $CI_WORK/clone/.ci/machine.py 3.11); uv=$CI_WORK/nox/bin/uv;"
                      "$uv venv -q --python $python $CI_WORK/cython; python=$CI_WORK/cython/bin/python;"
                      "$uv pip install -q --python $python $CI_WORK/clone[cython]; echo $python"}
        command = ["bash", "-ec", script.get(need, f"$CI_PYTHON $CI_WORK/clone/.ci/machine.py {need}")]
        self.start(Session(f"provide {need}", 600, ""), command, cwd=ROOT)
        _, ended = self.wait()
        if ended.state == "passed":
            self.found[need] = ended.log.splitlines()[-1]
        elif need == "nox":
            raise SystemExit(f"the tree could not be cloned, or nox not be installed:\n{why(ended.log)}")
        else:
            self.missing[need] = f"{need}:\n{why(ended.log)}"

    def begin(self, session):
        """Start a session, unless something that it needs could not be had."""
        lacking = [self.missing[name] for name, without in needs(session).items()
                   if name in self.missing and not without]
        if session is self.turn and (passed := time.monotonic() - self.began) > TURN:
            lacking = [f"{passed:.0f} s have passed, and it is to begin within {TURN}: run it by itself"]
        if lacking:
            return self.over(session, Ended("not run", 0, 0, "\n".join(lacking)))
        there = {name: self.found[name] for name in needs(session) if name in self.found}
        directory, arguments = self.directory(session), session.thorough.split() if self.nightly else []
        self.start(session, [self.found["nox"], "-f", f"{self.work}/clone/noxfile.py", "--envdir", f"{directory}/nox",
                             "--report", f"{directory}/report", "-s", session.name, "--", *arguments],
                   cwd=directory, TMPDIR=str(directory),
                   CUSTOMSLOTS_PYTHONS=" ".join(f"{name}={path}" for name, path in there.items()),
                   CUSTOMSLOTS_TEST_OUTCOMES=f"{directory}.outcomes",
                   CUSTOMSLOTS_TEST_CYTHON=there.get("cython", ""))

    def limit(self, session):
        """Seconds that it may take, with some to spare on a slow machine.  At their end pytest tells where it is."""
        return 36000 if self.nightly else 2 * session.seconds + 600

    def start(self, session, command, cwd, **env):
        self.directory(session).mkdir(parents=True)
        with open(f"{self.directory(session)}.log", "wb") as log:
            child = subprocess.Popen(
                ["timeout", "-k", "10", str(self.limit(session)), *command], cwd=cwd, env={**self.env, **env},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS))
        child.returncode = 0                                    # wait() alone waits for it
        self.children[child.pid] = session, time.monotonic()

    def wait(self):
        """For the session that ends first; how it did."""
        while not (ended := os.wait4(-1, os.WNOHANG))[0]:
            if (number := signal.sigwait(SIGNALS)) != signal.SIGCHLD:
                self.stop(number)
        pid, status, used = ended
        kill(pid, signal.SIGKILL)                               # what it left behind
        session, since = self.children.pop(pid)
        seconds, code = time.monotonic() - since, os.waitstatus_to_exitcode(status)
        directory, log, state = self.directory(session), self.log(session), "passed"
        if code:
            state = "failed, which it may" if session.may_fail else "FAILED"
            log += f"ended by {signal.Signals(-code).name}\n" if code < 0 else f"ended with exit code {code}\n"
            if seconds > self.limit(session):
                log += f"it did not end within {self.limit(session)} s, so it hangs, or the machine is overloaded\n"
            if (free := shutil.disk_usage(self.work).free >> 20) < 100:
                log += f"found {free} MB free for {self.work}, expected some GB: free some, or set TMPDIR\n"
        elif (directory / "report").exists() and '"skipped"' in (directory / "report").read_text():
            state = "not run"
        shutil.rmtree(directory, ignore_errors=True)
        return session, Ended(state, seconds, used.ru_utime + used.ru_stime, log)

    def stop(self, number):
        running = [session for session, _ in self.children.values()]
        for session in running:
            print(f"\n=== {session.name}: not ended", why(self.log(session)), sep="\n", flush=True)
        names = ", ".join(session.name for session in running)
        raise SystemExit(f".ci/run: ended by {signal.Signals(number).name} while these ran: {names}")

    def clean(self):
        """Leave no process and no file."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for pid in self.children:
                kill(pid, number)
            time.sleep(1 if self.children else 0)               # apt-get and others put things in order, and end
        shutil.rmtree(self.work, ignore_errors=True)

    def over(self, session, ended):
        """A session's output, in one piece; of a success, what its tests sum up."""
        self.ended[session] = ended
        summary = [line for line in ended.log.splitlines() if SUMMARY.match(line)][-40:]
        text = {"passed": "\n".join(summary), "not run": why(ended.log)}.get(ended.state, ended.log.rstrip())
        took = f"took {ended.seconds:.0f} s, {ended.processor:.0f} s of a processor"
        print(f"\n=== {session.name}: {ended.state} ({took})", text, sep="\n", flush=True)

    def ran_nowhere(self):
        """A line for each test that was skipped wherever it was to run, with the last reason."""
        lines = [line.split("\t") for path in self.work.glob("each/*.outcomes")
                 for line in path.read_text(encoding="utf-8").splitlines()]
        ran = {name for kind, name, *_ in lines if kind != "skipped"}
        return sorted({name: f"  {name}: {' '.join(why)}" for _, name, *why in lines if name not in ran}.values())

    def tell(self):
        """How the sessions ended; why something failed stands last.  The exit code."""
        total = time.monotonic() - self.began
        print(f"\n=== done in {total:.0f} s; for each session: seconds, those of a processor, those in the table")
        for session, ended in sorted(self.ended.items(), key=lambda pair: -pair[1].seconds):
            note = "" if ended.state == "passed" else f"  {ended.state}"
            print(f"{ended.seconds:7.0f} {ended.processor:7.0f} {session.seconds:7}  {session.name}{note}")
        print(f"        {sum(ended.processor for ended in self.ended.values()):7.0f}          in all")
        if self.turn:
            print(f"\n=== of the nightly sessions it was the turn of {self.turn.name}: {self.ended[self.turn].state}")
        if lines := self.ran_nowhere():
            print("\n=== tests that no session ran, and the last reason", *lines, sep="\n")
        for state in ("not run", "failed, which it may", "FAILED"):
            for session, ended in self.ended.items():
                if ended.state == state:
                    print(f"\n=== {session.name}: {state}\n{why(ended.log)}")
        states = {ended.state for ended in self.ended.values()}
        if "FAILED" not in states:
            print("\neverything that was run passed" if "passed" in states else "\nnothing could be run")
        return int("FAILED" in states or "passed" not in states)


def main(arguments):
    nightly = arguments[:1] == ["--nightly"]
    chosen = arguments[nightly:]
    names = [session.name for session in SESSIONS]
    if unknown := [name for name in chosen if name not in [*STEPS, *names]]:
        print(f".ci/run: found {' '.join(unknown)}, expected steps: {', '.join(STEPS)}; or one of the sessions "
              f"{', '.join(name for name in names if name not in STEPS)}", file=sys.stderr)
        return 2
    for tool in ("git", "gcc"):
        if not shutil.which(tool):
            raise SystemExit(f".ci/run: found no {tool} on PATH, without which nothing can be tested; install it")
    turn = None
    if not arguments:
        rest = [session for session in SESSIONS if session.only_nightly]
        count = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
        turn = rest[int(count) % len(rest)]
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    run = Run([session for session in SESSIONS if session.name in chosen or (
        session.name.partition("(")[0] in (chosen or STEPS) and (nightly or not session.only_nightly))], nightly, turn)
    try:
        run.go()
        return run.tell()
    except OSError as error:
        print(f".ci/run: {error}: expected some GB for files in {run.work}; free some, or set TMPDIR", file=sys.stderr)
        return 1
    finally:
        run.clean()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
