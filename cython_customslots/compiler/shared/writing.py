# SPDX-License-Identifier: MIT
"""Changing what Cython generates, and noticing when Cython has changed.

Methods are wrapped, in modules that are pure Python in every wheel of Cython (its
compiled modules, Code among them, cannot be patched).  Where generated text must
change, the original renders into a scratch writer and the text is substituted with an
exact number of matches: another number means that Cython generates something that this
layer does not know, and stops the compilation.
"""

import functools
import os
import re

from Cython import __version__ as CYTHON_VERSION
from Cython.Compiler.Code import UtilityCode
from Cython.Compiler.Errors import CompileError
from Cython.Compiler.StringEncoding import bytes_literal


def utility(name, file="CustomSlots.c"):
    """Return a section of our utility code."""
    from cython_customslots import get_utility_dir
    return UtilityCode.load_cached(name, os.path.join(get_utility_dir(), file))


def c_string(text):
    """Return a text, in UTF-8, as a C string literal."""
    return bytes_literal(text.encode("utf-8"), "utf-8").as_c_string_literal()


def wrap(owner, name, hook):
    """Let ``hook(original, *args)`` take the place of a method."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def wrapper(*args, **kwargs):
        return hook(original, *args, **kwargs)

    is_static = isinstance(owner.__dict__.get(name), staticmethod)
    setattr(owner, name, staticmethod(wrapper) if is_static else wrapper)


def render(code, generate):
    """Return the text that ``generate(writer)`` writes, sharing *code*'s function state."""
    from ..reports.annotation import without_annotation
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
