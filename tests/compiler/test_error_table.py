# SPDX-License-Identifier: MIT
"""Every error of the compiler layer has a case, and every case stands in docs/errors.md."""
import ast
import html
import re
from pathlib import Path

import cython_customslots
import pytest
import support

HERE = Path(__file__).parent
LAYER = Path(cython_customslots.__file__).parent / "compiler"

#: What stops the compilation where Cython's C is unknown; VERSION is that of Cython.
UNKNOWN = {
    "a class whose C has no place for ours": ("cdef class A: pass", [
        (1, 0, "customslots: Cython VERSION generates code for PyType_Ready that this version of "
               "cython-customslots does not know: found 0 places to change, expected 1. Use a "
               "Cython version that it supports, or upgrade it.")]),
}


def constants(path):
    """The module-level names of a test file whose values need no import."""
    names = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            expression = compile(ast.Expression(node.value), str(path), "eval")
            try:
                names[node.targets[0].id] = eval(expression, {"__builtins__": {}}, dict(names))
            except (NameError, AttributeError):
                pass
    return names


def is_case(value):
    return (isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], list)
            and value[1] and all(isinstance(error, tuple) and len(error) >= 3
                                 and isinstance(error[-1], str) for error in value[1]))


def all_cases():
    """{(file, dictionary, what): [texts]} of every table of errors in these tests."""
    return {(path.name, name, what): [error[-1] for error in case[1]]
            for path in sorted(HERE.glob("*.py")) for name, table in constants(path).items()
            if isinstance(table, dict) for what, case in table.items() if is_case(case)}


def template(node):
    """A regular expression for the text that an expression makes; None if it is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".*"
                       for part in node.values)
    return None


def call_sites():
    """[(file:line, regular expression)] of every error that the layer can report."""
    sites = []
    for path in sorted(LAYER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                    and node.func.id in ("error", "CompileError", "warning")):
                sites.append((f"{path.name}:{node.lineno}", template(node.args[1])))
    return sites


def test_every_error_of_the_layer_is_seen_in_a_case():
    texts = [text for case in all_cases().values() for text in case]
    sites = call_sites()
    assert len(sites) > 40
    unseen = [site for site, pattern in sites
              if pattern is None or not any(re.fullmatch(pattern, text) for text in texts)]
    assert unseen == []


def test_every_case_stands_in_the_document():
    document = support.ROOT / "docs" / "errors.md"
    page = document.read_text(encoding="utf-8")
    missing = [key for key, texts in all_cases().items() for text in texts
               if html.escape(text, quote=False).replace("|", "&#124;") not in page]
    assert missing == []


def test_c_that_is_not_known_stops_the_compilation():
    from Cython import __version__
    from Cython.Compiler.Errors import CompileError
    from cython_customslots.compiler import patching
    texts = [case[1][0][-1].replace("VERSION", __version__) for case in UNKNOWN.values()]
    with pytest.raises(CompileError) as raised:
        patching.substitute("nowhere", "", "text", "PyType_Ready", None)
    assert raised.value.message_only == texts[0]
