# SPDX-License-Identifier: MIT
"""PyCustomSlots_Register() and FindAny(): slots for types that are not extensible."""
import gc
import itertools
import random
import sys
import warnings

import pytest
import support
from support import A, B, EMPTY, SKIP, slot_id, static_type

pytestmark = pytest.mark.msvc

#: Registrations for static types are for ever: every test takes IDs of its own.
_ideas = itertools.count(0x4000)


@pytest.fixture
def new():
    """An ID that nobody has used."""
    return slot_id(next(_ideas))


@pytest.fixture(params=["probe", "limited_consumer"])
def registrar(request, probe, limited):
    """Who registers: what the limited API has is another weak reference and other words."""
    if request.param == "limited_consumer" and limited is None:
        pytest.skip("free-threaded CPython has no limited API")
    return probe if request.param == "probe" else limited


def plain(name="Plain", *bases):
    return type(name, bases, {})


def test_builtin_type_is_found_by_find_any_and_not_by_find(probe, new):
    assert probe.find_any([], new) is None
    probe.register_slot(list, new, 5)
    assert probe.find_any([], new) == 5 == probe.find_any_type(list, new)
    assert probe.find([], new) is None and not probe.check([])
    assert probe.find_any({}, new) is None and probe.find_any_type(object, new) is None


def test_the_nearest_class_of_the_mro_answers(probe, new):
    top, left, right = plain("Top"), None, None
    left, right = plain("Left", top), plain("Right", top)
    both = plain("Both", left, right)
    probe.register_slot(top, new, 1)
    probe.register_slot(right, new, 2)
    assert [probe.find_any_type(cls, new) for cls in (top, left, right, both)] == [1, 1, 2, 2]
    probe.register_slot(left, new, 3)
    assert probe.find_any_type(both, new) == 3
    probe.register_slot(both, new, 4)
    assert [probe.find_any_type(cls, new) for cls in (top, left, right, both)] == [1, 3, 2, 4]


def test_bases_assigned_after_an_answer_was_remembered_are_followed_each_time(probe, new):
    """More often than CPython gives versions to one class."""
    one, two = plain("One", plain("Root")), plain("Two", plain("Root"))
    probe.register_slot(one, new, 1)
    child = plain("Child", one)
    leaf = plain("Leaf", child)
    for _ in range(1500):
        assert probe.find_any_times(leaf, new, 3) == (3, 3)
        child.__bases__ = (two,)
        assert probe.find_any_times(leaf, new, 3) == (0, 0)
        child.__bases__ = (one,)


def test_bases_that_could_not_be_assigned_are_forgotten(probe, new):
    """CPython puts the former MRO back, and keeps the version that it gave to the other one."""
    seen, refuse = [], False

    class Meta(type):
        def mro(cls):
            if refuse and cls.__name__ == "Last":
                seen.extend([probe.find_any_type(child, new), probe.find_any_type(child, new)])
                raise ZeroDivisionError
            return type.mro(cls)

    one, two = plain("One", plain("Root")), plain("Two", plain("Root"))
    probe.register_slot(one, new, 1)
    probe.register_slot(two, new, 2)
    child = Meta("Child", (one,), {})
    last = Meta("Last", (child,), {})
    assert probe.find_any_type(child, new) == 1
    refuse = True
    with pytest.raises(ZeroDivisionError):
        child.__bases__ = (two,)
    assert seen == [2, 2] and [probe.find_any_type(cls, new) for cls in (child, last)] == [1, 1]


def test_what_is_registered_after_a_remembered_miss_is_found_at_once(probe, probe_twin, new):
    root = plain("Root")
    leaf = plain("Leaf", plain("Middle", root))
    other = slot_id(next(_ideas))
    for module in probe, probe_twin:
        assert module.find_any_times(leaf, new, 3) == (0, 0) == module.find_any_times(int, new, 3)
    for number, cls in enumerate([object, root, leaf.__base__, leaf], 1):
        probe_twin.register_slot(cls, new, number)
        assert probe.find_any(leaf(), new) == number and probe.find_any(5, new) == 1
        assert probe.find_any(leaf(), other) is None


def test_types_and_ids_with_the_same_key_are_told_apart(probe, new):
    one, two, three = plain("One"), plain("Two"), plain("Three")
    second, third, fourth = (support.same_key(one, new, other) for other in (two, three, list))
    for known in three, one, two, int:
        assert probe.find_any_type(known, fourth) is None
    probe.register_slot(one, new, 1)
    probe.register_slot(list, fourth, 4)
    probe.register_slot(two, second, 2)
    probe.register_slot(three, third, 3)
    table = {one: {new: 1}, two: {second: 2}, three: {third: 3}, list: {fourth: 4}}
    for _ in range(3):
        for cls, has in table.items():
            for known in cls, plain("Sub", cls):
                for number in new, second, third, fourth:
                    assert probe.find_any_type(known, number) == has.get(number), (cls, number)
    with pytest.raises(ValueError, match="registered already"):
        probe.register_slot(two, second, 1)


@pytest.mark.parametrize("wrong", ["sequence", "generation", "version", "mro", "interpreter"])
def test_an_answer_is_not_believed_if_one_word_is_not_as_it_should_be(probe, new, wrong):
    for base in plain(), static_type(probe, "Reg" + wrong, (), []):
        known = plain("Sub", base) if base.__name__ == "Plain" else base
        if base is not known:
            probe.register_slot(base, new, 5)
        found = probe.find_any_type(known, new)
        if not probe.forge_answer(known, new, wrong):
            pytest.skip("this interpreter has no versions that stay true: nothing is remembered")
        assert probe.find_any_type(known, new) == found
    cls = plain()
    probe.register_slot(cls, new, 5)
    gc.collect()        # a class that is collected later ends this answer, too
    probe.forge_answer(cls, new, "nothing")         # all is right: otherwise this shows nothing
    assert probe.find_any_type(cls, new) is None
    probe.register_slot(plain(), new, 5)
    assert probe.find_any_type(cls, new) == 5


@pytest.mark.skipif(sys.version_info < (3, 12), reason="versions belong to the process")
def test_an_answer_about_a_heap_type_is_believed_if_it_is_of_the_only_interpreter(probe, new):
    cls = plain()
    probe.register_slot(cls, new, 5)
    assert probe.find_any_type(cls, new) == 5       # this finds where CPython says which interpreter is the newest
    gc.collect()        # a class that is collected later ends this answer, too
    if not probe.forge_answer(cls, new, "main"):
        pytest.skip("this interpreter has no versions that stay true: nothing is remembered")
    assert probe.find_any_type(cls, new) is None


def test_when_generations_are_used_up_all_is_found_without_answers(probe):
    support.check_child("""
        import ctypes, probe
        probe.register_slot(list, 257, 1)
        generation = ctypes.c_size_t.from_address(
            probe.table_state()["address"] + 5 * ctypes.sizeof(ctypes.c_size_t))
        assert generation.value == 1
        generation.value = 2**(8 * ctypes.sizeof(ctypes.c_size_t)) - 2
        sub = type("Sub", (list,), {})
        assert probe.find_any_times(sub, 513, 3) == (0, 0)
        for number in range(1, 5):
            assert probe.find_any_times(sub, 257 + 256 * number, 3) == (0, 0)
            probe.register_slot((list, sub)[number % 2], 257 + 256 * number, number)
            for _ in range(3): assert probe.find_any_type(sub, 257 + 256 * number) == number
            assert probe.find_any_type(sub, 257 + 256 * 9) is None
        assert generation.value == 2**(8 * ctypes.sizeof(ctypes.c_size_t)) - 1
        """, modules=[support.probe_path()])


def test_table_of_an_extensible_type_goes_before_any_registration(probe, extensibletype, new):
    base = plain("Base")
    probe.register_slot(base, A, 70)
    probe.register_slot(base, new, 71)
    cls = extensibletype("Cls", (base,), {})
    assert probe.find_any(cls(), A) == 70
    probe.set_slots(cls, [(A, 1)])
    assert probe.find_any(cls(), A) == 1 == probe.find(cls(), A)
    assert probe.find_any(cls(), new) == 71 and probe.find(cls(), new) is None
    static = static_type(probe, "Any", (), [(B, 3), (A, 2)])
    for position in 0, 1, 2, 99, -1:
        assert probe.find_any(static(), A, position) == 2


def test_registration_is_found_while_a_class_is_made(probe, extensibletype, new):
    seen = []

    class Base(list):
        def __init_subclass__(cls):
            seen.append(probe.find_any_type(cls, new))

    probe.register_slot(Base, new, 5)
    plain("Sub", Base)
    extensibletype("Sub", (Base,), {})
    assert seen == [5, 5]


def test_same_data_again_is_fine_and_other_data_is_refused_with_both(probe, registrar, new):
    cls = plain()
    for owner in tuple, cls:
        registrar.register_slot(owner, new, 0xAB)
        gc.collect()                             # what classes of other tests had is gone now
        count = probe.table_state()["count"]
        registrar.register_slot(owner, new, 0xAB)
        with pytest.raises(ValueError, match=rf"\((.*\.)?{owner.__name__}\): found data 0xcd .*"
                                             "expected 0xab, which is registered already"):
            registrar.register_slot(owner, new, 0xCD)
        assert probe.find_any_type(owner, new) == 0xAB
        assert probe.table_state()["count"] == count
    number = probe.intern(b"shapes.area")
    registrar.register_slot(cls, number, 0xAB)
    with pytest.raises(ValueError, match=rf"found data 0xcd for slot ID {number:#x} \('shapes.area'\), expected 0xab"):
        registrar.register_slot(cls, number, 0xCD)


def test_extensible_type_is_refused_with_the_function_to_use(probe, registrar, extensibletype, new):
    static = static_type(probe, "NoRegister", (), [(A, 1)])
    heap = extensibletype("Heap", (), {})
    unresolved = type.__new__(extensibletype, "Bare", (), {})
    for cls in static, heap, unresolved:
        with pytest.raises(TypeError, match="extensible type.*PyExtensibleType_SetSlots"):
            registrar.register_slot(cls, new, 1)
        assert probe.find_any_type(cls, new) is None


def test_static_subclass_of_somebody_else_can_be_registered(probe, new):
    """It has the metaclass but no room for a table: SetSlots() refuses it."""
    base = static_type(probe, "RegBase", (), [(A, 1)])
    foreign = probe.foreign_static("foreign.Registered", (base,))
    probe.register_slot(foreign, new, 3)
    assert probe.find_any_type(foreign, new) == 3 and probe.find_any_type(foreign, A) == 1


def test_what_is_no_class_and_ids_that_are_never_found_are_refused(probe, registrar, new):
    for number in EMPTY, SKIP:
        with pytest.raises(ValueError, match=rf"\(set\): found slot ID {number}, .*expected"):
            registrar.register_slot(set, number, 1)
        assert probe.find_any(set(), number) is None
    with pytest.raises(TypeError, match="found an object of type 'int', expected a class"):
        registrar.register_slot(5, new, 1)
    with pytest.raises(ValueError, match="found NULL as the type"):
        registrar.register_slot(None, new, 1)
    with pytest.raises(ValueError, match="found NULL as the slot"):
        registrar.register_slot(list, None, 1)


def test_metaclasses_and_classes_whose_metaclass_hides_hash_equality_and_mro_can_be_registered(probe, new):
    class Joker(type):
        __hash__ = None

        def __eq__(cls, other):
            raise AssertionError("asked")

        def __getattribute__(cls, name):
            raise AssertionError(name)

    cls = Joker("Joke", (), {})
    probe.register_slot(cls, new, 4)
    assert probe.find_any_type(cls, new) == 4
    assert probe.find_any_type(Joker("Sub", (cls,), {}), new) == 4
    probe.register_slot(type, new, 1)
    assert probe.find_any(int, new) == 1 == probe.find_any(cls, new) and probe.find_any(cls(), new) == 4


def test_lookups_leave_exceptions_alone_even_the_first_of_all(probe):
    support.check_child("""
        import probe, probe_twin
        assert probe.leaves_exceptions_alone([], KeyError("mine"), 257)
        probe.register_slot(list, 257, 1)
        for module in probe, probe_twin:
            for obj in [], 5, type("L", (list,), {})():
                assert module.leaves_exceptions_alone(obj, KeyError("mine"), 257)
        """, modules=[support.probe_path(), support.probe_path("probe_twin")])


# ------------------------------------------------------------------- classes that die --


@pytest.mark.usefixtures("mortal_classes")
def test_address_reuse_is_safe_even_if_the_callback_cannot_run(registrar):
    """At the recursion limit CPython cannot call the weak reference's callback."""
    support.check_child("""
        import gc, sys
        sanitized = sys.argv[1] == "True"
        from probe import find_any_type, table_state
        register_slot = __import__(sys.argv[2]).register_slot
        sys.unraisablehook = lambda args: errors.append(args.exc_type)
        errors, reused = [], 0
        gc.disable()

        def at_the_limit(work):
            try: at_the_limit(work)
            except RecursionError:
                work()

        for number in range(60):
            cls = type("Cls", (), {})
            address = id(cls)
            register_slot(cls, 257, number)
            del cls
            try: at_the_limit(gc.collect)
            except RecursionError: pass
            gc.collect()
            keep = [type("New", (), {}) for _ in range(30)]
            for new in keep:
                reused += id(new) == address
                assert find_any_type(new, 257) is None
        assert reused > 0 or sanitized, reused
        # Entries of dead types are still there.  From 3.12 on C functions can be called
        # at Python's limit; there the junk in hostile/test_process_table.py does it.
        if sys.version_info < (3, 12):
            assert table_state()["count"] > 10, table_state()
        """, support.SANITIZE, registrar.__name__, modules=[support.probe_path(), registrar.__file__])


@pytest.mark.usefixtures("mortal_classes")
def test_memory_stays_flat_when_registered_classes_come_and_go(probe, registrar, new, collected):
    for number in range(500):
        registrar.register_slot(plain(), new, number)
    collected()
    before, addresses = probe.table_state(), set()
    for number in range(5000):
        cls = plain()
        addresses.add(id(cls))
        registrar.register_slot(cls, new, number)
        if number % 100 == 0:
            gc.collect()
    del cls
    collected()
    after = probe.table_state()
    assert after["count"] == before["count"]
    # A class takes the cell and the entry of the one that had its address.
    assert after["used"] - before["used"] <= len(addresses)
    assert after["entries"] - before["entries"] <= len(addresses)
    # The sanitizer keeps freed memory away from others.
    assert support.SANITIZE or len(addresses) < 2500 and after["cells"] <= 4 * before["cells"]


@pytest.mark.usefixtures("mortal_classes")
def test_new_class_does_not_get_the_answers_of_a_dead_one_at_its_address(probe, new):
    """Nor after what makes CPython 3.10 give the same versions again."""
    base, other, seen, reused = plain("Base"), plain("Other"), set(), 0
    probe.register_slot(base, new, 5)
    for has in random.Random(1).choices((False, True), k=600):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")                 # it is deprecated from 3.13 on
            getattr(sys, "_clear_type_cache", list)()
        cls = plain("Cls", base if has else other)
        assert not hasattr(cls, "something")
        assert probe.find_any_times(cls, new, 3) == (3 * has, 15 * has)
        reused += id(cls) in seen
        seen.add(id(cls))
        del cls
        gc.collect(0)
    assert reused > 50 or support.SANITIZE, "no address was used twice: this shows nothing"


@pytest.mark.usefixtures("mortal_classes")
def test_class_brought_back_by_a_finaliser_is_safe_and_may_register_again(probe, collected):
    collected()
    number, seen, back = slot_id(next(_ideas)), [], []

    class Phoenix:
        def __del__(self):
            if not back:
                seen.append(probe.find_any(self, number))
                back.append(self)

    probe.register_slot(Phoenix, number, 7)
    before = probe.table_state()["count"]
    bird = Phoenix()
    bird.me = bird
    assert probe.find_any(bird, number) == 7
    del bird, Phoenix
    collected()
    assert len(back) == 1 and seen[0] in (7, None)
    ended = probe.table_state()["count"] < before
    assert probe.find_any(back[0], number) == (None if ended else 7)
    if ended:
        probe.register_slot(type(back[0]), number, 8)
        assert probe.find_any(back[0], number) == 8


# ------------------------------------------------------------------------------ fork --


@pytest.mark.skipif(not hasattr(support.os, "fork"), reason="there is no fork() on this system")
def test_lock_that_was_copied_by_fork_is_taken_over():
    support.check_child("""
        import os, probe
        probe.register_slot(list, 257, 1)
        child = os.fork()
        if not child:
            code = 1
            try:
                probe.table_lock_as(os.getppid())      # a thread of the parent was in it
                probe.register_slot(dict, 257, 2)
                code = 0 if probe.find_any({}, 257) == 2 else 2
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        """, modules=[support.probe_path()])
