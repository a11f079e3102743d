# SPDX-License-Identifier: MIT
"""Typed functions of modules that were built with headers of other ages: what is newer in a record
is found by who understands it, and by nobody else."""
import ctypes
import textwrap

import pytest
import support
import typed_ages

pytestmark = [pytest.mark.thorough,
              pytest.mark.skipif(ctypes.sizeof(ctypes.c_long) < 8, reason="its modules' i8 is C's long")]

NEWER = ["flags", "entry", "layout", "record"]
RELEASED = [age for age in typed_ages.all_ages() if age.startswith("frozen_")]


def check(code, *ages, **options):
    typed_ages.check(textwrap.dedent(code), *ages, **options)


@pytest.mark.parametrize("other", [*RELEASED, *NEWER])
@pytest.mark.parametrize("other_first", [False, True], ids=["this first", "other first"])
def test_two_ages_find_what_they_understand_of_each_other(other, other_first):
    order = ["this", other][::-1 if other_first else 1]
    check(f"""
        import typed_meeting
        typed_meeting.meet(*{[f"typed_{age}" for age in order]!r})
        """, *order)


def test_all_of_them_find_what_they_understand_of_each_other():
    check(f"""
        import typed_meeting
        typed_meeting.meet(*{[f"typed_{age}" for age in ("entry", "this", "record", "flags", "layout")]!r})
        """, "this", *NEWER)


@pytest.mark.parametrize("of_main, of_other", [("this", "layout"), ("record", "this")])
def test_so_they_do_in_another_interpreter(of_main, of_other):
    code = f"""
        import sys
        sys.path[:] = {{path!r}}
        import typed_meeting
        typed_meeting.IS_MAIN = False
        typed_meeting.meet("typed_{of_other}", "typed_{of_main}")
        """
    check(f"""
        import support, typed_meeting
        code = {textwrap.dedent(code)!r}.format(path=sys.path)
        modules, offers = typed_meeting.meet("typed_{of_main}")
        support.run_in_new_interpreter(code)
        import typed_{of_other} as other
        offers[0].check(other)                  # in the main one, the other age came second
        support.run_in_new_interpreter(code)
        offers[0].check(other)
        typed_meeting.meet("typed_{of_main}", "typed_{of_other}")
        """, of_main, of_other, modules=[support.TESTS / "support.py"])


# ------------------------------------------------------ the table for other languages --

TABLE = """
    import ctypes, foreign_api, typed_meeting
    def find(callable_, text):
        outs = ctypes.c_void_p(1), ctypes.c_void_p(1), ctypes.c_uint32(1), ctypes.c_uint64(1)
        found = foreign_api.typed("find")(callable_, text.encode(), *map(ctypes.byref, outs))
        function, context, flags, error = (out.value for out in outs)
        assert (found, bool(function)) in ((0, False), (1, True))
        assert not flags & ~127, flags          # no others are in the page
        return found and (function, context, flags, error)
    def why_not(callable_, text):
        return foreign_api.typed("why_not")(callable_, text.encode())
    signatures = foreign_api.typed("signatures")

    def check(offer):
        for callable_, text, *_ in offer.calls:
            found = find(callable_, text)
            assert bool(found) == (offer.provider.ABI == 1), (callable_, text)
            assert bool(why_not(callable_, text)) == (not found)
        if offer.provider.ABI > 1 or not hasattr(offer.provider, "newest"):
            return
        newest = offer.provider.newest
        function, context, flags, error = find(newest, "i8(i8)")
        assert (flags, context) == (typed_meeting.MAYBE, None)      # the one for everybody
        assert ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(function)(1) == 1
        assert not find(newest, "f8(f8)") and "found flags 256" in why_not(newest, "f8(f8)")
        assert list(signatures(newest)) == ["i8(i8)", "i4(i4)"]
"""


def test_the_table_for_other_languages_answers_what_its_page_says():
    check(textwrap.dedent(TABLE) + textwrap.dedent(f"""
        modules, offers = typed_meeting.meet(*{[f"typed_{age}" for age in ("this", *NEWER)]!r})
        for offer in offers:
            check(offer)

        # What is registered there is found by all.
        this = modules[0]
        function, method = find(this.plain, "i8(i8)")[0], this.method("g")
        assert foreign_api.typed("register_functions")(
            method, 1, (ctypes.c_char_p * 1)(b"i8(i8)"), (ctypes.c_void_p * 1)(function),
            (ctypes.c_uint32 * 1)(0), (ctypes.c_uint64 * 1)(0)) == 0
        for finder in modules:
            made = typed_meeting.held(finder, this.function(method, None), "i8(i8)")
            assert finder.is_typed(made) and finder.call("gil", "l_l", made, 1) == 2

        # A function that is added later is there where the count says so.
        foreign_api.TYPED_NAMES.append("answer")
        foreign_api.TYPED["answer"] = (ctypes.c_int,)
        typed_meeting.refused(lambda: foreign_api.typed("answer"), AssertionError)
        """), "this", *NEWER, modules=[support.TESTS / "core" / "foreign_api.py"])


# ------------------------------------------------------------------- the Python package --


def test_the_python_package_finds_what_it_understands():
    check(f"""
        import ctypes, typed_meeting
        from cython_customslots import typed
        modules, offers = typed_meeting.meet(*{[f"typed_{age}" for age in ("this", *NEWER)]!r})
        for offer in offers:
            plain, newest = offer.provider.plain, getattr(offer.provider, "newest", None)
            if offer.provider.ABI == 2:
                assert not typed.signatures(plain) and "has no record" in typed.explain(plain)
                assert not typed.signatures(newest)
                continue
            assert typed.resolve(plain) is plain and list(typed.signatures(plain)) == ["i8(i8)"]
            assert typed.as_ctypes(plain)(1) == 2
            for callable_, text, *_ in offer.calls:
                assert text in typed.signatures(callable_)
            if newest is None:
                continue
            assert set(typed.signatures(newest)) == {{"i8(i8)", "i4(i4)"}}, typed.signatures(newest)
            assert typed.as_ctypes(newest, "i8(i8)")(1) == 1
            assert "i8(i8): needs the GIL, may return a certain value when it raises" in typed.explain(newest)
            assert "found flags 256" in typed.explain(newest, "f8(f8)")
            typed_meeting.refused(lambda: typed.as_ctypes(newest, "f8(f8)"), TypeError)

        # An object that it makes is found by all that know its ABI.
        prototype = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
        made = typed.resolve(prototype(lambda x: x + 1))
        for finder in modules:
            held = typed_meeting.held(finder, made, "f8(f8)")
            assert finder.is_typed(held) and finder.call("nogil", "d_d", held, 1.0) == 2.0
        """, "this", *NEWER)
