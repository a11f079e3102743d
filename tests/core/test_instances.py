# SPDX-License-Identifier: MIT
"""No class without the C fields comes under a provider, whose methods read them unchecked.

CPython asks nobody of ours when a plain class is given other bases: it compares instances.
"""
import gc
import itertools
import struct
import sys

import pytest
import support


@pytest.fixture(scope="module")
def fromspec(probe):
    return support.load(support.build_c("fromspec", support.TESTS / "core" / "fromspec_module.c"))


@pytest.fixture(scope="module")
def metas(probe):
    return probe.metaclasses()


def static(probe, name, *bases):
    return probe.ready_with_fields(f"instances.{name}", bases, 7, b"seven", 1)


def layer(probe, name, *bases):
    """A static type as the compiler layer makes it: with a member that nobody uses."""
    return probe.emitted(f"instances.{name}", probe.metaclasses()[0], bases, [], 1)


@pytest.fixture(scope="module")
def providers(probe, fromspec):
    """Providers whose instances have nothing but a pointer."""
    return {"static": static(probe, "Static"), "layer": layer(probe, "Layer"),
            "another": layer(probe, "Another"),
            "below": layer(probe, "Below", probe.emitted("instances.Base", None, (), []))}


NAMES = ["static", "layer", "another", "below"]
SHARING = ["layer", "another", "below"]


def subclasses(provider):
    """The provider, and classes that Python makes of it, in all layouts."""
    yield provider
    for body in {"__slots__": ()}, {}, {"__slots__": ("__dict__",)}:
        sub = type("Sub", (provider,), dict(body))
        yield sub
        yield type("Below", (sub,), {"__slots__": ()})
        yield type("Mixed", (type("Plain", (), {"__slots__": ()}), sub), {"__slots__": ()})


def plain_classes(probe, fromspec):
    """Classes without fields that are asked to take one as a base, in all layouts."""
    strangers = [fromspec.make_bare(own_dealloc, with_gc, False)
                 for own_dealloc in (0, 1) for with_gc in (0, 1)]
    strangers.append(probe.from_spec("instances.Stranger", (object,), None))
    for base in (object, list, *strangers):
        for body in {"__slots__": ()}, {}, {"__slots__": ("__dict__",)}, {"__slots__": ("a",)}:
            top = type("Top", (base,), dict(body))
            yield type("Taking", (top,), {"__slots__": ()})
            yield type("Taking", (top,), {})
        if base is not object:
            yield type("Taking", (base,), {"__slots__": ()})
            yield type("Taking", (base,), {})


@pytest.mark.parametrize("name", NAMES)
def test_no_plain_class_comes_under_a_provider(probe, providers, fromspec, name):
    tried = 0
    for cls in subclasses(providers[name]):
        for taking in plain_classes(probe, fromspec):
            before = taking.__bases__
            for bases in (cls,), (*before, cls), (cls, *before):
                with pytest.raises(TypeError, match="differs|lay-?out|MRO|has no memory"):
                    taking.__bases__ = bases
                assert taking.__bases__ == before
                tried += 1
    assert tried > 1000


@pytest.mark.parametrize("names", list(itertools.permutations(SHARING, 2)), ids=", ".join)
def test_providers_without_instance_attributes_can_be_bases_of_one_class(probe, providers, names):
    one, two = (providers[name] for name in names)
    for make in type, type(one):
        both = make("Both", (one, two), {})
        assert both.__mro__[:2] == (both, one) and two in both.__mro__
        assert probe.number(both) == probe.number(one)
        slim = make("Slim", (one, two), {"__slots__": ()})
        assert slim.__basicsize__ == one.__basicsize__
        objects = [both() for _ in range(5)] + [slim() for _ in range(5)]
        objects[0].me = objects
        both.__bases__ = (two, one)
        assert both.__mro__[1] is two
        del both, slim, objects
        gc.collect()


def test_three_and_more_can(probe, providers):
    more = [layer(probe, f"More{i}") for i in range(5)]
    cls = type("All", (*more, *(providers[name] for name in SHARING)), {})
    cls()
    with pytest.raises(TypeError, match="lay-?out"):
        type("Both", (providers["layer"], providers["static"]), {})


@pytest.mark.parametrize("name", NAMES)
def test_a_provider_has_the_bases_that_it_was_given(probe, providers, name):
    provider = providers[name]
    assert provider.__basicsize__ == object.__basicsize__ + struct.calcsize("P")
    assert all(cls.__name__ != "layout" for cls in provider.__mro__ + provider.__bases__)
    assert all(cls.__name__ != "layout" for cls in object.__subclasses__())
    base = provider.__base__
    if name in SHARING:
        assert base.__name__ == "layout" and base.__basicsize__ == provider.__basicsize__
        assert base is providers["layer"].__base__ or base.__base__ is providers["layer"].__base__
        assert vars(base) == {} and repr(base)


@pytest.mark.parametrize("name", NAMES)
def test_instances_are_freed_once(providers, name):
    for cls in subclasses(providers[name]):
        before = sys.getrefcount(cls)
        objects = [cls() for _ in range(100)]
        if hasattr(objects[0], "__dict__"):
            objects[0].cycle = objects
        del objects
        gc.collect()
        if cls.__flags__ & 1 << 9 and not support.FREE_THREADED:    # counted: a heap type
            assert sys.getrefcount(cls) == before


@pytest.mark.parametrize("base", [list, dict, Exception], ids=lambda base: base.__name__)
def test_providers_below_the_same_builtin_type_share_a_layout_too(probe, base):
    one, two = (layer(probe, f"{name}{base.__name__}", base) for name in ("One", "Two"))
    both = type("Both", (one, two), {})
    assert issubclass(both, base) and isinstance(both(), base)
    with pytest.raises(TypeError, match="differs|lay-?out"):
        type("Plain", (base,), {}).__bases__ = (one,)


def test_values_come_from_the_nearest_of_two_providers(probe, providers):
    one, two = providers["layer"], providers["another"]
    probe.set_fields(one, 1, b"one")
    probe.set_fields(two, 2, b"two")
    assert probe.number(type("Both", (one, two), {})) == 1
    assert probe.number(type("Both", (two, one), {})) == 2
