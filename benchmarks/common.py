# SPDX-License-Identifier: MIT
"""What the benchmarks share: how they build, measure, judge and print.

THE METHOD

What is claimed is never a time but a ratio of two things measured in turn, in one
process, on the same objects.  A *slice* is a run of about one millisecond.  In each
round the cases come in a new random order, and each slice of a case stands between two
slices of its baseline, so that a slow second of the machine hits both.

What counts is the best slice, for the case and for its baseline: other work on the
machine can only add time.  Where code and objects happen to lie in memory moves such
figures, too, and does not change while a process runs.  Therefore each loop exists in
several copies in different places, which take turns, and of the best slices of the
copies the median is taken; and everything is repeated in several processes, and the
median over these is the figure that is published and judged.

The column "paired" is the median over all slices of case / neighbouring baseline slices.
If it is far from the ratio, the machine was busy: with the other hardware thread of the
core at work, code that is limited by decoding takes twice the time, and code that is not
takes no longer, so that even ratios are different ones.
"""
from __future__ import annotations

import argparse
import collections
import dataclasses
import importlib.machinery
import importlib.util
import itertools
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent

# Run as a script, this directory comes first on sys.path, and never the checkout's
# root: what is measured is the installed package.
try:
    from cython_customslots import get_include
    from cython_customslots.tools.building import BuildError, Module, build_all, find_toolchain
except ImportError as error:
    raise SystemExit(f"benchmarks: cannot import the installed package ({error}); run "
                     "'pip install .' in the project's root first") from None

__all__ = ["Case", "Elsewhere", "HERE", "LeftOut", "Loop", "Module", "SMOKE", "Variant",
           "get_include", "load", "load_file", "main", "merge", "python_loop"]

SLICE_NS = 1_000_000
SMOKE = "--smoke" in sys.argv       # a script may build less then; children are told, too


# ------------------------------------------------------------------------- what to build --


@dataclasses.dataclass
class Variant:
    """A module that is there several times, each in a folder of its own: see load().

    compilers  the commands for C and C++; None: those of the interpreter
    """

    module: Module
    folder: str
    compilers: tuple[str, str] | None = None


def _build(modules: Sequence[Module | Variant], directory: str) -> None:
    variants = [module if isinstance(module, Variant) else Variant(module, "")
                for module in modules]
    # Those of one compiler stand together.
    for compilers, group in itertools.groupby(variants, lambda variant: variant.compilers):
        chosen = dict(zip(("CC", "CXX"), compilers or ()))
        with mock.patch.dict(os.environ, chosen):
            build_all([(variant.module, os.path.join(directory, variant.folder))
                       for variant in group])


def load(name: str, folder: str) -> types.ModuleType:
    """A module of its own, from that folder of the build directory."""
    return load_file(name, os.path.join(_build_directory, folder,
                                        name + importlib.machinery.EXTENSION_SUFFIXES[0]))


def load_file(name: str, path: str | os.PathLike) -> types.ModuleType:
    """The module of that name from a file, each time anew."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ------------------------------------------------------------------------- what to run --


class Loop:
    """A loop that is timed from inside: a run takes the number of repetitions and
    returns nanoseconds.  Several runs are copies of the same loop in different places
    in memory, which take turns."""

    def __init__(self, runs: Sequence[Callable[[int], float]], operations: int):
        self.runs = runs
        self.operations = operations     # of one repetition
        self.repetitions = 0

    def calibrate(self, slice_ns: int) -> None:
        for run in self.runs:
            run(200)                     # let the interpreter specialise, fill the caches
        self.repetitions = 1
        while (took := self.runs[0](self.repetitions)) < slice_ns / 4:
            self.repetitions *= 2
        self.repetitions = max(1, round(self.repetitions * slice_ns / took))

    def slice(self, copy: int) -> float:
        """Nanoseconds of one operation, over one slice."""
        run = self.runs[copy % len(self.runs)]
        return run(self.repetitions) / (self.repetitions * self.operations)


@dataclasses.dataclass
class Case:
    """One row of a table: `loop` against `baseline`.

    unit    "x": the ratio is the claim; "ns": the difference in nanoseconds is; "faster": the
            ratio is, the other way round, how many times as fast as the baseline
    target  the most that is allowed, of "faster" the least; None: published, not judged
    """

    name: str
    loop: Loop
    against: str
    baseline: Loop
    target: float | None = None
    unit: str = "x"


class LeftOut(Exception):
    """Why something cannot be measured on this machine, in a line."""


@dataclasses.dataclass
class Elsewhere:
    """What a benchmark measures in programs of another project or interpreter.

    measure  takes a directory to build in, rounds and processes; gives a line on what it
             measured with, and the rows by group; LeftOut if that is not to be had here
    """

    name: str
    measure: Callable[[Path, int, int], tuple[str, dict[str, list[dict]]]]


def python_loop(statement: str, names: Sequence[dict], unroll: int = 20) -> Loop:
    """Times a Python statement; each element of `names` makes a copy of the loop.

    Each copy is code of its own, because the interpreter specialises code where it
    stands; the names are locals, so that nothing but the statement is looked up.
    """
    runs = []
    for values in names:
        arguments = "".join(f", {name}={name}" for name in values)
        source = (f"def loop(repetitions, _clock=_clock{arguments}):\n"
                  f"    start = _clock()\n"
                  f"    for _ in range(repetitions):\n"
                  + f"        {statement}\n" * unroll
                  + "    return _clock() - start\n")
        namespace = {**values, "_clock": time.perf_counter_ns}
        exec(compile(source, f"<{statement}>", "exec"), namespace)
        runs.append(namespace["loop"])
    return Loop(runs, unroll)


# ----------------------------------------------------------------------------- measuring --


def _best(slices: dict[int, list[float]]) -> float:
    """The best slice of each copy of the loop; of these, the median."""
    return statistics.median(min(times) for times in slices.values())


def _measure(cases: Sequence[Case], rounds: int, seed: int) -> list[dict]:
    """`rounds` slices of each case, each between two slices of its baseline."""
    shuffled = random.Random(seed)
    for case in cases:
        for loop in case.loop, case.baseline:
            if not loop.repetitions:
                loop.calibrate(SLICE_NS)
    times = [collections.defaultdict(list) for _ in cases]
    baseline_times = [collections.defaultdict(list) for _ in cases]
    paired = [[] for _ in cases]
    order = list(range(len(cases)))
    for number in range(rounds):
        shuffled.shuffle(order)
        for index in order:
            loop, baseline = cases[index].loop, cases[index].baseline
            before, took, after = (baseline.slice(number), loop.slice(number),
                                   baseline.slice(number))
            times[index][number % len(loop.runs)].append(took)
            # As many slices of the one as of the other: the best of more is better.
            fair = after if number // len(loop.runs) % 2 else before
            baseline_times[index][number % len(baseline.runs)].append(fair)
            paired[index].append(2 * took / (before + after))
    return [{"ns": _best(times[index]), "baseline_ns": _best(baseline_times[index]),
             "paired": statistics.median(paired[index])} for index in range(len(cases))]


def _figure(unit: str, result: dict) -> float:
    if unit == "ns":
        return result["ns"] - result["baseline_ns"]
    if unit == "faster":
        return result["baseline_ns"] / result["ns"]
    return result["ns"] / result["baseline_ns"]


def _met(unit: str, figure: float, target: float | None) -> bool | None:
    """Is it, as it is shown, with two digits?"""
    if target is None:
        return None
    figure = round(figure, 2)
    return figure >= target if unit == "faster" else figure <= target


def merge(runs: list[list[dict]]) -> list[dict]:
    """One row a case from what the processes found."""
    merged = []
    for same in zip(*runs):
        first = same[0]
        figures = sorted(_figure(first["unit"], row) for row in same)
        figure = statistics.median(figures)
        paired = statistics.median(row["paired"] for row in same)
        merged.append({
            "name": first["name"], "against": first["against"], "unit": first["unit"],
            "target": first["target"], "figure": figure,
            "lowest": figures[0], "highest": figures[-1],
            "paired": 1 / paired if first["unit"] == "faster" else paired,
            "ns": min(row["ns"] for row in same),
            "baseline_ns": min(row["baseline_ns"] for row in same),
            "met": _met(first["unit"], figure, first["target"]),
        })
    return merged


# ------------------------------------------------------------------------------ printing --


def python_line() -> str:
    """Which Python, in a few words."""
    name, version = platform.python_implementation(), platform.python_version()
    if name == "PyPy":
        version = ".".join(map(str, sys.pypy_version_info[:3]))
    return f"{name} {version}" + (" free-threaded" if "free-threading" in sys.version else "")


def machine_line() -> str:
    """What a ratio depends on; nothing that names this particular machine."""
    model = platform.processor() or platform.machine()
    try:
        info = dict(line.split(":", 1) for line in Path("/proc/cpuinfo").read_text()
                    .split("\n\n")[0].splitlines() if ":" in line)
        info = {key.strip(): value.strip() for key, value in info.items()}
        model = (f"{info.get('model name', model)} (family {info.get('cpu family', '?')}, "
                 f"model {info.get('model', '?')})")
    except OSError:
        pass
    compiler = platform.python_compiler()
    return (f"{model}, {os.cpu_count()} CPUs; {platform.system()} {platform.machine()}; "
            f"{python_line()}" + (f" built by {compiler}" if compiler else ""))


def compiler_line() -> str:
    command = find_toolchain().cc
    try:
        first = subprocess.run([*command, "--version"], capture_output=True, text=True,
                               check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        first = command[0]
    return f"{first}, -O2"


def _load() -> str:
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except (AttributeError, OSError):
        return "unknown"


def _print_results(results: dict[str, list[dict]], judged: bool) -> None:
    """One table of all groups, side by side."""
    everything = [row for rows in results.values() for row in rows]
    width = max(len(row["name"]) for row in everything)
    against = max(len("against"), *(len(row["against"]) for row in everything))
    print(f"\n  {'':{width}}  {'against':{against}}  {'ns':>9}  {'base':>9}  "
          f"{'figure':>9}  {'range':>13}  {'paired':>6}  target")
    for name, rows in results.items():
        print(f"\n{name}")
        _print_rows(rows, width, against, judged)


def _print_rows(rows: list[dict], width: int, against: int, judged: bool) -> None:
    for row in rows:
        unit = " ns" if row["unit"] == "ns" else "x"
        sign = ">=" if row["unit"] == "faster" else "<="
        spread = f"{row['lowest']:.2f}-{row['highest']:.2f}"
        if row["target"] is None:
            verdict = ""
        else:
            verdict = f"{sign} {row['target']:.2f}{unit}"
            if judged:
                verdict += "  met" if row["met"] else "  MISSED"
        line = (f"  {row['name']:{width}}  {row['against']:{against}}  {row['ns']:9.2f}  "
                f"{row['baseline_ns']:9.2f}  {row['figure']:7.3f}{unit:<2}  {spread:>13}  "
                f"{row['paired']:6.2f}  {verdict}")
        print(line.rstrip())


# ------------------------------------------------------------------------------ a script --


def _parse(description: str, rounds: int, processes: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--smoke", action="store_true",
                        help="a few seconds: shows that it runs, judges nothing")
    parser.add_argument("--json", metavar="FILE", help="write the results there, too")
    parser.add_argument("--keep", metavar="FILE",
                        help="put the results into this list of runs, in the place of those of the "
                             "same interpreter")
    parser.add_argument("--strict", action="store_true",
                        help="exit with 1 if a target is missed")
    parser.add_argument("--rounds", type=int, help=f"slices of each case (default {rounds})")
    parser.add_argument("--processes", type=int,
                        help=f"how often everything is repeated (default {processes})")
    parser.add_argument("--only", metavar="GROUP", action="append",
                        help="only this group of cases; may be given more than once")
    parser.add_argument("--build-dir", metavar="DIR",
                        help="build there and keep it (default: a temporary directory)")
    parser.add_argument("--child", metavar="GROUP", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


_build_directory = ""           # in a child


def _child(options: argparse.Namespace, groups: dict, rounds: int) -> int:
    global _build_directory
    _build_directory = options.build_dir
    sys.path.insert(0, options.build_dir)
    cases = groups[options.child]()
    if cases and isinstance(cases[0], dict):
        json.dump(cases, sys.stdout)
        return 0
    results = _measure(cases, rounds, options.seed)
    json.dump([{"name": case.name, "against": case.against, "unit": case.unit,
                "target": case.target, **result}
               for case, result in zip(cases, results)], sys.stdout)
    return 0


def _spawn(script: str, group: str, directory: str, rounds: int, seed: int) -> list[dict]:
    done = subprocess.run(
        [sys.executable, script, "--child", group, "--build-dir", directory,
         "--rounds", str(rounds), "--seed", str(seed), *(["--smoke"] if SMOKE else [])],
        stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"benchmarks: the process that measures {group!r} failed with "
                         f"exit code {done.returncode}; what it said stands above")
    return json.loads(done.stdout)


def _keep(path: Path, run: dict) -> None:
    """Puts the run into the list in the file, which plot.py and record.py read."""
    runs = json.loads(path.read_text()) if path.exists() else []

    def same(other: dict) -> bool:
        return (other["benchmark"], other["python"]) == (run["benchmark"], run["python"])
    # What this run left out, an earlier one may have: its figures stay, with its machine.
    for other in filter(same, runs):
        other["results"] = {name: rows for name, rows in other["results"].items()
                            if name not in run["results"]}
    runs = [other for other in runs if other["results"]] + [run]
    path.write_text(json.dumps(runs, indent=1) + "\n")


def main(script: str, description: str, modules: Callable[[], list[Module | Variant]],
         groups: dict[str, Callable[[], list[Case] | list[dict]]], *, rounds: int = 120,
         processes: int = 5, compilers: Callable[[], str] = compiler_line,
         elsewhere: Sequence[Elsewhere] = ()) -> int:
    """Builds, measures each group in processes of its own, prints; the exit code.
    `compilers` says in a line what compiles the modules.  What is measured elsewhere follows.

    A group may also measure by itself, and return rows: name, against, unit and target as in Case, ns,
    baseline_ns and paired."""
    options = _parse(description, rounds, processes)
    if options.child:
        return _child(options, groups, options.rounds)
    known = [*groups, *(other.name for other in elsewhere)]
    if unknown := sorted(set(options.only or ()) - set(known)):
        raise SystemExit(f"benchmarks: there is no group {', '.join(unknown)}; the groups "
                         f"are: {', '.join(known)}")
    if options.smoke and options.keep:
        raise SystemExit("benchmarks: a --smoke run is too short to be kept")
    if options.smoke:
        rounds, processes = 2, 1
    rounds = options.rounds or rounds
    processes = options.processes or processes

    started, load = time.strftime("%Y-%m-%d"), _load()
    print(description.partition("\n")[0])
    print(f"  {machine_line()}\n  {compilers()}; load {load}; best of {rounds} slices, "
          f"median of {processes} process{'es' if processes > 1 else ''}", flush=True)
    chosen = [name for name in groups if not options.only or name in options.only]
    with tempfile.TemporaryDirectory(prefix="customslots-bench-") as temporary:
        directory = os.path.abspath(options.build_dir or temporary)
        try:
            if chosen:
                _build(modules(), directory)
        except BuildError as error:
            raise SystemExit(f"benchmarks: {error}") from None
        # Process by process and not group by group: what happens on the machine for a
        # minute shall not hit all runs of one group.
        runs: dict[str, list[list[dict]]] = {name: [] for name in chosen}
        for number in range(processes):
            for name in chosen:
                runs[name].append(_spawn(script, name, directory, rounds, number))
        results = {name: merge(runs[name]) for name in chosen}
        notes = []
        for other in elsewhere:
            if not options.only or other.name in options.only:
                try:
                    with_what, rows = other.measure(Path(directory, other.name), rounds, processes)
                except LeftOut as reason:
                    notes.append(f"{other.name}: left out: {reason}")
                else:
                    notes.append(f"{other.name}: {with_what}")
                    results.update(rows)

    if results:
        _print_results(results, judged=not options.smoke)
    for note in notes:
        print(f"\n{note}")
    missed = [f"{name}: {row['name']}, against {row['against']}"
              for name, rows in results.items() for row in rows if row["met"] is False]
    if options.smoke:
        print("\nsmoke run: too short to judge anything by it")
    else:
        judged = sum(row["met"] is not None for rows in results.values() for row in rows)
        print(f"\n{judged - len(missed)} of {judged} targets met; load now {_load()}")
        for what in missed:
            print(f"  missed: {what}")
    run = {"benchmark": Path(script).stem, "machine": machine_line(), "python": python_line(),
           "date": started, "load": load,
           "compiler": compilers(), "rounds": rounds, "processes": processes,
           "smoke": options.smoke, "notes": notes, "results": results}
    if options.json:
        Path(options.json).write_text(json.dumps(run, indent=1) + "\n")
    if options.keep:
        _keep(Path(options.keep), run)
    return 1 if missed and options.strict and not options.smoke else 0
