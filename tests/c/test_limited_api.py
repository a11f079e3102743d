# SPDX-License-Identifier: MIT
"""Consumers under the limited API: one binary for CPython 3.10 and later, and one for 3.15 and later with and without a
GIL (abi3t).  They find what consumers with the full API find, also on a CPython whose layouts nobody has looked at."""
import sys
import textwrap
from pathlib import Path

import pytest
import support
from support import A, B, slot_id, static_type

pytestmark = pytest.mark.compilers

HERE = Path(__file__).resolve().parent
LIMITED = HERE / "limited_consumer.c"

limited_api = pytest.mark.skipif(
    support.FREE_THREADED, reason="free-threaded CPython refuses Py_LIMITED_API with an #error of its own")

ABIS = {"abi3": "-DPy_LIMITED_API=0x030A0000", "abi3t": "-DPy_TARGET_ABI3T=0x030F0000"}
by_abi = pytest.mark.parametrize("abi", [
    pytest.param("abi3", marks=limited_api), pytest.param("abi3t", marks=support.has_abi3t)])

#: There are later ones than the oldest, 3.10's, from 3.11 on.
LATER = range(11, sys.version_info.minor + 1) or [pytest.param(
    11, marks=pytest.mark.skip(reason="before CPython 3.11 there is no later limited API"))]


def consumer(abi, unknown=False, name="limited_consumer"):
    """The path of the consumer; unknown: it takes this CPython for one whose layouts nobody has looked at."""
    return support.build_c(name, LIMITED, cflags=(
        *support.STRICT_FLAGS, ABIS[abi], f"-DNAME={name}", *["-DUNKNOWN"] * unknown))


@pytest.fixture(scope="module", params=[
    pytest.param(("abi3", False), marks=limited_api, id="abi3"),
    pytest.param(("abi3", True), marks=limited_api, id="abi3, unknown CPython"),
    pytest.param(("abi3t", False), marks=support.has_abi3t, id="abi3t"),
    pytest.param(("abi3t", True), marks=support.has_abi3t, id="abi3t, unknown CPython")])
def limited(request):
    abi, unknown = request.param
    return support.load(consumer(abi, unknown, f"limited_{abi}{'_unknown' * unknown}"))


@by_abi
@pytest.mark.parametrize("dialect", support.DIALECTS)
def test_limited_consumer_compiles_without_a_warning(abi, dialect, tmp_path):
    support.compile_all_strictly([LIMITED], dialect, tmp_path, ABIS[abi], check_only=True)


@limited_api
@pytest.mark.parametrize("dialect", ["c99", "c++11"])
@pytest.mark.parametrize("minor", LATER)
def test_limited_consumer_may_ask_for_a_later_limited_api(dialect, minor, tmp_path):
    """From 3.11 on Py_TYPE() and the like take nothing but PyObject *."""
    support.compile_all_strictly([LIMITED], dialect, tmp_path, f"-DPy_LIMITED_API=0x03{minor:02X}0000", check_only=True)


@limited_api
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the module is one for the main interpreter there")
def test_limited_consumer_may_look_for_the_first_time_in_a_sub_interpreter():
    """Which waits for ever, before CPython 3.12, if it takes the main interpreter's thread state."""
    path = consumer("abi3")
    support.check_child("""
        import sys, support
        support.run_in_new_interpreter(*sys.argv[1:])
        """, """
        import sys
        sys.path.insert(0, target)
        import limited_consumer
        class Plain: pass
        assert limited_consumer.find(Plain(), 0x1000000) is None, "a slot"
        """, path.parent, timeout=60, modules=[support.TESTS / "support.py"])


def test_limited_consumer_finds_the_same(limited, probe, extensibletype):
    static = static_type(probe, "ForLimited", (), [(A, 1), (B, 2)])
    heap = extensibletype("Heap", (static,), {})
    probe.set_slots(heap, [(A, 10)])
    foreign = probe.foreign_static("limited.Foreign", (static,))
    for cls in static, heap, foreign, extensibletype("None_", (), {}), int, object, type:
        assert limited.look(cls) == (probe.check_type(cls), probe.count_type(cls), probe.address(cls))
    for cls in static, heap, foreign:
        for position in 0, 1, 3, 9, -1:
            assert limited.find(cls(), A, position) == probe.find(cls(), A, position)
    for obj in 5, None, "x", object(), type, heap:
        assert limited.find(obj, A) is None
    assert limited.intern(b"some.name") == probe.intern(b"some.name")


@by_abi
@pytest.mark.parametrize("unknown", [False, True])
def test_first_limited_lookup_needs_no_gil_and_leaves_exceptions_alone(abi, unknown):
    """It reads the head of objects and the size of PyHeapTypeObject, once."""
    support.check_child("""
        import limited_consumer, probe
        cls = probe.draft_ready(probe.draft("x.First", (), [(257, 1)], 4, None), 4)
        assert limited_consumer.find_quietly(cls(), KeyError("mine"), 257)
        """, modules=[consumer(abi, unknown), support.probe_path()])


# What is registered, by whom, for which kind of class.  IDs of their own: static types keep them.
REGISTERED = [slot_id(0x3F00), slot_id(0x3F01)]


def test_limited_consumer_registers_what_all_others_find(limited, probe):
    class Plain: pass
    class Sub(Plain): pass
    one, two = REGISTERED
    limited.register_slot(Plain, one, 5)
    limited.register_slot(bytearray, two, 6)            # static
    for module in limited, probe:
        assert module.find_any(Sub(), one) == 5 and module.find_any(bytearray(), two) == 6
        assert module.find_any([], one) is None
    limited.register_slot(Plain, one, 5)                # the same again is fine
    for module in limited, probe:
        with pytest.raises(ValueError, match=r"\((.*\.)?Plain\): found data 0x7 for slot ID"):
            module.register_slot(Plain, one, 7)


def test_limited_consumer_names_classes_of_any_name(limited):
    """(What is refused, and what goes with a class: core/test_registered.py.)"""
    class Nameless(type):
        def __getattribute__(cls, name):
            raise AssertionError(name)
    with pytest.raises(ValueError, match=r"\(\?\): found slot ID 0"):
        limited.register_slot(Nameless("Joke", (), {}), 0, 1)
    long = type("\u20ac" * 500, (), {})                  # whose 200th byte is in the midst of a character
    with pytest.raises(ValueError, match="\\(\u20ac{66}.?.?\\): found slot ID 0"):
        limited.register_slot(long, 0, 1)


@by_abi
def test_a_head_of_objects_that_is_not_the_one_is_noticed(abi):
    """What a later CPython may have: look-ups stay right, and registering is refused in words."""
    support.check_child("""
        import ctypes, gc, struct, limited_consumer, probe
        slotted = probe.draft_ready(probe.draft("x.First", (), [(257, 1)], 4, None), 4)
        word = struct.calcsize("P")
        size = ctypes.c_ssize_t.from_address(id(object) + object.__basicsize__ + 2 * word)
        assert size.value == object.__basicsize__
        class Plain: pass
        size.value += word
        try:
            assert limited_consumer.find(slotted(), 257) == 1 and limited_consumer.find(5, 257) is None
            for number in range(20):
                try:
                    limited_consumer.register_slot(Plain, 257, 1)
                except RuntimeError as error:
                    assert "in another place than CPython 3.10 to 3.15; build this module for this" in str(error)
                else:
                    raise AssertionError("no error")
                assert limited_consumer.find_any(Plain(), 257) is None
                gc.collect()
            limited_consumer.register_slot(list, 257, 1)        # needs no reference
            assert limited_consumer.find_any([], 257) == 1
        finally:
            size.value -= word
        """, modules=[consumer(abi), support.probe_path()])


#: The word of the process's table that leads to what libraries with the full API do for others, and its struct.
SERVICES = """
    import ctypes, foreign, limited_consumer
    class Services(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("version", ctypes.c_size_t), ("find_registered", ctypes.c_void_p),
                    ("find_bridged", ctypes.c_void_p)]
    class Base: pass
    class Cls(Base): pass
    class Other: pass
    limited_consumer.register_slot(Base, 257, 5)
    limited_consumer.register_slot(Other, 257, 6)
    def finds(*expected): return tuple(limited_consumer.find_any(cls(), 257) for cls in (Cls, Other)) == expected
    place = ctypes.c_size_t.from_address(foreign.shared(foreign.string("_Pycs_TABLE_KEY")) + 10 * foreign.W)
    assert finds(5, 6)
    """


def check_services(abi, code):
    support.check_child(textwrap.dedent(SERVICES) + textwrap.dedent(code), modules=[
        consumer(abi), support.probe_path(), support.TESTS / "docs" / "foreign.py"])


@by_abi
def test_services_are_brought_and_change_no_answer(abi):
    check_services(abi, """
        assert place.value == 0
        import probe
        assert probe.find_any(Cls(), 257) == 5
        assert place.value and Services.from_address(place.value).size == ctypes.sizeof(Services)
        for again in range(3): assert finds(5, 6)
        Cls.__bases__ = (Other,)
        assert finds(6, 6)
        limited_consumer.register_slot(Cls, 257, 7)
        assert finds(7, 6)
        """)


@by_abi
def test_services_that_a_sub_interpreter_has_brought_outlast_it(abi):
    check_services(abi, """
        import sys
        try:
            import _interpreters as interpreters
            number = interpreters.create("legacy")
        except ImportError:
            import _xxsubinterpreters as interpreters
            number = interpreters.create(isolated=False)
        assert place.value == 0
        failed = interpreters.run_string(number, f"import sys; sys.path[:] = {sys.path}; import probe; "
                                         "assert probe.find_any(5, 257) is None")
        assert failed is None, failed
        interpreters.destroy(number)
        assert place.value
        for again in range(3): assert finds(5, 6)
        """)


@by_abi
def test_services_that_know_less_are_not_asked_and_give_way(abi):
    """However new they say they are; and those that know more, or are newer, are asked and stay."""
    check_services(abi, """
        import probe
        size, unreadable, nothing = ctypes.sizeof(Services), 8, ctypes.PYFUNCTYPE(ctypes.c_size_t, ctypes.c_size_t,
                                                                                  ctypes.c_size_t)(lambda type, id: 0)
        answers = ctypes.cast(nothing, ctypes.c_void_p).value
        for services, known in ((0, -1, unreadable, unreadable), False), ((24, -1, unreadable, unreadable), False), (
                (size, 0, answers, answers), False), ((size, -1, answers, answers), True), (
                (size + 8, 0, answers, answers), True):
            given = Services(*services)
            place.value = ctypes.addressof(given)
            assert finds(*(None, None) if given.size >= size else (5, 6))
            class New: pass
            assert probe.find_any(New(), 257) is None           # looked for, so this library brings its own
            assert (place.value == ctypes.addressof(given)) is known
            assert finds(*(None, None) if known else (5, 6))
        """)


@pytest.mark.parametrize("abi", [pytest.param("ABI3", marks=[support.has_abi3, pytest.mark.skipif(
    sys.version_info < (3, 12), reason="3.11's limited API does not say who is attached to a sub-interpreter")]),
    pytest.param("ABI3T", marks=support.has_abi3t)])
def test_buffers_and_python_functions_serve_in_a_sub_interpreter_where_names_do_not(abi):
    """Until somebody in the main interpreter has asked for the process's table.  The error of a name says so."""
    solver = support.build_c("limited_solver", HERE / "limited_solver.c", cflags=(*support.STRICT_FLAGS, f"-D{abi}"))
    support.check_child("""
        import sys, support
        code = '''
        import array, sys
        sys.path.insert(0, target)
        import limited_solver
        for obj in array.array("d", [1.0, 2.0]), memoryview(array.array("d", [3.0])):
            assert limited_solver.apply(lambda x: x / 2, obj) == 1.5
        for obj, words in (array.array("f"), "a 'array.array' of float32"), (5, "found an object of type 'int'"):
            try: limited_solver.apply(len, obj)
            except TypeError as error: assert words in str(error), error
            else: raise AssertionError(words)
        '''
        names = '''
        try: limited_solver.intern(b"a.name")
        except RuntimeError as error: assert "call it in the main interpreter first, or build without" in str(error)
        else: raise AssertionError("no error")
        '''
        support.run_in_new_interpreter(code + names, sys.argv[1], legacy=True)
        import limited_solver
        limited_solver.intern(b"a.name")
        support.run_in_new_interpreter(code + "limited_solver.intern(b'a.name')", sys.argv[1], legacy=True)
        """, solver.parent, modules=[solver, support.TESTS / "support.py"])


@by_abi
@pytest.mark.skipif(sys.version_info < (3, 11), reason="the limited API with buffers begins with CPython 3.11")
def test_registering_typed_functions_is_an_error_that_names_the_api(abi, tmp_path):
    source = tmp_path / "registers.c"
    source.write_text("""
        #include "typedmethod.h"
        int add(PyMethodDef *def, const PyTypedMethodRecord *record);
        int add(PyMethodDef *def, const PyTypedMethodRecord *record) { return PyTypedMethod_Register(def, record); }
        """)
    done = support.compile_strictly(source, "c99", tmp_path / "x.o", ABIS[abi].replace("30A", "30B"), check_only=True)
    assert done.returncode and "registering_needs_the_full_API_without_Py_LIMITED_API" in done.stdout
