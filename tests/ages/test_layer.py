# SPDX-License-Identifier: MIT
"""Modules that the compiler layer made, of every age and kind, in one process."""
import itertools
import textwrap

import ages
import layer_ages
import pytest
import support
from layer_ages import AGES, build, build_below, check


def below(age):
    """The age of the module that derives from one of this age."""
    return AGES[(AGES.index(age) + 3) % len(AGES)]


def meet(names, came, *modules, derived=()):
    """Import layer_exercise's modules of these names; what came by is what runtime_info() says."""
    rows, serving = layer_ages.rows(*came)
    check(f"""
        import layer_exercise
        meeting = layer_exercise.together(*{names!r}, below={derived!r})
        rows, serving = layer_exercise.came()
        assert rows == {rows!r}, rows
        assert serving == {serving!r}, serving
        for module in meeting.modules:
            words = layer_exercise.refusal(module)
            assert words.endswith({layer_ages.refusal(serving)!r}), words
        meeting.go_on()
        """, *modules)


def run(order):
    """Each carries the implementation of its age; then comes one that derives from the first."""
    names, third = [f"layer_{age}" for age in order], f"below_{order[0]}"
    meet(names, [*zip(names, order), (third, below(order[0]))],
         *map(build, order), build_below(below(order[0]), order[0]), derived=[(third, names[0])])


#: All orders of two, those with this age first.
ORDERS = sorted(("-".join(order) for order in itertools.permutations(AGES, 2)), key=lambda order: "this" not in order)


@pytest.mark.parametrize("order", support.thoroughly(ORDERS, plain=0, thorough=3))
def test_two_ages_work_together_whoever_comes_first(order):
    run(order.split("-"))


# ------------------------------------------------- modules that carry no implementation --


def client(age, name="layer_client"):
    return build(age, name, runtime="installed")


@pytest.mark.parametrize("of_client, of_runtime, of_third", support.thoroughly([
    ("this", "old", "new"), ("old", "this", "state"), ("field", "new", "this"),
    ("new", "field", "old"), ("old", "state", "field")], plain=0, thorough=1))
def test_a_client_works_with_an_installed_runtime_of_another_age(of_client, of_runtime, of_third):
    """So does one that derives from it, of a third age, and a module that carries its own."""
    runtime, third = "_customslots_runtime", f"layer_{of_third}"
    for names, came in (
            (["layer_client", third], [(runtime, of_runtime), (third, of_third)]),
            ([third, "layer_client"], [(third, of_third)])):
        meet(names, came, client(of_client), ages.build(of_runtime, runtime), build(of_third),
             build_below(of_third, of_client, "client", runtime="installed"),
             derived=[("below_client", "layer_client")])


@pytest.mark.parametrize("of_runtime, of_sample", support.thoroughly([
    ("old", "function"), ("field", "this"), ("state", "old")], plain=0, thorough=1))
def test_a_package_works_with_a_runtime_module_of_another_age(of_runtime, of_sample, tmp_path):
    place = layer_ages.build_package(of_runtime, of_sample, tmp_path)
    sample, shared = "layer_shared.sample", ("layer_shared._runtime", of_runtime)
    new, old = ("layer_new", "new"), ("layer_old", "old")
    for names, came in (
            ([sample, "layer_new", "layer_old"], [shared, new, old]),
            (["layer_old", sample, "layer_new"], [old, new]),
            (["layer_new", "layer_shared._runtime", sample], [new, shared])):
        meet(names, came, place, build("new"), build("old"))


# --------------------------------------------------------------- who cannot work together --


def before_and_after(code):
    """Code that has refused(): an import that fails with these words, and changes nothing."""
    return textwrap.dedent("""
        import ctypes, sys, layer_exercise

        def head():
            api = sys.modules["_extensibletype"]._api
            get = ctypes.pythonapi.PyCapsule_GetPointer
            get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            return ctypes.string_at(get(api, repr(api).split('"')[1].encode()),
                                    16 + 6 * ctypes.sizeof(ctypes.c_void_p))

        def state():
            return head(), dict(vars(sys.modules["_extensibletype"])), set(sys.modules)

        def fails(name, *words):
            try:
                __import__(name)
            except ImportError as error:
                assert all(word in str(error) for word in words), error
            else:
                raise AssertionError(f"{name} was imported")
            assert name not in sys.modules

        def refused(name, *words):
            before = state()
            for _ in range(2):
                fails(name, *words)
                assert before == state()
        """) + textwrap.dedent(code)


@pytest.mark.thorough
@pytest.mark.parametrize("abi", layer_ages.OTHER_ABIS)
def test_a_module_of_another_abi_is_refused_and_changes_nothing(abi):
    """Whether it carries its implementation, a newer one, or is a client."""
    words = layer_ages.words_of(abi)
    check(before_and_after(f"""
        meeting = layer_exercise.together("layer_old")
        for name in "layer_{abi}", "layer_client":
            refused(name, *{words!r})
            meeting.go_on()
        meeting.join(__import__("layer_new"))
        refused("layer_{abi}", *{words!r})
        meeting.go_on()
        assert layer_exercise.came() == {layer_ages.rows(("layer_old", "old"), ("layer_new", "new"))!r}
        """), build("old"), build("new"), build(abi), client(abi))


@pytest.mark.thorough
@pytest.mark.parametrize("abi", layer_ages.OTHER_ABIS)
def test_behind_a_module_of_another_abi_all_others_are_refused(abi):
    words = layer_ages.words_of(abi, expects_today=True)
    check(before_and_after(f"""
        meeting = layer_exercise.together("layer_{abi}")
        for name in "layer_new", "layer_client", "layer_old":
            refused(name, *{words!r})
            meeting.go_on()
        assert layer_exercise.refusal(meeting.modules[0]).endswith("and that is a fact")
        """), build("old"), build("new"), build(abi), client("this"))


# --------------------------------------------------------------------- inside of something --


@pytest.mark.thorough
@pytest.mark.parametrize("first, second", [("old", "function"), ("this", "field"), ("field", "this"), ("new", "state")])
def test_a_module_may_join_while_a_class_is_being_made(first, second):
    """Inside of its __set_name__ and its subclass hook: values from keyword and body stay."""
    rows, _ = layer_ages.rows((f"layer_{first}", first), (f"layer_{second}", second))
    check(f"""
        import layer_exercise, layer_{first} as first
        inside = []
        class Watch:
            def __set_name__(self, owner, name):
                inside.append((owner.level, owner.note))
                import layer_{second}
                inside.append((owner.level, owner.note))
        class Base(first.Hooked):
            def __init_subclass__(cls, **keywords):
                number = first.Shape.level
                import layer_{second} as second
                assert first.fields(cls) == (5, "mine")
                assert second.slots(cls) == first.slots(cls) == (number, number)
                first.change(cls, 6, cls.note)
                super().__init_subclass__(**keywords)
        class S(Base, level=5):
            note = "mine"
            watch = Watch()
        assert inside == [(5, "mine")] * 2 and first.fields(S) == (6, "mine")
        assert [fields for fields, _ in first.told] == [first.fields(Base), (6, "mine")]
        first.told.clear()
        meeting = layer_exercise.together("layer_{first}", "layer_{second}")
        rows, _ = layer_exercise.came()
        assert rows == {rows!r}, rows
        """, build(first), build(second))
