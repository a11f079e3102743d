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

#: In front of names from typing and abc, and of modules, until it is known what the stub defines: Names.finish().
_FOREIGN, _MODULE = "__foreign__", "__module__"
#: The type that says nothing, as long as the stub is not whole.
ANY = f"{_FOREIGN}Any"

#: Of C and Cython, in signatures that Cython embeds into docstrings.
_C_TYPES = {
    "bint": "bool", "float": "float", "double": "float", "complex": "complex", "unicode": "str",
    "object": ANY, "char *": "bytes", "const char *": "bytes", "void": "None"}
_INTEGER = re.compile(r"(?:(?:un)?signed |const )*(?:char|short|int|long|size_t|ssize_t|Py_ssize_t"
                      r"|u?int(?:8|16|32|64)_t|u?intptr_t|ptrdiff_t)(?: (?:int|long|short))*")
#: Py_T_* codes of PyMemberDef.
_CODES = {**dict.fromkeys((0, 1, 2, 8, 9, 10, 11, 12, 17, 18, 19), "int"), 3: "float", 4: "float", 7: "str",
          14: "bool"}
_GENERIC = {"list": f"list[{ANY}]", "dict": f"dict[{ANY}, {ANY}]", "set": f"set[{ANY}]",
            "frozenset": f"frozenset[{ANY}]", "tuple": f"tuple[{ANY}, ...]", "type": f"type[{ANY}]"}
#: How many parameters classes of the standard library have, which do not say so; of others it is not known.
_PARAMETERS = {"array.array": 1, "collections.Counter": 1, "collections.OrderedDict": 2, "collections.defaultdict": 2,
               "collections.deque": 1, "functools.partial": 1, "re.Match": 1, "re.Pattern": 1}


class Names:
    """The names that a stub needs from elsewhere."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        self.typing: set[str] = set()
        self.abstract: set[str] = set()         #: of abc
        self.modules: set[str] = set()
        self.extensible = False                 #: the metaclass of all

    def any(self) -> str:
        return self.of_typing("Any")

    def of_typing(self, name: str) -> str:
        self.typing.add(name)
        return _FOREIGN + name

    def of_abc(self, name: str) -> str:
        self.abstract.add(name)
        return _FOREIGN + name

    def of_extensibletype(self) -> str:
        self.extensible = True
        return f"{_MODULE}extensibletype"

    def finish(self, body: str) -> str:
        """The text of a stub: its imports, and the body with the names that they give.

        Modules are imported under private names, and of the rest what the body defines, wherever it does.
        """
        taken = set(re.findall(r"(?m)^ *(?:class |def )?(\w+)", body))

        def private(name: str) -> str:
            name = f"_{name.replace('.', '_')}"
            while name in taken:
                name += "_"
            return name

        def imported(found: set[str]) -> str:
            return ", ".join(f"{name} as {private(name)}" if name in taken else name for name in sorted(found))
        lines = [f"from {module} import {imported(found)}"
                 for module, found in (("abc", self.abstract), ("typing", self.typing)) if found]
        lines += [f"import {module} as {private(module)}" for module in sorted(self.modules)]
        if self.extensible:
            lines.append(f"from cython_customslots.provider import extensibletype as {private('extensibletype')}")
        body = re.sub(_FOREIGN + r"(\w+)", lambda found: private(found[1]) if found[1] in taken else found[1], body)
        body = re.sub(_MODULE + r"(\w+)", lambda found: private(found[1]), body)
        return ("\n".join(lines) + "\n\n" if lines else "") + body

    def of_class(self, cls: type, bare: bool = False) -> str:
        """How the stub calls a class; *bare*: what its parameters are is said elsewhere."""
        name = cls.__qualname__
        if cls.__module__ == "builtins":
            return _of_builtin(name, self)
        found = sys.modules.get(cls.__module__)
        if "<" in name or found is None or _look(found, name) is not cls:
            return self.any()
        if cls.__module__ == self.module.__name__:
            return name
        if cls.__module__ == "typing" and name in typing.__all__:
            return self.of_typing(name)
        parameters = _parameters_of(cls)
        if parameters is None and not bare:
            return self.any()
        text = self.of_module(cls.__module__, name)
        return f"{text}[{', '.join(self.any() for _ in range(parameters))}]" if parameters and not bare else text

    def of_module(self, module: str, name: str) -> str:
        self.modules.add(module)
        return f"{_MODULE}{module.replace('.', '_')}.{name}"

    def of_value(self, value: object) -> str:
        if value is None:
            return self.any()
        if isinstance(value, re.Pattern):
            return f"{self.of_module('re', 'Pattern')}[{type(value.pattern).__name__}]"
        return self.of_class(type(value))

    def of_text(self, text: str) -> str:
        """What a stub can understand of an annotation, otherwise Any."""
        text = " ".join(text.split())
        if text in _C_TYPES:
            return self.any() if _C_TYPES[text] == ANY else _C_TYPES[text]
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

    def _node(self, node: ast.expr, bare: bool = False) -> str:
        if isinstance(node, ast.Constant) and node.value is None:
            return "None"
        if isinstance(node, ast.Constant) and node.value is ...:
            return "..."
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return f"{self._node(node.left)} | {self._node(node.right)}"
        if isinstance(node, ast.Subscript):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            outer = self._node(node.value, bare=True).partition("[")[0]
            return outer if outer == ANY else f"{outer}[{', '.join(map(self._node, parts))}]"
        if isinstance(node, ast.List):
            return f"[{', '.join(map(self._node, node.elts))}]"
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._name(ast.unparse(node), bare)
        return self.any()

    def _name(self, name: str, bare: bool) -> str:
        if name in _C_TYPES or _INTEGER.fullmatch(name):
            return self.of_text(name)
        short = name.removeprefix("typing.")
        if short in typing.__all__:
            return self.of_typing(short)
        found = _look(self.module, name)
        if found is None:
            found = getattr(builtins, name, None)
        if found is None and "." in name:
            module, _, last = name.rpartition(".")
            found = _look(sys.modules.get(module), last)
        return self.of_class(found, bare) if isinstance(found, type) else self.any()


def _parameters_of(cls: type) -> int | None:
    """How many parameters a class has for type checkers; None: it is not known."""
    known = _PARAMETERS.get(f"{cls.__module__}.{cls.__qualname__}")
    if known is None and cls.__module__.partition(".")[0] in sys.stdlib_module_names:
        return None if hasattr(cls, "__class_getitem__") else 0
    return known or len(getattr(cls, "__parameters__", ()))


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
