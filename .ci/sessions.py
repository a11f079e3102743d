# SPDX-License-Identifier: MIT
"""Run CI's sessions on a clean clone, some at a time, and tell how they ended: .ci/run and .ci/nightly.

A session begins when all that it needs is there, which other children provide one after the other; of the sessions that
can begin, the one that takes longest does.  One process starts all children and waits for the first that ends.
"""
import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple


class Session(NamedTuple):
    name: str                       # as in noxfile.py; or readme or demo
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
    Session("readme", 1650, "3.11? rustc?"),                        # README's commands for tests
    Session("demo", 170, "3.14?"),                                  # README's command for the demo
    Session("tests(3.14, clang)", 500, "3.14 clang rustc?", EVERYTHING),    # an installed wheel on other
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
    Session("interop", 210, "3.12"),                                # NumPy, SciPy, numba, cffi
    Session("clusters", 90, "3.12", only_nightly=True),             # dask, ray
    Session("frameworks", 180, "3.11", only_nightly=True),          # PyTorch, JAX
    Session("pypy", 190, "3.12 pypy"),
    Session("sanitizers", 560, "sanitizers? 3.11", "-m not(once)and(not(compilers))"),      # addresses, undefined
    Session("threads", 260, "3.13t", "4 200 20"),                   # races: tests/hostile/tsan.sh
    Session("thirtytwo", 200, "32", EVERYTHING),                    # an interpreter of 32 bits
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

#: {session: the marks of README's commands}
README = {"readme": ["tests", "thorough"], "demo": ["demo"]}

#: Lines of a log that sum a success up, and those that say what failed.
SUMMARY = re.compile(r"\d+ (passed|skipped: )|=+ .* in |nox > Session|.*(: ok|same outcome|classes checked)")
REASON = re.compile(r"(FAILED|E   |Fatal|!!!|(Current thread|Thread) 0x|  File \")|"
                    r".*(Sanitizer|ERROR|[Ee]rror:|Exception:|\d (failed|error)|No space left)")

ROOT = Path(__file__).resolve().parent.parent
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ended(NamedTuple):
    state: str                      # passed, not run, FAILED, or failed, which it may
    seconds: float
    processor: float
    log: str


def needs(session):
    """{what it needs: whether it does without}"""
    return {"nox": False, **{name.rstrip("?"): name.endswith("?") for name in session.needs.split()}}


def readme_command(readme, mark):
    """The README's shell block behind <!-- command: MARK -->: the README and CI cannot differ."""
    found = re.findall(rf"<!-- command: {mark} -->\n```(?:sh|bash|console)\n(.*?)```", readme.read_text("utf-8"), re.S)
    if len(found) != 1:
        raise SystemExit(f"README.md: found {len(found)} blocks marked 'command: {mark}', expected 1")
    return found[0].strip()


def why(log):
    """The lines of a log that say what went wrong, and the last ones."""
    lines = [line[:300] for line in log.splitlines()]
    return "\n".join([*[line for line in lines[:-5] if REASON.match(line)][-40:], *lines[-5:]])


def kill(child, number):
    """A signal for a child and all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, number)


class Run:
    def __init__(self, sessions, nightly):
        self.sessions, self.nightly = sorted(sessions, key=lambda session: -session.seconds), nightly
        self.jobs = int(os.environ.get("CUSTOMSLOTS_CI_JOBS") or len(os.sched_getaffinity(0)) + 1)
        self.children = {}          # {process: (a session, or the name of a need; since when)}
        self.found = {}             # {need: its path, or "" if it could not be had}
        self.missing = {}           # {need: why it could not be had}
        self.ended = {}             # {session: Ended}
        self.began = time.monotonic()
        self.work = Path(tempfile.mkdtemp(prefix="customslots-ci."))
        self.env = {
            **os.environ, **(THOROUGH if nightly else {}), "PYTHONDONTWRITEBYTECODE": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore",
            # Shared by all sessions, each of which has one worker, as there are several sessions.
            "CUSTOMSLOTS_TEST_GENERATED": f"{self.work}/generated", "CUSTOMSLOTS_WHEELS": f"{self.work}/wheels",
            "CUSTOMSLOTS_PYTEST": "-n0", "CI_TREE": str(ROOT), "CI_PYTHON": sys.executable, "CI_WORK": str(self.work)}

    def directory(self, what):
        """Where a session or what provides a need may leave files, until it is over; its log is beside it."""
        return self.work / "each" / re.sub(r"[^\w.]+", "-", what.name if isinstance(what, Session) else f"for {what}")

    def log(self, what):
        return Path(f"{self.directory(what)}.log").read_text(encoding="utf-8", errors="replace")

    # -------------------------------------------------------------- what is run
    def providing(self, need):
        """The command that provides a need, and prints its path last."""
        script = {
            # An old nox does; it is not what is tested.
            "nox": "git clone -q --no-hardlinks $CI_TREE $CI_WORK/clone; $CI_PYTHON -m venv $CI_WORK/nox;"
                   "$CI_WORK/nox/bin/pip install -q nox uv; echo $CI_WORK/nox/bin/nox",
            # It generates C for the interpreters that take ten times as long for that.
            "cython": "python=$($CI_PYTHON $CI_WORK/clone/.ci/machine.py 3.11); uv=$CI_WORK/nox/bin/uv;"
                      "$uv venv -q --python $python $CI_WORK/cython; python=$CI_WORK/cython/bin/python;"
                      "$uv pip install -q --python $python $CI_WORK/clone[cython]; echo $python"}
        return ["bash", "-ec", script.get(need, f"$CI_PYTHON $CI_WORK/clone/.ci/machine.py {need}")]

    def command(self, session):
        if session.name not in README:
            arguments = ["--", *session.thorough.split()] if self.nightly and session.thorough else []
            directory = self.directory(session)
            return [self.found["nox"], "-f", f"{self.work}/clone/noxfile.py", "--envdir", f"{directory}/nox",
                    "--report", f"{directory}/report", "-s", session.name, *arguments]
        python = next((self.found[name] for name in needs(session) if name[0] == "3"), "") or "python3"
        commands = [readme_command(self.work / "clone" / "README.md", mark) for mark in README[session.name]]
        if session.name == "readme":            # spelled like that, the checkout comes before what is installed
            commands.append("python -m pytest -q tests/layout")
        return ["bash", "-ec", "\n".join([
            f"{shlex.quote(python)} -m venv environment; . environment/bin/activate",
            "git clone -q $CI_WORK/clone tree; cd tree; export CUSTOMSLOTS_ALL_TOOLS=1",
            *(f"printf '$ %s\\n' {command}; eval {command}" for command in map(shlex.quote, commands))])]

    # -------------------------------------------------------------- in which order
    def go(self):
        waiting = list(self.sessions)
        # In the order in which they are waited for; those that have to be compiled last.
        wanted = sorted(dict.fromkeys(name for session in waiting for name in needs(session)),
                        key=lambda name: bool(re.fullmatch(r"3\.\d+td?|windows", name)))
        while waiting or self.children:
            running = [what for what, _ in self.children.values() if isinstance(what, Session)]
            if wanted and len(running) == len(self.children):
                self.start(wanted[0], self.providing(wanted.pop(0)), cwd=ROOT)
            ready = [session for session in waiting if needs(session).keys() <= self.found.keys()]
            for session in ready[:self.jobs - len(running)]:
                waiting.remove(session)
                self.begin(session)
            if self.children:
                self.wait()

    def begin(self, session):
        """Start a session, unless something that it needs could not be had."""
        there = {name: self.found[name] for name in needs(session) if self.found[name]}
        lacking = [name for name, without in needs(session).items() if name not in there and not without]
        if lacking:
            self.over(session, Ended("not run", 0, 0, "\n".join(self.missing[name] for name in lacking)))
        else:
            directory = self.directory(session)
            self.start(session, self.command(session), cwd=directory, TMPDIR=str(directory),
                       CUSTOMSLOTS_PYTHONS=" ".join(f"{name}={path}" for name, path in there.items()),
                       CUSTOMSLOTS_TEST_OUTCOMES=f"{directory}.outcomes",
                       CUSTOMSLOTS_TEST_CYTHON=there.get("cython", ""))

    def limit(self, what):
        """Seconds that it may take, with some to spare on a slow machine.  At their end pytest tells where it is."""
        return 36000 if self.nightly else 2 * what.seconds + 600 if isinstance(what, Session) else 1800

    def start(self, what, command, cwd, **env):
        self.directory(what).mkdir(parents=True)
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)       # no child may be missing in self.children
        with open(f"{self.directory(what)}.log", "wb") as log:
            child = subprocess.Popen(
                ["timeout", "-k", "10", str(self.limit(what)), *command], cwd=cwd, env={**self.env, **env},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS))
        child.returncode = 0                                    # wait() alone waits for it
        self.children[child.pid] = what, time.monotonic()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    def wait(self):
        """For the child that ends first."""
        pid, status, used = os.wait4(-1, 0)
        kill(pid, signal.SIGKILL)                               # what it left behind
        what, since = self.children.pop(pid)
        directory, code = self.directory(what), os.waitstatus_to_exitcode(status)
        skipped = (directory / "report").exists() and '"skipped"' in (directory / "report").read_text()
        free = shutil.disk_usage(self.work).free >> 20
        shutil.rmtree(directory, ignore_errors=True)
        log, hangs = self.log(what), code and time.monotonic() - since > self.limit(what)
        if code:
            log += f"ended by {signal.Signals(-code).name}\n" if code < 0 else f"ended with exit code {code}\n"
            if hangs:
                log += f"it did not end within {self.limit(what)} s, so it hangs, or the machine is overloaded\n"
            if free < 100:
                log += f"found {free} MB free for {self.work}, expected some GB: free some, or set TMPDIR\n"
        if isinstance(what, Session):
            failed = "failed, which it may" if what.may_fail else "FAILED"
            self.over(what, Ended(failed if code else "not run" if skipped else "passed", time.monotonic() - since,
                                  used.ru_utime + used.ru_stime, log))
        else:
            self.found[what] = "" if code else log.splitlines()[-1]
            self.missing[what] = f"{what}:\n{why(log)}"
            if what == "nox" and code:
                raise SystemExit(f"the tree could not be cloned, or nox not be installed:\n{why(log)}")

    def stop(self, number, _):
        running = [what for what, _ in self.children.values() if isinstance(what, Session)]
        for session in running:
            self.not_ended(session)
        names = ", ".join(session.name for session in running)
        raise SystemExit(f".ci/run: ended by {signal.Signals(number).name} while these ran: {names}")

    def clean(self):
        """Leave no process and no file."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for pid in self.children:
                kill(pid, number)
            time.sleep(1 if self.children else 0)               # apt-get and others put things in order
        for _ in range(50):                                     # processes that end may still write
            shutil.rmtree(self.work, ignore_errors=True)
            if not self.work.exists():
                break
            time.sleep(0.1)

    # -------------------------------------------------------------- what it prints
    def over(self, session, ended):
        """A session's output, in one piece; of a success, what its tests sum up."""
        self.ended[session] = ended
        summary = [line for line in ended.log.splitlines() if SUMMARY.match(line)][-40:]
        text = {"passed": "\n".join(summary), "not run": why(ended.log)}.get(ended.state, ended.log.rstrip())
        took = f"took {ended.seconds:.0f} s, {ended.processor:.0f} s of a processor"
        print(f"\n=== {session.name}: {ended.state} ({took})", text, sep="\n", flush=True)

    def not_ended(self, session):
        print(f"\n=== {session.name}: not ended", why(self.log(session)), sep="\n", flush=True)

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
            if not (note or self.nightly) and abs(ended.seconds - session.seconds) > max(30, session.seconds / 2):
                note = "  (other than the table says)"
            print(f"{ended.seconds:7.0f} {ended.processor:7.0f} {session.seconds:7}  {session.name}{note}")
        print(f"        {sum(ended.processor for ended in self.ended.values()):7.0f}          in all")
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
    run = Run([session for session in SESSIONS if session.name in chosen or (
        session.name.partition("(")[0] in (chosen or STEPS) and (nightly or not session.only_nightly))], nightly)
    try:
        for number in SIGNALS:
            signal.signal(number, run.stop)
        run.go()
        return run.tell()
    except OSError as error:
        print(f".ci/run: {error}: expected some GB for files in {run.work}; free some, or set TMPDIR", file=sys.stderr)
        return 1
    finally:
        run.clean()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
