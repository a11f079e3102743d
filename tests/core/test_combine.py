# SPDX-License-Identifier: MIT
"""combine(): classes that are extensible and abstract, enumerations or something else."""
import abc
import ctypes
import enum
import threading
import typing

import pytest
from cython_customslots import ExtensibleType, combine, layout


class Provider(metaclass=ExtensibleType):
    pass


def test_provider_can_be_abstract():
    class Shape(Provider, abc.ABC, metaclass=combine(Provider, abc.ABC)):
        @abc.abstractmethod
        def area(self): ...

    with pytest.raises(TypeError, match="abstract"):
        Shape()

    class Square(Shape):
        def area(self):
            return 4

    assert Square().area() == 4 and layout(Square)["resolved"]
    Shape.register(int)
    assert isinstance(5, Shape)


def test_provider_can_be_an_enumeration():
    class Color(Provider, enum.Enum, metaclass=combine(Provider, enum.Enum)):
        RED = 1
        BLUE = 2

    assert [c.name for c in Color] == ["RED", "BLUE"] and Color(2) is Color.BLUE
    assert layout(Color)["resolved"]


def test_provider_can_implement_a_protocol_and_be_generic():
    @typing.runtime_checkable
    class Sized(typing.Protocol):
        def size(self) -> int: ...

    class Thing(Provider, Sized, metaclass=combine(Provider, Sized)):
        def size(self):
            return 1

    assert isinstance(Thing(), Sized) and layout(Thing)["resolved"]

    class Box(Provider, typing.Generic[typing.TypeVar("T")]):
        pass

    assert layout(Box)["resolved"] and Box[int]


def test_metaclass_that_derives_from_the_others_is_returned_as_it_is():
    assert combine(Provider) is combine(Provider, object) is ExtensibleType
    assert combine() is type and combine(int, type) is type
    both = combine(Provider, abc.ABC)
    assert combine(both, Provider, abc.ABC) is both


def test_each_combination_is_made_once_in_whatever_thread():
    class Left(type):
        pass

    barrier, made = threading.Barrier(8), []

    def work():
        barrier.wait()
        made.append(combine(Provider, Left))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8 and len(set(made)) == 1
    assert combine(ExtensibleType, abc.ABCMeta) is combine(Provider, abc.ABC)


def test_metaclass_with_other_c_data_is_refused_on_every_version():
    """ctypes keeps C data in its types and before 3.13 does not say so in their size."""
    for other in (ctypes.Structure, ctypes.Union, ctypes.c_int, ctypes.Array):
        with pytest.raises(TypeError, match="both lay out type objects in C"):
            combine(Provider, other)


def test_what_is_no_class_is_refused_with_its_name():
    with pytest.raises(TypeError, match="found 5, an object of type 'int'"):
        combine(Provider, 5)


def test_error_names_both_sides():
    with pytest.raises(TypeError, match=r"_extensibletype\.extensibletype_v2 .* and _ctypes\."):
        combine(Provider, ctypes.Structure)
