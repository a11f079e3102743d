# SPDX-License-Identifier: MIT
"""Every block of code in the documents is quoted from a source, tried, or says why it is not.

What a comment above a block says decides: `quote` (docs/quote.py keeps it what the source says, which
tests compile), `example` with the `output` and `fails` of one (built and run by tests here), `stub` and
`program` (type checkers check them), `command` (of the README and of pages that a test follows to the
letter), or

    <!-- not run: REASON -->
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = {"c", "c++", "cpp", "cython", "pyx", "pxd", "python", "py", "pycon", "sh", "bash", "shell", "console", "cmake",
        "meson", "toml", "ini", "rust", "gdb"}
MARKS = {"quote", "example", "output", "fails", "command", "project", "stub", "program"}
BLOCK = re.compile(r"(?:^<!-- ([a-z ]+?)(?:: *([^\n]*?))? *-->\n)?^```([\w+]*)[^\n]*\n(.*?)^```$",
                   re.DOTALL | re.MULTILINE)

DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for pattern in (
    "*.md", "docs/**/*.md", "benchmarks/*.md", "examples/**/*.md") for path in ROOT.glob(pattern))


def not_run(text):
    """[(line, language, first line)] of the blocks of code in a document that nobody runs."""
    found = []
    for match in BLOCK.finditer(text):
        mark, words, language, code = match.groups()
        if language in CODE and mark not in MARKS and not (mark == "not run" and words):
            found.append((text.count("\n", 0, match.start()) + 1, language, code.partition("\n")[0]))
    return found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_code_in_a_document_is_quoted_or_run_or_says_why_not(document):
    blocks = not_run((ROOT / document).read_text(encoding="utf-8"))
    assert not blocks, "\n".join(
        f"{document}:{line}: {language}: {first}" for line, language, first in blocks)


@pytest.mark.parametrize("text, expected", [
    ("```python\nx = 1\n```\n", [(1, "python", "x = 1")]),
    ("a\n\n<!-- quote: a.py [x] -->\n```python\nx = 1\n```\n", []),
    ("<!-- quoted: a.py -->\n```python\nx = 1\n```\n", [(1, "python", "x = 1")]),
    ("<!-- not run: -->\n```sh\nls\n```\n", [(1, "sh", "ls")]),
    ("<!-- command -->\n```sh\nls\n```\n", []),
    ("<!-- command: tests -->\n```sh\npytest\n```\n", []),
    ("<!-- not run: it deletes everything -->\n```sh\nls\n```\n", []),
    ("<!-- example: a.py -->\n\n```python\nx = 1\n```\n", [(3, "python", "x = 1")]),
    ("```\nprinted\n```\n```text\nprinted\n```\n", []),
])
def test_a_block_without_a_mark_or_without_a_reason_is_noticed(text, expected):
    assert not_run(text) == expected
