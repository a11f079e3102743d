# SPDX-License-Identifier: MIT
"""Shows what a provider and a consumer do with each other, in a process of its own.

    python -m cython_customslots.demo.meeting      (in the folder with the built modules)

Prints, for each part, lines of their sources and a few statements with what comes of them, then
ratios that it measures.  Exit code 1 if something came of a statement that was not expected.
"""
from __future__ import annotations

import array
import dataclasses
import os
import re
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

from .. import typed
from .claims import CLAIMS

BOLD, GREEN, CYAN = "1", "32", "36"


@dataclasses.dataclass(frozen=True)
class Part:
    title: str
    marker: str                             # of the lines that are shown
    sources: tuple[str, ...]
    statements: tuple[tuple[str, str], ...]  # with the line that each prints


PARTS = (
    Part("A protocol: a C function of objects of any class, found by a name", "slot",
         ("circles.pyx", "totals.pyx"),
         (('total([Circle(1), Circle(2), "no area"])', "15.0"),)),
    Part("A field: C data of a class, which Python subclasses inherit and set", "field",
         ("circles.pyx",),
         (("class Dime(Coin, cents=10): pass", ""),
          ("Coin().worth(), Dime().worth()", "(1, 10)"))),
    Part("An interface: methods with errors; what is no circle is refused", "interface",
         ("shapes.pxd", "circles.pyx", "totals.pyx"),
         (("scale_all([Circle(1), Circle(2)], -1)", "ValueError: a circle cannot be -1.0 times as large"),
          ('scale_all(["no circle"], 2)', "TypeError: expected an object that implements interface "
           "'shapes.Scalable', found 'str', which does not implement it"))),
    Part("A typed call: the C function behind a callable, or Python", "typed",
         ("circles.pyx", "totals.pyx"),
         (("tabulate(parabola, 4)", "(14.0, 'called as C')"),
          ("tabulate(lambda x: x + 1, 4)", "(10.0, 'called by Python')"))),
)


def coloured(text: str, colour: str) -> str:
    """For a terminal; elsewhere, and with NO_COLOR, the text as it is."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else f"\033[{colour}m{text}\033[0m"


def lines_of(source: str, marker: str) -> list[str]:
    """The lines of a source between the marks of that name."""
    text = Path(source).read_text(encoding="utf-8")
    found = re.findall(rf"^ *# \[{marker}\.begin\]\n(.*?)^ *# \[{marker}\.end\]$", text, re.DOTALL | re.MULTILINE)
    return [line for line in textwrap.dedent("".join(found)).splitlines() if line and "# [" not in line]


def outcome(statement: str, namespace: dict) -> str:
    """What a prompt of Python prints for it: the result, or the last line of the traceback."""
    printed: list[str] = []
    shown, sys.displayhook = sys.displayhook, lambda value: value is not None and printed.append(repr(value))
    try:
        exec(compile(f"{statement}\n", "<demo>", "single"), namespace)
    except Exception as error:
        printed.append(f"{type(error).__name__}: {error}")
    finally:
        sys.displayhook = shown
    return "".join(printed)


def show(number: int, part: Part, namespace: dict) -> list[str]:
    """Print one part; complaints."""
    print("\n" + coloured(f"{number}. {part.title}", BOLD))
    for source in part.sources:
        for i, line in enumerate(lines_of(source, part.marker)):
            print(f"{'' if i else source:>13} | " + coloured(line, CYAN))
    complaints = []
    for statement, expected in part.statements:
        print(f"{'>>>':>13}   {statement}")
        found = outcome(statement, namespace)
        if found:
            print(textwrap.indent(coloured("\n".join(textwrap.wrap(found, 84)), GREEN), 16 * " "))
        if found != expected:
            complaints.append(f"{statement}: found {found!r}, expected {expected!r}")
    return complaints


def ratio(loop: Callable[[], object], baseline: Callable[[], object]) -> float:
    """Best time against best time, taken in turn, so that what else runs disturbs both."""
    best = [float("inf")] * 2
    for _ in range(200):
        for i, each in enumerate((loop, baseline)):
            started = time.perf_counter()
            each()
            best[i] = min(best[i], time.perf_counter() - started)
    return best[0] / best[1]


def measure() -> dict[str, float]:
    """{claim: how many times as long as what it is compared with}"""
    import measured
    from circles import parabola

    n, address = 10_000, typed.address(parabola, "f8(f8)")
    things, scaled = ([cls() for _ in range(n // 10)] * 10 for cls in (measured.Plain, measured.Scaled))
    doubles = array.array("d", range(10))
    return {
        "capsule": ratio(lambda: measured.by_capsule(things), lambda: measured.by_method(things)),
        "slot": ratio(lambda: measured.by_slot(things), lambda: measured.by_method(things)),
        "field": ratio(lambda: measured.by_class_field(things), lambda: measured.by_own_field(things)),
        "interface": ratio(lambda: measured.by_interface(scaled), lambda: measured.by_cdef_method(scaled)),
        "array": ratio(lambda: measured.by_typedarray(doubles, 1000), lambda: measured.by_memoryview(doubles, 1000)),
        "typed call": ratio(lambda: measured.by_typed_call(parabola, n), lambda: measured.by_pointer(address, n)),
    }


def compared(name: str, found: float) -> str:
    """A line of the table, and the reason below it if the value is not README's."""
    claim = CLAIMS[name]
    line = f"{found:7.2f}  {claim.costs:<6}  {claim.what:<33} : {claim.against}"
    differs = abs(found - float(claim.costs)) > float(claim.costs) / 4
    return line + (f"\n{'':17}differs, as {claim.why}" if differs else "")


def main() -> int:
    sys.path.insert(0, os.getcwd())
    import circles
    import totals

    namespace = {"__name__": "__main__", **vars(circles), **vars(totals)}
    complaints = [complaint for number, part in enumerate(PARTS, 1) for complaint in show(number, part, namespace)]
    print("\n" + coloured("What it costs, measured now in loops of one call each, and as README has it", BOLD)
          + f"\n{'now':>7}  README  {'':<33} : compared with")
    for name, found in measure().items():
        print(compared(name, found))
    print("README's are of an AMD EPYC with CPython 3.11 and 3.14.  What differs by more than a quarter has a reason.")
    if complaints:
        print("\n".join(complaints), file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
