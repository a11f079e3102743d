# SPDX-License-Identifier: MIT
"""Types as stubs spell them, from what compiled code says: annotations, C types, documentation."""
from __future__ import annotations

import ast
import builtins
import re
import sys
import types
import typing
from typing import Any

#: Of C and Cython, in signatures that Cython embeds into docstrings.
_C_TYPES = {
    "bint": "bool", "float": "float", "double": "float", "complex": "complex", "unicode": "str",
    "object": "Any", "char *": "bytes", "const char *": "bytes", "void": "None"}
_INTEGER = re.compile(r"(?:(?:un)?signed |const )*(?:char|short|int|long|size_t|ssize_t|Py_ssize_t"
                      r"|u?int(?:8|16|32|64)_t|u?intptr_t|ptrdiff_t)(?: (?:int|long|short))*")
#: Py_T_* codes of PyMemberDef.
_CODES = {**dict.fromkeys((0, 1, 2, 8, 9, 10, 11, 12, 17, 18, 19), "int"), 3: "float", 4: "float", 7: "str",
          14: "bool"}
_GENERIC = {"list": "list[Any]", "dict": "dict[Any, Any]", "set": "set[Any]", "frozenset": "frozenset[Any]",
            "tuple": "tuple[Any, ...]", "type": "type[Any]"}


class Names:
    """The names that a stub needs from elsewhere."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        self.typing: set[str] = set()
        self.abstract: set[str] = set()         #: of abc
        self.modules: set[str] = set()
        self.extensible = False                 #: the metaclass of all

    def any(self) -> str:
        self.typing.add("Any")
        return "Any"

    def of_class(self, cls: type) -> str:
        """How the stub calls a class."""
        name = cls.__qualname__
        if cls.__module__ == "builtins":
            return _of_builtin(name, self)
        found = sys.modules.get(cls.__module__)
        if "<" in name or found is None or _look(found, name) is not cls:
            return self.any()
        if cls.__module__ == self.module.__name__:
            return name
        self.modules.add(cls.__module__)
        return f"{cls.__module__}.{name}"

    def of_value(self, value: object) -> str:
        if value is None:
            return self.any()
        return self.of_class(type(value))

    def of_text(self, text: str) -> str:
        """What a stub can understand of an annotation, otherwise Any."""
        text = " ".join(text.split())
        if text in _C_TYPES:
            return self.any() if _C_TYPES[text] == "Any" else _C_TYPES[text]
        if _INTEGER.fullmatch(text):
            return "int"
        try:
            tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            return self.any()
        if isinstance(tree, ast.Constant) and isinstance(tree.value, str) and tree.value != text:
            return self.of_text(tree.value)
        return self._node(tree)

    def of_annotation(self, annotation: object) -> str:
        if annotation is None:
            return "None"
        if isinstance(annotation, str):
            return self.of_text(annotation)
        if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
            return self.of_class(annotation)
        return self.of_text(repr(annotation).replace("typing.", ""))

    def of_code(self, code: int) -> str:
        return _CODES.get(code) or self.any()

    def _node(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant) and node.value is None:
            return "None"
        if isinstance(node, ast.Constant) and node.value is ...:
            return "..."
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return f"{self._node(node.left)} | {self._node(node.right)}"
        if isinstance(node, ast.Subscript):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            outer = self._node(node.value).partition("[")[0]
            return outer if outer == "Any" else f"{outer}[{', '.join(map(self._node, parts))}]"
        if isinstance(node, ast.List):
            return f"[{', '.join(map(self._node, node.elts))}]"
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._name(ast.unparse(node))
        return self.any()

    def _name(self, name: str) -> str:
        if name in _C_TYPES or _INTEGER.fullmatch(name):
            return self.of_text(name)
        bare = name.removeprefix("typing.")
        if bare in typing.__all__:
            self.typing.add(bare)
            return bare
        found = _look(self.module, name)
        if found is None:
            found = getattr(builtins, name, None)
        if found is None and "." in name:
            module, _, last = name.rpartition(".")
            found = _look(sys.modules.get(module), last)
        return self.of_class(found) if isinstance(found, type) else self.any()


def _of_builtin(name: str, names: Names) -> str:
    if name in _GENERIC:
        names.any()
        return _GENERIC[name]
    if name == "object":
        return "object"
    if name == "NoneType":
        return "None"
    return name if isinstance(getattr(builtins, name, None), type) else names.any()


def _look(where: Any, name: str) -> Any:
    for part in name.split("."):
        where = getattr(where, part, None)
    return where
