# SPDX-License-Identifier: MIT
"""IDs that are names: ``@slot(b"package.name", ...)`` and ``@interface(b"package.Name")``.

The number behind a name is made when the module is imported, by PyCustomSlots_Intern().
"""

from Cython.Compiler import ExprNodes
from Cython.Compiler.Errors import error

from .declarations import EARLY
from ..shared.writing import c_string

INTERN = "PyCustomSlots_Intern"


class NamedID:
    """The ID of a slot that is a name, UTF-8; in place of a Value."""

    phase = EARLY

    def __init__(self, pos, name):
        self.pos = pos
        self.name = name

    def generate(self, code, use):
        use(f"{INTERN}({c_string(self.name.decode('utf-8'))})")


def name_in(node, what):
    """The name that a string literal says, as UTF-8; b"" after an error, None for anything else."""
    name = literal(node)
    if name is None or is_dotted_name(name):
        return name
    error(node.pos, f"the ID of {what} is a name with a dot, such as b'package.Name', found {name!r}")
    return b""


def literal(node):
    """The bytes, or the text as UTF-8, of a string literal; None for anything else."""
    value = getattr(node, "value", None)
    if not node.is_string_literal or isinstance(node, ExprNodes.JoinedStrNode):
        return None
    return bytes(value) if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def is_dotted_name(text):
    """Is it a name in UTF-8 with a dot, behind which is what Python calls the class?"""
    try:
        parts = text.decode("utf-8").split(".")
    except UnicodeDecodeError:
        return False
    return len(parts) > 1 and all(part.strip() for part in parts) and b"\0" not in text


def interned(node):
    """The name, if an expression is PyCustomSlots_Intern() of a literal; else None."""
    while isinstance(node, (ExprNodes.CoercionNode, ExprNodes.TypecastNode)):
        node = node.operand if isinstance(node, ExprNodes.TypecastNode) else node.arg
    if not isinstance(node, ExprNodes.SimpleCallNode):
        return None
    function = node.function
    if INTERN not in (getattr(function, "name", None), getattr(function, "attribute", None)):
        return None
    return literal(node.args[0]) if node.args and len(node.args) == 1 else None
