# SPDX-License-Identifier: MIT
"""The layouts that separately built binaries rely on are pinned."""
import re
from pathlib import Path

import cython_customslots
import pytest
import support

SOURCE = Path(__file__).resolve().parent / "abi_layout.c"
SOURCES = [SOURCE, SOURCE.with_name("typed_layout.c")]


@pytest.mark.parametrize("dialect", support.DIALECTS)
def test_no_pinned_layout_has_changed(dialect, tmp_path):
    support.compile_all_strictly(SOURCES, dialect, tmp_path)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_file_of_assertions_holds_nothing_else(source):
    text = re.sub(r"/\*.*?\*/", "", source.read_text("utf-8"), flags=re.DOTALL)
    text = re.sub(r"^ *#.*$", "", text.replace("\\\n", " "), flags=re.MULTILINE)
    statements = [statement.strip() for statement in text.split(";\n") if statement.strip()]
    assert len(statements) > 30
    for statement in statements:
        assert re.match(r"(PIN|SIZE_IS|AT)\(", statement), statement


@pytest.mark.parametrize("dialect", ["c99", "c11", "c++11"])
@pytest.mark.parametrize("old, new, header, words", [
    ("uintptr_t        id;    /*", "uintptr_t        more; uintptr_t id;    /*",
     "customslots.h", "PyCustomSlot"),
    ("((Py_ssize_t)-0x5E9202)", "((Py_ssize_t)0x5E9202)", "customslots.h", "mark"),
    ("    Py_ssize_t heaptype_size;", "    Py_ssize_t extra; Py_ssize_t heaptype_size;",
     "_extensibletype/api.h", "_PyExtensibleType_API"),
    ("    uint32_t                  flags;        /**< 0 */", "    uint64_t flags;",
     "_typedmethod/record.h", "PyTypedMethodRecord"),
    ("(uint64_t)(a) << 6", "(uint64_t)(a) << 7", "_typedmethod/signature.h", "packing"),
], ids=["slot", "mark", "API", "record", "signature"])
def test_changed_layout_is_noticed(old, new, header, words, dialect, tmp_path):
    """The assertions bite, in each of the three ways they are spelled."""
    source = SOURCES["_typedmethod" in header]
    include = Path(cython_customslots.get_include())
    for path in include.rglob("*.h"):
        copy = tmp_path / path.relative_to(include)
        copy.parent.mkdir(exist_ok=True)
        text = path.read_text("ascii")
        if path == include / header:
            assert text.count(old) == 1
            text = text.replace(old, new)
        copy.write_text(text, encoding="ascii")
    # Its own header is looked up beside the file first.
    (tmp_path / source.name).write_text(source.read_text("utf-8"))
    done = support.compile_strictly(tmp_path / source.name, dialect, tmp_path / "layout.o")
    assert done.returncode != 0
    assert "error" in done.stdout
    if dialect != "c99" and "PyCustomSlot" not in words:
        assert words in done.stdout and "changed" in done.stdout
