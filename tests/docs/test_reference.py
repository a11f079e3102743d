# SPDX-License-Identifier: MIT
"""The reference has a section for each public name, and for no other."""

import importlib.util
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "cython_customslots"
REFERENCE = ROOT / "docs" / "reference"
C_PAGES = ("customslots.md", "extensibletype.md", "typedmethod.md", "callbacks.md")
PUBLIC = r"Py(?:CustomSlot|ExtensibleType_|HeapExtensible|Typed)\w*"

MARKS = r"(?:\s*/\* \[[^\n]*\] \*/)*\s*"
ATTRIBUTES = r"(?:_PyCustomSlots_\w+ |static |inline |__extension__ )*"
#: Where a name is made: a macro, a function, a type.
MADE = re.compile(
    rf"^[ ]*\#[ ]*define[ ]({PUBLIC})[^\n]*"
    rf"|^{ATTRIBUTES}[^\n#{{}};=()]*\n({PUBLIC})\("
    rf"|^typedef[ ](?:struct|union)(?:[ ]\w+)?[ ]\{{.*?^\}}[ ]({PUBLIC});"
    rf"|^(?:__extension__[ ])?typedef[ ][^{{}};]*?\b({PUBLIC})(?:;|\)\()[^\n]*", re.MULTILINE | re.DOTALL)
DOCUMENTED_ABOVE = re.compile(rf"/\*\*(?:(?!\*/).)*\*/{MARKS}\Z", re.DOTALL)


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def headers():
    return {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="ascii")
            for path in sorted((PACKAGE / "include").rglob("*.h"))}


def public_names(text):
    """{name: has it a comment that the reference shows} of a header."""
    names = {}
    code = re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.DOTALL)
    for match in MADE.finditer(code):
        name = next(filter(None, match.groups()))
        line = text[match.start():text.find("\n", match.start())]
        documented = "/**<" in line or bool(DOCUMENTED_ABOVE.search(text[:match.start()]))
        names[name] = names.get(name, False) or documented
    return names


def switches(text):
    """What is to be defined before extensibletype.h is included: its first comment says."""
    start = text.index("\n * WHO IMPLEMENTS\n")
    return set(re.findall(rf"^ \*   ({PUBLIC})", text[start:text.index("*/", start)], re.MULTILINE))


def sections(text):
    """[(heading, what the directive below it shows)] of a page."""
    return re.findall(rf"^\#\#\# ({PUBLIC})\n\n```\{{(?:doxygen\w+|c:macro)\}} (\w+)$", text, re.MULTILINE)


def difference(wanted, found):
    """What to change, in words; empty: nothing."""
    return [*(f"{name} has no section: add one" for name in sorted(wanted - set(found))),
            *(f"{name} has a section, but no header has it: take that away" for name in sorted(set(found) - wanted)),
            *(f"{name} has more than one section" for name in sorted(set(found)) if found.count(name) > 1)]


def test_every_public_name_of_the_headers_has_a_section_and_no_other_name_has():
    texts = headers()
    wanted = switches(texts["include/extensibletype.h"]).union(*map(public_names, texts.values()))
    assert len(wanted) > 150
    found = []
    for page in C_PAGES:
        text = (REFERENCE / page).read_text(encoding="utf-8")
        assert len(sections(text)) == len(re.findall("^### ", text, re.MULTILINE)), page
        for heading, shown in sections(text):
            assert heading == shown, page
            found.append(heading)
    assert difference(wanted, found) == []


def test_every_public_name_of_the_headers_has_a_comment_to_be_shown():
    texts = headers()
    told_at_the_top = switches(texts["include/extensibletype.h"])
    for path, text in texts.items():
        bare = [name for name, documented in public_names(text).items()
                if not documented and name not in told_at_the_top]
        assert bare == [], f"{path}: write a comment that opens with /** above each of these, or /**< behind it"


@pytest.mark.parametrize("text, expected", [
    ("#define PyTypedMethod_NEW 1   /**< new */", {"PyTypedMethod_NEW": True}),
    ("#define PyTypedMethod_NEW 1   /* new */", {"PyTypedMethod_NEW": False}),
    ("/** New. */\n/* [new.begin] */\n#  define PyTypedMethod_NEW(x) \\\n    x", {"PyTypedMethod_NEW": True}),
    ("/** New. */\n\nstatic int\nPyCustomSlots_New(void)\n{", {"PyCustomSlots_New": True}),
    ("_PyCustomSlots_FAST const PyCustomSlot *\nPyCustomSlots_New(void)\n{", {"PyCustomSlots_New": False}),
    ("/** New. */\ntypedef struct {\n    int x;\n} PyCustomSlots_Struct;", {"PyCustomSlots_Struct": True}),
    ("typedef void (*PyCustomSlots_Function)(void);  /**< any */", {"PyCustomSlots_Function": True}),
    ("/* PyCustomSlots_Mentioned(x) */\nint x = PyCustomSlots_Called(1);\n#define _PyTypedMethod_PRIVATE", {}),
])
def test_a_public_name_is_seen_however_it_is_made(text, expected):
    assert public_names(text + "\n") == expected


def test_a_name_too_few_or_too_many_is_noticed():
    assert difference({"A", "B"}, ["B", "B", "C"]) == [
        "A has no section: add one", "C has a section, but no header has it: take that away",
        "B has more than one section"]


def test_each_pxd_file_has_a_page_and_each_name_in_it_a_section():
    declarations = load(ROOT / "docs" / "site" / "declarations.py")
    shown = {match: page for page in REFERENCE.glob("pxd-*.md")
             for match in declarations.HERE.findall(page.read_text(encoding="utf-8"))}
    assert set(shown) == {f"cython_customslots/{path.name}" for path in PACKAGE.glob("*.pxd")}
    for path in shown:
        text = (ROOT / path).read_text(encoding="utf-8")
        sections = re.findall(r"^## (\w+)$", declarations.markdown(ROOT / path), re.MULTILINE)
        assert len(sections) == len(set(sections)), path
        # The verbatim C and the docstring declare nothing.
        code = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
        named = re.findall(rf"^(?!#|.*\bcimport )[^#\n(]*?\b({PUBLIC})(?= \"|\(|:$|$)", code, re.MULTILINE)
        assert set(named) - set(sections) == set() and len(sections) >= 6, path


def test_a_comment_in_a_pxd_file_belongs_to_what_follows_it_without_an_empty_line(tmp_path):
    declarations = load(ROOT / "docs" / "site" / "declarations.py")
    path = tmp_path / "a.pxd"
    path.write_text('cdef extern from *:\n    """\n    #ifndef X\n    """\n    # Two of `them`: <int>x, see f_x.\n'
                    '    #     f(1)\n    int f "c_f" (int x) except -1\n    int g(\n        int x)\n\n'
                    '    const int H\n')
    assert declarations.declarations(path) == [
        ("f", ["Two of `them`: <int>x, see f_x.", "    f(1)"], 'int f "c_f" (int x) except -1'),
        ("g", ["Two of `them`: <int>x, see f_x.", "    f(1)"], "int g(\n    int x)"), ("H", [], "const int H")]
    assert declarations.markdown(path).startswith(
        "## f\n\n```cython\nint f(int x) except -1\n```\n\nTwo of `them`: \\<int>x, see f_x.\n```cython\nf(1)\n```\n")


def test_every_public_name_of_python_is_in_the_reference_and_no_other_is():
    import cython_customslots
    page = (REFERENCE / "python.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^\.\. auto(?:function|class):: cython_customslots\.(\w+)$", page, re.MULTILINE))
    modules = set(re.findall(r"^\.\. automodule:: cython_customslots\.(\w+)$", page, re.MULTILINE))
    assert shown | modules == set(cython_customslots.__all__) | {"provider"}
