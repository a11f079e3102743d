# SPDX-License-Identifier: MIT
"""Draws what is recorded in calls.json as bar charts, for README.md.

    pip install '.[plots]'
    python benchmarks/bench_calls.py --keep benchmarks/calls.json     # records a run
    python benchmarks/plot.py                                         # writes plots/*.svg

Text stays text, and its grey is legible on light and on dark pages; the background is the page's.
"""
from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path

import record

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "calls.json"
GREY = "#78808a"
COLOURS = ("#4a8fd4", "#d08434", "#5aa469")     # a run each: blue, orange, green
BAR = 0.19                                      # inches
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "customslots", "font.size": 9, "font.family": "sans-serif",
         "text.color": GREY}


@dataclasses.dataclass
class Chart:
    """A file: the rows of some groups, a bar for each run that has them.

    chosen  (group, row) -> whether the row is shown
    """

    file: str
    title: str
    chosen: Callable[[str, dict], bool]


def _pointer(group: str, row: dict) -> bool:
    # Those that ask for the GIL take several times as long: the others could not be told apart.
    return (not group.startswith("PyPy") and row["against"] == "function pointer"
            and "is asked" not in row["name"])


CHARTS = [
    Chart("calls.svg", "A resolved call in a loop: time, a call through a function pointer being 1", _pointer),
    Chart("scipy.svg", "SciPy's functions with typedmethod.h: how many times as fast as with ccallback.h",
          lambda group, row: row["against"] == "SciPy"),
    Chart("pypy.svg", "PyPy, ten million calls from a Python loop: how many times as fast as the cpdef function",
          lambda group, row: group == "PyPy, a loop of ten million" and row["unit"] == "faster"),
    Chart("pypy_calls.svg", "PyPy: time, a call through cffi's or C's function pointer being 1",
          lambda group, row: group in ("PyPy, a loop of ten million", "PyPy, from C") and row["unit"] == "x"),
]


@dataclasses.dataclass
class Bar:
    label: str                  # of the row; empty for the second run's bar
    run: str
    figure: float
    target: float | None
    text: str                   # the figure as README.md has it, and its target


def bars(chart: Chart, runs: list[dict]) -> dict[str, list[Bar]]:
    """What the chart shows, by group."""
    shown: dict[str, list[Bar]] = {}
    for group in dict.fromkeys(name for run in runs for name in run["results"]):
        found: dict[tuple[str, str], list[Bar]] = {}
        for run in runs:
            for row in run["results"].get(group, []):
                if not chart.chosen(group, row):
                    continue
                same = found.setdefault((row["name"], row["against"]), [])
                text = record.cell(row).replace("**", "")
                if target := record.target(row):
                    text += f" ({target})"
                same.append(Bar("" if same else row["name"], record.column(run, group),
                                row["figure"], row["target"], text))
        if found:
            shown[group] = [bar for same in found.values() for bar in same]
    return shown


def draw(chart: Chart, groups: dict[str, list[Bar]], path: Path) -> None:
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot

    runs = list(dict.fromkeys(bar.run for shown in groups.values() for bar in shown))
    colours = dict(zip(runs, COLOURS, strict=False))
    longest = max(bar.figure for shown in groups.values() for bar in shown)
    left = -0.95 * longest                       # of it all, in the bars' unit
    lines = sum(len(shown) + 1.6 for shown in groups.values()) + 2.8
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(8, lines * BAR))
        axes.set_axis_off()
        axes.set(xlim=(left, 1.45 * longest), ylim=(lines, 0))
        axes.text(left, 0.8, chart.title, va="center", weight="bold")
        for number, run in enumerate(runs):
            axes.text(0.4 * number * longest, 2.1, f"■ {run}", va="center", color=colours[run])
        y = 3.2
        for group, shown in groups.items():
            axes.text(left, y, group, va="center", style="italic")
            y += 1
            for bar in shown:
                axes.barh(y, bar.figure, height=0.86, color=colours[bar.run])
                if bar.label:
                    axes.text(-0.02 * longest, y, bar.label, va="center", ha="right")
                if bar.target:
                    axes.plot([bar.target] * 2, [y - 0.5, y + 0.5], color=GREY, linewidth=1.2)
                beyond = max(bar.figure, bar.target or 0)
                axes.text(beyond + 0.02 * longest, y, bar.text, va="center")
                y += 1
            y += 0.6
        figure.subplots_adjust(0.01, 0, 1, 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, transparent=True, metadata={"Date": None, "Creator": None})
        pyplot.close(figure)


def main(directory: Path) -> int:
    runs = record.read([RECORDED])
    for chart in CHARTS:
        if groups := bars(chart, runs):
            draw(chart, groups, directory / chart.file)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "plots"))
