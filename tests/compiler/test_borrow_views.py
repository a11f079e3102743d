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
    def given(double[::1] x):
        return x
    cdef class A:
        cdef public int n
        cpdef double get(self, object[:] x): return x[0]
    """)
BORROWED = "__Pyx_CustomSlots_BorrowView("


def compiled(*texts, **options):
    """The C of each text."""
    results = compile_all({f"case{i}": {"mod.pyx": text} for i, text in enumerate(texts)}, **options)
    assert [result.errors for result in results.values()] == [[]] * len(texts)
    return [result.c for result in results.values()]


def said(directory, *arguments):
    """{argument of a function: what -v says of it}."""
    done = command("-3", *arguments, cwd=directory)
    assert done.returncode == 0, done.stderr
    lines = re.findall(r"^(?:\S*/)?\w+\.pyx:(\d+):\d+: customslots: argument '(\w+)' of '\w+\.([\w.]+)' (.*)$",
                       done.stderr, re.MULTILINE)
    assert [int(line) for line, *_ in lines] == sorted(int(line) for line, *_ in lines)
    return {(function, name): what for _, name, function, what in lines}


@pytest.mark.cythons
@pytest.mark.interpreters
def test_a_module_with_nothing_to_borrow_comes_out_as_from_plain_cython():
    ours, = compiled(SWITCHED + KEEPS)
    plain, = compiled(SWITCHED + KEEPS, layer=False)
    assert plain_c(ours) == plain_c(plain) and "CUSTOMSLOTS" not in ours


def test_a_module_that_borrows_leaves_the_next_one_as_it_is():
    """What Cython says of reference counts is one text for all modules of a process."""
    ours = compiled(SWITCHED + BORROWS, BORROWS, SWITCHED + BORROWS)
    assert [c.count("memview == __PYX_CUSTOMSLOTS_BORROWED ||") for c in ours] == [2, 0, 2]
    assert plain_c(ours[1]) == plain_c(compiled(BORROWS, BORROWS, layer=False)[1])


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
        @cs.borrow_views(False)
        cpdef double cpdef_off(double[:] x): return x[0]
        @borrow_views
        def fused_on(real[:] x): return x[0]
        @borrow_views
        cpdef real fused_cpdef_on(real[:] x): return x[0]
        def as_module(double[:] x): return x[0]
        @cs.borrow_views
        cdef class On:
            def on(self, double[:] x): return x[0]
            cpdef double cpdef_on(self, double[:] x): return x[0]
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
        """)
    for name, comment in ("on", SWITCHED), ("off", ""), ("no", SWITCHED.replace("True", "False")):
        (tmp_path / f"{name}.pyx").write_text(comment + body)
        found = {function.rpartition(".")[2] for function, _ in said(tmp_path, "-v", f"{name}.pyx")}
        assert {"on", "cpdef_on", "fused_on", "fused_cpdef_on", "inner_on"} == found - {"as_module"}
        assert ("as_module" in found) == (name == "on")


@pytest.mark.cythons
def test_every_argument_borrows_or_not_as_the_name_of_its_function_says(tmp_path):
    found = said(tmp_path, "-v", "--borrow-views", str(EVERY), "-o", "every.c")
    wrong = [(*names, what) for names, what in found.items() for name in names
             if name.startswith(("borrows_", "keeps_")) and (what == "borrows") != name.startswith("borrows_")]
    assert wrong == [] and len(found) > 170


def test_what_is_said_of_an_argument_names_the_use_and_its_line(tmp_path):
    (tmp_path / "mod.pyx").write_text(source("""
        cimport cython
        cdef double[:] last
        cdef class A:
            cdef double at(self, double[:] x): return x[0]
            def asks(self, double[:] x): return self.at(x)
        cdef inner(double[:] x): return hands(x)
        cdef hands(double[:] x):
            y = x[1:]
            return y
        def returned(double[:] x): return x
        def stored(double[:] x):
            global last
            last = x
        def passed(double[:] x): return inner(x)
        def turned(double[:, :] x): return x.T[0, 0]
        def copied(double[:] x, double[:] y): x[:] = y
        def held(double[:] x): return lambda: x[0]
        def yields(double[:] x): yield x[0]
        def objects(object[:] x): return x[0]
        def indirect(double[::cython.view.generic] x): return x[0]
        def fine(double[:] x): return x[0]
        """))
    assert said(tmp_path, "-v", "--borrow-views", "mod.pyx") == {
        ("A.asks", "x"): "does not borrow: it is passed to at(), which a subclass may override, in line 5",
        ("returned", "x"): "does not borrow: it is made a Python object, in line 10",
        ("stored", "x"): "does not borrow: it is stored, in line 13",
        ("passed", "x"): "does not borrow: it is passed to inner(), where it is passed to hands(), where it is made a "
                         "Python object, in line 8",
        ("turned", "x"): "does not borrow: an attribute of its memoryview is read, in line 15",
        ("copied", "x"): "does not borrow: its items are copied from or to another slice, in line 16",
        ("copied", "y"): "does not borrow: its items are copied from or to another slice, in line 16",
        ("held", "x"): "does not borrow: an inner function has 'x'",
        ("yields", "x"): "does not borrow: the function is a generator",
        ("objects", "x"): "does not borrow: its items are of type 'Python object'",
        ("indirect", "x"): "does not borrow: its items may be reached by pointers",
        ("fine", "x"): "borrows"}
    assert said(tmp_path, "-v", "mod.pyx") == said(tmp_path, "--borrow-views", "mod.pyx") == {}


def test_annotated_html_shows_which_arguments_borrow(tmp_path):
    (tmp_path / "mod.pyx").write_text(SWITCHED + BORROWS)
    assert command("-3", "-a", "mod.pyx", cwd=tmp_path).returncode == 0
    assert re.search(r"title='cython-customslots: x borrows, y borrows'>def dot\(|"
                     r"title='cython-customslots: x borrows, y borrows'>", (tmp_path / "mod.html").read_text())


@pytest.mark.thorough
@pytest.mark.skipif(support.FREE_THREADED, reason="free-threaded CPython has no Limited API before 3.15")
def test_in_the_limited_api_nothing_borrows(tmp_path):
    import array
    import sys
    path = tmp_path / "limited.c"
    path.write_text(compiled(SWITCHED + BORROWS)[0].replace('"mod', '"limited').replace("PyInit_mod", "PyInit_limited"))
    limited = f"-DPy_LIMITED_API=0x03{max(sys.version_info.minor, 11):02X}0000"
    module = support.load(support.build_c("limited", path, cflags=(*support.CYTHON_FLAGS, limited)))
    assert module.dot(array.array("d", [1, 2]), array.array("d", [3, 4])) == 11
