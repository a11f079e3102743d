# SPDX-License-Identifier: MIT
"""Draws what is recorded in classes.json: memory.svg and inherited.svg.

    python docs/pictures/draw.py [DIRECTORY]
"""
import json
import sys
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "classes.json"
sys.path.insert(0, str(HERE.parents[1] / "cython_customslots" / "inspecting"))

import palette                      # noqa: E402  that of the tree; no package has to be installed

TEXT, OWN, SLOT, FIELD = "", "own", "slot", "field"
ROW, CHARACTER = 26, 7.3            # pixels; of the font, at most
FONT = "12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"


def classes_of(*names):
    found = " ".join(filter(None, names))
    return f' class="{found}"' if found else ""


class Drawing:
    def __init__(self, title):
        self.title, self.parts, self.right, self.bottom = title, [], 0, 0

    def text(self, x, y, text, kind=TEXT, bold=False, anchor="start"):
        more = classes_of(kind, bold and "title") + (f' text-anchor="{anchor}"' if anchor != "start" else "")
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{more}>{escape(text, quote=False)}</text>')
        if anchor == "start":
            self.right = max(self.right, x + CHARACTER * len(text))
        self.bottom = max(self.bottom, y + 6)

    def box(self, x, y, width, height, kind=TEXT):
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{classes_of(kind)}/>')
        self.right, self.bottom = max(self.right, x + width), max(self.bottom, y + height)

    def arrow(self, points, kind=TEXT):
        """Along straight lines, the last of which is horizontal."""
        (x0, _), (x, y) = points[-2:]
        self.right = max(self.right, *(a for a, _ in points))
        path = " ".join(f"{'ML'[i > 0]}{a:g} {b:g}" for i, (a, b) in enumerate(points))
        tip = f"M{x:g} {y:g} l{-8 if x > x0 else 8} -4 v8 z"
        self.parts += [f'<path d="{path}"{classes_of(kind)}/>', f'<path d="{tip}"{classes_of("tip", kind)}/>']

    def svg(self):
        return palette.svg(escape(self.title), FONT, self.right + 16, self.bottom + 16, self.parts)


def memory(cls):
    """An object, its type object with everything in it, and where that leads."""
    draw = Drawing(f"The memory of the type {cls['name']}")
    x, y, width, word = 220, 40, 250, cls["word_size"]
    draw.text(x, 22, f"type object of {cls['name']}, {cls['size']} bytes; metaclass {cls['metaclass']}", bold=True)

    def part(offset, text, kind=TEXT, rows=1, value=""):
        nonlocal y
        draw.text(x - 8, y + 17, str(offset), anchor="end")
        draw.box(x, y, width, rows * ROW, kind)
        draw.text(x + 10, y + 17, text)
        if value:
            draw.text(x + width - 10, y + 17, value, kind, True, "end")
        y += rows * ROW
        return y - ROW / 2

    draw.text(12, 22, f"an object: a {cls['name']}", bold=True)
    draw.box(12, y, 110, ROW)
    draw.text(22, y + 17, "ob_type")
    draw.box(12, y + ROW, 110, ROW)
    draw.text(22, y + ROW + 17, "...")
    draw.arrow([(122, y + ROW / 2), (x - 34, y + ROW / 2)])

    heap = y
    part(0, "PyHeapTypeObject", rows=2)
    start = cls["heaptype_size"]
    slots = y
    part(start, "etp_custom_slot_count", SLOT, value=str(len(cls["slots"])))
    table = part(start + word, "etp_custom_slots", SLOT)
    part(start + 2 * word, "etp_check", SLOT)
    part(start + 3 * word, "etp_private", SLOT)
    part(start + 4 * word, "etp_extension", SLOT)
    fields = y
    for field in cls["fields"]:
        part(field["offset"], field["name"], FIELD, value=field["value"])
    draw.text(x - 8, y + 14, str(cls["size"]), anchor="end")

    right = x + width + 60
    draw.text(right, heap + 17, "CPython's own part")
    draw.text(right, slots + 4, "slots: which C protocols do my instances speak?", SLOT, True)
    ty = table - ROW / 2
    draw.arrow([(x + width, table), (right, table)], SLOT)
    for slot in cls["slots"]:
        draw.box(right, ty, 130, ROW, SLOT)
        draw.box(right + 130, ty, 90, ROW, SLOT)
        draw.text(right + 10, ty + 17, slot["name"])
        draw.text(right + 140, ty + 17, "pointer")
        draw.arrow([(right + 220, ty + ROW / 2), (right + 250, ty + ROW / 2)], SLOT)
        draw.text(right + 256, ty + 17, f"{slot['name'].rpartition('.')[2]}()")
        ty += ROW
    draw.box(right, ty, 220, ROW, SLOT)
    draw.text(right + 10, ty + 17, "EMPTY")
    draw.text(right, fields + 17, f"C fields of {cls['metaclass']}: what does the class know, in C?", FIELD, True)
    return draw.svg()


def inherited(classes):
    """Classes side by side: one table of slots; fields that are their own or were copied."""
    draw = Drawing("What a subclass inherits: the table of slots, and the values of C fields")
    width, gap, left, top = 216, 74, 12, 62
    rows = {}
    for number, cls in enumerate(classes):
        x, y = left + number * (width + gap), top
        kind, _, rest = cls["made"].partition(", with ") if ", with " in cls["made"] else cls["made"].partition(": ")
        draw.text(x, 22, kind, bold=True)
        draw.text(x, 40, rest)
        draw.box(x, y, width, ROW)
        draw.text(x + 10, y + 17, "PyHeapTypeObject")
        y += ROW
        draw.box(x, y, width, ROW, SLOT)
        draw.text(x + 10, y + 17, "slots")
        rows["slots"] = y
        y += ROW
        for field in cls["fields"]:
            draw.box(x, y, width, ROW, FIELD)
            draw.text(x + 10, y + 17, field["name"])
            draw.text(x + width - 10, y + 17, field["value"], *((OWN, True) if field["own"] else (TEXT, False)), "end")
            if not field["own"]:
                draw.arrow([(x - gap, y + ROW / 2), (x, y + ROW / 2)], FIELD)
                draw.text(x - gap / 2, y + ROW / 2 - 4, "copied", anchor="middle")
            y += ROW
        rows["end"] = y
    # Who shares a table has a line to the same box, which leaves the type objects below.
    below = rows["end"] + 34
    for number, cls in enumerate(classes):
        owner = [other["name"] for other in classes].index(cls["table_of"])
        x = left + number * (width + gap) + width
        middle = rows["slots"] + ROW / 2
        target = left + owner * (width + gap)
        if owner == number:
            draw.box(target, below, width, ROW, SLOT)
            draw.text(target + 10, below + 17, f"{cls['slots'][0]['name']}  ->  "
                                               f"{cls['slots'][0]['name'].rpartition('.')[2]}()")
        aside = x + 10
        draw.arrow([(x, middle), (aside, middle), (aside, below + ROW / 2), (target + width, below + ROW / 2)], SLOT)
    draw.text(left + width + 30, below + ROW + 8, "one table for all of them")
    draw.text(left, below + 2 * ROW + 14, "value of its own", OWN, True)
    draw.text(left + 150, below + 2 * ROW + 14,
              "the others follow, when the class that they come from gets another one")
    return draw.svg()


def pictures():
    classes = json.loads(RECORDED.read_text())["classes"]
    return {"memory.svg": memory(classes[0]), "inherited.svg": inherited(classes)}


def main(directory):
    for name, text in pictures().items():
        (directory / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
