# SPDX-License-Identifier: MIT
"""Writes what the benchmarks found (their --json files) as Markdown, for README.md.

    python benchmarks/bench_lookup.py --json lookup.json
    python benchmarks/record.py lookup.json ... > tables.md

Several files of one benchmark, from several interpreters, become columns of one table.  A file of
--keep has several runs.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path


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


def main(paths: list[str]) -> int:
    if not paths:
        raise SystemExit(__doc__)
    runs = read(paths)
    for name in dict.fromkeys(run["benchmark"] for run in runs):
        same = [run for run in runs if run["benchmark"] == name]
        print(f"\n### {name}.py\n")
        for run in same:
            print(f"* {run['machine']}; {run['compiler']}; best of {run['rounds']} slices, "
                  f"median of {run['processes']} processes")
            for note in run["notes"]:
                print(f"  * {note}")
        print("\n".join(tables(same)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
