# SPDX-License-Identifier: MIT
"""Several providers of one metaclass: as bases of one class, and each with its own values.

What classes below them may have of their own is in core/test_instances.py.
"""
import sys

import pytest
import support
from layer_modules import MODULES

KINDS = ["static", pytest.param("heap", marks=pytest.mark.skipif(
    sys.version_info < (3, 12), reason="heap types are refused before 3.12"))]


WHAT_HOLDS = """
    import gc, itertools, layer_siblings as m
    values = (5, {"a": 1}, [1, 2])
    assert m.First().seen() == values and m.Second().seen_too() == m.Below().seen_too() == (0, None, None)
    assert m.Attributed.thing is None and m.Attributed.level == 9
    assert "thing" not in vars(m.Second) and "thing" not in vars(m.Attributed)

    for names in (m.First, m.Second), (m.Attributed, m.First):
        try:
            class Both(*names): pass
        except TypeError as error: assert "first with the C fields of metaclass" in str(error), error
        else: raise AssertionError(names)
    siblings = m.Left, m.Right, type("Python", (m.First,), {"__slots__": (), "level": 15})
    for names in itertools.permutations(siblings, 2):
        class Both(*names): pass
        assert Both.level == names[0].level and Both().seen()[1:] == values[1:]
        assert Both().__class__.__mro__[:2] == (Both, names[0])
    class All(*siblings): pass
    class Failed(m.Failure, m.Trouble): __slots__ = ("slot",)
    class FailedBelow(Failed): pass
    for cls in m.Failure, m.Trouble, Failed, FailedBelow:
        try: raise cls(1)
        except Exception as error: caught = error
        caught.note, caught.slot = [caught], [caught]
        assert vars(caught)["note"][0] is caught and caught.args == (1,)
        assert cls.level in (13, 14) and "__dict__" not in vars(cls)
        del caught
    gc.collect()
"""


@pytest.mark.parametrize("kind", KINDS)
def test_siblings_below_one_class_are_bases_of_one_class_and_roots_have_values_of_their_own(kind):
    """In a child that may import the module."""
    flags = ("-DCYTHON_USE_TYPE_SPECS=1",) if kind == "heap" else ()
    support.check_child(WHAT_HOLDS, modules=[support.build_cython(MODULES / "layer_siblings.pyx", cflags=flags)])
