# SPDX-License-Identifier: MIT
"""Field initialisers and slot values: when they are set, and who inherits them."""
import ctypes

import pytest

pytestmark = pytest.mark.cythons


class Point(ctypes.Structure):
    """As declared in layer_base.pxd."""
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_double)]


def test_a_class_has_the_fields_that_its_decorator_sets_and_inherits_the_others(base, sub):
    greet, counted, several = ("Hello", 7, 8.0, 1), ("Hello", 100, 2.0, 1), ("Hello", 33, 8.0, 1)
    for cls, expected in (
            (base.Greet, greet), (base.Deeper, greet), (sub.Loud, greet), (base.Counted, counted), (base.Last, counted),
            (base.Several, several), (base.UnderSeveral, several), (sub.Multi, greet)):
        assert base.fields(cls) == expected, cls
    assert base.Greet("you").greet() == "Hello you"


def test_a_class_with_several_bases_gets_its_slots_in_the_module_body(base, reader):
    assert base.UnderSeveral().mixed() == "mixed"
    assert reader.find(base.UnderSeveral(), reader.slot_id(11)) == base.own_pointers()["flag"]


def test_fields_from_another_module_reach_static_subclasses_up_to_those_that_set_their_own(sub):
    deep, own = (2.5, 8.0, 6, 2.0), (2.5, 8.0, 1, 8.0)
    for cls, expected in ((sub.Deep, deep), (sub.Child, deep), (sub.OwnNumber, own), (sub.GrandChild, own),
                          (sub.Multi, (1.25, 2.0, 0, 8.0))):         # made in the module body
        assert sub.my_fields(cls) == expected, cls


def test_slots_hold_pointers_flags_and_offsets(base, reader):
    pointers = base.own_pointers()
    found = {idea: reader.find(base.Slots(), reader.slot_id(idea)) for idea in range(3, 11)}
    assert found == {
        3: pointers["flag"], 4: 42, 5: base.offset_of_second(), 6: 11, 7: 12,
        8: pointers["table"], 9: ctypes.sizeof(Point), 10: None}
    assert reader.find(base.Slots(), reader.intern("layer_base.interned")) == pointers["twice"]


def test_slots_without_a_position_fill_the_places_that_are_left(base, reader):
    ids = reader.ids(base.Slots)
    assert ids.index(reader.slot_id(3)) == 2
    assert ids.index(reader.slot_id(7)) == 6
    assert ids == [reader.slot_id(4), reader.slot_id(5), reader.slot_id(3),
                   reader.intern("layer_base.interned"), reader.slot_id(6),
                   reader.slot_id(8), reader.slot_id(7), reader.slot_id(9)]


def test_a_slot_may_point_to_a_function_of_another_module(sub, reader):
    """Cython's ``&f`` is then the address of the variable that holds the function."""
    half, twice = sub.pointers()["half"], sub.pointers()["twice"]
    assert reader.find(sub.Deep(), reader.slot_id(20)) == half
    assert reader.find(sub.GrandChild(), reader.slot_id(20)) == half
    assert reader.find(sub.Deep(), reader.slot_id(21)) == 21
    assert reader.find(sub.Multi(), reader.slot_id(22)) == twice


def test_a_cdef_metaclass_has_the_tp_new_of_type(base, sub):
    """With one of its own, classes from PyType_FromSpec() were locked out."""
    for metaclass in (base.GreetType, type(sub.Deep)):
        assert "__new__" not in vars(metaclass) and metaclass.__new__ is type.__new__
