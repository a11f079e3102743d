# SPDX-License-Identifier: MIT
"""Tells where the documents say what is not so: quotes, links, names, numbers, tables.

    python docs/check.py

Exit code 1 if something is found, and a line for each: what was found, what was expected, what to do.  It reads the
tree; nothing has to be installed.  A comment above a block of code says who tries it: `quote` (kept by docs/quote.py
as the source has it, which tests compile), `example` with its `output` or what it `fails` with, `stub`, `program`,
`project` and `command` (tests build and run them), or

    <!-- not run: REASON -->
"""
import ast
import graphlib
import re
import subprocess
import sys
from pathlib import Path

import quote

ROOT = quote.ROOT
DOCS, PACKAGE = ROOT / "docs", ROOT / "cython_customslots"

CODE = {"c", "c++", "cpp", "cython", "pyx", "pxd", "python", "py", "pycon", "sh", "bash", "shell", "console", "cmake",
        "meson", "toml", "ini", "rust", "gdb"}
MARKS = {"quote", "example", "output", "fails", "command", "project", "stub", "program"}
BLOCK = re.compile(r"(?:^<!-- ([a-z ]+?)(?:: *([^\n]*?))? *-->\n)?^```([\w+]*)[^\n]*\n(.*?)^```$",
                   re.DOTALL | re.MULTILINE)

NAME = r"\b(?:_Pycs_|Py(?:CustomSlot|Extensible|HeapExtensible|Typed))\w*"
PUBLIC = r"\bPy(?:CustomSlot|ExtensibleType_|HeapExtensible|Typed)\w*"
#: SEP 200's, of which docs/seeds.md tells what became of them; and beginnings of names.
OTHERS = {"PyCustomSlots_Init", "PyExtensibleType_TPFLAGS_IS_EXTENSIBLE", "PyExtensibleType_"}
#: What pages may have at most.
LONGEST = [("README.md", "lines", 130), ("README.md", "words", 950), ("docs/typed.md", "words", 3000)]
#: Numbers with a point that are no figures.
VERSIONS = {"3.0", "3.1", "3.3", "3.10", "3.11", "3.12", "3.13", "3.14"}
#: What is said to the compiler, or handed down within a process, and no other module sees.
UNSHARED = ("PyExtensibleType_RUNTIME_", "PyExtensibleType_MODULE_NAME", "_customslots_type_died")


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def tracked(*patterns):
    """The files of the tree, new ones as well, with paths as in messages."""
    said = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns], cwd=ROOT,
                          check=True, capture_output=True, encoding="utf-8").stdout
    return [path for path in said.splitlines() if (ROOT / path).exists()]


PAGES = {path: read(path) for path in tracked("*.md")}
#: Without blocks of code.
PROSE = {path: re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE) for path, text in PAGES.items()}
HEADERS = {path: read(path) for path in tracked("cython_customslots/include/*.h")}
HEADERS_CODE = {path: re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL) for path, text in HEADERS.items()}
ABI = "".join(text for path, text in PAGES.items() if re.fullmatch(r"docs/abi(-\w+)?\.md", path))


def words(pattern, texts):
    return set().union(*(re.findall(pattern, text) for text in texts))


def rows(text):
    """The cells of all rows of tables."""
    return [quote.cells(line) for line in text.splitlines() if line.startswith("| ")]


def quotes():
    """Quotes, tables of errors and quoted figures are what the sources have."""
    for document in quote.DOCUMENTS:
        try:
            if quote.updated(document) != read(document):
                yield f"{document}: found a quote that is not what its source says: run 'python docs/quote.py'"
        except ValueError as error:
            yield f"{document}: {error}: correct the mark above the quote"
        for begun in re.findall(r"^ *<!-- figure: (.+?) -->", PROSE[document], re.MULTILINE):
            yield f"{document}: found the figure {begun!r} at the start of a line, where a comment ends a paragraph"
    for page in "docs/why-not.md", "README.md":
        typed = re.sub(r"<!-- (rows|figure|claim):.*?<!-- end -->", "", PROSE[page], flags=re.DOTALL)
        for number in sorted(set(re.findall(r"(?<![\d.])\d+\.\d+(?!\.?\d)", typed)) - VERSIONS):
            yield f"{page}: found {number} outside of quoted rows, and no version: quote a row that was recorded"


def claims():
    """README's figures are those that were recorded, rounded by 15 % at most."""
    for name, claim in quote.CLAIMS.items():
        recorded = [float(text) for text in quote.figure(*claim.recorded).split(" to ")]
        if claim.inverse:
            recorded = [1 / figure for figure in recorded]
        if not 0.85 * min(recorded) <= float(claim.costs) <= 1.15 * max(recorded):
            yield (f"cython_customslots/demo/claims.py: found {claim.costs} for {name!r}, expected at most 15 % less "
                   f"or more than {min(recorded):.2f} to {max(recorded):.2f}: round what {quote.FIGURES} has")
        if f"<!-- claim: {name} -->" not in PAGES["README.md"]:
            yield f"README.md: found no claim {name!r}, which the demo compares with README: quote it, or remove it"


def code():
    """Code is quoted, or run, or there is a reason why not."""
    for path, text in PAGES.items():
        for match in BLOCK.finditer(text):
            mark, reason, language, lines = match.groups()
            if language in CODE and mark not in MARKS and not (mark == "not run" and reason):
                yield (f"{path}:{text.count(chr(10), 0, match.start()) + 1}: found code that nobody runs, "
                       f"{lines.partition(chr(10))[0]!r}, expected a mark above it: see docs/check.py")


def anchors(path):
    """What the headings of a page are called in links."""
    for heading in re.findall(r"^#+ +(.*?) *$", PROSE[path], re.MULTILINE):
        text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda match: match[1] or "", heading)
        yield re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def lengths():
    """README is read in a minute, and a page that many read first in a quarter of an hour."""
    for page, unit, most in LONGEST:
        if (found := len(getattr(PAGES[page], "splitlines" if unit == "lines" else "split")())) > most:
            yield f"{page}: found {found} {unit}, expected {most} at most: move what is not for everybody to a page"


def links():
    """Links lead to a file, and to a heading in it."""
    for path, text in PROSE.items():
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)#?([^)#:\s]*)\)", text):
            file = ((ROOT / path).parent / target if target else ROOT / path).resolve()
            if not file.exists():
                yield f"{path}: found a link to {target}, which is not there: link to what is"
            elif anchor and anchor not in anchors(file.relative_to(ROOT).as_posix()):
                yield f"{path}: found a link to {target}#{anchor}, which is no heading there: link to one that is"


def tables():
    """A row of a table is one line: where it goes on in the next, Markdown ends the table."""
    for path, text in PROSE.items():
        for line in text.splitlines():
            if line.startswith("| ") and not line.rstrip().endswith("|"):
                yield f"{path}: found the row {line[:60]!r} without a | at its end: put it on one line"


def names():
    """What is called ours is ours; IDs that are never in anything released are in nothing to be copied."""
    ours = words(r"\w+", map(read, tracked("cython_customslots", "utility")))
    for path, text in PAGES.items():
        if path != "CHANGELOG.md":              # where names may be gone
            for name in sorted(set(re.findall(NAME, text)) - ours - OTHERS):
                yield f"{path}: found {name}, which is nowhere in the package: write what it is called now"
    private = re.compile(r"PyCustomSlots_ID\((0x0*)?1,|REGISTRAR_INTERNAL,|\b0x0*1[0-9a-fA-F]{6}\b")
    for path in tracked("README.md", "docs/*.md", "cython_customslots/*.h", "examples"):
        # examples of what is refused are none to copy
        if path != "docs/errors.md" and not path.endswith(".svg") and private.search(read(path)):
            yield (f"{path}: found an ID of the registrar 1, which is for tests; expected a name, or a number of the "
                   "registry in docs/abi.md")


def installing():
    """The commands by which one gets the package work while there is no release."""
    for path, text in PAGES.items():
        if (re.search(r"pip install [^`\n]*\bcython-customslots\b", text) and path.startswith(("README", "docs/", "ex"))
                and path != "docs/building.md" and "building.md#before-the-first-release" not in text):
            yield (f"{path}: found 'pip install cython-customslots', which finds no release yet: link to "
                   "building.md#before-the-first-release")
        if re.fullmatch(r"examples/(building/\w+|(?!building/)[^/]+)/README\.md", path):
            clone = "../" * path.count("/")
            installs = re.findall(r"^ +pip install (.*)$", text, re.MULTILINE)
            if not installs or not installs[0].startswith(f"'{clone[:-1]}[cython]'"):
                yield f"{path}: found {installs[:1]} installed first, expected '{clone[:-1]}[cython]', in quotes"
            for said in installs:
                if "cython-customslots" in said or "." in said.split() and "--no-build-isolation" not in said:
                    yield f"{path}: found 'pip install {said}', expected --no-build-isolation: no release is to be had"


def changelog():
    """The newest entry has the version and the numbers of the ABI."""
    def number(path, name):
        return re.search(rf"(?m)^#define {name} (\d+)", read(PACKAGE / path))[1]
    expected = (f"Table ABI {number('include/customslots.h', 'PyCustomSlots_ABI_VERSION')}, rendezvous "
                f"{number('include/_extensibletype/api.h', '_Pycs_RENDEZVOUS_VERSION')}. State version "
                f"{number('runtime/state.h', '_Pycs_STATE_VERSION')}. Typed-record ABI "
                f"{number('include/_typedmethod/record.h', 'PyTypedMethod_ABI_VERSION')}.")
    title, _, entry = PAGES["CHANGELOG.md"].split("\n## ")[1].partition("\n")
    version = quote.constants("cython_customslots/__init__.py")["__version__"]
    if not re.fullmatch(rf"{re.escape(version)} \((unreleased|\d{{4}}-\d\d-\d\d)\)", title):
        yield f"CHANGELOG.md: found '{title}' on top, expected '{version} (unreleased)' or a date"
    if not entry.lstrip("\n").startswith(f"{expected}\n"):
        yield f"CHANGELOG.md: found '{entry.strip().partition(chr(10))[0]}', expected '{expected}' as the headers say"


def type_names():
    """C's names of types in signatures are the same in the header, on the page, and for the compiler layer."""
    header = read(PACKAGE / "include/_typedmethod/tokens.h")
    codes = re.search(r"char \*const _Pycs_type_names\[.*?\{(.*?)\}",
                      read(PACKAGE / "include/_typedmethod/signature.h"), re.DOTALL)[1]
    expected = set(re.findall(r"(?m)^#define _Pycs_W_(\w+) ", header)) - {"_", "_Bool", *re.findall(r"\w+", codes)}
    layer = set(ast.literal_eval("{" + re.search(r"name: name for name in \((.*?)\)",
                                                 read(PACKAGE / "compiler/typed/callers.py"), re.DOTALL)[1] + "}"))
    page = set(re.search(r"the former also knows\s+`(.*?)`", PAGES["docs/abi-typed.md"])[1].split())
    for path, found in [("docs/abi-typed.md", page), ("cython_customslots/compiler/typed/callers.py", layer)]:
        if found != expected:
            yield (f"{path}: found {' '.join(sorted(found))} as names of types in signatures, expected "
                   f"{' '.join(sorted(expected))}, as in _typedmethod/tokens.h")


def platforms():
    """The table of platforms names sessions that there are, and versions are those that sessions test."""
    page, text = "docs/platforms.md", PAGES["docs/platforms.md"]
    known = quote.constants("noxfile.py")
    sessions = {node.name for node in ast.parse(read("noxfile.py")).body if isinstance(node, ast.FunctionDef)
                and any(ast.unparse(each).startswith("nox.session") for each in node.decorator_list)}
    for name in sorted(sessions - set(re.findall(r'Session\("(\w+)', read(".ci/sessions.py")))):
        yield f".ci/sessions.py: found no session '{name}', which noxfile.py has, expected all of them: add it"
    ours = {f"platforms({name})" for name in known["PLATFORMS"]}
    named = set()
    for platform, known_by, _, where in rows(text.partition("\n## ")[0])[1:]:
        if where.startswith("---"):
            continue
        here = set(re.findall(r"`([^`]+)`", where))
        named |= here
        if not here or here - sessions - ours:
            yield f"{page}: found {where} for {platform}, expected sessions of noxfile.py"
        # What is cross-compiled for systems and Windows, nobody runs.
        only_compiled = here & {"platforms(windows)", "platforms(systems)"}
        if known_by not in (["compiled"] if only_compiled else ["run", "compiled", "not proved"]):
            yield f"{page}: found '{known_by}' for {platform}, expected 'compiled', or for what is run 'run'"
    for name in sorted(ours - named):
        yield f"{page}: found no row for the session {name}: add one"
    tested = {version for version, _ in known["TESTED"] if "." in version}
    versions = sorted({version.rstrip("td") for version in tested}, key=lambda version: int(version[2:]))
    said = [f"CPython {versions[0]} to {versions[-1]}"]
    said += [f"{version[:-1]} free-threaded" for version in sorted(tested) if version.endswith("t")]
    for words_of_page in said:
        if words_of_page not in text:
            yield f"{page}: found no '{words_of_page}', which noxfile.py tests: say so"
    classifiers = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', read("pyproject.toml"))
    if classifiers != versions:
        yield f"pyproject.toml: found classifiers for {classifiers}, expected {versions}, which noxfile.py tests"


def reference():
    """Each public name of headers, .pxd files and Python has a section, and no other has."""
    sections = re.findall(rf"^### ({PUBLIC})\n\n```\{{(?:doxygen\w+|c:macro)\}} \1$", "\n".join(
        text for path, text in PAGES.items() if path.startswith("docs/reference/")), re.MULTILINE)
    for name in sorted(words(PUBLIC, HEADERS_CODE.values()) - set(sections)):
        yield f"docs/reference: found no section for {name}: add one"
    known = words(PUBLIC, HEADERS.values())
    for name in sorted(name for name in set(sections) if sections.count(name) > 1 or name not in known):
        yield f"docs/reference: found {name}, which has a section already or is in no header: take this one away"
    shown = words(r"(?m)^<!-- declarations: (\S+) -->$", PAGES.values())
    for path in sorted(shown ^ {f"cython_customslots/{path.name}" for path in PACKAGE.glob("*.pxd")}):
        yield f"docs/reference: found {path} without a page, or a page without that file: each .pxd has one"
    known = quote.constants("cython_customslots/__init__.py")
    python = words(r"(?m)^\.\. auto(?:function|class|module):: cython_customslots\.(\w+)$",
                   [PAGES["docs/reference/python.md"]])
    for name in sorted(python ^ {*known["_ALWAYS"], *known["_WHERE_INSTALLED"], "provider"}):
        yield f"docs/reference/python.md: found {name} there or in __all__ alone, expected it in both"


def abi():
    """The pages of the ABI are complete: what others must know to the byte is quoted, and each function is told."""
    quoted = "".join(re.findall(r"<!-- quote: [^\n]+ -->\n```c\n(.*?)```", ABI, re.DOTALL))
    name = r"(?:_Pycs_|Py(?:HeapExtensible|CustomSlot|Extensible))\w*"
    defined = words(rf"(?m)^# *define +({name})(?= +\S|\()|^}} ({name});|^struct ({name}) {{", HEADERS_CODE.values())
    defined = {one for found in defined for one in found if one}
    prose = re.sub(r"```c\n.*?```", "", ABI, flags=re.DOTALL)
    wanted = {one for one in defined if not one.startswith(("_", *UNSHARED))} | defined & words(rf"\b{name}", [prose])
    for one in sorted(wanted - words(r"\w+", [quoted])):
        yield f"docs/abi*.md: found no quote of the definition of {one}, which is public or named there: quote it"
    shared = words(r'"(_(?:customslots|extensibletype)[\w.]*)"', HEADERS_CODE.values()) - {*UNSHARED}
    slot = re.search(r'(?m)^SLOT_NAME = "(.*)"$', read(PACKAGE / "compiler/classes/vtables.py"))[1]
    shared.add(f"`{slot.format(name='{module}.{name}')}`")
    for one in sorted(one for one in shared if one not in ABI):
        yield f"docs/abi*.md: found no {one}, by which modules find what they share: say what it is"
    functions = re.findall(r"(?m)^    FUNCTION\([^,]+, (\w+), ", ABI)
    counts = re.findall(r"^\| \d+ \| \d+ \| `(\w+)` \| (\d+) \|$", ABI, re.MULTILINE)
    if counts != [(one, str(number)) for number, one in enumerate(functions, 1)]:
        yield ("docs/abi-rendezvous.md: found other functions with offset and count than the struct has: a row each, "
               "in its order")
    contracts = re.search(r"### The functions\n(.*?)\n### Static types", ABI, re.DOTALL)[1]
    if re.findall(r"^\| `(\w+)` \|", contracts, re.MULTILINE) != functions[functions.index("ready"):]:
        yield ("docs/abi-rendezvous.md: found other functions with a contract than the struct has from 'ready' on: a "
               "row each, in its order")


def abi_example():
    """The bytes of the example are those of its numbers."""
    text = re.search(r"### An example\n(.*?)\n## ", ABI, re.DOTALL)[1]
    ready = int(re.search(r"_Pycs_READY +\(\(uintptr_t\)(0x[0-9A-F]{16})u\)", ABI)[1], 16)
    address = int(re.search(r"`T` = `(0x[0-9A-F]{16})`", text)[1], 16)
    shown = {name: (raw.strip(), int(value, 0)) for raw, name, value in re.findall(
        r"^    T \+ \d+ +((?:[0-9A-F]{2} ){8}) *(etp_\w+) *= (\w+)$", text, re.MULTILINE)}
    ids = re.findall(r"`PyCustomSlots_ID\((\w+), (\w+), (\w+)\)` = `(0x\w+)`", text)
    numbers = [int(registrar, 0) << 24 | int(idea, 0) << 8 | int(version, 0) << 1 | 1
               for registrar, idea, version, _ in ids]

    def raw(number):
        return number.to_bytes(8, "little").hex(" ").upper()
    if not (ids and numbers == [int(number, 16) for *_, number in ids]
            and all(raw(value) == found for found, value in shown.values())
            and shown["etp_check"][1] == address ^ ready and f"`0x{ready:016X}`" in text
            and shown["etp_custom_slot_count"][1] == len(ids)
            and all(f"    0x{shown['etp_custom_slots'][1] + 16 * i:X}   {raw(number)} " in text
                    for i, number in enumerate(numbers))):
        yield "docs/abi.md: found an example whose bytes, numbers or check are not those of its IDs: calculate it again"


def errors():
    """Each error of the compiler layer is in a file of the tests, and each of these files in docs/errors.md."""
    page = PAGES["docs/errors.md"]
    shown = {name for match in quote.ERRORS.finditer(page) for name in match[2].split()}
    files = {path.rpartition("/")[2] for path in tracked("tests/compiler/errors/*.py*") if not path.endswith(".pxd")}
    for name in sorted(files - shown):
        yield f"docs/errors.md: found no table of tests/compiler/errors/{name}: add it, and run 'python docs/quote.py'"
    said = [text for name in files for *_, text in quote.errors(name)] + re.findall(
        r"`([^`]+)`", " ".join(PROSE["docs/errors.md"].split()))
    for path in tracked("cython_customslots/compiler/*.py"):
        for node in ast.walk(ast.parse(read(path))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("error", "CompileError", "warning"):
                parts = node.args[1].values if isinstance(node.args[1], ast.JoinedStr) else [node.args[1]]
                pattern = "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".*" for part in parts)
                if pattern == ".*" or not any(re.fullmatch(pattern, text) for text in said):
                    yield f"{path}:{node.lineno}: found an error that is in no file of tests/compiler/errors: add it"


def imports(path, files):
    """The *files* that a file imports, in whatever line; a package is its __init__.py."""
    for node in ast.walk(ast.parse(read(path))):
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        above = Path(path).parents[node.level - 1] if getattr(node, "level", 0) else Path()
        module = above.joinpath(*(getattr(node, "module", "") or "").split("."))
        for name in (module.joinpath(*alias.name.split(".")) for alias in node.names):
            names = [f"{one.as_posix()}{end}" for one in (name, module) for end in (".py", "/__init__.py")]
            yield from [one for one in names if one in files][:1]


def circles():
    """No file of a part imports itself by way of others, and no folder in it: each stands above what it imports."""
    for part in ("cython_customslots/compiler",):
        files = set(tracked(f"{part}/*.py"))
        above = {path: set(imports(path, files)) for path in files}
        folders = {path: path if Path(path).parent == Path(part) else str(Path(path).parent) for path in files}
        between = {folder: {folders[one] for path in files if folders[path] == folder for one in above[path]} - {folder}
                   for folder in folders.values()}
        for graph in above, between:
            try:
                graphlib.TopologicalSorter(graph).prepare()
            except graphlib.CycleError as error:
                yield (f"{error.args[1][0]}: found a circle of imports, {' <- '.join(error.args[1])}, expected none: "
                       f"move what both need into a file below them")


def floors():
    """A file of the runtime includes and calls only what is lower in the plan, and each declaration is where it is due.

    A header declares what its own .c file defines; prototypes.h has the rest, from the lowest floor up.
    """
    folder = "cython_customslots/runtime"
    plan = [name for row in rows(PAGES[f"{folder}/README.md"])[:1:-1] for name in re.findall(r"`(\w+)`", row[1])]
    files = {path: re.sub(r"/\*.*?\*/", " ", read(path), flags=re.DOTALL) for path in tracked(f"{folder}/*.[ch]")}
    for name in sorted(set(plan) ^ {Path(path).stem for path in files}):
        yield f"{folder}/README.md: found {name} there or in the folder alone: each file is on one floor"
    defined = {function: Path(path).stem for path, text in files.items() if path.endswith(".c")
               for function in re.findall(r"(?m)^(_Pycs_\w+)\([^;{]*\)\n\{", text)}
    for path, text in files.items():
        name = Path(path).stem
        below = set(plan[:plan.index(name) + 1]) if name in plan else set(plan)
        for included in set(re.findall(r'(?m)^#include "runtime/(\w+)\.h"', text)) & set(plan) - below:
            yield (f"{path}: found {included}.h included, which is higher in the plan of {folder}/README.md: "
                   "move what both need into a lower file")
        declared = re.findall(r"(?m)^_Pycs_(?:PRIVATE|ENTRY) [^;{]*?(\w+)\([^;{]*\);", text)
        for function in declared:
            if defined.get(function) not in (plan if name == "prototypes" else [name]):
                yield f"{path}: found {function}() declared, which {name}.c does not define: declare it where it is"
        places = [plan.index(defined[function]) for function in declared if defined.get(function) in plan]
        if places != sorted(places):
            yield f"{path}: found functions of a higher file before those of a lower one: keep the order of the plan"
        for called in sorted(set(re.findall(r"\b_Pycs_\w+", text)) & set(defined) - set(declared)):
            if defined[called] not in below:
                yield (f"{path}: found {called}() used, which {defined[called]}.c defines, higher in the plan of "
                       f"{folder}/README.md: move what both need into a lower file")


def one_meaning():
    """What a file of the compiler layer defines at its top level, no other file of it defines."""
    defined = {}
    for path in tracked("cython_customslots/compiler/*.py"):
        for node in ast.parse(read(path)).body:
            targets = [one for target in getattr(node, "targets", ()) for one in ast.walk(target)]
            for name in {one.id for one in targets if isinstance(one, ast.Name)} | {getattr(node, "name", "")} - {""}:
                defined.setdefault(name, []).append(path)
    for name, paths in defined.items():
        if len(paths) > 1:
            yield f"{', '.join(paths)}: found {name} in each, expected it in one: say in the names which it is"


def pictures():
    """The pictures of type objects show what was recorded, and all have one palette."""
    sys.path.append(str(DOCS / "pictures"))
    import draw
    for name, text in draw.pictures().items():
        if read(DOCS / "pictures" / name) != text:
            yield f"docs/pictures/{name}: found another picture than is drawn: run 'python docs/pictures/draw.py'"
    ours = {*draw.palette.LIGHT.values(), *draw.palette.DARK.values()}
    for path in tracked("*.svg"):
        if others := sorted({*re.findall(r"#[0-9a-f]{6}\b", read(path))} - ours):
            yield (f"{path}: found the colours {', '.join(others)}, expected those of inspecting/palette.py: "
                   "draw it again")


CHECKS = (quotes, claims, code, lengths, links, tables, names, installing, changelog, type_names, platforms, reference,
          abi, abi_example, errors, circles, floors, one_meaning, pictures)

if __name__ == "__main__":
    found = [complaint for check in CHECKS for complaint in check()]
    print("\n".join(found) or f"{len(PAGES)} documents say what is so")
    sys.exit(bool(found))
