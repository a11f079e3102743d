# SPDX-License-Identifier: MIT
"""Classes that override functions of interfaces, while every allocation may fail."""
import sys

import pytest
import support
import test_allocation_failures

INTERFACES = """
from interfaces import Interface
import probe
shape = Interface(probe, name="hostile.Shape")
def draw(self, canvas): return "python"
def scale(self, factor): return "python"
def family():
    top = type(shape.provider)('Top', (shape.provider,), {'scale': scale})
    other = type(shape.provider)('Other', (shape.provider,), {'draw': draw})
    low = type(top)('Low', (top,), {})
    return [top, low, other, type(top)('Lower', (low,), {})]
def check_calls(s):
    for c in s:
        for i, name in (1, 'scale'), (2, 'draw'):
            assert (shape.call(c(), i) == "python") == (getattr(c, name) in (draw, scale)), (c, name)
"""


def check(code):
    test_allocation_failures.check(f"sys.path.insert(0, {str(support.TESTS / 'core')!r})\n" + INTERFACES + code)


def test_making_a_class_that_overrides_with_every_failure():
    if not support.setdefault_survives_no_memory():
        pytest.skip("dict.setdefault() of this CPython corrupts the dictionary when memory runs out")
    # A set of functions that no class overrode before, each time: its table must be made, too.
    check("""
wide = Interface(probe, name="hostile.Wide", count=8, overridable=0xFF)
names = "area scale draw m3 m4 m5 m6 m7".split()
number = 0
def prepare():
    gc.collect()
    global number
    number += 1
    return [wide.provider]
def act(s):
    ns = {name: draw for i, name in enumerate(names) if number >> i & 1}
    return type(s[0])('Cls', (s[0],), ns)
def done(s, cls):
    got = [wide.call(cls(), i) == "python" for i in range(8)]
    assert got == [bool(number >> i & 1) for i in range(8)], (number, got)
each_failure(prepare, act, done)
""")


@pytest.mark.parametrize("act", ["s[0].draw = draw", "s[0].scale = draw", "del s[0].scale"])
def test_changing_a_class_that_overrides_with_every_failure(act):
    check(f"""
errors.append(AttributeError)       # of CPython 3.15, for plain classes, too, if a dict cannot grow
def prepare():
    gc.collect()
    return family()
basic = picture
def picture(s):
    return basic(s), [dict(vars(c)).keys() for c in s], [c.__dict__.get('draw') for c in s]
def act(s):
    {act}
def done(s, result):
    check_calls(s)
each_failure(prepare, act, done)
""")


@pytest.mark.skipif(support.DEBUG_BUILD and sys.version_info >= (3, 14),
                    reason="an assertion of this CPython fails for plain classes, too")
def test_assigning_bases_with_every_failure():
    # CPython itself leaves some MROs as they were, and forgets an exception.
    check("""
for attempt in attempts(call_failing):
    s = family()
    def act():
        s[1].__bases__ = (s[2],)
    assert attempt(act) in (None, MemoryError, SystemError)
    check_calls(s)
""")


def test_new_table_of_a_provider_with_every_failure():
    check("""
def prepare():
    gc.collect()
    mine = Interface(probe)
    cls = type(mine.provider)('Cls', (mine.provider,), {'draw': draw})
    prepare.mine = mine, probe.interface_table(mine.name, 3, 0b110, 1)
    return [mine.provider, cls]
def act(s):
    probe.set_slots(s[0], [(prepare.mine[0].id, prepare.mine[1])])
def done(s, result):
    mine = prepare.mine[0]
    assert mine.call(s[1](), 2) == "python" and mine.found(s[1])[1] == prepare.mine[1]
each_failure(prepare, act, done)
""")


def test_making_the_class_of_an_interface_with_every_failure():
    # What is made once for all interfaces may have come before the failure, and stays.
    check("""
for attempt in attempts(call_failing):
    mine = Interface(probe)
    table = probe.interface_table(mine.name, 3, 7, 2)
    def declare():
        probe.interface_declare(mine.id, mine.name, "A shape.", table, table, Interface.SIGNATURES)
    if attempt(declare) is MemoryError:
        declare()
    result = attempt(lambda: probe.interface_class(mine.id))
    assert isinstance(result, E) or result is MemoryError, result
    cls = probe.interface_class(mine.id)
    assert isinstance(mine.provider(), cls) and cls.signatures == Interface.SIGNATURES
    result = attempt(lambda: (isinstance(mine.provider(), cls), cls.of(1), cls.explain(1)))
    assert result is MemoryError or result[:2] == (True, None), result
    made = attempt(lambda: type(cls)("Made", (cls,), {"draw": draw}))
    if made is MemoryError:
        made = type(cls)("Made", (cls,), {"draw": draw})
    assert mine.call(made(), 2) == "python"
    half = made()
    text = attempt(lambda: cls.explain(half))
    assert text is MemoryError or "in Python for area, scale, so" in text, text
""")


def test_more_that_is_declared_of_an_interface_with_every_failure():
    check("""
for attempt in attempts(call_failing, least=0):
    mine = Interface(probe)
    table = probe.interface_table(mine.name, 3, 7, 2)
    cls = probe.interface_class_of(probe.interface_declare(mine.id, mine.name, None, table, 0, None))
    def declare():
        probe.interface_declare(mine.id, mine.name, "A shape.", table, table, Interface.SIGNATURES)
    if attempt(declare) is not None:
        assert attempt.failed
        declare()
    assert mine.call(type(cls)("Made", (cls,), {"draw": draw})(), 2) == "python"
""")
