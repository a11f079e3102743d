# SPDX-License-Identifier: MIT
"""Whose value a field has: of the class, of a base, or of the metaclass; and of members of instances with its name."""
import dataclasses
import typing
import warnings

import pytest
from cython_customslots import provider


WRITES = {
    "set in Python": lambda probe, cls, value: setattr(cls, "level", value),
    "set in C": lambda probe, cls, value: probe.set_c_field(cls, "ratio", value),
    "bytes that C wrote": lambda probe, cls, value: probe.write_level(cls, value),
    "an object that C wrote": lambda probe, cls, value: probe.write_label(cls, value),
    "a value with hooks": lambda probe, cls, value: setattr(cls, "box", value),
    "bytes that nobody described": lambda probe, cls, value: probe.set_secret(cls, value),
    "said to be its own": lambda probe, cls, value: (
        probe.write_label(cls, value), probe.own_field(cls, "label"), probe.own_field(cls, "box")),
}


@pytest.mark.parametrize("way", WRITES)
def test_when_a_value_is_deleted_classes_have_what_a_class_attribute_would_be(probe, rich, way):
    """Whoever wrote it, and however often: the next base of a subclass counts, and for classes made later, too."""
    root = rich("Root", (), {"level": 1, "label": 1, "box": 1})
    root.plain = 1
    probe.set_c_field(root, "ratio", 1.0)
    probe.set_secret(root, 1)
    first, second = type("First", (root,), {}), type("Second", (root,), {})
    classes = [root, first, second, type("Both", (first, second), {})]
    place = {"set in C": 4, "bytes that nobody described": 5, "an object that C wrote": 1, "said to be its own": 1,
             "a value with hooks": 3}.get(way, 0)
    def seen(): return [probe.raw(cls)[place] for cls in classes]
    def write(cls, value):
        WRITES[way](probe, cls, value)
        cls.plain = value
    write(second, 4)
    for value in (9, 8, 9):
        write(first, value)
        write(first, value + 1)
        classes.append(type("Later", (first, second), {}))
        assert seen()[:3] == [cls.plain for cls in classes[:3]] and seen()[-1] == value + 1
        name = {0: "level", 1: "label", 3: "box", 4: "ratio", 5: "secret"}[place]
        probe.delete_field(first, name) if place > 3 else provider.delete_field(first, name)
        del first.plain
        assert seen() == [cls.plain for cls in classes]


def test_a_metaclass_has_the_values_of_classes_whose_mro_has_none(probe, rich, base):
    """As an attribute of a metaclass is one of its classes; whenever it is set, classes follow."""
    derived = probe.rich_metaclasses()[1]
    fresh, child = rich("Fresh", (), {}), type("Child", (rich("Between", (), {}),), {})
    own, below = rich("Own", (child,), {"level": 0, "label": None}), derived("Derived", (), {})
    try:
        for name, value in {"level": 7, "label": ["any"], "box": 8}.items():
            provider.set_field(rich, name, value)
        probe.set_c_field(rich, "ratio", 0.5)
        for cls in (fresh, child, below, rich("Later", (), {}), type.__new__(rich, "Bare", (), {})):
            assert probe.raw(cls)[:5] == (7, ["any"], b"", 8, 0.5), cls
        assert probe.raw(own)[:2] == (0, None) and probe.raw(base)[:2] == (1, "one")
        del own.level
        assert own.level == 7
        assert "__customslots_fields__" not in vars(fresh)
    finally:
        for name, value in {"level": 0, "label": None, "box": -1}.items():
            provider.set_field(rich, name, value)
        probe.set_c_field(rich, "ratio", 0.0)
    assert probe.raw(child)[:5] == (0, None, b"", -1, 0.0)


def test_what_a_metaclass_cannot_be_asked_for_its_default_is_an_error(probe, metas):
    rich, richer = metas
    with pytest.raises(AttributeError, match="has no C field 'nothing' that Python may set"):
        provider.set_field(rich, "nothing", 1)
    with pytest.raises(AttributeError, match="has no C field 'level' that Python may set"):
        provider.set_field(richer, "level", 1)           # it is the other one's
    with pytest.raises(TypeError, match="field 'level' of class '.*RichMeta'"):
        provider.set_field(rich, "level", "x")
    for act in (lambda: provider.delete_field(rich, "level"), lambda: probe.delete_field(rich, "ratio"),
                lambda: probe.own_field(rich, "level")):
        with pytest.raises(TypeError, match="found a metaclass, expected a class, to"):
            act()
    with pytest.raises(TypeError, match="expected a finished class that has C fields, or a metaclass that adds some"):
        provider.set_field(type("Below", (rich,), {}), "level", 1)


# ------------------------------------------------- members with the name of a field --

def define(**options):
    def decorate(cls):
        return pytest.importorskip("attr", reason="attrs is not installed").define(**options)(cls)
    return decorate


MAKERS = [dataclasses.dataclass, dataclasses.dataclass(frozen=True), dataclasses.dataclass(slots=True), define(),
          define(slots=False)]


@pytest.mark.parametrize("decorate", MAKERS)
def test_a_member_of_instances_with_the_name_of_a_field_is_warned_of_once(probe, base, decorate):
    class Plain(base):
        level: int = 5

    with pytest.warns(RuntimeWarning, match=(
            "class '(.*[.])?Plain': found 'level' as a member of its instances, which is the name of a C field of its "
            "metaclass '.*RichMeta', expected another name")) as caught:
        Member = decorate(Plain)
    assert len(caught) == 1 and Member(7).level == 7 and probe.raw(Member)[0] == Member.level != 7


@pytest.mark.parametrize("decorate", MAKERS)
@pytest.mark.parametrize("annotation", [int, typing.ClassVar[int]])
def test_values_of_the_class_are_no_members(probe, base, decorate, annotation):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        class Plain(base):                                      # for type checkers, without any decorator
            level: annotation = 5
        if annotation is not int:
            Plain.__annotations__["other"] = int
            Plain.other = 3
            Plain = decorate(Plain)
            assert (Plain(4).other, Plain.level) == (4, 5)
    assert probe.raw(Plain)[0] == 5


def test_a_warning_that_is_an_error_changes_nothing(base):
    class Plain(base):
        level: int = 5

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            dataclasses.dataclass(Plain)
    assert not dataclasses.is_dataclass(Plain) and Plain.level == 5
