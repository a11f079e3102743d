# SPDX-License-Identifier: MIT
"""Every allocation may fail: then there is a MemoryError, and nothing has changed."""
import os
import sys
import textwrap

import pytest
import support

PROLOGUE = """
import gc, sys
from failing import LIMIT, attempts, in_processes
from probe import *
A, B, C, D = 257, 513, 769, 1025

def each_failure(prepare, act, done):
    '''Repeats act() on a fresh prepare() with every failure.

    It must leave the picture of the state unchanged; in the end done() must hold.
    '''
    for attempt in attempts(call_failing):
        state = prepare()
        before = picture(state)
        result = attempt(lambda: act(state))
        if attempt.failed:
            assert result in errors, result
            gc.collect()              # a half-made class goes away
            assert picture(state) == before, (attempt, before, picture(state))
            result = act(state)                       # and it can be done afterwards
        done(state, result)
    gc.collect()

errors = [MemoryError]

def picture(classes):
    return [(address(c), table_type(c), c.__mro__, c.__bases__, state(c),
             [s for s in type.__subclasses__(c)])
            for c in classes if isinstance(c, type)]

E = import_metaclass()
NumberMeta, RealMeta, OtherMeta = metaclasses()
def provider(*slots, metaclass=E, bases=()):
    cls = metaclass("Provider", bases, {})
    set_slots(cls, list(slots))
    return cls
"""


#: What it needs.
MODULES = [support.TESTS / "hostile" / "failing.py", support.probe_path()]


def check(code):
    if not support.TYPE_SURVIVES_NO_MEMORY:
        pytest.skip("type() itself corrupts the heap of this CPython when memory runs out")
    support.check_child(PROLOGUE + textwrap.dedent(code), modules=MODULES)


@pytest.mark.parametrize("way", [
    "type(s[0])('Cls', (s[0],), {})", "type('Cls', (s[0],), {})",
    "type(s[0])('Cls', (s[0], s[1]), {})", "type('Cls', (s[0], s[1]), {})",
    "type.__new__(type(s[0]), 'Cls', (s[0], s[1]), {})", "Combined('Cls', (s[1], s[0]), {})",
], ids=["metaclass", "type", "metaclass, two bases", "type, two bases", "type.__new__",
        "combined"])
@pytest.mark.parametrize("metaclass", ["E", "NumberMeta"])
def test_making_a_class_with_every_failure(way, metaclass):
    check(f"""
        class Python(type): pass          # ABCMeta itself crashes without memory
        class Combined(Python, {metaclass}): pass
        def prepare():
            gc.collect()
            return [provider((A, 1), metaclass={metaclass}),
                    provider((B, 2), metaclass={metaclass})]
        def done(s, cls):
            expected = {{A: 1}} if len(cls.__bases__) == 1 else {{A: 1, B: 2}}
            finish(cls)                   # type.__new__() runs no hook of ours at its end
            assert dict(table_type(cls)) == expected, table_type(cls)
            sub = type("Sub", (cls,), {{}})
            assert dict(table_type(sub)) == expected and state(sub) == "ready"
        each_failure(prepare, lambda s: {way}, done)
        """)


def test_class_whose_init_subclass_looks_with_every_failure():
    check("""
        def prepare():
            class Base(metaclass=E):
                def __init_subclass__(cls):
                    assert find_type(cls, A) == 1
            set_slots(Base, [(A, 1)])
            return [Base, provider((B, 2))]
        def done(s, cls): assert dict(table_type(cls)) == {A: 1, B: 2}
        each_failure(prepare, lambda s: E("Cls", tuple(s), {}), done)
        """)


def test_assigning_bases_with_every_failure():
    """type's own setter is not safe: without memory it forgets to set an exception here
    and there, and leaves any class half-way between its bases.  What is ours stays whole:
    nothing changes before that setter runs, and tables follow the MROs it leaves."""
    check("""
        def family(make):
            one, two = make((), (A, 1), (B, 1)), make((), (C, 2), (D, 2))
            child = make((one,), (B, 5))
            return [one, two, child, type("Leaf", (child,), {})]
        def act(s): s[2].__bases__ = (s[1], s[0])
        def allocations(make):
            s = family(make)
            assert call_failing(lambda: act(s), LIMIT, True) == (None, False)
            return allocations_seen()

        plain = lambda bases, *slots: type("Plain", bases, {})
        ours = lambda bases, *slots: provider(*slots, bases=bases)
        total = allocations(ours)
        before_the_setter = total - allocations(plain)
        assert before_the_setter > 3
        own = [{A: 1, B: 1}, {C: 2, D: 2}, {B: 5}, {}]
        def merged(s, c):
            slots = {}
            for base in reversed(c.__mro__[:-1]): slots.update(own[s.index(base)])
            return slots
        # On debug builds type's setter aborts the process, with plain classes, too.
        for n in range(before_the_setter if hasattr(sys, "gettotalrefcount") else total):
            for forever in False, True:
                s = family(ours)
                before = picture(s)
                result, reached = call_failing(lambda: act(s), n, forever)
                gc.collect()
                assert reached or result is None, (n, forever, result)
                if result is None:              # it could do without
                    assert s[2].__bases__ == (s[1], s[0]), (n, forever)
                elif n < before_the_setter:
                    assert result is MemoryError, (n, forever, result)
                    assert picture(s) == before, (n, forever, result)
                else:
                    assert result in (MemoryError, SystemError), (n, forever, result)
                for c in s:
                    assert dict(table_type(c)) == merged(s, c), (n, forever, c.__mro__)
        s = family(ours)
        act(s)
        assert dict(table_type(s[3])) == {A: 1, B: 5, C: 2, D: 2}
        """)


@pytest.mark.skipif(support.DEBUG_BUILD and sys.version_info >= (3, 14), reason="type's own setter goes on if it "
                    "cannot note a subclass, and asserts that there is no exception: of plain classes, too")
def test_a_class_made_during_an_assignment_of_bases_follows_it_with_every_failure():
    """It is made when mro() of its base is asked, before the setter stores what that says."""
    check("""
        class Meta(E):
            within = None
            def mro(cls):
                if cls.__name__ == "Child" and Meta.within is not None:
                    within, Meta.within = Meta.within, None
                    within()
                return super().mro()

        for attempt in attempts(call_failing):
            one, two = provider((A, 1), metaclass=Meta), provider((A, 2), (B, 2), metaclass=Meta)
            child, made = Meta("Child", (one,), {}), []
            Meta.within = lambda: made.append(Meta("Late", (child,), {}))
            attempt(lambda: setattr(child, "__bases__", (two,)))
            if attempt.forever: continue                        # it may have been too late to say so
            for cls in child, *made:
                assert dict(table_type(cls)) == ({A: 2, B: 2} if two in cls.__mro__ else {A: 1}), (attempt, cls)
    """)


@pytest.mark.parametrize("slots", ["[(A, 7), (C, 8)]", "[(A, 7), (C, 8)] + [(D + 2 * i, i) for i in range(100)]"],
                         ids=["few", "many, with an index"])
def test_setting_slots_with_every_failure(slots):
    check(f"""
        def prepare():
            one = provider((A, 1))
            child = provider((B, 5), bases=(one,))
            return [one, child, type("Leaf", (child,), {{}})]
        slots = {slots}
        def done(s, result):
            assert dict(table_type(s[2])) == {{B: 5, **dict(slots)}}
            assert [find_type(s[2], n) for n, _ in slots] == [n for _, n in slots] and find_type(s[0], B) is None
        each_failure(prepare, lambda s: set_slots(s[0], slots), done)
        """)


def test_readying_a_static_type_with_every_failure():
    """PyType_Ready() itself leaves things behind when it fails; the type's five words,
    the array and the base's table must be as they were, and a retry must do."""
    check("""
        base = draft_ready(draft("r.Base", (), [(A, 1)], 4, None), 4)
        size = constants()["type_size"]; word = constants()["slot_size"] // 2
        for attempt in attempts(call_failing, least=4):
            number = draft("r.Sub", (base,), [(B, 2)], 4, None)
            words = lambda: draft_bytes(number)[size - 4 * word:]
            before, array, table = words(), draft_array(number, 4), address(base)
            result = attempt(lambda: draft_ready(number, 4))
            if result is MemoryError:
                assert words() == before and draft_array(number, 4) == array
                assert address(base) == table
                gc.collect()
            else:
                assert table_type(result) == [(A, 1), (B, 2)], result
        gc.collect()
        """)


@pytest.mark.parametrize("several", [False, True], ids=["one base", "two bases"])
def test_generated_static_type_with_every_failure(several):
    check(f"""
        def prepare():
            bases = (emitted("g.Base", NumberMeta, (), [(A, 1)]),)
            if {several}: bases += (provider((C, 3), metaclass=NumberMeta),)
            return bases
        def done(s, cls):
            assert dict(table_type(cls)) == {{A: 1, B: 2, **({{C: 3}} if {several} else {{}})}}
        # A half-made static type may stay among the subclasses of its base; tables may not.
        picture = lambda s: [(address(c), table_type(c)) for c in s]
        each_failure(prepare, lambda s: emitted("g.Sub", None, s, [(B, 2)]), done)
        """)


FIELDS = """
        RichMeta = rich_metaclasses()[0]
        def family():
            base = RichMeta("Base", (), {"level": 1, "label": [1], "motto": b"uno", "box": 11})
            child = type("Child", (base,), {})
            return [base, child, type("Leaf", (child,), {"box": 12})]
        def picture(s): return [(raw(c), c.__bases__, type.__subclasses__(c)) for c in s]
"""


@pytest.mark.parametrize("act, seen", [
    ("RichMeta('Cls', (s[0],), {'level': 2, 'label': 'two', 'box': 22}, motto=b'due')",
     "raw(result)[:4] == (2, 'two', b'due', 22)"),
    ("type('Cls', (s[0],), {'level': 2, 'label': 'two', 'box': 22, 'motto': b'due'})",
     "raw(result)[:4] == (2, 'two', b'due', 22)"),
    ("RichMeta('Cls', (s[2], RichMeta('Other', (), {'level': 7})), {'label': 3})",
     "raw(result)[:4] == (1, 3, b'uno', 12)"),
    ("setattr(s[0], 'label', 'new')", "raw(s[2])[1] == 'new'"),
    ("setattr(s[0], 'box', 33)", "raw(s[1])[3] == 33 and raw(s[2])[3] == 12"),
    ("setattr(s[0], 'motto', b'due')", "raw(s[2])[2] == b'due'"),
    ("delattr(s[2], 'box')", "raw(s[2])[3] == 11"),
], ids=["keywords and body", "body", "two bases", "object", "hooks", "pointer", "delete"])
def test_setting_fields_with_every_failure(act, seen):
    check(FIELDS + f"""
        def act(s): return {act}
        def done(s, result): assert {seen}, (raw(s[0]), raw(s[2]), result)
        each_failure(family, act, done)
        gc.collect()
        # Every class has one, and so have the defaults.  (CPython itself loses a class with
        # a metaclass in one place of type() where memory can run out.)
        classes = sum(isinstance(o, RichMeta) for o in gc.get_objects())
        assert alive_boxes() == 1 + classes, (alive_boxes(), classes)
        """)


HIDDEN = """
        HiddenMeta = hidden_metaclass()
        HiddenMeta("First", (), {})
        NOTE = ["note"]
        def family():
            base = HiddenMeta("Base", (), {})
            child = type("Child", (base,), {"motto": b"its"})
            set_hidden(child, NOTE, 12)
            return [base, child]
        def picture(s): return [(hidden(c), c.__bases__, type.__subclasses__(c)) for c in s]
        def blank(s): return HiddenMeta("Blank", (s[0],), {})
"""


@pytest.mark.parametrize("act", [
    "HiddenMeta('Cls', (s[0],), dict(vars(s[1])))", "type('Cls', (s[0],), dict(vars(s[1])))",
    "dir(s[1]) and vars(s[1]) and s[1]"], ids=["metaclass", "type", "looking"])
def test_making_a_class_again_with_every_failure(act):
    """The class has values that C code set, so a copy is refused, and leaves nothing behind."""
    check(HIDDEN + f"""
        def act(s):
            try: return {act}
            except TypeError as error:      # before 3.11 it may have no text, for want of memory
                assert not error.args or "found that C code set field 'note'" in str(error), error
                return s[1]
        def done(s, result): assert hidden(result) == (NOTE, 12, b"its"), hidden(result)
        each_failure(family, act, done)
        gc.collect()
        classes = sum(isinstance(o, HiddenMeta) for o in gc.get_objects())
        assert alive_boxes() == 1 + classes, (alive_boxes(), classes)
        """)


def test_describing_fields_with_every_failure():
    """The metaclass has the entries that it had, and no value of a default is left behind."""
    check("""
        START, WORD, made = E.__basicsize__, tuple.__itemsize__, []
        ROWS = [("number", START, WORD, 19, 3, 0), ("box", START + WORD, WORD, -1, 0, 7),
                ("thing", START + 2 * WORD, WORD, 16, 3, 0)]
        def prepare():
            metaclass = undescribed_metaclass()
            gc.get_referents(vars(metaclass))[0]["number"] = "former"
            return [metaclass]
        def picture(s): return dict(vars(s[0]))
        def done(s, result):
            made.append(s)
            cls = s[0]("Cls", (), {"number": 3, "thing": made})
            assert type("Sub", (cls,), {}).number == 3 and cls.thing is made
        each_failure(prepare, lambda s: describe(s[0], ROWS), done)
        gc.collect()
        assert alive_boxes() == len(made), (alive_boxes(), len(made))
        """)


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork() for a fresh process for each failure")
def test_first_import_with_every_failure():
    """Also the creation of the metaclass: a failure leaves no half of it."""
    if not support.setdefault_survives_no_memory():
        pytest.skip("dict.setdefault() of this CPython corrupts the dictionary when memory runs out")
    support.check_child("""
        import gc
        from failing import in_processes
        from probe import *

        def work(attempt):
            result = attempt(import_metaclass)
            assert not attempt.failed or result is MemoryError, result
            gc.collect()
            E = import_metaclass()
            assert attempt.failed or E is result
            base = E("Base", (), {}); set_slots(base, [(257, 1)])
            assert find_type(type("Sub", (base,), {}), 257) == 1
            import pickle
            assert pickle.loads(pickle.dumps(E)) is E and E.__module__ == "_extensibletype"
        in_processes(call_failing, work, least=31)
        """, modules=MODULES)


def test_first_interning_with_every_failure():
    support.check_child("""
        from failing import attempts
        from probe import *
        failures = 0
        for attempt in attempts(call_failing, least=0):
            result = attempt(lambda: intern(b"x"))
            failures += attempt.failed
            assert result is MemoryError or result == intern(b"x")
        assert failures > 0 and intern(b"x") == intern(b"x") != intern(b"y")
        """, modules=MODULES)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="before CPython 3.12 such a class has no slots")
def test_subclass_from_a_spec_with_every_failure():
    check("""
        errors.append(SystemError)        # PyType_FromSpec() forgets an exception in one place
        def prepare(): return [provider((A, 1)), provider((B, 2))]
        def act(s):
            cls = from_spec("x.Spec", (s[0], s[1]), None)
            finish(cls)
            return cls
        def done(s, cls): assert dict(table_type(cls)) == {A: 1, B: 2}
        each_failure(prepare, act, done)
        """)


@pytest.mark.thorough
def test_combining_metaclasses_with_every_failure():
    """What was made on the way to a combination that failed is used by the next attempt."""
    check("""
        from cython_customslots.provider import _combine
        def metaclasses(): return [type(name, (type,), {}) for name in "CAB"] + [NumberMeta]
        for attempt in attempts(call_failing, least=51, step=2):        # every second one, of two thousand
            some = tuple(metaclasses())
            result = attempt(lambda: _combine(some))
            made = _combine(some)
            assert result is (MemoryError if attempt.failed else made), result
            assert [m.__name__ for m in made.__mro__ if m in some] == [
                "A", "B", "C", NumberMeta.__name__], made.__mro__
            assert made is _combine(some[::-1]) and issubclass(made, _combine(some[1:]))
            assert type(made("Class", (), {})) is made
        """)


def test_a_class_of_several_bases_with_attributes_with_every_failure():
    """Providers without instance attributes below one, and a class with some below one of them."""
    check("""
        def prepare():
            root = emitted("Root", NumberMeta, (), [], 1)
            one, two = (emitted(name, NumberMeta, (root,), []) for name in ("One", "Two"))
            sub = type("Sub", (one,), {"__slots__": ("a",)})
            return [one, two, sub, type("Below", (sub,), {"__slots__": ("b",)})]
        def act(s): return NumberMeta("Both", (s[3], s[1]), {"__slots__": ("c",)})
        def done(s, cls):
            assert cls.__mro__ == (cls, s[3], s[2], s[0], s[1], s[0].__base__, object)
            for base in *s, cls:
                class More(base): __slots__ = ("more",)
                class Last(More): pass
                obj = Last()
                obj.me = obj.more = obj
        each_failure(prepare, act, done)
        """)


def test_slots_with_names_with_every_failure():
    """The names are not checked by who makes the type: the first and all later ones of a process."""
    if not support.TYPE_SURVIVES_NO_MEMORY:
        pytest.skip("type() itself corrupts the heap of this CPython when memory runs out")
    named = support.build_c("named", support.TESTS / "core" / "named_module.c")
    # Where CPython itself would crash in the creation of the metaclass, that is done before.
    first = "" if support.setdefault_survives_no_memory() else "import_metaclass()"
    support.check_child(f"""
        import named
        from failing import attempts
        from probe import *
        {first}
        # PyType_FromSpec() forgets an exception in one place
        errors = {{MemoryError: 0, SystemError: 0}}
        for attempt in attempts(call_failing):
            names = f"named.{{attempt!r}}", "named.b"
            result = attempt(lambda: named.from_spec(*names))
            if result in errors: errors[result] += 1
            else: assert [i for i, _ in table_type(result)] == [intern(t.encode()) for t in names]
            result = None
        assert errors[MemoryError] > 20, errors
        """, modules=[*MODULES, named])
