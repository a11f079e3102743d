# SPDX-License-Identifier: MIT
"""The C headers as text: one self-contained piece, and embedded in a .pxd file.

A header that includes parts of its own is flattened, so that generated C carries the
whole text and compiles without an include path.  The build embeds the same text in the
installed ``.pxd`` files (run as a script: ``python headers.py IN.pxd OUT.pxd``).

A module has the text of a header once: a .pxd that cimports ``cython_customslots`` leaves
customslots.h to it, and the compiler layer takes out what stands in a module already.
"""

import pathlib
import re
import sys

#: The headers that users name in an ``#include`` or a ``cdef extern from``.
PUBLIC_HEADERS = ("customslots.h", "extensibletype.h", "typedmethod.h")

_INCLUDE_DIR = pathlib.Path(__file__).resolve().parent / "include"
_QUOTED_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"[ \t]*\n', re.MULTILINE)
_MARK = "/* [cython-customslots: {} {}] */\n"
_MARKS = re.compile(r"/\* \[cython-customslots: (begin|end) (\S+)\] \*/\n")
_CIMPORTS_CUSTOMSLOTS = re.compile(r"^(from cython_customslots cimport|cimport cython_customslots\b)",
                                   re.MULTILINE)
_EXTERN_FROM = re.compile(r'^(\s*)cdef extern from "([^"]+)"( nogil)?:\n', re.MULTILINE)


def header_text(name):
    """Return the text of public header *name* with its own parts in place.

    Each part appears once; marks tell where a public header begins and ends.  Raises
    ValueError for a header that is not ours.
    """
    if name not in PUBLIC_HEADERS:
        raise ValueError(f"found header {name!r}, expected one of {', '.join(PUBLIC_HEADERS)}")
    seen = set()

    def flatten(path):
        seen.add(path)
        text = path.read_text(encoding="ascii")

        def replace(match):
            part = _INCLUDE_DIR / match.group(1)
            return "" if part in seen else flatten(part)

        text = _QUOTED_INCLUDE.sub(replace, text)
        if path.name in PUBLIC_HEADERS and path.parent == _INCLUDE_DIR:
            text = _MARK.format("begin", path.name) + text + _MARK.format("end", path.name)
        return text

    return flatten(_INCLUDE_DIR / name)


def has_header(text):
    """Is there a header of ours in C code?"""
    return _MARKS.search(text) is not None


def once(text, seen):
    """Return C code without the headers that are in the set *seen*, or stand in it again.

    Adds those that it has to *seen*.
    """
    kept, start, leaving_out = [], 0, None
    for mark in _MARKS.finditer(text):
        kind, name = mark.groups()
        if leaving_out is not None:
            if (kind, name) == ("end", leaving_out):
                start, leaving_out = mark.end(), None
        elif kind == "begin" and name in seen:
            kept.append(text[start:mark.start()])
            leaving_out = name
        elif kind == "begin":
            seen.add(name)
    return "".join(kept) + text[start:]


def embed(pxd):
    """Return the text of a .pxd with ``extern from`` of our headers made verbatim."""
    seen = {"customslots.h"} if _CIMPORTS_CUSTOMSLOTS.search(pxd) else set()

    def replace(match):
        indent, name, nogil = match.group(1), match.group(2), match.group(3) or ""
        if name not in PUBLIC_HEADERS:
            return match.group(0)
        literal = once(header_text(name), seen).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        return f'{indent}cdef extern from *{nogil}:\n{indent}    """\n{literal}{indent}    """\n'

    return _EXTERN_FROM.sub(replace, pxd)


if __name__ == "__main__":
    source, target = map(pathlib.Path, sys.argv[1:])
    target.write_text(embed(source.read_text(encoding="utf-8")), encoding="utf-8")
