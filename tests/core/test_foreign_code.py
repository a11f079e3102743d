# SPDX-License-Identifier: MIT
"""Other people's code on our classes: subclasses from specs, patched bases, __class__."""
import sys

import pytest
from support import A, B, with_slots

SPEC_TYPES_GET_THE_METACLASS = sys.version_info >= (3, 12)


@pytest.fixture
def provider(probe, rich):
    cls = rich("Provider", (), {"level": 4, "label": "four", "motto": b"quattro", "box": 44})
    return with_slots(probe, cls, (A, 1), (B, 2))


@pytest.mark.usefixtures("mortal_classes")
def test_a_subclass_from_a_spec_has_slots_and_fields_and_leaves_nothing(probe, provider, collected):
    collected()
    boxes = probe.alive_boxes()
    sub = probe.from_spec("foreign.Sub", (provider,), None)
    if not SPEC_TYPES_GET_THE_METACLASS:
        assert type(sub) is type and probe.find(sub(), A) is None     # a documented limit
        with pytest.raises(TypeError, match="has no memory"):
            probe.raw(sub)
        return
    assert probe.state(sub) == "unfinished"
    assert probe.raw(sub)[:4] == (4, "four", b"quattro", 44)          # the checked accessor finishes it
    assert probe.state(sub) == "ready"
    provider.level = 5
    assert sub.level == 5
    assert (probe.find(sub(), A), probe.find(sub(), B)) == (1, 2)
    below = type("Below", (sub,), {"box": 3})
    assert probe.find(below(), B) == 2 and probe.raw(below)[:4] == (5, "four", b"quattro", 3)
    del sub, below
    collected()
    assert probe.alive_boxes() == boxes and not type.__subclasses__(provider)


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


def test_the_class_of_a_class_may_change_to_a_metaclass_of_the_same_layout(probe, rich):
    """`cls.__class__ = Meta`: the fields stay where they are."""
    class Former(rich): pass

    class Sub(rich):
        extra = "from the metaclass"
    cls = with_slots(probe, Former("Cls", (), {"level": 6, "label": "six"}), (A, 1))
    child = type("Child", (cls,), {})
    cls.__class__ = Sub
    assert cls.extra and probe.raw(cls)[:2] == (6, "six") and probe.find_type(cls, A) == 1
    cls.level = 7
    assert child.level == 7
    child.__class__ = Sub
    below = type("Below", (child,), {})
    assert type(below) is Sub and below.level == 7
