# SPDX-License-Identifier: MIT
"""What was written from the pages of the ABI alone (foreign.py) agrees with the headers."""
import ctypes
import shutil
import subprocess

import foreign
import pytest
import support
from cython_customslots import combine, provider
from support import A, B, C, SKIP, slot_id, static_type, with_slots

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def finder(probe):
    return foreign.Finder()


@pytest.fixture(scope="module")
def families(probe, extensibletype):
    """Types of all kinds."""
    import abc
    import enum
    static = static_type(probe, "abi.Static", (), [(A, 1), (B, 2)])
    python = with_slots(probe, extensibletype("Python", (static,), {}), (SKIP, 0), (C, 3))
    deep = type("Deep", (python,), {"__slots__": ()})
    bare = type.__new__(extensibletype, "Bare", (python,), {})
    many = with_slots(probe, extensibletype("Many", (), {}), *((slot_id(100 + i), i) for i in range(9)))
    spec = probe.from_spec("abi.Spec", (python,), None)
    abstract = combine(python, abc.ABC)("Abstract", (python, abc.ABC), {})
    return [static, python, deep, bare, many, spec, abstract, extensibletype("Empty", (), {}),
            int, object, type, dict, abc.ABC, enum.Enum, extensibletype, type(extensibletype),
            type("Plain", (), {}), ctypes.Structure]


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    """find(class, ID, position) in Python and, where there is rustc, the one in Rust that the page shows."""
    def rust(cls, wanted, position):
        return library.find(ctypes.byref(python), id(cls), wanted)

    if shutil.which("rustc") is None or foreign.W != 8:
        return [foreign.find]
    made = tmp_path_factory.mktemp("reader") / "reader.so"
    subprocess.run(["rustc", "--crate-type=cdylib", "--edition=2021", "-C", "panic=abort", "-o", made,
                    support.TESTS / "docs/reader.rs"], check=True)
    library = ctypes.CDLL(str(made))
    library.find.restype, library.find.argtypes = ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]
    python = (ctypes.c_size_t * 5)(foreign.HEAD, foreign.H, foreign.member(0, 18), foreign.member(0, 29), id(type))
    return [foreign.find, rust]


def test_a_reader_written_from_the_page_finds_what_ours_finds(probe, families, readers):
    wanted = [0, 1, A, B, C, slot_id(100), slot_id(104), slot_id(108), slot_id(999)]
    found = 0
    for cls in families:
        for number in wanted:
            for position in 0, 1, 3, 4, 8, 1000, -1:
                expected = probe.find_type(cls, number, position)
                assert [foreign.data(find(cls, number, position)) for find in readers] == [expected] * len(readers), cls
                found += expected is not None
    assert found > 100


def test_a_reader_written_from_the_page_is_right_inside_init_subclass(probe, extensibletype, readers):
    seen = []
    base = with_slots(probe, extensibletype("Base", (), {
        "__init_subclass__": classmethod(lambda cls: seen.append(
            (probe.state(cls), {foreign.data(find(cls, A, 0)) for find in readers})))}), (A, 11))
    mixin = type("Mixin", (), {})
    for make in extensibletype, type:
        make("Below", (base,), {})
        make("Below", (mixin, base), {})
    assert seen == [("unfinished", {11})] * 4


def test_names_are_interned_where_the_page_says():
    name = "abi.page.\u00e9"
    number = provider.intern(name)
    assert foreign.interned(name.encode()) == number and number % 2 == 0
    assert foreign.interned(b"abi.page.nobody.interned.this") == 0
    for name in "costarring", "liquid":                 # of the same hash
        assert foreign.interned(name.encode()) in (0, provider.intern(name))
        assert foreign.interned(name.encode()) == provider.intern(name)


def test_registered_slots_are_where_the_page_says(probe):
    heap = type("Heap", (), {})
    below = type("Below", (heap, dict), {})
    one, two, nobody = (slot_id(0x7B00 + i) for i in range(3))
    probe.register_slot(dict, one, 5)
    probe.register_slot(heap, two, 6)
    for cls in dict, heap, below, list:
        for number in one, two, nobody:
            assert foreign.data(foreign.registered(cls, number)) == probe.find_any_type(cls, number)
    assert foreign.data(foreign.registered(below, two)) == 6
    probe.register_slot(heap, one, 7)
    assert foreign.data(foreign.registered(below, one)) == 7 == probe.find_any_type(below, one)


def test_a_finder_written_from_the_page_gives_slots(probe, finder):
    cls = finder.metaclass("Found", (), {})
    below = type("Below", (cls,), {})
    assert finder.set_slots(cls, (A, 21), (B, 22)) == 0
    assert probe.table_type(below) == [(A, 21), (B, 22)]
    with pytest.raises(ValueError, match="an ID may be in a table once"):
        finder.set_slots(cls, (A, 1), (A, 2))
    with pytest.raises(TypeError, match="expected a finished type"):
        finder.set_slots(type("Plain", (), {}), (A, 1))


def test_a_finder_written_from_the_page_sets_and_deletes_fields(probe, finder):
    metaclass = probe.metaclasses()[0]                   # its first field is a long
    top = metaclass("Top", (), {})
    cls = metaclass("Fields", (top,), {})
    below = metaclass("Below", (cls,), {})
    inherited = probe.number(top)
    where = (ctypes.c_ssize_t, finder.metaclass.__basicsize__)
    value = ctypes.c_long(inherited + 77)
    assert finder.call("set_field", ctypes.c_int, (ctypes.py_object, cls), where,
                       (ctypes.c_void_p, ctypes.addressof(value)),
                       (ctypes.c_ssize_t, ctypes.sizeof(value))) == 0
    assert probe.number(cls) == probe.number(below) == inherited + 77 != probe.number(top)
    delete = lambda: finder.call("delete_field", ctypes.c_int, (ctypes.py_object, cls), where)
    assert delete() == 0 and probe.number(cls) == probe.number(below) == inherited
    with pytest.raises(AttributeError, match="inherits it"):
        delete()


def test_functions_for_other_languages_answer_as_the_reader_written_from_the_page(probe, finder, families):
    position = (ctypes.c_ssize_t, 0)
    for cls in families:
        type_ = (ctypes.py_object, cls)
        for number in A, B, C, slot_id(104), slot_id(999):
            wanted = (ctypes.c_size_t, number)
            found = finder.call("find", ctypes.c_void_p, type_, wanted, position) or 0
            assert found == foreign.find(cls, number), cls
            assert finder.call("find_any", ctypes.c_void_p, type_, wanted, position) == (found or None)
        assert finder.call("slot_count", ctypes.c_ssize_t, type_) == len(probe.table_type(cls) or ())


def test_a_function_that_nobody_has_yet_is_known_by_the_count(finder):
    assert finder.has("ready_block") and not finder.has("what is added later")
    with pytest.raises(NotImplementedError):
        finder.call("what is added later", ctypes.c_int)
