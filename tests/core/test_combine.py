# SPDX-License-Identifier: MIT
"""combine(): classes that are extensible and abstract, enumerations or something else."""
import abc
import ctypes
import enum
import functools
import itertools
import threading
import typing

import pytest
import support
from cython_customslots import ExtensibleType, combine, layout


class Provider(metaclass=ExtensibleType):
    pass


def test_metaclass_that_derives_from_the_others_is_returned_as_it_is():
    assert combine(Provider) is combine(Provider, object) is ExtensibleType
    assert combine() is type and combine(int, type) is type
    both = combine(Provider, abc.ABC)
    assert combine(both, Provider, abc.ABC) is both


def test_each_combination_is_made_once_in_whatever_thread():
    class Left(type): pass

    barrier, made = threading.Barrier(8), []

    def work():
        barrier.wait()
        made.append(combine(Provider, Left))

    support.run_all(threading.Thread(target=work) for _ in range(8))
    assert len(made) == 8 and len(set(made)) == 1
    assert combine(ExtensibleType, abc.ABCMeta) is combine(Provider, abc.ABC)


def test_metaclass_with_other_c_data_is_refused_on_every_version():
    """ctypes keeps C data in its types and before 3.13 does not say so in their size."""
    class Hidden(abc.ABCMeta, type(ctypes.Structure)):
        """The first base is not the one with the data."""

    for other in (ctypes.Structure, ctypes.Union, ctypes.c_int, ctypes.Array, Hidden):
        with pytest.raises(TypeError, match=r"_extensibletype\.extensibletype_v4 .* and .* both lay out type objects"):
            combine(Provider, other)
    assert issubclass(combine(Hidden, Left), Left)           # those go together


# ------------------------------------------------------- whatever the order and the grouping

class Left(type): pass
class Middle(type): pass
class Right(type): pass
class Above(Left): pass


def classes(*metaclasses):
    return [m(m.__name__, (), {}) for m in metaclasses]


@pytest.mark.parametrize("metaclasses", [
    (Left, ExtensibleType), (Left, Right), (Left, Right, ExtensibleType),
    (abc.ABCMeta, enum.EnumMeta, ExtensibleType), (Above, Right, ExtensibleType),
    (type(typing.Protocol), Left, ExtensibleType), (Left, Middle, Right, ExtensibleType),
    (*(type("OneName", (type,), {}) for _ in range(3)), ExtensibleType),
], ids=lambda metaclasses: " ".join(m.__name__ for m in metaclasses))
def test_there_is_one_metaclass_for_each_set_in_whatever_order_and_grouping(metaclasses):
    expected = combine(*metaclasses)
    for order in itertools.permutations(metaclasses):
        assert combine(*order) is expected
        left = functools.reduce(combine, order)
        right = functools.reduce(lambda one, other: combine(other, one), reversed(order))
        assert left is right is expected
    middle = len(metaclasses) // 2
    assert combine(combine(*metaclasses[:middle]), combine(*metaclasses[middle:])) is expected


@pytest.mark.parametrize("first", [True, False], ids=["all first", "two first"])
def test_a_combination_derives_from_those_of_fewer_whoever_comes_first(first):
    """Else class X(WithAll, WithTwo) would be a conflict, if one was imported first."""
    One, Two = type("One", (type,), {}), type("Two", (type,), {})
    steps = [lambda: combine(One, Two, ExtensibleType), lambda: combine(Two, ExtensibleType)]
    made = [step() for step in (steps if first else reversed(steps))]
    all_of_them, two = made if first else reversed(made)
    assert issubclass(all_of_them, two)
    with_all, with_two = classes(all_of_them, two)

    class Both(with_all, with_two): pass

    assert type(Both) is all_of_them and layout(Both)["resolved"]


def test_a_derived_metaclass_takes_the_place_of_its_base(probe, extensibletype):
    rich = probe.metaclasses()[0]
    assert issubclass(combine(Above, rich), combine(Left, ExtensibleType))
    one, other = classes(combine(Above, ExtensibleType), combine(Left, rich))

    class Both(one, other, metaclass=combine(one, other)): pass

    assert type(Both) is combine(Above, rich) and layout(Both)["resolved"]


def test_full_names_decide_about_the_order_and_c_data_come_last():
    def positions(metaclass, *others):
        return [metaclass.__mro__.index(other) for other in others]

    for order in itertools.permutations((enum.EnumMeta, abc.ABCMeta, ExtensibleType)):
        found = positions(combine(*order), abc.ABCMeta, enum.EnumMeta, ExtensibleType)
        assert found == sorted(found)


def test_a_metaclass_that_somebody_wrote_keeps_its_own_order():
    class Own(Right, Left): pass

    made = combine(Provider, Own)
    assert made.__mro__.index(Right) < made.__mro__.index(Left)
    assert combine(Left, Provider, Own, Right) is made is combine(made, Left)
    assert issubclass(made, combine(Left, Provider)) and issubclass(made, combine(Right, Provider))


def test_orders_that_contradict_each_other_are_an_error_with_the_names():
    class Own(Right, Left): pass

    by_name = combine(Left, Right)
    with pytest.raises(TypeError) as caught:
        combine(by_name, Own, Provider)
    text = str(caught.value)
    assert text.startswith("combine: ") and "Own" in text and "LeftAndRight" in text
    assert "cannot be combined: Cannot create a consistent method resolution" in text
    assert combine(by_name, Provider) and combine(Own, Provider)     # each alone is fine


def test_metaclasses_whose_own_metaclasses_are_in_conflict_are_an_error_with_the_names():
    class Meta(type): pass
    class Strange(type, metaclass=Meta): pass

    with pytest.raises(TypeError, match=r"combine: .*Strange and _extensibletype.*cannot be "
                                        r"combined: metaclass conflict"):
        combine(Provider, Strange)


def test_many_metaclasses_are_combined_without_all_combinations_of_fewer():
    many = [type(f"Many{i:02}", (type,), {}) for i in range(20)]
    made = combine(*many, Provider)
    assert made.__bases__ == (*many, ExtensibleType) and combine(Provider, *reversed(many)) is made


def test_junk_in_place_of_the_combinations_is_an_import_error():
    assert support.check_child("""
        import abc
        from cython_customslots import ExtensibleType, combine
        sys.modules["_extensibletype"]._combined = 5
        try:
            combine(ExtensibleType, abc.ABC)
        except ImportError as error:
            print(error)
        """) == ("combine: sys.modules['_extensibletype']._combined: found 5, expected a dict of "
                 "metaclasses; remove whatever else sets it")


def test_messages_say_what_was_found_though_its_repr_and_names_cannot_be_had():
    class Mute:
        def __repr__(self):
            raise ArithmeticError("repr was asked")
        __str__ = __repr__

    class MuteError(Mute, TypeError): pass

    class Sour(type):
        def __new__(metatype, name, bases, namespace):
            if len(bases) > 1:
                raise MuteError
            return super().__new__(metatype, name, bases, namespace)

    class Left(type, metaclass=Sour):
        __module__ = 10 ** 5000

    for source in Mute(), 10 ** 5000:
        with pytest.raises(TypeError, match="found .*expected classes and metaclasses"):
            combine(Provider, source)
    with pytest.raises(TypeError, match=r"0x\w+\.\.\..*Left and .* cannot be combined: .*MuteError"):
        combine(Provider, Left)


@pytest.mark.parametrize("what", ["abc", "enum", "typing"])
def test_the_conflict_is_cured_by_what_its_documentation_says(what):
    """What people search for is CPython's text; the docstring has it."""
    other = {"abc": abc.ABC, "enum": enum.Enum, "typing": typing.Protocol}[what]
    with pytest.raises(TypeError) as caught:
        type("Conflict", (Provider, other), {})
    assert str(caught.value) in " ".join(combine.__doc__.split())
    assert isinstance(combine(Provider, other), type)
