# SPDX-License-Identifier: MIT
"""The project's own quick checks find what they are for."""
import importlib.util

import pytest
import support


def load(name):
    path = support.ROOT / ".ci" / "checks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MESSAGES = {
    "": ["found no text"],
    "# only what git says\n": ["found no text"],
    "Lock: a" + "b" * 100: ["has 107 characters, expected at most 100"],
    "The lock is taken once.": ["ends with a full stop"],
    "The lock is taken once\nbecause": ["the second line is not empty"],
    "Fix runtime/change.c": ["found the path 'runtime/change.c'"],
    "Fix\n\nSee docs/design.md and ../x/y.py": ["'docs/design.md'", "'../x/y.py'"],
    "Tests of tests/core": ["'tests/c'"],
    "The lock and/or the list of classes is read 1/2 as often\n\nBecause of 3.13t.": [],
    "# a comment\nRendezvous: newest serves\n\nWhy: see PEP 703, N/A on PyPy.\n": [],
    "Merge branch 'x/y.z'": [],
}


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message[:30] or "nothing")
def test_commit_messages_are_short_and_name_no_files(message):
    found = list(load("commit_message").complaints(message))
    assert len(found) == len(MESSAGES[message]), found
    for complaint, words in zip(found, MESSAGES[message]):
        assert words in complaint


def test_lines_that_a_formatter_would_change_are_counted():
    changed = load("c_layout").changed
    assert changed(["a", "b", "c"], ["a", "b", "c"]) == 0
    assert changed(["a", "  b", "c"], ["a", "b", "c"]) == 1
    assert changed(["a", "b", "c"], ["a b c"]) == 3
