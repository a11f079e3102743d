# SPDX-License-Identifier: MIT
"""--borrow-views: which arguments borrow, what is said of them, and what stays as it is.

What the modules do is in tests/arrays/test_borrowed_views.py, with NumPy.
"""
import re

import pytest
import support
from compiling import command, compile_all, plain_c, source

SWITCHED = "# customslots: borrow_views=True\n"
EVERY = support.TESTS / "arrays" / "borrowed_views.pyx"

BORROWS = source("""
    def dot(double[::1] x, double[::1] y):
        cdef double s = 0
        for i in range(x.shape[0]):
            s += x[i] * y[i]
        return s
    """)
KEEPS = source("""
    import os
    cdef double[:] last
    def kept(double[::1] x):
        global last
        last = x
        yield x
    def given(double[::1] x):
        return lambda: x
    cdef class A:
        cdef public int n
        cpdef double get(self, object[:] x): return x[0]
    def cast(object[unsigned char, cast=True] x, object[object] y):
        cdef object[bint] z = y
        return x[0], y[0], z[0]
    """)
BORROWED = "__Pyx_CustomSlots_BorrowView("
FILLED = "if (unlikely(__Pyx_CustomSlots_GetBuffer("


def compiled(*texts, **options):
    """The C of each text."""
    results = compile_all({f"case{i}": {"mod.pyx": text} for i, text in enumerate(texts)}, **options)
    assert [result.errors for result in results.values()] == [[]] * len(texts)
    return [result.c for result in results.values()]


def said(directory, *arguments, of="argument"):
    """{argument, or variable, of a function: what -v says of it}."""
    done = command("-3", *arguments, cwd=directory)
    assert done.returncode == 0, done.stderr
    lines = re.findall(r"^(?:\S*/)?\w+\.pyx:(\d+):\d+: customslots: (\w+) '(\w+)' of '\w+\.([\w.]+)' (.*)$",
                       done.stderr, re.MULTILINE)
    assert [int(line) for line, *_ in lines] == sorted(int(line) for line, *_ in lines)
    return {(function, name): what for _, kind, name, function, what in lines if kind == of}


@pytest.mark.cythons
@pytest.mark.interpreters
def test_a_module_with_nothing_to_borrow_comes_out_as_from_plain_cython():
    ours, = compiled(SWITCHED + KEEPS)
    plain, = compiled(SWITCHED + KEEPS, layer=False)
    assert plain_c(ours) == plain_c(plain) and "CUSTOMSLOTS" not in ours


def test_a_module_that_borrows_leaves_the_next_one_as_it_is():
    """What Cython says of reference counts is one text for all modules of a process."""
    ours = compiled(SWITCHED + BORROWS, BORROWS, SWITCHED + BORROWS)
    assert [c.count("__PYX_CUSTOMSLOTS_IS_LENT(memview) ||") for c in ours] == [2, 0, 2]
    assert plain_c(ours[1]) == plain_c(compiled(BORROWS, BORROWS, layer=False)[1])


def test_a_module_that_has_buffers_only_takes_no_memoryviews_and_leaves_the_next_one_as_it_is():
    text = "def f(object[double] x): return x[0]\ndef kept(double[:] x): yield x\n"
    ours = compiled(SWITCHED + text, text, SWITCHED + text)
    assert [(c.count(FILLED), "IS_LENT" in c) for c in ours] == [(1, False), (0, False), (1, False)]
    assert plain_c(ours[1]) == plain_c(compiled(text, text, layer=False)[1])


def test_a_comment_goes_before_the_option(tmp_path):
    for number, (comment, options, expected) in enumerate([
            ("", [], False), ("", ["--borrow-views"], True), (SWITCHED, [], True),
            (SWITCHED.replace("True", "False"), ["--borrow-views"], False)]):
        path = tmp_path / f"mod{number}.pyx"
        path.write_text(comment + BORROWS)
        assert command("-3", *options, path.name, cwd=tmp_path).returncode == 0
        assert (BORROWED in path.with_suffix(".c").read_text()) is expected


@pytest.mark.cythons
def test_the_nearest_decorator_decides_then_the_module(tmp_path):
    body = source("""
        from cython_customslots cimport borrow_views
        cimport cython_customslots as cs
        ctypedef fused real:
            float
            double
        @borrow_views
        def on(double[:] x): return x[0]
        @cs.borrow_views(False)
        def off(double[:] x): return x[0]
        @cs.borrow_views(True)
        cpdef double cpdef_on(double[:] x): return x[0]
        @borrow_views
        cpdef real fused_cpdef_on(real[:] x): return x[0]
        def as_module(double[:] x): return x[0]
        @cs.borrow_views
        cdef class On:
            def on(self, double[:] x): return x[0]
            @cs.borrow_views(False)
            cpdef double cpdef_off(self, double[:] x): return x[0]
        @cs.borrow_views(False)
        cdef class Off:
            def off(self, double[:] x): return x[0]
        class Python:
            @borrow_views
            def on(self, double[:] x): return x[0]
            def as_module(self, double[:] x): return x[0]
        def outer():
            @borrow_views()
            def inner_on(double[:] x): return x[0]
            return inner_on
        @cs.borrow_views(False)
        cpdef double buffer_off(object[double] x): return x[0]
        @cs.borrow_views
        cpdef double buffer_on(object[double] x): return x[0]
        """)
    for name, comment in ("on", SWITCHED), ("off", ""), ("no", SWITCHED.replace("True", "False")):
        (tmp_path / f"{name}.pyx").write_text(comment + body)
        found = {function.rpartition(".")[2] for function, _ in said(tmp_path, "-v", f"{name}.pyx")}
        assert {"on", "cpdef_on", "fused_cpdef_on", "inner_on", "buffer_on"} == found - {"as_module"}
        assert ("as_module" in found) == (name == "on")
        assert (tmp_path / f"{name}.c").read_text().count(FILLED) == 2


@pytest.mark.cythons
def test_every_argument_borrows_or_not_as_the_name_of_its_function_says(tmp_path):
    found = said(tmp_path, "-v", "--borrow-views", str(EVERY), "-o", "every.c")
    says = {"borrows": re.compile("borrows$"), "keeps": re.compile("borrows until .*[^)]$"),
            "refuses": re.compile("does not borrow: ")}
    wrong = [(*names, what) for names, what in found.items() for name in names
             if name.partition("_")[0] in says and not says[name.partition("_")[0]].match(what)]
    assert wrong == [] and len(found) > 170


@pytest.mark.cythons
def test_every_local_variable_borrows_or_not_as_its_name_says(tmp_path):
    every = EVERY.with_name("local_views.pyx")
    found = said(tmp_path, "-v", "--borrow-views", str(every), "-o", "every.c", of="variable")
    assert [(*names, what) for names, what in found.items()
            if what.startswith("borrows") != names[1].startswith("borrow_")] == [] and len(found) > 20


def test_what_is_said_of_an_argument_names_the_use_and_its_line(tmp_path):
    (tmp_path / "mod.pyx").write_text(source("""
        cimport cython
        from cython.parallel import prange
        cdef double[:] last
        cdef class A:
            cdef double at(self, double[:] x): return x[0]
            def asks(self, double[:] x): return self.at(x)
        cdef inner(double[:] x): return hands(x)
        cdef hands(double[:] x):
            y = x[1:]
            return y
        cdef double (*pointer)(double[:])
        cdef void keep(double[:] x) noexcept nogil:
            global last
            last = x
        def returned(double[:] x): return x
        def stored(double[:] x):
            global last
            cdef double[:] y = x
            last = y
        def twice(double[:] x):
            if x[0]: print(x)
            return x
        def passed(double[:] x): return inner(x)
        def pointed(double[:] x): return pointer(x)
        def copied(double[:] x): return x.copy()[0]
        def held(double[:] x): return lambda: x[0]
        def yields(double[:] x): yield x[0]
        def together(double[:, :] x):
            cdef Py_ssize_t i
            for i in prange(x.shape[0], nogil=True): keep(x[i])
        def objects(object[:] x): return x[0]
        def indirect(double[::cython.view.generic] x): return x[0]
        def fine(double[:] x): return x[0]
        """))
    assert said(tmp_path, "-v", "--borrow-views", "mod.pyx") == {
        ("A.asks", "x"): "borrows until it is passed to at(), which a subclass may override, in line 6",
        ("returned", "x"): "borrows until it is made a Python object, in line 15",
        ("stored", "x"): "borrows until it is stored, in line 19",
        ("twice", "x"): "borrows until it is made a Python object, in line 21",
        ("passed", "x"): "borrows until it is passed to inner(), where it is passed to hands(), where it is made a "
                         "Python object, in line 9",
        ("pointed", "x"): "borrows until it is passed to pointer(), which this module cannot look into, in line 24",
        ("copied", "x"): "borrows until a method of its memoryview is called, in line 25",
        ("held", "x"): "does not borrow: an inner function has 'x'",
        ("yields", "x"): "does not borrow: the function is a generator",
        ("together", "x"): "does not borrow: in a parallel block it is passed to keep(), where it is stored, in line "
                           "14",
        ("objects", "x"): "does not borrow: its items are of type 'Python object'",
        ("indirect", "x"): "does not borrow: its items may be reached by pointers",
        ("fine", "x"): "borrows"}
    assert said(tmp_path, "-v", "mod.pyx") == said(tmp_path, "--borrow-views", "mod.pyx") == {}


def test_what_is_said_of_a_local_variable_names_the_use_and_its_line(tmp_path):
    (tmp_path / "mod.pyx").write_text(source("""
        def fine(x):
            cdef double[:] v = x
            return v[0]
        def perhaps(x, n):
            cdef double[:] v = x
            if n: return v
        def given(x):
            cdef double[:] v = x
            return v
        def twice(x):
            cdef double[:] v = x
            v = None
        def loop(x):
            cdef double[:] v
            for y in x: v = y
        cdef int unlocked() except -1 nogil:
            cdef double[:] v
            with gil: v = object()
        def objects(x):
            cdef object[:] v = x
        """))
    assert said(tmp_path, "-v", "--borrow-views", "mod.pyx", of="variable") == {
        ("fine", "v"): "borrows",
        ("perhaps", "v"): "borrows until it is made a Python object, in line 6",
        ("given", "v"): "does not borrow: it is made a Python object, in line 9",
        ("twice", "v"): "does not borrow: it is assigned to, or deleted, elsewhere",
        ("loop", "v"): "does not borrow: it is assigned in a loop",
        ("unlocked", "v"): "does not borrow: the function may be called without the GIL",
        ("objects", "v"): "does not borrow: its items are of type 'Python object'"}


def test_what_is_said_of_the_old_buffer_syntax_names_the_type_of_its_items(tmp_path):
    (tmp_path / "mod.pyx").write_text(source("""
        ctypedef fused item:
            double
            object
        cdef struct S:
            int a
        def fine(object[double] x, object[char, ndim=2, mode="c"] y):
            cdef object[const float complex, mode="fortran"] v = x
            x = v = y
        def fused(object[item] x): return x[0]
        def cast(object[unsigned char, cast=True] x): return x[0]
        def truth(object[bint] x): return x[0]
        def records(object[S] x): return x[0].a
        cdef class A:
            def method(self, object[double] x): return x[0]
        """))
    found = {of: said(tmp_path, "-v", "--borrow-views", "mod.pyx", of=of) for of in ("argument", "variable")}
    assert found["variable"] == {("fine", "v"): "borrows"}
    assert found["argument"] == {
        ("fine", "x"): "borrows", ("fine", "y"): "borrows",
        ("fused", "x"): "borrows in some specializations, in others it does not borrow: its items are of type 'Python "
                        "object'",
        ("cast", "x"): "does not borrow: its items are cast",
        ("truth", "x"): "does not borrow: its items are of type 'bint'",
        ("records", "x"): "does not borrow: its items are of type 'S'",
        ("A.method", "x"): "borrows"}


MUTUAL = source("""
    cdef keep(double[:] x): return lambda: x
    cdef double even(double[:] x, int n): return 0 if n == 0 else odd(x[1:], n - 1)
    cdef double odd(double[:] x, int n):
        {last}
        return 1 if n == 0 else even(x[1:], n - 1)
    def first(double[:] x): return odd(x, 3)        # looks at even() while it looks at odd()
    def second(double[:] x): return even(x, 3)
    """)


@pytest.mark.parametrize("last, borrows", [("n += 0", True), ("f = lambda: x", False)])
def test_functions_that_call_each_other_are_looked_at_together(tmp_path, last, borrows):
    """What one was thought to do while the other was looked at is looked at again, if it was wrong."""
    (tmp_path / "mod.pyx").write_text(MUTUAL.format(last=last))
    found = said(tmp_path, "-v", "--borrow-views", "mod.pyx")
    assert set(found) == {("first", "x"), ("second", "x")}
    assert [(what == "borrows") for what in found.values()] == [borrows, borrows]
    even = r"\nstatic double __pyx_f_3mod_even\([^;]*?\) {.*?\n}"
    text = re.search(even, (tmp_path / "mod.c").read_text(), re.DOTALL).group()
    assert ("Materialise(" in text) is not borrows


def test_annotated_html_shows_which_arguments_borrow(tmp_path):
    (tmp_path / "mod.pyx").write_text(SWITCHED + BORROWS + "def buffer(object[double] z):\n    z = z\n")
    assert command("-3", "-a", "mod.pyx", cwd=tmp_path).returncode == 0
    html = (tmp_path / "mod.html").read_text()
    assert "title='cython-customslots: x borrows, y borrows'>" in html
    assert "title='cython-customslots: z borrows'>" in html


@pytest.mark.thorough
@pytest.mark.skipif(support.FREE_THREADED, reason="free-threaded CPython has no Limited API before 3.15")
def test_in_the_limited_api_nothing_borrows(tmp_path):
    import array
    import sys
    path = tmp_path / "limited.c"
    text = BORROWS + "def first(object[double] x): return x[0]\n"
    path.write_text(compiled(SWITCHED + text)[0].replace('"mod', '"limited').replace("PyInit_mod", "PyInit_limited"))
    limited = f"-DPy_LIMITED_API=0x03{max(sys.version_info.minor, 11):02X}0000"
    module = support.load(support.build_c("limited", path, cflags=(*support.CYTHON_FLAGS, limited)))
    assert module.dot(array.array("d", [1, 2]), array.array("d", [3, 4])) == 11
    assert module.first(array.array("d", [1, 2])) == 1
