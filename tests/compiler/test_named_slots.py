# SPDX-License-Identifier: MIT
"""@slot(b"package.name", ...): the ID is the name, whoever asks for it."""
import ctypes

import pytest
from compiling import compile_all, source
from layer_modules import module_of

pytestmark = pytest.mark.cythons

NAME = "layer_named.{}"


named = module_of("layer_named.pyx")


def found(probe, obj, name):
    return probe.find(obj, probe.intern(name.encode()))


@pytest.mark.parametrize("name, value", [
    ("text", 1), ("unicode", 2), ("joined", 3), ('\u00e9 "quoted" ??/', 4), ("late", 42)])
def test_whoever_interns_the_name_finds_the_slot(named, probe, name, value):
    FromPython = type("FromPython", (named.Named,), {})
    for cls in named.Named, FromPython:
        assert found(probe, cls(), NAME.format(name)) == value
    assert found(probe, object(), NAME.format(name)) is None


def test_slots_with_names_have_pointers_and_positions_as_others_have(named, probe):
    assert found(probe, named.Named(), NAME.format("pointer")) == named.expected()
    table = probe.table_type(named.Named)
    assert table[4] == (probe.intern(b"layer_named.unicode"), 2)
    assert dict(table)[0x01001F01] == 5 and len(table) == 7


def test_a_subclass_overrides_by_name(named, probe):
    assert found(probe, named.Sub(), NAME.format("text")) == 10
    assert found(probe, named.Sub(), NAME.format("joined")) == 3
    assert len(probe.table_type(named.Sub)) == len(probe.table_type(named.Named))


def test_a_slot_may_be_a_capsule_in_a_class_attribute_too(named):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.argtypes, pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p
    below = type("Below", (named.Published,), {})
    for cls in named.Published, below:
        assert pointer(cls.__layer_named__, b"layer_named table") == named.expected()
    late = named.PublishedLate.__layer_named__
    assert pointer(late, "layer_named \u00e9".encode()) == named.expected()


def test_cython_finds_and_publishes_either(named):
    other = type("Other", (), {"__layer_named__": named.Published.__layer_named__})
    assert [named.bridged(cls) for cls in (named.Published, other, int, None)] == [True, True, None, None]
    with pytest.raises(TypeError, match="found (no pointer in slot '.*' of|the builtin type) <class 'int'>"):
        named.publish(int)
    below = type("Below", (named.Published,), {"__layer_named__": None})
    named.publish(below)
    assert named.bridged(below) and "layer_named table" in repr(below.__layer_named__)


def test_a_name_in_the_pxd_is_that_of_the_class():
    files = {"mod.pxd": """
        from cython_customslots cimport slot
        @slot(b"mod.a", flags=1)
        cdef class A:
            pass
        """, "mod.pyx": """
        from cython_customslots cimport slot
        @slot(b"mod.b", flags=2)
        cdef class A:
            pass
        """}
    twice = {**files, "mod.pyx": files["mod.pyx"].replace("mod.b", "mod.a")}
    done = compile_all({name: {file: source(text) for file, text in case.items()}
                        for name, case in (("good", files), ("twice", twice))})
    assert done["good"].errors == [], done["good"].messages
    assert all(done["good"].c.count(f'PyCustomSlots_Intern("mod.{name}")') == 1 for name in "ab")
    assert done["twice"].errors == [
        ("mod.pyx", 2, 6, "slot ID b'mod.a' stands in this class twice; each ID names one slot (first in line 2)")]


def test_a_slot_with_a_name_and_an_offset_needs_no_other_beside_it():
    text = ("from cython_customslots cimport slot\n@slot(b'mod.a', objoffset=x)\ncdef class A:\n    cdef int x\n")
    result = compile_all({"lone": {"mod.pyx": text}})["lone"]
    assert result.errors == [] and result.c.count('PyCustomSlots_Intern("mod.a")') == 1
