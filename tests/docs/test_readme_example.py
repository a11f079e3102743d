# SPDX-License-Identifier: MIT
"""The README's example is what a user gets: taken from the README, built and run."""

import pathlib
import re

import support

#: Otherwise a free-threaded CPython warns when it is imported, and warnings are errors here.
DIRECTIVES = "# cython: language_level=3, freethreading_compatible=True\n"
README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


def example(name):
    found = re.findall(rf"<!-- example: {re.escape(name)} -->\n```\w+\n(.*?)```",
                       README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1, f"README: {len(found)} blocks marked 'example: {name}'"
    return found[0]


def test_the_readme_example_builds_and_greets(tmp_path):
    source = tmp_path / "greetings.pyx"
    source.write_text(DIRECTIVES + example("greetings.pyx"), encoding="utf-8")
    built = support.build_cython(source, directory=tmp_path / "built")
    support.check_child(example("friendly.py"), modules=[built])


def test_the_cure_is_about_fifteen_lines_of_cython():
    assert len([line for line in example("greetings.pyx").splitlines() if line.strip()]) <= 15


def test_the_readme_example_imports_nothing_of_the_package_at_run_time(tmp_path):
    source = tmp_path / "greetings.pyx"
    source.write_text(DIRECTIVES + example("greetings.pyx"), encoding="utf-8")
    built = support.build_cython(source, directory=tmp_path / "built")
    support.check_child("""
        import sys
        sys.modules["cython_customslots"] = None        # an import of it would fail
        import greetings
        assert greetings.Hello("you").greet() == "Hello you!"
    """, modules=[built])
