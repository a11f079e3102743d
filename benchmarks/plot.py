# SPDX-License-Identifier: MIT
"""Draws what is recorded in recorded.json (see record.py) as bar charts, for README.md.

    pip install '.[plots]'
    python benchmarks/plot.py               # writes plots/*.svg
    python benchmarks/plot.py --check       # do plots and READMEs show what is recorded?  Needs nothing installed

Text stays text; the colours are those of all pictures, for light pages and for dark ones.
"""
from __future__ import annotations

import dataclasses
import re
import sys
import textwrap
import xml.etree.ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path

import record

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cython_customslots" / "inspecting"))

from palette import DARK, LIGHT  # noqa: E402  that of the tree; no package has to be installed

COLOURS = ("blue", "orange", "green")           # a run each
BAR, WIDTH, LETTERS = 0.2, 4.7, 50              # inches, and letters of a bold line: a phone shows it without zooming
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "customslots", "font.size": 10, "font.family": "sans-serif",
         "text.color": LIGHT["text"]}


@dataclasses.dataclass
class Chart:
    """A file: the rows of some groups of a benchmark, a bar for each run that has them.

    chosen  (group, row) -> whether the row is shown
    panel   (group, row) -> the heading under which it is, if not the group, and its label there
    cut     {heading: where bars that are longer are cut off}; each panel has a scale of its own then
    """

    file: str
    title: str
    benchmark: str
    chosen: Callable[[str, dict], bool]
    panel: Callable[[str, dict], tuple[str, str]] = lambda group, row: (group, row["name"])
    cut: dict[str, float] = dataclasses.field(default_factory=dict)


def _pointer(group: str, row: dict) -> bool:
    # Those that ask for the GIL take several times as long: the others could not be told apart.
    return (not group.startswith("PyPy") and row["against"] == "function pointer"
            and "is asked" not in row["name"])


FOUND, REFUSED = "found, and called: a call through a vtable being 1", 'told "no": nanoseconds'


def _answer(group: str, row: dict) -> tuple[str, str]:
    return (FOUND if row["unit"] == "x" else REFUSED), row["name"].removeprefix("no: ")


CHARTS = [
    Chart("asking.svg", "Asking an object for a C function: what it costs",
          "bench_asking", lambda group, row: group == "alternatives", _answer, {FOUND: 6, REFUSED: 8}),
    Chart("calls.svg", "A resolved call in a loop: time, a call through a function pointer being 1",
          "bench_calls", _pointer),
    Chart("scipy.svg", "SciPy's functions with typedmethod.h: how many times as fast as with ccallback.h",
          "bench_calls", lambda group, row: row["against"] == "SciPy"),
    Chart("pypy.svg", "PyPy, ten million calls from a Python loop: how many times as fast as the cpdef function",
          "bench_calls", lambda group, row: group == "PyPy, a loop of ten million" and row["unit"] == "faster"),
    Chart("pypy_calls.svg", "PyPy: time, a call through cffi's or C's function pointer being 1",
          "bench_calls",
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
    runs = [run for run in runs if run["benchmark"] == chart.benchmark]
    for group in dict.fromkeys(name for run in runs for name in run["results"]):
        found: dict[tuple[str, str, str], list[Bar]] = {}
        for run in runs:
            for row in run["results"].get(group, []):
                if not chart.chosen(group, row):
                    continue
                panel, label = chart.panel(group, row)
                same = found.setdefault((panel, row["name"], row["against"]), [])
                text = record.cell(row).replace("**", "")
                if target := record.target(row):
                    text += f" ({target})"
                same.append(Bar("" if same else label, record.column(run, group),
                                row["figure"], row["target"], text))
        # What a later run alone has stands behind the rest.
        for (panel, *_), same in found.items():
            shown.setdefault(panel, []).extend(same)
    return shown


def draw(chart: Chart, groups: dict[str, list[Bar]], path: Path) -> None:
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot

    runs = list(dict.fromkeys(bar.run for shown in groups.values() for bar in shown))
    colours = {run: LIGHT[colour] for run, colour in zip(runs, COLOURS, strict=False)}
    # All bars on one scale, or the width of the chart for each panel.
    longest = 1 if chart.cut else max(bar.figure for shown in groups.values() for bar in shown)
    title = textwrap.wrap(chart.title, LETTERS)
    labels = sum(bool(bar.label) for shown in groups.values() for bar in shown)
    lines = sum(len(shown) + 1.6 for shown in groups.values()) + 1.15 * labels + len(title) + 1.8
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(WIDTH, lines * BAR))
        axes.set_axis_off()
        axes.set(xlim=(0, 1.45 * longest), ylim=(lines, 0))
        for y, line in enumerate(title):
            axes.text(0, y + 0.8, line, va="center", weight="bold")
        y = len(title) + 1.1
        for number, run in enumerate(runs):
            axes.text(0.48 * number * longest, y, f"■ {run}", va="center", color=colours[run])
        y += 1.1
        for group, shown in groups.items():
            most = chart.cut.get(group, 1)
            axes.text(0, y, group, va="center", style="italic")
            y += 0.9
            for bar in shown:
                if bar.label:
                    y += 0.15
                    axes.text(0, y, bar.label, va="center")
                    y += 1
                length = min(bar.figure / most, 1) if chart.cut else bar.figure
                axes.barh(y, length, height=0.86, color=colours[bar.run])
                if length < bar.figure / most:
                    axes.text(0.96, y, "/ /", va="center", ha="right", color=LIGHT["page"])
                if bar.target:
                    axes.plot([bar.target] * 2, [y - 0.5, y + 0.5], color=LIGHT["text"], linewidth=1.2)
                beyond = max(length, bar.target or 0)
                axes.text(beyond + 0.02 * longest, y, bar.text, va="center")
                y += 1
            y += 0.6
        figure.subplots_adjust(0.01, 0, 1, 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, facecolor=LIGHT["page"], metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
    path.write_text(_darkened(path.read_text(encoding="utf-8")), encoding="utf-8")


def _darkened(svg: str) -> str:
    """With rules that give each colour of a light page that of a dark one, where the reader has such pages."""
    rules = [f'[style*="{kind}: {LIGHT[name]}"] {{ {kind}: {DARK[name]} !important }}'
             for kind in ("fill", "stroke") for name in ("page", "text", *COLOURS)]
    style = "\n".join(["<style>@media (prefers-color-scheme: dark) {", *rules, "}</style>"])
    return re.sub(r"(<svg[^>]*>)", rf"\1\n {style}", svg, count=1)


def texts(chart: Chart, groups: dict[str, list[Bar]]) -> list[str]:
    """All that draw() writes."""
    every = [bar for shown in groups.values() for bar in shown]
    return [*textwrap.wrap(chart.title, LETTERS), *dict.fromkeys(f"■ {bar.run}" for bar in every), *groups,
            *(bar.label for bar in every if bar.label), *(bar.text for bar in every),
            *("/ /" for panel, most in chart.cut.items() for bar in groups[panel] if bar.figure > most)]


def complaints() -> Iterator[str]:
    """Where plots, the README here or that of the example of SciPy differ from what is recorded."""
    runs, redraw = record.read([record.RECORDED]), "run 'python benchmarks/plot.py'"
    wanted = {chart.file: sorted(texts(chart, groups)) for chart in CHARTS if (groups := bars(chart, runs))}
    shown = {path.name: sorted(" ".join(element.itertext()).strip() for element in
                               xml.etree.ElementTree.parse(path).iter() if element.tag.endswith("}text"))
             for path in (HERE / "plots").iterdir()}
    for file in sorted(wanted.keys() | shown.keys()):
        if wanted.get(file) != shown.get(file):
            yield f"benchmarks/plots/{file}: found other texts than the recorded figures give: {redraw}"

    readme = record.README.read_text(encoding="utf-8")
    if record.refreshed(readme, runs) != readme:
        yield ("benchmarks/README.md: found other tables than the recorded figures give: run "
               "'python benchmarks/record.py --write'")

    example = HERE.parent / "examples" / "scipy_callbacks" / "README.md"
    printed = [[cell.strip() for cell in line.strip("|").split("|")]
               for line in example.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    rows = {cells[0]: cells[2:] for cells in printed if len(cells) == 6}
    for row in (row for run in runs for group in run["results"].values() for row in group if row["against"] == "SciPy"):
        expected = [f"{row['baseline_ns']:.0f}", f"{row['ns']:.0f}", round(row["figure"], 2), row["met"] is False]
        *times, ratio, verdict = rows.get(row["name"], ["", "", "0", ""])
        if [*times, float(ratio), "missed" in verdict] != expected:
            yield (f"examples/scipy_callbacks/README.md: found {rows.get(row['name'])} for '{row['name']}', expected "
                   f"{expected[:3]} as recorded: write that")


def main(directory: Path) -> int:
    runs = record.read([record.RECORDED])
    for chart in CHARTS:
        if groups := bars(chart, runs):
            draw(chart, groups, directory / chart.file)
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        found = list(complaints())
        print("\n".join(found) or "plots and tables show what was recorded")
        sys.exit(bool(found))
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "plots"))
