# SPDX-License-Identifier: MIT
"""C fields of every kind: numbers, objects, pointers into objects, values with hooks.

RichMeta has level (int), label (object), motto (const char *), box (a value with hooks),
ratio (double, read-only), watched (bytes whose conversion runs Python code) and `secret` (two
longs that nobody described).
"""
import gc
import sys
import types

import foreign_api
import pytest
import support
from cython_customslots import fields, provider


class Thing:
    """Something that weak references can watch."""


def entries(cls):
    """The class's dict itself, in which instances look (test_class_dict.py has the other)."""
    return type.__dict__["__dict__"].__get__(cls)


# ---------------------------------------------------------------------------- setting --

@pytest.mark.parametrize("name, value", [
    ("level", 9), ("label", ["any", "object"]), ("motto", b"new"), ("box", 99)])
def test_a_value_set_on_a_base_reaches_those_that_inherit_it(probe, base, name, value):
    child = type("Child", (base,), {})
    grandchild = type("Grandchild", (child,), {})
    own = type(base)("Own", (child,), {"level": 3, "label": 3, "motto": b"3", "box": 3})
    below = type("Below", (own,), {})
    setattr(base, name, value)
    assert [getattr(c, name) for c in (base, child, grandchild)] == [value] * 3
    kept = {"level": 3, "label": 3, "motto": b"3", "box": 3}[name]
    assert [getattr(c, name) for c in (own, below)] == [kept] * 2
    delattr(own, name)
    assert [getattr(c, name) for c in (own, below)] == [value] * 2


@pytest.mark.parametrize("offset, size, null, error", [
    (0, 4, True, "NULL"), (-4000, 4, False, "no field"), (100000, 4, False, "no field"),
    *((offset, size, False, "not one value") for offset, size in [
        (1, 2), (0, 8), (0, 0), (0, -1), (0, -sys.maxsize - 1), (0, 2 ** 16 + 1), (0, sys.maxsize)])])
def test_a_wrong_place_or_size_is_refused(probe, base, offset, size, null, error):
    before, level = probe.raw(base), next(field for field in fields(base) if field.name == "level")
    with pytest.raises(ValueError, match=error):
        foreign_api.call("set_field", base, level.offset + offset, None if null else bytes(64), size)
    assert probe.raw(base) == before


def test_deleting_what_is_not_there_is_an_attribute_error(probe, rich, base):
    child = type("Child", (base,), {})
    statics = [probe.emitted("deleting.Static", rich, bases, []) for bases in ((), (base,))]
    for cls in (child, *statics):
        with pytest.raises(AttributeError, match="has no value of its own"):
            provider.delete_field(cls, "level")
    with pytest.raises(AttributeError, match="has no value of its own"):
        del child.level
    del base.level                       # it inherits from nobody: the default
    assert child.level == base.level == 0
    with pytest.raises(AttributeError, match="has no value of its own"):
        del base.level


def test_a_readable_field_cannot_be_set(base):
    with pytest.raises(AttributeError, match="'ratio' of class 'Base' is read-only"):
        base.ratio = 1.0
    with pytest.raises(AttributeError, match="read-only"):
        del base.ratio


@pytest.mark.parametrize("name, value, error, words", [
    ("level", "x", TypeError, "found 'x', expected a signed integer of 4 bytes: 'str' object "),
    ("level", 2**40, OverflowError, "found 1099511627776, expected a signed integer of 4 bytes: it does not fit$"),
    ("motto", "text", TypeError, "found 'text', expected what the field is converted from: "),
    ("box", None, TypeError, "found None, expected what the field is converted from: ")])
def test_a_value_that_cannot_be_converted_changes_nothing(probe, base, name, value, error, words):
    before = probe.raw(base)
    with pytest.raises(error, match=f"field '{name}' of class 'Base' .*: {words}"):
        setattr(base, name, value)
    assert probe.raw(base) == before


# --------------------------------------------------------------- class bodies, keywords --

def test_class_keywords_set_fields_and_are_not_passed_on(probe, rich):
    seen = []

    class Base(metaclass=rich, level=1):
        def __init_subclass__(cls, **kwargs):
            seen.append((kwargs, cls.level, cls.box))

    class Watch:
        def __set_name__(self, owner, name):
            seen.append(probe.raw(owner)[:4])

    class Sub(Base, level=2, box=22, other="passed"):
        watch = Watch()
        label = "two"
    assert seen == [(2, "two", b"", 22), ({"other": "passed"}, 2, 22)]
    assert probe.raw(Sub)[0] == 2 and probe.raw(Base)[0] == 1


def test_a_field_given_twice_is_refused(base):
    with pytest.raises(TypeError, match="'level' is given by keyword and in the class body"):
        class Sub(base, level=1):
            level = 2


@pytest.mark.parametrize("make", [
    lambda b, ns: type("Sub", (b,), ns), lambda b, ns: type(b)("Sub", (b,), ns),
    lambda b, ns: types.new_class("Sub", (b,), {"level": 6}, lambda new: new.update(label="six", box=66)),
    lambda b, ns: type.__call__(type(b), "Sub", (b,), ns),
], ids=["type", "metaclass", "new_class", "type.__call__"])
def test_every_way_to_make_a_class_reads_the_body_and_does_not_change_it(probe, base, make):
    namespace = {"level": 6, "label": "six", "box": 66}
    sub = make(base, namespace)
    assert probe.raw(sub)[:4] == (6, "six", b"uno", 66)
    assert namespace == {"level": 6, "label": "six", "box": 66}
    assert not {"level", "label", "box"} & set(entries(sub))
    base.level = base.label = base.box = 0
    assert probe.raw(sub)[:4] == (6, "six", b"uno", 66)


def test_a_class_without_fields_made_of_the_same_namespace_does_not_end_the_call(probe, rich, extensibletype):
    class Silent(rich):
        def __new__(mcs, name, bases, ns):
            Silent.helper = type("Plain", (extensibletype,), {})("Helper", (), ns)
            return super().__new__(mcs, name, bases, ns)

        def __init__(cls, *args):
            pass
    sub = Silent("Sub", (), {"level": 2, "label": "two"})
    assert probe.raw(sub)[:2] == (2, "two") and "level" not in entries(sub)
    assert (Silent.helper.level, Silent.helper.label) == (2, "two")


def test_a_metaclass_may_put_fields_into_the_namespace(probe, rich):
    class Adding(rich):
        def __new__(mcs, name, bases, ns):
            return super().__new__(mcs, name, bases, {**ns, "level": 8, "label": "added"})
    sub = Adding("Sub", (), {"level": 3})
    assert (sub.level, sub.label) == (8, "added") and "level" not in entries(sub)


# --------------------------------------------------------------------- objects, lifetimes --

def test_every_value_with_hooks_is_destroyed_once():
    support.check_child("""
        import gc
        from probe import *
        rich, richer = rich_metaclasses()
        def use():
            base = rich("Base", (), {"box": 1})
            left, right = type("Left", (base,), {}), rich("Right", (base,), {"box": 3})
            both = type("Both", (left, right), {}, )
            made = richer("Made", (both,), {}, box=5)
            base.box = 7
            left.box = 8
            del left.box
            left.__bases__ = (rich("New", (base,), {"box": 9}),)
            for wrong in "x", None:
                try: rich("Bad", (base,), {"box": 4, "level": wrong})
                except TypeError: pass
            fail_copies(0)
            for act in (lambda: type("N", (base,), {}), lambda: setattr(base, "box", 1)):
                try: act()
                except RuntimeError: pass
            fail_copies(-1)
            return alive_boxes()
        first = None
        for _ in range(5):
            assert use() > 5
            while gc.collect(): pass
            first = first or alive_boxes()
            assert alive_boxes() == first, (first, alive_boxes())
        """, modules=[support.probe_path()])


@pytest.mark.usefixtures("mortal_classes")
def test_an_object_that_dies_with_its_class_may_run_any_code(rich, collected):
    log = []

    class Loud:
        def __del__(self):
            gc.collect()
            log.append(rich("Made", (), {"label": Thing()}).label.__class__)
    cls = rich("Dying", (), {"label": Loud()})
    del cls
    collected()
    assert log == [Thing]


def test_an_object_that_is_replaced_may_change_the_class_again(rich):
    cls = rich("Reentrant", (), {})
    child = type("Child", (cls,), {})

    class Loud:
        def __del__(self):
            cls.label = "from the finaliser"
    cls.label = Loud()
    cls.label = "second"
    assert (cls.label, child.label) == ("from the finaliser",) * 2


def test_of_equal_texts_that_pointers_point_into_one_is_kept(probe, base):
    def text():
        return b" ".join([b"kept by the interpreter"] * 3)    # constants are immortal on some builds

    first, second, other = text(), text(), bytearray(text())
    counts = [sys.getrefcount(first), sys.getrefcount(second)]
    child = type(base)("Child", (base,), {"motto": first})
    grandchild = type("Grandchild", (child,), {})
    child.motto = second
    assert [sys.getrefcount(first), sys.getrefcount(second)] == [counts[0] + 2, counts[1]]
    del child.motto, first
    assert grandchild.motto == b"uno"
    child.motto = second
    assert child.motto == grandchild.motto == text() and sys.getrefcount(second) == counts[1]
    with pytest.raises(TypeError):
        child.motto = other
    assert sys.getrefcount(other) == counts[1], "what cannot be converted is not kept"


def test_a_value_that_is_made_again_from_the_kept_text_is_destroyed_first(probe):
    metaclass = probe.undescribed_metaclass()
    writable_kept, hooks = 2 | 4, 15
    probe.describe(metaclass, [("f", metaclass.__base__.__basicsize__, 8, -1, writable_kept, hooks)])
    cls = metaclass("Boxed", (), {})
    alive = probe.alive_boxes()
    for _ in range(3):
        cls.f = b" ".join([b"another object", b"of the same text"])
    assert probe.alive_boxes() == alive


def test_a_class_without_the_memory_answers_with_an_error(probe, rich):
    base = probe.emitted("fields.RichStatic", rich, (), [])
    probe.set_c_field(base, "ratio", 0.5)
    foreign = probe.foreign_static("fields.ForeignRich", (base,))
    with pytest.raises(AttributeError, match="has no memory for field 'level'"):
        foreign.level
    with pytest.raises(TypeError, match="has no memory"):
        probe.raw(foreign)
    assert type("Sub", (foreign,), {}).ratio == 0.5


# ------------------------------------------------------------------------ descriptions --

@pytest.mark.parametrize("rows, error", [
    ([(None, 0, 8, -1, 0, 0)], "it has no name"),
    ([("f", -8, 8, -1, 0, 0)], "covers bytes"),
    ([("f", 0, 800, -1, 0, 0)], "covers bytes"),
    ([("f", 0, 0, -1, 0, 0)], "covers bytes"),
    ([("f", 0, 8, 99, 0, 0)], "its type is unknown"),
    ([("f", 0, 8, 1, 0, 0)], "its size is not that of its type"),
    ([("f", 4, 8, 16, 0, 0)], "an OBJECT must be aligned"),
    ([("f", 0, 8, -1, 0, 1)], "expected all of create, copy, move and destroy"),
    ([("f", 0, 8, 16, 0, 7)], "expected all of create, copy, move and destroy"),
    ([("f", 0, 8, -1, 1, 0)], "without to_object"),
    ([("f", 0, 8, -1, 2, 0)], "without to_object"),
    ([("f", 0, 8, -1, 0, 0), ("g", 4, 8, -1, 0, 0)], "'f' and 'g' .* overlap"),
    ([("f", 8, 8, -1, 0, 0), ("g", 8, 8, -1, 0, 0)], "overlap"),
], ids=lambda x: x if isinstance(x, str) else "")
def test_a_description_that_cannot_be_right_is_refused(probe, rows, error):
    if sys.maxsize < 2**32:
        pytest.skip("the sizes in this test are those of 64-bit builds")
    metaclass = probe.undescribed_metaclass()
    start = metaclass.__base__.__basicsize__
    rows = [(name, start + offset, *rest) for name, offset, *rest in rows]
    with pytest.raises(ValueError, match=error):
        probe.describe(metaclass, rows)
    probe.describe(metaclass, [("f", start, 8, 16, 3, 0), ("g", start + 16, 8, -1, 0, 7)])
    cls = metaclass("Cls", (), {"f": "x"})
    assert cls.f == "x" and type("Sub", (cls,), {}).f == "x"


def test_a_flag_that_is_not_known_is_refused(probe):
    metaclass = probe.undescribed_metaclass()
    start = metaclass.__base__.__basicsize__
    for flags in 8, 1 << 31:
        with pytest.raises(NotImplementedError, match=rf"field 0 \('f'\) .* with flags {flags}, .* no flags but 7"):
            probe.describe(metaclass, [("f", start, 1, 9, flags, 0)])
    probe.describe(metaclass, [("f", start, 1, 9, 3, 0)])


def test_a_conversion_may_run_python_code_that_changes_the_class(probe, base):
    """It works on a copy, without the lock that changes are made under."""
    child = type(base)("Child", (base,), {"watched": 5})

    def convert(number):
        child.watched, child.box, child.level = number + 1, 7, 8
        child.label = "once"
        del child.label
        child.__bases__ = (type(base)("Other", (base,), {}),)
        return -number

    probe.set_converter(convert)
    try:
        assert child.watched == -5
        assert child.watched == -6
    finally:
        probe.set_converter(None)
    assert (child.watched, child.box, child.level) == (7, 7, 8)


def test_nobodys_value_reaches_classes_below_one_that_lost_its_source(probe, base):
    """Copies of values with hooks are made before the class between gets the default."""
    plain = probe.import_metaclass()("Plain", base.__bases__, {})
    source = type(base)("Source", base.__bases__, {"box": 9, "label": "x", "level": 3})
    between = type(base)("Between", (source,), {})
    below = type(base)("Below", (between,), {})
    nobodys = type(base)("Nobodys", base.__bases__, {})
    assert probe.raw(below)[3] == 9
    between.__bases__ = (plain,)
    assert [probe.raw(cls) for cls in (between, below)] == [probe.raw(nobodys)] * 2
