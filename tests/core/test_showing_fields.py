# SPDX-License-Identifier: MIT
"""What dir(), help() and inspect show of a class with C fields."""
import inspect
import pydoc

import pytest

FIELDS = "__customslots_fields__"


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
