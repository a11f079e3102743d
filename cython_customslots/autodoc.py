# SPDX-License-Identifier: MIT
"""Sphinx extension: C fields in the documentation of the first class that has them.

    extensions = ["sphinx.ext.autodoc", "cython_customslots.autodoc"]

autodoc itself finds what a class of Python sets, and not what a compiled class has: each field that Python may
read is shown there with its type, its value in that class, and its docstring.
"""
from __future__ import annotations

from typing import Any

from .inspecting.classes import fields


def lines_of(cls: type) -> list[str]:
    """reStructuredText of the fields that *cls* has and its bases have not."""
    inherited = {field.name for base in cls.__mro__[1:] for field in fields(base)}
    lines = []
    for field in fields(cls):
        if not field.name or "read" not in field.access or field.name in inherited:
            continue
        first, _, own = (field.doc or "").partition("\n\n")
        kind = first.removeprefix(f"{field.name}: ").partition(" (C: ")[0]
        lines += ["", f".. py:attribute:: {field.name}", *([f"   :type: {kind}"] if kind else []),
                  f"   :value: {field.text}", "", *(f"   {line}".rstrip() for line in own.splitlines())]
        if "write" not in field.access:
            lines += ["", "   A class of Python can only read it."]
    return lines


def _add(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    if what == "class" and isinstance(obj, type):
        lines += lines_of(obj)


def setup(app: Any) -> dict[str, bool]:
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", _add)
    return {"parallel_read_safe": True}
