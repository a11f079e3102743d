# SPDX-License-Identifier: MIT
"""The annotated HTML of ``cython -a``: which C is the layer's, and where it comes from.

The C that a class or function gets from this layer is shown at its line, like what
Cython wrote for it, and the line's title says which kinds of code were added.  The C
itself is the same with and without annotation.
"""

import re
from html import escape

from ..shared.writing import STYLE

_LINE = re.compile(r'(<pre class="cython line[^>]*>[^<]*<span class="[^"]*">(\d+)</span>: )'
                   r"(.*)(</pre>\n)", re.DOTALL)


def save_annotation_body(original, self, cython_code, generated_code, annotation_items,
                          *args, **kwargs):
    lines = original(self, cython_code, generated_code, annotation_items, *args, **kwargs)
    titles = {}
    for number, items in annotation_items.items():
        added = [item.text for _, item in items if item.style == STYLE]
        if added:
            # In the order of appearance, each once.
            titles[number] = ", ".join(dict.fromkeys(", ".join(added).split(", ")))
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
