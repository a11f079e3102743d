# SPDX-License-Identifier: MIT
"""Classes whose objects are arrays, because one C function says where they are."""
import collections.abc
import ctypes
import gc
import itertools
import struct
import sys
import weakref

import cython_customslots
import pytest
import support
from array_support import (ANY, ANYTHING, BFLOAT, BOOL, COMPLEX, CUDA, DOUBLE, F, FLOAT, HANDLE, HERE, INT, OBJECT,
                           UINT, UNALIGNED, VERSIONED, WRITABLE, WRONG, C, because)

pytestmark = [pytest.mark.usefixtures("nothing_left"),
              support.only_on_cpython("PyPy's classes take no buffer protocol when they are ready")]

MEMORY = struct.pack("6d", *range(6))
FULL_RO, SIMPLE, ANY_CONTIGUOUS, F_CONTIGUOUS = 0x11C, 0, 0x98, 0x58

with_room = pytest.mark.parametrize("with_room", [False, True], ids=["own shape", "room"])


@pytest.fixture(scope="module")
def make(arrays):
    """make(with_room, shape, strides, memory, ...): an object of a class that provides."""
    classes = []
    for room in False, True:
        classes.append(type(f"Provided{room:d}", (arrays.Exporter,), {}))
        arrays.provide(classes[room], room)

    return lambda room, *args, **kwargs: classes[room](*args, **kwargs)


def buffer_of(x, flags):
    get = ctypes.pythonapi.PyObject_GetBuffer
    get.argtypes = ctypes.py_object, ctypes.c_void_p, ctypes.c_int
    view = (ctypes.c_char * 200)()
    assert get(x, view, flags) == 0
    ctypes.pythonapi.PyBuffer_Release(view)


def writable_buffer(x):
    return buffer_of(x, FULL_RO | 1)


@with_room
def test_an_array_is_found_by_every_way_without_a_copy(arrays, make, with_room):
    memory = bytearray(MEMORY)
    x = make(with_room, (2, 3), (1, 2), memory)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    found = arrays.look(x, *DOUBLE, 2, F)
    assert (found["data"], found["held"], found["strides"]) == (address, VERSIONED if with_room else OBJECT, (8, 16))
    assert arrays.look(x, *DOUBLE, 2, WRITABLE)["held"] == VERSIONED
    view = memoryview(x)
    assert (view.format, view.shape, view.strides, view.readonly, view.obj) == ("d", (2, 3), (8, 16), False, x)
    view[1, 2] = 50
    assert struct.unpack("6d", memory) == (0, 1, 2, 3, 4, 50)
    assert x.__dlpack_device__() == (1, 0)
    by_method = type("ByMethod", (), {"__dlpack__": lambda self, **kwargs: x.__dlpack__(**kwargs)})()
    assert arrays.look(by_method, *DOUBLE, 2, WRITABLE)["data"] == address
    old = type("Old", (), {"__dlpack__": lambda self: x.__dlpack__()})()
    assert arrays.look(old, *DOUBLE, 2, F)["data"] == address


@with_room
@pytest.mark.parametrize("words, arguments", [
    *WRONG,
    ("failed to say where its items are, without an exception", dict(shape=(2,), fails=1)),
    ("not today", dict(shape=(2,), fails=2)),
    ("on a device of type 0, number 7, expected an array", dict(shape=(2,), device=(0, 7))),
])
def test_what_cannot_be_an_array_is_an_exception_on_every_way(arrays, make, with_room, words, arguments):
    x = make(with_room, **{"strides": None, "memory": MEMORY, **arguments})
    for ask in memoryview, lambda x: x.__dlpack__(max_version=(1, 3)), lambda x: x.__dlpack_device__():
        with pytest.raises(BufferError, match=words):
            ask(x)
    for flags in 0, WRITABLE:
        with because(BufferError, words):
            arrays.look(x, *ANYTHING, ANY, flags)


def test_a_view_without_strides_is_refused_and_an_export_computes_them(arrays, make):
    x = make(False, (2, 3), None, MEMORY)
    with because(BufferError, "found a 'Provided0' without strides, expected 2; DLPack wants them"):
        arrays.look(x, *DOUBLE, 2, 0)
    assert arrays.look(x, *DOUBLE, 2, C, 0, True)["strides"] == memoryview(x).strides == (24, 8)


@with_room
def test_read_only_items_are_read_only_on_every_way(arrays, make, with_room):
    x = make(with_room, (6,), (1,), MEMORY, flags=1)
    assert memoryview(x).readonly
    for ask in writable_buffer, lambda x: x.__dlpack__(), lambda x: x.__dlpack__(max_version=None):
        with pytest.raises(BufferError, match="found a 'Provided.'( of float64)? that is read-only"):
            ask(x)
    with pytest.raises(TypeError, match="that is read-only, expected an array of float64 with 1 dimension, writable"):
        arrays.look(x, *DOUBLE, 1, WRITABLE)


@with_room
def test_a_view_keeps_the_object_and_nothing_else_does(arrays, make, with_room):
    takers = (memoryview, lambda x: x.__dlpack__(max_version=(1, 3)), lambda x: x.__dlpack__(),
              lambda x: arrays.hold(x, *DOUBLE, 1, 0), lambda x: arrays.hold(x, *DOUBLE, 1, 0, 0, True))
    for take in takers:
        x = make(with_room, (6,), (1,), bytearray(MEMORY))
        gone = weakref.ref(x)
        held = [take(x), take(x)]
        del x
        gc.collect()
        assert gone() is not None
        del held
        gc.collect()
        assert gone() is None


@with_room
def test_what_is_given_away_is_freed(arrays, make, with_room):
    """malloc() has it, which nobody else counts."""
    resource = pytest.importorskip("resource")
    if support.SANITIZE:
        pytest.skip("the sanitizers' allocator keeps what is freed")
    x = make(with_room, (6,), (1,), bytearray(MEMORY))

    def give(count):
        for _ in range(count):
            memoryview(x), x.__dlpack__(), x.__dlpack__(max_version=(1, 3)), x.__dlpack__(copy=True)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = give(1000)
    assert give(100_000) - before < 2000        # 100000 of the smallest would be some 8 MB


@with_room
@pytest.mark.parametrize("dtype, format", [
    ((BOOL, 8), "?"), ((INT, 8), "b"), ((INT, 16), "h"), ((INT, 32), "i"), ((INT, 64), "lq"), ((UINT, 8), "B"),
    ((UINT, 16), "H"), ((UINT, 32), "I"), ((UINT, 64), "LQ"), ((FLOAT, 16), "e"), ((FLOAT, 32), "f"),
    ((FLOAT, 64), "d"), ((COMPLEX, 64), ["Zf"]), ((COMPLEX, 128), ["Zd"])])
def test_a_buffer_names_the_type(arrays, make, with_room, dtype, format):
    view = memoryview(make(with_room, (2,), (1,), bytearray(64), dtype=(*dtype, 1)))
    assert view.format in format and view.itemsize == dtype[1] // 8
    assert arrays.look(view, *dtype, 1, C)["dtype"] == (*dtype, 1)


@pytest.mark.parametrize("dtype", [(BFLOAT, 16, 1), (HANDLE, 64, 1), (FLOAT, 32, 4), (12, 8, 1)])
def test_what_no_buffer_can_say_is_for_dlpack(arrays, make, dtype):
    x = make(False, (2,), (1,), bytearray(64), dtype=dtype)
    with pytest.raises(BufferError, match=r"whose items have no format in a buffer, expected others; use __dl"):
        memoryview(x)
    assert x.__dlpack_device__() == (1, 0)
    assert arrays.look(x, *ANYTHING, 1, UNALIGNED)["dtype"] == dtype


def test_a_buffer_has_the_order_that_is_asked_for(make):
    arrays = {"C": make(False, (2, 3), (3, 1), MEMORY), "F": make(False, (2, 3), (1, 2), MEMORY),
              "none": make(False, (2, 2), (3, 1), MEMORY), "empty": make(False, (2, 0), (7, 7), None)}
    fits = {SIMPLE: "C empty", 0x8: "C empty", 0x38: "C empty", F_CONTIGUOUS: "F empty", ANY_CONTIGUOUS: "C F empty",
            FULL_RO: "C F none empty"}
    for (flags, names), (name, x) in itertools.product(fits.items(), arrays.items()):
        if name in names.split():
            buffer_of(x, flags)
        else:
            with pytest.raises(BufferError, match="whose items do not follow one another"):
                buffer_of(x, flags)


def test_another_device_is_shown_to_who_asks_for_it(arrays, make):
    x = make(False, (6,), (1,), MEMORY, device=(CUDA, 3))
    assert x.__dlpack_device__() == (2, 3)
    assert arrays.look(x, *DOUBLE, 1, 0, CUDA)["device"] == (2, 3)
    x.__dlpack__(stream=1, max_version=(1, 0), dl_device=(2, 3))
    for ask in memoryview, lambda x: x.__dlpack__(copy=True):
        with pytest.raises((BufferError, TypeError), match="on a device of type 2|on the CPU"):
            ask(x)
    with pytest.raises(BufferError, match="on one device, expected it on another one"):
        x.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="on the CPU, expected no stream"):
        make(False, (6,), (1,), MEMORY).__dlpack__(stream=1)


@pytest.mark.parametrize("arguments", [
    dict(max_version=5), dict(max_version=(1,)), dict(max_version=("1", 2)), dict(dl_device=1), dict(other=1)])
def test_wrong_arguments_of_the_method_are_type_errors(make, arguments):
    with pytest.raises(TypeError, match="__dlpack__|as an integer"):
        make(False, (6,), (1,), bytearray(MEMORY)).__dlpack__(**arguments)


def test_a_copy_has_memory_of_its_own_and_may_be_written_to(arrays, make):
    x = make(False, (3, 2), (-2, 1), MEMORY, byte_offset=32, flags=1)
    for version in None, (1, 0):
        copy = type("Copy", (), {"__dlpack__": lambda self, **kwargs: x.__dlpack__(copy=True, max_version=version)})()
        found = arrays.look(copy, *DOUBLE, 2, C)
        assert found["items"] == struct.pack("6d", 4, 5, 2, 3, 0, 1)
        assert found["data"] != arrays.look(x, *DOUBLE, 2, 0)["data"]


def test_who_cannot_be_given_a_slot_is_told_and_stays_as_it_is(arrays):
    for thing in 5, None, "text":
        with pytest.raises(TypeError, match="PyTypedArray_Provide: found .*, expected a class"):
            arrays.provide(thing, 0)

    class Extensible(metaclass=cython_customslots.Slotted):
        __customslots__ = {"test.mine": 1}
    with pytest.raises(TypeError, match=r"^PyTypedArray_Provide\(.*Extensible\): found an extensible class without "
                                        "this slot, expected it among the slots that the class was made with"):
        arrays.provide(Extensible, 0)
    assert dict(Extensible.__customslots__) == {"test.mine": 1} and not hasattr(Extensible, "__dlpack__")


def test_what_a_class_has_itself_stays(arrays):
    class Own(arrays.Exporter):
        def __dlpack_device__(self):
            return 5

    class OwnBuffer(arrays.BufferExporter): pass
    for cls in Own, OwnBuffer:
        arrays.provide(cls, False)
        arrays.provide(cls, False)                  # again: nothing new
    assert Own((6,), (1,), MEMORY).__dlpack_device__() == 5
    assert memoryview(OwnBuffer((6,), (1,), MEMORY)).tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(ValueError, match="is registered already; two libraries must agree"):
        arrays.provide(Own, True)


def test_a_class_that_has_lost_what_it_exports_says_so(arrays, make):
    class Lost(type(make(False, (6,), (1,), MEMORY))): pass
    arrays.register_slot(Lost, None)
    x = Lost((6,), (1,), MEMORY)
    for ask in memoryview, lambda x: x.__dlpack__(), lambda x: x.__dlpack_device__():
        with pytest.raises(BufferError, match="found a 'Lost' without the slot dlpack.exchange_api, which its"):
            ask(x)


@pytest.mark.parametrize("functions, words, arguments", [
    (0, "without the slot dlpack.exchange_api", {}), (1, "without the slot dlpack.exchange_api", {}),
    (2, "exports nothing by its slot", dict(fails=1)), (2, "exports nothing by its slot", dict(fails=3)),
    (2, "items and no memory", dict(memory=None))])
def test_a_copy_of_what_another_library_exports_is_checked(arrays, make, functions, words, arguments):
    below = type("Below", (type(make(False, (6,), (1,), MEMORY)),), {})
    arrays.register_slot(below, arrays.api("dlpack_exchange_api", 1, 3, functions))
    with pytest.raises(BufferError, match=words):
        below(**{"shape": (6,), "strides": (1,), "memory": MEMORY, **arguments}).__dlpack__(copy=True)


def test_a_tensor_of_nobody_becomes_an_object_that_is_an_array(arrays, make):
    cls = type(make(False, (6,), (1,), MEMORY))
    x = arrays.allocate(cls, (2, 3), DOUBLE, 1)
    view = memoryview(x)
    view[1, 2] = 5
    assert view.tolist() == [[0, 0, 0], [0, 0, 5]] and type(x).__name__ == "array"
    assert arrays.look(x, *DOUBLE, 2, C | WRITABLE)["size"] == 6
    assert memoryview(arrays.allocate(cls, (), DOUBLE, 1)).ndim == 0
    assert memoryview(arrays.allocate(cls, (0, 5), DOUBLE, 1)).shape == (0, 5)
    with pytest.raises(TypeError, match="cannot create"):
        type(x)()
    for shape, device in ((1,) * 9, 1), ((-1,), 1), ((1,), 2):
        with pytest.raises(BufferError, match="expected the shape and the type of an array on the CPU"):
            arrays.allocate(cls, shape, DOUBLE, device)
    with pytest.raises((MemoryError, BufferError)):
        arrays.allocate(cls, (1 << 40, 1 << 18), DOUBLE, 1)


@pytest.mark.interop
@with_room
def test_numpy_takes_it_without_a_copy(make, with_room):
    np = support.need("numpy")
    memory = bytearray(MEMORY)
    x = make(with_room, (2, 3), (1, 2), memory)
    for y in np.asarray(x), np.from_dlpack(x):
        assert y.dtype == np.float64 and y.strides == (8, 16) and y.flags.f_contiguous
        assert y.__array_interface__["data"][0] == ctypes.addressof(ctypes.c_char.from_buffer(memory))
        y += 1
    assert struct.unpack("6d", memory) == (2, 3, 4, 5, 6, 7)


@pytest.mark.interop
@with_room
@pytest.mark.parametrize("words, arguments", [
    ("not today", dict(fails=2)), ("a shape that is missing, negative", dict(shape=(-1,))),
    ("on a device of type 2", dict(device=(CUDA, 0))),
    ("of bfloat16 whose items have no format in a buffer", dict(dtype=(BFLOAT, 16, 1)))])
def test_numpy_makes_no_array_of_objects_that_cannot_say_where_their_items_are(make, with_room, words, arguments):
    """It clears what a buffer raises, and would take the provider for an item."""
    np = support.need("numpy")
    x = make(with_room, **{"shape": (3,), "strides": (1,), "memory": MEMORY, **arguments})
    for take in (np.asarray, np.array, np.asanyarray, np.frombuffer, np.sum, lambda x: np.asarray(x, object),
                 lambda x: np.array([x, x]), lambda x: np.zeros(3) == x, lambda x: np.zeros(3, object).put(0, x)):
        with pytest.raises((BufferError, TypeError), match=words):
            take(x)
    with pytest.raises((BufferError, RuntimeError), match=f"{words}|Unsupported d"):
        np.from_dlpack(x)


@pytest.mark.interop
def test_the_method_of_numpy_gives_an_array_of_any_type_copied_or_not(arrays, make):
    np = support.need("numpy")
    x = make(False, (3,), (1,), MEMORY)
    address = x.__array__().ctypes.data
    assert address == arrays.look(x, *DOUBLE, 1, 0)["data"] == x.__array__(np.float64, copy=False).ctypes.data
    for other in x.__array__("f4"), x.__array__(copy=True), x.__array__(None, True):
        assert other.tolist() == [0, 1, 2] and other.ctypes.data != address
    with pytest.raises(TypeError, match="__array__"):
        x.__array__(None, None, 5)
    assert np.asarray(type("Own", (type(x),), {"__array__": lambda self, *args, **kwargs: np.ones(5)})(
        (3,), (1,), MEMORY, fails=1)).tolist() == [1] * 5


@pytest.mark.interop
def test_tvm_ffi_takes_it_and_returns_an_array(make):
    tvm_ffi = support.need("tvm_ffi")
    x = make(False, (2, 3), (3, 1), bytearray(MEMORY))
    assert tvm_ffi.from_dlpack(x).shape == (2, 3)
    echo = tvm_ffi.get_global_func("testing.echo")
    y = echo(x)
    assert memoryview(y).tolist() == [[0, 1, 2], [3, 4, 5]]
    memoryview(y)[1, 2] = 50
    assert memoryview(x)[1, 2] == 50


@pytest.fixture(scope="module", params=["c", "cpp"])
def example(request, tmp_path_factory):
    """The example of docs/arrays.md, as C and as C++."""
    name, source = "vector", HERE / "vector.c"
    if request.param == "cpp":
        source = tmp_path_factory.mktemp("cpp") / "vector.cpp"
        source.write_text((HERE / "vector.c").read_text())
    return support.load(support.build_c(name, source, cflags=support.STRICT_FLAGS))


def test_a_static_type_and_its_subclasses_in_c_and_python_are_arrays(arrays, example):
    from_python = type("FromPython", (example.Below,), {})
    for cls in example.Vector, example.Below, from_python, type("More", (from_python,), {}):
        x = cls(3)
        view = memoryview(x)
        view[1] = 50
        assert view.tolist() == [0, 50, 2] and x.__dlpack_device__() == (1, 0)
        assert arrays.look(x, *DOUBLE, 1, C)["items"] == struct.pack("3d", 0, 50, 2)
        assert arrays.look(x, *DOUBLE, 1, C)["held"] == OBJECT
        del view
    with pytest.raises(BufferError, match="found a 'vector.Below' with a shape that is missing, negative"):
        memoryview(example.Below(-1))
    if sys.version_info >= (3, 12):
        assert isinstance(example.Below(1), collections.abc.Buffer)
        with example.Below(2).__buffer__(0) as view:
            assert view.nbytes == 16


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python has __buffer__ since 3.12")
def test_a_class_of_python_may_replace_the_buffer(example):
    class Own(example.Vector):
        def __buffer__(self, flags):
            return memoryview(b"own")
    assert memoryview(Own(1)).tobytes() == b"own" and memoryview(example.Vector(1)).nbytes == 8
