# SPDX-License-Identifier: MIT
"""The C headers as text: one self-contained piece, and embedded in a .pxd file.

A header that includes parts of its own is flattened, so that generated C carries the
whole text and compiles without an include path.  The build embeds the same text in the
installed ``.pxd`` files (run as a script: ``python headers.py IN.pxd OUT.pxd``).
"""

import pathlib
import re
import sys

#: The headers that users name in an ``#include`` or a ``cdef extern from``.
PUBLIC_HEADERS = ("customslots.h", "extensibletype.h", "typedmethod.h")

_INCLUDE_DIR = pathlib.Path(__file__).resolve().parent / "include"
_QUOTED_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"[ \t]*\n', re.MULTILINE)
_EXTERN_FROM = re.compile(r'^(\s*)cdef extern from "([^"]+)"( nogil)?:\n', re.MULTILINE)


def header_text(name):
    """Return the text of public header *name* with its own parts in place.

    Each part appears once.  Raises ValueError for a header that is not ours.
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

        return _QUOTED_INCLUDE.sub(replace, text)

    return flatten(_INCLUDE_DIR / name)


def embed(pxd):
    """Return the text of a .pxd with ``extern from`` of our headers made verbatim."""

    def replace(match):
        indent, name, nogil = match.group(1), match.group(2), match.group(3) or ""
        if name not in PUBLIC_HEADERS:
            return match.group(0)
        literal = header_text(name).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        return f'{indent}cdef extern from *{nogil}:\n{indent}    """\n{literal}{indent}    """\n'

    return _EXTERN_FROM.sub(replace, pxd)


if __name__ == "__main__":
    source, target = map(pathlib.Path, sys.argv[1:])
    target.write_text(embed(source.read_text(encoding="utf-8")), encoding="utf-8")
