# SPDX-License-Identifier: MIT
"""A newer implementation is imported while a class is being made or changed by an older one: the
class comes out as if nothing had happened."""
import textwrap

import ages
import pytest
import support

#: (the first one, the one that comes in between): does it take over, and what if it cannot.
PAIRS = [("this", "function"), ("old", "new"), ("this", "field"), ("this", "state"), ("new", "old")]

PROLOGUE = """
import gc, sys
import age_{first} as first
E = first.import_metaclass()
Rich, Richer = first.rich_metaclasses()
A, B = 257, 513

class Base(metaclass=Rich):
    level, box, label, motto = 1, 2, "base", b"m"
first.set_slots(Base, [(A, 1)])

class Other(metaclass=Rich):
    level, box, label, motto = 11, 12, "other", b"o"
first.set_slots(Other, [(B, 2)])

def arrive():
    "The other one is imported, once."
    arrived.append("age_{second}" in sys.modules)
    import age_{second} as second
    assert second.met(E) == {rows!r}, second.met(E)
    assert second.serving() == first.serving() == {serving!r}
    # It goes on working in there.
    class Inner(Other, level=99):
        pass
    assert Inner.level == 99 and Inner.box == 12
    return second

arrived = []

def right(cls, level, label="base", box=2, slots={{A: 1}}):
    assert arrived, "nobody came"
    import age_{second} as second
    for reader in first, second:
        table = dict(reader.table_type(cls))
        assert table == slots, table
    raw = first.raw(cls)
    assert raw[:2] == (level, label) and raw[3] == box, raw
    assert first.state(cls) == "ready"
    class Below(cls):
        pass
    assert first.raw(Below)[:2] == (level, label)
    Base.label, Base.label = "changed", "base"
    if any("__slots__" in vars(base) for base in cls.__mro__[:-1]):
        return                      # of another layout
    Below.__bases__ = (Other,)
    assert first.raw(Below)[:4] == (11, "other", b"o", 12), first.raw(Below)
    assert dict(second.table_type(Below)) == {{B: 2}}
    del Below
    gc.collect()
"""


#: Where the other one is imported.
INSIDE = {
    "a generator of slots": """
        def names():
            yield "a"
            arrive()
            yield "b"
        class S(Base, level=5):
            __slots__ = names()
        right(S, 5)
        s = S(); s.a = s.b = 1
        """,
    "set name": """
        class Watch:
            def __set_name__(self, owner, name):
                assert owner.level == 5
                arrive()
                assert owner.level == 5 and owner.label == "base"
        class S(Base, level=5):
            watch = Watch()
        right(S, 5)
        """,
    "init subclass": """
        class Watching(Base):
            def __init_subclass__(cls):
                if cls.__name__ != "S":
                    return
                assert cls.level == 5 and first.find_type(cls, A) == 1
                second = arrive()
                assert cls.level == 5 and second.find_type(cls, A) == 1
                cls.box = 9
        class S(Watching, level=5):
            label = "mine"
        right(S, 5, "mine", 9)
        """,
    "the mro of a metaclass": """
        class Meta(Rich):
            def mro(cls):
                if cls.__name__ == "S":
                    arrive()
                return super().mro()
        class Mine(Base, metaclass=Meta):
            pass
        class S(Mine, level=5):
            pass
        right(S, 5)
        """,
    "the new and init of a metaclass": """
        class Meta(Rich):
            def __new__(meta, name, bases, body, **more):
                if name == "S":
                    arrive()
                return super().__new__(meta, name, bases, body, **more)
            def __init__(cls, name, bases, body, **more):
                super().__init__(name, bases, body, **more)
        class Mine(Base, metaclass=Meta):
            pass
        class S(Mine, level=5):
            label = "mine"
        right(S, 5, "mine")
        class Late(Rich):
            def __init__(cls, *args, **more):       # type's own is not called: tp_call finishes it
                pass
        class T(Base, metaclass=Late, level=6):
            pass
        right(T, 6)
        """,
    "the conversion of a field": """
        class Level:
            def __index__(self):
                arrive()
                return 5
        class S(Base, level=Level()):
            pass
        right(S, 5)
        class T(Base):
            level = 6
        T.box = 3
        right(T, 6, box=3)
        """,
    # to_object of a field runs Python, in which the other one comes.
    "a conversion that python asks for": """
        def convert(number):
            arrive()
            return number + 1
        Base.watched = 4
        first.set_converter(convert)
        assert Base.watched == 5
        class S(Base, level=5):
            watched = 7
        assert S.watched == 8
        first.set_converter(None)
        right(S, 5)
        """,
    # Of what a class body replaces, and of what goes when a value is replaced.
    "a finaliser": """
        class Dying:
            def __del__(self):
                arrive()
        class Watching(Base):
            def __init_subclass__(cls):
                global dying
                dying = Dying()
                del dying
        class S(Watching, level=5):
            pass
        right(S, 5)
        class T(Base, level=6, label=Dying()):
            pass
        T.label = "new"
        right(T, 6, "new")
        class U(Base, level=7):
            label = Dying()
        del U.label
        right(U, 7)
        """,
    "the setter of bases": """
        class Meta(Rich):
            def mro(cls):
                if armed and cls.__name__ == "Below":
                    arrive()
                    class Meanwhile(S):
                        pass
                    S.box = 21
                    kept.append(Meanwhile)
                return super().mro()
        armed, kept = [], []
        class S(Base, metaclass=Meta, level=5):
            pass
        class Below(S):
            pass
        armed.append(1)
        S.__bases__ = (Other,)
        armed.clear()
        for cls in S, Below, *kept:
            assert first.raw(cls)[:4] == (5, "other", b"o", 21), (cls, first.raw(cls))
            assert dict(first.table_type(cls)) == {B: 2}, cls
        right(S, 5, "other", 21, {B: 2})
        right(Below, 5, "other", 21, {B: 2})
        """,
    "a setter of bases that fails": """
        class Meta(Rich):
            def mro(cls):
                if armed:
                    arrive()
                    raise RuntimeError("not now")
                return super().mro()
        armed = []
        class S(Base, metaclass=Meta, level=5):
            pass
        armed.append(1)
        try:
            S.__bases__ = (Other,)
        except RuntimeError as error:
            assert str(error) == "not now"
        else:
            raise SystemExit("it was assigned")
        armed.clear()
        assert S.__bases__ == (Base,)
        right(S, 5)
        """,
    "an init subclass that fails": """
        class Watching(Base):
            def __init_subclass__(cls):
                arrive()
                raise RuntimeError("no")
        try:
            class S(Watching, level=5):
                label = "mine"
        except RuntimeError as error:
            del error
        gc.collect()
        assert not Watching.__subclasses__()
        class T(Base, level=6):
            pass
        right(T, 6)
        """,
}


@pytest.mark.parametrize("first, second", support.thoroughly(PAIRS))
@pytest.mark.parametrize("inside", INSIDE)
def test_a_class_comes_out_as_if_nobody_had_come(inside, first, second):
    rows, serving = ages.verdicts([first, second])
    prologue = PROLOGUE.format(first=first, second=second, rows=rows, serving=ages.named(serving))
    ages.check(prologue + textwrap.dedent(INSIDE[inside]), first, second)
