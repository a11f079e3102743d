# SPDX-License-Identifier: MIT
"""Methods of extensible classes: vtables and their description, arguments, imports."""
import functools
import re

import pytest
import support
from layer_modules import from_texts

pytestmark = pytest.mark.interpreters

GREET_LAYOUT = """\
{0} ping(object, {0}) except? -1
f8 scale(object, f8, u4) optional 1 nogil noexcept
object greet(object) skip_dispatch except NULL
"""


def test_the_vtable_slot_describes_the_methods_by_width(base, reader):
    size, n, hashes, layout, *_ = reader.vtable(base.Greet, "layer_base.Greet")
    long = re.match(r"i[48]", layout).group()
    assert layout == GREET_LAYOUT.format(long)
    assert n == len(hashes) == len(set(hashes)) == 3
    assert size >= 48 or long == "i4"


def test_the_hashes_are_those_of_the_specification(base, reader):
    """docs/abi.md, "ID registry": so another compiler can describe its methods."""
    def step(value, word):
        return (value ^ word) * 0x100000001B3 % 2 ** 64

    start = 0xCBF29CE484222325
    _, _, hashes, _, layout, numbers = reader.vtable(base.Greet, "layer_base.Greet")
    value, expected = start, []
    for line in layout.splitlines(keepends=True):
        value = step(value, functools.reduce(step, line.encode(), start))
        for _ in range(line.count("%")):
            value = step(value, numbers.pop(0))
        expected.append(value)
    assert hashes == expected and not numbers


def test_every_class_with_a_vtable_has_a_slot_of_its_own_and_those_of_its_bases(base, sub, reader):
    greet = reader.vtable(base.Greet, "layer_base.Greet")
    assert reader.vtable(sub.Loud, "layer_base.Greet") == greet
    assert reader.vtable(sub.Loud, "layer_sub.Loud") is not None
    assert reader.vtable(base.Greet, "layer_sub.Loud") is None


def test_the_hashes_of_a_derived_class_begin_with_those_of_its_base(base, sub, reader):
    """So appended methods do not disturb an importer that was built for fewer."""
    _, n, hashes, layout, *_ = reader.vtable(base.Greet, "layer_base.Greet")
    _, more, derived, its_layout, *_ = reader.vtable(sub.Loud, "layer_sub.Loud")
    assert more == n + 1 and derived[:n] == hashes and its_layout.startswith(layout)
    assert its_layout.splitlines()[-1] == "object more(object, f4, i1, pointer) except NULL"


def test_calls_go_through_the_vtable_as_ever(base, sub):
    assert base.call_ping(base.Greet(), 1) == 2
    assert base.call_ping(sub.Loud(), 1) == sub.ping_from_outside(sub.Loud(), 1) == 101
    assert sub.Deep().greet() == "deep"
    assert sub.Loud("x").greet() == "HELLO X!"


@pytest.mark.parametrize("name", ["name_of", "name_of_typed", "name_through_c"])
def test_an_argument_declared_type_takes_extensible_classes(base, sub, name):
    """Cython's test is exact: it accepts no class with a metaclass."""
    function = getattr(base, name)
    assert [function(cls) for cls in (base.Greet, sub.Deep, base.Slots, int)] == ["Greet", "Deep", "Slots", "int"]


def test_an_argument_declared_type_takes_nothing_but_types(base, reader):
    for function in (base.name_of, base.name_of_typed, base.name_through_c, reader.name_of):
        with pytest.raises(TypeError, match="[Ee]xpected type, got int"):
            function(5)


METACLASS = """
from cython_customslots.provider cimport extensibletype
cdef class Meta(extensibletype):
    cdef long first
"""
FREE = "# cython: freethreading_compatible=True\n"


@pytest.mark.thorough
def test_a_module_that_was_built_for_another_size_of_a_metaclass_is_refused():
    """Cython's own check allows for 40 bytes of difference in a metaclass."""
    built = from_texts("skew", {
        "old/skew_meta.pxd": METACLASS, "old/skew_meta.pyx": f"{FREE}cdef class Meta(extensibletype): pass",
        "new/skew_meta.pxd": METACLASS + "    cdef long second\n",
        "new/skew_user.pyx": f"{FREE}from skew_meta cimport Meta\ndef second(cls): return (<Meta>cls).second"})
    output = support.check_child("""
        import skew_meta
        try:
            import skew_user
        except ImportError as error:
            print(error)
        """, modules=[built])
    assert re.fullmatch(
        r"metaclass 'skew_meta.Meta' has size \d+, but 'skew_user' was compiled for \d+; "
        r"recompile it with the current .pxd of the metaclass", output)
