# SPDX-License-Identifier: MIT
"""Random programs that make, change and drop classes in C, Cython and Python, against a
model in Python.

The model of a class is what it declared itself: slots and C fields; everything else
follows from the MRO that Python reports.  After each step every living class is compared
with the model, also after a step that was refused: a refusal changes nothing.
"""
import contextlib
import functools
import gc
import itertools
import os
import types
import weakref
from unittest import mock

import pytest
import support
from cython_customslots import provider
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support import EMPTY, SKIP, slot_id

IDS = [slot_id(1000 + i) for i in range(6)]
SLOTS = st.dictionaries(st.sampled_from(IDS), st.integers(1, 99), max_size=4)
PADDING = st.integers(0, 2)
CHOICE = st.integers(0, 10 ** 6)

#: C fields by name, as Python sets them; what a class has that nobody gave a value.
NEUTRAL = {"level": 0, "label": None, "box": -1}
FIELDS = st.fixed_dictionaries({}, optional={
    "level": st.integers(0, 3), "label": st.sampled_from(["a", "b", ("c",)]),
    "box": st.integers(0, 3)})
BAD_FIELDS = st.sampled_from([{"level": "x"}, {"level": 2 ** 40}, {"box": None}, {"label": "fine", "box": "x"}])

#: The ways in which a class can come to be; each gets (machine, metaclass, name, bases,
#: values of fields for the class body).
WAYS = {
    "metaclass": lambda m, meta, name, bases, body: meta(name, bases, body),
    "keywords": lambda m, meta, name, bases, body: meta(name, bases, {}, **body),
    "type": lambda m, meta, name, bases, body: type(name, bases, body),
    "new_class": lambda m, meta, name, bases, body: types.new_class(
        name, bases, {}, lambda ns: ns.update(body)),
    "slots": lambda m, meta, name, bases, body: meta(name, bases, {"__slots__": (), **body}),
    "Cython": lambda m, meta, name, bases, body: m.cython.make_class(meta, bases, body, {}),
    "Cython, keywords": lambda m, meta, name, bases, body: m.cython.make_class(
        meta, bases, {}, body),
    # type.__new__ skips the metaclass's tp_init, too: fields hold defaults until somebody
    # finishes the class (a documented limit), as happens here.
    "type.__new__": lambda m, meta, name, bases, body: m.finished(
        type.__new__(meta, name, bases, {})),
    "C": lambda m, meta, name, bases, body: m.fromspec.make(bases, False, None, (), False),
    # As dataclass(slots=True) makes a class anew.
    "again": lambda m, meta, name, bases, body: again(meta(name, bases, body)),
}
#: Those that read what the class body says about fields.
READING = set(WAYS) - {"type.__new__", "C"}


def again(cls):
    return type(cls)(cls.__name__, cls.__bases__, dict(vars(cls)))


def reordering(metaclass):
    """A metaclass with an MRO of its own: what comes next comes last, in front of object."""
    class Reordering(metaclass):
        def mro(cls):
            first, *rest = super().mro()
            if not cls.__name__.endswith("3"):
                return [first, *rest]
            ours = [base for base in rest if isinstance(base, metaclass)]
            return [first, *ours[1:], *ours[:1], *(base for base in rest if base not in ours)]
    return Reordering


class Classes(RuleBasedStateMachine):

    @initialize()
    def start(self):
        gc.collect()
        gc.freeze()                         # so that collecting is quick from here on
        self.probe = support.probe()
        self.root = self.probe.import_metaclass()
        self.number_meta = self.probe.metaclasses()[0]
        self.rich_meta = self.probe.rich_metaclasses()[0]
        self.mro_meta = reordering(self.rich_meta)
        self.neutral = dict(NEUTRAL)
        for name, value in NEUTRAL.items():
            provider.set_field(self.rich_meta, name, value)
        self.cython = cython_module()
        self.fromspec = support.load(support.build_c("fromspec", support.TESTS / "core" / "fromspec_module.c"))
        self.numbers = itertools.count()
        self.alive = []                     # the classes that the program holds
        # Both for all classes that there are, those in somebody's MRO only included:
        self.own = weakref.WeakKeyDictionary()        # -> {id: data} that it declared
        self.fields = weakref.WeakKeyDictionary()     # -> {name: value} likewise
        self.capacity = weakref.WeakKeyDictionary()   # -> entries in memory, last seen
        # Instances of all of them have the same layout, so that bases can be assigned.
        layout = type("Layout", (), {"__slots__": ("__dict__", "__weakref__")})
        self.plain = [type(f"Plain{i}", (layout,), {"__slots__": ()}) for i in range(2)]
        self.add(self.root, "metaclass", (layout,), {}, 0, {})
        self.add(self.rich_meta, "metaclass", (layout,), {}, 0, {"level": 1, "box": 1})

    def add(self, meta, way, bases, slots, padding, body):
        cls = WAYS[way](self, meta, f"C{next(self.numbers)}", bases, body)
        if isinstance(cls, self.root):
            self.alive.append(cls)
            self.own[cls] = {}
            # Without the metaclass's fields the names are ordinary class attributes.
            self.fields[cls] = dict(body) if way in READING and self.is_rich(cls) else {}
            if slots:
                self.declare(cls, slots, padding)
        return cls

    def finished(self, cls):
        self.probe.finish(cls)
        return cls

    def is_rich(self, cls):
        return isinstance(cls, self.rich_meta)

    def declare(self, cls, slots, padding):
        self.probe.set_slots(cls, [(SKIP, 0)] * padding + list(slots.items()))
        self.own[cls] = dict(slots)

    def pick(self, choice):
        return self.alive[choice % len(self.alive)]

    def bases(self, choices, plain):
        chosen = [self.pick(choice) for choice in choices]
        if plain is not None:
            chosen.append(self.plain[plain])
        return tuple(dict.fromkeys(chosen))

    # ------------------------------------------------------------------- the steps

    @rule(way=st.sampled_from(sorted(WAYS)), choices=st.lists(CHOICE, min_size=1, max_size=3),
          plain=st.none() | st.integers(0, 1), slots=SLOTS, padding=PADDING,
          meta=st.sampled_from(["root", "number_meta", "rich_meta", "mro_meta"]), body=FIELDS)
    def make_a_class(self, way, choices, plain, slots, padding, meta, body):
        if len(self.alive) > 14:
            return
        bases, meta = self.bases(choices, plain), getattr(self, meta)
        if not any(issubclass(type_, self.rich_meta) for type_ in (meta, *map(type, bases))):
            body = {}                       # keywords that nobody takes
        try:
            self.add(meta, way, bases, slots, padding, body)
        except TypeError:                   # no consistent MRO, or a duplicate base
            pass

    @rule(way=st.sampled_from(sorted(READING)), choice=CHOICE, body=BAD_FIELDS)
    def make_a_class_with_a_bad_field(self, way, choice, body):
        base = self.pick(choice)
        if not self.is_rich(base):
            return
        before = set(type.__subclasses__(base))
        try:
            WAYS[way](self, self.rich_meta, "Bad", (base,), body)
        except (TypeError, OverflowError):
            gc.collect()
            assert set(type.__subclasses__(base)) == before
        else:
            raise AssertionError(f"{body} was taken")

    @rule(choice=CHOICE, values=FIELDS)
    def set_fields(self, choice, values):
        cls = self.pick(choice)
        if self.is_rich(cls):
            for name, value in values.items():
                setattr(cls, name, value)
                self.fields[cls][name] = value

    @rule(choice=CHOICE, name=st.sampled_from(sorted(NEUTRAL)))
    def delete_a_field(self, choice, name):
        cls = self.pick(choice)
        if not self.is_rich(cls):
            return
        try:
            delattr(cls, name)
        except AttributeError:
            assert name not in self.fields[cls]
        else:
            del self.fields[cls][name]

    @rule(choice=CHOICE, level=st.integers(4, 9), label=st.sampled_from("cd"))
    def let_c_code_write_fields(self, choice, level, label):
        """Into a class without subclasses, since those that are there do not follow."""
        cls = self.pick(choice)
        if type.__subclasses__(cls):
            return
        for name, value, write in (("level", level, "write_level"), ("label", label, "write_label")):
            if self.is_rich(cls) and name not in self.fields[cls] and getattr(cls, name) != value:
                getattr(self.probe, write)(cls, value)
                self.fields[cls][name] = value

    @rule(values=FIELDS)
    def set_defaults(self, values):
        for name, value in values.items():
            provider.set_field(self.rich_meta, name, value)
            self.neutral[name] = value

    @rule(choice=CHOICE, values=FIELDS)
    def patch_fields_for_a_moment(self, choice, values):
        cls = self.pick(choice)
        if self.is_rich(cls):
            with mock.patch.multiple(cls, **values) if values else contextlib.nullcontext():
                assert all(getattr(cls, name) == value for name, value in values.items())

    @rule(choices=st.lists(CHOICE, min_size=1, max_size=3))
    def look_into_an_unfinished_class(self, choices):
        bases = self.bases(choices, None)
        try:
            cls = type.__new__(self.mro_meta, "Unfinished3", bases, {})
        except TypeError:                   # no consistent MRO, or another metaclass
            return
        expected = self.expected(cls)
        assert {i: self.probe.find_type(cls, i) for i in IDS} == {i: expected.get(i) for i in IDS}
        self.probe.finish(cls)
        assert self.seen(cls) == expected

    @rule(choice=CHOICE, values=BAD_FIELDS)
    def set_bad_fields(self, choice, values):
        cls = self.pick(choice)
        if self.is_rich(cls):
            name, value = list(values.items())[-1]
            try:
                setattr(cls, name, value)
            except (TypeError, OverflowError):
                return
            raise AssertionError(f"{name}={value!r} was taken")

    @rule(choice=CHOICE, other=CHOICE, n=st.integers(0, 3), act=st.sampled_from(["set", "make", "rebase"]))
    def let_a_copy_fail(self, choice, other, n, act):
        """Whatever needs the copy fails with it, or it was not needed."""
        cls, bases = self.pick(choice), (self.pick(other),)
        before, alive = cls.__bases__, len(self.alive)
        self.probe.fail_copies(n)
        try:
            if act == "set" and self.is_rich(cls):
                cls.box = 9
                self.fields[cls]["box"] = 9
            elif act == "make" and alive <= 14:
                self.add(self.root, "metaclass", bases, {}, 0, {})
            elif act == "rebase":
                cls.__bases__ = bases
        except RuntimeError as error:
            assert "cannot be copied" in str(error)
            assert cls.__bases__ == before and len(self.alive) == alive
        except TypeError:
            assert cls.__bases__ == before
        finally:
            self.probe.fail_copies(-1)

    @rule(choice=CHOICE, slots=SLOTS, padding=PADDING)
    def declare_slots(self, choice, slots, padding):
        self.declare(self.pick(choice), slots, padding)

    @rule(choice=CHOICE, slots=SLOTS)
    def declare_a_bad_table(self, choice, slots):
        cls = self.pick(choice)
        for bad in ([(EMPTY, 5)], [(SKIP, 5)], [(IDS[0], 1), (IDS[0], 2)]):
            try:
                self.probe.set_slots(cls, list(slots.items()) + bad)
            except ValueError:
                continue
            raise AssertionError("a bad table was taken")

    @rule(choice=CHOICE, choices=st.lists(CHOICE, min_size=1, max_size=3), plain=st.none() | st.integers(0, 1))
    def assign_bases(self, choice, choices, plain):
        cls, bases = self.pick(choice), self.bases(choices, plain)
        before = cls.__bases__
        try:
            cls.__bases__ = bases
        except TypeError:                   # a cycle, no consistent MRO, another layout
            assert cls.__bases__ == before

    @rule(choice=CHOICE, junk=st.sampled_from([(), (5,), [object], None, (int,), (type,)]))
    def assign_junk_as_bases(self, choice, junk):
        cls = self.pick(choice)
        before = cls.__bases__
        try:
            cls.__bases__ = junk
        except TypeError:
            assert cls.__bases__ == before
        else:
            raise AssertionError(f"{junk!r} was taken as __bases__")

    @precondition(lambda self: len(self.alive) > 3)
    @rule(choice=CHOICE)
    def drop_a_class(self, choice):
        self.alive.remove(self.pick(choice))

    @rule()
    def collect(self):
        gc.collect()

    # ------------------------------------------------------------- what must hold

    def seen(self, cls):
        return {i: d for i, d in self.probe.table_type(cls) if i not in (EMPTY, SKIP)}

    def expected(self, cls):
        slots = {}
        for base in cls.__mro__:
            for i, data in self.own.get(base, {}).items():
                slots.setdefault(i, data)
        return slots

    @invariant()
    def tables_follow_the_mro(self):
        for cls in getattr(self, "alive", ()):
            assert self.seen(cls) == self.expected(cls), cls.__mro__

    @invariant()
    def fields_follow_the_mro(self):
        for cls in getattr(self, "alive", ()):
            if self.is_rich(cls):
                expected = dict(self.neutral)
                for base in reversed(cls.__mro__):
                    expected.update(self.fields.get(base, {}))
                level, label, _, box, _, _ = self.probe.raw(cls)
                assert {"level": level, "label": label, "box": box} == expected, [
                    (base, self.fields.get(base), self.is_rich(base)) for base in cls.__mro__]

    @invariant()
    def the_dict_shows_what_the_class_set_itself(self):
        for cls in getattr(self, "alive", ()):
            if self.is_rich(cls):
                own = vars(cls).get("__customslots_fields__", {})
                assert own == self.fields[cls], cls

    @invariant()
    def inherited_slots_keep_the_position_they_have_in_the_base(self):
        for cls in getattr(self, "alive", ()):
            if isinstance(cls.__base__, self.root):
                for i in self.seen(cls.__base__):
                    assert self.probe.find_position(cls, i) == self.probe.find_position(cls.__base__, i)

    @invariant()
    def tables_never_get_shorter_in_memory(self):
        for cls in getattr(self, "alive", ()):
            capacity = self.probe.capacity(cls)
            if self.probe.state(cls) == "ready":
                assert capacity >= self.capacity.get(cls, 0)
                self.capacity[cls] = capacity


@functools.lru_cache(maxsize=None)
def cython_module():
    path = support.TESTS / "core" / "plain_fields.pyx"
    return support.load(support.build_cython(path, layer=False))


#: Programs of 80 steps; CI runs 2,000 of them each night.
PROGRAMS = int(os.environ.get("CUSTOMSLOTS_TEST_PROGRAMS", "60"))

Classes.TestCase.settings = settings(
    max_examples=PROGRAMS, stateful_step_count=80, deadline=None, derandomize=not support.SEED,
    suppress_health_check=list(HealthCheck),
    # A failure is shown as it was found: shrinking programs of this kind takes minutes.
    phases=(Phase.explicit, Phase.reuse, Phase.generate))
# Classes that cannot die stay among the subclasses of their bases when making them failed.
test_classes_agree_with_the_model_after_every_step = pytest.mark.usefixtures("mortal_classes")(Classes.TestCase)
