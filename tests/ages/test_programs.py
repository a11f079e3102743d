# SPDX-License-Identifier: MIT
"""The random programs of tests/hostile/test_state_machine.py, each of their calls through a module
of another age.

A few programs for each order; CUSTOMSLOTS_TEST_PROGRAMS, which .ci/nightly sets, asks for more.
"""
import os

import ages
import pytest
import support

pytestmark = pytest.mark.thorough

PROGRAMS = max(2, int(os.environ.get("CUSTOMSLOTS_TEST_PROGRAMS", "250")) // 25)

#: What belongs to the struct of the metaclass's own module; everything else anyone can do.
OF_THE_OWNER = ("raw", "write_level", "write_label", "fail_copies", "metaclasses", "rich_metaclasses",
                "import_metaclass")


@pytest.mark.usefixtures("mortal_classes")
@pytest.mark.parametrize("order", support.thoroughly([
    "old-this-function", "function-this-old", "this-field", "field-this-old", "state-this", "this-state"],
    plain=2, thorough=0))
def test_random_programs_through_modules_of_several_ages(order):
    order = order.split("-")
    rows, serving = ages.verdicts(order)
    ages.check(f"""
        import itertools
        import support
        owner, *others = [__import__(name) for name in {[f"age_{age}" for age in order]!r}]
        turns = itertools.cycle([*others, owner])
        class Anyone:
            def __getattr__(self, name):
                return getattr(owner if name in {OF_THE_OWNER!r} else next(turns), name)
        support.probe = Anyone
        import test_state_machine as machine
        from hypothesis import settings
        from hypothesis.stateful import run_state_machine_as_test
        run_state_machine_as_test(machine.Classes, settings=settings(
            machine.Classes.TestCase.settings, max_examples={PROGRAMS}, database=None))
        met = owner.met(owner.import_metaclass())       # and, in the end, the installed package
        assert met[:{len(rows)}] == {rows!r}, met
        assert owner.serving() == {ages.named(serving)!r}
        """, *order, modules=[support.TESTS / "support.py",
                              support.TESTS / "hostile" / "test_state_machine.py"], timeout=3000)
