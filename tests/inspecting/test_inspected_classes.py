# SPDX-License-Identifier: MIT
"""What slots(), fields(), interfaces(), signatures() and explain() say is what C finds."""
import ast
import ctypes
import itertools
import re
import struct
import types
import xml.etree.ElementTree
from pathlib import Path

import cython_customslots
import pytest
import support
from cython_customslots import fields, interfaces, slots
from interfaces import Interface
from support import A, B, C, SKIP, only_on_cpython, slot_id, static_type, with_slots

pytestmark = only_on_cpython("types of PyPy carry nothing; tests/pypy has what is registered there")

_ideas = itertools.count(0x6000)


@pytest.fixture
def classes():
    from cython_customslots.inspecting import classes
    return classes


def by_id(found):
    return {slot.id: slot for slot in found}


def of_here(found):
    """Without what other tests of this process have registered for all types there are."""
    return [slot for slot in found if slot.declared_by != "object"]


# ------------------------------------------------------------------------------- slots --

def test_a_class_without_slots_says_so():
    said = support.check_child("""
        from cython_customslots import slots
        found = slots(dict)
        print((len(found), found.extensible, found.state), found)
    """)
    assert said == "(0, False, 'none') dict: no slots"


def test_interned_ids_have_their_names(probe, extensibletype, classes):
    number = probe.intern(b"tests.inspecting.named")
    cls = with_slots(probe, extensibletype("Named", (), {}), (number, 5))
    slot, = of_here(slots(cls))
    assert (slot.name, slot.kind, slot.data, slot.own) == ("tests.inspecting.named", "pointer", 5, True)
    assert "'tests.inspecting.named'" in str(slots(cls))
    same_hash = [probe.intern(name) for name in (b"costarring", b"liquid")]         # of 32 bits, FNV-1a
    assert [classes.Look().id_name(number) for number in same_hash] == ["costarring", "liquid"]


def test_the_registry_of_the_page_is_the_one_that_is_printed():
    from cython_customslots.inspecting import records
    page = (support.ROOT / "docs" / "abi.md").read_text(encoding="utf-8")
    table = page.partition("Static IDs in use:")[2].partition("To get one")[0]
    rows = re.findall(r"^\| `(0x\w+)` \| (\d+) \| (\d+) \| `(\w+)` \|", table, re.M)
    assert rows and records.STATIC_IDS == {
        slot_id(int(idea), int(version), int(registrar, 16)): name
        for registrar, idea, version, name in rows}
    assert set(records.REGISTRARS) == {
        int(number, 16) for number in re.findall(r"^\| `(0x0\d)` \| (?:`PyCustomSlots_REGISTRAR|\| )", page, re.M)}


def test_it_is_told_who_declared_a_slot(probe, extensibletype):
    top = static_type(probe, "Top", slots=[(A, 1), (B, 2)])
    middle = with_slots(probe, type("Middle", (top,), {}), (B, 3), (SKIP, 0), (C, 4))
    bottom = type("Bottom", (middle,), {})
    assert {slot.id: (slot.data, slot.declared_by.rpartition(".")[2], slot.own)
            for slot in of_here(slots(bottom)) if slot.id > 1} == {
        A: (1, "Top", False), B: (3, "Middle", False), C: (4, "Middle", False)}
    assert by_id(slots(middle))[B].own and not by_id(slots(middle))[A].own
    assert [(slot.position, slot.id, slot.data) for slot in of_here(slots(bottom))] \
        == cython_customslots.table(bottom)
    assert "from static.Top" in str(slots(bottom)) and slots(bottom).state == "finished"


def test_registered_slots_of_foreign_types_are_told(probe):
    number, other = slot_id(next(_ideas)), slot_id(next(_ideas))
    base, cls = type("Base", (), {}), None
    cls = type("Sub", (base,), {})
    probe.register_slot(base, number, 1)
    probe.register_slot(base, other, 2)
    probe.register_slot(cls, other, 3)
    assert not slots(cls).extensible and cython_customslots.table(cls) == []
    found = of_here(slots(cls))
    assert {slot.id: (slot.data, slot.own, slot.registered, slot.position) for slot in found} == {
        number: (1, False, True, None), other: (3, True, True, None)}
    assert {slot.id: slot.data for slot in found} == {
        number: probe.find_any_type(cls, number), other: probe.find_any_type(cls, other)}


def test_a_registration_goes_with_its_class(probe, mortal_classes, collected):
    cls = type("Mortal", (), {})
    probe.register_slot(cls, slot_id(next(_ideas)), 1)
    assert len(of_here(slots(cls))) == 1
    del cls
    collected()
    assert not any(of_here(slots(type("New", (), {}))) for _ in range(5))


def test_an_object_stands_for_its_class(probe, extensibletype):
    cls = with_slots(probe, extensibletype("Cls", (), {}), (A, 1))
    assert slots(cls()) == slots(cls) and fields(3) == fields(int) and interfaces("") == interfaces(str)


# ------------------------------------------------------------------------------ fields --

def test_fields_have_values_and_owners(probe, rich):
    base = rich("Base", (), {"level": 1, "label": "one", "box": 11})
    child = type("Child", (base,), {})
    probe.write_level(child, 2)                 # what C code wrote is the class's own, too
    found = {field.name: field for field in fields(child)}
    assert (found["level"].value, found["level"].whose) == (2, "own")
    assert (found["label"].value, found["label"].whose, found["label"].source) \
        == ("one", "inherited", "test_inspected_classes.Base")
    assert (found["box"].value, found["box"].whose) == (11, "inherited")
    assert (found["ratio"].value, found["ratio"].access, found["ratio"].whose) == (0.0, "read", "default")
    assert found["motto"].whose == "default"
    hidden = [field for field in fields(child) if not field.name]
    assert hidden and hidden[0].value is None and hidden[0].access == ""
    assert "from test_inspected_classes.Base" in str(fields(child))


def test_offsets_sizes_and_types_are_those_of_the_struct(rich):
    import ctypes
    cls = rich("Sized", (), {"level": 77})
    field = next(field for field in fields(cls) if field.name == "level")
    assert (field.type, field.size, field.metaclass) == ("int", 4, "probe.RichMeta")
    assert ctypes.c_int.from_address(id(cls) + field.offset).value == 77
    assert bytes.fromhex(field.bytes) == struct.pack("i", 77)
    found = fields(cls).fields
    assert sorted(found, key=lambda field: field.offset) == list(found)
    assert sum(field.size for field in found) == rich.__basicsize__ - found[0].offset


def test_fields_of_an_unfinished_class_are_told_and_not_changed(rich):
    base = rich("Base", (), {"level": 4})
    cls = type.__new__(type(base), "Unfinished", (base,), {})
    found = fields(cls)
    assert "not finished" in str(found)
    assert slots(cls).state.startswith("unfinished"), "it was finished by looking at it"


# -------------------------------------------------------------------------- interfaces --

@pytest.fixture
def shape(probe):
    return Interface(probe)


def test_an_interface_in_c_and_its_override_in_python(shape):
    child = type("Child", (shape.provider,), {"draw": lambda self, canvas: 1})
    found, = interfaces(child)
    assert (found.name, found.id, found.position) == (shape.name, shape.id, shape.position)
    assert found.declared_by.endswith("Provider")
    assert [function.overridden for function in found.functions] == [False, False, True]
    assert len(interfaces(shape.provider)) == 1 and "overridden" not in str(interfaces(shape.provider))
    assert "(overridden in Python)" in str(found)
    slot = by_id(slots(child))[shape.id]
    assert slot.interface == shape.name == slot.name and slot.declared_by == found.declared_by


def test_an_interface_that_was_registered_and_one_in_python_alone(probe, shape):
    class Foreign:
        pass

    probe.register_slot(Foreign, shape.id, shape.table)
    found, = interfaces(Foreign)
    assert found.registered and found.name == shape.name
    cls = shape.declare()
    poly = type("Poly", (cls,), {"area": lambda self, x: x, "scale": lambda self, x: x, "draw": lambda self, x: x})
    found, = interfaces(poly)
    assert [function.name for function in found.functions] == ["area", "scale", "draw"]
    assert all(function.overridden for function in found.functions)


# -------------------------------------------------------------------------- signatures --

def test_explain_with_one_argument_tells_all(probe, extensibletype, shape):
    number = probe.intern(b"tests.inspecting.explained")
    cls = with_slots(probe, extensibletype("Explained", (), {}), (number, 5))
    text = cython_customslots.explain(cls())
    assert "is an object of type test_inspected_classes.Explained" in text and "explained'" in text
    assert "C cannot call it unboxed: it has no record" in cython_customslots.explain(len)
    assert cython_customslots.explain(len).count(repr(len)) == 1
    with pytest.raises(TypeError, match="found None, expected an interface"):
        cython_customslots.explain(cls(), None)


def test_signatures_are_those_of_typed_and_who_knows_a_library_tells_of_its_null_pointer():
    from cython_customslots import typed
    assert cython_customslots.signatures is typed.signatures and typed.signatures(len) == []
    null = ctypes.CFUNCTYPE(None)()
    assert "cython_customslots.typed.explain() also knows ctypes" in cython_customslots.explain(null)
    assert "found a NULL pointer" in typed.explain(null)


def test_the_picture_is_xml_and_knows_dark_pages(rich, probe, classes):
    from cython_customslots.inspecting.picture import svg
    base = rich("Base<&>", (), {"level": 1, "label": "\ud800\0<&"})
    with_slots(probe, base, *((slot_id(n), n) for n in range(1, 20)))
    text = svg(classes.Look().report(base))
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag.endswith("svg") and "prefers-color-scheme: dark" in text
    said = "".join(root.itertext())
    assert "Base<&>" in said and "etp_custom_slots" in said and "level" in said
    for plain in (dict, types.FunctionType):
        xml.etree.ElementTree.fromstring(svg(classes.Look().report(plain)))


def test_names_in_a_picture_stay_in_their_boxes_and_apart(rich, classes):
    from dataclasses import replace

    from cython_customslots.inspecting.picture import svg
    report = classes.Look().report(rich("Base", (), {"level": 1, "label": object()}))
    fields = [replace(field, name="l" * 50, type="unsigned long long") for field in report.fields.fields]
    text = svg(replace(report, metaclass="m" * 100, fields=replace(report.fields, fields=fields)))
    box, *_ = re.findall(r'<rect x="70" y="44" width="([^"]+)"', text)
    starts = re.findall(r'<text x="80" y="([^"]+)"[^>]*>([^<]*)<', text)
    ends = dict(re.findall(r'<text x="[^"]+" y="([^"]+)" class="quiet" text-anchor="end">([^<]*[a-z])<', text))
    assert "metaclass mmm" in text and "unsigned long long" in ends.values() and "lll" in text
    for y, said in starts:                      # 7.9 pixels a character, which is rather wide for the font
        assert 10 + 7.9 * (len(said) + len(ends.get(y, ""))) <= float(box), said


def test_texts_of_pictures_stand_out_from_what_is_behind_them_on_light_and_on_dark_pages():
    from cython_customslots.inspecting import palette
    assert round(palette.contrast("#ffffff", "#000000"), 2) == 21 and palette.contrast("#123456", "#123456") == 1
    assert palette.LIGHT.keys() == palette.DARK.keys()
    for colours in palette.LIGHT, palette.DARK:
        assert min(palette.contrast(colours[one], colours[other]) for one, other in palette.PAIRS) >= 4.5


def test_layouts_of_the_gdb_script_are_those_that_the_compiler_sees():
    """tests/layout/layout.txt has what the compiler says."""
    script = Path(cython_customslots.__file__).parent / "inspecting" / "customslots_gdb.py"
    structs = ast.literal_eval(re.search(r"^STRUCTS = (\{.*?^\})", script.read_text(encoding="utf-8"), re.M | re.S)[1])
    members = {}
    for line in (support.TESTS / "layout" / "layout.txt").read_text(encoding="utf-8").splitlines():
        if match := re.match(r"(?:struct|union) (\w+): ", line):
            here = members.setdefault(match[1], {})
        elif match := re.match(r" +(\S+) +(\S+) +(\S+) +(\S+)   .*?(\w+)(?:\[\w+\]|\)\(.*\))?$", line):
            here[match[5]] = match.groups()[:4]
    inner, shift = members["_Pycs_FieldDef"], members["_Pycs_FieldEntry"]["def"]
    members["_Pycs_FieldEntry"].update((member, [int(a) + int(b) * (place % 2 == 0) for place, (a, b) in enumerate(
        zip(row, shift))]) for member, row in inner.items())
    compared = 0
    for name, text in structs.items():
        theirs = members["PyHeapExtensibleTypeObject" if name == "Words" else f"_Pycs_{name}"]
        for word, column in ((8, 0), (4, 2)):
            at = 0
            for member in text.split():
                member, _, size = member.partition(":")
                size = int(size or word)
                at = (at + size - 1) // size * size
                for spelled in member, f"etp_custom_slot_{member}", f"etp_custom_{member}", f"etp_{member}":
                    if spelled in theirs:
                        there = [int(number) for number in theirs[spelled][column:column + 2]]
                        assert there == [at, size], (name, member)
                        compared += 1
                at += size
    assert compared > 130
