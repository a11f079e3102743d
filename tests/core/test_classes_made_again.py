# SPDX-License-Identifier: MIT
"""Classes that are made again lack the values that Python may not set, or not even see, and say so."""
import dataclasses
import re
import types

import pytest

FIELDS = "__customslots_fields__"
SET_BY_C = "(set by C)"
NUMBER = "number"           # which C code keeps the text of


def add_metaclass(cls):
    """As six.add_metaclass() does it."""
    namespace = cls.__dict__.copy()
    namespace.pop("__dict__", None)
    namespace.pop("__weakref__", None)
    return type(cls)(cls.__name__, cls.__bases__, namespace)


def attribute_by_attribute(cls):
    """As cloudpickle does it, within a process."""
    made = types.new_class(cls.__name__, cls.__bases__, {"metaclass": type(cls)})
    for name, value in vars(cls).items():
        if name not in ("__dict__", "__weakref__"):
            setattr(made, name, value)
    return made


def attrs_define(cls):
    return pytest.importorskip("attr", reason="attrs is not installed").define(cls)


WAYS = {
    "metaclass": lambda cls: type(cls)(cls.__name__, cls.__bases__, dict(vars(cls))),
    "type": lambda cls: type(cls.__name__, cls.__bases__, dict(vars(cls))),
    "new_class": lambda cls: types.new_class(cls.__name__, cls.__bases__, {},
                                             lambda ns: ns.update(vars(cls))),
    "dataclass": lambda cls: dataclasses.dataclass(slots=True)(cls),
    "attrs": attrs_define,
    "add_metaclass": add_metaclass,
    "attribute_by_attribute": attribute_by_attribute,
    "twice": lambda cls: add_metaclass(add_metaclass(cls)),
}


@pytest.fixture(params=WAYS.values(), ids=WAYS)
def make(request):
    return request.param


@pytest.fixture(scope="module")
def hidden(probe):
    metaclass = probe.hidden_metaclass()
    metaclass("First", (), {})
    return metaclass


def entries(cls):
    return type.__dict__["__dict__"].__get__(cls)


def test_a_class_that_is_made_again_keeps_its_values(probe, base, make):
    values = {"level": 7, "label": ["seven"], "motto": b"sette", "box": 77}
    child = type(base)("Child", (base,), dict(values))
    child.box = 78
    made = make(child)
    assert made is not child and made.__bases__ == (base,)
    assert probe.raw(made)[:4] == (7, ["seven"], b"sette", 78)
    assert not {*values, FIELDS} & set(entries(made)) and getattr(made, FIELDS) == {**values, "box": 78}
    base.level = base.box = 0
    del child.level
    assert (made.level, made.box, child.level) == (7, 78, 0)


# --------------------------------------------------------- what Python may not set, or see --

LOST = r"class '\w+': found that C code set field '{}' of metaclass '.*' in the class that this one is a copy of"


@pytest.mark.parametrize("name", ["ratio", "(not described)"])
def test_what_c_code_set_does_not_go_with_the_class_and_that_is_an_error(probe, base, make, name):
    child = type(base)("Child", (base,), {"level": 7})
    if name == "ratio": probe.set_c_field(child, "ratio", 0.5)
    else: probe.set_secret(child, 99)
    before = probe.raw(child)
    with pytest.raises(TypeError, match=LOST.format(re.escape(name))):
        make(child)
    assert probe.raw(child) == before
    probe.delete_field(child, "ratio") if name == "ratio" else probe.set_secret(child, probe.raw(base)[5])


def test_objects_and_cpp_objects_that_python_does_not_see_do_not_go_with_it(probe, hidden, make):
    child = type("Child", (hidden("Base", (), {}),), {"motto": b"a motto that nobody else keeps"})
    probe.set_hidden(child, ["a note"], 77)
    with pytest.raises(TypeError, match=LOST.format("note")):
        make(child)
    assert probe.hidden(child)[:2] == (["a note"], 77)


def test_what_c_code_wrote_into_the_struct_does_not_go_with_it(probe, make):
    number, _, _ = probe.metaclasses()          # a metaclass that describes nothing
    base = number("Base", (), {})
    child = type("Child", (base,), {})
    probe.set_fields(child, probe.number(base) + 7, b"seven")
    with pytest.raises(TypeError, match=LOST.format(r"\(not described\)")):
        make(child)
    silent = make(type("Silent", (base,), {}))
    assert probe.number(silent) == probe.number(base)


def test_what_init_subclass_sets_is_set_again(probe, base, make):
    class Root(base):
        def __init_subclass__(cls):
            probe.set_c_field(cls, "ratio", 0.75)
    child = type("Child", (Root,), {})
    probe.set_c_field(child, "ratio", 0.5)
    made = make(child)
    assert made is not child and made.ratio == 0.75 and child.ratio == 0.5
    assert not {FIELDS, SET_BY_C} & {*entries(made)}


def test_a_value_in_the_body_goes_before_the_copied_one(probe, hidden):
    base = hidden("Base", (), {})
    child = type("Child", (base,), {"motto": b"child's"})
    for call in type(base), type:
        made = call("Made", (base,), {**vars(child), "motto": b"made's"})
        assert probe.hidden(made)[2] == b"made's"
    made = type(base)("Made", (base,), dict(vars(child)), motto=b"keyword's")
    assert probe.hidden(made)[2] == b"keyword's"


def test_the_value_of_a_base_under_a_name_that_is_taken_does_not_go_with_it(probe, rich):
    """A field of the more derived metaclass hides that of the other one."""
    metaclass = probe.rich_metaclasses()[1]
    child = metaclass("Child", (metaclass("Base", (), {}),), {"extra": 1, "level": 2})
    probe.set_secret(child, 3)
    with pytest.raises(TypeError, match=LOST.format(".*")):
        add_metaclass(child)


def two_with_one_field(probe, flags):
    """Two metaclasses, one below the other, with fields of one name."""
    lower = probe.undescribed_metaclass()
    upper = probe.undescribed_metaclass(lower)
    for metaclass, may in (lower, 3), (upper, flags):
        probe.describe(metaclass, [(NUMBER, metaclass.__base__.__basicsize__, tuple.__itemsize__, 19, may, 0)])
    return lower, upper


def test_a_hidden_field_does_not_get_the_value_of_the_one_that_hides_it(probe):
    lower, upper = two_with_one_field(probe, 3)
    base = upper("Base", (), {NUMBER: 1})
    for call in upper, type:
        made = call("Made", (base,), {"__slots__": (NUMBER,), FIELDS: {NUMBER: 3}})
        assert (made.number, vars(lower)[NUMBER].__get__(made)) == (3, 0)
    # That one is hidden, too, if Python may not set the one that hides it.
    cls = two_with_one_field(probe, 1)[1]("Cls", (), {})
    for name in NUMBER, FIELDS:
        with pytest.raises(AttributeError):
            setattr(cls, name, {NUMBER: 3})


@pytest.mark.parametrize("odd", [
    None, 5, (), (5, ()), ["ratio"], {"ratio"}, ("nosuch",), ("level",), "ratio"], ids=repr)
def test_forged_names_do_no_harm(probe, base, odd):
    for call in type(base), type:
        made = call("Made", (base,), {FIELDS: {SET_BY_C: odd, "level": 3}})
        assert probe.raw(made) == probe.raw(base) and FIELDS not in entries(made)
    setattr(made, FIELDS, {SET_BY_C: odd, "level": 3})
    assert made.level == 3
    for cls in base, made:
        with pytest.raises(TypeError, match=LOST.format("ratio")):
            setattr(cls, FIELDS, {SET_BY_C: ("ratio",)})


@pytest.mark.parametrize("name", [SET_BY_C, "__slots__"])
def test_names_are_held_while_they_are_compared(base, name):
    class Name:
        def __eq__(self, other):
            holder.pop(name, None)
            seen.append(tuple(range(30)))       # gets the memory of the names, if that is free now

        __hash__ = None

    seen, namespace = [], {FIELDS: {"level": 9}}
    holder = namespace[FIELDS] if name == SET_BY_C else namespace
    holder[name] = tuple(Name() for _ in range(30))
    type(base)("Child", (base,), namespace)
    assert seen and len(seen) % 30 == 0


# ------------------------------------------------------------------------ copies and pickles --

def test_a_pickle_by_value_that_lost_a_value_of_c_is_an_error(probe, base):
    child = type("Child", (base,), {"level": 5})
    assert attribute_by_attribute(child).level == 5
    probe.set_c_field(child, "ratio", 0.5)
    with pytest.raises(TypeError, match=LOST.format("ratio") + ".*a pickle has only values that Python may set"):
        attribute_by_attribute(child)
