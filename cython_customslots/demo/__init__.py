# SPDX-License-Identifier: MIT
"""`python -m cython_customslots demo` builds two libraries that meet, and shows what they do.

`demo --all` builds the examples instead, runs each and shows its memory.
"""
from __future__ import annotations

import argparse
import getpass
import hashlib
import json
import os
import platform
import shutil
import signal
import stat
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path

from .. import __file__ as _package_file
from .. import __version__
from ..tools.building import BuildError, Module, Result, build_all, find_toolchain
from . import picture
from .scenes import CRASH, SCENES, Scene, modules_of

_TIMEOUT = 120  # seconds, for one example


# ------------------------------------------------------------------ where to build --


def _is_private(directory: Path) -> bool:
    """Only we can have put something into it.  The name is predictable and /tmp is
    everybody's, and the demo runs what it finds there."""
    info = os.lstat(directory)
    if not stat.S_ISDIR(info.st_mode):
        return False
    return not hasattr(os, "getuid") or (
        info.st_uid == os.getuid() and not info.st_mode & 0o022)


def _default_directory() -> Path:
    """The same for each run of this user, so that nothing is compiled twice."""
    try:
        user = str(os.getuid()) if hasattr(os, "getuid") else getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = "user"
    top = Path(tempfile.gettempdir(), f"cython-customslots-demo-{user}")
    top.mkdir(mode=0o700, exist_ok=True)
    if not _is_private(top):
        return Path(tempfile.mkdtemp(prefix="cython-customslots-demo-"))
    # Two interpreters, or two installations, must not rebuild each other's modules.
    who = f"{sys.executable}\0{sys.version}\0{_package_file}"
    tag = sysconfig.get_config_var("SOABI") or platform.python_version()
    return top / f"{tag}-{hashlib.sha256(who.encode()).hexdigest()[:8]}"


def _copy_examples(source: Path, target: Path) -> None:
    """Copies what has changed; what was built beside it before is left alone."""
    for path in sorted(source.rglob("*")):
        parts = path.relative_to(source).parts
        if not path.is_file() or any(part[0] in "._" for part in parts):
            continue
        copy = target.joinpath(*parts)
        content = path.read_bytes()
        if not copy.is_file() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)


# --------------------------------------------------------------------- child processes --


def _environment() -> dict[str, str]:
    environment = dict(os.environ)
    # It would add a traceback to the crash that is meant to happen.
    environment.pop("PYTHONFAULTHANDLER", None)
    environment["PYTHONIOENCODING"] = "utf-8"
    return environment


def _run(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A Python of its own: nothing of an example, nor a crash, reaches this process."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=_environment(), encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=_TIMEOUT)


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code:#x}" if code > 255 else f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


# ------------------------------------------------------------------------ one example --


def _indent(lines: Sequence[str] | str, by: int = 4) -> str:
    text = lines if isinstance(lines, str) else "\n".join(lines)
    return textwrap.indent(text.rstrip("\n"), " " * by)


def _report_look(scene: Scene, folder: Path) -> tuple[str, list[str]]:
    """Prints tables and picture; returns what FriendlyHello did, and complaints."""
    done = _run(["-m", "cython_customslots.demo.look", scene.name], folder)
    lines = done.stdout.splitlines()
    try:
        classes = json.loads(lines[0])
    except (IndexError, ValueError):
        print(_indent(done.stdout))
        return "", [f"{scene.name}: could not look at its classes "
                    f"({_ending(done.returncode)})"]
    if scene.field:
        print()
        print(_indent(picture.fields(classes)))
    if scene.slots:
        print()
        print(_indent(picture.slots(classes)))
    if scene.picture:
        [cls] = [cls for cls in classes if cls["path"] == scene.picture]
        print()
        print(_indent(picture.memory(cls)))
    if not scene.friendly:
        return "", []
    try:
        got = said = json.loads(lines[1])
    except (IndexError, ValueError):            # nothing, or what a dying process said
        got, said = CRASH, f"crashes: {_ending(done.returncode)}"
    if got != scene.friendly:
        return said, [f"{scene.name}: the Python subclass gave {said!r}, "
                      f"expected {scene.friendly!r}"]
    return said, []


def _play(number: int, scene: Scene, root: Path) -> tuple[str, list[str]]:
    folder = root / scene.name
    heading = f"{number}. {scene.title}"
    print()
    print(heading.ljust(86 - len(scene.name)), scene.name)
    print("-" * 87)
    print(scene.shows)
    print()
    done = _run(["example.py"], folder)
    print(_indent([f"| {line}".rstrip() for line in done.stdout.splitlines()], 2))
    if done.returncode != 0:
        return "", [f"{scene.name}: example.py ended with {_ending(done.returncode)}"]
    return _report_look(scene, folder) if scene.classes or scene.friendly else ("", [])


def _summarize(outcomes: Sequence[tuple[Scene, str]]) -> None:
    """The last of the greetings is followed by what all of them came to."""
    rows = [(scene.name.partition("/")[2], *scene.summary, friendly)
            for scene, friendly in outcomes if scene.friendly]
    if len(rows) > 1:
        print()
        print("The greetings side by side")
        print("-" * 87)
        print("\n".join(picture.table(
            ("example", "the sentence is in", "made from C array",
             "class FriendlyHello(Hello)"), rows)))


# ------------------------------------------------------------------------------- main --


def _select(names: Sequence[str]) -> list[Scene]:
    chosen = []
    for name in names:
        name = name.rstrip("/")
        matching = [scene for scene in SCENES
                    if scene.name == name or scene.name.startswith(name + "/")
                    or scene.name.endswith("/" + name)]
        if not matching:
            known = "\n".join(f"  {scene.name}" for scene in SCENES)
            raise SystemExit(_fail(
                f"There is no example {name!r}. Choose from these, or all of them with --all:\n{known}", 2))
        chosen += matching
    return list(dict.fromkeys(chosen))


def _fail(message: str, code: int) -> int:
    print(f"cython_customslots demo: {message}", file=sys.stderr)
    return code


def _build(jobs: Sequence[tuple[str, Module, Path]], root: Path) -> None:
    find_toolchain()  # complains before anything is announced
    print(f"Building {len(jobs)} extension modules in {root}", flush=True)
    ready = 0
    compiled = 0

    def report(index: int, result: Result) -> None:
        nonlocal ready, compiled
        ready += 1
        if result.built:
            compiled += 1
            print(f"  [{ready:>2}/{len(jobs)}] {jobs[index][0]:<32} "
                  f"{result.seconds:5.1f} s", flush=True)

    build_all([job[1:] for job in jobs], report=report)
    kept = len(jobs) - compiled
    if kept:
        print(f"  {kept} of them {'was' if kept == 1 else 'were'} up to date.")


def _prepare(source: Path, root: Path, jobs: Sequence[tuple[str, Module, Path]]) -> int:
    """Copies and builds; an exit code."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        _copy_examples(source, root)
        _build(jobs, root)
    except BuildError as error:
        return _fail(str(error), 1)
    except OSError as error:
        return _fail(f"Cannot write to {root}: {error.strerror}.\n"
                     "Choose another place with --directory.", 1)
    return 0


def _meet(root: Path) -> int:
    """Two libraries that know nothing of each other: what they can do together."""
    print(picture.coloured("Compiled libraries that have never heard of each other call each other's C\n"
                           "functions, at the cost of a call through a pointer.", picture.BOLD))
    print("circles.pyx provides, totals.pyx consumes, and neither imports the other.")
    jobs = [(name, Module(name, [root / f"{name}.pyx"], cython_args=["--runtime=installed"],
                          cflags=[optimized, "-g0"]), root)
            for name, optimized in (("circles", "-O1"), ("totals", "-O1"), ("measured", "-O2"))]
    code = _prepare(Path(__file__).parent / "libraries", root, jobs)
    if code:
        return code
    sys.stdout.flush()
    try:
        done = subprocess.run([sys.executable, "-m", "cython_customslots.demo.meeting"], cwd=root,
                              env=_environment(), timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        return _fail(f"not ready after {_TIMEOUT} seconds", 1)
    print(f"\ndemo --all: other ways to do it, and memory. Sources, modules, generated C: {root}")
    if done.returncode:
        return _fail(f"what was shown ended with {_ending(done.returncode)}", 1)
    return 0


def _show(scenes: Sequence[Scene], root: Path) -> int:
    started = time.perf_counter()
    examples = Path(_package_file).resolve().parent / "examples"
    if not (examples / "greetings").is_dir():
        return _fail(f"The examples are missing: expected them in {examples}.\n"
                     "The package is not installed completely; pip install it again.", 1)
    code = _prepare(examples, root, [job for scene in scenes for job in modules_of(scene, root)])
    if code:
        return code
    print("Each example is a small project of its own; each runs in a process of its own.")

    outcomes, complaints = [], []
    for number, scene in enumerate(scenes, 1):
        try:
            friendly, found = _play(number, scene, root)
        except subprocess.TimeoutExpired:
            friendly, found = "", [f"{scene.name}: not ready after {_TIMEOUT} seconds"]
        outcomes.append((scene, friendly))
        complaints += found
        if scene.friendly and not any(later.friendly for later in scenes[number:]):
            _summarize(outcomes)
        sys.stdout.flush()
    print()
    print(f"{time.perf_counter() - started:.1f} s in all. Sources, modules and (in .build) "
          f"the generated C:\n{root}")
    if complaints:
        return _fail("something did not go as expected:\n  " + "\n  ".join(complaints), 1)
    return 0


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m cython_customslots demo",
        description="Builds a provider and a consumer with the compiler layer, shows what they "
                    "do with each other, and measures it.")
    parser.add_argument("example", nargs="*",
                        help="build and run these examples instead, each in a child process, and show its "
                             "slots, its C fields and its memory; for example greetings/customslots or duck_typing")
    parser.add_argument("--all", action="store_true",
                        help="all examples: the ways to keep C data of a class, one after the other")
    parser.add_argument("--directory", type=Path, metavar="DIR",
                        help="where to build (default: a directory of yours among the "
                             "temporary files)")
    parser.add_argument("--rebuild", action="store_true",
                        help="compile everything again")
    options = parser.parse_args(arguments)
    if hasattr(sys.stdout, "reconfigure"):  # a path may hold what a terminal cannot show
        sys.stdout.reconfigure(errors="backslashreplace")
    scenes = list(SCENES) if options.all else _select(options.example)
    if platform.python_implementation() != "CPython":
        return _fail(f"The demo is about CPython's type objects, and this is "
                     f"{platform.python_implementation()}.", 1)
    root = (options.directory or _default_directory()).absolute()
    if options.rebuild:
        for folder in [scene.name for scene in scenes] or ["meeting"]:
            shutil.rmtree(root / folder / ".build", ignore_errors=True)
    print(f"cython-customslots {__version__} on {platform.python_implementation()} "
          f"{platform.python_version()}")
    return _show(scenes, root) if scenes else _meet(root / "meeting")
