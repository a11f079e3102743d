#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version, which is said in one place: __version__ in the package's __init__.py.

    packaging/version.py            print it; meson.build asks
    packaging/version.py --check    and see whether the others have the same
    packaging/version.py 0.2.0      write it there, and wherever else it has to stand

Headers have the number in their own text, because what they do when copies of different age meet
depends on it; so they cannot ask.  Nor can a page of the documents.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "cython_customslots"

PLACE = (PACKAGE / "__init__.py", r'(?m)^(__version__ = ")([^"]+)(")$')


def copies(version):
    """Where the number stands besides: (file, pattern with three groups, what the second must be)."""
    major, minor, patch = map(int, version.split("."))
    packed, shown = f"{major} << 24 | {minor} << 12 | {patch}", r"(?m)^({} \()([^)]*)(\)\s+/\* {} \*/)$"
    hexadecimal = f"0x{major << 24 | minor << 16 | patch << 8 | 0xF0:08X}"
    include, runtime = PACKAGE / "include", PACKAGE / "runtime" / "runtime.h"
    for path, name in [(include / "_extensibletype" / "api.h", "_Pycs_HEADERS"),
                       (runtime, "_Pycs_RELEASE")]:
        yield path, shown.format(f"#define {name}", r"[\d.]+"), packed
        yield path, rf"(?m)^(#define {name} \([^)]*\)\s+/\* )([\d.]+)( \*/)$", version
    header = include / "customslots.h"
    yield header, r'(?m)^(#define PyCustomSlots_VERSION\s+")([^"]+)(".*)$', version
    yield header, r"(?m)^(#define PyCustomSlots_VERSION_HEX )(\w+)(.*)$", hexadecimal
    page = ROOT / "docs" / "vendoring.md"
    yield page, r'(`PyCustomSlots_VERSION` is `")([^"]+)("`)', version
    yield page, r"(`PyCustomSlots_VERSION_HEX` `)(\w+)(`)", hexadecimal
    yield ROOT / "docs" / "abi.md", r"(\| number of an implementation \| )([\d.]+)( \|)", version


def one(path, pattern):
    found = re.findall(pattern, path.read_text(encoding="utf-8"))
    if len(found) != 1:
        raise SystemExit(f"version.py: found {len(found)} lines in {path} that match {pattern}, expected one")
    return found[0][1]


def put(path, pattern, value):
    one(path, pattern)
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(pattern, lambda match: match[1] + value + match[3], text), encoding="utf-8")


def main(arguments):
    version = one(*PLACE)
    if not arguments:
        print(version)
        return 0
    if arguments == ["--check"]:
        wrong = [f"found {found} in {path.relative_to(ROOT)}, expected {expected}"
                 for path, pattern, expected in copies(version) if (found := one(path, pattern)) != expected]
        print("\n".join(f"version.py: {line}; run packaging/version.py {version}" for line in wrong)
              or version, file=sys.stderr if wrong else sys.stdout)
        return 1 if wrong else 0
    if len(arguments) != 1 or not re.fullmatch(r"\d{1,2}\.\d{1,2}\.\d{1,2}", arguments[0]):
        print(f"version.py: found {' '.join(arguments)!r}, expected a version as 0.2.0, or --check",
              file=sys.stderr)
        return 2
    put(*PLACE, arguments[0])
    for path, pattern, value in copies(arguments[0]):
        put(path, pattern, value)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
