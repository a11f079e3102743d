# SPDX-License-Identifier: MIT
"""What must hold before a change lands, as nox sessions; .ci/run runs them, and .ci/nightly more of them.

    nox --list
    nox -s 'tests(3.12, gcc)' -- tests/core -k slots
    nox -s 'cythons(3.0)' sanitizers thirtytwo corpus benchmarks

Each builds a wheel of this tree, installs it in an environment of its own, and tests that; which tests
it runs is said by marks in the tests (pyproject.toml lists them).  An interpreter is looked up as
`python3.14d` on PATH, unless the environment variable CUSTOMSLOTS_PYTHONS names another one:
"3.14d=/path/to/python 3.13t=...".  A session whose interpreter or compiler is missing is skipped, and
nox says so.

Environments are made by uv: `pip install nox uv`.  The C of the tests' Cython modules is generated once
for all sessions that share a directory, see tests/generated_c.py.
"""
import ast
import contextlib
import functools
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
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

#: {(interpreter, compiler): (marks, environment)}.  A d is a debug build, a t a free-threaded one.  What is set in the
#: environment, as .ci/nightly does, prevails over these.
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
}

#: The other sessions use the newest Cython.  "pure": its wheel without compiled modules; "newest": with
#: what is not released yet.
CYTHONS = ("3.0", "3.1", "3.2", "pure", "newest")

#: What can be had of other platforms on one Linux machine.
PLATFORMS = ("windows", "msvc", "systems", "wheels", "arm64", "s390x")

#: {Debian's name of a processor that qemu runs: (GNU's, meson's, its byte order)}
FOREIGN = {"arm64": ("aarch64", "aarch64", "little"), "s390x": ("s390x", "s390x", "big")}

#: Their headers differ most from those of the usual one, on Windows, too.
OTHER_HEADERS = ("3.10", "3.13t", "3.15")

#: Benchmarks of what a reader pays, which build two or three modules each.
SMOKE = ("lookup", "interfaces")

#: What the other sessions run on.
USUAL = "3.11"

SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"

#: clang takes half the time for it.  Cython calls C++ methods of a base class by a pointer to
#: functions that take the base class, which only clang sees.
SANITIZE_CLANG = f"{SANITIZE} -shared-libasan -fno-sanitize=function"


def named(what):
    return dict(pair.split("=", 1) for pair in os.environ.get("CUSTOMSLOTS_PYTHONS", "").split()).get(what)


def find_interpreter(session, version):
    command = "pypy3" if version == "pypy" else f"python{version}"
    python = named(version) or shutil.which(command)
    try:                                # pyenv, for one, puts commands on PATH that it refuses to run
        subprocess.run([python or command, "-c", ""], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"").decode(errors="replace").strip().partition("\n")[0] or error
        (session.error if named(version) else session.skip)(
            f"found no Python {version} that runs ({python or command}: {said}); put {command} on PATH, or name it in "
            f"CUSTOMSLOTS_PYTHONS: {version}=PATH")
    return python


#: It makes an environment in a second, where pip takes half a minute on a debug build.
UV = shutil.which("uv", path=os.path.dirname(sys.executable)) or shutil.which("uv") or "uv"


class Environment:
    """A virtual environment with the wheel of this tree in it, and `extra`'s packages.

    nox's own are not used: it looks for interpreters in a way that depends on its version
    and knows no debug builds, and virtualenv brings its own idea of pip for each.
    """

    def __init__(self, session, python, *packages, extra="test", env=None, prefix=(),
                 optimised=False, settings=()):
        self.session, self.prefix = session, prefix
        name = "".join(c if c.isalnum() or c == "." else "-" for c in session.name).strip("-")
        top = Path(session.cache_dir).resolve() / name
        import fcntl                                # not on Windows, where lint runs
        self.lock = open(f"{top}.lock", "w")        # as long as there is this object
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            session.error(f"found another run of this session, which uses {top}; wait until it ends, or take .ci/run, "
                          f"which has a clone of its own")
        shutil.rmtree(top, ignore_errors=True)
        self.bin = top / "venv" / "bin"
        self.env = {
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "VIRTUAL_ENV": str(top / "venv"),
            "PYTHONDONTWRITEBYTECODE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore", "CUSTOMSLOTS_TEST_CACHE": str(top / "modules"),
            "CUSTOMSLOTS_TEST_GENERATED": str(top.parent / "generated"), **(env or {})}
        self.env.update({name: value for name, value in os.environ.items()
                         if name.startswith("CUSTOMSLOTS_TEST_")})
        settings = [*settings, *([] if optimised else ["-Csetup-args=-Doptimization=0"])]
        wheels = self.wheels(python, settings, top)
        uv = functools.partial(session.run, *prefix, UV, external=True, env=self.env)
        uv("venv", "-q", "--python", python, top / "venv")
        if not wheels.exists():
            uv("build", "-q", "--wheel", *settings, "--python", self.bin / "python", "-o", top / "wheel", ROOT)
        if not wheels.exists():
            wheels.parent.mkdir(exist_ok=True)
            with contextlib.suppress(OSError):      # another session was quicker
                (top / "wheel").rename(wheels)
        wheel, = wheels.glob("*.whl")
        # pip, because some tests install examples with it.
        uv("pip", "install", "-q", "--python", self.bin / "python", "pip", f"{wheel}[{extra}]", *packages)

    def wheels(self, python, settings, top):
        """Where the wheel of this tree is or will be: for all sessions that build the same in
        one run of .ci/run, which says where; otherwise for this session alone."""
        flags = [self.env.get(name) or os.environ.get(name) for name in (
            "CC", "CXX", "CFLAGS", "LDFLAGS")]
        key = hashlib.sha256(repr((str(python), settings, flags)).encode()).hexdigest()[:12]
        shared = os.environ.get("CUSTOMSLOTS_WHEELS")
        return Path(shared) / key if shared else top / "wheels" / key

    def python(self, *arguments, **more_env):
        self.session.run(*self.prefix, self.bin / "python", *arguments, external=True,
                         env={**self.env, **more_env})

    def pytest(self, *arguments, **more_env):
        """The command, not `python -m pytest`, which would put this tree before the wheel."""
        options = os.environ.get("CUSTOMSLOTS_PYTEST", "").split()
        self.session.run(*self.prefix, self.bin / "pytest", "-q", *options, *arguments,
                         external=True, env={**self.env, **more_env})


def have_clang():
    return shutil.which("clang") and shutil.which("clang++")


def quick_compilers():
    """See BY_GCC."""
    return {"CC": "clang", "CXX": "clang++"} if have_clang() else {}


def for_version(version):
    # Later ones are compiled, and have no wheels for the free-threaded 3.13 and PyPy.
    return ["hypothesis == 6.112.0"] if "t" in version or version == "pypy" else []


def marked(marks):
    """The tests with the first of these marks, in the files where it stands or in folders that have it: others are not
    even read, which takes a debug build a minute and a half, and PyPy could not do."""
    mark = marks.partition(" ")[0]
    folders = re.search(r"OF_INTERPRETERS = (.*)", (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))[1]
    return ["-m", marks, *(
        path for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if mark == "interpreters" and path.parent.name in ast.literal_eval(folders)
        or f"mark.{mark}" in path.read_text(encoding="utf-8") and marks != PLAIN)]


@nox.session
def lint(session):
    """What .pre-commit-config.yaml says of every file, and the messages of the commits."""
    venv = Path(session.cache_dir).resolve() / "lint"
    session.run(sys.executable, "-m", "venv", venv, external=True)
    session.run(venv / "bin" / "python", "-m", "pip", "install", "-q", "pre-commit >= 3.2", "gitlint-core == 0.19.1",
                external=True)
    with session.chdir(ROOT):
        session.run(venv / "bin" / "pre-commit", "run", "--all-files", "--show-diff-on-failure",
                    *session.posargs, external=True)
        # Those since this check exists.
        first = session.run("git", "log", "--diff-filter=A", "--format=%H", "--", ".gitlint", external=True,
                            silent=True)
        session.run(venv / "bin" / "gitlint", "--commits", f"{first.split()[-1]}..HEAD", external=True)


@nox.session
@nox.parametrize("version, compiler", list(TESTED), ids=map(", ".join, TESTED))
def tests(session, version, compiler):
    """The suite on one interpreter, the wheel and what we wrote in C by one compiler."""
    python, (marks, env) = find_interpreter(session, version), TESTED[version, compiler]
    if compiler == "clang":
        if not have_clang():
            session.skip("clang is not on this machine")
        env = {**env, "CC": "clang", "CXX": "clang++"}
    extra = "test"
    if marks == PLAIN and session.posargs:          # a tool that is not there is a failure now, not a test skipped
        extra, env = "thorough", {**env, "CUSTOMSLOTS_ALL_TOOLS": "1"}
    Environment(session, python, *for_version(version), extra=extra, env=env,
                optimised=OPTIMISED.items() <= env.items()).pytest(*(session.posargs or marked(marks)))


@nox.session
@nox.parametrize("cython", CYTHONS, ids=CYTHONS)
def cythons(session, cython):
    """The compiler layer with other Cythons than the newest, on an interpreter that all support."""
    environment = Environment(session, find_interpreter(session, "3.12"))
    directory = Path(environment.env["CUSTOMSLOTS_TEST_CACHE"]).parent
    packages = directory / "cython"
    # That of others is by the Cython that is compiled.
    environment.env["CUSTOMSLOTS_TEST_GENERATED"] = str(directory / "generated")
    environment.env.pop("CUSTOMSLOTS_TEST_CYTHON", None)
    wanted = f"cython == {cython}.*" if cython[0].isdigit() else "cython"
    which = {"pure": ["--platform", "any", "--implementation", "py", "--abi", "none"], "newest": ["--pre"]}
    try:
        environment.python("-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:",
                           *which.get(cython, []), "-d", packages, wanted)
    except nox.command.CommandFailed:
        session.skip(f"pip could not get Cython {cython}")
    environment.python("-m", "pip", "install", "-q", "--no-deps", "--force-reinstall",
                       *packages.glob("*.whl"))
    environment.python("-c", "import Cython, Cython.Compiler.Code as code; "
                             "print('Cython', Cython.__version__, code.__file__)")
    environment.pytest(*(session.posargs or marked("cythons")))
    if "nightly" in " ".join(session.posargs):
        environment.python(ROOT / "tests" / "corpus" / "cython_tests.py", "--borrow-views", **quick_compilers())


@nox.session
def sanitizers(session):
    """All that runs C of this project under AddressSanitizer and UndefinedBehaviorSanitizer.

    Everything that is compiled anywhere in it takes part: the wheel, the test modules and
    those that demo, examples and children build, because all of them heed CFLAGS.
    """
    python = find_interpreter(session, USUAL)
    clang = f"libclang_rt.asan-{platform.machine()}.so"
    for cc, cxx, flags, names in (("clang", "clang++", SANITIZE_CLANG, [clang]),
                                  ("gcc", "g++", SANITIZE, ["libasan.so", "libubsan.so"])):
        libraries = [session.run(cc, f"-print-file-name={name}", external=True, silent=True).strip()
                     for name in names if shutil.which(cc) and shutil.which(cxx)]
        if libraries and all(os.path.isabs(path) for path in libraries):
            break
    else:
        session.skip("neither clang nor gcc has its libraries for sanitizers on this machine")
    # Meson runs a program to try the compiler, without a library loaded before it.
    link_flags = f"{flags} -Wl,-rpath,{os.path.dirname(libraries[0])}"
    environment = Environment(session, python,
                              env={"CC": cc, "CXX": cxx, "CFLAGS": flags, "LDFLAGS": link_flags,
                                   "CUSTOMSLOTS_TEST_C_FLAGS": "-O1 -g"})
    # The interpreter is not instrumented, so the run-time library is loaded before it, in
    # children, too; but not into compilers, which it slows down, nor into what names the places of
    # a report, which would never end.
    symbolizer = session.run(cc, "-print-prog-name=llvm-symbolizer", external=True, silent=True).strip()
    tools = Path(environment.env["CUSTOMSLOTS_TEST_CACHE"]).parent / "tools"
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
            *(session.posargs or marked(C_SUITE)), LD_PRELOAD=" ".join(libraries),
            PYTHONMALLOC="malloc", PATH=f"{tools}{os.pathsep}{environment.env['PATH']}",
            # CPython leaves memory behind at exit; a signal is for Python's faulthandler.
            ASAN_OPTIONS="detect_leaks=0:handle_segv=0:allocator_may_return_null=1:"
                         f"log_path={reports}",
            ASAN_SYMBOLIZER_PATH=str(tools / "llvm-symbolizer"),
            UBSAN_OPTIONS=f"print_stacktrace=1:log_path={reports}")
    finally:
        for report in sorted(reports.parent.glob("report.*")):
            session.log(f"{report.name}:\n{report.read_text(errors='replace')}")


@nox.session
def threads(session):
    """Threads change classes and fields under ThreadSanitizer: tests/hostile/tsan.sh."""
    # 77: it could not be had here.
    done = session.run("bash", ROOT / "tests" / "hostile" / "tsan.sh", *session.posargs, external=True,
                       success_codes=[0, 77], silent=True)
    session.log(done)
    if "classes checked" not in done:
        session.skip("no source of CPython or no ThreadSanitizer on this machine")


@nox.session
def thirtytwo(session):
    """The suite on a 32-bit interpreter, named "32" in CUSTOMSLOTS_PYTHONS."""
    python = find_interpreter(session, "32")
    # Where Debian's gcc-multilib is not, nothing leads to the headers of the kernel.
    m32 = f"-m32 -idirafter /usr/include/{platform.machine()}-linux-gnu"
    environment = Environment(session, python, prefix=("setarch", "i686"),
                              env={"CC": f"gcc {m32}", "CXX": f"g++ {m32}"})
    environment.pytest(*(session.posargs or marked(C_SUITE)))


@nox.session
@nox.parametrize("platform", PLATFORMS, ids=PLATFORMS)
def platforms(session, platform):
    """What can be known here of other platforms: docs/platforms.md says what that is."""
    if platform in FOREIGN:
        return foreign(session, platform)
    tools = {"windows": ("x86_64-w64-mingw32-gcc", "i686-w64-mingw32-gcc", "clang"), "msvc": ("clang",),
             "systems": ("musl-gcc",), "wheels": ()}[platform]
    for tool in tools:
        if not shutil.which(tool):
            session.skip(f"{tool} is not on this machine")
    env = {"CUSTOMSLOTS_PLATFORMS": "1"}        # what is missing fails
    if platform == "windows":
        env["CUSTOMSLOTS_WINDOWS_PYCONFIG"] = named("windows") or session.skip(
            "CPython's PC/pyconfig.h is not on this machine: CUSTOMSLOTS_PYTHONS can name it, as windows=PATH")
        include = "import sysconfig; print(sysconfig.get_path('include'))"
        env["CUSTOMSLOTS_MORE_HEADERS"] = os.pathsep.join(
            session.run(python, "-c", include, external=True, silent=True).strip()
            for version in OTHER_HEADERS if (python := named(version)))
    packages = {"windows": ["ziglang >= 0.15"], "systems": ["ziglang >= 0.15"],
                "wheels": ["cibuildwheel >= 4"]}.get(platform, [])
    environment = Environment(session, find_interpreter(session, USUAL), *packages, env=env)
    tests = ROOT / "tests" / "platforms"
    if platform != "msvc":
        return environment.pytest(*(session.posargs or [tests / f"test_{platform}.py"]))
    environment.pytest(tests / "test_msvc_branch.py")
    words = f"-fms-extensions -I{tests / 'msvc'} -include {tests / 'msvc' / 'words.h'}"
    environment.pytest(*marked("msvc"), CC="clang", CXX="clang++",
                       CUSTOMSLOTS_TEST_C_FLAGS=f"-O1 -g {words}")


def foreign(session, platform):
    """On another processor, run by qemu, compiled by its cross compiler; the C of Cython modules, and the
    environment's packages, are what this machine makes."""
    machine, family, order = FOREIGN[platform]
    if not shutil.which(f"{machine}-linux-gnu-g++"):
        session.skip(f"{machine}-linux-gnu-g++ is not on this machine")
    cross = Path(session.create_tmp()) / f"{platform}.ini"
    cross.write_text(f"""\
[binaries]
c = '{machine}-linux-gnu-gcc'
cpp = '{machine}-linux-gnu-g++'
strip = '{machine}-linux-gnu-strip'
[properties]
needs_exe_wrapper = true
[host_machine]
system = 'linux'
cpu_family = '{family}'
cpu = '{family}'
endian = '{order}'
""")
    environment = Environment(
        session, find_interpreter(session, platform), "hypothesis == 6.112.0",
        env={"CUSTOMSLOTS_PLATFORMS": "1"}, settings=[f"-Csetup-args=--cross-file={cross.resolve()}"])
    environment.pytest(*(session.posargs or marked("processors")), CC=f"{machine}-linux-gnu-gcc",
                       CXX=f"{machine}-linux-gnu-g++")


@nox.session
def interop(session):
    """Typed functions with the real NumPy, SciPy, numba, cffi, pybind11 and nanobind: all of them, of 3.12;
    and classes of the partners that the page on metaclass conflicts has."""
    environment = Environment(session, find_interpreter(session, "3.12"), extra="test-interop",
                              env={"CUSTOMSLOTS_INTEROP": "1"})     # what is missing fails
    environment.pytest(*(session.posargs or marked("interop")))


@nox.session
def clusters(session):
    """Classes of __main__ go to the workers of dask and ray."""
    environment = Environment(session, find_interpreter(session, "3.12"), extra="test-clusters",
                              env={"CUSTOMSLOTS_INTEROP": "1"})
    environment.pytest(*(session.posargs or ("-m", "nightly", "tests/compiler/test_travelling.py")))


@nox.session
def frameworks(session):
    """PyTorch and JAX take our arrays, and we theirs."""
    # uv does not read where pip finds a PyTorch without CUDA.
    environment = Environment(session, find_interpreter(session, "3.11"), extra="test-frameworks",
                              env={"CUSTOMSLOTS_INTEROP": "1", "UV_FIND_LINKS": os.environ.get("PIP_FIND_LINKS", "")})
    environment.pytest(*(session.posargs or ("-m", "nightly", "tests/arrays/test_frameworks.py")))


@nox.session
def pypy(session):
    """What works on PyPy, named "pypy" in CUSTOMSLOTS_PYTHONS: modules that are compiled for it, and
    the package installed there."""
    python = find_interpreter(session, "pypy")
    if not session.posargs:
        Environment(session, find_interpreter(session, "3.12")).pytest(*marked("pypy"))
    Environment(session, python, *for_version("pypy")).pytest(*(session.posargs or marked("on_pypy")))


@nox.session
def corpus(session):
    """Packages, and with "--selection all" Cython's tests, have the same outcomes through the layer and without."""
    environment = Environment(session, find_interpreter(session, "3.12"))
    chosen = session.posargs or ("--selection", "ci")
    environment.python(ROOT / "tests" / "corpus" / "run.py", *chosen, **quick_compilers())
    if "all" in chosen:
        for switches in ((), ("--borrow-views",)):
            environment.python(ROOT / "tests" / "corpus" / "cython_tests.py", *switches, **quick_compilers())


@nox.session
def docs(session):
    """The site is built without a warning; the argument says where it is left."""
    if not shutil.which("doxygen"):
        session.skip("found no doxygen on PATH, which reads the headers for the reference")
    environment = Environment(session, find_interpreter(session, "3.12"), extra="docs")
    site = session.posargs[0] if session.posargs else Path(session.create_tmp()) / "site"
    session.run(environment.bin / "sphinx-build", "-q", "-W", "--keep-going", "-c", "docs", ".", site,
                external=True, env=environment.env)
    session.log(f"the site begins at {Path(site).resolve() / 'index.html'}")


@nox.session
def benchmarks(session):
    """The benchmarks run, without arguments those that build little; the figures are not judged here."""
    environment = Environment(session, find_interpreter(session, USUAL), extra="bench", optimised=True)
    for script in sorted((ROOT / "benchmarks").glob("bench_*.py")):
        if session.posargs or script.stem.removeprefix("bench_") in SMOKE:
            environment.python(script, *(session.posargs or ("--smoke",)))


@nox.session
def release(session):
    """An sdist and a wheel of the last commit, built twice and checked; tests run from the sdist."""
    python = find_interpreter(session, USUAL)
    environment = Environment(session, python, extra="test,release")
    top = environment.bin.parent.parent
    environment.python(ROOT / "packaging" / "dist.py", top / "dist")
    sdist, = (top / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(top / "sdist")
    unpacked, = (top / "sdist").iterdir()
    # To see that it has what tests need; the session readme runs all of them.
    environment.pytest("--rootdir", unpacked, *(unpacked / name for name in session.posargs or ["tests/layout"]))
