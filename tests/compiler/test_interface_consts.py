# SPDX-License-Identifier: MIT
"""`const` of what a pointer, a view or an array leads to: a provider may promise it, and no caller loses it."""
import itertools

import pytest
import support
from compiling import compile_all, compile_each, source
from layer_modules import from_texts

pytestmark = pytest.mark.cythons

FORMS = {"plain": "", "const": "const "}
HEAD = """# cython: freethreading_compatible=True
from sums cimport Pair, Sum
"""
DECLARATION = """
    cimport cython_customslots as customslots

    cdef struct Pair:
        double x

    @customslots.interface(b"consts.Sum")
    cdef class Sum:
        cdef double first(self, {0}double *x, double **rows) noexcept
        cdef double views(self, {0}double[:] x, {0}Pair *pair) noexcept
        cdef int last(self) noexcept
    """
PROVIDER = """
    cdef class Impl(Sum):
        cdef double first(self, {0}double *x, double **rows) noexcept: return x[0]
        cdef double views(self, {0}double[:] x, {0}Pair *pair) noexcept: return x[0] + pair.x
        cdef int last(self) noexcept: return 7
    """
CONSUMER = """
    def use(Sum s not None):
        cdef double[2] x = [5, 6]
        cdef double[:] view = x
        cdef Pair pair = Pair(3)
        return s.first(x, NULL), s.views(view, &pair), s.last()
    def implements(o): return isinstance(o, Sum)
    def of_python(o): return Sum.of(o) is o
    """


@pytest.fixture(scope="module")
def modules():
    """A provider and a consumer for each form, which see the declaration in that."""
    return [from_texts(f"{form} interfaces", {
        "sums.pxd": DECLARATION.format(word), f"provider_{form}.pyx": HEAD + source(PROVIDER).format(word),
        f"consumer_{form}.pyx": HEAD + source(CONSUMER)}) for form, word in FORMS.items()]


@pytest.mark.parametrize(("provider", "consumer"), [*itertools.product(FORMS, FORMS)])
def test_a_provider_may_promise_more_than_a_caller_asks_for_and_not_less(modules, provider, consumer):
    support.check_child(f"""
        from provider_{provider} import Impl
        from consumer_{consumer} import implements, of_python, use
        if {(provider, consumer) != ("plain", "const")}:
            assert use(Impl()) == (5, 8, 7) and implements(Impl()) and of_python(Impl())
        else:
            assert not implements(Impl()) and not of_python(Impl())
            try: use(Impl())
            except TypeError as error:
                for words in "with 'f8 first(object, f8*, pointer) noexcept'", "for 'f8 first(object, const f8*, ":
                    assert words in str(error), error
            else: assert False
        """, modules=modules)


TYPES = [("double *", "const double *"), ("double[::1]", "const double[::1]"), ("Pair *", "const Pair *"),
         ("void *", "const void *"), ("double **", "double *const *")]
CASES = [(where, *types) for pair in TYPES for types in (pair, pair[::-1]) for where in ("argument", "result")]


@pytest.fixture(scope="module")
def compiled():
    def module(where, asked, given):
        head = "cimport cython_customslots as cs\ncdef struct Pair:\n    int x\n"
        line = "cdef {} f(self) except *" if where == "result" else "cdef int f(self, {} x) except *"
        return (f'{head}@cs.interface(b"t.I")\ncdef class I:\n    {line.format(asked)}\n'
                f"cdef class A(I):\n    {line.format(given)}: raise ValueError\n")
    return compile_each({case: (module(*case), {}) for case in CASES})


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_a_class_may_promise_const_in_arguments_and_leave_it_out_of_results(compiled, case):
    where, _, given = case
    found = [error[3] for error in compiled[case].errors]
    if ("const" in given) == (where == "argument"):
        assert not found
    else:
        assert len(found) == 1 and "cannot implement that of interface 'I'" in found[0], found


def test_const_behind_a_pointer_to_a_pointer_is_the_same():
    head = ('cimport cython_customslots as cs\n@cs.interface(b"t.I")\n'
            "cdef class I:\n    cdef int f(self, {} x) noexcept\n")
    other = "cdef class A(I):\n    cdef int f(self, {} x) noexcept: return 1\n"
    for asked, given in itertools.permutations(["double **", "const double **"]):
        found, = compile_all({"case": {"mod.pyx": head.format(asked) + other.format(given)}}).values()
        assert "argument 'x' differs" in found.errors[0][3]
