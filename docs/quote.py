# SPDX-License-Identifier: MIT
"""Keep the code in the documents the code in the sources.

A document quotes a source with a comment and a code block::

    <!-- quote: PATH [MARKER] -->
    ```c
    ...what stands in PATH between [MARKER.begin] and [MARKER.end]...
    ```

Without a marker the whole file is quoted.  In Cython utility code a marker is the name of
a section, which goes from its ``///// NAME /////`` to the next.  ``python docs/quote.py``
brings all quotes up to date; check.py says which are not.

A table of what the compiler says about wrong source is made from files of tests/compiler/errors::

    <!-- errors: NAME NAME -->
    ...a row for each statement of which the compiler says something...
    <!-- end -->

Rows of the recorded figures are quoted by the benchmark and their names, one a line::

    <!-- rows: PATH SECTION
    NAME
    NAME
    -->
    ...a table of these rows of the section's tables...
    <!-- end -->

Tables of a section as one, with a column for each::

    <!-- tables: SECTION
    TABLE
    TABLE
    -->
    ...a row for each name that is in these tables, figures as below, with – for "to"...
    <!-- end -->

So is the figure of one row in the midst of a text, lowest and highest of its interpreters::

    <!-- figure: SECTION: [TABLE: ]NAME: AGAINST -->1.00 to 1.02<!-- end -->

README has the round figures of the demo, cython_customslots/demo/claims.py::

    <!-- claim: NAME -->1.1<!-- end -->
"""

import ast
import html
import pathlib
import re
import runpy
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(str(path.relative_to(ROOT)) for path in (
    ROOT / "README.md", ROOT / "benchmarks" / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*/README.md")))
QUOTE = re.compile(r"(<!-- quote: (\S+?)(?: \[([\w.]+)\])? -->\n```[\w+]*\n)(.*?)(```\n)", re.DOTALL)


ERRORS = re.compile(r"(<!-- errors: ([\w. ]+) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)
STATEMENT = re.compile(r"(?:^@.*\n)*^\S.*\n(?:^[ \t].*\n)*", re.MULTILINE)
ROWS = re.compile(r"(<!-- rows: (\S+) ([^\n]+)\n(.*?)-->\n)(.*?)(<!-- end -->\n)", re.DOTALL)
TABLES = re.compile(r"(<!-- tables: (\S+)\n(.*?)-->\n)(.*?)(<!-- end -->\n)", re.DOTALL)
FIGURE = re.compile(r"(<!-- figure: (\S+): (.+?): ([^:\n]+) -->)([^<]*)(<!-- end -->)")
FIGURES = "benchmarks/README.md"
CLAIM = re.compile(r"(<!-- claim: ([^\n]+?) -->)([^<]*)(<!-- end -->)")
CLAIMS = runpy.run_path(str(ROOT / "cython_customslots" / "demo" / "claims.py"))["CLAIMS"]


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


def errors(name):
    """(source, line, text) of each error that a file of tests/compiler/errors has at its end."""
    directory = ROOT / "tests" / "compiler" / "errors"
    source, _, said = (directory / name).read_text(encoding="utf-8").partition("\n_ERRORS = ")
    for error in said.splitlines()[1:-1]:
        place, text = error.split(": ", 1)
        *file, line, _ = place.split(":")
        yield (directory / file[0]).read_text(encoding="utf-8") if file else source, int(line), text


def cell(text):
    """Text as HTML in a table's cell."""
    return html.escape(text, quote=False).replace("|", "&#124;").replace("\n", "<br>")


def table(*names):
    """The table of what the compiler says, and of which statement."""
    said = {}
    for name in names:
        for source, line, text in errors(name):
            *_, statement = (found for found in STATEMENT.finditer(source)
                             if source.count("\n", 0, found.start()) < line)
            said.setdefault((source, statement.start(), statement[0]), []).append(text)
    rows = ["| The compiler says | Example |", "|---|---|"]
    for (_, _, statement), texts in said.items():
        texts = "<br>".join(f"<code>{cell(text)}</code>" for text in texts)
        rows.append(f"| {texts} | <pre>{cell(statement.strip())}</pre> |")
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


def cells(line):
    return [text.strip() for text in line.strip().strip("|").split("|")]


def measured(path, section):
    """(table, name, {column: figure}) of each row of the tables in a section of recorded figures."""
    text = (ROOT / path).read_text(encoding="utf-8")
    found = re.findall(rf"^### {re.escape(section)}\n(.*?)(?=^### |\Z)", text, re.DOTALL | re.MULTILINE)
    if len(found) != 1:
        raise ValueError(f"{path}: found {len(found)} sections '{section}', expected 1")
    for header, _, *lines in (table.splitlines() for table in re.findall(r"(?:^\|.*\n)+", found[0], re.MULTILINE)):
        title, *columns = cells(header)
        for line in lines:
            name, *figures = cells(line)
            yield title, name, dict(zip(columns, figures))


def recorded(path, section):
    """{name: {column: figure}} of the first rows of these names."""
    rows = {}
    for _, name, row in measured(path, section):
        for column, text in row.items():
            rows.setdefault(name, {}).setdefault(column, text)
    return rows


def figure(section, name, against):
    """The figures of the first row of that name, compared with that: the lowest "to" the highest."""
    for title, found, row in measured(FIGURES, section):
        if name in (found, f"{title}: {found}") and row["against"] == against:
            shown = sorted({text.replace(" **missed**", "") for column, text in row.items() if column[0].isdigit()},
                           key=lambda text: float(text.split()[0]))
            return " to ".join([*([shown[0].removesuffix(" ns")] if len(shown) > 1 else []), shown[-1]])
    raise ValueError(f"{FIGURES}: no row '{name}' against '{against}' in '{section}'")


def figures(path, section, names):
    """The named rows as one table: what is compared with what, and a column for each interpreter."""
    rows = recorded(path, section)
    missing = [name for name in names if name not in rows]
    if missing:
        raise ValueError(f"{path}: no row {missing} in '{section}'")
    interpreters = [column for column in rows[names[0]] if column[0].isdigit()]
    lines = [f"| | against | {' | '.join(interpreters)} |", "|---" * (2 + len(interpreters)) + "|"]
    lines += [f"| {' | '.join([name, *(rows[name][column] for column in ['against', *interpreters])])} |"
              for name in names]
    return "\n".join(lines) + "\n"


def side_by_side(section, titles):
    """The tables of these titles as one."""
    columns = {title: {} for title in titles}
    for title, name, row in measured(FIGURES, section):
        if title in columns:
            columns[title][name] = figure(section, f"{title}: {name}", row["against"]).replace(" to ", "–")
    if missing := [title for title in titles if not columns[title]]:
        raise ValueError(f"{FIGURES}: no table {missing} in '{section}'")
    lines = [f"| | {' | '.join(titles)} |", "|---" * (1 + len(titles)) + "|"]
    lines += [f"| {' | '.join([name, *(column.get(name, '–') for column in columns.values())])} |"
              for name in dict.fromkeys(name for column in columns.values() for name in column)]
    return "\n".join(lines) + "\n"


def updated(document):
    """Return the text of a document with all its quotes as they should be."""
    text = (ROOT / document).read_text(encoding="utf-8")
    text = QUOTE.sub(lambda m: m[1] + source(m[2], m[3]) + m[5], text)
    text = FIGURE.sub(lambda m: m[1] + figure(m[2], m[3], m[4]) + m[6], text)
    text = CLAIM.sub(lambda m: m[1] + CLAIMS[m[2]].costs + m[4], text)
    text = ROWS.sub(lambda m: f"{m[1]}\n{figures(m[2], m[3], m[4].splitlines())}\n{m[6]}", text)
    text = TABLES.sub(lambda m: f"{m[1]}\n{side_by_side(m[2], m[3].splitlines())}\n{m[5]}", text)
    return ERRORS.sub(lambda m: f"{m[1]}\n{table(*m[2].split())}\n{m[4]}", text)


if __name__ == "__main__":
    for document in DOCUMENTS:
        if (text := updated(document)) != (ROOT / document).read_text(encoding="utf-8"):
            (ROOT / document).write_text(text, encoding="utf-8")
            print(f"{document}: brought up to date")
