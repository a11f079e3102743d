# SPDX-License-Identifier: MIT
"""Objects that hold a PyTypedCallable, PyTypedCallback or PyTypedArray are collected in cycles."""
import gc
import weakref

import pytest
import support
from layer_modules import module_of

HOLDERS = ["Callable", "Below", "Nested", "Callback", "OnlySeen"]


m = module_of("layer_holding.pyx")


def is_collected(make):
    kept = make()
    reference = weakref.ref(kept)
    del kept
    gc.collect()
    return reference() is None


@pytest.mark.parametrize("name", HOLDERS)
@pytest.mark.parametrize("c", [True, False], ids=["C", "Python"])
def test_a_cycle_through_a_callable_is_collected(m, name, c):
    class Model:
        def rhs(self, x): return 2 * x

    def make():
        model, holder = (m.Model if c else Model)(), getattr(m, name)()
        model.holder = holder
        holder.hold(model.rhs)
        gc.collect()
        assert model.holder.run(3) == 6 and gc.is_tracked(holder)
        return model

    for _ in range(3):
        assert is_collected(make)


def test_a_cycle_through_a_generator_is_collected(m):
    def make():
        model = m.Model()
        model.holder = m.generate(model.rhs, 3)
        assert next(model.holder) == next(model.holder) == 6
        return model

    assert is_collected(make)


def test_a_cycle_through_an_array_is_collected(m):
    def make():
        memory = m.Memory()
        memory.holder = m.Array()
        memory.holder.hold(memory)
        assert memory.holder.run(3) == 6
        return memory

    assert is_collected(make)


def test_what_is_referred_to_is_seen_and_what_no_cycle_holds_is_released_at_once(m):
    for name in HOLDERS:
        holder = getattr(m, name)()
        assert {*gc.get_referents(holder)} <= {type(holder), None}
        callable_ = lambda x: x
        holder.hold(callable_)
        assert callable_ in gc.get_referents(holder)
        reference = weakref.ref(callable_)
        del callable_, holder
        if not support.FREE_THREADED:
            assert reference() is None
    assert not gc.is_tracked(m.NotSeen())
