# SPDX-License-Identifier: MIT
"""What modules of different ages share stands where it stood when it was recorded: layout.txt."""
import re
import shutil

import cython_customslots
import pytest
import snapshot
import support

INCLUDE = cython_customslots.get_include()


@pytest.fixture
def headers(tmp_path):
    """A copy of the headers, and a function that changes it."""
    copy = tmp_path / "include"
    shutil.copytree(INCLUDE, copy)

    def change(old, new):
        changed = 0
        for path in copy.rglob("*.h"):
            text = path.read_text("ascii")
            changed += text.count(old)
            path.write_text(text.replace(old, new), "ascii")
        assert changed == 1, f"found {old!r} {changed} times"
        return copy

    return change


def test_nothing_that_modules_share_has_changed_its_place():
    changed = snapshot.changes(INCLUDE)
    assert not changed, changed


def test_the_compiler_puts_everything_where_it_is_recorded():
    """With the headers of this interpreter: with or without a GIL, debug or release, 32 or 64 bit."""
    lines = snapshot.recorded()
    source = support.write_source(support.CACHE / "abi_snapshot.c",
                                  snapshot.program("abi_snapshot", lines))
    told = support.load(support.build_c("abi_snapshot", source)).layout()
    wanted = snapshot.expected(lines)
    assert [row[:2] for row in told] == [row[:2] for row in wanted]
    assert [(name, size) for name, _, size in told if size] == [
        (name, size) for name, _, size in wanted if size]
    assert len(told) > 300


def test_every_struct_of_the_headers_is_recorded_or_said_to_be_private():
    unexplained = snapshot.unexplained(INCLUDE)
    assert not unexplained, (
        f"found {', '.join(unexplained)} in the headers, where no recorded struct leads to; if "
        "modules of different ages share it, name it in GROUPS of snapshot.py, else in PRIVATE")


#: Structs of the state that are there for as long as a class, a metaclass, a thread or the API.
LASTING = {"State", "Thread", "Sidecar", "Setting", "FieldEntry", "Layer", "Record", "Layout", "Spare",
           "Known"}
#: Those that end with the call that made them; and a part of FieldEntry.
PASSING = {"FieldWork", "Copy", "Refresh", "Pending", "Handover", "Made", "BodyValue",
           "Overrides", "Override"}
PARTS = {"FieldDef"}


def test_what_is_reached_from_the_state_is_recorded():
    names = {re.match(r"\w+ _PyExtensibleType_(\w+):", line)[1]
             for line in snapshot.recorded()["state"] if line.startswith("struct")}
    assert names == LASTING | PASSING | PARTS


def test_whatever_stays_has_a_pointer_for_what_a_later_implementation_wants_to_keep():
    """A table's record has it in front of its entries, where readers of every age step over it."""
    known = snapshot.structs(INCLUDE)
    lacking = [name for name in sorted(LASTING | {"Met"})
               if not any("void *extension" in declaration for declaration, *_ in
                          known[f"_PyExtensibleType_{name}"].members)]
    assert lacking == ["Record"]
    assert any(declaration == "_PyCustomSlots_Declared declared" for declaration, *_ in
               known["_PyExtensibleType_Record"].members)
    for holder in "_PyCustomSlots_Declared", "PyHeapExtensibleTypeObject":
        assert any(re.match(r"void \*(etp_)?extension$", declaration) for declaration, *_ in
                   known[holder].members), holder


@pytest.mark.parametrize("old, new, group, advice", [
    ("    uintptr_t generation;   ", "    uintptr_t wanted; uintptr_t generation;   ",
     "state", "_PyExtensibleType_STATE_VERSION"),
    ("    Py_ssize_t     refcount;", "    void *refcount;",
     "state", "_PyExtensibleType_STATE_VERSION"),
    ("    int           has_defaults;", "    char          has_defaults;",
     "state", "_PyExtensibleType_STATE_VERSION"),
    ("    PyTypeObject *metaclass;        /* borrowed: it owns",
     "    void *more; PyTypeObject *metaclass;        /* borrowed: it owns",
     "rendezvous", "_PyExtensibleType_RENDEZVOUS_VERSION"),
    ("    int (*resolve)(_PyExtensibleType_API *, PyTypeObject *);",
     "    int (*resolve)(_PyExtensibleType_API *, PyTypeObject *, int);",
     "rendezvous", "_PyExtensibleType_RENDEZVOUS_VERSION"),
    ("    int (*set_slots)(", "    int (*more)(void); int (*set_slots)(",
     "rendezvous", "record it"),
    ("    uintptr_t        etp_check;   ", "    uint32_t         etp_check;   ",
     "type objects", "PyCustomSlots_ABI_VERSION"),
    ("    void         *extension; /* NULL; readers do not look at it */", "",
     "type objects", "PyCustomSlots_ABI_VERSION"),
    ("    const char *doc;                    /**< or NULL */",
     "    void *more; const char *doc;                    /**< or NULL */",
     "descriptions of fields", "at the end"),
    ("    size_t length;                         /*", "    int    length;                         /*",
     "the process's table", "_PyCustomSlots_TABLE_KEY"),
    ("    uintptr_t owner;                /* the process", "    uint32_t owner; /* the process",
     "the process's table", "_PyCustomSlots_TABLE_KEY"),
    ("    struct _PyCustomSlots_Entry *next;  /*", "    struct _PyCustomSlots_Entry *later, *next;  /*",
     "the process's table", "_PyCustomSlots_TABLE_KEY"),
    ("    uint32_t                  flags;        /**< 0 */", "    uint64_t flags;",
     "typed records", "PyTypedMethod_ABI_VERSION"),
    ("    int32_t  self_offset;   /**< of a", "    uint64_t self_offset;   /**< of a",
     "registered functions", "_PyCustomSlots_TABLE_KEY"),
    ("_STATE_VERSION 1", "_STATE_VERSION 2", "constants", "the new number"),
    ('"_customslots_table_v1"', '"_customslots_table_v2"', "constants", "the new number"),
    ("#define _PyExtensibleType_GET_DICT   2", "#define _PyExtensibleType_GET_DICT   6",
     "constants", "the new number"),
], ids=str)
def test_a_changed_place_is_noticed_and_says_what_to_do(old, new, group, advice, headers):
    changed = snapshot.changes(headers(old, new))
    assert f"{group} changed; " in changed
    assert advice in changed
    assert "python tests/layout/snapshot.py" in changed


def test_a_struct_that_depends_on_the_build_is_refused(headers):
    copy = headers("    uintptr_t lock_owner;", "#ifndef NDEBUG\n    uintptr_t lock_owner;\n#endif\n")
    with pytest.raises(ValueError, match="the same in every build"):
        snapshot.changes(copy)


def test_a_new_struct_is_recorded_when_a_member_leads_to_it(headers):
    copy = headers("typedef struct _PyExtensibleType_State {\n    void *extension;",
                   "struct _PyExtensibleType_Novel {\n    int first;\n};\n"
                   "typedef struct _PyExtensibleType_State {\n"
                   "    struct _PyExtensibleType_Novel *extension;")
    changed = snapshot.changes(copy)
    assert "+struct _PyExtensibleType_Novel: 4, 4" in changed
