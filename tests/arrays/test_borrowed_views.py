# SPDX-License-Identifier: MIT
"""--borrow-views: functions that borrow NumPy's arrays do what they do with plain Cython, whatever is passed."""
import array
import functools
import gc
import itertools
import pickle
import re
import sys

import hypothesis
import hypothesis.strategies as st
import pytest
import support
from array_support import HERE, agree, alike, result, run_in_threads

pytestmark = [pytest.mark.interop, pytest.mark.cythons]

SOURCE = HERE / "borrowed_views.pyx"
SWITCH = "--borrow-views"


@functools.cache
def lending(lends=True):
    """The module whose memoryview objects lend, or the same by plain Cython."""
    return support.load(support.build_cython(
        HERE / "lending_views.pyx", lends, name=f"lending_views_{lends}", cython_args=[SWITCH] if lends else []))


# ------------------------------------------------------------------ what a call does

SIGNATURES = dict(re.findall(r"^(?:async )?c?p?def (?:double )?((?:borrows|keeps|refuses)_\w+)\((.*?)\)",
                             SOURCE.read_text(encoding="utf-8"), re.MULTILINE))
TYPED = {"doubles": "double[:]", "some_view": "double[:]"}
TYPES = {"double": "f8", "char": "i1", "signed char": "i1", "unsigned char": "u1", "object": "O",
         "P": [("a", "i4"), ("b", "f8")], "number": "f4", "x: cython.double": "f8"}
KINDS = {
    "usual": lambda np, a: a,
    "read-only": lambda np, a: read_only(a),
    "with gaps": lambda np, a: np.repeat(a, 2, axis=0)[::2],
    "backwards": lambda np, a: a[::-1],
    "of a list": lambda np, a: [1, 2, 3],
    "of another type": lambda np, a: np.ones(a.shape, "f4" if a.dtype == "f8" else "f8"),
    "in the other byte order": lambda np, a: a.astype(a.dtype.newbyteorder()),
    "empty": lambda np, a: a[:0],
    "of more dimensions": lambda np, a: a[None],
    "unaligned": lambda np, a: unaligned(np, a),
    "a memory map's subclass": lambda np, a: a.view(np.memmap),
    "a matrix": lambda np, a: np.matrix(a) if a.ndim == 2 else a.view(type("Sub", (np.ndarray,), {})),
    "masked": lambda np, a: np.ma.masked_array(a),
    "of bytes": lambda np, a: bytearray(a.tobytes()) if a.dtype != "O" else a,
    "an array.array": lambda np, a: array.array("d", a.ravel()) if a.dtype == "f8" else a,
    "that warns on write": lambda np, a: np.broadcast_arrays(a[:1], a)[0],
    "None": lambda np, a: None,
    "a memoryview": lambda np, a: lending().slice_of(a),
    "a memoryview that is not sliced": lambda np, a: lending().view_of(a),
    "a memoryview with gaps": lambda np, a: lending().view_of(np.repeat(a, 2, axis=0))[::2],
    "a memoryview that is read-only": lambda np, a: lending().slice_of(read_only(a), False),
    "a memoryview, transposed": lambda np, a: lending().slice_of(a).T,
    "a memoryview of plain Cython": lambda np, a: lending(False).slice_of(a),
}


def read_only(a):
    a.flags.writeable = False
    return a


def unaligned(np, a):
    if a.dtype == "O":
        return a
    moved = np.frombuffer(bytearray(a.nbytes + 1), dtype="u1")[1:].view(a.dtype).reshape(a.shape)
    moved[...] = a
    return moved


def arguments(np, module, signature, kind, number=1):
    """What a function of that signature is called with."""
    made = []
    for parameter in re.split(r",(?![^\[]*\])", signature):
        parameter = parameter.strip()
        parameter = TYPED.get(parameter.partition(" ")[0], parameter)
        if "[" in parameter and "k=" not in parameter:
            item, _, axes = parameter.partition("[")
            ndim = axes.partition("]")[0].count(",") + 1
            dtype = np.dtype(TYPES[item.removeprefix("const ")])
            shape = (3,) * min(ndim, 3) + (1,) * (ndim - 3)
            a = np.zeros(shape, dtype)
            if dtype.names is None:
                a[...] = (np.arange(a.size) + 1.5 if dtype.kind in "Of" else np.arange(a.size) + 1).reshape(shape)
            made.append(KINDS[kind](np, np.asfortranarray(a) if axes.startswith("::1, ") else a))
        elif parameter.startswith("Holder"):
            made.append(module.Holder())
        elif parameter.startswith(("bint", "int")):
            made.append(number)
        elif parameter and "=" not in parameter and not parameter.startswith("*"):
            made.append(type("Anything", (dict,), {"__call__": lambda self: None})())
    return made


def shown(np, value):
    if isinstance(value, np.ndarray):
        return "array", value.tolist()
    if isinstance(value, (tuple, list)):
        return type(value)(shown(np, each) for each in value)
    if isinstance(value, dict):
        return {key: shown(np, each) for key, each in value.items()}
    if hasattr(value, "send"):
        try:
            return "generator", [shown(np, each) for each in value]
        except TypeError:
            value.close()
            return "coroutine"
    if callable(value):
        return "callable"
    if type(value).__name__ in ("memoryview", "_memoryviewslice"):
        return "memoryview", np.asarray(value).tolist()
    return re.sub("0x[0-9a-f]+", "ADDRESS", repr(value))


def outcome(np, module, name, kind, number=1):
    """What a function returns or raises, what it leaves in its arguments, and how many references to them."""
    made = arguments(np, module, SIGNATURES[name], kind, number)
    counts = [sys.getrefcount(each) for each in made]
    try:
        said = shown(np, getattr(module, name)(*made))
    except Exception as error:
        said = re.sub("0x[0-9a-f]+", "ADDRESS", f"{type(error).__name__}: {error}".replace(module.__name__, "module"))
    for each in made:
        if isinstance(each, module.Holder):
            each.hold(np.zeros(1))
        elif isinstance(each, dict):
            each.clear()
            vars(each).clear()
    module.keeps_global(np.zeros(1))
    gc.collect(0)
    more = [sys.getrefcount(each) - count for each, count in zip(made, counts)
            if kind != "None" and not isinstance(each, int)]
    return said, [shown(np, each) for each in made if not isinstance(each, (dict, module.Holder))], more


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:Numpy has detected", "ignore:the matrix subclass", "ignore:future versions")
@pytest.mark.parametrize("kind", KINDS)
def test_every_function_does_what_it_does_with_plain_cython(np, modules, kind):
    """The results, the errors word for word, the items and the numbers of references."""
    for name in SIGNATURES:
        # Reading an item of None or of nothing, unchecked, crashes with plain Cython, too.
        if kind == "None" and not re.search("none", name) or kind == "empty" and name == "borrows_ptr":
            continue
        alike(modules, lambda module, name=name: outcome(np, module, name, kind), name)


def test_methods_do_what_they_do_with_plain_cython(np, modules):
    x = np.arange(3.0) + 1

    def called(module):
        holder, final, sub = module.Holder(), module.FinalHolder(), module.Sub()

        class Python(module.Holder):
            def cm(self, y):
                self.saved = y
                return 42.0

        python = Python()
        return [holder.calls_fm(x), holder.calls_m(x), holder.calls_cm(x), final.calls_cpm(x), sub.calls_cm(x),
                sub.cm(x), holder(x), holder(x, x), holder.st(x), holder.cm(x), python.calls_cm(x),
                np.asarray(python.saved).tolist()]
    alike(modules, called)


def test_what_methods_keep_is_alive_when_the_array_is_gone(np, modules):
    def new(first=1.5):
        return np.arange(1000.0) + first

    def called(module):
        keeper, kept = module.Keeper(new()), []

        class Overrides(module.Keeper):
            def asks(self, x):
                kept.append(x)
                return -1

        found = [keeper.view.sum(), keeper[new()], new() in keeper, new(2) in keeper, keeper.of(new())]
        keeper[0] = new(3)
        found += [keeper.view.sum(), keeper(new(4)).sum()]
        keeper.view = new(5)
        overrides = Overrides(new())
        found += [keeper.view.sum(), keeper.asks(new()), keeper.asked(new()), keeper.asked_bound(new()),
                  overrides.asks(new()), overrides.asked(new()), overrides.asked_bound(new())]
        view = module.Plain().method(new(), new(6))[1]
        return found + [np.asarray(each).sum() for each in (kept[1], view)] + [
            module.has_inner()(new()), module.borrows_default()]
    alike(modules, called)


@pytest.mark.parametrize("wrong", ["n", "x, x, x", "z=1", "x=x", "y='f'"])
def test_an_array_is_let_go_when_another_argument_is_wrong(np, modules, wrong):
    """Arguments are converted one after the other, so some borrow already."""
    x = np.arange(5.0)
    before = sys.getrefcount(x)
    for call in (f"borrows_int(x, 'n', {wrong})", f"borrows_int({wrong}, x=x)", f"borrows_reassign(x, {wrong})",
                 f"borrows_star(x, k=x, {wrong})", f"borrows_int(x, {wrong})"):
        alike(modules, lambda module, call=call: str(result(
            eval, "module." + call, {"module": module, "x": x, "n": 1})).replace(module.__name__, "module"))
    assert sys.getrefcount(x) == before


def test_fused_functions_are_pickled_and_called_by_keyword(np, ours):
    function = pickle.loads(pickle.dumps(ours.borrows_fused_view))
    assert function(x=np.ones(2)) == function(np.ones(2, "f4")) == ours.borrows_number(x=np.ones(1, "f4"))[0][0] == 1
    with pytest.raises(TypeError, match="No matching signature found"):
        function(np.ones(2, "i4"))


# ------------------------------------------------------------------ which arrays

@pytest.mark.filterwarnings("ignore:Numpy has detected", "ignore:the matrix subclass", "ignore:future versions")
@pytest.mark.parametrize("kind", ["usual", "read-only", "with gaps", "backwards", "unaligned", "masked",
                                  "a matrix", "a memory map's subclass", "that warns on write", "an array.array"])
def test_plain_arrays_lend_and_the_others_are_converted(np, modules, kind):
    """A memoryview holds its array twice, a function that borrows once."""
    more = []
    for module in modules:
        for name in "borrows_calling", "borrows_const_calling":
            if kind == "read-only" and name == "borrows_calling":
                continue
            x = KINDS[kind](np, np.arange(10.0))             # NumPy warns once, and forgets it
            before = sys.getrefcount(x)
            getattr(module, name)(x, lambda x=x, before=before: more.append(sys.getrefcount(x) - before))
    half = len(more) // 2
    lends = kind in ("usual", "read-only", "with gaps", "backwards")
    assert all((ours < plain) == lends for plain, ours in zip(more[:half], more[half:], strict=True))


@hypothesis.settings(deadline=None)
@hypothesis.given(st.data())
def test_shape_and_strides_are_those_of_plain_cython(np, modules, data):
    """NumPy's buffers have other strides than its arrays, where a length is 0 or 1."""
    shape = data.draw(st.tuples(*[st.integers(0, 3)] * 2))
    a = np.arange(64.0).reshape(8, 8, order=data.draw(st.sampled_from("CF")))
    for axis, length in enumerate(shape):
        step = data.draw(st.sampled_from([1, 2, -1, -2]))
        a = a.take(range(8), axis=axis) if data.draw(st.booleans()) else a
        a = a[(slice(None),) * axis + (slice(None, None, step),)][(slice(None),) * axis + (slice(length),)]
    a = data.draw(st.sampled_from([a, a.T, np.broadcast_to(a[:1], shape) if shape[0] else a, a.copy(),
                                   np.asfortranarray(a)]))
    for name in "borrows_matrix", "borrows_c_matrix", "borrows_f_matrix":
        agree(modules, name, a)


def test_types_of_items_are_checked_as_cython_does(np, modules):
    for dtype, readonly in itertools.product("?bBhHiIlLqQefdgFDO", (False, True)):
        for name, signature in itertools.product(("borrows_number", "borrows_writable"),
                                                 modules[0].borrows_number.__signatures__):
            def called(module, name=name, signature=signature, dtype=dtype, readonly=readonly):
                a = np.ones(2, dtype)
                a.flags.writeable = not readonly
                return result(getattr(module, name)[signature], a), a.tolist()
            alike(modules, called, name, signature, dtype)


def test_a_char_takes_what_it_takes_with_plain_cython(np, modules):
    """char stands for any byte, and const char for signed ones only."""
    for dtype in "?", "b", "B", "c", "S1", "h", "d":
        for name in "borrows_char", "borrows_const_char", "borrows_signed_char", "borrows_uchar":
            agree(modules, name, np.ones(2, dtype))


# ------------------------------------------------------------------ what holds meanwhile

def test_an_array_is_held_while_its_slices_live(np, ours):
    a = np.arange(4.0)
    before, meanwhile = sys.getrefcount(a), []
    assert ours.borrows_calling(a, lambda: meanwhile.append(sys.getrefcount(a))) == (0, 4)
    assert meanwhile[0] > before and sys.getrefcount(a) == before
    with pytest.raises(ValueError, match="resize"):
        ours.borrows_calling(a, lambda: a.resize(2000))
    with pytest.raises(ZeroDivisionError):
        ours.borrows_calling(a, lambda: 1 / 0)
    with pytest.raises(ValueError, match="Buffer dtype mismatch"):
        ours.borrows_reassign(a, a.astype("f4"))
    assert sys.getrefcount(a) == before
    kept = [np.arange(1000.0) + 7]               # the caller's own variable was the last one
    assert ours.borrows_calling(kept[0], kept.clear) == (7, 1000)


@pytest.mark.parametrize("make", [bytearray, lambda text: array.array("B", text)], ids=["bytearray", "array.array"])
def test_memory_that_moves_is_exported_as_cython_does(ours, make):
    x = make(b"123")
    with pytest.raises(BufferError):
        ours.borrows_bytes(x, lambda: x.extend(b"4" * 1000))
    x.extend(b"4")
    assert ours.borrows_bytes(x, lambda: None) == ord("1")


# ------------------------------------------------------------------ objects that some paths need

@pytest.mark.parametrize("really", range(5))
def test_objects_that_some_paths_need_are_those_of_plain_cython(np, modules, really):
    for name, kind in itertools.product(SIGNATURES, ("usual", "with gaps", "backwards", "empty")):
        if re.search(r"\b(bint|int) \w+$", SIGNATURES[name]):
            alike(modules, lambda module, name=name, kind=kind: outcome(np, module, name, kind, really), name, kind)


CHANGES = {
    "made read-only": "a.flags.writeable = False", "made writable": "a.flags.writeable = True",
    "of other dimensions": "a.shape = (2, 5, 10)[-a.ndim - 1:]", "flat": "a.shape = (a.size,)",
    "with other strides": "a.strides = (0,) * a.ndim", "of integers": "a.dtype = 'i8'",
    "of less bytes": "a.dtype = 'f4'", "of more bytes": "a.dtype = 'c16'", "of bytes": "a.dtype = 'u1'",
    "let go": "a = None"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["keeps_after", "keeps_const_after", "keeps_matrix_after"])
def test_an_object_is_what_it_was_when_the_function_was_called(np, modules, name, change):
    """Whatever becomes of the array before the object is made."""
    def made(module, readonly):
        names = {"a": np.arange(100.0).reshape((10, 10) if "matrix" in name else (100,))}
        names["a"].flags.writeable = not readonly
        try:
            views = getattr(module, name)(names["a"], lambda: exec(CHANGES[change], names))
        except ValueError as error:
            return str(error)
        return [(a.dtype, a.tolist(), a.strides, a.flags.writeable, native.format, native.itemsize, native.shape,
                 native.strides, native.readonly, native.nbytes)
                for a, native in ((np.asarray(view), memoryview(view)) for view in (
                    views if isinstance(views, tuple) else [views]))]
    alike(modules, lambda module: [made(module, readonly) for readonly in (False, True)])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_items_of_any_type_stay_what_they_were(np, modules):
    """Their format is not the array's any more."""
    for dtype in "bBhIlqfdgFD":
        for other in "b", "f8", "c16":
            def made(module, dtype=dtype, other=other):
                a = np.arange(32).astype(dtype)
                view = np.asarray(module.keeps_number_after(a, lambda: setattr(a, "dtype", other)))
                return view.dtype, view.tolist()
            alike(modules, made, dtype, other)


def test_an_object_holds_the_array_when_the_function_has_returned(np, modules):
    for name in "keeps_object", "keeps_slice", "keeps_rarely", "keeps_raised_and_caught", "keeps_in_loop":
        counts = []
        for module in modules:
            a = np.arange(4.0)
            counts.append([sys.getrefcount(a)])
            made = getattr(module, name)(*[a, 1][:SIGNATURES[name].count(",") + 1])
            counts[-1].append(sys.getrefcount(a))
            with pytest.raises(ValueError, match="resize"):
                a.resize(2000)
            del made
            module.keeps_global(np.zeros(1))
            gc.collect(0)
            counts[-1].append(sys.getrefcount(a))
        assert counts[0] == counts[1] and counts[0][0] == counts[0][2] < counts[0][1], name


def test_threads_may_make_objects_of_the_same_array(np, ours):
    a = np.arange(1000.0)
    before = sys.getrefcount(a)

    def check(i):
        assert np.asarray(ours.keeps_slice(a))[0] == 1 and ours.keeps_asked_nogil(a, i % 2) == 999
        assert ours.borrows_alias(a) == 0 and ours.borrows_nogil(a) == a.sum()
    run_in_threads(check)
    ours.keeps_global(np.zeros(1))
    gc.collect()
    assert sys.getrefcount(a) == before


@pytest.mark.thorough
def test_every_allocation_of_an_object_may_fail(np, modules):
    support.check_child("""
        import sys, gc, numpy
        from failing import attempts
        from probe import call_failing
        import borrowed_views_ours as ours
        a, m = numpy.arange(6.0), numpy.ones((3, 3))
        calls = [(ours.keeps_object, a), (ours.keeps_slice, a), (ours.keeps_rarely, a, 1), (ours.keeps_early, m, 2),
                 (ours.keeps_rarely_nogil, a, 1), (ours.keeps_second, a, 1),
                 (ours.keeps_in_loop, a, 1), (ours.keeps_rows_of, m, 1), (ours.keeps_swapped, a, a, 2),
                 (ours.keeps_and_deletes, a, 1), (ours.keeps_copies, m), (ours.keeps_turned, m, 1)]
        def counts():
            ours.keeps_global(nothing)
            gc.collect()
            return sys.getrefcount(a), sys.getrefcount(m)
        nothing = numpy.zeros(1)
        for function, *arguments in calls:
            function(*arguments)
            before = counts()
            for attempt in attempts(call_failing):
                result = attempt(lambda: function(*arguments))
                assert not attempt.failed or result is MemoryError, (function, result)
                del result
                assert counts() == before, (function, attempt)
        """, modules=[modules[1].__file__, support.TESTS / "hostile" / "failing.py", support.probe_path()])


# ------------------------------------------------------------------ the analysis itself

#: One more node that is allowed: a slice becomes a Python object.
PLANTED = """
    import sys
    from Cython.Compiler import ExprNodes
    from cython_customslots.compiler import install
    from cython_customslots.compiler.views import escaping
    escaping.HARMLESS += (ExprNodes.CoerceToPyTypeNode, ("arg",)),
    install(borrow_views=True, warn=False)
    from Cython.Compiler.Main import CompilationOptions, compile_single, default_options
    options = CompilationOptions(default_options, language_level=3, output_file=sys.argv[2])
    compile_single(sys.argv[1], options, "planted")
    """


@pytest.mark.thorough
def test_a_planted_miss_of_the_analysis_crashes(np, tmp_path):
    source = tmp_path / "planted.pyx"
    source.write_text("def returned(double[::1] x): return x\n")
    support.check_child(PLANTED, source, tmp_path / "planted.c")
    path = support.build_c("planted", tmp_path / "planted.c", cflags=support.CYTHON_FLAGS)
    done = support.run_child("import planted, numpy\nnumpy.asarray(planted.returned(numpy.ones(3)))", modules=[path],
                             env={"PYTHONFAULTHANDLER": ""})
    assert done.returncode != 0 and "Traceback" not in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("name, flags, cplus", [
    ("cpp", (), True), ("heap_types", ("-DCYTHON_USE_TYPE_SPECS=1",), False)])
def test_cpp_modules_and_those_with_heap_types_borrow(np, name, flags, cplus):
    module = support.load(support.build_cython(SOURCE, name=f"borrowed_views_{name}", cplus=cplus, cython_args=[SWITCH],
                                               cflags=("-Wno-unknown-pragmas", *flags)))
    a = np.arange(4.0)
    assert module.Holder()(a, y=a) == 0
    assert module.borrows_matrix(np.ones((1, 2)))[3] == [[1, 1]]
    with pytest.raises(ValueError, match="resize"):
        module.borrows_calling(a, lambda: a.resize(2000))
