# SPDX-License-Identifier: MIT
"""No class without the C fields comes under a provider, whose methods read them unchecked.

CPython asks nobody of ours when a plain class is given other bases: it compares instances.
"""
import gc
import itertools
import random
import struct
import sys
import types
import weakref

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
    for make in type(one), type:
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
    cls = types.new_class("All", (*more, *(providers[name] for name in SHARING)))
    cls()
    with pytest.raises(TypeError, match="lay-?out"):
        types.new_class("Both", (providers["layer"], providers["static"]))


@pytest.mark.parametrize("name", NAMES)
def test_a_provider_has_the_bases_that_it_was_given(probe, providers, name):
    provider = providers[name]
    assert provider.__basicsize__ == object.__basicsize__ + struct.calcsize("P")
    assert all(cls.__name__ != "layout" for cls in provider.__mro__ + provider.__bases__)
    assert all(cls.__name__ != "layout" for cls in object.__subclasses__())
    assert provider.__base__ is (object if name != "below" else provider.__mro__[1])
    types.new_class("Both", (provider, layer(probe, "One")) if name in SHARING else (provider,))
    assert provider.__base__ is provider.__bases__[0]
    with pytest.raises(AttributeError):
        types.new_class("Python", (provider,)).__base__ = object


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
    both = types.new_class("Both", (one, two))
    assert issubclass(both, base) and isinstance(both(), base)
    with pytest.raises(TypeError, match="differs|lay-?out"):
        type("Plain", (base,), {}).__bases__ = (one,)


def test_values_come_from_the_nearest_of_two_providers(probe, providers):
    one, two = providers["layer"], providers["another"]
    probe.set_fields(one, 1, b"one")
    probe.set_fields(two, 2, b"two")
    assert probe.number(types.new_class("Both", (one, two))) == 1
    assert probe.number(types.new_class("Both", (two, one))) == 2


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
    assert cls.__base__ in cls.__bases__ and all("layout" not in c.__name__ for c in cls.__mro__)
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
    one, two = layer(probe, f"GrowsOne{when}"), layer(probe, f"GrowsTwo{when}")
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


def test_a_subclass_with_attributes_goes_beside_another_provider(probe):
    one, two = layer(probe, "BesideOne"), layer(probe, "BesideTwo")

    class Sub(one):
        __slots__ = ("a",)

    class Mixed(Sub, two):
        __slots__ = ("b",)

    class Below(Mixed):
        pass

    class Other(two, Sub):
        __slots__ = ()
    for cls in Mixed, Below, Other:
        check(cls, "slots")
        assert probe.number(cls) == probe.number(one) == probe.number(two)
    with pytest.raises(TypeError, match="lay-?out"):
        types.new_class("Wrong", (Sub, types.new_class("Sub2", (two,), exec_body=lambda ns: ns.update(
            __slots__=("a",)))))


def test_classes_above_and_beside_are_assigned_bases(probe):
    one, two = layer(probe, "AssignedOne"), layer(probe, "AssignedTwo")

    class Above: __slots__ = ()
    class Mixin(Above): __slots__ = ()
    class Other: __slots__ = ()
    class Sub(Mixin, one): __slots__ = ("a",)
    class Deeper(Sub): __slots__ = ("b",)

    Sub.__bases__ = (one, Mixin)                # nobody shares yet
    Sub.__bases__ = (Mixin, one)

    class Both(one, two): pass
    class Grown(Mixin, one, two): __slots__ = ("a",)
    class Below(Grown): __slots__ = ("b",)
    for _ in range(3):
        Mixin.__bases__ = (Other, Above)
        assert Below.__mro__[-6:] == (Other, Above, one, two, object)[-6:] or Other in Below.__mro__
        assert Other in Deeper.__mro__ and Other in Grown.__mro__
        Mixin.__bases__ = (Above,)
        assert not any(Other in cls.__mro__ for cls in (Below, Deeper, Grown))
    Both.__bases__ = (two, Mixin, one)
    Both.__bases__ = (one,)
    for cls in Sub, Grown, Below, Deeper:
        before = cls.__bases__, cls.__mro__
        with pytest.raises(TypeError, match="share a layout.*make the class anew"):
            cls.__bases__ = (Other, *cls.__bases__)
        assert (cls.__bases__, cls.__mro__) == before
        types.new_class("More", (cls,))()


def test_no_plain_class_comes_under_a_class_with_a_layout_of_its_own(probe, fromspec):
    one, two = layer(probe, "GuardedOne"), layer(probe, "GuardedTwo")
    types.new_class("Both", (one, two))
    for _, cls in below(one, 2):
        for taking in plain_classes(probe, fromspec):
            with pytest.raises(TypeError, match="differs|lay-?out|MRO|has no memory"):
                taking.__bases__ = (*taking.__bases__, cls)


@pytest.mark.usefixtures("mortal_classes")
def test_classes_with_layouts_of_their_own_are_collected(probe):
    one, two = layer(probe, "FreedOne"), layer(probe, "FreedTwo")
    types.new_class("Both", (one, two))
    for _ in range(5):
        classes = [cls for _, cls in below(one, 2)]
        classes[0].classes = classes            # the base is reached from those below it
        for cls in classes:
            cls.me = cls
        watches = [weakref.ref(cls) for cls in classes]
        del classes, cls
        gc.collect()
        gc.collect()
        assert [watch() for watch in watches] == [None] * len(watches)


def test_who_saw_a_layout_may_keep_it(probe):
    one, two = layer(probe, "SeenOne"), layer(probe, "SeenTwo")
    types.new_class("Both", (one, two))
    cls = types.new_class("Sub", (one,), exec_body=lambda ns: ns.update(__slots__=("a",)))
    seen = [item for item in gc.get_referents(cls, one) if "layout" in repr(item)]
    del cls
    gc.collect()
    for item in seen:
        assert repr(item) and item.__mro__ is None or len(item.__mro__) > 0


@pytest.mark.parametrize("seed", range(20))
def test_a_hierarchy_below_providers_can_be_made_if_it_can_be_made_of_plain_classes(probe, seed):
    draw = random.Random(seed)
    made = [layer(probe, f"Random{seed}{i}") for i in range(4)]
    plain = [type(f"Plain{i}", (), {"__slots__": ()}) for i in range(4)]
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
            assert [made.index(cls) for cls in made[-1].__mro__[:-1]] \
                == [plain.index(cls) for cls in plain[-1].__mro__[:-1]]
    assert min(outcomes) > 0
    del obj
    gc.collect()
