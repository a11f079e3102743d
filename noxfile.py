# SPDX-License-Identifier: MIT
"""What must hold before a change lands, as nox sessions; .ci/run runs them, and .ci/nightly more of them.

    nox --list
    nox -s 'tests(3.12, gcc)' -- tests/core -k slots
    nox -s 'cythons(3.0)' sanitizers corpus benchmarks

Most build a wheel of this tree, install it in an environment of its own, and test that; marks in the tests say which
of them run (pyproject.toml lists the marks).  An interpreter is looked up as `python3.14d` on PATH, unless the variable
CUSTOMSLOTS_PYTHONS names another one: "3.14d=/path/to/python 3.13t=...".  A session whose interpreter is missing is
skipped, and nox says so; a tool that is missing is a failure.

Environments are made by uv: `pip install nox uv`.  Sessions share the C of test modules: tests/generated_c.py.
"""
import ast
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import nox

nox.needs_version = ">= 2024.3"
nox.options.sessions = ["tests"]
nox.options.default_venv_backend = "none"

ROOT = Path(__file__).resolve().parent

#: On other interpreters, what they can find is in the C; and in what compilers make of our headers, where they are
#: others or CPython's are.
COMPILED = "interpreters and not (thorough or nightly)"
C_SUITE = f"{COMPILED} and not compilers"
#: All of the plain run but what no interpreter can change.  README's commands are that for 3.11.
PLAIN = "not once"

#: Random programs for minutes or hours.
LONG = ["3.11", "3.13t", "3.15"]

#: Standards of C and C++ that are tried; elsewhere it is what tests/support.py says.
STANDARDS = {"CUSTOMSLOTS_TEST_DIALECTS": "c99 c11 c++11 c++17"}
#: Modules from Cython are optimised by each compiler once: the bugs that only an optimiser shows.  Not elsewhere,
#: because compiling them is most of what a session does.
OPTIMISED = {"CUSTOMSLOTS_TEST_CYTHON_FLAGS": "-O1 -g0", "CUSTOMSLOTS_TEST_C_FLAGS": "-O1 -g"}
#: C of the tests is, where its order is what threads see; there classes stay, and each random program takes longer.
THREADED = {"CUSTOMSLOTS_TEST_C_FLAGS": "-O1 -g", "CUSTOMSLOTS_TEST_PROGRAMS": "25"}
#: pytest rewrites assertions, to tell more of one that fails, which takes a debug build longer than the tests do.
DEBUG = {"PYTEST_ADDOPTS": "--assert=plain"}
#: What Cython wrote is compiled by clang, where there is one, since it is quicker; gcc has it to do for static types
#: and for heap types.
BY_GCC = {"CUSTOMSLOTS_TEST_CYTHON_CC": "gcc"}
BY_CLANG = {"CC": "clang", "CXX": "clang++"} if shutil.which("clang++") else {}

#: Where Debian's gcc-multilib is not, nothing leads to the headers of the kernel.
M32 = "-m32 -idirafter /usr/include/x86_64-linux-gnu"
#: {(interpreter, compiler): (marks, environment)}.  A d is a debug build, a t a free-threaded one, 32 one of 32 bits.
#: What is set in the environment, as .ci/nightly does, prevails over these.
TESTED = {
    ("3.10", "gcc"): (C_SUITE, {}),
    ("3.11", "clang"): (PLAIN, OPTIMISED),
    ("3.12", "gcc"): (C_SUITE, {**OPTIMISED, **BY_GCC}),
    ("3.13", "gcc"): (C_SUITE, {}),
    ("3.14", "clang"): (PLAIN, STANDARDS),
    ("3.15", "gcc"): (COMPILED, BY_GCC),
    ("3.13t", "gcc"): (COMPILED, {**THREADED, **STANDARDS}),
    ("3.13td", "gcc"): (C_SUITE, {**THREADED, **DEBUG}),
    ("3.14d", "gcc"): (C_SUITE, DEBUG),
    ("3.15d", "gcc"): (C_SUITE, DEBUG),
    ("32", "gcc"): (C_SUITE, {"CC": f"gcc {M32}", "CXX": f"g++ {M32}"}),
}

#: {which Cython: what pip calls it}; "newest": with what is not released yet.  Other sessions use the last release.
CYTHONS = {"3.0": "cython == 3.0.*", "3.1": "cython == 3.1.*", "3.2": "cython == 3.2.*", "pure": "cython",
           "newest": "cython >= 3.0a0"}

#: {what can be had of another platform on one Linux machine: packages for it}.  arm64 and s390x are run by qemu.
PLATFORMS = {"windows": ["ziglang >= 0.15"], "systems": ["ziglang >= 0.15"], "wheels": ["cibuildwheel >= 4"],
             "msvc": [], "arm64": [], "s390x": []}

#: {NumPy and what works with it; dask, ray; PyTorch, JAX: (interpreter, extra that has them, tests)}.
PARTNERS = {"libraries": ("3.12", "test-interop", "interop"),
            "clusters": ("3.12", "test-clusters", "tests/compiler/test_travelling.py"),
            "frameworks": ("3.11", "test-frameworks", "tests/arrays/test_frameworks.py")}

#: By clang, which takes half the time that gcc does.  Cython calls C++ methods of a base class by a pointer to
#: functions that take the base class, which -fsanitize=function would report.
SANITIZE = ("-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -shared-libasan "
            "-fno-sanitize=function")

#: uv makes an environment in a second, where pip takes half a minute on a debug build.
UV = shutil.which("uv", path=f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}") or "uv"


def named(what):
    return dict(pair.split("=", 1) for pair in os.environ.get("CUSTOMSLOTS_PYTHONS", "").split()).get(what)


def find_interpreter(session, version):
    if version == "here":               # the one that nox runs by
        return sys.executable
    if python := named(version):        # if that is none, uv says so
        return python
    command = "pypy3" if version == "pypy" else f"python{version}"
    python = shutil.which(command)      # pyenv, for one, puts commands on PATH that it refuses to run
    if python and not subprocess.run([python, "-c", ""], capture_output=True).returncode:
        return python
    session.skip(f"found no Python {version} that runs; put {command} on PATH, or name it in CUSTOMSLOTS_PYTHONS: "
                 f"{version}=PATH")


class Environment:
    """A virtual environment with the wheel of this tree and `extra`'s packages, for as long as this object exists.

    nox's own are not used: it looks for interpreters in a way that depends on its version, and knows no debug builds.
    """

    def __init__(self, session, version, *packages, extra="test", env=(), optimised=False, settings=()):
        self.session, python = session, find_interpreter(session, version)
        self.prefix = ["setarch", "i686"] if version == "32" else []
        self.kept = tempfile.TemporaryDirectory(prefix=f"{re.sub('[^a-z0-9.]+', '-', session.name)}-")
        self.files = Path(self.kept.name)
        self.bin = self.files / "venv" / "bin"
        self.env = {
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": str(self.bin.parent),
            "PYTHONDONTWRITEBYTECODE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore", "CUSTOMSLOTS_TEST_CACHE": str(self.files / "modules"),
            "CUSTOMSLOTS_TEST_GENERATED": str(Path(session.cache_dir).resolve() / "generated"), **dict(env),
            **{name: value for name, value in os.environ.items() if name.startswith("CUSTOMSLOTS_TEST_")}}
        wheel = self.wheel(python, [*settings, *([] if optimised else ["-Csetup-args=-Doptimization=0"])])
        if version in ("3.13t", "3.13td", "pypy", "arm64", "s390x"):    # later ones are compiled
            packages = ["hypothesis == 6.112.0", *packages]
        self.run(UV, "venv", "-q", "--python", python, self.bin.parent)
        # pip, because some tests install examples with it.
        self.run(UV, "pip", "install", "-q", "pip", f"{wheel}[{extra}]", *packages)

    def wheel(self, python, settings):
        """That of this tree, built once for all sessions of a run of .ci/run that are to have the same."""
        import fcntl                                # not on Windows, where lint runs
        flags = [self.env.get(name) or os.environ.get(name) for name in ("CC", "CXX", "CFLAGS", "LDFLAGS")]
        key = hashlib.sha256(repr((str(python), settings, flags)).encode()).hexdigest()[:12]
        directory = Path(os.environ.get("CUSTOMSLOTS_WHEELS") or self.files) / key
        directory.mkdir(parents=True, exist_ok=True)
        with open(directory / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not list(directory.glob("*.whl")):
                self.run(UV, "build", "-q", "--wheel", *settings, "--python", python, "-o", directory, ROOT)
        return next(directory.glob("*.whl"))

    def run(self, command, *arguments, **more_env):
        """A command of the environment, or one that has a path."""
        self.session.run(*self.prefix, self.bin / command, *arguments, external=True, env={**self.env, **more_env})

    def pytest(self, *arguments, **more_env):
        """The command, not `python -m pytest`, which would put this tree before the wheel."""
        self.run("pytest", "-q", *os.environ.get("CUSTOMSLOTS_PYTEST", "").split(), *arguments, **more_env)


def marked(marks):
    """The tests with the first of these marks, in the files where it stands or in folders that have it: others are not
    even read, which takes a debug build a minute and a half, and PyPy could not do."""
    mark = marks.partition(" ")[0]
    folders = re.search(r"OF_INTERPRETERS = (.*)", (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))[1]
    return ["-m", marks, *(
        path for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if mark == "interpreters" and path.parent.name in ast.literal_eval(folders)
        or f"mark.{mark}" in path.read_text(encoding="utf-8") and marks != PLAIN)]


@nox.session(venv_backend="venv", reuse_venv=True)
def lint(session):
    """What .pre-commit-config.yaml says of every file, and the messages of the commits."""
    session.install("-q", "pre-commit >= 3.2", "gitlint-core == 0.19.1")
    session.run("pre-commit", "run", "--all-files", "--show-diff-on-failure", *session.posargs)
    # Those since this check exists.
    first = session.run("git", "log", "--diff-filter=A", "--format=%H", "--", ".gitlint", external=True, silent=True)
    session.run("gitlint", "--commits", f"{first.split()[-1]}..HEAD")


def follow(session, version, *marks, then=()):
    """Commands of README and CONTRIBUTING with these marks, to the letter, in a clone and an environment."""
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "CONTRIBUTING.md"))
    commands = [re.search(rf"<!-- command: {mark} -->\n```sh\n(.*?)\n```", text, re.S)[1] for mark in marks]
    with tempfile.TemporaryDirectory() as directory, session.chdir(directory):
        session.run(named(version) or "python3", "-m", "venv", "environment", external=True)
        session.run("git", "clone", "-q", ROOT, "tree", external=True)
        for command in [*commands, *then]:
            session.run("bash", "-c", f". environment/bin/activate; cd tree; {command}", external=True,
                        env={"CUSTOMSLOTS_ALL_TOOLS": "1"})


@nox.session
def readme(session):
    """README's commands for the tests; the last is spelled so that the checkout comes before what is installed."""
    follow(session, "3.11", "tests", "thorough", then=["python -m pytest -q tests/layout"])


@nox.session
def demo(session):
    """README's command for the demo."""
    follow(session, "3.14", "demo")


@nox.session
@nox.parametrize("version, compiler", list(TESTED), ids=map(", ".join, TESTED))
def tests(session, version, compiler):
    """The suite on one interpreter, the wheel and what we wrote in C by one compiler."""
    marks, env = TESTED[version, compiler]
    if compiler == "clang":
        env = {**env, "CC": "clang", "CXX": "clang++"}
    extra = "test"
    if marks == PLAIN and session.posargs:          # a tool that is not there is a failure now, not a test skipped
        extra, env = "thorough", {**env, "CUSTOMSLOTS_ALL_TOOLS": "1"}
    environment = Environment(session, version, extra=extra, env=env, optimised=OPTIMISED.items() <= env.items())
    environment.pytest(*(session.posargs or marked(marks)))


@nox.session
@nox.parametrize("cython", list(CYTHONS), ids=list(CYTHONS))
def cythons(session, cython):
    """The compiler layer with other Cythons than the newest, on an interpreter that all support."""
    environment = Environment(session, "3.12", CYTHONS[cython])
    # The C that other sessions share is by the last Cython.
    environment.env.update(CUSTOMSLOTS_TEST_CYTHON="", CUSTOMSLOTS_TEST_GENERATED=str(environment.files / "generated"))
    if cython == "pure":        # as in its wheel for platforms that have no other
        for module in environment.bin.parent.rglob("Cython/**/*.so"):
            module.unlink()
    environment.run("cython", "--version")
    environment.pytest(*(session.posargs or marked("cythons")))
    if "nightly" in " ".join(session.posargs):
        environment.run("python", ROOT / "tests" / "corpus" / "cython_tests.py", "--borrow-views", **BY_CLANG)


@nox.session
def sanitizers(session):
    """All that runs C of this project under AddressSanitizer and UndefinedBehaviorSanitizer.

    Everything that is compiled anywhere in it takes part: the wheel, the test modules and
    those that demo, examples and children build, because all of them heed CFLAGS.
    """
    def asked(option):
        return session.run("clang", f"-print-{option}", external=True, silent=True).strip()

    library = asked(f"file-name=libclang_rt.asan-{platform.machine()}.so")
    if not os.path.isabs(library):
        session.error("clang has no libraries for sanitizers on this machine; Debian's are in libclang-rt-dev")
    # Meson runs a program to try the compiler, without a library loaded before it.
    environment = Environment(session, "3.11", env={
        "CC": "clang", "CXX": "clang++", "CFLAGS": SANITIZE, "CUSTOMSLOTS_TEST_C_FLAGS": "-O1 -g",
        "LDFLAGS": f"{SANITIZE} -Wl,-rpath,{os.path.dirname(library)}"})
    # The interpreter is not instrumented, so the run-time library is loaded before it, in children, too; but not into
    # compilers, which it slows down, nor into llvm-symbolizer, which would never end.
    symbolizer = asked("prog-name=llvm-symbolizer")
    tools = environment.files / "tools"
    tools.mkdir()
    for name in ("cc", "gcc", "clang", "c++", "g++", "clang++", "ld", symbolizer):
        if path := shutil.which(name):
            name = os.path.basename(name)
            (tools / name).write_text(f'#!/bin/sh\nunset LD_PRELOAD\nexec {path} "$@"\n')
            (tools / name).chmod(0o755)
    # A report ends the process while pytest holds back what is written to stderr: into files.
    reports = tools.parent / "report"
    try:
        environment.pytest(
            *(session.posargs or marked(C_SUITE)), LD_PRELOAD=library, PYTHONMALLOC="malloc",
            PATH=f"{tools}{os.pathsep}{environment.env['PATH']}",
            # CPython leaves memory behind at exit; a signal is for Python's faulthandler.
            ASAN_OPTIONS=f"detect_leaks=0:handle_segv=0:allocator_may_return_null=1:log_path={reports}",
            ASAN_SYMBOLIZER_PATH=str(tools / "llvm-symbolizer"),
            UBSAN_OPTIONS=f"print_stacktrace=1:log_path={reports}")
    finally:
        for report in sorted(reports.parent.glob("report.*")):
            session.log(f"{report.name}:\n{report.read_text(errors='replace')}")


@nox.session
def threads(session):
    """Threads change classes and fields under ThreadSanitizer: tests/hostile/tsan.sh."""
    done = session.run("bash", ROOT / "tests" / "hostile" / "tsan.sh", *session.posargs, external=True,
                       success_codes=[0, 77], silent=True)      # 77: ThreadSanitizer could not be had
    session.log(done)
    if "classes checked" not in done:
        session.skip("no source of CPython or no ThreadSanitizer on this machine")


@nox.session(venv_backend="none")
def models(session):
    """Models of what several threads do, and their mutations: tests/models/run.py."""
    if not shutil.which("spin"):
        session.skip("found no spin on PATH, which checks the models")
    session.run("python3", ROOT / "tests" / "models" / "run.py", *session.posargs)


def commits(session):
    """Their number, as a seed that is another one each time."""
    return session.run("git", "rev-list", "--count", "HEAD", external=True, silent=True).strip()


@nox.session
def nightly(session):
    """The tests that no other session of a landing runs: long ones, and pages followed to the letter."""
    Environment(session, "3.11", extra="thorough", env={"CUSTOMSLOTS_ALL_TOOLS": "1"}).pytest(
        *(session.posargs or ("-m", "nightly and not (interop or platforms)")))


@nox.session
def mutants(session):
    """Small bugs that are planted in what is installed, and which of them no test finds: tests/mutants/run.py."""
    environment = Environment(session, "3.11", "meson", "ninja", "numpy", "scipy", env={"PYTEST_ADDOPTS": "-n0"})
    environment.run("python", ROOT / "tests" / "mutants" / "run.py", *(
        session.posargs or ("--seed", commits(session), "--steps", "1", "--minutes", "15")))


@nox.session
@nox.parametrize("version", LONG, ids=LONG)
def long(session, version):
    """Random programs with other seeds each time; `-- --minutes 60` for an hour: tests/hostile/long_run.py."""
    # Not all modules of the random programs say that they need no GIL.
    environment = Environment(session, version, env={"PYTHON_GIL": "0"} if version.endswith("t") else {})
    environment.run("python", ROOT / "tests" / "hostile" / "long_run.py", "--seed", f"{commits(session)}000",
                    *(session.posargs or ("--minutes", "8")))


@nox.session
@nox.parametrize("platform", list(PLATFORMS), ids=list(PLATFORMS))
def platforms(session, platform):
    """What can be known here of other platforms: docs/platforms.md says what that is."""
    here, packages = ROOT / "tests" / "platforms", PLATFORMS[platform]
    env = {"CUSTOMSLOTS_PLATFORMS": "1"}        # what is missing fails
    cross = here / f"{platform}.ini"
    if cross.exists():      # another processor; this machine makes C of Cython's modules, and the environment
        environment = Environment(session, platform, *packages, env=env,
                                  settings=[f"-Csetup-args=--cross-file={cross}"])
        cc, cxx = re.findall("^c(?:pp)? = '(.*)'", cross.read_text(), re.M)
        return environment.pytest(*(session.posargs or marked("processors")), CC=cc, CXX=cxx)
    if platform == "windows":
        env["CUSTOMSLOTS_WINDOWS_PYCONFIG"] = named("windows") or session.skip(
            "CPython's PC/pyconfig.h is not on this machine: CUSTOMSLOTS_PYTHONS can name it, as windows=PATH")
        include = "import sysconfig; print(sysconfig.get_path('include'))"
        env["CUSTOMSLOTS_MORE_HEADERS"] = os.pathsep.join(      # those that differ most from the ones of 3.11
            session.run(python, "-c", include, external=True, silent=True).strip()
            for version in ("3.10", "3.13t", "3.15") if (python := named(version)))
    environment = Environment(session, "3.11", *packages, env=env)
    if platform != "msvc":
        return environment.pytest(*(session.posargs or [here / f"test_{platform}.py"]))
    words = f"-fms-extensions -I{here / 'msvc'} -include {here / 'msvc' / 'words.h'}"
    environment.pytest(*marked("msvc"), CC="clang", CXX="clang++", CUSTOMSLOTS_TEST_C_FLAGS=f"-O1 -g {words}")


@nox.session
@nox.parametrize("whose", list(PARTNERS), ids=list(PARTNERS))
def interop(session, whose):
    """Typed functions, classes and arrays with the real packages that take them."""
    version, extra, tests = PARTNERS[whose]
    environment = Environment(session, version, extra=extra, env={
        "CUSTOMSLOTS_INTEROP": "1",         # what is missing fails
        "UV_FIND_LINKS": os.environ.get("PIP_FIND_LINKS", "")})     # where pip finds a PyTorch without CUDA
    environment.pytest(*(session.posargs or (["-m", "nightly", tests] if "/" in tests else marked(tests))))


@nox.session
def pypy(session):
    """What works on PyPy: modules that are compiled for it, and the package installed there."""
    if not session.posargs:
        Environment(session, "3.12").pytest(*marked("pypy"))
    Environment(session, "pypy").pytest(*(session.posargs or marked("on_pypy")))


@nox.session
def corpus(session):
    """Packages, and with "--selection all" Cython's tests, have the same outcomes through the layer and without."""
    environment = Environment(session, "3.12")
    chosen = session.posargs or ("--selection", "ci")
    environment.run("python", ROOT / "tests" / "corpus" / "run.py", *chosen, **BY_CLANG)
    if "all" in chosen:
        for switches in ((), ("--borrow-views",)):
            environment.run("python", ROOT / "tests" / "corpus" / "cython_tests.py", *switches, **BY_CLANG)


@nox.session
def views(session):
    """Modules of large packages borrow, and have the same outcomes in the packages' tests as without."""
    environment = Environment(session, "3.12")
    environment.run("python", ROOT / "tests" / "corpus" / "run.py", *(session.posargs or ("--selection", "views")),
                    **BY_CLANG)


@nox.session
def docs(session):
    """The site is built without a warning; the argument says where it is left."""
    if not shutil.which("doxygen"):
        session.skip("found no doxygen on PATH, which reads the headers for the reference")
    environment = Environment(session, "3.12" if named("3.12") else "here", extra="docs")
    site = session.posargs[0] if session.posargs else Path(session.create_tmp()) / "site"
    environment.run("sphinx-build", "-q", "-W", "--keep-going", "-c", "docs", ".", site)
    session.log(f"the site begins at {Path(site).resolve() / 'index.html'}")


@nox.session
def benchmarks(session):
    """The benchmarks run, without arguments those that build little; the figures are not judged here."""
    environment = Environment(session, "3.11", extra="bench", optimised=True)
    for script in sorted((ROOT / "benchmarks").glob("bench_*.py")):
        if session.posargs or script.stem in ("bench_lookup", "bench_interfaces"):
            environment.run("python", script, *(session.posargs or ("--smoke",)))


@nox.session
def release(session):
    """An sdist and a wheel of the last commit, built twice and checked; tests run from the sdist."""
    environment = Environment(session, "3.11", extra="test,release")
    top = environment.files
    environment.run("python", ROOT / "packaging" / "dist.py", top / "dist")
    sdist, = (top / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(top / "sdist")
    unpacked, = (top / "sdist").iterdir()
    # To see that it has what tests need; the session readme runs all of them.
    environment.pytest("--rootdir", unpacked, *(unpacked / name for name in session.posargs or ["tests/layout"]))
