# SPDX-License-Identifier: MIT
"""Objects whose class has the slot PyTypedArray_STABLE_BUFFER lend: Cython's memoryviews, arrays, and stable=True."""
import array
import ctypes
import functools
import gc
import subprocess
import sys

import Cython
import hypothesis
import hypothesis.strategies as st
import pytest
import support
from array_support import BUFFER, DOUBLE, HERE, OBJECT, WRITABLE, agree, alike, result
from test_borrowed_views import SWITCH, lending

pytestmark = [pytest.mark.interop, pytest.mark.cythons]

SOURCE = HERE / "borrowed_views.pyx"


def lends(modules, x, name="borrows_calling"):
    """Does an object lend?  A memoryview holds it twice, a function that borrows holds it once."""
    before, meanwhile = sys.getrefcount(x), []
    for module in modules:
        getattr(module, name)(x, lambda: meanwhile.append(sys.getrefcount(x)))
        assert sys.getrefcount(x) == before
    return meanwhile[1] < meanwhile[0]


# ------------------------------------------------------------------ memoryviews and arrays of Cython's

def test_memoryviews_and_arrays_of_a_module_in_which_something_borrows_lend(np, modules):
    for lender in True, False:
        maker, a = lending(lender), np.arange(9.0)
        for x in (maker.view_of(a), maker.slice_of(a), maker.doubles(a), maker.doubles(a)[::-2],
                  maker.rows(np.eye(3)).T[1], maker.copied(np.eye(3))[1], maker.array_of((3,)),
                  maker.array_of((3,), mode="fortran"), maker.array_of((3, 3)).memview[1]):
            assert lends(modules, x) is lender
        assert lends(modules, maker.const_doubles(a), "borrows_const_calling") is lender


def test_no_buffer_lends_that_its_owner_may_take_back(np, modules):
    for x in memoryview(np.arange(3.0)), array.array("d", [1, 2]), (ctypes.c_double * 3)():
        assert not lends(modules, x)


@hypothesis.settings(deadline=None)
@hypothesis.given(st.data())
def test_shape_strides_and_order_are_taken_as_cython_takes_them(np, modules, data):
    a = np.arange(64.0).reshape(8, 8, order=data.draw(st.sampled_from("CF")))
    slices = st.sampled_from([(8,), (3,), (1,), (0,), (None, None, 2), (None, None, -1), (0, 8, 3)])
    view = lending().view_of(a)[tuple(slice(*data.draw(slices)) for _ in range(2))]
    if 0 not in view.shape:
        view = data.draw(st.sampled_from([view, view.T, view.copy(), view.copy_fortran()]))
    for name in "borrows_matrix", "borrows_c_matrix", "borrows_f_matrix":
        agree(modules, name, view)


IN_CTYPES = {"d": "c_double", "f": "c_float", "i": "c_int", "l": "c_long", "b": "c_byte"}


@pytest.mark.parametrize("format", "cbBhHiIlLqQnN?fdP")
def test_formats_mean_what_they_mean_to_cython(np, modules, format):
    exporters = [memoryview(bytearray(64)).cast(format)]
    if format in np.typecodes["All"]:
        exporters += [np.ones(2, format), np.ones(2, ">" + format), np.ones(2, [("x", format)])]
    exporters.append(memoryview((getattr(ctypes, IN_CTYPES.get(format, "c_bool")) * 3)()))
    for exporter in exporters:
        for view in lending().view_of(exporter), lending().slice_of(exporter):
            for name in "borrows_char", "borrows_const_char", "borrows_signed_char", "borrows_uchar":
                agree(modules, name, view)
            for name in "borrows_number", "borrows_writable":
                assert len(alike(modules, lambda module, name=name, view=view: {
                    signature: result(function, view)
                    for signature, function in getattr(module, name).__signatures__.items()})) == 11


def test_a_view_of_pointers_is_left_to_cython(np, modules):
    """Which takes them for the items, if any strides will do."""
    pointed = lending().pointed(np.eye(3))
    for name in "borrows_matrix", "borrows_c_matrix", "borrows_f_matrix":
        agree(modules, name, pointed)


def test_bases_and_types_of_objects_are_those_of_plain_cython(np, modules):
    def bases(module):
        a, found = np.arange(4.0), []
        for x in lending().doubles(a), module.keeps_object(a), module.keeps_slice(a), lending().array_of((3,)), a:
            known = {id(a): "the array", id(x): "the argument"}
            made = module.keeps_object(x), module.keeps_slice(x)
            found.append([known.get(id(module.keeps_base(x)))])
            for view in made:
                found[-1] += [known.get(id(view.base)), type(view).__module__.replace(module.__name__, "module"),
                              type(view).__name__, known.get(id(np.asarray(view).base)), sys.getrefcount(x),
                              view.nbytes, memoryview(view).format, memoryview(view).readonly]
            del made, view
            gc.collect(0)
            found[-1].append(sys.getrefcount(x))
        return found
    assert len(alike(modules, bases)) == 5


def test_memory_stays_when_nobody_else_has_the_object_any_more(np, ours):
    a = np.arange(1000.0)
    for x in lending().doubles(a + 7), lending().array_of((1000,)), ours.keeps_slice(a + 6):
        kept = [x]
        del x
        assert ours.borrows_calling(kept[0], kept.clear)[1] >= 999


def test_the_array_behind_a_memoryview_refuses_to_be_resized_meanwhile(np, ours):
    a = np.arange(9.0)
    view = [lending().doubles(a)]
    with pytest.raises(ValueError, match="resize"):
        ours.borrows_calling(view[0], lambda: (view.clear(), a.resize(2000)))
    with pytest.raises(BufferError):
        x = array.array("d", [1, 2])
        ours.borrows_calling(lending().doubles(x), lambda: x.extend([3] * 1000))


# ------------------------------------------------------------------ classes with stable=True

@pytest.fixture(scope="module")
def stable(np):
    return support.load(support.build_cython(HERE / "stable_arrays.pyx", cython_args=[SWITCH]))


def test_objects_of_a_stable_class_lend_to_functions_that_exist(np, modules, stable):
    x, other = stable.Stable(5), stable.Moving(5)
    assert lends(modules, x) and not lends(modules, other)
    for module in modules:
        shape, strides, *_ = module.borrows_matrix(stable.Matrix(2, 3))
        assert (shape[:2], strides[:2]) == ([2, 3], [24, 8])
        module.borrows_writable["double"](x)
        assert np.asarray(x)[0] == 3 and module.keeps_base(x) is x
        assert np.asarray(module.keeps_slice(x)).tolist() == [1, 2, 3, 4]
        x[0] = 0
    kept = [stable.Stable(1000)]
    assert modules[1].borrows_calling(kept[0], kept.clear) == (0, 1000)
    assert stable.deallocated() >= 1


@pytest.mark.parametrize("change, expected", [
    (dict(n=-1), BufferError), (dict(n=0), None), (dict(step=-1), None), (dict(step=2), None), (dict(fixed=True), None),
    (dict(fails=True), ZeroDivisionError), (dict(type=1), ValueError), (dict(type=2), BufferError),
    (dict(empty=True), BufferError)])
def test_what_a_stable_object_says_is_checked_as_by_plain_cython(np, modules, stable, change, expected):
    x = stable.Stable(5)
    for name, value in change.items():
        setattr(x, name, value)
    before = sys.getrefcount(x)
    for name in "keeps_object", "borrows_nbytes", "borrows_writable", "borrows_number":
        def called(module, name=name):
            function = getattr(module, name)
            made = result(function["double"] if hasattr(function, "__signatures__") else function, x)
            return made if not hasattr(made, "base") else (np.asarray(made).tolist(), made.strides)
        found = alike(modules, called, name)
        assert expected is None or found[0] is expected
    assert sys.getrefcount(x) == before


def test_a_subclass_lends_unless_its_buffer_is_another(modules, stable):
    class Sub(stable.Stable): pass
    assert lends(modules, Sub(3)) and lends(modules, stable.Below(3))
    assert not lends(modules, stable.OwnBuffer(3)) and not lends(modules, stable.Unstable(3))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python has __buffer__ since 3.12")
def test_a_subclass_with_a_buffer_of_its_own_in_python_does_not_lend(np, modules, stable):
    class Other(stable.Stable):
        def __buffer__(self, flags):
            return memoryview(array.array("d", [7, 8]))

    class Releases(stable.Stable):
        def __release_buffer__(self, view):
            released.append(view)
    released = []
    for module in modules:
        assert module.borrows_calling(Other(3), gc.collect) == (7, 2)
        assert module.borrows_calling(Releases(3), lambda: released.append("meanwhile")) == (0, 3)
        assert released[0] == "meanwhile"
        released.clear()


def test_others_take_a_stable_object_without_an_export(np, stable):
    x = stable.Stable(4)
    view, a = memoryview(x), np.asarray(x)
    assert (view.format, view.shape, view.strides, view.readonly, view.obj) == ("d", (4,), (8,), False, x)
    x.n = 2
    assert view.tolist() == a.tolist() == [0, 1, 2, 3] and memoryview(x).tolist() == [0, 1]
    x.fixed = True
    assert memoryview(x).readonly
    with pytest.raises(BufferError, match="that is read-only, expected one that may be written to"):
        stable.writable(x)


def test_readers_in_c_take_the_buffer_where_they_would_need_an_export(np, arrays, nothing_left, stable):
    x, other = stable.Stable(4), stable.Moving(4)
    assert arrays.look(x, *DOUBLE, 1, 0)["held"] == arrays.look(other, *DOUBLE, 1, 0)["held"] == OBJECT
    for flags, owns in (WRITABLE, False), (0, True), (WRITABLE, True):
        found = arrays.look(x, *DOUBLE, 1, flags, 0, owns)
        assert (found["held"], found["strides"], found["readonly"]) == (BUFFER, (8,), 0)
        assert arrays.look(other, *DOUBLE, 1, flags, 0, owns)["held"] != BUFFER
    x.fixed = True
    with pytest.raises(TypeError, match="that is read-only"):
        arrays.look(x, *DOUBLE, 1, WRITABLE)
    x.fixed, x.type = False, 2                   # no buffer can say that, DLPack can
    assert arrays.look(x, 4, 16, 1, WRITABLE)["dtype"] == (4, 16, 1)


def test_a_class_in_c_says_it_too_and_what_it_says_is_checked(np, arrays, nothing_left, modules):
    cls = type("Stable", (arrays.Exporter,), {})
    for _ in range(2):
        arrays.provide(cls, 2)
    memory = np.arange(6.0)
    x = cls((6,), (1,), memory)
    assert lends(modules, x) and arrays.look(x, *DOUBLE, 1, WRITABLE)["held"] == BUFFER
    assert arrays.look(x, *DOUBLE, 1, WRITABLE)["data"] == memory.ctypes.data
    for arguments in (dict(shape=(-1,)), dict(shape=(1,) * 33), dict(memory=None), dict(fails=1), dict(fails=2),
                      dict(strides=(1 << 61,)), dict(device=(2, 0)), dict(dtype=(4, 16, 1)), dict(dtype=(17, 4, 1)),
                      dict(shape=(3, 2))):
        x = cls(**{"shape": (2,), "strides": None, "memory": memory, **arguments})
        before = sys.getrefcount(x)
        assert alike(modules, lambda module, x=x: result(module.keeps_object, x))[0] in (BufferError, ValueError)
        assert sys.getrefcount(x) == before


# ------------------------------------------------------------------ other modules, interpreters, kinds of classes

TEXT = """# cython: language_level=3
def make(double[:] x): return x
def base(double[:] x): return x.base
def take(double[:] x, function):
    function()
    return x[1]
"""
#: x of another module: does it lend?
ASKED = """
    import array, gc, sys, maker, plain, taker
    a = array.array("d", [1, 2, 3])
    for make, lends in (maker.make, True), (plain.make, False):
        x, meanwhile = make(a), []
        before = sys.getrefcount(x)
        for module in taker, plain:
            assert module.take(x, lambda: meanwhile.append(sys.getrefcount(x))) == 2
            assert module.base(x) is (a if {same} or module is plain and not lends else x)
        assert before == sys.getrefcount(x) and ({same} or (meanwhile[0] < meanwhile[1]) is lends), (meanwhile, lends)
    """


@pytest.mark.thorough
@pytest.mark.parametrize("flags", [(), ("-DCYTHON_USE_TYPE_SPECS=1",)], ids=["static types", "heap types"])
def test_modules_may_be_imported_in_other_interpreters(np, tmp_path, flags):
    """Their memoryviews are those of the first one, unless the classes are made for each."""
    paths = []
    for name in "maker", "taker", "plain":
        (tmp_path / f"{name}.pyx").write_text(TEXT)
        paths.append(support.build_cython(tmp_path / f"{name}.pyx", name != "plain", directory=tmp_path, cflags=flags,
                                          cython_args=[SWITCH] if name != "plain" else []))
    asked = ASKED.format(same=False)
    support.check_child(asked, modules=paths)
    support.run_in_new_interpreter(asked, legacy=True, modules=paths)
    with pytest.raises(RuntimeError, match="Interpreter change detected"):
        support.run_in_new_interpreter(asked, legacy=True, modules=paths)


@pytest.mark.thorough
@pytest.mark.skipif(tuple(map(int, Cython.__version__.split(".")[:2])) < (3, 2),
                    reason="Cython shares utility code since 3.2")
def test_modules_that_share_their_utility_code_take_memoryviews_as_they_are(np, tmp_path):
    run = functools.partial(subprocess.run, check=True, cwd=tmp_path)
    layer = sys.executable, "-m", "cython_customslots.compiler.commands.cli", "-3"
    run([*layer, "--generate-shared=shared_code.c"])
    for name in "maker", "taker", "plain":
        (tmp_path / f"{name}.pyx").write_text(TEXT)
        run([*layer, "--shared=shared_code", *[SWITCH][:name != "plain"], f"{name}.pyx"])
    paths = [support.build_c(name, tmp_path / f"{name}.c", cflags=support.CYTHON_FLAGS, directory=tmp_path)
             for name in ("shared_code", "maker", "taker", "plain")]
    support.check_child(ASKED.format(same=True), modules=paths)
