# SPDX-License-Identifier: MIT
"""The table of platforms names what CI does."""
import ast
import re

import support

PAGE = (support.ROOT / "docs" / "platforms.md").read_text("utf-8")
NOXFILE = (support.ROOT / "noxfile.py").read_text("utf-8")


def rows():
    return [[cell.strip() for cell in line.strip("|").split("|")]
            for line in PAGE.splitlines() if line.startswith("| ")][2:]


def constant(name):
    """The value of a constant of noxfile.py, which is not imported: nox may not be there."""
    return next(ast.literal_eval(node.value) for node in ast.parse(NOXFILE).body
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name)


def sessions():
    """As nox names them; of those with parameters for versions, only the name."""
    functions = [node.name for node in ast.parse(NOXFILE).body if isinstance(node, ast.FunctionDef)
                 and any(ast.unparse(each) == "nox.session" for each in node.decorator_list)]
    return {*functions, *(f"platforms({name})" for name in constant("PLATFORMS"))} - {"platforms"}


def test_every_row_says_which_session_knows():
    table = rows()
    assert len(table) > 12 and all(len(row) == 4 for row in table)
    for platform, known_by, _, where in table:
        names = re.findall(r"`([^`]+)`", where)
        assert names and set(names) <= sessions(), platform
        assert known_by in ("run", "compiled", "not proved"), platform


def test_what_is_only_compiled_is_not_said_to_run():
    """Systems and Windows are compiled in their sessions, and nothing of them is run."""
    for platform, known_by, _, where in rows():
        if where in ("`platforms(windows)`", "`platforms(systems)`"):
            assert known_by == "compiled", platform


def test_every_session_for_a_platform_is_in_the_table():
    named = {name for row in rows() for name in re.findall(r"`([^`]+)`", row[3])}
    assert {f"platforms({name})" for name in constant("PLATFORMS")} <= named


def test_ci_runs_them():
    text = (support.ROOT / ".ci" / "run").read_text("utf-8")
    needs = (support.ROOT / ".ci" / "sessions.sh").read_text("utf-8")
    steps = re.search(r"(?m)^steps='(.*)'$", text)[1].split()
    named = {name.partition("(")[0] for row in rows() for name in re.findall(r"`([^`]+)`", row[3])}
    assert {name.replace("tests", "matrix") for name in named} <= set(steps)
    for name in set(constant("PLATFORMS")) - {"arm64", "s390x"}:
        assert f"'platforms({name})')" in needs, name


def test_versions_that_the_table_names_are_tested():
    tested = set(constant("GCC"))
    assert "CPython 3.10 to 3.15" in PAGE and {"3.10", "3.15"} <= tested
    assert "3.13 free-threaded" in PAGE and "3.13t" in tested
