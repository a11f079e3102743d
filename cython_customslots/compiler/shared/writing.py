# SPDX-License-Identifier: MIT
"""Writing C, changing what Cython writes, and noticing when Cython has changed.

Where generated text must change, the original renders into a scratch writer and the text is
substituted with an exact number of matches: another number means that Cython generates something
that this layer does not know, and stops the compilation.
"""

import contextlib
import io
import os
import re
from collections import defaultdict

from Cython import __version__ as CYTHON_VERSION
from Cython.Compiler import Annotate
from Cython.Compiler.Code import UtilityCode
from Cython.Compiler.Errors import CompileError
from Cython.Compiler.StringEncoding import bytes_literal

from .facts import ClassFacts


def utility(name, file="CustomSlots.c"):
    """Return a section of our utility code."""
    from cython_customslots import get_utility_dir
    return UtilityCode.load_cached(name, os.path.join(get_utility_dir(), file))


def c_string(text):
    """Return a text, in UTF-8, as a C string literal."""
    return bytes_literal(text.encode("utf-8"), "utf-8").as_c_string_literal()


def render(code, generate):
    """Return the text that ``generate(writer)`` writes, sharing *code*'s function state."""
    scratch = without_annotation(code.create_new(code, None, False))
    generate(scratch)
    return scratch.getvalue()


def substitute(pattern, replacement, text, what, pos, count=1):
    """Return *text* with exactly *count* matches of *pattern* replaced."""
    text, found = re.subn(pattern, replacement, text)
    if found != count:
        raise CompileError(pos, (
            f"customslots: Cython {CYTHON_VERSION} generates code for {what} that this "
            f"version of cython-customslots does not know: found {found} places to change, "
            f"expected {count}. Use a Cython version that it supports, or upgrade it."))
    return text


# ----------------------------------------------------------------- names of types in C

def typeptr(code, type_):
    """C expression of the PyTypeObject * of an extension type, outside of type init."""
    if hasattr(code, "typeptr_cname_in_module_state"):      # Cython 3.1 and later
        return code.typeptr_cname_in_module_state(type_)
    return type_.typeptr_cname


def struct_of(type_):
    """The C type of an extension type's instances."""
    return type_.objstruct_cname if type_.typedef_flag else f"struct {type_.objstruct_cname}"


# ---------------------------------------------------------- the lines that C is shown at

#: The name of the layer's C in annotated HTML.
STYLE = "customslots"


def position_of(type_):
    """Where a cdef class is defined, not where the .pxd declares it."""
    return ClassFacts.known(type_).pos or type_.entry.pos


@contextlib.contextmanager
def shown_at(code, pos, *kinds):
    """C that is written within it belongs to the line of *pos*, whose title says *kinds*."""
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
    """Keep a writer from annotating, because its text will be written once more."""
    if hasattr(scratch, "annotation_buffer"):
        scratch.annotation_buffer = io.StringIO()
        scratch.code = defaultdict(lambda: defaultdict(str))
    return scratch
