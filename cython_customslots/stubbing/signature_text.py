# SPDX-License-Identifier: MIT
"""Signatures as stubs spell them.

What is known of one is in four places: what inspect finds, annotations, the line that Cython's
directive embedsignature puts in front of the docstring, and the typed record of a cpdef function.
"""
from __future__ import annotations

import ast
import inspect
import re
from typing import Any

from .type_text import ANY, Names

#: What special methods return; the rest: Any.
_RESULTS = {
    **dict.fromkeys(("__init__", "__del__", "__setattr__", "__delattr__", "__setitem__", "__delitem__",
                     "__set__", "__delete__", "__init_subclass__"), "None"),
    **dict.fromkeys(("__repr__", "__str__", "__format__"), "str"),
    **dict.fromkeys(("__bool__", "__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"), "bool"),
    **dict.fromkeys(("__len__", "__hash__", "__index__", "__int__", "__length_hint__"), "int"),
    "__bytes__": "bytes", "__float__": "float", "__complex__": "complex"}
#: What object says of their arguments.
_OBJECTS = {"__eq__", "__ne__"}
_TYPED = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "int"}


class Parameter:
    def __init__(self, name: str, kind: Any, type_: str | None, has_default: bool, is_none: bool = False) -> None:
        self.name, self.kind, self.type = name, kind, type_
        self.has_default, self.is_none = has_default, is_none       # is_none: the default is None

    def text(self, names: Names, of_object: bool) -> str:
        default = " = ..." if self.has_default else ""
        stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(self.kind, "")
        type_ = self.type or ("object" if of_object else names.any())
        if self.is_none and type_ not in (ANY, "object") and "None" not in type_:
            type_ += " | None"
        return f"{stars}{self.name}: {type_}{default}"


class Signature:
    """Parameters without that of the object or class, and the result."""

    def __init__(self, parameters: list[Parameter], result: str | None) -> None:
        self.parameters, self.result = parameters, result


def signature_of(function: object, name: str, names: Names, bound: bool) -> Signature | None:
    """What is known; None: nothing.  *bound*: the first parameter is the object or class."""
    try:
        found = inspect.signature(function)                     # type: ignore[arg-type]
    except (TypeError, ValueError):
        embedded = _embedded(function, name, names)
        if embedded is not None and bound and embedded.parameters:
            del embedded.parameters[0]
        return embedded
    empty = inspect.Parameter.empty
    parameters = [Parameter(p.name, p.kind, None if p.annotation is empty else names.of_annotation(p.annotation),
                            p.default is not empty, p.default is None) for p in found.parameters.values()]
    result = None if found.return_annotation is empty else names.of_annotation(found.return_annotation)
    signature = Signature(parameters, result)
    _add(signature, _embedded(function, name, names))
    _add(signature, _recorded(function, len(parameters), names))
    if bound and parameters:
        del parameters[0]
    return signature


def _add(to: Signature, other: Signature | None) -> None:
    """What *other* says of the types that are not known yet."""
    if other is None or len(other.parameters) != len(to.parameters):
        return
    for mine, its in zip(to.parameters, other.parameters):
        mine.type = mine.type or its.type
    to.result = to.result or other.result


# ---------------------------------------------------------------------- embedsignature

def _embedded(function: object, name: str, names: Names) -> Signature | None:
    """From the first line of the docstring: "Class.method(self, int x, y=5) -> str"."""
    doc = getattr(function, "__doc__", None)
    if not isinstance(doc, str):
        return None
    found = re.match(rf"(?:\w+\.)*{re.escape(name)}\((.*)\)(?: *-> *(.+))?$", doc.partition("\n")[0].strip())
    if found is None:
        return None
    parameters: list[Parameter] = []
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for part in _split(found[1]):
        if part == "/":
            for parameter in parameters:
                parameter.kind = inspect.Parameter.POSITIONAL_ONLY
            continue
        if part == "*":
            kind = inspect.Parameter.KEYWORD_ONLY
            continue
        stars = len(part) - len(part.lstrip("*"))
        parsed = _parameter(part[stars:], names)
        if parsed is None:
            return None
        parsed.kind = (kind, inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)[min(stars, 2)]
        if stars == 1:
            kind = inspect.Parameter.KEYWORD_ONLY
        parameters.append(parsed)
    return Signature(parameters, names.of_text(found[2]) if found[2] else None)


def _split(text: str) -> list[str]:
    """At the commas that are in no bracket and no string."""
    parts, depth, quote, start = [], 0, "", 0
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[i - 1] != "\\" else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _parameter(text: str, names: Names) -> Parameter | None:
    head, equals, default = text.partition("=")
    name, colon, annotation = head.partition(":")
    type_ = names.of_text(annotation) if colon else None
    found = re.fullmatch(r"(?:(.*?[\s*]))?([A-Za-z_]\w*)(?: (?:not|or) None)?", name.strip())
    if found is None:
        return None
    if found[1] and type_ is None:
        type_ = names.of_text(found[1].strip())
    return Parameter(found[2], None, type_, bool(equals), default.strip() == "None")


# ------------------------------------------------------------------------- typed records

def _recorded(function: object, count: int, names: Names) -> Signature | None:
    from .. import typed

    try:
        texts = typed.signatures(function)
    except Exception:
        return None
    # One for each number of optional arguments: that with all of them.
    fitting = [tokens for tokens in (re.findall(r"\w+", text) for text in texts) if len(tokens) == count + 1]
    if len(fitting) != 1:
        return None
    result, *arguments = fitting[0]
    of = [_TYPED.get(token[:1]) if re.fullmatch(r"[a-z]\d+", token) else None for token in (*arguments, result)]
    return Signature([Parameter("", None, type_, False) for type_ in of[:-1]], of[-1])


# --------------------------------------------------------------------------------- text

def text_of(name: str, signature: Signature | None, names: Names, first: str | None,
            keywords: list[str] | None = None) -> str:
    """`def name(first, ...) -> ...: ...`; *keywords*: more parameters, which go by keyword only."""
    parts = [first] if first else []
    of_object = name in _OBJECTS
    if signature is None:
        parts += [f"*args: {names.any()}", f"**kwargs: {names.any()}"]
    else:
        parts += _parameters(signature.parameters, names, of_object, keywords or [])
    result = signature.result if signature is not None and signature.result else None
    result = _RESULTS.get(name) or result or names.any()
    text = f"def {name}({', '.join(parts)}) -> {result}: ..."
    # Docstrings may have anything in parentheses.
    return text if signature is None or _is_python(text) else text_of(name, None, names, first)


def _parameters(parameters: list[Parameter], names: Names, of_object: bool, keywords: list[str]) -> list[str]:
    """With / and * where they belong, and the keywords behind all others that go by keyword only."""
    def of_kind(kind: Any) -> list[str]:
        return [parameter.text(names, of_object) for parameter in parameters if parameter.kind is kind]
    kinds = inspect.Parameter
    only = of_kind(kinds.POSITIONAL_ONLY)
    by_keyword = of_kind(kinds.KEYWORD_ONLY) + keywords
    star = of_kind(kinds.VAR_POSITIONAL) or ["*"] * bool(by_keyword)
    return [*only, *["/"] * bool(only), *of_kind(kinds.POSITIONAL_OR_KEYWORD), *star, *by_keyword,
            *of_kind(kinds.VAR_KEYWORD)]


def _is_python(text: str) -> bool:
    try:
        compile(text, "stub", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def is_name(text: str) -> bool:
    """Can a stub say it?"""
    try:
        return isinstance(ast.parse(text, mode="eval").body, ast.Name)
    except (SyntaxError, ValueError):
        return False
