# SPDX-License-Identifier: MIT
"""The C headers as text: one self-contained piece, and embedded in a .pxd file.

A header that includes parts of its own is flattened, so that generated C carries the
whole text and compiles without an include path.  The build embeds the same text in the
installed ``.pxd`` files (run as a script: ``python headers.py IN.pxd OUT.pxd``).

The implementation, ordinary C files in ``runtime/``, becomes one file that a module can carry,
customslots_runtime.h (``python headers.py OUT.h``): their headers, each before those that include
it, then the files themselves, without the ``#include`` of one another.  The same, with the headers, is
also one C file, customslots_runtime.c (``python headers.py OUT.c``), which several modules can link.

The text has no comments, as Cython's own utility code has none in generated C: comments are a
quarter of it, and the files have them.

A module has the text of a header once: a .pxd that cimports ``cython_customslots`` leaves
customslots.h to it, and the compiler layer takes out the texts that a module has already.
"""

import pathlib
import re
import sys

#: The headers that users name in an ``#include`` or a ``cdef extern from``.
PUBLIC_HEADERS = ("customslots.h", "extensibletype.h", "typedarray.h", "typedarray_provide.h", "typedmethod.h",
                  "customslots_runtime.h")

RUNTIME_HEADER = "customslots_runtime.h"
RUNTIME_SOURCE = "customslots_runtime.c"

_INCLUDE_DIR = pathlib.Path(__file__).resolve().parent.parent / "include"
_RUNTIME_DIR = _INCLUDE_DIR.parent / "runtime"
_NOT_CARRIED = ("info.c", "module.c", "typed.c")        # what _customslots_runtime has besides
_QUOTED_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"[ \t]*\n', re.MULTILINE)
_MARK = "/* [cython-customslots: {} {}] */\n"
_LICENCE = re.compile(r"/\* SPDX-License-Identifier: (.*)")
_COMMENTS = re.compile(r'''("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?\*/|//[^\n]*''', re.DOTALL)
_MARKS = re.compile(r"/\* \[cython-customslots: (begin|end) (\S+)\] \*/\n")
_CIMPORTS_CUSTOMSLOTS = re.compile(r"^(from cython_customslots cimport|cimport cython_customslots\b)",
                                   re.MULTILINE)
_EXTERN_FROM = re.compile(r'^(\s*)cdef extern from "([^"]+)"( nogil)?:\n', re.MULTILINE)


def header_text(name):
    """Return the text of public header *name* with its own parts in place, without comments.

    Each part appears once; marks tell where a public header begins and ends.  ValueError for a
    header that is not in PUBLIC_HEADERS.
    """
    if name not in PUBLIC_HEADERS:
        raise ValueError(f"found header {name!r}, expected one of {', '.join(PUBLIC_HEADERS)}")

    def embedded(path, text):
        is_public = path.name in PUBLIC_HEADERS and path.parent == _INCLUDE_DIR
        licence = "MIT" if path.name == RUNTIME_HEADER else _LICENCE.match(text)[1]
        text = without_comments(text)
        if is_public or licence != "MIT":
            text = f"/* SPDX-License-Identifier: {licence}; the comments are in the file. */\n{text}"
        return _MARK.format("begin", path.name) + text + _MARK.format("end", path.name) if is_public else text

    return _flattened(name, embedded)


def whole_text(name: str) -> str:
    """Return the text of header *name* with its own parts in place, and all comments."""
    return _flattened(name, lambda path, text: text)


def _flattened(name, change):
    """The header with its parts, each once, and as change(path, its text) returns them."""
    seen = set()

    def flatten(path):
        seen.add(path)
        generated = path.name == RUNTIME_HEADER and not path.exists()
        text = runtime_text() if generated else path.read_text(encoding="ascii")

        def replace(match):
            part = _INCLUDE_DIR / match.group(1)
            return "" if part in seen else flatten(part)

        return _QUOTED_INCLUDE.sub(replace, change(path, text))

    return flatten(_INCLUDE_DIR / name)


def without_comments(text):
    """Return C code without comments, and without lines that had nothing else."""
    kept = []
    # The first group is a string or a character; a comment counts as a space.
    for line in _COMMENTS.sub(lambda match: match.group(1) or " ", text).split("\n"):
        line, before = line.rstrip(), kept[-1] if kept else "#"
        # One empty line stays between functions, and one that ends a macro.
        if line or before.endswith("\\") or before and not before.startswith("#"):
            kept.append(line)
    return "\n".join(kept).strip("\n") + "\n"


_RUNTIME_HEAD = """\
/* SPDX-License-Identifier: MIT
 *
 * customslots_runtime.h - the implementation of extensible types, for a module that carries it.
 * Included by extensibletype.h, unless a macro says that another module has it.
 *
 * Generated from the files in cython_customslots/runtime/, which are the ones to read.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_H
#define Py_CUSTOMSLOTS_RUNTIME_H

#include "extensibletype.h"

#ifdef __cplusplus
extern "C" {
#endif

#if _Pycs_SUPPORTED && !defined(Py_LIMITED_API)

"""
#: The files where users notice an optimiser: fields that Python reads and sets, and what the collector
#: calls.  The rest, all that makes classes and changes them, is compiled with -O1 in modules
#: that carry it: gcc takes two thirds of the time, and making a class takes one per cent longer.
#: (Not with -O0 or -Os: gcc then does not inline functions that follow, either; docs/design.md.)
_OFTEN_RUN = ("core", "fields", "look_ups", "metaclass", "set_field")
_COMPILED_QUICKLY = """
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && defined(__GNUC__) && !defined(__clang__)
#  pragma GCC push_options
#  pragma GCC optimize("O1")
#endif
"""
_COMPILED_QUICKLY_END = """
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && defined(__GNUC__) && !defined(__clang__)
#  pragma GCC pop_options
#endif
"""
_RUNTIME_FOOT = """
#endif /* _Pycs_SUPPORTED && !Py_LIMITED_API */

#ifdef __cplusplus
}
#endif

#endif /* Py_CUSTOMSLOTS_RUNTIME_H */
"""


def runtime_text(directory=_RUNTIME_DIR):
    """Return the text of customslots_runtime.h, made from the files in *directory*."""
    parts, seen = [], set()
    sources = sorted(path for path in directory.glob("*.c") if path.name not in _NOT_CARRIED)

    def put_included(text):
        for name in _QUOTED_INCLUDE.findall(text):
            if name.startswith("runtime/"):
                put(directory / name.partition("/")[2])

    def put(path):
        if path not in seen:
            seen.add(path)
            text = path.read_text(encoding="ascii")
            put_included(text)
            parts.append(_QUOTED_INCLUDE.sub("", text))

    for source in sources:
        put_included(source.read_text(encoding="ascii"))
    for name in _OFTEN_RUN:
        put(directory / f"{name}.c")
    parts.append(_COMPILED_QUICKLY)
    for source in sources:
        put(source)
    return _RUNTIME_HEAD + "\n".join(parts) + _COMPILED_QUICKLY_END + _RUNTIME_FOOT


_SOURCE_HEAD = """\
/* SPDX-License-Identifier: MIT
 *
 * customslots_runtime.c - the implementation of extensible types as an object file of its own: compiled
 * once, and linked into each module that defines PyExtensibleType_RUNTIME_LINKED before it includes
 * extensibletype.h (the compiler layer: --runtime=linked).  No module sees that of another one.
 *
 * Generated from the headers and files of cython-customslots, which are the ones to read.
 */
#undef PyExtensibleType_RUNTIME_LINKED
#define _Pycs_LINKABLE
#define _Pycs_OPTIONAL      /* where types have no room, it is not needed */

"""


def source_text():
    """Return the text of customslots_runtime.c, which includes no header of this package."""
    return _SOURCE_HEAD + header_text("extensibletype.h")


def has_header(text):
    """Does C code have the text of a header of this package?"""
    return _MARKS.search(text) is not None


def once(text, seen):
    """Return C code without the headers that are in the set *seen*, or in the code a second time.

    Adds the headers in the code to *seen*.
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


def put_before(name, definitions, text):
    """Return C code with *definitions* in front of the text of header *name*, if that text is in it."""
    mark = _MARK.format("begin", name)
    return text.replace(mark, definitions + mark, 1)


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
    *sources, target = map(pathlib.Path, sys.argv[1:])
    target.write_text(embed(sources[0].read_text(encoding="utf-8")) if sources
                      else source_text() if target.suffix == ".c" else runtime_text(), encoding="utf-8")
