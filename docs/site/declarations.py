# SPDX-License-Identifier: MIT
"""Sphinx extension: sections for the names of a .pxd file, made of its declarations and comments.

A page says where they go, and Cython's own parser which they are:

    <!-- declarations: cython_customslots/provider.pxd -->

A comment belongs to the declarations that follow it without an empty line between.
"""
import re
import textwrap
from pathlib import Path

from Cython.Compiler.TreeFragment import StringParseContext, parse_from_strings

ROOT = Path(__file__).resolve().parents[2]
HERE = re.compile(r"^<!-- declarations: (\S+) -->$", re.MULTILINE)
CODE = re.compile(r"(`[^`]+`)")
#: In the text of a comment: what is code though nothing marks it.
NAME = re.compile(r"\b(Py(?:CustomSlot|Extensible|HeapExtensible|Typed)\w*(?:\(\))?)")


def declared(node):
    """(name, line) of each declaration below a node of Cython's tree, but for members."""
    for child in getattr(node, "stats", ()):
        kind = type(child).__name__
        if kind == "CVarDefNode":
            for declarator in child.declarators:
                while not hasattr(declarator, "name"):
                    declarator = declarator.base
                yield declarator.name, child.pos[1]
        elif kind == "CTypeDefNode":
            declarator = child.declarator
            while not hasattr(declarator, "name"):
                declarator = declarator.base
            yield declarator.name, child.pos[1]
        elif kind in ("CStructOrUnionDefNode", "CEnumDefNode"):
            yield child.name, child.pos[1]
        elif kind == "CClassDefNode":
            yield child.class_name, child.pos[1]
        elif kind == "CFuncDefNode":
            declarator = child.declarator
            while not hasattr(declarator, "name"):
                declarator = declarator.base
            yield declarator.name, child.pos[1]
        elif kind in ("CDefExternNode", "StatListNode"):
            yield from declared(child)
    if type(node).__name__ in ("ModuleNode", "CDefExternNode") and node.body is not None:
        yield from declared(node.body)


def declarations(path):
    """[(name, comment, code)] of a .pxd file, in its order."""
    text = path.read_text(encoding="utf-8")
    tree = parse_from_strings("declarations", text, level="module_pxd",
                              context=StringParseContext("declarations"))
    lines = text.split("\n")
    found = []
    for name, number in declared(tree):
        first = last = number - 1
        indent = len(lines[first]) - len(lines[first].lstrip())
        while lines[last + 1].strip() and lines[last + 1].startswith(" " * (indent + 1)):
            last += 1
        top = first
        while (lines[top - 1].strip() and lines[top - 1].startswith(" " * indent)
               and lines[top - 1].strip() != '"""'):
            top -= 1
        comment = [line.strip().removeprefix("#").removeprefix(" ") for line in lines[top:first]
                   if line.strip().startswith("#")]
        found.append((name, comment, textwrap.dedent("\n".join(lines[first:last + 1]))))
    return found


def prose(comment):
    """A comment as Markdown: paragraphs, and code where it is indented."""
    parts, code = [], False
    for line in comment:
        starts_code = line.startswith("    ")
        if starts_code != code:
            parts.append("```cython" if starts_code else "```")
            code = starts_code
        if starts_code:
            parts.append(line[4:])
            continue
        pieces = CODE.split(line)
        for i in range(0, len(pieces), 2):
            pieces[i] = NAME.sub(r"`\1`", re.sub(r"([*<])", r"\\\1", pieces[i]))
        parts.append("".join(pieces))
    return "\n".join([*parts, *["```"] * code])


def markdown(path, documented_in_c=frozenset()):
    """The sections of a .pxd file."""
    parts = []
    for name, comment, code in declarations(path):
        # The name that the C compiler sees is nothing to a reader.
        code = re.sub(r' "[^"]*" ?(?=\(|$)', "", code)
        parts.append(f"## {name}\n\n```cython\n{code}\n```\n\n{prose(comment)}\n")
        if name in documented_in_c:
            parts.append(f"In C: `{name}`.\n")
    return "\n".join(parts)


def put_in(app, docname, source):
    def replace(match):
        path = ROOT / match[1]
        app.env.note_dependency(str(path))
        return markdown(path, app.config.documented_in_c)
    source[0] = HERE.sub(replace, source[0])


def setup(app):
    app.add_config_value("documented_in_c", frozenset(), "env")
    app.connect("source-read", put_in)
    return {"parallel_read_safe": True}
