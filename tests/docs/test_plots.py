# SPDX-License-Identifier: MIT
"""The plots and tables of calls show the figures that were recorded."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import pytest

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
FRESHEN = "run 'python benchmarks/plot.py'"


@pytest.fixture
def plot(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    for name in ("record", "plot"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import plot
    return plot


def texts(path):
    return [" ".join(element.itertext()).strip() for element in xml.etree.ElementTree.parse(path).iter()
            if element.tag.endswith("}text")]


def expected(plot):
    """The charts that there are something to show of, with their texts."""
    runs = plot.record.read(plot.RECORDED)
    for chart in plot.CHARTS:
        if groups := plot.bars(chart, runs):
            every = [bar for shown in groups.values() for bar in shown]
            yield chart.file, [chart.title, *dict.fromkeys(f"■ {bar.run}" for bar in every), *groups,
                               *(bar.label for bar in every if bar.label), *(bar.text for bar in every),
                               *("/ /" for panel, most in chart.cut.items()
                                 for bar in groups[panel] if bar.figure > most)]


def test_the_plots_that_are_committed_show_what_was_recorded(plot):
    shown = dict(expected(plot))
    kept = {path.name for path in (BENCHMARKS / "plots").iterdir()}
    assert {"asking.svg", "calls.svg", "scipy.svg"} <= set(shown) == kept, FRESHEN
    for file, wanted in shown.items():
        assert sorted(texts(BENCHMARKS / "plots" / file)) == sorted(wanted), f"{file}: {FRESHEN}"
        assert (BENCHMARKS / "plots" / file).stat().st_size < 60_000


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None and not os.environ.get("CUSTOMSLOTS_INTEROP"),
                    reason="matplotlib is not installed (the extra 'plots' has it)")
def test_the_script_draws_the_plots_that_are_committed(plot, tmp_path):
    done = subprocess.run([sys.executable, BENCHMARKS / "plot.py", tmp_path], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    drawn = {path.name: texts(path) for path in tmp_path.iterdir()}
    assert drawn == {path.name: texts(path) for path in (BENCHMARKS / "plots").iterdir()}, FRESHEN


def test_the_recorded_figures_are_those_of_the_readme(plot):
    readme = (BENCHMARKS / "README.md").read_text(encoding="utf-8").splitlines()
    for recorded in plot.RECORDED:
        runs = plot.record.read([recorded])
        start = readme.index(f"### {runs[0]['benchmark']}.py")
        end = next((i for i, line in enumerate(readme) if i > start and line.startswith("### ")), len(readme))
        for line in plot.record.tables(runs):
            assert line in readme[start:end], f"run 'python benchmarks/record.py benchmarks/{recorded.name}'"


def test_the_recorded_figures_of_scipy_are_those_of_the_example(plot):
    example = (BENCHMARKS.parent / "examples" / "scipy_callbacks" / "README.md").read_text(encoding="utf-8")
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in example.splitlines()
             if line.startswith("| ")]
    printed = {cells[0]: cells for cells in table if len(cells) == 6}
    rows = [row for run in plot.record.read(plot.RECORDED) for group in run["results"].values()
            for row in group if row["against"] == "SciPy"]
    assert len(rows) >= 16
    for row in rows:
        _, _, theirs, ours, ratio, verdict = printed[row["name"]]
        assert (theirs, ours) == (f"{row['baseline_ns']:.0f}", f"{row['ns']:.0f}")
        assert float(ratio) == round(row["figure"], 2)
        assert ("missed" in verdict) == (row["met"] is False)
