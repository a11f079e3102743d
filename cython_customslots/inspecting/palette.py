# SPDX-License-Identifier: MIT
"""The colours of all pictures, those of docs/ and benchmarks/, too: for light pages and for dark ones.

A picture brings its own background, so that text is legible wherever it stands; programs that know no
prefers-color-scheme draw the light one.  Every text has a contrast of 4.5 to its background (WCAG 2).
"""
from __future__ import annotations

from collections.abc import Sequence

LIGHT = {"page": "#ffffff", "text": "#1f2328", "quiet": "#57606a", "line": "#6e7781",
         "blue": "#0550ae", "orange": "#953800", "green": "#116329",
         "box": "#f6f8fa", "orange box": "#fff1e5", "green box": "#dafbe1"}
DARK = {"page": "#0d1117", "text": "#e6edf3", "quiet": "#9da7b3", "line": "#8b949e",
        "blue": "#79c0ff", "orange": "#ffa657", "green": "#7ee787",
        "box": "#161b22", "orange box": "#38230f", "green box": "#12351d"}

#: Pairs of colours that need a contrast: texts and their backgrounds, the page and its bars.
PAIRS = [*((text, behind) for text in ("text", "quiet", "blue", "orange", "green")
           for behind in ("page", "box", "orange box", "green box")),
         *(("page", bar) for bar in ("blue", "orange", "green"))]


def _rules(colours: dict[str, str]) -> str:
    rules = [f"text {{ fill: {colours['text']} }}", f".quiet {{ fill: {colours['quiet']} }}",
             f"rect {{ fill: {colours['box']}; stroke: {colours['line']} }}",
             f".page {{ fill: {colours['page']}; stroke: none }}",
             f"path {{ fill: none; stroke: {colours['line']} }}", f".tip {{ fill: {colours['line']} }}",
             f".own {{ fill: {colours['blue']} }}"]
    for what, colour in ("slot", "orange"), ("field", "green"):
        rules += [f"text.{what} {{ fill: {colours[colour]} }}",
                  f"rect.{what} {{ fill: {colours[f'{colour} box']}; stroke: {colours[colour]} }}",
                  f"path.{what} {{ stroke: {colours[colour]} }}", f".tip.{what} {{ fill: {colours[colour]} }}"]
    return "".join(f"    .customslots {rule}\n" for rule in rules)


def style(font: str) -> str:
    """The <style> of a picture of class customslots: its classes are quiet, own, slot, field, title, page and tip."""
    return (f"  <style>\n    .customslots {{ font: {font} }}\n"
            f"    .customslots .own, .customslots .title {{ font-weight: 600 }}\n{_rules(LIGHT)}"
            f"    @media (prefers-color-scheme: dark) {{\n{_rules(DARK)}    }}\n  </style>")


def svg(title: str, font: str, width: float, height: float, parts: Sequence[str]) -> str:
    """The text of a picture."""
    size = f'width="{width:.0f}" height="{height:.0f}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" class="customslots" {size} '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"  <title>{title}</title>", style(font), f'  <rect class="page" {size}/>', *parts, "</svg>", ""])


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2 between two colours, #rrggbb."""
    def luminance(colour: str) -> float:
        parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
