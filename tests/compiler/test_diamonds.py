# SPDX-License-Identifier: MIT
"""Python classes with several bases from Cython: whose C methods their objects have."""
import gc

import pytest
import support
from layer_modules import module_of

pytestmark = [support.only_on_cpython("extensible types"), pytest.mark.filterwarnings("error")]


MESSAGE = """\
# [message.begin]
class 'Wrong': found the C methods of base 'diamonds.Larger' in its objects, expected those of base
'diamonds.Other', too, whose calls in C go to wrong functions; make it the first base, or derive one of
the two from the other
# [message.end]
""".partition("\n")[2].rpartition("# [")[0]


m = module_of("diamonds.pyx")


def warns(has, left_out):
    return pytest.warns(RuntimeWarning, match=rf"found the C methods of base 'diamonds.{has}' in its objects, expected "
                                              rf"those of base 'diamonds.{left_out}', too")


@pytest.fixture
def Own(m):
    class Own(m.Base):
        __slots__ = "kept",
    return Own


def test_objects_have_the_c_methods_of_the_most_derived_base(m, Own):
    Both = type("Both", (Own, m.Better), {})
    assert (Both().twice(), m.at(Both(), 4)) == (1, 2) and Both.__base__ is Own
    assert m.at(Both.__new__(Both), 4) == m.at(type("Made", (Own, m.Better), {})(), 4) == 2
    assert m.at(Own(), 4) == -4


def test_so_have_those_of_subclasses(m, Own):
    Both = type("Both", (Own, m.Better), {})

    class Mixin:
        pass

    class Below(Both):
        def __new__(cls, value):
            self = super().__new__(cls)
            m.set_value(self, value)
            return self

    Mixed = type("Mixed", (Mixin, Both), {})
    Best = type("Best", (Both, m.Best), {})
    Under = type("Under", (Both, m.BelowBetter), {})
    assert [m.at(it, 4) for it in (Below(5), Mixed(), Best(), Under())] == [2, 2, 400, 2] and m.value(Below(5)) == 5
    with warns("Better", "Other"):
        Wrong = type("Wrong", (Both, m.Other), {})
    assert m.at(Wrong(), 4) == 2


def test_bases_without_c_methods_of_their_own_make_no_difference(m, Own):
    for bases in (m.Larger, m.Bare), (m.Better, m.Bare), (m.Bare, Own), (m.Other, Own), (m.BelowBetter, m.Bare):
        made = type("Made", bases, {})
        assert m.at(made(), 4) == m.at(made.__base__(), 4)
    assert m.at(type("Made", (m.Better, Own), {})(), 4) == 2


def test_bases_that_do_not_derive_from_each_other_are_a_warning(m, Own):
    with warns("Larger", "Other"):
        Wrong = type("Wrong", (m.Other, m.Larger), {})
    type("Below", (Wrong,), {})                 # without another warning
    type("Below", (Wrong, m.Base), {})
    for bases, has, left_out in [
            ((m.Better, m.Other), "Better", "Other"), ((m.Bare, m.Better), "Bare", "Better"),
            ((Own, m.Better, m.Other), "Base", "Other"), ((m.Larger, m.Better), "Larger", "Better")]:
        with warns(has, left_out):
            type("Wrong", bases, {})
    with pytest.raises(RuntimeWarning) as caught:
        type("Wrong", (m.Other, m.Larger), {})
    assert str(caught.value) == " ".join(MESSAGE.split())


def test_cinit_runs_for_the_base_that_has_the_c_methods_and_dealloc_for_cpythons(m, Own):
    """Which __dealloc__ runs is CPython's choice, as in plain Cython: that of __base__."""
    def counted(*bases):
        before = len(m.made), len(m.freed)
        assert m.at(type("Counted", bases, {})(), 4) == 7
        gc.collect()
        return len(m.made) - before[0], len(m.freed) - before[1]

    assert counted(Own, m.Counted) == (1, 0) and counted(m.Counted, m.Bare) == (1, 1)


PLAIN = {
    "diamond_plain.pxd": "cdef class Base:\n    cdef double at(self, double x)",
    "diamond_plain.pyx": """
# cython: freethreading_compatible=True
cdef class Base:
    cdef double at(self, double x): return -x
def at(Base base, double x): return base.at(x)
""",
    "diamond_above.pyx": """
# cython: freethreading_compatible=True
from diamond_plain cimport Base
cdef class Above(Base):
    cdef double at(self, double x): return 3 * x
    def twice(self): return 2 * self.at(1)
""",
}


@pytest.mark.thorough
def test_a_base_of_plain_cython_need_not_describe_its_methods():
    directory = support.cache_directory("diamonds", PLAIN)
    paths = {name: support.write_source(directory / name, text) for name, text in PLAIN.items()}
    assert support.check_child("""
        import diamond_above, diamond_plain
        class Own(diamond_plain.Base): pass
        class Both(Own, diamond_above.Above): pass
        print(Both().twice(), diamond_plain.at(Both(), 4))
        """, modules=[
            support.build_cython(paths["diamond_plain.pyx"], layer=False, directory=directory),
            support.build_cython(paths["diamond_above.pyx"], cython_args=("--extend-all",), directory=directory,
                                 include_dirs=[directory])]) == "6.0 12.0"
