# SPDX-License-Identifier: MIT
"""Arrays as arguments of typed functions: C calls C by a record, and Python functions get what they cannot keep."""
import array
import ctypes
import gc
import re
import sys
import traceback

import compiling
import pytest
import support
from layer_modules import module_of

from cython_customslots import typed

READING, STRIDED, WRITING = "f8(const f8[::1])", "f8(const f8[:])", "void(f8[::1], f8)"
TWO = "f8(const f8[::1], const f8[::1])"
VALUES = [1.0, 2.0, 4.0]


functions = module_of("typed_arrays.pyx")
consumer = module_of("typed_array_consumer.pyx")


@pytest.fixture(scope="module")
def euler():
    """That of the page, compiled as it stands there."""
    page = (support.ROOT / "docs" / "arrays.md").read_text(encoding="utf-8")
    text = re.search(r"<!-- example: solver\.pyx plain -->\n```cython\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[1]
    path = support.write_source(support.cache_directory("solver") / "solver.pyx", text)
    arguments = ["-X", "freethreading_compatible=True"] if support.FREE_THREADED else []
    return support.load(support.build_cython(path, layer=False, cython_args=arguments)).euler


@pytest.fixture(scope="module")
def hold(consumer):
    return consumer.Holder


def doubles(values):
    return array.array("d", values)


def test_a_function_of_an_array_is_called_as_c_with_and_without_the_gil(functions, hold):
    holder = hold(functions.total, READING)
    assert holder.is_typed and holder.reading(VALUES) == holder.reading(VALUES, gil=False) == 7.0
    assert holder.reading([]) == 0.0
    assert holder.example(doubles(VALUES)) == 7.0


def test_a_function_that_takes_any_stride_serves_callers_of_all_kinds_and_one_that_does_not_is_given_no_gaps(
        functions, hold):
    assert not hold(functions.total, STRIDED).is_typed
    assert hold(functions.total_of_strided, STRIDED).strided(VALUES) == 7.0
    assert hold(functions.total_of_strided, READING).reading(VALUES) == 7.0
    assert hold(functions.inner, STRIDED).strided(VALUES) == 2.0
    for text in ("f8(f8[:])", "f8(f8[::1])"):
        assert hold(functions.total_of_strided, text).is_typed


def test_what_a_function_writes_is_in_the_callers_array(functions, hold):
    assert hold(functions.fill, WRITING).writing(VALUES, 0.5) == [0.5] * 3
    assert hold(functions.fill_strided, WRITING).writing(VALUES, 0.5) == [0.5] * 3
    assert hold(functions.fill_strided, "void(f8[:], f8)").writing_strided(VALUES, 0.5) == [0.5, 0] * 3 + [0, 0]


def test_arrays_are_copied_and_turned_where_there_is_no_memoryview(functions, hold):
    holder = hold(functions.shift, WRITING)
    assert holder.is_typed and holder.writing(VALUES, 0.5) == [2.0, 4.0, 0.5]


def test_all_types_of_numbers_have_records(functions):
    assert typed.signatures(functions.first_char) in [       # as the compiler has char
        [f"f8(const {char}[::1])", f"f8({char}[::1])"] for char in ("i1", "u1")]
    found = {text.removeprefix("f8(").removesuffix("[::1])") for text in typed.signatures(functions.first)}
    long_double = {"f8", "f16"} & found
    assert found == {f"{kind}{width}" for kind in "iu" for width in (1, 2, 4, 8)} | {"f4"} | long_double
    assert "c16(const c16[::1])" in typed.signatures(functions.first_complex)


def test_arguments_with_defaults_and_several_arrays_are_found_as_they_are_called(functions, hold):
    assert hold(functions.dot, TWO).two(VALUES) == 21.0
    assert len(typed.signatures(functions.dot)) == 8
    # Of more than four arrays there is the function's own signature.
    assert typed.signatures(functions.many) == ["f8(f8[:], f8[:], f8[:], f8[:], const f8[:])"]


def test_methods_and_objects_that_are_called_take_arrays(functions, hold):
    for callable_ in (functions.Model(3.0).value, functions.Called()):
        assert hold(callable_, READING).is_typed
    assert hold(functions.Model(3.0).value, READING).reading(VALUES) == 3.0


def test_slices_without_a_memoryview_are_left_alone_where_no_object_is_called_either(tmp_path):
    (tmp_path / "only.pyx").write_text(
        "from cython_customslots cimport typed\n@typed\ncpdef double first(double[::1] x):\n    return x[0]\n")
    done = compiling.command("-3", "only.pyx", "-o", "only.c", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "only.c").read_text().count("if (unlikely(__PYX_CUSTOMSLOTS_IS_LENT(memview) || ") == 2


def test_what_a_c_function_raises_is_raised(functions, hold):
    holder = hold(functions.at, "f8(const f8[:], i8)")
    assert holder.is_typed and holder.index(VALUES, -1) == 4.0
    with pytest.raises(IndexError):
        holder.index(VALUES, 3)
    with pytest.raises(KeyError, match="ninety-nine"):
        holder.index(VALUES, 99)


def test_callbacks_take_arrays_and_keep_what_python_raises(functions, consumer):
    assert consumer.sums(functions.total, 4) == (True, 6.0)
    assert consumer.sums(sum, 4) == (False, 6.0)
    with pytest.raises(ZeroDivisionError):
        consumer.sums(lambda x: 1 / (x[0] - 2), 4)
    for keep in (lambda x: x[:]), (lambda x: x.cast("B")), memoryview:
        kept = []
        with pytest.raises(BufferError, match=KEPT):
            consumer.sums(lambda x: kept.append(keep(x)) or 0, 4)
        view, = kept                             # nothing is called any more
        with pytest.raises(ValueError, match="released memoryview"):
            view.tolist()


@pytest.mark.parametrize("name, text, call, said", [
    ("of_floats", READING, "reading", r"Buffer dtype mismatch, expected '(const )?float' but got 'double'"),
    ("of_matrix", READING, "reading", "Buffer has wrong number of dimensions"),
    ("fill", "void(const f8[::1], f8)", None, "read-only"),
    ("total", "f8(i4[::1])", "ints", "Buffer dtype mismatch, expected '(const )?double' but got 'int'"),
    ("total", STRIDED, "strided", "not C.contiguous")])
def test_another_array_is_not_passed_as_c_and_the_function_says_why(functions, hold, name, text, call, said):
    holder = hold(getattr(functions, name), text)
    assert not holder.is_typed
    if name != "of_matrix":                      # which has no record
        assert f"expected {text}" in typed.explain(getattr(functions, name), text)
    if call is not None:
        with pytest.raises((BufferError, ValueError), match=said):
            getattr(holder, call)(*([5] if call == "ints" else [VALUES]))


def test_a_read_only_array_is_read_only_for_python_too(functions, hold):
    def write(x):
        x[0] = 1.0
    with pytest.raises(TypeError, match="cannot modify read-only memory"):
        hold(write, READING).reading(VALUES)
    with pytest.raises((BufferError, ValueError), match="read-only|not writable"):      # as Cython's version says it
        hold(lambda x: functions.fill(x, 1.0), READING).reading(VALUES)


def test_none_and_null_are_no_arrays(functions, hold):
    with pytest.raises(TypeError, match="NoneType"):
        hold(None, READING)
    seen = []
    holder = hold(seen.append, READING)
    for call in (holder.nothing, lambda: holder.nonsense(-1), lambda: holder.nonsense(3)):
        with pytest.raises(SystemError, match="found NULL or a negative length as an array argument"):
            call()
    with pytest.raises(BufferError, match="found a stride of 16 bytes .* has no gaps, expected 8; write strided"):
        holder.gaps(VALUES)
    assert not seen
    assert hold(len, READING).nonsense(0) == 0.0


def test_a_python_function_gets_a_memoryview_of_the_memory_itself(hold):
    seen = []

    def function(x):
        seen.append((type(x), x.format, x.itemsize, x.shape, x.strides, x.readonly, x.tolist()))
        return sum(x)
    assert hold(function, READING).reading(VALUES) == hold(function, READING).reading(VALUES, gil=False) == 7.0
    assert seen == [(memoryview, "d", 8, (3,), (8,), True, VALUES)] * 2
    assert hold(sum, STRIDED).strided(VALUES) == 7.0

    def write(x, value):
        x[1] = value
    assert hold(write, WRITING).writing(VALUES, 0.5) == [1.0, 0.5, 4.0]
    assert hold(write, "void(f8[:], f8)").writing_strided(VALUES, 0.5) == [1, 0, 0.5, 0, 4, 0, 0, 0]
    assert hold(lambda x: x[0], "f8(i4[::1])").ints(-7) == -7.0


def test_a_memoryview_that_is_kept_is_dead_afterwards(hold):
    kept = []
    hold(lambda x: kept.append(x) or 0, READING).reading(VALUES)
    with pytest.raises(ValueError, match="released memoryview"):
        kept[0][0]


@pytest.mark.skipif(sys.implementation.name == "pypy", reason="slices of PyPy's memoryviews live on their own")
@pytest.mark.parametrize("raised", [KeyError, KeyboardInterrupt])
def test_a_function_that_keeps_a_view_and_raises_is_told_both(hold, monkeypatch, raised):
    kept, lost = [], []
    monkeypatch.setattr(sys, "unraisablehook", lambda said: lost.append((str(said.exc_value), said.object)))

    def function(x, y):
        kept.extend([x[1:], y[1:]])
        raise raised("mine")
    with pytest.raises(BufferError if raised is KeyError else raised) as caught:
        hold(function, TWO).two(VALUES)
    told = caught.value
    if raised is KeyError:                      # once, although there are two
        assert str(told).startswith(KEPT)
        told = told.__context__
        assert type(told) is KeyError and told.__context__ is None
    else:                                       # what is no Exception must not become one
        assert [(words.startswith(KEPT), of) for words, of in lost] == [(True, function)]
    assert told.args == ("mine",) and traceback.extract_tb(told.__traceback__)[-1].name == "function"
    for view in kept:
        with pytest.raises(ValueError, match="released memoryview"):
            view.tolist()


KEPT = "found that the function has kept a view of an array argument, whose memory is lent for the call"


@pytest.mark.interop
def test_arrays_that_are_kept_are_an_error(hold):
    numpy = support.need("numpy")
    kept = []

    def function(x, keep=numpy.asarray):
        kept.append(keep(x))
        return kept[-1].sum()
    with pytest.raises(BufferError, match=KEPT):
        hold(function, READING).reading(VALUES)
    kept.clear()
    assert hold(lambda x: function(x, numpy.array), READING).reading(VALUES) == 7.0
    assert kept[0].tolist() == VALUES


@pytest.mark.interop
def test_arrays_in_the_frames_of_an_exception_are_not_left_there(hold):
    numpy = support.need("numpy")

    def function(x):
        x = numpy.asarray(x)
        raise KeyError(len(x))
    with pytest.raises(KeyError) as caught:
        hold(function, READING).reading(VALUES)
    frame = caught.value.__traceback__
    while frame.tb_next:
        frame = frame.tb_next
    assert frame.tb_frame.f_code.co_name == "function" and "x" not in frame.tb_frame.f_locals

    def chained(x):
        try:
            function(x)
        except KeyError as error:
            raise (ValueError("behind") if len(x) > 1 else ValueError("from")) from (None if len(x) > 1 else error)
    for values in VALUES, [1.0]:                # an array in the frames of its context, and of its cause
        with pytest.raises(ValueError, match="behind|from"):
            hold(chained, READING).reading(values)


@pytest.mark.interop
def test_a_function_may_use_what_it_gets_as_it_likes_and_nothing_leaks(hold):
    numpy = support.need("numpy")
    holder = hold(lambda x: numpy.asarray(x)[1:].sum() + sum(x[:1]), READING)
    assert holder.reading(VALUES) == 7.0
    x = hold(lambda x: object(), "object(const f8[::1])")
    assert not x.is_typed
    before = len(gc.get_objects())
    for _ in range(200):
        holder.reading(VALUES)
    assert len(gc.get_objects()) - before < 50


def pointer_function(*types):
    return ctypes.CFUNCTYPE(ctypes.c_double, *types)


@pytest.mark.interop
def test_functions_of_arrays_are_called_in_jitted_code(functions):
    numba, numpy = support.need("numba"), support.need("numpy")
    call, call_3 = numba.njit(lambda f, x: f(x)), numba.njit(lambda f, a, b, c: f(a, b, c))
    x, every_second = numpy.arange(4.0), numpy.arange(8.0)[::2]
    total, strided = typed.as_numba(functions.total), typed.as_numba(functions.total_of_strided)
    assert call(total, x) == 6 and call(strided, every_second) == 12 and call(strided, every_second[::-1]) == 12
    assert call(total, numpy.empty(0)) == 0
    assert call(typed.as_numba(functions.Called()), x + 1) == 2             # with a context
    assert call_3(typed.as_numba(functions.dot, "f8(const f8[::1], const f8[::1], f8)"), x, x, 2.0) == 28
    dy = numpy.zeros(2)
    call_3(typed.as_numba(functions.oscillator), 0.0, x[1:3], dy)
    assert dy.tolist() == [2, -1]
    x.flags.writeable = False
    assert call(total, x) == 6
    for given in every_second, x.astype("f4"), x.reshape(2, 2):
        with pytest.raises((ValueError, numba.TypingError), match="mismatch of argument types"):
            call(total, given)
    with pytest.raises((ValueError, numba.TypingError), match="readonly"):
        call_3(typed.as_numba(functions.oscillator), 0.0, x, x)


def test_c_functions_of_an_address_and_a_length_take_arrays(hold):
    doubles_, size = ctypes.POINTER(ctypes.c_double), ctypes.c_ssize_t
    holder = hold(pointer_function(doubles_, size)(lambda x, n: sum(x[:n])), READING)
    assert holder.is_typed and holder.reading(VALUES) == 7.0
    holder = hold(pointer_function(ctypes.c_int, doubles_)(lambda n, x: sum(x[:n])), "f8(f8[::1])")
    assert holder.is_typed
    for types in ((ctypes.POINTER(ctypes.c_float), size), (ctypes.c_void_p, size), (doubles_, ctypes.c_double)):
        assert not hold(pointer_function(*types)(lambda *args: 0.0), READING).is_typed
    assert not hold(pointer_function(doubles_, size)(lambda x, n: 0.0), STRIDED).is_typed
    function = pointer_function(doubles_, size)(lambda x, n: sum(x[:n]))
    capsule = typed.capsule(function, name="double (double *, Py_ssize_t)")
    assert hold(capsule, READING).reading(VALUES) == 7.0


@pytest.mark.interop
def test_scipy_takes_functions_of_an_array(functions, hold):
    integrate, ndimage = support.need("scipy.integrate"), support.need("scipy.ndimage")
    numpy = support.need("numpy")
    for text in ("double (int, double *)", "double (int, double *, void *)"):
        made = typed.as_lowlevelcallable(functions.total, text)
        assert integrate.quad(made, 0, 1, args=(2.0,))[0] == pytest.approx(2.5)
    assert hold(made, READING).reading(VALUES) == 7.0
    model = functions.Model(3.0)                 # a bound method
    made = typed.as_lowlevelcallable(model.value, "double (int, double *)", unraisable=True)
    assert integrate.quad(made, 0, 1)[0] == pytest.approx(1.5)
    made = typed.as_lowlevelcallable(functions.total, "int (double *, npy_intp, double *, void *)")
    assert ndimage.generic_filter(numpy.arange(5.0), made, 3).tolist() == [1, 3, 6, 9, 11]


@pytest.mark.interop
def test_a_solver_calls_right_hand_sides_of_all_kinds(functions, euler):
    numba, ctypes_ = support.need("numba"), ctypes.POINTER(ctypes.c_double)
    f8, pointer = numba.types.float64, numba.types.CPointer(numba.types.float64)

    @numba.cfunc(numba.types.void(f8, pointer, pointer, pointer))           # as numbalsoda takes it
    def of_numba(t, y, dy, p):
        dy[0], dy[1] = y[1], -p[0] * y[0]

    @ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes_, ctypes_, ctypes_)
    def of_ctypes(t, y, dy, p):
        dy[0], dy[1] = y[1], -p[0] * y[0]

    def of_python(t, y, dy):
        dy[0], dy[1] = y[1], -y[0]

    expected = None
    for function, found in ((functions.oscillator, (True, 0)), (of_python, (False, 0)),
                            (numba.njit(of_python), (True, 0)), (of_numba, (True, 1)), (of_ctypes, (True, 1)),
                            (functions.__pyx_capi__["oscillator_in_c"], (True, 1))):
        y = doubles([1, 0])
        assert euler(function, y, 0.01, 100) == found
        expected = expected or list(y)
        assert list(y) == expected and y[0] == pytest.approx(0.543, abs=0.01)
    with pytest.raises(ZeroDivisionError):
        euler(lambda t, y, dy: 1 / 0, doubles([1, 0]), 0.01, 100)


@pytest.mark.interop
@pytest.mark.parametrize("text, x", [
    ("f8(const f8[::1])", [1.0, 2, 4]), ("f8(f8[:])", [4.0, 2, 1]), ("f8(const f4[:])", [1.0, 2, 4]),
    ("i8(i2[::1])", [1, 2, 4]), ("f8(u8[:])", [7]), ("f8(f8[::1])", [])])
def test_jitted_functions_are_compiled_for_arrays_of_any_type_and_stride(text, x):
    numba, numpy = support.need("numba"), support.need("numpy")
    array = numpy.array(x, text.rpartition("[")[0].split("(")[1].replace("const ", ""))
    made = typed.adapt(numba.njit(lambda x: x.sum()), text)
    assert made(array) == sum(x)
    if "[:]" in text:
        assert made(numpy.repeat(array, 2)[::-2]) == sum(x)


@pytest.mark.interop
def test_a_function_of_arrays_is_not_handed_to_who_passes_no_lengths(functions):
    support.need("scipy")
    for text in ("void (double, double *, double *, double *)", None):
        with pytest.raises(TypeError, match=r"serve those that say how long they are: f8\(f8\[::1\]\) 'double \(int"):
            typed.as_lowlevelcallable(functions.oscillator, text)


@pytest.mark.interop
def test_what_scipy_cannot_call_so_is_refused(functions):
    support.need("scipy")
    with pytest.raises(TypeError, match="nothing is converted"):
        typed.as_lowlevelcallable(functions.total, "float (int, float *)")
    with pytest.raises(TypeError, match=r"found 'double \(int, float \*\)', expected pointers to the same"):
        typed.as_lowlevelcallable(functions.total, "double (int, float *)")
    with pytest.raises(TypeError, match="does not look for exceptions"):
        typed.as_lowlevelcallable(functions.maybe, "double (int, double *)")


@pytest.mark.interop
def test_libraries_that_know_no_arrays_are_not_handed_any(functions):
    with pytest.raises(TypeError, match="found an array, const f8.* which is a struct of its caller"):
        typed.as_ctypes(functions.total, READING)
    assert '"double (const PyTypedMethodArray *)"' in repr(typed.capsule(functions.total, READING))
    with pytest.raises(TypeError, match="pass its signature"):
        typed.resolve(typed.capsule(functions.total, READING))
    support.need("numpy")
    with pytest.raises(TypeError, match="found f8.*, expected numbers only"):
        typed.as_ufunc(functions.total, READING)


def test_signatures_with_arrays_are_read_and_written():
    from cython_customslots.typed import _typed
    for text in ("f8(const f8[::1])", "f8(f8[:], i8, const c16[:])", "void(object, u1[::1])",
                 "f8(f8[::1], f8[::1], f8[::1], f8[::1], f8[::1], i4)"):
        assert _typed.format(_typed.parse(text)) == text and _typed.parse(text) & 1
        assert _typed.parse(text.replace("const ", "const  ").replace(", ", " , ")) == _typed.parse(text)
    long = "f8(f8[::1], f8[::1], f8[::1], f8[::1], f8[::1], const f8[:])"
    assert _typed.format(_typed.parse(long)) == long and not _typed.parse(long) & 1
    longest = f"f8({', '.join(['const c16[::1]'] * 127)})"
    assert _typed.format(_typed.parse(longest)) == longest
    for wrong, column, expected in [
            ("f8(f8[])", 5, "'[:]' or '[::1]'"), ("f8(f8[::2])", 5, "'[:]' or '[::1]'"), ("f8(const f8)", 11, "'[:]'"),
            ("f8(object[:])", 3, "the type of a number"), ("f8(const x[:])", 9, "the type of a number"),
            ("f8[:](f8)", 2, "'('"), ("f8(bool[:])", 3, "the type of a number")]:
        with pytest.raises(ValueError, match=re.escape(f"at column {column}, expected {expected}")):
            _typed.parse(wrong)


def test_numbers_that_are_half_an_array_are_no_signatures():
    from cython_customslots.typed import _typed
    array_, f8 = 19, 12
    for fields in ([f8, array_], [array_, f8], [f8, array_, 2], [f8, array_, 18], [f8, array_, array_, f8], [f8, 23]):
        number = 1 | sum(field << (1 + 5 * i) for i, field in enumerate(fields))
        with pytest.raises(ValueError, match="which is no signature"):
            _typed.format(number)
