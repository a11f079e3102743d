# SPDX-License-Identifier: MIT
"""Random programs that make, change and drop classes, against a model in Python.

The model of a class is what it declared itself; everything else follows from the MRO
that Python reports.  After each step every living class is compared with the model,
also after a step that was refused: a refusal changes nothing.
"""
import gc
import itertools
import os
import types
import weakref

import support
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support import EMPTY, SKIP, slot_id

IDS = [slot_id(1000 + i) for i in range(6)]
SLOTS = st.dictionaries(st.sampled_from(IDS), st.integers(1, 99), max_size=4)
PADDING = st.integers(0, 2)
CHOICE = st.integers(0, 10 ** 6)

#: The ways in which a class can come to be; each gets (metaclass, name, bases).
WAYS = [
    lambda meta, name, bases: meta(name, bases, {}),
    lambda meta, name, bases: type(name, bases, {}),
    lambda meta, name, bases: types.new_class(name, bases),
    # Skips the metaclass's tp_init, too: the slots of a second base may be missing then
    # (a documented limit), so it gets one.
    lambda meta, name, bases: type.__new__(meta, name, bases[:1], {}),
    lambda meta, name, bases: meta(name, bases, {"__slots__": ()}),
]


class Classes(RuleBasedStateMachine):

    @initialize()
    def start(self):
        gc.collect()
        gc.freeze()                         # so that collecting is quick from here on
        self.probe = support.probe()
        self.root = self.probe.import_metaclass()
        self.number_meta = self.probe.metaclasses()[0]
        self.numbers = itertools.count()
        self.alive = []                     # the classes that the program holds
        # Both for all classes that there are, those in somebody's MRO only included:
        self.own = weakref.WeakKeyDictionary()        # -> {id: data} that it declared
        self.capacity = weakref.WeakKeyDictionary()   # -> entries in memory, last seen
        # Instances of all of them have the same layout, so that bases can be assigned.
        layout = type("Layout", (), {"__slots__": ("__dict__", "__weakref__")})
        self.plain = [type(f"Plain{i}", (layout,), {"__slots__": ()}) for i in range(2)]
        self.add(self.root, WAYS[0], (layout,), {}, 0)

    def add(self, meta, way, bases, slots, padding):
        cls = way(meta, f"C{next(self.numbers)}", bases)
        if isinstance(cls, self.root):
            self.alive.append(cls)
            self.own[cls] = {}
            if slots:
                self.declare(cls, slots, padding)
        return cls

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

    @rule(way=st.sampled_from(WAYS), choices=st.lists(CHOICE, min_size=1, max_size=3),
          plain=st.none() | st.integers(0, 1), slots=SLOTS, padding=PADDING,
          with_fields=st.booleans())
    def make_a_class(self, way, choices, plain, slots, padding, with_fields):
        if len(self.alive) > 14:
            return
        bases = self.bases(choices, plain)
        meta = self.number_meta if with_fields else self.root
        try:
            self.add(meta, way, bases, slots, padding)
        except TypeError:                   # no consistent MRO, or a duplicate base
            pass

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

    @rule(choice=CHOICE, choices=st.lists(CHOICE, min_size=1, max_size=3),
          plain=st.none() | st.integers(0, 1))
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
    def inherited_slots_keep_the_position_they_have_in_the_base(self):
        for cls in getattr(self, "alive", ()):
            if isinstance(cls.__base__, self.root):
                for i in self.seen(cls.__base__):
                    assert (self.probe.find_position(cls, i)
                            == self.probe.find_position(cls.__base__, i))

    @invariant()
    def tables_never_get_shorter_in_memory(self):
        for cls in getattr(self, "alive", ()):
            capacity = self.probe.capacity(cls)
            if self.probe.state(cls) == "ready":
                assert capacity >= self.capacity.get(cls, 0)
                self.capacity[cls] = capacity


#: Programs of 80 steps; 250 of them are 20,000 steps.
PROGRAMS = int(os.environ.get("CUSTOMSLOTS_TEST_PROGRAMS", "250"))

Classes.TestCase.settings = settings(
    max_examples=PROGRAMS, stateful_step_count=80, deadline=None, derandomize=True,
    suppress_health_check=list(HealthCheck),
    # A failure is shown as it was found: shrinking programs of this kind takes minutes.
    phases=(Phase.explicit, Phase.reuse, Phase.generate))
test_classes_agree_with_the_model_after_every_step = Classes.TestCase
