# SPDX-License-Identifier: MIT
"""No class without the C fields comes under a provider, whose methods read them unchecked.

CPython asks nobody of ours when a plain class is given other bases: it compares instances.
"""
import gc
import itertools
import random
import types

import pytest


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


# ------------------------------------------------------- more instance attributes below --

BODIES = {"slots": {"__slots__": ("a", "b")}, "dict": {}, "none": {"__slots__": ()},
          "slots and dict": {"__slots__": ("a", "__dict__", "__weakref__")},
          "weakref": {"__slots__": ("__weakref__",)}}


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
