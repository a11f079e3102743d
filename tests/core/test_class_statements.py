# SPDX-License-Identifier: MIT
"""Whose are the values of a class body?  Of the class that the statement made, and once.

Metaclasses pass on other bases, return classes that there were before, make helpers; a
generator in __slots__ makes classes in between; __init_subclass__ changes its mind.
"""
import gc

import pytest
from support import A, with_slots


OWN = {"level": 7, "label": "seven", "motto": b"sette", "box": 77}


def hearing(metaclass, log, *bases):
    """A base whose __init_subclass__ notes what it sees of the fields."""
    return metaclass("Hearing", bases, {"__init_subclass__": classmethod(
        lambda cls, **more: log.append((cls.level, cls.label, cls.motto, cls.box)))})


# ------------------------------------------------------------------ __init_subclass__ --

@pytest.mark.parametrize("name", ["level", "label", "motto", "box"])
def test_a_value_that_init_subclass_deletes_stays_deleted(probe, base, name):
    def forget(cls):
        delattr(cls, name)
    base.__init_subclass__ = classmethod(forget)
    inherited = getattr(base, name)
    for cls in type(base)("Sub", (base,), {name: OWN[name]}), type(base)("Sub", (base,), {}, **{name: OWN[name]}):
        assert getattr(cls, name) == inherited and name not in vars(cls)
    setattr(base, name, OWN[name])
    assert getattr(cls, name) == OWN[name]


def test_a_class_that_is_read_before_it_is_finished_gets_its_body_without_tp_init(rich, base):
    class Silent(rich):
        def __init__(cls, *args, **kwargs):
            pass
    base.__init_subclass__ = classmethod(lambda cls, **more: cls.level)
    cls = Silent("Sub", (base,), {"level": 7}, box=77)
    assert (cls.level, cls.box) == (7, 77)
    assert "level" not in type.__dict__["__dict__"].__get__(cls)


def test_bases_are_assigned_inside_init_subclass(probe, rich):
    seen = []

    class Base(metaclass=rich, level=1): pass

    class Hook(Base):
        def __init_subclass__(cls):
            cls.__bases__ = (Other,)
            seen.append((probe.find_type(cls, A), cls.level))

    class Other(Base, level=5): pass
    with_slots(probe, Other, (A, 9))
    sub = rich("Sub", (Hook,), {})
    seen_by_type = type("Sub", (Hook,), {})
    assert [cls.level for cls in (sub, seen_by_type)] == [5, 5]
    assert [probe.find_type(cls, A) for cls in (sub, seen_by_type)] == [9, 9]
    assert seen == [(9, 5), (9, 5)]


# -------------------------------------------------------------------- metaclass.__new__ --

def test_a_metaclass_may_pass_on_equal_bases_or_others(probe, rich, base):
    log = []
    other = with_slots(probe, hearing(rich, log), (A, 1))

    class Elsewhere(rich):
        def __new__(mcs, name, bases, namespace, **more):
            return super().__new__(mcs, name, (other,), namespace, **more)
    for bases in (base,), (other,):
        log.clear()
        cls = Elsewhere("Sub", bases, {"level": 7}, box=77)
        assert log == [(7, None, None, 77)] == [probe.raw(cls)[:2] + (cls.motto, cls.box)]
        assert cls.__bases__ == (other,) and probe.find_type(cls, A) == 1


def caching(rich):
    class Caching(rich):
        made = {}

        def __new__(mcs, name, bases, namespace, **more):
            if name not in mcs.made:
                mcs.made[name] = super().__new__(mcs, name, bases, namespace, **more)
            return mcs.made[name]
    return Caching


def test_a_class_that_a_metaclass_returns_again_keeps_its_values(probe, rich, base):
    meta = caching(rich)
    first = meta("Sub", (base,), {"level": 7, "label": "seven"})
    for body, keywords in (({"level": 8, "label": 8}, {}), ({}, {"level": 9, "box": 9}),
                           ({"level": "not a number"}, {})):
        try:
            assert meta("Sub", (base,), body, **keywords) is first
        except TypeError:
            assert body == {"level": "not a number"}     # converted before anybody is asked
        assert probe.raw(first)[:4] == (7, "seven", b"uno", 11)
    first.level = 6
    del first.label
    assert meta("Sub", (base,), {"level": 7, "label": "seven"}) is first
    assert (first.level, first.label) == (6, "one")


def test_a_class_made_for_another_statement_may_be_returned(probe, rich, base):
    """The first statement's class is returned by a second one inside the first."""
    meta = caching(rich)
    inner = []

    def make(cls):
        if cls.__name__ == "Outer":
            inner.append(meta("Sub", (base,), {"level": 8}))
    base.__init_subclass__ = classmethod(make)
    outer = meta("Outer", (base,), {"level": 7})
    assert (outer.level, inner[0].level) == (7, 8)
    assert meta("Sub", (base,), {"level": 9}) is inner[0] and inner[0].level == 8


# ---------------------------------------------------------- classes made in between --

def test_a_class_made_inside_slots_does_not_keep_the_outer_ones_values(probe, rich):
    """It takes them, having come to tp_alloc first, and gives them back."""
    log, made = [], []
    base = hearing(rich, log, rich("Root", (), {"level": 1, "label": "one"}))

    def members(bases):
        made.append(type("Inner", bases, {"box": 5}))
        yield "x"
    for bases in (base,), (base, rich("Other", (), {})):
        outer = rich("Outer", bases, {"level": 7, "__slots__": members(bases)}, label="seven")
        inner = made.pop()
        assert probe.raw(outer)[:2] == (7, "seven") and probe.raw(inner)[:2] == (1, "one")
        assert inner.box == 5 and set(vars(inner)["__customslots_fields__"]) == {"box"}
        base.level = 2
        assert (outer.level, inner.level) == (7, 2)
        base.level = 1


def test_what_the_inner_class_set_itself_it_keeps(rich):
    root = rich("Root", (), {"level": 1, "__init_subclass__": classmethod(
        lambda cls: setattr(cls, "level", 9) if cls.__name__ == "Inner" else None)})
    made = []

    def members():
        made.append(type("Inner", (root,), {}))
        yield "x"
    outer = rich("Outer", (root,), {"level": 7, "__slots__": members()})
    assert (outer.level, made[0].level) == (7, 9)


def test_a_helper_of_the_metaclass_gets_nothing(probe, rich, base):
    class Helping(rich):
        def __new__(mcs, name, bases, namespace, **more):
            mcs.before = type("Before", bases, {})
            cls = super().__new__(mcs, name, bases, namespace, **more)
            mcs.behind = type("Behind", bases, {})
            return cls
    cls = Helping("Sub", (base,), {"level": 7}, label="seven")
    assert probe.raw(cls)[:2] == (7, "seven")
    for helper in Helping.before, Helping.behind:
        assert probe.raw(helper)[:4] == (1, "one", b"uno", 11)
        assert "__customslots_fields__" not in vars(helper)


# ------------------------------------------------------- metaclasses made from a spec --

@pytest.fixture
def spec_meta(probe, rich):
    """As C++ binders and limited-API code make metaclasses; registered, without own fields."""
    metaclass = probe.from_spec("statements.Meta", (rich,), None)
    probe.describe(metaclass, [])
    return metaclass


def test_a_metaclass_from_a_spec_is_told_of_class_statements(probe, spec_meta, extensibletype):
    assert type(spec_meta) is type(extensibletype) and spec_meta.__module__ == "statements"
    log = []
    base = hearing(spec_meta, log)
    cls = spec_meta("Sub", (base,), {"level": 7, "label": "seven"}, motto=b"sette", box=77)
    assert log == [(7, "seven", b"sette", 77)] and type(cls) is spec_meta
    before = base.__subclasses__()
    for keywords in {"level": "high"}, {"box": None}:
        with pytest.raises(TypeError):
            spec_meta("Bad", (base,), {}, **keywords)
        with pytest.raises(TypeError):
            spec_meta("Bad", (base,), dict(keywords))
    gc.collect()
    assert base.__subclasses__() == before


def test_a_metaclass_in_python_below_one_from_a_spec_is_told_too(probe, rich):
    metaclass = probe.from_spec("statements.Bare", (rich,), None)

    class Below(metaclass): pass
    probe.describe(metaclass, [])
    log = []
    Below("First", (), {})                       # from here on it is known
    base = hearing(Below, log)
    cls = Below("Sub", (base,), {"level": 7}, box=77)
    assert log == [(7, None, None, 77)] and type(cls) is Below


@pytest.mark.usefixtures("mortal_classes")
def test_a_helper_that_is_never_initialised_gives_back_what_it_took(probe, rich, base):
    for other_bases in (base,), ():
        class Helping(rich):
            def __new__(mcs, name, bases, namespace, **more):
                mcs.helper = type.__new__(mcs, "Helper", other_bases, {})
                return super().__new__(mcs, name, bases, namespace, **more)
        cls = Helping("Sub", (base,), {"level": 7, "label": "seven"}, box=77)
        expected = probe.raw(other_bases[0] if other_bases else rich("Bare", (), {}))
        assert probe.raw(Helping.helper)[:4] == expected[:4]
        assert probe.raw(cls)[:4] == (7, "seven", b"uno", 77)
