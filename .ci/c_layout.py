# SPDX-License-Identifier: MIT
"""C and C++ files are laid out like the others: clang-format would leave most lines alone.

    python .ci/c_layout.py FILE...

Lines are broken where the sense breaks and tables are aligned by hand, which clang-format would
undo.  So its output is no law; but where it would change more than a quarter of a file's lines,
somebody uses another style: tabs, other indentation, other braces.
"""
import difflib
import subprocess
import sys

PART = 0.25
FEW = 15                # lines that any file may have, however short it is


def changed(text, formatted):
    """How many lines of `text` are not in `formatted`."""
    matcher = difflib.SequenceMatcher(None, text, formatted, autojunk=False)
    return len(text) - sum(block.size for block in matcher.get_matching_blocks())


def main(paths):
    refused = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        formatted = subprocess.run(["clang-format", path], stdout=subprocess.PIPE, check=True,
                                   encoding="utf-8").stdout
        lines = text.splitlines()
        count, allowed = changed(lines, formatted.splitlines()), max(FEW, int(len(lines) * PART))
        if count > allowed:
            refused += 1
            print(f"{path}: clang-format would change {count} of {len(lines)} lines, expected at most "
                  f"{allowed}; see what it proposes: clang-format {path} | diff -u {path} -")
    return refused != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
