# SPDX-License-Identifier: MIT
"""One type's memory as SVG: the type object, its slot table, its C fields.
"""
from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..python.showing import cut
from . import palette
from .records import Slot, TypeReport

_FONT = "13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"
_ROW, _LEFT, _WIDTH, _GAP = 26, 70, 300, 90
_BESIDE = 7                     # rows of the type object in front of its fields
_CHARACTER = 7.9                # of the font above, in pixels


class _Drawing:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self.right = self.bottom = 0.0

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
        attributes = (f' class="{kind}"' if kind else "") + (
            f' text-anchor="{anchor}"' if anchor != "start" else "")
        self.parts.append(f'  <text x="{x:g}" y="{y:g}"{attributes}>{escape(_printable(text))}</text>')
        if anchor == "start":
            self.right = max(self.right, x + _CHARACTER * len(text))
        self.bottom = max(self.bottom, y + 8)

    def box(self, x: float, y: float, width: float, height: float, kind: str = "") -> None:
        self.parts.append(f'  <rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
                          + (f' class="{kind}"' if kind else "") + "/>")
        self.right, self.bottom = max(self.right, x + width), max(self.bottom, y + height)

    def arrow(self, x1: float, y1: float, x2: float, y2: float) -> None:
        middle = (x1 + x2) / 2
        self.parts.append(f'  <path d="M{x1:g} {y1:g} C{middle:g} {y1:g} {middle:g} {y2:g} {x2 - 7:g} '
                          f'{y2:g}"/>')
        self.parts.append(f'  <path class="tip" d="M{x2:g} {y2:g} l-8 -4 v8 z"/>')


def _printable(text: str) -> str:
    """XML has no control characters, and no halves of surrogate pairs."""
    return "".join(c if c.isprintable() else "?" for c in text)


def svg(report: TypeReport) -> str:
    """The picture of a type that classes.py reported; SVG text."""
    draw, word, start = _Drawing(), report.word, report.heaptype_size
    x, y = _LEFT, 44.0
    metaclass = cut(f"metaclass {report.metaclass}", 70)
    labels = [(cut(field.label(), 40), cut(field.type, 30)) for field in report.fields.fields]
    wide = max(_WIDTH, 20 + _CHARACTER * len(metaclass),
               *(50 + _CHARACTER * (len(label) + len(type_)) for label, type_ in labels))
    size = f", {report.size} bytes" if report.size else ""
    draw.text(x, 24, f"type object of {cut(report.name, 60)}{size}", "title")

    def part(offset: int | str, text: str, kind: str = "", rows: int = 1, height: int = 0) -> float:
        nonlocal y
        height = height or rows * _ROW
        draw.text(x - 8, y + 18, str(offset), "quiet", "end")
        draw.box(x, y, wide, height, kind)
        draw.text(x + 10, y + 18, text)
        y += height
        return y - height / 2

    # A long table must not run into the texts beside the fields.
    beside = max((_CHARACTER * (len(cut(field.text, 50)) + len(cut(field.origin(), 60))) + 40
                  for field in report.fields.fields), default=0.0)
    tx = x + wide + (max(_GAP, beside) if len(report.slots) > _BESIDE else _GAP)

    part(0, "PyHeapTypeObject" if report.kind == "heap type" or report.slots.extensible
         else "PyTypeObject", height=2 * _ROW)
    draw.text(x + 10, y - 9, metaclass, "quiet")
    slots = report.slots.slots
    table = [slot for slot in slots if not slot.registered]
    registered = [slot for slot in slots if slot.registered]
    place = None
    if report.slots.extensible and start:
        part(start, f"etp_custom_slot_count   {report.slots.count}", "slot")
        place = part(start + word, "etp_custom_slots", "slot")
        part(start + 2 * word, "etp_check", "slot")
        part(start + 3 * word, "etp_private", "slot")
        part(start + 4 * word, "etp_extension", "slot")
    for field, (label, type_) in zip(report.fields.fields, labels):
        middle = part(field.offset, label, "field")
        draw.text(x + wide - 10, middle + 5, type_, "quiet", "end")
        if field.is_padding:
            continue
        draw.text(x + wide + 12, middle + 5, cut(field.text, 50))
        draw.text(x + wide + 24 + _CHARACTER * len(cut(field.text, 50)), middle + 5,
                  cut(field.origin(), 60), "own" if field.whose == "own" else "quiet")
    if report.size:
        draw.text(x - 8, y + 16, str(report.size), "quiet", "end")

    ty = 44.0
    if place is not None:
        draw.arrow(x + wide, place, tx, ty + _ROW / 2)
        ty = _table(draw, tx, ty, table)
    if registered:
        bottom = max(y, ty) + 2 * _ROW
        draw.text(x, bottom - 10, "registered for it, in the table of the process", "quiet")
        _table(draw, x, bottom, registered)
    for note in (*report.slots.notes, *report.fields.notes, *report.notes):
        draw.text(x, draw.bottom + 22, "! " + cut(note, 110))

    width, height = draw.right + 16, draw.bottom + 16
    title = escape(_printable(f"The memory of the type {report.name}"))
    return palette.svg(title, _FONT, width, height, draw.parts)


def _table(draw: _Drawing, x: float, y: float, slots: Sequence[Slot]) -> float:
    """Draws a box for each slot; returns where the last one ends."""
    rows = []
    for slot in slots:
        what = repr(slot.name) if slot.kind == "pointer" and slot.name else slot.what()
        place = "" if slot.position is None else f"[{slot.position}] "
        data = "" if slot.kind in ("empty", "skip") else f"{slot.data:#x}"
        rows.append((cut(place + what, 66), data, cut(slot.whose(), 60), slot.own))
    width = max((_CHARACTER * (len(what) + len(data)) + 50 for what, data, _, _ in rows), default=260.0)
    for what, data, whose, own in rows or [("no slots", "", "", False)]:
        draw.box(x, y, width, _ROW, "slot")
        draw.text(x + 10, y + 18, what)
        draw.text(x + width - 10, y + 18, data, "quiet", "end")
        draw.text(x + width + 12, y + 18, whose, "own" if own else "quiet")
        y += _ROW
    return y
