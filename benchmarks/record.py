# SPDX-License-Identifier: MIT
"""What the benchmarks found as tables of README.md, and all figures that are quoted from there.

    pip install '.[bench,plots]'                    # with each of the interpreters
    python benchmarks/record.py --all python3.11 python3.14 python3.13t
    python benchmarks/record.py --write             # the tables, quotes and plots again
    python benchmarks/record.py lookup.json ...     # the tables of some --json files, on stdout

--all measures on these interpreters what README, the pages and the plots quote, into recorded.json, and writes that; on
one without a GIL only look-ups in several threads.
Runs of one benchmark, from several interpreters, become columns of one table.
"""
from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
README, RECORDED = HERE / "README.md", HERE / "recorded.json"
BLOCK = re.compile(r"(<!-- recorded: (\w+)\.py -->\n).*?(?=<!-- end -->\n)", re.DOTALL)

# What --all measures; slices of each case, and processes.  A slice of bench_compiler is a compilation or a process.
QUOTED = ["bench_asking", "bench_lookup", "bench_natural", "bench_fields", "bench_registered", "bench_threads",
          "bench_classes", "bench_vtable", "bench_interfaces", "bench_typed", "bench_kinds", "bench_arrays",
          "bench_calls", "bench_compiler"]
USUAL = ("60", "3")
OTHERS = {"bench_natural": ("40", "3"), "bench_classes": ("40", "3"), "bench_compiler": ("3", "1")}


def column(run: dict, group: str) -> str:
    """The interpreter, which rows that were measured elsewhere name themselves."""
    return run["results"][group][0].get("python", run["python"]).removeprefix("CPython ")


def cell(row: dict | None) -> str:
    if row is None:
        return "–"
    digits = 2 if row["figure"] < 10 else 1
    if row["met"] is False and round(row["figure"], digits) == row["target"]:
        digits += 1                             # or a reader would see that the target is met
    figure = f"{row['figure']:.{digits}f}"
    if row["unit"] == "ns":
        figure += " ns"
    return f"{figure} **missed**" if row["met"] is False else figure


def target(row: dict) -> str:
    if row["target"] is None:
        return ""
    sign = "≥" if row["unit"] == "faster" else "≤"
    return f"{sign} {row['target']:.2f}" + (" ns" if row["unit"] == "ns" else "")


def read(paths: list[str | Path]) -> list[dict]:
    """The runs in the files, of --json and of --keep."""
    runs = []
    for path in paths:
        found = json.loads(Path(path).read_text())
        for run in found if isinstance(found, list) else [found]:
            if run["smoke"]:
                raise SystemExit(f"record: {path} is of a --smoke run, too short to be recorded; "
                                 "run the benchmark without --smoke")
            runs.append(run)
    return runs


def tables(runs: list[dict]) -> list[str]:
    """The tables of one benchmark; `runs` differ in the interpreter."""
    lines = []
    for group in dict.fromkeys(name for run in runs for name in run["results"]):
        having = [run for run in runs if group in run["results"]]
        found = [{(row["name"], row["against"]): row for row in run["results"][group]}
                 for run in having]
        keys = list(dict.fromkeys(key for rows in found for key in rows))
        judged = any(row["target"] is not None for rows in found for row in rows.values())
        heading = [group, "against", *(column(run, group) for run in having)]
        lines += ["", "| " + " | ".join([*heading, "target"] if judged else heading) + " |",
                  "|" + "---|" * (len(heading) + judged)]
        for key in keys:
            rows = [by_key.get(key) for by_key in found]
            cells = [*key, *map(cell, rows)]
            if judged:
                cells.append(next((target(row) for row in rows if row and target(row)), ""))
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def section(runs: list[dict]) -> str:
    """With what the runs of one benchmark were made, and their tables."""
    lines = []
    for run in runs:
        lines.append(f"* {run['date']}, load {run['load']}: {run['machine']}; {run['compiler']}; best of "
                     f"{run['rounds']} slices, median of {run['processes']} processes")
        lines += [f"  * {note}" for note in run["notes"]]
    return "\n".join([*lines, *tables(runs), ""])


def refreshed(text: str, runs: list[dict]) -> str:
    """README.md with the tables of these runs, each benchmark's in its block."""
    return BLOCK.sub(lambda block: block[1] + section([run for run in runs if run["benchmark"] == block[2]]), text)


def is_free_threaded(python: str) -> bool:
    asked = "import sysconfig; print(sysconfig.get_config_var('Py_GIL_DISABLED'))"
    return subprocess.run([python, "-c", asked], check=True, stdout=subprocess.PIPE, text=True).stdout.strip() == "1"


def measure(pythons: list[str]) -> None:
    """Records anew what is quoted; what cannot be measured here keeps its older figures."""
    with tempfile.TemporaryDirectory(prefix="customslots-record-") as directory:
        fresh = Path(directory, "recorded.json")
        for number, python in enumerate(pythons):
            for name in ["bench_threads"] if is_free_threaded(python) else QUOTED:
                started = time.monotonic()
                # One folder for all: bench_natural and bench_calls have most of their modules in common.
                rounds, processes = OTHERS.get(name, USUAL)
                subprocess.run([python, HERE / f"{name}.py", "--keep", fresh, "--rounds", rounds,
                                "--processes", processes, "--build-dir", Path(directory, str(number))], check=True)
                print(f"\nrecord: {name} on {python}: {time.monotonic() - started:.0f} s\n", flush=True)
        new = read([fresh])
    measured = {(run["benchmark"], group) for run in new for group in run["results"]}
    for run in read([RECORDED]):
        run["results"] = {group: rows for group, rows in run["results"].items()
                          if (run["benchmark"], group) not in measured}
        if run["results"]:
            new.append(run)
    RECORDED.write_text(json.dumps(new, indent=1) + "\n")


def write() -> None:
    """The tables, what quotes them, and the plots."""
    README.write_text(refreshed(README.read_text(encoding="utf-8"), read([RECORDED])), encoding="utf-8")
    for script in (HERE.parent / "docs" / "quote.py", HERE / "plot.py"):
        subprocess.run([sys.executable, script], check=True)


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--all"] and arguments[1:]:
        measure(arguments[1:])
        write()
    elif arguments == ["--write"]:
        write()
    elif not arguments or arguments[0].startswith("-"):
        raise SystemExit(__doc__)
    else:
        runs = read(arguments)
        for name in dict.fromkeys(run["benchmark"] for run in runs):
            print(f"\n### {name}.py\n\n" + section([run for run in runs if run["benchmark"] == name]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
