# SPDX-License-Identifier: MIT
"""Print a command of the README: the shell block behind <!-- command: NAME -->."""

import re
import sys


def command(readme, name):
    pattern = rf"<!-- command: {re.escape(name)} -->\n```(?:sh|bash|console)\n(.*?)```"
    found = re.findall(pattern, readme, re.DOTALL)
    if len(found) != 1:
        raise SystemExit(f"README: found {len(found)} blocks marked 'command: {name}', expected 1")
    return found[0].strip()


if __name__ == "__main__":
    path, name = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        print(command(file.read(), name))
