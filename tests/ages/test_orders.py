# SPDX-License-Identifier: MIT
"""Wheels of every age in one process, in every order: all go on, and the newest serves."""
import itertools

import ages
import pytest
import support

AGES = tuple(ages.all_ages())

#: What meets most, in both orders; a plain run leaves the other pairs out.
MAIN = {"old-this", "this-old", "this-function", "function-this"}


def orders(*names, length):
    return ["-".join(order) for order in itertools.permutations(names, length)]


def run(order):
    modules = [f"age_{age}" for age in order]
    rows, serving = ages.verdicts(order)
    ages.check(f"""
        import exercise
        modules = exercise.together(*{modules!r})
        E = modules[0].import_metaclass()
        assert modules[-1].met(E) == {rows!r}, modules[-1].met(E)
        for module in modules:
            assert module.serving() == {ages.named(serving)!r}, module.serving()
        """, *order)


@pytest.mark.parametrize("order", support.thoroughly(
    sorted(orders(*AGES, length=2), key=lambda order: order not in MAIN), len(MAIN), 12))
def test_two_ages_work_together_whoever_comes_first(order):
    run(order.split("-"))


@pytest.mark.parametrize("order", support.thoroughly(orders("old", "this", "function", length=3), thorough=1))
def test_three_ages_work_together_whoever_comes_first(order):
    run(order.split("-"))


@pytest.mark.thorough
def test_builds_with_assertions_and_without_share_what_they_do():
    """The lock, its owner and every struct are the same in both."""
    release = [ages.build("this", "age_quiet", more=("-DNDEBUG",)), ages.build("new", "age_quick", more=("-DNDEBUG",))]
    for names in (["age_old", "age_quiet", "age_function"], ["age_quiet", "age_new", "age_old"],
                  ["age_old", "age_quick"], ["age_quiet", "age_quick", "age_field"]):
        ages.check(f"""
            import exercise
            modules = exercise.together(*{names!r})
            assert len(modules[0].met(modules[0].import_metaclass())) == {len(names)}
            """, "old", "new", "function", "field", modules=release)


@pytest.mark.thorough
@pytest.mark.parametrize("order", ["old-this-new-function-field-state", "field-function-new-this-old",
                                   "state-field-this-old"])
def test_all_ages_work_together(order):
    run(order.split("-"))
