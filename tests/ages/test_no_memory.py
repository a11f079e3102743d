# SPDX-License-Identifier: MIT
"""Every allocation fails once while providers meet: nothing is half done, the next try works."""
import os
import textwrap

import ages
import pytest
import support

pytestmark = pytest.mark.thorough

#: An implementation meets an interpreter once, so each attempt has a process of its own.
PROLOGUE = """
import gc, sys
import age_lazy as lazy, failing
NAME = "_extensibletype"

def each_failure(act, unchanged, done):
    "act() with every failure."
    def work(attempt):
        before = unchanged()
        result = attempt(act)
        gc.collect()
        assert not attempt.failed or result is MemoryError and unchanged() == before, (result, before, unchanged())
        done(act())
    failing.in_processes(lazy.call_failing, work)
"""


@pytest.fixture
def check():
    if not support.TYPE_SURVIVES_NO_MEMORY:
        pytest.skip("type() itself corrupts the heap of this CPython when memory runs out")
    if not hasattr(os, "fork"):
        pytest.skip("each attempt is a process that is forked off")
    lazy = ages.build("function", "age_lazy", more=("-DAGE_LAZY",))
    return lambda code, *names: ages.check(PROLOGUE + textwrap.dedent(code), *names,
                                           modules=[lazy, support.TESTS / "hostile" / "failing.py"])


def test_taking_over_with_every_failure(check):
    check("""
        import age_old as old
        E = old.import_metaclass()
        Rich = old.rich_metaclasses()[0]
        def done(metaclass):
            assert metaclass is E
            assert [verdict for _, _, verdict in old.met(E)] == [0, 1]
            assert old.serving() == lazy.serving() == "age_lazy 9.3.0"
            class S(metaclass=Rich, level=5):
                pass
            assert S.level == 5
        each_failure(lazy.import_metaclass, lambda: (old.met(E), old.serving()), done)
        """, "old")


def test_staying_a_client_with_every_failure(check):
    check("""
        import age_field as field
        E = field.import_metaclass()
        def done(metaclass):
            assert metaclass is E
            assert [verdict for _, _, verdict in field.met(E)] == [0, 2]
            assert field.serving() == "age_field 9.4.0"
        each_failure(lazy.import_metaclass, lambda: (field.met(E), field.serving()), done)
        """, "field")


def test_creating_the_rendezvous_with_every_failure(check):
    check("""
        import ctypes
        api = ctypes.pythonapi
        api.PyInterpreterState_Get.restype = ctypes.c_void_p
        get = api.PyInterpreterState_GetDict
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.c_void_p]      # borrowed
        state = ctypes.cast(get(api.PyInterpreterState_Get()), ctypes.py_object).value
        def unchanged():
            # Found in one of the two places, it is complete: it will be the other's, too.
            return NAME in sys.modules and NAME not in state
        def done(metaclass):
            assert metaclass is getattr(sys.modules[NAME], "extensibletype_v4")
            assert state[NAME] is sys.modules[NAME]
            assert [verdict for _, _, verdict in lazy.met(metaclass)] == [0]
            class S(metaclass=lazy.rich_metaclasses()[0], level=5):
                pass
            assert S.level == 5
            import exercise
            exercise.together("age_lazy", steps=3)
        each_failure(lazy.import_metaclass, unchanged, done)
        """)
