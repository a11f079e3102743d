# SPDX-License-Identifier: MIT
"""Tables and pictures in plain text, at most 88 columns wide, ASCII only; colours for a terminal."""
from __future__ import annotations

import os
import struct
import sys
from collections.abc import Sequence

from ..inspecting.records import columns as table, describe as slot_id

_WORD = struct.calcsize("P")
BOLD, GREEN, CYAN = "1", "32", "36"


def coloured(text: str, colour: str) -> str:
    """For a terminal; elsewhere, and with NO_COLOR, the text as it is."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else f"\033[{colour}m{text}\033[0m"


def slots(classes: Sequence[dict]) -> list[str]:
    """The slot tables of some classes, as one table."""
    rows = []
    for cls in classes:
        if not cls["table"]:
            rows.append((cls["name"], "-", "no slots", ""))
        for position, ident, data, name in cls["table"]:
            rows.append((cls["name"], str(position), slot_id(ident, name), f"{data:#x}"))
    return table(("class", "position", "slot ID", "data"), rows)


def fields(classes: Sequence[dict]) -> list[str]:
    """The value that each class has in its C field."""
    rows = []
    for cls in classes:
        field = cls["field"]
        place = f"{field['holder']} + {field['offset']}"
        rows.append((cls["name"], cls["layout"]["metaclass"], place,
                     _quote(field["value"])))
    name = classes[0]["field"]["name"]
    return table(("class", "its metaclass", "C field at", name), rows)


_WIDTH = 27
_RULE = None    # a line between two parts of a box
_INSTANCE = ["an instance   ",
             "+---------+   ",
             "| ob_type |-->",
             "+---------+   ",
             "| ...     |   ",
             "+---------+   "]


def _box(rows: Sequence[tuple[int | str, str, str] | None]) -> list[str]:
    """(offset, text in the box, remark beside it) line by line."""
    lines = []
    for row in rows:
        if row is _RULE:
            lines.append(f"{'':>6} +{'-' * _WIDTH}+")
        else:
            offset, text, remark = row
            lines.append(f"{offset:>6} | {text:<{_WIDTH - 1}}|  {remark}".rstrip())
    return lines


def _quote(text: str | None) -> str:
    return "NULL" if text is None else f'"{text}"'


def memory(cls: dict) -> list[str]:
    """The type object of `cls` as it lies in memory, with the offsets of this build."""
    layout, field, slots = cls["layout"], cls["field"], cls["table"]
    start = layout["heaptype_size"]
    table_line = "  ".join(f"[{position}] {name!r}" if name else f"[{position}] {ident:#x}"
                           for position, ident, _, name in slots[:2])
    if len(slots) > 2:
        table_line += " ..."
    rows: list[tuple[int | str, str, str] | None] = [
        _RULE,
        (0, "PyHeapTypeObject", "CPython's own part"),
        ("", "", "its metaclass:"),
        ("", "", f"{layout['metaclass']}"),
        _RULE,
        (start, f"etp_custom_slot_count  {layout['count']}", ""),
        (start + _WORD, "etp_custom_slots  ".ljust(_WIDTH - 2, "-") + ">", table_line or "(no slots)"),
        (start + 2 * _WORD, "etp_check", "says: these words are real"),
        (start + 3 * _WORD, "etp_private", "bookkeeping"),
        (start + 4 * _WORD, "etp_extension", "where its fields come from"),
        _RULE,
    ]
    for owner, offset, size in layout["owner_fields"]:
        if field and field["offset"] == offset:
            rows.append((offset, f"{field['name']}  ".ljust(_WIDTH - 2, "-") + ">",
                         _quote(field["value"])))
            rows.append(("", "", f"C field of {owner}"))
        else:
            rows.append((offset, f"{size} bytes", f"C fields of {owner}"))
        rows.append(_RULE)
    kind = "made at run time" if layout["heap"] else "static"
    right = [f"{'':>7}type object of {cls['name']} ({kind}), {layout['basicsize']} bytes",
             *_box(rows), f"{layout['basicsize']:>6}"]
    left = _INSTANCE + [" " * len(_INSTANCE[0])] * (len(right) - len(_INSTANCE))
    return [(before + after).rstrip() for before, after in zip(left, right)]
