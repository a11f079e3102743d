# SPDX-License-Identifier: MIT
"""Builds extension modules from .pyx and .c files with nothing but Python and a compiler.

For the demo and the tests, which want a module in a directory now, and the next time without
delay.  For a project of your own use setuptools, meson-python or CMake (see the
examples); this is not a build system.

    module = Module("greetings", ["greetings.pyx", "common/greetings.c"],
                    include_dirs=["common"])
    path = build(module, "out").path

Everything that a result depends on is hashed, by content; a module whose hash has not
changed is not built again.  Every failure is a BuildError whose text is for the user.
"""
from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

__all__ = ["BuildError", "Module", "Result", "Toolchain", "build", "build_all",
           "compile_runtime", "cython_command", "find_toolchain", "fingerprint_of_sources",
           "run_cython"]

# Files beside the sources that a source may include or cimport.
_INCLUDABLE = {".h", ".hpp", ".hh", ".inc", ".pxd", ".pxi"}
_C_SUFFIXES = {".c"}
_CXX_SUFFIXES = {".cpp", ".cc", ".cxx"}
_CYTHON_SUFFIXES = {".pyx", ".py"}


class BuildError(Exception):
    """Says what was found, what was expected and what to do, in a few lines."""


@dataclasses.dataclass(frozen=True)
class Toolchain:
    """How this interpreter wants its extension modules to be compiled."""

    cc: tuple[str, ...]
    cxx: tuple[str, ...]
    cflags: tuple[str, ...]
    link_flags: tuple[str, ...]
    include_dirs: tuple[str, ...]
    suffix: str

    @property
    def identity(self) -> str:
        return repr(dataclasses.astuple(self)) + sys.version


@dataclasses.dataclass(frozen=True)
class Module:
    """An extension module to build.

    name          its full name; the part behind the last dot names the file
    sources       .pyx, .py (compiled by Cython), .c, .cpp, in any mixture
    include_dirs  for the C compiler and for Cython (.pxd files)
    layer         True: through cython-customslots; False: plain Cython
    cython_args   further arguments for that command
    cflags        for the compiler, behind the interpreter's own
    ldflags       for the linker, behind everything else
    cplus         let Cython write C++
    """

    name: str
    sources: Sequence[str | os.PathLike]
    include_dirs: Sequence[str | os.PathLike] = ()
    layer: bool = True
    cython_args: Sequence[str] = ()
    cflags: Sequence[str] = ()
    ldflags: Sequence[str] = ()
    cplus: bool = False


@dataclasses.dataclass(frozen=True)
class Result:
    module: Module
    path: Path      # the extension module
    built: bool     # False: it was up to date
    seconds: float


# ------------------------------------------------------------------ the toolchain --


def _install_hint(what: str) -> str:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if sys.platform == "darwin":
        return "On macOS: xcode-select --install"
    if os.name == "nt":
        return ("On Windows this small builder does not work; build the projects in "
                "the examples folder with pip and Microsoft's C++ Build Tools instead.")
    if what == "compiler":
        return ("Debian, Ubuntu: apt install gcc       Fedora: dnf install gcc\n"
                "Alpine: apk add gcc musl-dev          Arch: pacman -S gcc\n"
                "Another compiler: set the environment variable CC to its command.")
    return (f"Debian, Ubuntu: apt install python{version}-dev (or python3-dev)\n"
            f"Fedora: dnf install python3-devel     Alpine: apk add python3-dev\n"
            "Or use an interpreter that brings its headers, for example one from "
            "python.org, pyenv or conda.")


def _config_words(variable: str) -> list[str]:
    return shlex.split(sysconfig.get_config_var(variable) or "")


def _find_compiler(env_name: str, fallbacks: Sequence[str]) -> tuple[list[str], bool]:
    """The command, and whether it is the one that built the interpreter."""
    wanted = shlex.split(os.environ.get(env_name, ""))
    if wanted:
        if shutil.which(wanted[0]) is None:
            raise BuildError(
                f"The C compiler is missing: the environment variable {env_name} says "
                f"{wanted[0]!r}, and there is no such command.\n"
                f"Unset {env_name}, or let it name a compiler that is installed.")
        return wanted, wanted == _config_words(env_name)
    own = _config_words(env_name)
    if own and shutil.which(own[0]):
        return own, True
    for command in fallbacks:
        if shutil.which(command):
            return [command], False
    looked_for = ", ".join(dict.fromkeys([*own[:1], *fallbacks]))
    raise BuildError(
        f"The C compiler is missing: none of {looked_for} is on the PATH.\n"
        "An extension module has to be compiled from C, so one is needed.\n"
        + _install_hint("compiler"))


def _find_headers() -> list[str]:
    directories = list(dict.fromkeys(
        path for key in ("include", "platinclude") if (path := sysconfig.get_path(key))))
    if not any(os.path.exists(os.path.join(path, "Python.h")) for path in directories):
        raise BuildError(
            "Python's C headers are missing: there is no Python.h in "
            + " or ".join(directories or ["(no directory is configured)"]) + ".\n"
            f"They have to be those of the interpreter that runs this, Python "
            f"{sys.version.split()[0]} ({sys.executable}).\n" + _install_hint("headers"))
    return directories


def find_toolchain() -> Toolchain:
    """Looks for a compiler and for Python.h; BuildError says which one is missing.

    The flags are the interpreter's own (sysconfig); the environment variables CC,
    CXX, CFLAGS and LDFLAGS mean what they mean for setuptools.
    """
    cc, native = _find_compiler("CC", ("cc", "gcc", "clang"))
    include_dirs = _find_headers()
    try:
        cxx, _ = _find_compiler("CXX", ("c++", "g++", "clang++"))
    except BuildError:
        cxx = []  # needed for C++ sources only; build() says so when it meets one
    if native:
        cflags = [*_config_words("CFLAGS"), *_config_words("CCSHARED")]
        linker = _config_words("LDSHARED")
        # The linker's command may have words before its flags ("gcc -pthread -shared").
        link_flags = linker[len(cc):] if linker[:len(cc)] == cc else linker[1:]
    else:  # another compiler may not know the flags of the first one
        cflags = ["-fPIC", "-O2", "-fno-strict-aliasing", "-fwrapv", "-DNDEBUG"]
        link_flags = (["-bundle", "-undefined", "dynamic_lookup"]
                      if sys.platform == "darwin" else ["-shared"])
    return Toolchain(
        cc=tuple(cc), cxx=tuple(cxx),
        cflags=(*cflags, *shlex.split(os.environ.get("CFLAGS", ""))),
        link_flags=(*link_flags, *shlex.split(os.environ.get("LDFLAGS", ""))),
        include_dirs=tuple(include_dirs),
        suffix=sysconfig.get_config_var("EXT_SUFFIX") or ".so")


# ------------------------------------------------------------------ what it is made of --


@functools.lru_cache(maxsize=None)
def fingerprint_of_tools() -> str:
    """A hash of the compiler layer, the headers, this file and the version of Cython."""
    try:
        from ..compiler import Cython     # it says what to install if there is no Cython
    except ModuleNotFoundError as error:
        if error.name != "Cython":
            raise
        raise BuildError(str(error)) from None
    from ..compiler.reports.tracking import digest_of_files

    made_of = f"{Cython.__version__} {digest_of_files()}".encode() + Path(__file__).read_bytes()
    return hashlib.sha256(made_of).hexdigest()


def _includable_files(directories: Iterable[Path]) -> list[Path]:
    found = set()
    for top in directories:
        for directory, subdirectories, names in os.walk(top):
            subdirectories[:] = [name for name in subdirectories if name[0] not in "._"]
            found.update(Path(directory, name) for name in names
                         if os.path.splitext(name)[1] in _INCLUDABLE)
    return sorted(found)


def fingerprint_of_sources(module: Module) -> str:
    """A hash of all that the C of its Cython sources depends on.

    Where the files lie is left out, so that a moved or copied tree stays valid, and so is
    the interpreter: Cython's output is for all of them.
    """
    digest = hashlib.sha256(fingerprint_of_tools().encode())
    digest.update(repr((module.name, module.layer, list(module.cython_args),
                        module.cplus)).encode())
    sources = [Path(source) for source in module.sources]
    around = [*(source.parent for source in sources), *map(Path, module.include_dirs)]
    for path in [*sources, *_includable_files(around)]:
        try:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        except OSError as error:
            raise BuildError(f"Cannot read {path}: {error.strerror}.\n"
                             f"It is needed for the module {module.name}.") from None
    return digest.hexdigest()


def _fingerprint(module: Module, toolchain: Toolchain) -> str:
    digest = hashlib.sha256(fingerprint_of_sources(module).encode())
    digest.update(toolchain.identity.encode())
    digest.update(repr((list(module.cflags), list(module.ldflags))).encode())
    return digest.hexdigest()


# ------------------------------------------------------------------------- building --


def _run(command: Sequence[str], what: str, cwd: Path) -> None:
    try:
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
    except OSError as error:
        raise BuildError(f"{what} could not be started: {command[0]}: "
                         f"{error.strerror}.") from None
    if done.returncode == 0:
        return
    end = (f"was killed by signal {-done.returncode}" if done.returncode < 0
           else f"failed with exit code {done.returncode}")
    lines = done.stdout.strip().splitlines()
    shown = lines if len(lines) <= 60 else [*lines[:40], "    [...]", *lines[-20:]]
    raise BuildError("\n".join(
        [f"{what} {end}:", *shown, "The command was: " + shlex.join(command)]))


def cython_command(module: Module, source: Path, output: Path) -> list[str]:
    """The command, behind `python -m`, that generates the C of one source.

    In a process of its own, because Cython keeps global state and the layer adds to it;
    in a directory where no checkout shadows the installed package.
    """
    command = ["cython_customslots.compiler.commands.cli" if module.layer else "cython",
               "-3", "--module-name", module.name]
    if module.cplus:
        command.append("--cplus")
    for directory in module.include_dirs:
        command += ["-I", str(Path(directory).absolute())]
    return [*command, *module.cython_args, "-o", str(output), str(source)]


def run_cython(module: Module, source: Path, output: Path) -> None:
    """Generates the C of one source, which is `output`; BuildError says why it cannot."""
    _run([sys.executable, "-m", *cython_command(module, source, output)],
         f"Cython on {source.name}", output.parent)


def _compile(module: Module, toolchain: Toolchain, source: Path, include_dirs: list[Path],
             work: Path, output: Path) -> None:
    cxx = source.suffix in _CXX_SUFFIXES
    compiler = toolchain.cxx if cxx else toolchain.cc
    if not compiler:
        raise BuildError(
            f"The C++ compiler is missing: {source.name} needs one, and none of c++, g++, "
            "clang++ is on the PATH.\nDebian, Ubuntu: apt install g++     "
            "Fedora: dnf install gcc-c++")
    includes = [f"-I{path}" for path in [*include_dirs, *toolchain.include_dirs]]
    _run([*compiler, *toolchain.cflags, *includes, *module.cflags,
          "-c", str(source), "-o", str(output)],
         f"The {'C++' if cxx else 'C'} compiler on {source.name}", work)


def compile_runtime(directory: str | os.PathLike, *, toolchain: Toolchain | None = None,
                    cflags: Sequence[str] = ()) -> Path:
    """The object of customslots_runtime.c, compiled into `directory` unless it is there.

    For the `ldflags` of modules that were generated with --runtime=linked.
    """
    from .. import get_runtime_source

    toolchain, source = toolchain or find_toolchain(), Path(get_runtime_source())
    module = Module("customslots_runtime", [source], cflags=cflags)
    digest = hashlib.sha256(repr((toolchain.identity, cflags)).encode() + source.read_bytes()).hexdigest()
    target = Path(directory).absolute() / f"customslots_runtime-{digest[:16]}.o"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="work-", dir=target.parent) as work:
            _compile(module, toolchain, source, [], Path(work), made := Path(work, target.name))
            os.replace(made, target)
    return target


def build(module: Module, directory: str | os.PathLike, *,
          toolchain: Toolchain | None = None, parallel: int | None = None,
          cythonize: Callable[[Module, Path, Path], None] = run_cython) -> Result:
    """Builds `module` into `directory` unless an up-to-date one is there.

    Beside it, the directory `.build` keeps the generated C and the hash.  Several
    processes may build the same module into the same place: the last one wins, and
    half a file is never seen.  `parallel`: how many sources are compiled at a time,
    by threads unless it is 1.  `cythonize` is for callers that have the C already, or a
    quicker way to it than a new process: it does what run_cython() does.
    """
    started = time.perf_counter()
    toolchain = toolchain or find_toolchain()
    target_dir = Path(directory).absolute()
    last_name = module.name.rpartition(".")[2]
    target = target_dir / (last_name + toolchain.suffix)
    keep = target_dir / ".build" / module.name
    stamp = keep / ("fingerprint" + toolchain.suffix + ".txt")
    fingerprint = _fingerprint(module, toolchain)
    try:
        if target.exists() and stamp.read_text() == fingerprint:
            return Result(module, target, False, time.perf_counter() - started)
    except OSError:
        pass  # not built before

    keep.mkdir(parents=True, exist_ok=True)
    sources = [Path(source).absolute() for source in module.sources]
    includes = [Path(path).absolute() for path in module.include_dirs]
    work = Path(tempfile.mkdtemp(prefix="work-", dir=keep))
    try:
        def make_object(index: int, source: Path) -> Path:
            # Numbered: greetings.pyx and greetings.c are two objects.
            made = work / f"{index}-{source.stem}.o"
            if source.suffix in _CYTHON_SUFFIXES:
                generated = work / str(index) / (source.stem + (".cpp" if module.cplus else ".c"))
                generated.parent.mkdir()
                cythonize(module, source, generated)
                # Quoted includes are looked up beside the generated C first, so the
                # directory of the .pyx has to be named.
                _compile(module, toolchain, generated, [source.parent, *includes], work, made)
                os.replace(generated, keep / generated.name)
            elif source.suffix in _C_SUFFIXES | _CXX_SUFFIXES:
                _compile(module, toolchain, source, includes, work, made)
            else:
                known = ", ".join(sorted(_CYTHON_SUFFIXES | _C_SUFFIXES | _CXX_SUFFIXES))
                raise BuildError(f"Cannot build {source.name}: a source has to end in one "
                                 f"of {known}.")
            return made

        if parallel == 1 or len(sources) == 1:
            objects = [make_object(*pair) for pair in enumerate(sources)]
        else:
            with concurrent.futures.ThreadPoolExecutor(parallel or _at_once()) as pool:
                objects = list(pool.map(make_object, range(len(sources)), sources))
        cxx = module.cplus or any(path.suffix in _CXX_SUFFIXES for path in sources)
        linker = toolchain.cxx if cxx else toolchain.cc
        result = work / target.name
        _run([*linker, *map(str, objects), *toolchain.link_flags, *module.ldflags,
              "-o", str(result)], f"The linker on {module.name}", work)
        os.replace(result, target)
        (work / "stamp").write_text(fingerprint)
        os.replace(work / "stamp", stamp)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Result(module, target, True, time.perf_counter() - started)


def _at_once() -> int:
    return min(4, os.cpu_count() or 1)


def build_all(jobs: Sequence[tuple[Module, str | os.PathLike]], *,
              parallel: int | None = None,
              report: Callable[[int, Result], None] | None = None) -> list[Result]:
    """Builds several (module, directory) pairs, some at a time; results in their order.

    `report(index, result)` is called for each as it becomes ready.  The first failure
    is raised, after those that are under way have ended.
    """
    toolchain = find_toolchain()
    workers = parallel or _at_once()
    results: list[Result | None] = [None] * len(jobs)
    with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
        futures = {pool.submit(build, module, directory, toolchain=toolchain): index
                   for index, (module, directory) in enumerate(jobs)}
        try:
            for future in concurrent.futures.as_completed(futures):
                index = futures[future]
                results[index] = result = future.result()
                if report is not None:
                    report(index, result)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [result for result in results if result is not None]
