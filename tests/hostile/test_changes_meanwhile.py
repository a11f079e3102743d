# SPDX-License-Identifier: MIT
"""Classes change while one is being made or gets other bases: what threads do by chance,
done by one thread on purpose, in mro(), on every build."""
import tracemalloc

import pytest
from support import A, B, C, D, with_slots


@pytest.fixture
def meta(probe):
    """A metaclass with C fields of every kind, whose mro() runs what `inside` holds, once:
    `(name, work)`, for the class of that name."""
    class Meta(probe.rich_metaclasses()[0]):
        inside = None

        def mro(cls):
            if Meta.inside is not None and Meta.inside[0] == cls.__name__:
                work, Meta.inside = Meta.inside[1], None
                work()
            return super().mro()

    return Meta


@pytest.fixture
def root(meta):
    return meta("Root", (), {"level": 1, "label": "one", "motto": b"uno", "box": 11})


def values(probe, cls):
    return probe.raw(cls)[:4]


def set_all(cls, number):
    cls.level, cls.label, cls.box = number, str(number), number * 11
    cls.motto = b"%d" % number


TWO = (2, "2", b"2", 22)


class Refused(Exception):
    pass


def refuse():
    raise Refused


# ------------------------------------------------------------- an assignment that fails --

class TestAnAssignmentThatFails:
    """type's setter has changed the MRO of the child when it asks for the leaf's, and
    changes it back when that fails."""

    @pytest.fixture
    def classes(self, probe, meta, root):
        one = with_slots(probe, meta("One", (root,), {"level": 100}), (A, 1))
        two = with_slots(probe, meta("Two", (root,), {"level": 200, "box": 200}), (A, 2), (B, 2))
        child = meta("Child", (one,), {})
        return one, two, child, meta("Leaf", (child,), {})

    def assign(self, meta, child, base, work):
        def inside():
            assert child.__mro__[1] is base
            work()
            refuse()

        meta.inside = "Leaf", inside
        with pytest.raises(Refused):
            child.__bases__ = (base,)

    def test_leaves_the_tables_of_the_mros_that_are_back(self, probe, meta, classes):
        one, two, child, leaf = classes
        self.assign(meta, child, two, lambda: probe.set_slots(child, [(C, 3)]))
        assert child.__mro__[1] is one
        assert dict(probe.table_type(child)) == dict(probe.table_type(leaf)) == {A: 1, C: 3}

    def test_keeps_slots_that_a_base_got_meanwhile(self, probe, meta, classes):
        one, two, child, leaf = classes
        self.assign(meta, child, two, lambda: probe.set_slots(one, [(A, 5), (C, 5)]))
        assert dict(probe.table_type(child)) == dict(probe.table_type(leaf)) == {A: 5, C: 5}

    def test_lets_fields_follow_that_a_base_got_meanwhile(self, probe, meta, classes):
        one, two, child, leaf = classes
        self.assign(meta, child, two, lambda: set_all(one, 2))
        assert values(probe, child) == values(probe, leaf) == TWO
        set_all(one, 3)
        assert child.level == leaf.level == 3 and child.box == leaf.box == 33

    def test_with_a_copy_that_fails_says_what_the_setter_said(self, probe, meta, classes):
        one, two, child, leaf = classes
        try:
            self.assign(meta, child, two, lambda: (probe.set_slots(child, [(C, 3)]), probe.fail_copies(0)))
        finally:
            probe.fail_copies(-1)
        assert dict(probe.table_type(leaf)) == {A: 1, C: 3} and leaf.box == 11

    def test_because_of_a_copy_leaves_tables_and_fields_of_the_former_bases(self, probe, meta, classes):
        one, two, child, leaf = classes
        meta.inside = "Leaf", lambda: (probe.set_slots(child, [(C, 3)]), set_all(one, 2), probe.fail_copies(0))
        try:
            with pytest.raises(RuntimeError, match="cannot be copied"):
                child.__bases__ = (two,)
        finally:
            probe.fail_copies(-1)
        assert child.__bases__ == (one,)
        assert dict(probe.table_type(child)) == dict(probe.table_type(leaf)) == {A: 1, C: 3}
        assert (child.level, leaf.level) == (2, 2)


# ---------------------------------------------------------------- an assignment of bases --

class TestAnAssignmentMeanwhile:
    @pytest.fixture
    def classes(self, probe, meta, root):
        one = with_slots(probe, meta("One", (root,), {}), (A, 1))
        two = with_slots(probe, meta("Two", (root,), {}), (A, 2), (B, 2))
        return one, two, meta("Child", (one,), {})

    def assign(self, meta, child, base, work):
        meta.inside = "Child", work
        child.__bases__ = (base,)

    def test_keeps_slots_that_are_declared(self, probe, meta, classes):
        one, two, child = classes
        leaf = meta("Leaf", (child,), {})
        self.assign(meta, child, two,
                    lambda: (probe.set_slots(child, [(C, 3)]), probe.set_slots(two, [(B, 4), (D, 4), (A, 4)])))
        wanted = {A: 4, B: 4, C: 3, D: 4}
        assert dict(probe.table_type(child)) == dict(probe.table_type(leaf)) == wanted

    def test_keeps_an_assignment_to_a_subclass(self, probe, meta, classes):
        one, two, child = classes
        leaf = meta("Leaf", (child,), {})
        self.assign(meta, child, two, lambda: setattr(leaf, "__bases__", (one,)))
        assert dict(probe.table_type(child)) == {A: 2, B: 2}
        assert dict(probe.table_type(leaf)) == {A: 1} and leaf.__mro__[1] is one

    def test_is_followed_by_a_class_that_comes_below(self, probe, meta, classes):
        one, two, child = classes
        stray = meta("Stray", (one,), {})
        self.assign(meta, child, two, lambda: setattr(stray, "__bases__", (child,)))
        assert dict(probe.table_type(stray)) == {A: 2, B: 2}

    @pytest.mark.parametrize("times", [1, 200])
    def test_with_others_of_the_same_class_remembers_none_of_them(self, probe, meta, classes, times):
        """Each tells the outer one of all its classes; between threads such lists, when they
        held classes twice, doubled until memory was gone."""
        one, two, child = classes
        leaves = [meta(f"Leaf{i}", (child,), {}) for i in range(50)]
        peak = []

        def rebase():
            tracemalloc.start()
            try:
                for i in range(times):
                    child.__bases__ = (one,) if i % 2 else (two,)
                peak.append(tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()

        self.assign(meta, child, two, rebase)
        assert peak[0] < 80_000, "10,200 reports of 51 classes"
        wanted = {A: 2, B: 2} if two in child.__mro__ else {A: 1}
        assert all(dict(probe.table_type(leaf)) == wanted for leaf in [child, *leaves])


def test_a_value_set_during_an_assignment_of_bases_stays(probe, meta, root):
    two = meta("Two", (root,), {"level": 200, "box": 200, "label": "200", "motto": b"200"})
    child = meta("Child", (root,), {})
    meta.inside = "Child", lambda: set_all(child, 2)
    child.__bases__ = (two,)
    assert values(probe, child) == TWO
    set_all(two, 3)
    assert values(probe, child) == TWO


def test_a_value_deleted_during_an_assignment_of_bases_is_inherited(probe, meta, root):
    two = meta("Two", (root,), {"level": 200, "box": 200, "label": "200", "motto": b"200"})
    child = meta("Child", (root,), {"level": 5, "label": "5", "motto": b"5", "box": 5})

    def delete():
        del child.level, child.label, child.motto, child.box

    meta.inside = "Child", delete
    child.__bases__ = (two,)
    assert values(probe, child) == values(probe, two) == (200, "200", b"200", 200)


# --------------------------------------------------------------- a class in the making --

def both_ways(meta, name, bases, namespace=None):
    """A class statement, and type() with the metaclass to be found."""
    yield lambda: meta(name, bases, namespace or {})
    yield lambda: type(name, bases, namespace or {})
    yield lambda: type.__new__(meta, name, bases, {})


@pytest.mark.parametrize("way", range(3))
def test_a_class_in_the_making_gets_what_its_base_is_given(probe, meta, root, way):
    make = list(both_ways(meta, "Made", (root,)))[way]
    meta.inside = "Made", lambda: set_all(root, 2)
    made = make()
    probe.finish(made)
    assert values(probe, made) == TWO
    set_all(root, 3)
    assert values(probe, made) == (3, "3", b"3", 33)


@pytest.mark.parametrize("way", range(3))
def test_a_class_in_the_making_follows_a_base_that_gets_other_bases(probe, meta, root, way):
    two = meta("Two", (), {"level": 2, "label": "2", "motto": b"2", "box": 22})
    base, other = meta("Base", (root,), {}), meta("Other", (root,), {})

    def rebase():
        base.__bases__ = (two,)

    make = list(both_ways(meta, "Made", (base, other)))[way]
    meta.inside = "Made", rebase
    made = make()
    probe.finish(made)
    assert made.__mro__[:3] == (made, base, two) and values(probe, made) == TWO


def test_a_class_in_the_making_keeps_what_its_body_says(probe, meta, root):
    meta.inside = "Made", lambda: set_all(root, 2)
    made = meta("Made", (root,), {"level": 7, "box": 77})
    assert values(probe, made) == (7, "2", b"2", 77)
    set_all(root, 3)
    assert values(probe, made) == (7, "3", b"3", 77)


def test_what_c_code_writes_into_a_class_in_the_making_stays(probe, meta, root):
    class Writing(meta):
        def __new__(metaclass, *args):
            cls = super().__new__(metaclass, *args)
            probe.write_level(cls, 7)
            return cls

    meta.inside = "Made", lambda: set_all(root, 2)
    made = Writing("Made", (root,), {})
    assert values(probe, made) == (7, "2", b"2", 22)
    set_all(root, 3)
    assert values(probe, made) == (7, "3", b"3", 33)


def test_what_is_read_of_a_class_in_the_making_is_what_it_inherits(probe, meta, root):
    """The bytes that its motto pointed to are gone with the base's former value."""
    seen = []

    class Watching(root):
        def __init_subclass__(cls):
            seen.append((cls.level, cls.label, cls.motto, cls.box))

    root.motto = bytes(bytearray(b"x" * 4000))
    meta.inside = "Made", lambda: set_all(root, 2)
    meta("Made", (Watching,), {})
    assert seen == [TWO]


def test_what_a_class_in_the_making_points_into_lives_on(probe, meta, root):
    seen = []

    class Meta(meta):
        def mro(cls):
            root.motto = bytes(bytearray(b"y" * 4000))
            seen.append((cls.level, cls.label, cls.motto, cls.box))
            return super().mro()

    root.motto = bytes(bytearray(b"x" * 4000))
    made = Meta("Made", (root,), {})
    assert seen == [(1, "one", b"x" * 4000, 11)] and made.motto == b"y" * 4000


def test_what_a_class_points_into_that_gets_other_bases_lives_on(probe, meta, root):
    seen = []
    one = meta("One", (root,), {"motto": bytes(bytearray(b"x" * 4000))})
    child = meta("Child", (one,), {})
    leaf = meta("Leaf", (child,), {})

    def replace():
        one.motto = bytes(bytearray(b"y" * 4000))
        seen.append((child.motto, leaf.motto))

    meta.inside = "Leaf", replace
    child.__bases__ = (root,)
    # Each as its MRO says at that moment: Child has its new one, Leaf not yet.
    assert seen == [(b"uno", b"y" * 4000)] and child.motto == leaf.motto == b"uno"


def test_a_copy_that_fails_makes_no_class(probe, meta, root):
    meta.inside = "Made", lambda: (set_all(root, 2), probe.fail_copies(0))
    try:
        with pytest.raises(RuntimeError, match="cannot be copied"):
            meta("Made", (root,), {})
    finally:
        probe.fail_copies(-1)


def test_classes_that_were_never_finished_leave_nothing_behind(probe, meta, root):
    """Refused by mro(), or by __init_subclass__ with the class kept."""
    kept = []

    class Refusing(root):
        def __init_subclass__(cls):
            kept.append(cls)
            raise Refused

    for _ in range(5):
        meta.inside = "Made", refuse
        with pytest.raises(Refused):
            meta("Made", (root,), {})
        with pytest.raises(Refused):
            meta("Kept", (Refusing,), {})
    set_all(root, 2)
    assert [values(probe, cls) for cls in kept] == [TWO] * 5
    assert all(probe.state(cls) == "ready" for cls in kept)
