# SPDX-License-Identifier: MIT
"""Threads set attributes of classes that implement interfaces while others call them."""
import gc

import pytest
import support
from changing_classes import run_together
from interfaces import DRAW, SCALE, Interface

ROUNDS = 300 if support.FREE_THREADED else 1500


@pytest.fixture
def shape(probe):
    return Interface(probe)


def draw(self, canvas):
    return "python"


def is_consistent(shape, cls):
    for place, name in (SCALE, "scale"), (DRAW, "draw"):
        overridden = getattr(cls, name) is draw
        assert (shape.call(cls(), place) == "python") == overridden, (cls, name)
    if not any(getattr(cls, name) is draw for name in ("scale", "draw")):
        assert shape.found(cls) == (shape.table, 0)


def test_what_was_set_last_counts_whoever_set_it(shape, switch_often):
    class Top(shape.provider):
        pass

    class Low(Top):
        pass

    def change(cls, name, rounds):
        for i in range(rounds):
            setattr(cls, name, draw)
            if i % 3:
                delattr(cls, name)

    for i in range(20):
        run_together(*(lambda cls=cls, name=name: change(cls, name, 10 + i)
                       for cls in (Top, Low) for name in ("draw", "scale")))
        for cls in Top, Low:
            is_consistent(shape, cls)


def test_classes_are_made_while_their_base_changes(shape, switch_often):
    class Top(shape.provider):
        pass

    made = []

    def change():
        for _ in range(ROUNDS // 5):
            Top.draw = draw
            del Top.draw
        Top.scale = draw

    def make():
        for _ in range(ROUNDS // 5):
            made.append(type(Top)("Low", (Top,), {}))

    run_together(change, make, make)
    for cls in made:
        is_consistent(shape, cls)
    made.clear()
    gc.collect()


def test_callers_see_one_of_the_two_functions_while_bases_and_attributes_change(shape, switch_often):
    class One(shape.provider):
        pass

    class Two(shape.provider):
        scale = draw

    class Low(One):
        pass

    def assign():
        for i in range(ROUNDS // 3):
            Low.__bases__ = (Two,) if i & 1 else (One,)

    def change():
        for _ in range(ROUNDS // 3):
            One.draw = draw
            del One.draw

    def call():
        for _ in range(ROUNDS):
            for place in DRAW, SCALE:
                assert shape.call(Low(), place) in ("python", ("first", place, "x"))

    run_together(assign, change, call)
    for cls in One, Two, Low:
        is_consistent(shape, cls)


def test_one_class_for_an_interface_whoever_asks_first(probe, switch_often):
    for _ in range(20):
        shape, found = Interface(probe), []
        shape.declare()
        other = Interface(probe)
        table = probe.interface_table(other.name, 3, 7, 2)
        probe.interface_declare(other.id, other.name, None, table, table, None)
        run_together(*[lambda: found.append(probe.interface_class(other.id))] * 4)
        assert len(found) == 4 and len(set(map(id, found))) == 1
