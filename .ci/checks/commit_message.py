# SPDX-License-Identifier: MIT
"""A commit message says what changes and why, in a short first line, and names no files.

    python .ci/checks/commit_message.py FILE        a message that is being written
    python .ci/checks/commit_message.py             those of the commits since this check exists

Git knows which files a commit changes; a path in a message is wrong as soon as a file is moved.
"""
import re
import subprocess
import sys

LONGEST = 100
PATH = re.compile(r"(?<![\w/.:-])\.{0,2}/?[\w.-]+/(?:[\w.-]+/)*[\w-]*\.\w+\b|"
                  r"\b(?:cython_customslots|tests|docs|examples|benchmarks|utility|\.ci)/\w")


def complaints(message):
    """What is wrong with `message`, a sentence each."""
    # What git shows while one writes; a merge is described by git itself.
    message = message.partition("# ------------------------ >8")[0]
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    while lines and not lines[0].strip():
        del lines[0]
    subject = lines[0] if lines else ""
    if not subject.strip():
        yield "found no text, expected a line that says what changes and why"
        return
    if subject.startswith("Merge "):
        return
    if len(subject) > LONGEST:
        yield f"the first line has {len(subject)} characters, expected at most {LONGEST}"
    if subject.endswith("."):
        yield "the first line ends with a full stop, expected none"
    if len(lines) > 1 and lines[1].strip():
        yield "the second line is not empty; leave one empty line behind the first"
    for path in PATH.findall("\n".join(lines)):
        yield f"found the path {path!r}, expected a word for what is in that file"


def git(*arguments):
    return subprocess.run(["git", *arguments], stdout=subprocess.PIPE, check=True,
                          encoding="utf-8").stdout


def since_this_exists():
    """The commits behind the one that brought this file, or the last one in a shallow clone."""
    first = git("log", "--diff-filter=A", "--format=%H", "--", ":(top).ci/checks/commit_message.py").split()
    hashes = git("rev-list", f"{first[-1]}..HEAD").split() if first else []
    return hashes or git("rev-list", "-1", "HEAD").split()


def main(arguments):
    if arguments:
        with open(arguments[0], encoding="utf-8") as file:
            messages = {"this message": file.read()}
    else:
        messages = {commit[:12]: git("log", "-1", "--format=%B", commit)
                    for commit in since_this_exists()}
    found = [f"{name}: {complaint}" for name, message in messages.items()
             for complaint in complaints(message)]
    print("\n".join(found) or f"{len(messages)} commit messages are as they should be")
    return found != []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
