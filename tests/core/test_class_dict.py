# SPDX-License-Identifier: MIT
"""What a class set itself stands in its __dict__: classes made again, and patched, keep it; and what dir(), help() and
inspect show of it."""
import dataclasses
import inspect
import pydoc
import types
from unittest import mock

import pytest
from cython_customslots import Slotted, table
from support import A

FIELDS = "__customslots_fields__"
SET_BY_C = "(set by C)"


def entries(cls):
    """The class's dict itself, in which instances look."""
    return type.__dict__["__dict__"].__get__(cls)


def again(cls, **more):
    return type(cls)(cls.__name__, cls.__bases__, {**cls.__dict__, **more})


# ---------------------------------------------------------------------- what it shows --


def test_every_way_to_set_a_value_is_shown(probe, base):
    child = type("Child", (base,), {})
    assert FIELDS not in vars(child)
    child.level = 5
    probe.set_c_field(child, "box", 6)
    probe.set_c_field(child, "ratio", 0.5)               # which Python may not set
    probe.set_secret(child, 99)
    assert vars(child)[FIELDS] == {"level": 5, "box": 6, SET_BY_C: ("ratio", "(not described)")}
    assert getattr(child, FIELDS) == vars(child)[FIELDS] and not {"ratio", SET_BY_C} & {*vars(child)}
    assert FIELDS not in vars(type("Below", (child,), {}))
    probe.own_field(child, "label")
    assert vars(child)["label"] == "one"
    other = type("Other", (base,), {})
    probe.write_level(other, 9)
    assert vars(other)[FIELDS] == {"level": 9}
    del other.level
    assert FIELDS not in vars(other)


def test_a_static_type_shows_what_it_set(probe, rich):
    static = probe.emitted("dict.Static", rich, (), [])
    assert "level" not in vars(static)
    probe.set_c_field(static, "box", 3)
    assert vars(static)["box"] == 3
    assert "box" not in vars(type("Sub", (static,), {}))
    assert "level" in dir(static)
    foreign = probe.foreign_static("dict.Foreign", (static,))       # has no memory for fields
    assert FIELDS not in vars(foreign) and pydoc.render_doc(foreign)
    assert "level" not in {*dir(foreign)} - {*dir(static)}


def test_the_real_dict_stays_free_of_fields_and_instances_find_none(base):
    child = type(base)("Child", (base,), {"level": 2})
    child.box = 3
    assert not {"level", "box", FIELDS} & set(entries(child))
    assert type(vars(child)) is types.MappingProxyType
    for name in "level", "box", FIELDS:
        with pytest.raises(AttributeError):
            getattr(child(), name)
    obj = child()
    obj.level = "its own"
    assert (obj.level, child.level) == ("its own", 2)


def test_a_conversion_that_fails_is_not_kept_silent(probe, base):
    child = type(base)("Child", (base,), {"watched": 5})

    def fail(number):
        raise RuntimeError("no such number")
    probe.set_converter(fail)
    try:
        with pytest.raises(RuntimeError, match="no such number"):
            vars(child)
    finally:
        probe.set_converter(None)
    assert vars(child)["watched"] == 5


def test_metaclasses_show_their_own_dict(rich, extensibletype):
    for metaclass in rich, extensibletype, type(extensibletype):
        assert {**vars(metaclass)} == {**entries(metaclass)}


# ------------------------------------------------------------------- classes made again --

@pytest.mark.filterwarnings("ignore:.* as a member of its instances:RuntimeWarning")
def test_a_dataclass_with_slots_keeps_a_value_that_is_a_field_of_its_instances_too(probe, base):
    @dataclasses.dataclass(slots=True)
    class Child(base):
        level: int = 7
        label: str = "seven"
        extra: int = 3
    obj = Child(extra=4)
    assert (obj.level, obj.label, obj.extra) == (7, "seven", 4)
    assert probe.raw(Child)[:2] == (7, "seven") and (Child.level, Child.label) == (7, "seven")
    obj.level = 8
    assert (obj.level, Child.level, Child().level) == (8, 7, 7)
    again = dataclasses.dataclass(type(base)("Child", (Child,), {"box": 5}))
    assert again.box == 5 and again().level == 7


def test_a_name_that_was_taken_out_of_the_namespace_is_not_set(base):
    child = type(base)("Child", (base,), {"level": 7, "box": 70})
    namespace = dict(vars(child))
    del namespace["level"]
    made = type(base)("Child", (base,), namespace)
    assert (made.level, made.box) == (1, 70)


def test_slots_of_instances_are_no_values(probe, base):
    child = type("Child", (base,), {"__slots__": ("label", "level")})
    assert probe.raw(child)[:2] == (child.level, child.label) == (1, "one") and FIELDS not in vars(child)
    assert isinstance(vars(child)["label"], types.MemberDescriptorType)

    class Both(base, level=3):
        __slots__ = "level"
    assert Both.level == 3 and vars(Both)[FIELDS] == {"level": 3}
    obj = Both()
    obj.level = 4
    assert (obj.level, Both.level) == (4, 3)


def test_a_member_of_another_class_is_a_value_like_any_other(base):
    member = type("Other", (), {"__slots__": ("label",)}).label
    assert type(base)("Child", (base,), {"label": member}).label is member


def test_the_carried_values_are_checked_like_a_body(base):
    with pytest.raises(TypeError, match="field 'level' of class 'Child'"):
        type(base)("Child", (base,), {"__slots__": ("level",), FIELDS: {"level": "x"}})
    for odd in None, 5, {}, {"level": 9}, {5: 6}:
        cls = type(base)("Child", (base,), {FIELDS: odd})
        assert cls.level == 1 and FIELDS not in entries(cls)
    for make in type(base), type:
        with pytest.raises(AttributeError, match="no C field 'nosuch' that Python may set, for which the dict or the "):
            make("Child", (base,), {FIELDS: {"level": 9, "nosuch": 1}})
    plain = type("Plain", (), {FIELDS: {"level": 9}})
    assert getattr(plain, FIELDS) == {"level": 9}


@pytest.mark.parametrize("slots", ["level", ("level",), ["level"], {"level": "documented"}],
                         ids=lambda slots: type(slots).__name__)
def test_carried_values_are_taken_whatever_kind_of_slots_there_are(base, slots):
    for make in type(base), type:
        made = make("Child", (base,), {"__slots__": slots, FIELDS: {"level": 9, "box": 9}})
        assert (made.level, made.box) == (9, 11)


def test_slots_from_python_survive_too():
    @dataclasses.dataclass(slots=True)
    class Point(metaclass=Slotted):
        x: int = 1
        __customslots__ = {A: 5}
    assert table(Point) == [(0, A, 5)] and Point().x == 1
    made = again(type("Bare", (Point,), {"__customslots__": {A: 6}}))
    assert table(made) == [(0, A, 6)]


# --------------------------------------------------------------------- patching a class --

def test_mock_puts_back_what_the_class_itself_had(probe, base):
    child = type(base)("Child", (base,), {"level": 5})
    below = type("Below", (child,), {})
    with mock.patch.object(child, "level", 9):
        assert (child.level, below.level) == (9, 9)
    assert (child.level, below.level) == (5, 5)
    base.level = 2
    assert (child.level, below.level) == (5, 5)
    probe.write_level(child, 6)
    with mock.patch.object(child, "level", 9):
        assert below.level == 9
    assert child.level == 6
    with mock.patch.multiple(child, level=9, box=99):
        assert (child.level, child.box) == (9, 99)
    assert (child.level, child.box) == (6, 11) and "box" not in vars(child)


@pytest.mark.parametrize("value, error, message", [
    (5, TypeError, "found an object of type 'int', expected a dict"),
    ({5: 5}, TypeError, "found int as the name, expected a str"),
    ({"nosuch": 5}, AttributeError, "has no C field 'nosuch' that Python may set"),
    ({"ratio": 5.0}, AttributeError, "has no C field 'ratio' that Python may set"),
    ({"level": "x"}, TypeError, "field 'level' of class 'Base'")])
def test_a_wrong_set_of_values_is_refused(base, value, error, message):
    with pytest.raises(error, match=message):
        setattr(base, FIELDS, value)
    with pytest.raises(TypeError, match="it cannot be deleted"):
        delattr(base, FIELDS)
    assert base.level == 1


# --------------------------------------------------------------------------- read-only --

def test_a_class_statement_that_sets_a_read_only_field_is_told_so(base):
    for make, keywords in (type(base), {"ratio": 0.5}), (type(base), {}), (type, {}):
        with pytest.raises(TypeError, match=r"class 'Sub': found a value for field 'ratio' of metaclass "
                                            r"'probe.RichMeta', which is read-only"):
            make("Sub", (base,), {} if keywords else {"ratio": 0.5}, **keywords)


def test_a_misspelt_keyword_is_told_which_fields_there_are(base):
    with pytest.raises(TypeError) as raised:
        type(base)("Sub", (base,), {}, lvel=3)
    assert str(raised.value).startswith(
        "Sub.__init_subclass__() accepts only C fields as keyword arguments: found lvel, expected ")
    fields = str(raised.value).rpartition("expected ")[2].split(", ")
    assert "level" in fields and "ratio" not in fields          # which is read-only


def test_what_an_init_subclass_of_the_users_says_of_keywords_stays_as_it_is(base):
    class Strict(base):
        def __init_subclass__(cls, **keywords):
            raise TypeError("no " + "".join(keywords), 2)
    with pytest.raises(TypeError) as raised:
        type(base)("Sub", (Strict,), {}, lvel=3)
    assert raised.value.args == ("no lvel", 2)


# ------------------------------------------------------------- dir(), help() and inspect --

@pytest.fixture
def cls(rich):
    return rich("Cls", (), {"level": 3, "note": "an attribute"})


def test_dir_lists_all_fields_that_python_reads_set_or_not(probe, rich, cls):
    below = type("Below", (cls,), {"other": 1})
    for of in cls, below:
        assert {"level", "label", "motto", "box", "ratio", "watched", "note"} <= {*dir(of)}
        assert FIELDS not in dir(of) and dir(of) == sorted({*dir(of)})
    assert "other" in dir(below) and "other" not in dir(cls)
    assert "extra" not in dir(cls)
    richer = probe.rich_metaclasses()[1]("Richer", (), {})
    assert {"extra", "level"} <= {*dir(richer)}


def test_dir_lists_no_field_that_python_cannot_read(probe):
    assert not {"note", "box", "motto"} & {*dir(probe.hidden_metaclass()("Hidden", (), {"motto": b""}))}


def test_dir_of_a_metaclass_is_what_it_was(rich, extensibletype):
    assert {*type.__dir__(rich)} == {*dir(rich)} and "level" in dir(rich)
    assert "__dir__" in vars(extensibletype) and "mro" in dir(extensibletype)


def test_the_descriptor_is_for_classes_only(extensibletype):
    with pytest.raises(TypeError):
        extensibletype.__dir__(5)
    assert extensibletype("Plain", (), {}).__dir__ is object.__dir__
    assert inspect.signature(extensibletype.__dir__).parameters.keys() == {"self"}


def test_help_shows_the_values_of_public_fields(cls):
    text = pydoc.plain(pydoc.render_doc(cls))
    for line in "level = 3", "ratio = 0.0", "box = ", "watched = ":     # pydoc leaves out what is None
        assert line in text
    assert FIELDS not in text


def test_dir_of_a_class_in_the_making_is_right(rich):
    seen = []

    class Root(metaclass=rich):
        def __init_subclass__(cls):
            seen.append({"level", "ratio"} <= {*dir(cls)})
    type("Below", (Root,), {"level": 5})
    type(Root)("Below", (Root,), {"level": 5})
    assert seen == [True, True]
