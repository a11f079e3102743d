# SPDX-License-Identifier: MIT
"""What the layer writes: the same as plain Cython where nothing is ours, and else all of it."""
import sys

import pytest
import support
from compiling import CYTHON, compile_all, plain_c, source
from cython_customslots.tools import building
from layer_modules import MODULES

ORDINARY = """
    # cython: embedsignature=True
    cimport cython
    from libc.stdint cimport uint64_t

    cdef class A:
        cdef public int x
        cdef object o
        cpdef int method(self, type t, int y=3) except -1: return y
        def __add__(self, other): return self
        @property
        def p(self): return self.o

    @cython.final
    cdef class B(A):
        cdef uint64_t number

    cdef class M(type):
        cdef int level

    class Python(A): pass
    class Several(Python, dict): pass

    def takes(type t): return t
    def memory(double[:] view): return view[0]
    def generator(): yield lambda x: x
    ctypedef fused number: int; double
    def fused_function(number n): return n
    """.replace("int; double", "\n        int\n        double")


BARE = """
    def f(double[:] view): return [x for x in view]
    class Python: pass
    def generator(): yield 1
    """

#: What leaves a module as it is: (a comment in it, its text, options)
UNTOUCHED = {
    "nothing of ours": ("", ORDINARY, {"pickles": True}),
    "extend_all without cdef classes": ("", BARE, {"extend_all": True, "pickles": True}),
    "typed without cpdef functions": ("", BARE, {"typed": True}),
    "a comment against extend_all": ("# customslots: extend_all=False\n", ORDINARY, {"extend_all": True}),
    "a comment against typed": ("# customslots: typed=False\n", ORDINARY, {"typed": True}),
    "a metaclass for another module": ("", ORDINARY, {"metaclass": {"other.Thing": "abc.ABCMeta"}}),
    **{f"runtime={value}": ("", ORDINARY, {"runtime": value})
       for value in ("embedded", "linked", "installed", "parts._runtime")}}


@pytest.mark.parametrize("what", UNTOUCHED)
def test_modules_with_nothing_of_ours_come_out_as_from_plain_cython(what):
    comment, text, options = UNTOUCHED[what]
    cases = {"case": {"ordinary.pyx": comment + source(text)}}
    plain = compile_all(cases, layer=False, pickles=options.get("pickles", False))["case"]
    layered = compile_all(cases, **options)["case"]
    assert plain.errors == layered.errors == [], plain.messages
    assert plain_c(plain.c) == plain_c(layered.c)


@pytest.mark.thorough
def test_a_compilation_leaves_nothing_behind_for_the_next():
    ours = "cimport cython_customslots as cs\n@cs.extensible\ncdef class X: pass\n"
    ordinary = {"ordinary.pyx": source(ORDINARY)}
    both = compile_all({"first": {"ours.pyx": ours}, "second": ordinary}, pickles=True)
    alone = compile_all({"second": ordinary}, pickles=True)
    assert "__Pyx_CustomSlots" in both["first"].c and "__Pyx_CustomSlots" not in both["second"].c
    assert plain_c(both["second"].c) == plain_c(alone["second"].c)


@pytest.mark.parametrize("macro, reason", [
    pytest.param("CYTHON_USE_TYPE_SPECS=1", "need CPython 3.12 or later", marks=pytest.mark.skipif(
        sys.version_info >= (3, 12), reason="they work from 3.12 on: class_kinds.py")),
    # A free-threaded CPython before 3.15 has no limited API, and says so first.
    pytest.param("Py_LIMITED_API=0x030A0000", "[Ll]imited API" if support.FREE_THREADED else
                 "cannot be used with Py_LIMITED_API", marks=[pytest.mark.thorough, pytest.mark.skipif(
                     CYTHON < (3, 1), reason="Cython 3.0 generates no C for the Limited API")])])
def test_what_has_no_room_for_slots_is_refused_with_the_reason(tmp_path, macro, reason):
    with pytest.raises(building.BuildError, match=reason):
        support.build_cython(MODULES / "layer_base.pyx", include_dirs=[MODULES], cflags=[f"-D{macro}"],
                             directory=tmp_path)
