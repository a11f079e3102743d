# SPDX-License-Identifier: MIT
"""No class without the C fields comes under a provider, whose methods read them unchecked.

CPython asks nobody of ours when a plain class is given other bases: it compares instances.
"""
import gc
import itertools
import random
import sys
import types
import weakref

import pytest
import support


def static(probe, name, *bases):
    return probe.ready_with_fields(f"instances.{name}", bases, 7, b"seven", 1)


def layer(probe, name, *bases):
    """A static type as the compiler layer makes it: with a member that nobody uses."""
    return probe.emitted(f"instances.{name}", probe.metaclasses()[0], bases, [], 1)


def children(probe, name, count=2):
    """Static types that derive from one provider, and need no such member."""
    root = layer(probe, f"{name}Root")
    return [probe.emitted(f"instances.{name}{i}", probe.metaclasses()[0], (root,), []) for i in range(count)]


@pytest.fixture(scope="module")
def providers(probe):
    """Providers whose instances have nothing but a pointer."""
    return {"static": static(probe, "Static"), "layer": layer(probe, "Layer"),
            "below": layer(probe, "Below", probe.emitted("instances.Base", None, (), []))}


NAMES = ["static", "layer", "below"]


def subclasses(provider):
    """The provider, and classes that Python makes of it, in all layouts."""
    yield provider
    for body in {"__slots__": ()}, {}, {"__slots__": ("__dict__",)}:
        sub = type("Sub", (provider,), dict(body))
        yield sub
        yield type("Below", (sub,), {"__slots__": ()})
        yield type("Mixed", (type("Plain", (), {"__slots__": ()}), sub), {"__slots__": ()})


def plain_classes(probe):
    """Classes without fields that are asked to take one as a base, in all layouts."""
    for base in object, list, probe.from_spec("instances.Stranger", (object,), None):
        for body in {"__slots__": ()}, {}, {"__slots__": ("__dict__",)}, {"__slots__": ("a",)}:
            top = type("Top", (base,), dict(body))
            yield type("Taking", (top,), {"__slots__": ()})
            yield type("Taking", (top,), {})
        if base is not object:
            yield type("Taking", (base,), {"__slots__": ()})
            yield type("Taking", (base,), {})


@pytest.mark.parametrize("name", NAMES)
def test_no_plain_class_comes_under_a_provider(probe, providers, name):
    tried = 0
    for cls in subclasses(providers[name]):
        for taking in plain_classes(probe):
            before = taking.__bases__
            for bases in (cls,), (*before, cls), (cls, *before):
                with pytest.raises(TypeError, match="differs|lay-?out|MRO|has no memory"):
                    taking.__bases__ = bases
                assert taking.__bases__ == before
                tried += 1
    assert tried > 500


@pytest.mark.parametrize("names", list(itertools.permutations(NAMES, 2)), ids=", ".join)
def test_two_that_are_the_first_with_the_fields_are_refused_as_bases_of_one_class(probe, providers, names):
    bases = tuple(providers[name] for name in names)
    with pytest.raises(TypeError, match=r"lay-out conflict: found several bases of class 'Both' that are the "
                                        r"first with the C fields of metaclass '.*'.*expected bases that derive"):
        types.new_class("Both", bases)
    with pytest.raises(TypeError, match="lay-?out"):
        type("Both", bases, {})
    with pytest.raises(TypeError, match="lay-?out"):
        types.new_class("Both", (bases[0], dict))


def test_classes_below_one_provider_can_be_bases_of_one_class(probe):
    more = children(probe, "Together", 5)
    for make in type(more[0]), type:
        both = make("Both", tuple(more[:2]), {})
        assert both.__mro__[:3] == (both, *more[:2])
        slim = make("Slim", tuple(more), {"__slots__": ()})
        assert slim.__basicsize__ == more[0].__basicsize__
        objects = [both() for _ in range(5)] + [slim() for _ in range(5)]
        objects[0].me = objects
        both.__bases__ = (more[1], more[0])
        assert both.__mro__[1] is more[1]
        del both, slim, objects
        gc.collect()


# ------------------------------------------------------- more instance attributes below --

BODIES = {"slots": {"__slots__": ("a", "b")}, "dict": {}, "none": {"__slots__": ()},
          "slots and dict": {"__slots__": ("a", "__dict__", "__weakref__")},
          "weakref": {"__slots__": ("__weakref__",)}}


def below(cls, depth=3):
    """Classes of all layouts below one, and below those, and so on."""
    for name, body in BODIES.items() if depth else ():
        if cls.__dictoffset__ and "__dict__" in body.get("__slots__", ()) \
                or cls.__weakrefoffset__ and "__weakref__" in body.get("__slots__", ()):
            continue                    # CPython has no second one
        sub = types.new_class("Sub", (cls,), exec_body=lambda ns: ns.update(body))
        yield name, sub
        yield from below(sub, depth - 1)


def check(cls, name):
    """Its instances have what their class says, and are freed."""
    obj = cls()
    if "slots" in name:
        obj.a = [obj]
    if name == "dict":
        obj.anything = [obj, type]
    assert cls.__base__ in cls.__bases__
    try:
        watch = weakref.ref(obj)
    except TypeError:                   # no __weakref__
        watch = None
    before = sys.getrefcount(cls)
    del obj
    gc.collect()
    assert watch is None or watch() is None
    if "slots" in name and not support.FREE_THREADED:
        assert sys.getrefcount(cls) == before - 1


@pytest.mark.parametrize("when", ["before", "after"])
def test_classes_below_have_instance_attributes_of_their_own(probe, when):
    one, two = children(probe, f"Grows{when}")
    found = list(below(one)) if when == "before" else []
    both = types.new_class("Both", (one, two))
    more = [*found, *below(both), *below(two), *below(one, 2)]
    assert len(more) > 100
    for name, cls in more[::7]:
        check(cls, name)
    for name, cls in more[::5]:
        # Beside the other provider, above it, below a class without attributes.
        types.new_class("Mixed", (type("Plain", (), {"__slots__": ()}), cls))()
        if two not in cls.__mro__:
            check(types.new_class("Mixed", (cls, two)), name)


def test_classes_above_and_beside_are_assigned_bases(probe):
    one, two = children(probe, "Assigned")

    class Above: __slots__ = ()
    class Mixin(Above): __slots__ = ()
    class Other: __slots__ = ()
    class Sub(Mixin, one): __slots__ = ("a",)
    class Deeper(Sub): __slots__ = ("b",)
    class Grown(Mixin, one, two): __slots__ = ("a",)
    class Below(Grown): __slots__ = ("b",)
    for _ in range(3):
        Mixin.__bases__ = (Other, Above)
        assert all(Other in cls.__mro__ for cls in (Below, Deeper, Grown))
        Mixin.__bases__ = (Above,)
        assert not any(Other in cls.__mro__ for cls in (Below, Deeper, Grown))
    for cls in Sub, Grown:
        cls.__bases__ = (Other, two, one)
        assert probe.number(cls) == probe.number(two)
    for cls in Below, Deeper:
        check(cls, "slots")


@pytest.mark.parametrize("seed", range(20))
def test_a_hierarchy_below_providers_can_be_made_if_it_can_be_made_of_plain_classes(probe, seed):
    draw = random.Random(seed)
    made = children(probe, f"Random{seed}", 4)
    root = type("Root", (), {"__slots__": ()})
    plain = [type(f"Plain{i}", (root,), {"__slots__": ()}) for i in range(4)]
    outcomes = [0, 0]
    for step in range(40):
        places = draw.sample(range(len(made)), k=min(len(made), draw.choice((1, 1, 2, 2, 3))))
        body = draw.choice(list(BODIES.values()))
        results = []
        for classes in made, plain:
            try:
                results.append(types.new_class(
                    f"Class{step}", tuple(classes[i] for i in places),
                    exec_body=lambda ns: ns.update(body)))
            except TypeError as error:
                results.append(str(error)[:20])
        succeeded = [isinstance(result, type) for result in results]
        assert succeeded[0] == succeeded[1], (step, results)
        outcomes[succeeded[0]] += 1
        if succeeded[0]:
            made.append(results[0])
            plain.append(results[1])
            obj = made[-1]()
            if hasattr(obj, "__dict__"):
                obj.anything = obj
            assert [made.index(cls) for cls in made[-1].__mro__[:-2]] \
                == [plain.index(cls) for cls in plain[-1].__mro__[:-2]]
    assert min(outcomes) > 0
    del obj
    gc.collect()
