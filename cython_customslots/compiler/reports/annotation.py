# SPDX-License-Identifier: MIT
"""The annotated HTML of ``cython -a``: which C is ours, and where it comes from.

The C that a class or function gets from this layer is shown at its line, like what
Cython wrote for it, and the line says in a title which kinds of code were added.  The C
itself is the same with and without annotation.
"""

import contextlib
import io
import re
from collections import defaultdict
from html import escape

from Cython.Compiler import Annotate

from ..shared.facts import ClassFacts

STYLE = "customslots"

_LINE = re.compile(r'(<pre class="cython line[^>]*>[^<]*<span class="[^"]*">(\d+)</span>: )'
                   r"(.*)(</pre>\n)", re.DOTALL)


@contextlib.contextmanager
def shown_at(code, pos, *kinds):
    """What is written meanwhile belongs to the line of *pos*, which tells of *kinds*."""
    if not hasattr(code, "annotation_buffer"):
        yield
        return
    before = code.last_annotated_pos
    _continue_at(code, pos)
    code.annotate(pos, Annotate.AnnotationItem(STYLE, ", ".join(filter(None, kinds))))
    try:
        yield
    finally:
        _continue_at(code, before)


def _continue_at(code, pos):
    # As in mark_pos(), which would write a comment into the C as well.
    if code.last_annotated_pos:
        source, line = code.last_annotated_pos[:2]
        code.code[source.filename][line] += code.annotation_buffer.getvalue()
    code.annotation_buffer = io.StringIO()
    code.last_annotated_pos = pos


def without_annotation(scratch):
    """Let a writer of text that will be written once more annotate nothing."""
    if hasattr(scratch, "annotation_buffer"):
        scratch.annotation_buffer = io.StringIO()
        scratch.code = defaultdict(lambda: defaultdict(str))
    return scratch


def position_of(type_):
    """Where a cdef class is defined, and not where the .pxd declares it."""
    return ClassFacts.known(type_).pos or type_.entry.pos


# --------------------------------------------------------------------------- the HTML

def save_annotation_body(original, self, cython_code, generated_code, annotation_items,
                          *args, **kwargs):
    lines = original(self, cython_code, generated_code, annotation_items, *args, **kwargs)
    titles = {}
    for number, items in annotation_items.items():
        ours = [item.text for _, item in items if item.style == STYLE]
        if ours:
            # In the order of appearance, each once.
            titles[number] = ", ".join(dict.fromkeys(", ".join(ours).split(", ")))
    return [_with_title(line, titles) for line in lines] if titles else lines


def _with_title(text, titles):
    match = _LINE.fullmatch(text)
    title = titles.get(int(match.group(2))) if match else None
    if title is None:
        return text
    return (f"{match.group(1)}<span class='cython tag {STYLE}' "
            f"title='cython-customslots: {escape(title, quote=True)}'>{match.group(3)}</span>"
            f"{match.group(4)}")


def css(original, self):
    return f"{original(self)}\n.cython.tag.{STYLE} {{ border-bottom: 2px dotted #6030C0; }}"
