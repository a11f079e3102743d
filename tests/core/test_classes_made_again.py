# SPDX-License-Identifier: MIT
"""Classes that are made again keep the values that Python may not set, or not even see."""
import copy
import copyreg
import dataclasses
import enum
import gc
import types
import weakref

import pytest
from support import THREADS_MAKE_IMMORTAL

FIELDS = "__customslots_fields__"
ORIGIN = "(set by C)"


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
def rich(probe):
    metaclass = probe.rich_metaclasses()[0]
    type("Child", (metaclass("First", (), {}),), {})     # leaves neutral values as defaults
    return metaclass


@pytest.fixture
def base(rich):
    return rich("Base", (), {"level": 1, "label": "one", "motto": b"uno", "box": 11})


@pytest.fixture(scope="module")
def hidden(probe):
    metaclass = probe.hidden_metaclass()
    metaclass("First", (), {})
    return metaclass


def entries(cls):
    return type.__dict__["__dict__"].__get__(cls)


# --------------------------------------------------------- what Python may not set, or see --

def test_what_c_code_set_goes_with_the_class(probe, base, make):
    child = type(base)("Child", (base,), {"level": 7})
    probe.set_c_field(child, "ratio", 0.5)
    probe.set_secret(child, 99)
    made = make(child)
    assert made is not child
    assert probe.raw(made) == (7, "one", b"uno", 11, 0.5, 99)
    assert not {FIELDS, ORIGIN} & {*entries(made)}
    probe.set_c_field(child, "ratio", 0.25)
    probe.set_secret(base, 5)
    assert made.ratio == 0.5 and probe.raw(made)[5] == 99       # its own
    probe.set_c_field(base, "box", 12)
    assert made.box == 12                                       # and this one is inherited


def test_objects_and_cpp_objects_that_python_does_not_see_go_with_it(probe, hidden, make):
    base = hidden("Base", (), {"motto": b"base's"})
    child = type("Child", (base,), {"motto": b"a motto that nobody else keeps"})
    note = ["a note"]
    probe.set_hidden(child, note, 77)
    made = make(child)
    assert made is not child and probe.hidden(made)[0] is note
    values = probe.hidden(made)
    assert values == (note, 77, b"a motto that nobody else keeps")
    probe.set_hidden(child, None, 0)
    del child
    gc.collect()
    assert probe.hidden(made) == values
    assert probe.hidden(type("Below", (made,), {})) == values
    assert probe.hidden(base)[0] is None


def test_what_c_code_wrote_into_the_struct_goes_with_it(probe, make):
    number, _, _ = probe.metaclasses()          # a metaclass that describes nothing
    base = number("Base", (), {})
    child = type("Child", (base,), {})
    probe.set_fields(child, 7, b"seven")
    made = make(child)
    assert made is not child and (probe.number(made), probe.text(made)) == (7, b"seven")
    assert probe.number(type("Below", (made,), {})) == 7
    silent = make(type("Silent", (base,), {}))
    before = probe.number(base)                 # 0, if no other test's class came before
    probe.set_fields(base, before + 1, b"one")
    assert probe.number(silent) in (before, before + 1)     # written, not set: for that class alone


def test_values_are_in_place_before_init_subclass_and_what_it_sets_stands(probe, base, make):
    seen = []

    class Root(base):
        def __init_subclass__(cls):
            seen.append(cls.ratio)
            if len(seen) > 1:
                probe.set_c_field(cls, "ratio", 0.75)
    child = type("Child", (Root,), {})
    probe.set_c_field(child, "ratio", 0.5)
    made = make(child)
    assert made.ratio == 0.75 and child.ratio == 0.5
    if make in (WAYS["metaclass"], WAYS["new_class"], WAYS["dataclass"], WAYS["add_metaclass"]):
        assert seen == [0.0, 0.5]


def test_a_value_in_the_body_goes_before_the_copied_one(probe, hidden):
    base = hidden("Base", (), {})
    child = type("Child", (base,), {"motto": b"child's"})
    for call in type(base), type:
        made = call("Made", (base,), {**vars(child), "motto": b"made's"})
        assert probe.hidden(made)[2] == b"made's"
    made = type(base)("Made", (base,), dict(vars(child)), motto=b"keyword's")
    assert probe.hidden(made)[2] == b"keyword's"


def test_the_value_of_a_base_under_a_name_that_is_taken_goes_with_it(probe, rich):
    """A field of the more derived metaclass hides that of the other one."""
    metaclass = probe.rich_metaclasses()[1]
    child = metaclass("Child", (metaclass("Base", (), {}),), {"extra": 1, "level": 2})
    probe.set_secret(child, 3)
    made = add_metaclass(child)
    assert (made.extra, made.level, probe.raw(made)[5]) == (1, 2, 3)


# --------------------------------------------------------------------------- what is shown --

def test_the_class_says_which_values_go_by_copy(probe, base):
    child = type("Child", (base,), {})
    probe.set_c_field(child, "ratio", 0.5)
    probe.set_secret(child, 99)
    assert vars(child)[FIELDS] == {ORIGIN: (child, ("ratio", "(not described)"))}
    assert getattr(child, FIELDS) == vars(child)[FIELDS]
    assert not {"ratio", ORIGIN} & {*vars(child)}
    below = type("Below", (child,), {})
    assert FIELDS not in vars(below)
    with pytest.raises(AttributeError):
        getattr(child(), FIELDS)


def test_a_class_of_another_kind_takes_nothing(probe, base, hidden):
    child = type("Child", (base,), {})
    probe.set_c_field(child, "ratio", 0.5)
    other = hidden("Other", (), dict(vars(child)))
    assert probe.hidden(other)[0] is None and FIELDS not in entries(other)
    plain = type("Plain", (), dict(vars(child)))
    assert not hasattr(plain, "ratio")


@pytest.mark.parametrize("odd", [
    None, 5, (), (5, ()), (int, ("ratio",)), (None, None), ("ratio",), (type, ()), (object, "ratio"),
    (enum.Enum, ("ratio",))], ids=repr)
def test_forged_origins_are_no_origins(probe, base, odd):
    for call in type(base), type:
        made = call("Made", (base,), {FIELDS: {ORIGIN: odd, "level": 3}})
        assert probe.raw(made) == probe.raw(base) and FIELDS not in entries(made)
    with pytest.raises(AttributeError, match="has no C field"):
        setattr(made, FIELDS, {ORIGIN: odd})


def test_a_metaclass_or_an_unfinished_class_as_origin_does_no_harm(probe, rich, base, extensibletype):
    for odd in rich, extensibletype, type(extensibletype):
        made = rich("Made", (base,), {FIELDS: {ORIGIN: (odd, ())}})
        assert made.ratio == 0.0
    found = []

    class Root(base):
        def __init_subclass__(cls):
            if cls.__name__ == "Child":
                probe.set_c_field(cls, "ratio", 0.5)
                found.append(add_metaclass(types.new_class(
                    "Inner", (base,), {}, lambda ns: ns.update({FIELDS: {ORIGIN: (cls, ())}}))))

    class Child(Root):
        pass
    assert found[0].ratio == 0.5


def test_a_copy_that_fails_leaves_no_class_and_no_value(probe, hidden, make):
    if make is WAYS["attrs"]:
        pytest.importorskip("attr", reason="attrs is not installed")
    base = hidden("Base", (), {})
    child = type("Child", (base,), {})
    probe.set_hidden(child, "note", 5)
    alive = probe.alive_boxes()
    failed = 0
    for allowed in range(4):
        probe.fail_copies(allowed)
        try:
            make(child)
        except RuntimeError as error:
            assert "this box cannot be copied" in str(error)
            failed += 1
        finally:
            probe.fail_copies(-1)
    assert failed >= 1 and probe.hidden(child)[:2] == ("note", 5)
    gc.collect()
    if not THREADS_MAKE_IMMORTAL and make is not WAYS["dataclass"] and make is not WAYS["attrs"]:
        assert probe.alive_boxes() <= alive + 4


def test_the_class_that_it_was_made_from_can_go(probe, hidden):
    base = hidden("Base", (), {})
    child = type("Child", (base,), {})
    probe.set_hidden(child, "note", 5)
    made = add_metaclass(child)
    gone = weakref.ref(child)
    del child
    gc.collect()
    if not THREADS_MAKE_IMMORTAL:
        assert gone() is None
    assert probe.hidden(made)[:2] == ("note", 5)


# ------------------------------------------------------------------------ copies and pickles --

def test_a_copy_of_a_class_is_the_class_itself(probe, base):
    """So copy says of every class."""
    child = type("Child", (base,), {"level": 5})
    assert copy.copy(child) is child and copy.deepcopy(child) is child
    assert copyreg.dispatch_table.get(type(child)) is None


def unpickled(cls, name="Child"):
    """What cloudpickle makes in another process: the skeleton, then what the state names, where
    the class stands for itself."""
    made = types.new_class(name, cls.__bases__, {"metaclass": type(cls)})
    for key, value in vars(cls).items():
        if key == FIELDS:
            value = {k: (made, v[1]) if k == ORIGIN else v for k, v in value.items()}
        if key not in ("__dict__", "__weakref__"):
            setattr(made, key, value)
    return made


def test_a_pickle_by_value_that_lost_a_value_of_c_is_an_error(probe, base):
    child = type("Child", (base,), {"level": 5})
    assert unpickled(child).level == 5
    probe.set_c_field(child, "ratio", 0.5)
    with pytest.raises(TypeError, match=r"class 'Child': found a value of field 'ratio' of metaclass "
                                        r"'probe.RichMeta' that C code set .*pickle cannot hold it"):
        unpickled(child)
    probe.delete_field(child, "ratio")
    probe.set_secret(child, 5)
    with pytest.raises(TypeError, match=r"field '\(not described\)'"):
        unpickled(child)


def test_a_pickle_by_value_is_right_where_init_subclass_sets_the_value(probe, base):
    class Root(base):
        def __init_subclass__(cls):
            probe.set_c_field(cls, "ratio", 0.5)
    child = type("Child", (Root,), {"level": 5})
    made = unpickled(child)
    assert (made.level, made.ratio) == (5, 0.5)


def test_simple_enum_makes_members_of_what_is_no_dunder(extensibletype):
    """enum's own way to make a class again from a plain one: a class of ours is one, too."""
    if not hasattr(enum, "_simple_enum"):
        pytest.skip("enum._simple_enum is of 3.11 and later")

    @enum._simple_enum(enum.IntEnum)
    class Color(metaclass=extensibletype):
        RED = 1
    assert Color.RED == 1 and list(Color) == [Color.RED]
