# SPDX-License-Identifier: MIT
"""Calls of typed callables: ordinary loops, SciPy's quad(), PyPy.

One call a turn: `x += f(i)` is summed, `x = f(x)` chained, and `x += f(items[i])`, where f is an object
that can be called, "array".  In C, in C++ with the class customslots::callable, and in Cython, by gcc and
by clang if they are there.  The loops are those of bench_natural.py, which has the look-ups of slots.

Beside them in the same table: quad() and generic_filter() of examples/scipy_callbacks against SciPy's,
if SciPy 1.17 is installed, and what bench_pypy.py finds on the PyPy that CUSTOMSLOTS_PYTHONS names
("pypy=/path/to/it") or that is on PATH as pypy3.  The example and an environment for PyPy are made
below the directory of the build; a smoke run takes only what is there already.
"""
from __future__ import annotations

import functools
import importlib.machinery
import json
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

from bench_natural import LANGUAGES, compilers, found, held, modules
from common import HERE, SMOKE, Case, Elsewhere, LeftOut, Loop, main, merge

TARGET = 1.03
OBJECT = 1.02
TURNS = 512
SCIPY = "1.17."


def cases(language: str, compiler: str) -> list[Case]:
    import natural_objects

    copies = held(language, compiler)
    turns = [None] * TURNS          # how many, to the loops: they look at none
    line = natural_objects.Line()

    class Overriding(natural_objects.Line):
        def __call__(self, x: float) -> float:
            return 0.5 * x + 1.0

    def loop(name: str, called: object = line) -> Loop:
        def run(copy: types.ModuleType, repetitions: int) -> float:
            copy.hold_object(called)
            return copy.run(name, turns, repetitions)
        return Loop([functools.partial(run, copy) for copy in copies], TURNS)

    def case(what: str, name: str, target: float | None = TARGET) -> Case:
        return Case(what, loop(name), "function pointer", loop(f"{name.partition('_')[0]}_pointer"),
                    target)
    rows = [
        case("summed", "summed_typed"),
        case("summed, needs the GIL, caller has it", "summed_with_gil"),
        case("chained", "chained_typed", None),
        case("summed, needs the GIL, caller is asked", "summed_asked", None),
        Case("asking whether the GIL is there", loop("summed_asked"), "caller that has it",
             loop("summed_with_gil"), unit="ns"),
        case("array, an object", "array_object", OBJECT)]
    if language == "Cython":
        rows.append(Case("array, an object that overrides __call__", loop("array_object", Overriding()),
                         "its __call__", loop("array_python", Overriding()), TARGET))
    return rows


def run(*command: str | Path, what: str, cwd: Path | None = None) -> None:
    """What it writes goes to stderr: the table alone is on stdout."""
    done = subprocess.run(command, cwd=cwd, stdout=sys.stderr, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise LeftOut(f"{what} failed with exit code {done.returncode}; what it said stands above")


def scipy_callbacks(directory: Path, rounds: int, processes: int) -> tuple[str, dict[str, list[dict]]]:
    """The example's bench.py, in a copy of the example."""
    try:
        import scipy
        found = scipy.__version__
    except ImportError:
        found = "none"
    if not found.startswith(SCIPY):
        raise LeftOut(f"found SciPy {found}, expected {SCIPY}x: pip install 'scipy == {SCIPY}*' setuptools")
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    if not (directory / "scipy_callbacks" / f"_nd_image{suffix}").exists():
        if SMOKE:
            raise LeftOut("a smoke run does not fetch SciPy's sdist")
        shutil.copytree(HERE.parent / "examples" / "scipy_callbacks", directory, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__", "build", "*.so", "functions.c"))
        run(sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", cwd=directory,
            what="building examples/scipy_callbacks")
    found_rows = []
    for number in range(processes):
        written = directory / f"rows-{number}.json"
        run(sys.executable, "bench.py", str(rounds), "--json", written, cwd=directory,
            what="examples/scipy_callbacks/bench.py")
        found_rows.append(json.loads(written.read_text()))
    return found, {name: merge([rows[name] for rows in found_rows]) for name in found_rows[0]}


def pypy(directory: Path, rounds: int, processes: int) -> tuple[str, dict[str, list[dict]]]:
    """bench_pypy.py there, in an environment with the package of this tree."""
    named = dict(pair.split("=", 1) for pair in os.environ.get("CUSTOMSLOTS_PYTHONS", "").split())
    interpreter = named.get("pypy") or shutil.which("pypy3")
    if not interpreter:
        raise LeftOut('found no pypy3 on PATH; CUSTOMSLOTS_PYTHONS="pypy=/path/to/it" can name it')
    python = directory / "venv" / "bin" / "python"
    written = directory / "rows.json"
    if not python.exists():
        if SMOKE:
            raise LeftOut("a smoke run installs no package for it")
        run(interpreter, "-m", "venv", python.parent.parent, what="making an environment for PyPy")
        run(python, "-m", "pip", "install", "--quiet", f"{HERE.parent}[cython]",
            what="installing the package on PyPy")
    run(python, HERE / "bench_pypy.py", "--rounds", str(rounds), "--processes", str(processes),
        "--json", written, *(["--smoke"] if SMOKE else []), what="bench_pypy.py")
    found = json.loads(written.read_text())
    return (f"{found['machine']}; {found['compiler']}",
            {f"PyPy, {name}": [{**row, "python": found["python"]} for row in rows]
             for name, rows in found["results"].items()})


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        f"{language}, {compiler}": functools.partial(cases, language, compiler)
        for compiler in found() for language in LANGUAGES}, compilers=compilers,
        elsewhere=[Elsewhere("SciPy", scipy_callbacks), Elsewhere("PyPy", pypy)]))
