# SPDX-License-Identifier: MIT
"""Modules that the compiler layer made, of every age, in one process."""
import itertools

import ages
import layer_ages
import pytest
import support
from layer_ages import AGES, build, build_below


def meet(names, came, *modules, derived=()):
    """Import layer_exercise's modules of these names; who serves then, of (module, age) that came by, is the newest
    that can."""
    _, serving = ages.verdicts([age for _, age in came])
    number = ages.all_ages()[serving].number
    module = next(name for name, age in came if age == serving)
    support.check_child(f"""
        import cython_customslots, layer_exercise
        meeting = layer_exercise.together(*{names!r}, below={derived!r})
        serving = cython_customslots.runtime_info().serving
        assert (serving.module, serving.version) == {(module, number)!r}, serving
        for module in meeting.modules:
            assert layer_exercise.refusal(module).endswith({layer_ages.refusal(number)!r})
        meeting.go_on()
        """, modules=[ages.HERE / "layer_exercise.py", *modules])


#: All orders of two, those with this age first.
ORDERS = sorted(itertools.permutations(AGES, 2), key=lambda order: "this" not in order)


@pytest.mark.parametrize("first, second", support.thoroughly(ORDERS, plain=0, thorough=3))
def test_two_ages_work_together_whoever_comes_first(first, second):
    """Each carries the implementation of its age; then comes one that derives from the first."""
    third, below = f"below_{first}", AGES[(AGES.index(first) + 3) % len(AGES)]
    names = [f"layer_{first}", f"layer_{second}"]
    meet(names, [*zip(names, (first, second)), (third, below)],
         build(first), build(second), build_below(below, first), derived=[(third, names[0])])


@pytest.mark.parametrize("of_client, of_runtime, of_third", support.thoroughly([
    ("this", "old", "new"), ("old", "this", "state"), ("field", "new", "this"),
    ("new", "field", "old"), ("old", "state", "field")], plain=0, thorough=1))
def test_a_client_works_with_an_installed_runtime_of_another_age(of_client, of_runtime, of_third):
    """So does one that derives from it, of a third age, and a module that carries its own."""
    runtime, third = "_customslots_runtime", f"layer_{of_third}"
    for names, came in (
            (["layer_client", third], [(runtime, of_runtime), (third, of_third)]),
            ([third, "layer_client"], [(third, of_third)])):
        meet(names, came, build(of_client, "layer_client", runtime="installed"), ages.build(of_runtime, runtime),
             build(of_third), build_below(of_third, of_client, "client", runtime="installed"),
             derived=[("below_client", "layer_client")])
