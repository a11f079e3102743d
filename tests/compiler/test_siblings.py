# SPDX-License-Identifier: MIT
"""Several providers of one metaclass: as bases of one class, and each with its own values."""
import sys

import pytest
import support
from layer_modules import MODULES

KINDS = ["static", pytest.param("heap", marks=pytest.mark.skipif(
    sys.version_info < (3, 12), reason="heap types are refused before 3.12"))]


def check(code, kind):
    """In a child that may import the module."""
    flags = ("-DCYTHON_USE_TYPE_SPECS=1",) if kind == "heap" else ()
    support.check_child(code, kind, modules=[support.build_cython(MODULES / "layer_siblings.pyx", cflags=flags)])


WHAT_HOLDS = """
    import gc, itertools, sys, layer_siblings as m
    values = (5, {"a": 1}, [1, 2])
    assert m.First().seen() == values and m.Second().seen_too() == m.Below().seen_too() == (0, None, None)
    assert m.Third.thing is m.Attributed.items is None and m.Third.level == 7
    assert "thing" not in vars(m.Second) and "thing" not in vars(m.Third)

    for names in itertools.permutations((m.First, m.Second, m.Third, m.OverBare, m.Attributed), 2):
        try:
            class Both(*names): pass
        except TypeError as error: assert "first with the C fields of metaclass" in str(error), error
        else: raise AssertionError(names)
    siblings = m.Left, m.Right, type("Python", (m.First,), {"__slots__": (), "level": 15})
    for names in itertools.permutations(siblings, 2):
        class Both(*names): pass
        assert Both.level == names[0].level and Both().seen()[1:] == values[1:]
        assert Both().__class__.__mro__[:2] == (Both, names[0])
        class Slim(*names): __slots__ = ()
        assert Slim.__basicsize__ == m.First.__basicsize__
        del Both, Slim
    class All(*siblings): pass
    for other in m.Attributed, dict:                     # as with any attribute in C
        try: type("Both", (m.Left, other), {})
        except TypeError as error: assert "lay-out" in str(error), error
        else: raise AssertionError(other)
    class Failed(m.Failure, m.Trouble): __slots__ = ("slot",)
    class FailedBelow(Failed): pass
    for cls in m.Failure, m.Trouble, Failed, FailedBelow:
        try: raise cls(1)
        except Exception as error: caught = error
        caught.note, caught.slot = [caught], [caught]
        assert vars(caught)["note"][0] is caught and caught.args == (1,)
        assert cls.level in (13, 14) and "__dict__" not in vars(cls)
        del caught
    gc.collect()
"""


@pytest.mark.parametrize("kind", KINDS)
def test_siblings_below_one_class_are_bases_of_one_class_and_roots_have_values_of_their_own(kind):
    check(WHAT_HOLDS, kind)


WHAT_GROWS = """
    import gc, sys, weakref
    import layer_siblings as m

    class Early(m.Before): __slots__ = ("slot",)
    class Both(m.Deeper, m.Two): pass
    class Slots(Both): __slots__ = ("slot",)
    class Below(Slots): pass
    class Late(Early, m.Two): __slots__ = ()
    class Latest(Late): __slots__ = ("another",)
    class Other(m.Two, m.Before): __slots__ = ("slot",)
    class OtherBelow(Other): pass
    class Mixin: __slots__ = ()
    class Above(Mixin): __slots__ = ()
    class Mixed(Above, m.Deeper): __slots__ = ("slot",)
    class MixedBelow(Mixed): pass

    classes = (m.Before, m.Deeper, Early, Both, Slots, Below, Late, Latest, Other, OtherBelow,
               Mixed, MixedBelow)
    for _ in range(3):
        for cls in classes:
            obj = cls()
            obj.items = [obj, 1]
            if issubclass(cls, m.Deeper):
                obj.deeper = obj
                assert m.last_of(obj) == 103
            assert m.size_of(obj) == (102 if issubclass(cls, m.Deeper) else 2)
            level = 2 if issubclass(cls, Other) else 1
            assert obj.one() == cls.level == level, cls
            if issubclass(cls, m.Two): assert obj.two() == -level
            if hasattr(cls, "slot"): obj.slot = [obj]
            assert cls.__base__ in cls.__bases__
        class Stranger: __slots__ = ()
        Above.__bases__ = (Stranger, Mixin)
        assert Stranger in MixedBelow.__mro__
        Above.__bases__ = (Mixin,)
    try: type("Wrong", (Both, Other), {})
    except TypeError as error: assert "lay-out" in str(error) or "MRO" in str(error)
    else: raise AssertionError
    watch = weakref.ref(Below())
    gc.collect()
    assert watch() is None
    del classes, cls, obj, Both, Slots, Below
    gc.collect()
    assert not [c for c in m.Deeper.__subclasses__() if c.__name__ == "Both"]
"""


@pytest.mark.parametrize("kind", KINDS)
def test_classes_with_attributes_below_siblings_are_what_they_are_in_plain_cython(kind):
    check(WHAT_GROWS, kind)
