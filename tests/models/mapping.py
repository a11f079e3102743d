# SPDX-License-Identifier: MIT
"""Tells which functions have changed since somebody compared them with the models that stand for them.

    python tests/models/mapping.py              exit code 1 if one has, and a line for each
    python tests/models/mapping.py --looked     you have looked: mapped.txt has the bodies of today

The comment at the head of a model says, under MAPPING, which functions it has been written from.
"""
import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "cython_customslots"
MAPPED = HERE / "mapped.txt"


def mapping(text):
    """(path below the package, name) of each function that a model is of."""
    path = None
    for word in re.findall(r"[\w/]+\.[ch]:|_Pycs_\w+|Py\w+", text[text.index("MAPPING"):text.index("*/")]):
        if word.endswith(":"):
            path = word[:-1] if "/" in word else f"runtime/{word[:-1]}"
        else:
            yield path, word


def body(path, name):
    """What identifies a function's text, without comments and spaces."""
    found = re.search(rf"^{name}\(.*?^}}$", (PACKAGE / path).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    if not found:
        return "missing"
    return hashlib.sha256(re.sub(r"/\*.*?\*/|\s+", "", found[0], flags=re.DOTALL).encode()).hexdigest()[:12]


def main(arguments):
    models = {model.name: sorted(set(mapping(model.read_text(encoding="utf-8")))) for model in HERE.glob("*.pml")}
    bodies = {pair: body(*pair) for pairs in models.values() for pair in pairs}
    if arguments == ["--looked"]:
        MAPPED.write_text("".join(f"{path} {name} {bodies[path, name]}\n" for path, name in sorted(bodies)), "utf-8")
    known = {(path, name): text for path, name, text in map(str.split, MAPPED.read_text("utf-8").splitlines())}
    wrong = [(path, name) for path, name in {*bodies, *known}
             if bodies.get((path, name)) in (None, "missing") or known.get((path, name)) != bodies[path, name]]
    for path, name in sorted(wrong):
        of = ", ".join(model for model, pairs in sorted(models.items()) if (path, name) in pairs) or "no model"
        print(f"{path}: found another body of {name} than {of} was compared with; compare them again, run "
              "`nox -s models`, and then `python tests/models/mapping.py --looked`")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
