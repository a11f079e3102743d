# SPDX-License-Identifier: MIT
"""Arrays of DLPack: the slot, the class attribute with a capsule, the method."""
import itertools
import struct

import pytest
import support
from array_support import (ANY, ANYTHING, COMPLEX, CUDA, C, DOUBLE, F, FLOAT, HANDLE, INT, MANAGED, OBJECT, UNALIGNED,
                           VERSIONED, WRITABLE, WRONG, because)
from test_buffers import refused

pytestmark = pytest.mark.usefixtures("nothing_left")

NAME = "dlpack_exchange_api"
QUICK, OWNING = 1, 2
MEMORY = struct.pack("6d", *range(6))
numbers = itertools.count()


def by_slot(arrays, api):
    cls = type(f"BySlot{next(numbers)}", (arrays.Exporter,), {})
    arrays.register_slot(cls, api)
    return cls


def by_attribute(arrays, api):
    return type("ByAttribute", (arrays.Exporter,), {"__dlpack_c_exchange_api__": api})


def by_method(arrays, api):
    class ByMethod(arrays.Exporter):
        def __dlpack__(self, *, max_version):
            assert max_version == (1, 3)
            return self.capsule(True)
    return ByMethod


WAYS = by_slot, by_attribute                    # which of them, if there are both: test_bridges.py
ways = pytest.mark.parametrize("way", WAYS)
all_ways = pytest.mark.parametrize("way", (*WAYS, by_method))


@pytest.fixture
def both(arrays):
    """A table with the quick function and the owning one."""
    return arrays.api(NAME, 1, 3, QUICK | OWNING)


@ways
def test_a_tensor_is_seen_where_it_is_with_strides_in_bytes(arrays, both, way):
    exporter = way(arrays, both)((2, 3), (1, 2), bytearray(MEMORY))
    for owns, held in (False, OBJECT), (True, VERSIONED):
        found = arrays.look(exporter, *DOUBLE, 2, F, 0, owns)
        assert found["held"] == held and found["strides"] == (8, 16) and found["shape"] == (2, 3)
        assert found["items"] == struct.pack("6d", 0, 2, 4, 1, 3, 5) and found["device"] == (1, 0)
        refused(arrays, "do not follow one another", exporter, *DOUBLE, 2, C)


@all_ways
def test_a_tensor_without_strides_is_contiguous_and_its_offset_counts(arrays, both, way):
    found = arrays.look(way(arrays, both)((2, 2), None, MEMORY, byte_offset=16), *DOUBLE, 2, C)
    assert found["strides"] == (16, 8) and found["items"] == MEMORY[16:]


@ways
def test_the_quick_function_does_not_say_what_may_be_written_and_the_owning_one_does(arrays, both, way):
    cls = way(arrays, both)
    writable, readonly = cls((6,), (1,), bytearray(MEMORY)), cls((6,), (1,), MEMORY, flags=1)
    assert arrays.look(writable, *DOUBLE, 1, 0)["readonly"] == 1
    found = arrays.look(writable, *DOUBLE, 1, WRITABLE)
    assert (found["readonly"], found["held"]) == (0, VERSIONED)
    refused(arrays, "that is read-only, expected an array of float64 with 1 dimension, writable",
            readonly, *DOUBLE, 1, WRITABLE)
    assert arrays.look(readonly, *DOUBLE, 1, 0, 0, True)["readonly"] == 1


@all_ways
def test_a_copy_is_no_array_to_write_to(arrays, both, way):
    exporter = way(arrays, both)((6,), (1,), bytearray(MEMORY), flags=2)
    refused(arrays, "gives a copy of itself, which nobody sees changed", exporter, *DOUBLE, 1, WRITABLE)
    assert arrays.look(exporter, *DOUBLE, 1, 0, 0, True)["items"] == MEMORY


@all_ways
def test_complex_numbers_that_are_conjugated_later_are_refused(arrays, both, way):
    answers = []

    class Lazy(way(arrays, both)):
        def is_conj(self):
            return answers[-1]()
    exporter = Lazy((3,), (1,), bytearray(MEMORY), dtype=(COMPLEX, 128, 1))
    for flags in 0, WRITABLE:
        answers.append(lambda: False)
        assert arrays.look(exporter, COMPLEX, 128, 1, flags)["items"] == MEMORY
        answers.append(lambda: True)
        refused(arrays, "whose items are conjugated when they are used", exporter, COMPLEX, 128, 1, flags)
        answers.append(lambda: 1 / 0)
        with because(ZeroDivisionError, "by zero"):
            arrays.look(exporter, COMPLEX, 128, 1, flags)
        refused(arrays, "of float64", type(exporter)((6,), (1,), bytearray(MEMORY)), COMPLEX, 128, 1, flags)


def test_what_has_no_buffer_for_its_items_is_asked_by_the_method(arrays, both):
    tensor = by_method(arrays, both)((6,), (1,), MEMORY)
    cls = type("Both", (arrays.BufferExporter,), {"__dlpack__": lambda self, **kwargs: tensor.__dlpack__(**kwargs)})
    assert arrays.look(cls((6,), (1,), MEMORY, fails=2), *DOUBLE, 1, 0)["held"] == VERSIONED
    refused(arrays, "failed to export itself, without an exception", cls((6,), (1,), MEMORY, fails=1), *DOUBLE, 1, 0)


@all_ways
def test_another_device_is_for_who_asks_for_it(arrays, both, way):
    exporter = way(arrays, both)((6,), (1,), MEMORY, device=(CUDA, 3))
    refused(arrays, "on a device of type 2, number 3, expected an array of float64 with 1 dimension; copy it to the",
            exporter, *DOUBLE, 1, 0)
    found = arrays.look(exporter, *DOUBLE, 1, 0, CUDA)
    assert found["device"] == (CUDA, 3)


@ways
@pytest.mark.parametrize("functions, held", [(QUICK, OBJECT), (OWNING, VERSIONED)])
def test_one_of_the_two_functions_suffices_for_reading(arrays, way, functions, held):
    exporter = way(arrays, arrays.api(NAME, 1, 99, functions))((6,), (1,), MEMORY)
    assert arrays.look(exporter, *DOUBLE, 1, 0)["held"] == held
    if functions == QUICK:
        refused(arrays, "nor a capsule", exporter, *DOUBLE, 1, WRITABLE)


@all_ways
@pytest.mark.parametrize("words, arguments", WRONG)
def test_a_tensor_that_cannot_be_right_is_refused(arrays, both, way, words, arguments):
    exporter = way(arrays, both)(**{"strides": None, "memory": MEMORY, **arguments})
    refused(arrays, words, exporter, *ANYTHING, ANY, 0)


@all_ways
def test_types_that_are_not_the_one_are_named(arrays, both, way):
    cls = way(arrays, both)
    for dtype, name in [((FLOAT, 32, 4), "float32x4"), ((FLOAT, 64, 65535), "float64x65535"),
                        ((HANDLE, 64, 1), "handle64"), ((4, 16, 1), "bfloat16"), ((12, 8, 1), "float8_e5m2"),
                        ((16, 8, 1), "float6_e3m2fn of 8 bits"), ((17, 4, 2), "float4_e2m1fnx2"),
                        ((200, 64, 1), "DLPack's float64"), ((6, 8, 1), "bool"), ((5, 128, 1), "complex128")]:
        exporter = cls((1,), (1,), bytes(1 << 20), dtype=dtype)
        refused(arrays, f"of {name}, expected an array of float64", exporter, *DOUBLE, 1, 0)
        found = arrays.look(exporter, *ANYTHING, 1, UNALIGNED)
        assert found["dtype"] == dtype and found["itemsize"] == dtype[1] * dtype[2] // 8


@all_ways
@pytest.mark.parametrize("dtype", [(17, 4, 1), (15, 6, 1), (INT, 2, 1)])
def test_items_of_some_bits_are_taken_if_each_has_a_byte(arrays, both, way, dtype):
    padded, packed = 4, 0
    cls = way(arrays, both)
    for owns in False, True:
        found = arrays.look(cls((2, 3), (1, 2), b"abcdef", dtype=dtype, flags=padded), *dtype[:2], 2, F, 0, owns)
        assert (found["dtype"], found["itemsize"], found["items"]) == (dtype, 1, b"acebdf")
    refused(arrays, "bits, which are no bytes, expected .*; items are bytes, padded to one if they are smaller",
            cls((6,), (1,), b"abcdef", dtype=dtype, flags=packed), *dtype[:2], 1, 0)
    threes = cls((2,), (1,), b"abcdef", dtype=(*dtype[:2], 3), flags=padded)
    refused(arrays, "of 3 times . bits", threes, *ANYTHING, 1, 0)


@all_ways
def test_lengths_of_one_and_of_zero_may_have_any_stride(arrays, both, way):
    cls = way(arrays, both)
    for shape, strides in [((1,), (-(1 << 63),)), ((0, 3), (1 << 62, 7)), ((0,), (0,)), ((6, 1), (1, 999)),
                           ((3, 0), (-1 << 63, 8)), ((1 << 40, 1 << 40, 0), (1, 1, 1)), ((1 << 40, 1 << 40, 0), None)]:
        found = arrays.look(cls(shape, strides, MEMORY), *DOUBLE, ANY, C | F)
        assert found["shape"] == shape and len(found["items"]) == 8 * found["size"]
    assert arrays.look(cls((0,), None, None), *DOUBLE, 1, C | F)["data"] == 0
    assert arrays.look(cls((), None, MEMORY), *DOUBLE, 0, C | F)["items"] == MEMORY[:8]
    refused(arrays, "reaches further|negative", cls((1 << 40, 0, -1), (1, 1, 1), None), *DOUBLE, ANY, 0)


@ways
def test_what_an_exchange_function_raises_is_the_cause(arrays, both, way):
    cls = way(arrays, both)
    for owns in False, True:
        with because(BufferError, "not today"):
            arrays.look(cls((2,), None, MEMORY, fails=2), *DOUBLE, 1, 0, 0, owns)
    refused(arrays, "failed to export itself, without an exception", cls((2,), None, MEMORY, fails=1), *DOUBLE, 1, 0)
    with pytest.raises(TypeError, match="another major version of DLPack than 1, or nothing at all"):
        arrays.look(cls((2,), None, MEMORY, fails=3), *DOUBLE, 1, 0, 0, True)


@ways
@pytest.mark.parametrize("spec", [(*DOUBLE, 1), (*ANYTHING, ANY), (*DOUBLE, 0)])
def test_an_exchange_function_that_fills_nothing_shows_no_array(arrays, both, way, spec):
    cls = way(arrays, both)
    for shape in (6,), (2, 3), ():          # what it leaves from the call before is not taken
        arrays.look(cls(shape, None, MEMORY), *ANYTHING, ANY, 0)
        with pytest.raises(TypeError, match="found a 'By"):
            arrays.look(cls((6,), None, MEMORY, fails=3), *spec, 0)
        with pytest.raises(TypeError, match="found a"):
            arrays.look(cls((6,), None, MEMORY, fails=4), *spec, 0)


@ways
def test_a_table_of_another_major_version_is_none_unless_an_older_one_is_chained_to_it(arrays, both, way):
    newer = arrays.api(NAME, 2, 0, QUICK | OWNING)
    refused(arrays, "nor a capsule __dlpack_c_exchange_api__ of DLPack 1,",
            way(arrays, newer)((6,), (1,), MEMORY), *DOUBLE, 1, 0)
    chained = arrays.api(NAME, 3, 0, 0, arrays.api(NAME, 2, 0, 0, both))
    assert arrays.look(way(arrays, chained)((6,), (1,), MEMORY), *DOUBLE, 1, 0)["items"] == MEMORY
    endless = arrays.api(NAME, 2, 0, 4)
    refused(arrays, "nor a capsule", way(arrays, endless)((6,), (1,), MEMORY), *DOUBLE, 1, 0)
    empty = arrays.api(NAME, 1, 3, 0)
    refused(arrays, "nor a capsule", way(arrays, empty)((6,), (1,), MEMORY), *DOUBLE, 1, 0)


@all_ways
def test_a_tensor_of_another_major_version_is_given_back(arrays, both, way):
    exporter = way(arrays, both)((6,), (1,), bytearray(MEMORY), major=2)
    refused(arrays, "exports another major version of DLPack than 1", exporter, *DOUBLE, 1, WRITABLE)


def test_a_slot_with_nothing_in_it_and_an_attribute_that_is_no_table_leave_the_other_ways(arrays, both):
    empty, other = type("Empty", (arrays.BufferExporter,), {}), type("Other", (arrays.BufferExporter,), {})
    arrays.register_slot(empty, None)
    other.__dlpack_c_exchange_api__ = property(lambda self: 1 / 0)
    for cls in empty, other:
        assert arrays.look(cls((6,), None, MEMORY), *DOUBLE, 1, 0)["items"] == MEMORY
    exporter = by_attribute(arrays, None)((6,), (1,), MEMORY)
    exporter.__dlpack_c_exchange_api__ = both           # of the object: not DLPack's rule
    refused(arrays, "nor a capsule", exporter, *DOUBLE, 1, 0)


@all_ways
def test_the_exporter_lives_as_long_as_its_memory_is_held(arrays, both, way):
    for owns in False, True:
        held = arrays.hold(way(arrays, both)((2,), None, bytearray(MEMORY)), *DOUBLE, 1, 0, 0, owns)
        assert arrays.add_one(held)["items"] == struct.pack("2d", 1, 2)
        del held


@all_ways
def test_an_exporter_that_changes_its_answer_is_asked_again_and_what_is_held_stays(arrays, both, way):
    exporter = way(arrays, both)((2,), None, bytearray(MEMORY))
    for owns in False, True:
        held = arrays.hold(exporter, *DOUBLE, 1, 0, 0, owns)
        exporter.__init__((-1,), None, None)
        refused(arrays, "a shape that is missing, negative", exporter, *DOUBLE, 1, 0)
        exporter.__init__((2, 3), (1, 2), bytearray(MEMORY), dtype=(INT, 64, 1))
        refused(arrays, "of int64", exporter, *DOUBLE, 1, 0)
        assert arrays.look(exporter, INT, 64, 2, 0)["strides"] == (8, 16)
        assert arrays.add_one(held)["items"] == struct.pack("2d", 1, 2)
        exporter.__init__((2,), None, bytearray(MEMORY))


# ------------------------------------------------------------------------- __dlpack__() --


def test_an_old_method_that_knows_no_versions_is_called_without(arrays):
    class Old(arrays.Exporter):
        def __dlpack__(self):
            return self.capsule(False)
    found = arrays.look(Old((6,), (1,), MEMORY), *DOUBLE, 1, C)
    assert (found["held"], found["readonly"], found["items"]) == (MANAGED, 1, MEMORY)
    refused(arrays, "that is read-only", Old((6,), (1,), bytearray(MEMORY)), *DOUBLE, 1, WRITABLE)


def test_a_method_that_says_what_may_be_written_is_believed(arrays):
    cls = by_method(arrays, None)
    assert arrays.look(cls((6,), (1,), bytearray(MEMORY)), *DOUBLE, 1, WRITABLE)["held"] == VERSIONED
    refused(arrays, "that is read-only", cls((6,), (1,), MEMORY, flags=1), *DOUBLE, 1, WRITABLE)


def returning(arrays, make):
    class Hostile:
        def __dlpack__(self, **kwargs):
            return make()
    return Hostile()


def test_a_method_that_returns_no_such_capsule_is_told_so(arrays, both):
    exporter = arrays.Exporter((6,), (1,), MEMORY)
    once = exporter.capsule(True)
    assert arrays.look(returning(arrays, lambda: once), *DOUBLE, 1, 0)["items"] == MEMORY
    for other in None, 5, both, once, arrays.api(None, 1, 1, 0), object():
        refused(arrays, r"a 'Hostile' whose __dlpack__\(\) returned .*, and not a capsule named 'dltensor_versioned'",
                returning(arrays, lambda other=other: other), *DOUBLE, 1, 0)


@pytest.mark.parametrize("error", [BufferError, RuntimeError, TypeError, AttributeError, KeyboardInterrupt,
                                   MemoryError])
def test_what_the_method_raises_is_the_cause_unless_it_says_nothing_of_the_array(arrays, error):
    def make():
        raise error("not today")
    is_raised = error in (KeyboardInterrupt, MemoryError)
    with pytest.raises(error, match="not today") if is_raised else because(error, "not today"):
        arrays.look(returning(arrays, make), *DOUBLE, 1, 0)


def test_a_method_that_is_none_or_fails_to_be_found(arrays):
    class Failing:
        @property
        def __dlpack__(self):
            raise RuntimeError("not found today")
    with because(RuntimeError, "not found today"):
        arrays.look(Failing(), *DOUBLE, 1, 0)
    with because(TypeError, "'NoneType' object is not callable"):
        arrays.look(type("No", (), {"__dlpack__": None})(), *DOUBLE, 1, 0)
    refused(arrays, "found an object of type 'type'", by_method(arrays, None), *DOUBLE, 1, 0)


def test_a_method_may_destroy_what_it_belongs_to(arrays):
    exporters = [arrays.Exporter((6,), (1,), bytearray(MEMORY))]

    class Dying:
        def __dlpack__(self, **kwargs):
            Dying.__dlpack__ = None
            return exporters.pop().capsule(True)
    held = arrays.hold(Dying(), *DOUBLE, 1, 0)
    assert arrays.add_one(held)["shape"] == (6,)


def test_a_failure_leaves_the_exception_even_if_giving_back_runs_python_code(arrays):
    events = []

    class Noisy(arrays.Exporter):
        __dlpack__ = by_method(arrays, None).__dlpack__

        def __del__(self):
            try:
                int("x")
            except ValueError:
                events.append("gone")
    with pytest.raises(TypeError, match="of int64, expected"):
        arrays.look(Noisy((6,), (1,), MEMORY, dtype=(INT, 64, 1)), *DOUBLE, 1, 0)
    assert events == ["gone"]


@support.only_on_cpython("PyPy has no sub-interpreters")
def test_a_sub_interpreter_finds_the_same_and_deletes_an_export(arrays):
    support.run_in_new_interpreter("""
        import array, array_probe
        doubles = array.array("d", [1, 2])
        capsule = array_probe.api("dlpack_exchange_api", 1, 3, 3)
        class ByAttribute(array_probe.Exporter):
            __dlpack_c_exchange_api__ = capsule
        for _ in range(3):
            assert array_probe.look(doubles, 2, 64, 1, 1)["items"] == doubles.tobytes()
            exporter = ByAttribute((2,), (1,), doubles.tobytes())
            assert array_probe.look(exporter, 2, 64, 1, 1)["items"] == doubles.tobytes()
        class Provided(array_probe.Exporter):
            pass
        array_probe.provide(Provided, 0)
        memoryview(Provided((2,), (1,), bytes(16))).release()       # before 3.12 the thread waited for itself
        """.replace("array_probe", arrays.__name__), modules=[arrays.__file__])
