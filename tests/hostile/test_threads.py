# SPDX-License-Identifier: MIT
"""Readers take no lock and need no GIL: what they read is always whole."""
import threading
import types

import changing_classes
import pytest
import support
from changing_classes import run_together
from cython_customslots import Slotted, table
from support import A, B, D, slot_id, with_slots

pytestmark = pytest.mark.usefixtures("switch_often")


def test_readers_without_the_gil_see_the_old_or_the_new_table(probe, extensibletype):
    """A is in every table, B always under an ID of its own: never a mixture."""
    one = with_slots(probe, extensibletype("One", (), {}), (A, 1), (B, 1))
    two = with_slots(probe, extensibletype("Two", (), {}), *[(slot_id(500 + i), i) for i in range(30)], (B, 2), (A, 2))
    child = extensibletype("Child", (one,), {})
    leaf = extensibletype("Leaf", (child,), {})
    done = threading.Event()
    # Where all threads have to be stopped for it, an assignment takes a hundred times as long.
    rounds = 1500 if not support.FREE_THREADED else 200 if support.DEBUG_BUILD else 400

    def write():
        try:
            for i in range(rounds):
                child.__bases__ = (two,) if i % 2 else (one,)
                if i % 10 == 0:
                    probe.set_slots(one, [(B, 1), (A, 1)] if i % 20 else [(A, 1), (B, 1)])
        finally:
            done.set()

    def read():
        while not done.is_set():
            for i in (A, B):
                assert probe.find_without_gil(leaf, i, 2000) == 2000
            assert probe.find_type(leaf, A) in (1, 2)
            assert probe.find_without_gil(leaf, D, 100) == 0

    run_together(write, read, read)
    assert {A, B} <= set(dict(probe.table_type(leaf)))


def test_hint_of_one_thread_is_not_taken_by_another(probe, extensibletype):
    """A class body that waits half-way while another thread makes classes."""
    one = with_slots(probe, extensibletype("One", (), {}), (A, 1))
    two = with_slots(probe, extensibletype("Two", (), {}), (B, 2))
    inside, finished = threading.Event(), threading.Event()
    made = {}

    def slow():
        def members():
            inside.set()
            assert finished.wait(60)
            yield "x"
        made["slow"] = extensibletype("Slow", (one,), {"__slots__": members()})

    def quick():
        try:
            assert inside.wait(60)
            made["quick"] = extensibletype("Quick", (two,), {})
            made["typed"] = type("Typed", (two,), {})
        finally:
            finished.set()

    run_together(slow, quick)
    assert {name: dict(probe.table_type(cls)) for name, cls in made.items()} == {
        "slow": {A: 1}, "quick": {B: 2}, "typed": {B: 2}}


def test_bases_change_while_four_threads_make_a_thousand_classes_below(probe, extensibletype):
    """Each class that comes while the others are looked at is looked at, too: that ends."""
    one = with_slots(probe, extensibletype("One", (), {}), (A, 1))
    two = with_slots(probe, extensibletype("Two", (), {}), (A, 2), (B, 2))
    top = extensibletype("Top", (one,), {})
    made = []

    def make():
        made.extend(type("Sub", (top,), {}) for _ in range(250))

    def change():
        for bases in [(two,), (one,)] * 20 + [(two,)]:
            top.__bases__ = bases

    run_together(make, make, make, make, change)
    whole = [cls for cls in made if changing_classes.Hierarchy.what_is_torn(cls) is None]
    assert len(made) == 1000 and len(whole) > 900
    assert all(dict(probe.table_type(cls)) == {A: 2, B: 2} for cls in whole)


@pytest.mark.parametrize("seed", range(support.SEED, support.SEED + 3))
def test_tables_are_right_after_threads_have_changed_one_hierarchy(probe, extensibletype, seed):
    checked, torn = changing_classes.run(probe, extensibletype, threads=4, steps=250, seed=seed)
    print(f"{checked} classes checked, {len(torn)} torn by CPython")


def test_fields_that_are_words_are_read_without_a_lock_while_threads_replace_them(probe):
    """Whether each store is one, only ThreadSanitizer sees: tsan.sh."""
    changing_classes.read_words(probe, probe.rich_metaclasses()[0], steps=20)


class TestAssignmentsThatOverlap:
    """Two assignments of __bases__ each finish while the other one is inside of mro(), in plain Python."""

    @pytest.fixture
    def classes(self, extensibletype):
        class Meta(Slotted, extensibletype):
            hook = staticmethod(lambda step: None)

            def mro(cls):
                result = super().mro()
                Meta.hook((threading.current_thread().name, cls.__name__))
                return result

        class R(metaclass=Meta):
            pass

        class P(R):
            __customslots__ = {"t.p": 1}

        class Q(R):
            __customslots__ = {"t.q": 2}

        return Meta, R, P, Q

    def run(self, meta, steps, *work):
        """Each function in a thread of its name; `steps`: what happens in mro() of which thread and class."""
        meta.hook = staticmethod(lambda step: steps.pop(step, lambda: None)())
        threads = [threading.Thread(target=function, name=function.__name__) for function in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert not steps and not any(thread.is_alive() for thread in threads)

    def right(self, *classes):
        for cls in classes:
            declared = {data for base in cls.__mro__ for data in vars(base).get("__customslots__", {}).values()}
            assert {data for _, _, data in table(cls)} == declared, cls.__mro__

    def test_a_class_that_is_moved_away_meanwhile_has_the_table_of_its_mro(self, classes):
        meta, _, P, Q = classes
        B = meta("B", (P,), {})
        C = meta("C", (B,), {})
        below, moved, begun = (threading.Event() for _ in range(3))

        def move():
            B.__bases__ = (Q,)
            moved.set()

        def change():
            assert begun.wait(30)
            P.__bases__ = (Q,)

        self.run(meta, {("move", "B"): lambda: (begun.set(), below.wait(30)),
                        ("change", "C"): lambda: (below.set(), moved.wait(30))}, move, change)
        self.right(P, B, C)

    def test_a_class_that_was_below_only_meanwhile_has_the_table_of_its_mro(self, classes):
        """X comes below P when the assignment to P has begun, and goes before it ends; then it stores an MRO in Y."""
        meta, R, P, Q = classes
        B = meta("B", (P,), {})
        X = meta("X", (Q,), {})
        Y = meta("Y", (X,), {})
        below, begun, stored, moved = (threading.Event() for _ in range(4))

        def move():
            assert below.wait(30)
            X.__bases__ = (Q,)
            moved.set()

        def change():
            P.__bases__ = (Q,)

        def come():
            X.__bases__ = (B,)
            steps["change", "Y"] = lambda: (stored.set(), moved.wait(30))
            below.set()
            assert begun.wait(30)

        steps = {("change", "P"): come, ("move", "X"): lambda: (begun.set(), stored.wait(30))}
        self.run(meta, steps, move, change)
        assert Y.__mro__ == (Y, X, Q, *R.__mro__)
        self.right(P, B, X, Y)

    def test_a_class_that_begins_with_a_stale_mro_has_the_table_of_the_next_one(self, classes):
        """M is made below B, which comes below P when the MRO of M is computed already; then the bases of P change."""
        meta, R, P, Q = classes
        B, made = meta("B", (R,), {}), []
        moved, begun, done = (threading.Event() for _ in range(3))

        def make():
            made.append(meta("M", (B,), {}))
            done.set()

        def come():
            B.__bases__ = (P,)
            moved.set()
            assert begun.wait(30)

        def change():
            assert moved.wait(30)
            P.__bases__ = (Q,)

        self.run(meta, {("make", "M"): come, ("change", "P"): lambda: (begun.set(), done.wait(30))}, make, change)
        assert made[0].__mro__ == (made[0], B, P, Q, *R.__mro__)
        self.right(P, B, *made)


@pytest.mark.usefixtures("mortal_classes")
def test_what_readers_may_hold_of_an_unfinished_class_is_kept(probe, extensibletype, collected):
    """A reader may stand between two loads in it: its MRO lives on, until it dies."""
    import weakref

    root = extensibletype("Root", (), {})
    first = with_slots(probe, extensibletype("First", (root,), {}), (A, 1))
    other = with_slots(probe, extensibletype("Other", (root,), {}), (B, 2))
    bare = type.__new__(extensibletype, "Bare", (first,), {})
    normal = extensibletype("Normal", (other,), {})
    assert probe.state(bare) == "unfinished"
    kept, gone = weakref.ref(first), weakref.ref(bare)
    bare.__bases__ = (other,)
    assert dict(probe.table_type(bare)) == {B: 2}
    del first
    collected()
    assert kept() is not None
    replaced = extensibletype("Replaced", (root,), {})
    normal.__bases__, replaced = (replaced,), weakref.ref(replaced)
    normal.__bases__ = (other,)
    collected()
    assert replaced() is None, "nothing is kept for a class that was never exposed"
    del bare
    collected()
    assert gone() is None and kept() is None


@pytest.mark.skipif(not support.FREE_THREADED, reason="about builds without a GIL")
def test_importing_the_modules_does_not_bring_the_gil_back():
    support.check_child("""
        import cython_customslots.inspecting.classes, cython_customslots.provider, probe
        probe.import_metaclass()
        assert not sys._is_gil_enabled()
        """, modules=[support.probe_path()])


def test_classes_of_several_providers_are_made_by_several_threads(probe):
    def make(name, *bases, slots=()):
        return types.new_class(name, bases, exec_body=lambda ns: ns.update(__slots__=slots))

    for number in range(20):
        root = probe.emitted(f"threads.Root{number}", probe.metaclasses()[0], (), [], 1)
        one, two, three = (probe.emitted(f"threads.Sibling{number}{i}", probe.metaclasses()[0], (root,), [])
                           for i in range(3))
        sub = make("Sub", one, slots=("a",))

        def work(first, second):
            for _ in range(5):
                both = make("Both", first, second)
                grown = make("Grown", both, slots=("b",))
                last = make("Last", grown, slots=("c", "__dict__"))()
                last.b = last.c = last.d = last
                assert {first, second} <= set(type(last).__mro__) and type(last).__base__ is grown

        run_together(lambda: work(one, two), lambda: work(two, one), lambda: work(sub, two), lambda: work(three, sub))
        make("All", sub, three, two)()
