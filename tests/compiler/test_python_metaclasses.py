# SPDX-License-Identifier: MIT
"""Extensible cdef classes whose metaclass is a Python class, too: abstract base classes."""
from abc import ABC, ABCMeta

import pytest
import support
from cython_customslots import combine
from cython_customslots.tools import building
from layer_modules import module_of, written


shapes = module_of("layer_abc.pyx")


def test_a_class_may_derive_from_a_provider_and_from_abc(shapes, reader):
    class Shape(shapes.Shape, ABC):
        pass

    assert isinstance(type(shapes.Shape), type) and issubclass(type(shapes.Shape), ABCMeta)
    assert type(Shape) is type(shapes.Shape)
    assert reader.find(Shape(), reader.slot_id(40)) == 40


def test_the_layer_combines_as_combine_does(shapes):
    """With fields, and below a class with a combination of less: one metaclass."""
    assert type(shapes.Circle) is type(shapes.Both) is combine(shapes.Meta, ABCMeta)
    assert issubclass(type(shapes.Both), type(shapes.Shape))

    class Python(shapes.Both, shapes.Square):          # was a metaclass conflict
        pass

    assert type(Python) is type(shapes.Both) and shapes.level(Python) == 5


def test_each_static_class_has_a_registry_of_its_own(shapes):
    class Virtual:
        pass

    shapes.Square.register(Virtual)
    assert isinstance(Virtual(), shapes.Square) and isinstance(Virtual(), shapes.Shape)
    assert not isinstance(Virtual(), shapes.Circle)
    assert isinstance(shapes.Square(), shapes.Shape)
    assert not isinstance(shapes.Shape(), shapes.Square)


def test_a_cdef_class_may_have_abstract_methods(shapes):
    with pytest.raises(TypeError, match="abstract"):
        shapes.Abstract()
    with pytest.raises(TypeError, match="abstract"):
        type("Python", (shapes.Abstract,), {})()
    assert shapes.Concrete().must() == "did"
    assert shapes.Abstract.__abstractmethods__ == {"must"}
    assert shapes.Concrete.__abstractmethods__ == frozenset()


def test_fields_and_a_python_metaclass_go_together(shapes):
    assert (shapes.Circle.level, shapes.Circle.label) == (4, "round")
    assert shapes.level(shapes.Both) == 5 and issubclass(type(shapes.Both), ABCMeta)

    class Python(shapes.Circle, ABC, level=6):
        pass

    assert shapes.level(Python) == 6


def test_the_package_joins_the_metaclass_that_a_provider_made(shapes):
    output = support.check_child("""
        import layer_abc, abc
        from cython_customslots import combine
        print(type(layer_abc.Both) is combine(layer_abc.Meta, abc.ABC))
        """, modules=[shapes.__file__])
    assert output == "True"


def test_heap_types_are_refused_with_the_reason(tmp_path):
    with pytest.raises(building.BuildError, match="need"):
        support.build_cython(support.TESTS / "compiler/modules/layer_abc.pyx",
                             cflags=("-DCYTHON_USE_TYPE_SPECS=1",), directory=tmp_path)


#: What another module has for the metaclass, and what the import says.
WRONG = {
    "it = P": "both lay out type objects in C",
    "it = Mute()": "Mute object at",
    "it = 10 ** 5000": "found 0x",
}


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    return written(tmp_path_factory.mktemp("wrong"), "layer_wrong", """\
# cython: freethreading_compatible=True
cimport cython_customslots as customslots
from layer_source import it
@customslots.extensible(metaclass=it)
cdef class Wrong: pass
""")


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_the_metaclass_is_an_error_of_the_import(tmp_path, wrong, text):
    (tmp_path / "layer_source.py").write_text(f"""
import ctypes
class Mute:
    def __repr__(self): raise ArithmeticError("repr was asked")
P = type(ctypes.c_int)
{text}
""")
    output = support.check_child("""
        try:
            import layer_wrong
        except TypeError as error:
            print(error)
        """, modules=[wrong, tmp_path / "layer_source.py"])
    assert WRONG[text] in output


def test_a_static_class_stays_immutable(shapes):
    with pytest.raises(TypeError, match="immutable"):
        shapes.Shape.attribute = 1
