# SPDX-License-Identifier: MIT
"""Other people's code on our classes: subclasses from specs, patched bases, __class__."""
import sys

import pytest
import support
from support import A, B, with_slots

SPEC_TYPES_GET_THE_METACLASS = sys.version_info >= (3, 12)


@pytest.fixture(scope="module", params=["full", "limited"])
def foreign(request, _cache_exists):
    if request.param == "limited" and support.FREE_THREADED:
        pytest.skip("free-threaded CPython refuses Py_LIMITED_API with an #error of its own")
    source = support.TESTS / "core" / "foreign_subclass.c"
    flags = ("-DFOREIGN_LIMITED",) if request.param == "limited" else ()
    name = f"foreign_{request.param}"
    return support.load(support.build_c(name, source, cflags=(*flags, *support.STRICT_FLAGS)))


@pytest.fixture
def provider(probe, rich):
    cls = rich("Provider", (), {"level": 4, "label": "four", "motto": b"quattro", "box": 44})
    return with_slots(probe, cls, (A, 1), (B, 2))


# -------------------------------------------------- subclasses by binding generators --

def test_a_subclass_from_a_spec_has_the_slots(probe, foreign, provider):
    sub = foreign.subclass((provider,), provider.__basicsize__)
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
    obj = sub()
    obj.number = 2 ** 30
    assert (probe.find(obj, A), probe.find(obj, B), obj.number) == (1, 2, 2 ** 30)
    assert "Sub" in obj.describe()
    below = type("Below", (sub,), {})
    assert probe.find(below(), B) == 2 and probe.raw(below)[:4] == (5, "four", b"quattro", 44)


@pytest.mark.usefixtures("mortal_classes")
def test_a_subclass_from_a_spec_dies_and_leaves_nothing(probe, foreign, provider, collected):
    collected()
    boxes = probe.alive_boxes()
    for _ in range(10):
        sub = foreign.subclass((provider,), provider.__basicsize__)
        sub().number = 5
        type("Below", (sub,), {"level": 3})().number = 6
    del sub
    collected()
    assert probe.alive_boxes() == boxes and not type.__subclasses__(provider)



def test_a_metaclass_that_patches_bases_while_a_class_is_made(probe, rich):
    """`__bases__` of another class changes in the metaclass's __init__."""
    base = with_slots(probe, rich("Base", (), {"level": 1}), (A, 1))
    target = type("Target", (base,), {})
    leaf = type("Leaf", (target,), {})

    class Extending(rich):
        def __init__(cls, name, bases, namespace):
            super().__init__(name, bases, namespace)
            if "extends" in namespace:
                namespace["extends"].__bases__ = (cls,)
    extension = Extending("Extension", (base,), {"level": 2, "extends": target})
    assert target.__mro__[1] is extension and leaf.level == 2
    assert probe.find_type(leaf, A) == 1


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
