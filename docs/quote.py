# SPDX-License-Identifier: MIT
"""Keep the code in the documents the code in the sources.

A document quotes a source with a comment and a code block::

    <!-- quote: PATH [MARKER] -->
    ```c
    ...what stands in PATH between [MARKER.begin] and [MARKER.end]...
    ```

Without a marker the whole file is quoted.  In Cython utility code a marker is the name of
a section, which goes from its ``///// NAME /////`` to the next.  ``python docs/quote.py``
brings all quotes up to date, ``python docs/quote.py --check`` only says which are not.

A table of what the compiler says about wrong source is made from the cases of a test::

    <!-- errors: PATH NAME -->
    ...a row for each case of the dictionary NAME in PATH...
    <!-- end -->
"""

import ast
import html
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = ("README.md", "docs/design.md", "docs/abi.md", "docs/vtables.md", "docs/typed.md",
             "docs/callbacks.md", "docs/errors.md", "docs/interfaces.md", "docs/interfaces-providing.md",
             "docs/pypy-branch.md", "docs/first-protocol.md",
             "examples/classcall/README.md", "examples/geometry/README.md", "examples/iopy/README.md",
             "examples/other_languages/README.md", "examples/polymorphic_array/README.md")
QUOTE = re.compile(r"(<!-- quote: (\S+?)(?: \[([\w.]+)\])? -->\n```[\w+]*\n)(.*?)(```\n)", re.DOTALL)


ERRORS = re.compile(r"(<!-- errors: (\S+) (\w+) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)


def constants(path):
    """Return the module-level names of a Python file whose values need no import."""
    names = {}
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            expression = compile(ast.Expression(node.value), path, "eval")
            try:
                names[node.targets[0].id] = eval(expression, {"__builtins__": {}}, dict(names))
            except (NameError, AttributeError):
                pass                             # something imported
    return names


def cell(text):
    """Text as HTML in a table's cell."""
    return html.escape(text, quote=False).replace("|", "&#124;").replace("\n", "<br>")


def table(path, name):
    """The table of what is wrong, what the compiler says and the smallest example."""
    rows = ["| Wrong is | The compiler says | Example |", "|---|---|---|"]
    for what, (example, errors) in constants(path)[name].items():
        files = example if isinstance(example, dict) else {"": example}
        shown = "\n".join((f"# {file}\n" if file else "") + textwrap.dedent(text).strip()
                          for file, text in files.items())
        said = "<br>".join(f"<code>{cell(error[-1])}</code>" for error in errors)
        rows.append(f"| {cell(what.replace('_', ' '))} | {said} | <pre>{cell(shown)}</pre> |")
    return "\n".join(rows) + "\n"


def source(path, marker):
    """Return the quoted part of a file; ValueError if the marker is not there once."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if marker is None:
        return text
    found = re.findall(rf"^[^\n]*\[{re.escape(marker)}\.begin\][^\n]*\n(.*?)"
                       rf"^[^\n]*\[{re.escape(marker)}\.end\]", text, re.DOTALL | re.MULTILINE)
    found += [part.strip("\n") + "\n" for part in re.findall(
        rf"^/{{5,}} {re.escape(marker)} /{{5,}}\n(.*?)(?=^/{{5,}} |\Z)", text,
        re.DOTALL | re.MULTILINE)]
    if len(found) != 1:
        raise ValueError(f"{path}: found {len(found)} parts marked [{marker}], expected 1")
    return textwrap.dedent(found[0])


def updated(document):
    """Return the text of a document with all its quotes as they should be."""
    text = (ROOT / document).read_text(encoding="utf-8")
    text = QUOTE.sub(lambda m: m[1] + source(m[2], m[3]) + m[5], text)
    return ERRORS.sub(lambda m: f"{m[1]}\n{table(m[2], m[3])}\n{m[5]}", text)


def main(arguments):
    stale = [d for d in DOCUMENTS if updated(d) != (ROOT / d).read_text(encoding="utf-8")]
    if "--check" in arguments:
        for document in stale:
            print(f"{document}: quotes are out of date; run 'python docs/quote.py'")
        return 1 if stale else 0
    for document in stale:
        (ROOT / document).write_text(updated(document), encoding="utf-8")
        print(f"{document}: brought up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
