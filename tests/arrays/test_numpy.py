# SPDX-License-Identifier: MIT
"""NumPy's arrays, by its struct and in all other ways, against what NumPy itself says of them."""
import sys
import textwrap
import threading

import hypothesis
import hypothesis.strategies as st
import pytest
import support
from array_support import (ANY, ANYTHING, BFLOAT, BOOL, BUFFER, C, COMPLEX, DOUBLE, F, FLOAT, INT, OBJECT, UINT,
                           UNALIGNED, VERSIONED, WRITABLE, array_probe, because)
from test_buffers import refused

pytestmark = [pytest.mark.interop, pytest.mark.usefixtures("nothing_left")]

KINDS = {"b": BOOL, "i": INT, "u": UINT, "f": FLOAT, "c": COMPLEX}


def expected(np, x, held=OBJECT):
    """What must be found of an array."""
    return {"data": x.__array_interface__["data"][0], "shape": x.shape, "strides": x.strides,
            "dtype": (KINDS[x.dtype.kind], 8 * x.itemsize, 1), "readonly": int(not x.flags.writeable), "device": (1, 0),
            "size": x.size, "itemsize": x.itemsize, "held": held, "items": x.tobytes()}


def accepted(arrays, *arguments):
    try:
        return bool(arrays.look(*arguments))
    except TypeError:
        return False


def check(arrays, np, x):
    """Is it found as it is, and accepted for exactly the flags that NumPy says it has?"""
    assert arrays.look(x, *ANYTHING, ANY, UNALIGNED) == expected(np, x)
    for flags in range(16):
        fits = ((flags & UNALIGNED or x.flags.aligned) and (not flags & WRITABLE or x.flags.writeable)
                and (not flags & (C | F) or flags & C and x.flags.c_contiguous or flags & F and x.flags.f_contiguous))
        assert accepted(arrays, x, *ANYTHING, x.ndim, flags) == bool(fits), flags


@pytest.mark.parametrize("letter", "?bBhHiIlLqQefdgFD")
def test_each_numeric_type_of_numpy_has_its_own(arrays, np, letter):
    x = np.arange(6).astype(letter)
    kind, bits = KINDS[x.dtype.kind], 8 * x.itemsize
    assert arrays.look(x, kind, bits, 1, C | WRITABLE) == expected(np, x)
    if letter != "g" or x.itemsize > 8:
        refused(arrays, rf"found a 'numpy.ndarray' of {x.dtype}\b" if letter not in "FD" else "of complex", x,
                kind, bits // 2 + 1, 1, 0)
    check(arrays, np, x)


@pytest.mark.parametrize("dtype, words", [
    ("O", "object"), (">f8" if sys.byteorder == "little" else "<f8", "[<>]f8"), ("S3", r"\|S3"), ("U2", "[<>]U2"),
    ("M8[s]", r"datetime64\[s\]"), ("m8[s]", r"timedelta64\[s\]"), ("V5", r"\|V5"), ("f8,i4", r"\[\('f0'"),
    ("G", "complex|clongdouble")])
def test_items_that_are_no_numbers_of_c_are_refused_by_their_name(arrays, np, dtype, words):
    x = np.zeros(3, dtype)
    if x.dtype.itemsize == 16 and x.dtype.kind == "c":
        pytest.skip("long double is double here")
    refused(arrays, f"found a 'numpy.ndarray' of ({words}).*, expected an array of float64", x, *DOUBLE, 1, 0)
    refused(arrays, f"found a 'numpy.ndarray' of ({words}).*, expected an array of numbers of any type", x,
            *ANYTHING, ANY, 0)


@pytest.mark.parametrize("name, code, bits", [
    ("bfloat16", 4, 16), ("float8_e3m4", 7, 8), ("float8_e4m3", 8, 8), ("float8_e4m3b11fnuz", 9, 8),
    ("float8_e4m3fn", 10, 8), ("float8_e4m3fnuz", 11, 8), ("float8_e5m2", 12, 8), ("float8_e5m2fnuz", 13, 8),
    ("float8_e8m0fnu", 14, 8), ("float6_e2m3fn", 15, 6), ("float6_e3m2fn", 16, 6), ("float4_e2m1fn", 17, 4),
    ("int4", INT, 4), ("uint4", UINT, 4), ("int2", INT, 2), ("uint2", UINT, 2), ("int1", INT, 1), ("uint1", UINT, 1),
    ("complex32", COMPLEX, 32)])
def test_types_that_ml_dtypes_registers_with_numpy_have_the_codes_of_dlpack(arrays, np, name, code, bits):
    dtype = getattr(support.need("ml_dtypes"), name, None)
    if dtype is None:
        pytest.skip("a later ml_dtypes has it")
    x = np.array([[1, 0, 1], [0, 1, 1]]).astype(dtype)[:, ::-1]
    found = {"dtype": (code, bits, 1), "itemsize": x.itemsize, "strides": x.strides, "items": x.tobytes(),
             "held": OBJECT}
    for spec in (code, bits), ANYTHING:
        assert found.items() <= arrays.look(x, *spec, 2, WRITABLE).items()
    refused(arrays, f"found a 'numpy.ndarray' of {name}, expected an array of float64", x, *DOUBLE, ANY, 0)
    refused(arrays, f"of float64, expected an array of {name} with 2 d", np.zeros(3), code, bits, 2, 0)


def test_registered_types_that_are_none_of_dlpack_are_refused_with_the_reason(arrays, np, monkeypatch):
    ml_dtypes = support.need("ml_dtypes")
    x = np.zeros(3, ml_dtypes.bfloat16)
    refused(arrays, "of bfloat16, expected an array of float64", x, *DOUBLE, 1, 0)
    swapped = x.view(x.dtype.newbyteorder())
    refused(arrays, "of .*, whose bytes are in the other order, expected", swapped, *ANYTHING, 1, 0)
    monkeypatch.setattr(ml_dtypes, "bfloat16", np.float64)      # a type of another package with that name
    refused(arrays, "of bfloat16, which is no type of ml_dtypes that DLPack has, expected an array of bfloat16", x,
            BFLOAT, 16, 1, 0)


def test_views_of_all_forms_are_found_as_they_are(arrays, np):
    x = np.arange(60.0).reshape(3, 4, 5)
    as_strided = np.lib.stride_tricks.as_strided
    for view in [                               # beside those of test_any_view_is_found_as_numpy_sees_it()
            x, x[1, 2, 3:4], np.asfortranarray(x), np.broadcast_to(np.float64(7), (3, 4)), np.zeros((1,) * 8),
            as_strided(x, (3, 3), (8, 8)), as_strided(x, (5,), (0,)), as_strided(x, (2, 2, 0), (1 << 62, 1 << 62, 8)),
            np.zeros(3, "u1,f8")["f1"], np.zeros(3, "f8,f8")["f1"]]:            # fields of structures, one unaligned
        check(arrays, np, view)
    refused(arrays, "with 9 dimensions, but no more than 8", np.zeros((1,) * 9), *DOUBLE, ANY, 0)
    readonly = x.copy()
    readonly.flags.writeable = False
    check(arrays, np, readonly)
    refused(arrays, "that is read-only, expected .*, writable; pass a copy", readonly, *DOUBLE, 3, WRITABLE)


def test_an_array_that_warns_when_it_is_written_to_is_read_only(arrays, np):
    x = np.broadcast_arrays(np.arange(3.0), np.zeros((2, 3)))[0]
    found = arrays.look(x, *DOUBLE, 2, 0)
    assert found["readonly"] == 1 and found["items"] == x.tobytes()


def test_subclasses_that_may_mean_more_than_their_memory_are_refused(arrays, np):
    class Metres(np.ndarray): pass
    words = "a subclass of numpy.ndarray that may mask items or give them a unit, expected .*; pass numpy.asarray"
    for x in np.ma.array([1.0, 2], mask=[0, 1]), np.zeros(3).view(Metres), np.zeros(3).view(np.recarray):
        refused(arrays, words, x, *DOUBLE, ANY, 0)

    for base in Metres, np.ndarray:                 # only NumPy's own means nothing more
        refused(arrays, words, np.zeros(3).view(type("memmap", (base,), {})), *DOUBLE, 1, 0)


REFUSE = """
        def refuse(x, words):
            try: array_probe.look(x, 2, 64, 1, 0)
            except TypeError as error: assert words in str(error), error
            else: raise AssertionError(x)
"""


def check_child(arrays, code):
    """In a process of its own, with the probe as `array_probe`."""
    return support.check_child(f"import {arrays.__name__} as array_probe\n" + textwrap.dedent(REFUSE + code),
                               modules=[arrays.__file__])


def test_a_subclass_with_a_table_of_its_own_is_asked_and_with_that_of_ndarray_is_not(arrays, np):
    check_child(arrays, """
        import numpy
        class Own(numpy.ndarray): pass
        class Inheriting(numpy.ndarray): pass
        Own.__dlpack_c_exchange_api__ = array_probe.api("dlpack_exchange_api", 2, 0, 0)
        array_probe.register_slot(numpy.ndarray, array_probe.api("dlpack_exchange_api", 2, 0, 0))
        own, inheriting = numpy.zeros(3).view(Own), numpy.zeros(3).view(Inheriting)
        refuse(inheriting, "may mask items")
        array_probe.register_slot(Own, array_probe.api("dlpack_exchange_api", 2, 0, 0))
        assert array_probe.look(own, 2, 64, 1, 0)["held"] == 2      # a table of no use: by its buffer
        assert array_probe.look(numpy.zeros(3), 2, 64, 1, 0)["held"] == 1
        """)


def test_a_memory_map_is_an_array(arrays, np, tmp_path):
    x = np.memmap(tmp_path / "doubles", "f8", "w+", shape=(2, 3))
    x[:] = [[1, 2, 3], [4, 5, 6]]
    check(arrays, np, x)
    check(arrays, np, x[:, ::2])
    arrays.add_one(arrays.hold(x, *DOUBLE, 2, WRITABLE))
    x.flush()
    assert np.fromfile(tmp_path / "doubles").tolist() == [2, 3, 4, 5, 6, 7]


def test_an_array_lives_and_cannot_be_resized_while_it_is_held(arrays, np):
    for owns in False, True:
        x = np.zeros(10)
        held = arrays.hold(x, *DOUBLE, 1, WRITABLE, 0, owns)
        with pytest.raises(ValueError, match="resize"):
            x.resize(100000)
        del x                                   # nobody else has it
        np.zeros(10)
        assert arrays.add_one(held)["items"] == np.ones(10).tobytes()
        del held


def test_owned_arrays_are_used_and_given_back_in_other_threads(arrays, np):
    x = np.zeros(1000)
    held = [arrays.hold(x, *DOUBLE, 1, WRITABLE, 0, True) for _ in range(4)]
    support.run_all(threading.Thread(target=lambda: arrays.add_one(held.pop())) for _ in range(4))
    assert not held and x.max() <= 4


class Wrapper:
    """Has nothing of an array but the method."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **kwargs):
        return self.x.__dlpack__(**kwargs)


def test_what_numpys_method_raises_is_the_cause(arrays, np):
    with because(BufferError, "."):
        arrays.look(Wrapper(np.zeros(3, ">f8" if sys.byteorder == "little" else "<f8")), *ANYTHING, ANY, 0)


def test_a_numpy_that_is_not_known_or_half_imported_is_asked_for_its_buffer(arrays, np):
    """NumPy's struct is believed only if NumPy's own table says which it is."""
    check_child(arrays, """
        import numpy, sys, types
        name = next(name for name in sys.modules if name.endswith("core._multiarray_umath")
                    and hasattr(sys.modules[name], "_ARRAY_API"))
        real = sys.modules[name]
        x = numpy.arange(3.0)
        for half in types.ModuleType(name), None, 5, types.SimpleNamespace(_ARRAY_API=array_probe.api("x", 1, 1, 0)):
            for each in "numpy._core._multiarray_umath", "numpy.core._multiarray_umath":
                sys.modules[each] = half
            found = array_probe.look(x, 2, 64, 1, 0)
            assert found["held"] == 2 and found["items"] == x.tobytes()
            refuse(numpy.ma.array([1.0]), "may mask items")
        sys.modules[name] = real
        assert array_probe.look(x, 2, 64, 1, 0)["held"] == 1
        class ndarray: pass
        ndarray.__module__, ndarray.__qualname__ = "numpy", "ndarray"
        refuse(ndarray(), "an object of type")
        """)


def test_looking_at_an_array_imports_nothing(arrays):
    assert check_child(arrays, """
        import sys, array
        before = set(sys.modules)
        array_probe.look(array.array("d", [1]), 2, 64, 1, 0)
        try: array_probe.look(5, 2, 64, 1, 0)
        except TypeError: pass
        print(sorted(set(sys.modules) - before))
        """) == "[]"


@st.composite
def views(draw, np):
    """An array of any type, sliced, reversed, transposed, broadcast, moved off its alignment, made read-only."""
    dtype = np.dtype(draw(st.sampled_from("?bBhHiIlLqQefdgFD")))
    shape = draw(st.lists(st.integers(0, 4), max_size=6))
    count = int(np.prod(shape))
    offset = draw(st.sampled_from([0, 0, 0, 1, 2, 4, 8]))
    memory = np.frombuffer(bytearray(i % 256 for i in range(count * dtype.itemsize + offset)), "u1")
    if dtype.kind == "b":
        memory = memory % 2
    x = memory[offset:].view(dtype).reshape(shape) if count else np.zeros(shape, dtype)
    for axis in range(x.ndim):
        step = draw(st.sampled_from([1, 1, 2, -1, -2, 3]))
        x = x[(slice(None),) * axis + (slice(None, None, step),)]
    if draw(st.booleans()):
        x = x.transpose(draw(st.permutations(range(x.ndim))))
    if draw(st.booleans()):
        x = np.expand_dims(x, draw(st.integers(0, x.ndim)))
    if draw(st.booleans()):
        x = np.broadcast_to(x, (draw(st.integers(1, 3)), *x.shape))
    elif draw(st.booleans()):
        x.flags.writeable = False
    return x


@hypothesis.settings(max_examples=300, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
@hypothesis.given(data=st.data())
def test_any_view_is_found_as_numpy_sees_it(arrays, np, data):
    x = data.draw(views(np))
    check(arrays, np, x)
    assert arrays.look(memoryview(x), *ANYTHING, ANY, UNALIGNED) == expected(np, x, BUFFER) | {
        "strides": memoryview(x).strides}       # NumPy writes other ones for what is contiguous anyway
    if x.flags.aligned and x.dtype.char != "g" and x.itemsize <= 16:
        # DLPack counts strides in items.
        found = arrays.look(Wrapper(x), *ANYTHING, ANY, 0)
        assert (found["shape"], found["dtype"], found["items"]) == (x.shape, expected(np, x)["dtype"], x.tobytes())
        assert not x.size or found["data"] == expected(np, x)["data"]
        assert not x.flags.writeable or found["held"] == VERSIONED


@support.has_abi3
def test_a_cpython_of_unknown_layouts_gives_the_same_arrays_by_their_buffers(np, tmp_path):
    known, unknown = array_probe(), array_probe("unknown")
    for x in (np.arange(6.0).reshape(2, 3).T, np.float64(3), np.arange(3, dtype="i2")[::-1],
              bytearray(b"abc"), np.memmap(tmp_path / "mapped", "f8", "w+", shape=(3,))):
        both = [module.look(x, *ANYTHING, ANY, 0) for module in (known, unknown)]
        for found in both:
            del found["held"]
        assert both[0] == both[1]
    masked = np.ma.array([1.0])
    refused(unknown, "found a 'MaskedArray', a subclass of numpy.ndarray that may mask", masked, *DOUBLE, 1, 0)
    refused(unknown, "found an object of type 'int', which has neither the slot", 5, *DOUBLE, 1, 0)
