# SPDX-License-Identifier: MIT
"""Arrays of the buffer protocol, and objects that are no arrays."""
import array
import ctypes
import struct
import sys

import pytest
from array_support import (ANY, ANYTHING, BOOL, BUFFER, COMPLEX, C, DOUBLE, F, FLOAT, INT, UINT, UNALIGNED, WRITABLE,
                           because)

pytestmark = pytest.mark.usefixtures("nothing_left")


def refused(arrays, words, *arguments, error=TypeError):
    """Is it refused, in both forms, with these words?"""
    for owns in False, True:
        with pytest.raises(error, match=words):
            arrays.look(*arguments, *(() if len(arguments) > 5 else (0,)), owns)


def test_an_array_of_the_standard_library_is_seen_where_it_is(arrays):
    doubles = array.array("d", [1, 2, 3])
    found = arrays.look(doubles, *DOUBLE, 1, C | F | WRITABLE)
    address, length = doubles.buffer_info()
    assert found == {"data": address, "shape": (3,), "strides": (8,), "dtype": (FLOAT, 64, 1), "readonly": 0,
                     "device": (1, 0), "size": length, "itemsize": 8, "held": BUFFER, "items": doubles.tobytes()}


@pytest.mark.parametrize("code", "bBhHiIlLqQfd")
def test_each_code_of_array_array_has_its_type(arrays, code):
    kind = FLOAT if code in "fd" else INT if code.islower() else UINT
    values = array.array(code, [1, 2, 3])
    assert arrays.look(values, kind, 8 * values.itemsize, 1, 0)["items"] == values.tobytes()
    assert arrays.look(values, *ANYTHING, ANY, 0)["dtype"] == (kind, 8 * values.itemsize, 1)


def test_the_format_names_the_type_and_the_order_of_bytes(arrays):
    def type_of(format, itemsize, memory=bytes(64)):
        exporter = arrays.BufferExporter((2,), (1,), memory, format=format, itemsize=itemsize)
        return arrays.look(exporter, *ANYTHING, 1, UNALIGNED)["dtype"][:2]
    native, other = "<>" if sys.byteorder == "little" else "><"
    long, double = struct.calcsize("l"), ctypes.sizeof(ctypes.c_longdouble)
    for format, itemsize, expected in [
            (None, 1, (UINT, 8)), ("?", 1, (BOOL, 8)), ("d", 8, (FLOAT, 64)), ("@d", 8, (FLOAT, 64)),
            ("=d", 8, (FLOAT, 64)), (native + "d", 8, (FLOAT, 64)), (other + "B", 1, (UINT, 8)),
            ("!b", 1, (INT, 8)), ("l", long, (INT, 8 * long)), (native + "l", 4, (INT, 32)), ("n", struct.calcsize("n"),
            (INT, 8 * struct.calcsize("n"))), ("e", 2, (FLOAT, 16)), ("g", double, (FLOAT, 8 * double)),
            ("Zf", 8, (COMPLEX, 64)), ("Zd", 16, (COMPLEX, 128)), ("=Zd", 16, (COMPLEX, 128)), ("F", 8, (COMPLEX, 64)),
            ("D", 16, (COMPLEX, 128)), ("^d", 8, (FLOAT, 64))]:
        assert type_of(format, itemsize) == expected, format
    for format, itemsize in [
            ("", 8), ("dd", 16), ("2d", 16), (other + "d", 8), ("=n", 8), ("Zl", 16), ("Zg", 32), ("O", 8), ("P", 8),
            ("s", 1), ("c", 1), ("T{d:x:}", 8), ("d", 4), ("d", 0), ("d", -8), ("l", 3), ("@", 8), ("Z", 8),
            ("d" * 5000, 8), ("=", 1), ("\u20ac", 3)]:
        with pytest.raises(TypeError, match=f"of {itemsize} bytes with the format '"):
            type_of(format, itemsize)


def test_bytes_may_be_read_and_not_written(arrays):
    assert arrays.look(b"abc", UINT, 8, 1, 0)["items"] == b"abc"
    assert arrays.look(b"abc", UINT, 8, 1, 0)["readonly"] == 1
    refused(arrays, r"^found a 'bytes' that is read-only, expected an array of uint8 with 1 dimension, writable; pass",
            b"abc", UINT, 8, 1, WRITABLE)


def test_what_is_found_and_what_is_expected_are_said(arrays):
    doubles = array.array("d", [1, 2])
    refused(arrays, r"^found a 'array.array' of float64, expected an array of float32 with 1 dimension; convert it",
            doubles, FLOAT, 32, 1, 0)
    refused(arrays, r"^found a 'array.array' of float64, expected an array of bool; convert it, with numpy.asarray",
            doubles, BOOL, 8, ANY, 0)
    refused(arrays, r"found a 'array.array' with 1 dimension, expected an array of float64 with 2 dimensions, "
            r"C-contiguous, writable$", doubles, *DOUBLE, 2, C | WRITABLE)
    refused(arrays, r"on a device of type 1, number 0, expected an array of float64 with 1 dimension, on a device of "
            r"type 2; copy it there", doubles, *DOUBLE, 1, 0, 2)
    every_other = memoryview(doubles)[::2]
    assert arrays.look(every_other, *DOUBLE, 1, C)["shape"] == (1,)
    reverse = memoryview(doubles)[::-1]
    refused(arrays, "whose items do not follow one another, expected .*, C-contiguous; numpy.ascontig",
            reverse, *DOUBLE, 1, C)
    refused(arrays, "expected .*, Fortran-contiguous; numpy.asfortranarray", reverse, *DOUBLE, 1, F)
    refused(arrays, "expected .*, C- or Fortran-contiguous; numpy.ascontiguousarray", reverse, *DOUBLE, 1, C | F)
    refused(arrays, "expected an array of numbers of any type$", 5, *ANYTHING, ANY, 0)


@pytest.mark.parametrize("thing", [None, 5, "text", [1.0], (), object(), int, object, {}, len, sys, 1.5])
def test_an_object_that_is_no_array_is_refused(arrays, thing):
    refused(arrays, f"^found an object of type '{type(thing).__name__}', which has neither the slot "
            "dlpack.exchange_api, nor a capsule __dlpack_c_exchange_api__ of DLPack 1, nor a buffer, nor "
            "__dlpack__.., expected an array of float64 with 1 dimension"
            + ("; convert it, with numpy" if isinstance(thing, (list, tuple)) else "$"), thing, *DOUBLE, 1, 0)


def test_negative_strides_and_no_dimension_and_no_items(arrays):
    doubles = array.array("d", range(6))
    view = memoryview(doubles)[::-2]
    found = arrays.look(view, *DOUBLE, 1, 0)
    assert found["strides"] == (-16,) and found["items"] == struct.pack("3d", 5, 3, 1)
    scalar = memoryview(bytes(8)).cast("d", [])
    found = arrays.look(scalar, *DOUBLE, 0, C | F)
    assert (found["shape"], found["size"], found["items"]) == ((), 1, bytes(8))
    found = arrays.look(array.array("d"), *DOUBLE, 1, C | F)
    assert (found["shape"], found["size"], found["items"]) == ((0,), 0, b"")


def test_the_memory_of_a_buffer_stays_while_it_is_held(arrays):
    doubles = array.array("d", [1, 2])
    held = arrays.hold(doubles, *DOUBLE, 1, WRITABLE)
    with pytest.raises(BufferError):
        doubles.append(3)
    arrays.add_one(held)
    assert list(doubles) == [2, 3]
    del held
    doubles.append(4)
    with pytest.raises(TypeError, match="of float64"):
        arrays.hold(doubles, FLOAT, 32, 1, 0)
    doubles.append(5)           # a refused one is not held


def test_ctypes_arrays_of_two_dimensions(arrays):
    matrix = (ctypes.c_double * 3 * 2)((1, 2, 3), (4, 5, 6))
    found = arrays.look(matrix, *DOUBLE, 2, C | WRITABLE)
    assert (found["shape"], found["strides"], found["items"]) == ((2, 3), (24, 8), bytes(matrix))
    refused(arrays, "do not follow one another", matrix, *DOUBLE, 2, F)
    refused(arrays, "with the format", (ctypes.c_double.__ctype_be__ * 2)(1, 2), *DOUBLE, 1, 0)


def test_items_at_odd_addresses_are_taken_only_by_who_asks_for_them(arrays):
    memory = bytearray(25)
    odd = arrays.BufferExporter((2,), (1,), memoryview(memory)[1:17], format="d")
    refused(arrays, "that is not aligned, expected an array of float64 with 1 dimension; a copy of it is aligned", odd,
            *DOUBLE, 1, 0)
    assert arrays.look(odd, *DOUBLE, 1, UNALIGNED)["shape"] == (2,)
    apart = arrays.BufferExporter((2,), (9,), memory, format="B", itemsize=1)
    assert arrays.look(apart, UINT, 8, 1, 0)["strides"] == (9,)


@pytest.mark.parametrize("words, arguments", [
    ("with -3 dimensions, but no more than 8", dict(shape=(1,), ndim=-3)),
    ("with 9 dimensions, but no more than 8", dict(shape=(1,) * 9)),
    ("with 1000000000 dimensions, but", dict(shape=(1,), ndim=10**9)),
    ("a shape that is missing, negative", dict(shape=(2, -1), strides=(1, 1))),
    ("a shape that is missing, negative", dict(shape=None, ndim=1)),
    ("reaches further than there are addresses", dict(shape=(1 << 62, 4))),
    ("reaches further than there are addresses", dict(shape=(1 << 62, 4), strides=(0, 0))),
    ("reaches further than there are addresses", dict(shape=(2,), strides=(-1 << 60,))),
    ("reaches further than there are addresses", dict(shape=(3, 3), strides=(1 << 58, 1 << 58))),
    ("items and no memory", dict(shape=(2,), memory=None)),
])
def test_a_buffer_that_cannot_be_right_is_refused(arrays, words, arguments):
    exporter = arrays.BufferExporter(**{"strides": None, "memory": bytes(64), **arguments})
    refused(arrays, f"^found a 'array_probe.BufferExporter' with .*{words}|^found .*{words}", exporter, *DOUBLE, ANY, 0)


def test_a_buffer_without_strides_is_contiguous(arrays):
    found = arrays.look(arrays.BufferExporter((2, 3), None, bytes(48)), *DOUBLE, 2, C)
    assert (found["strides"], found["items"]) == ((24, 8), bytes(48))
    for shape, strides in ((0,), (5,)), ((3, 0), (-1 << 63, 8)), ((1 << 40, 1 << 40, 0), None):
        assert arrays.look(arrays.BufferExporter(shape, strides, None), *DOUBLE, ANY, C | F)["size"] == 0


def test_what_an_exporter_raises_is_the_cause(arrays):
    with because(BufferError, "not today"):
        arrays.look(arrays.BufferExporter((2,), None, bytes(16), fails=2), *DOUBLE, 1, 0)
    refused(arrays, "failed to export itself, without an exception, expected",
            arrays.BufferExporter((2,), None, bytes(16), fails=1), *DOUBLE, 1, 0)
    released = memoryview(bytearray(8))
    released.release()
    with because(ValueError, "released"):
        arrays.look(released, UINT, 8, 1, 0)
