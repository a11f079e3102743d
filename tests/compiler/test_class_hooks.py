# SPDX-License-Identifier: MIT
"""Cdef classes with `__init_subclass__`, `__class_getitem__`, attributes with `__set_name__`, and decorators."""
import gc
import sys

import cython_customslots
import pytest
import support
from compiling import CYTHON, compile_all
from layer_modules import build, written

pytestmark = pytest.mark.cythons


@pytest.fixture(scope="module")
def at_import():
    """The module, and what its import called."""
    module = support.load(build("class_hooks.pyx"))
    called = module.log[:]
    module.log.clear()
    return module, called


@pytest.fixture
def hooks(at_import):
    module, _ = at_import
    module.log.clear()
    return module


def test_cdef_classes_are_announced_to_their_bases_and_then_decorated(at_import):
    _, called = at_import
    assert [entry for entry in called if entry[0] != "named"] == [
        ("Hooked", "Deep", "deep", None), ("below ours", "Deep"), ("registered", "Deep", "deep"),
        ("declared", "Declared"), ("implementing", "Implementing"),
        ("Deep", "Several"), ("Hooked", "Several", "several", None), ("Mixin", "Several"),
        ("registered", "Several", "several"), ("first", "Several"),
        ("Deep", "Final"), ("Hooked", "Final", "final", None), ("registered", "Final", "final")]


@pytest.mark.skipif(CYTHON < (3, 1), reason="Cython calls __set_name__ of attributes from 3.1 on")
def test_attributes_are_told_their_names(at_import):
    _, called = at_import
    assert [entry for entry in called if entry[0] == "named"] == [("named", "Hooked", "attribute")]


def test_python_classes_are_announced_with_keywords_beside_those_of_fields(hooks):
    class Python(hooks.Several, tag=5, level=7):
        pass

    assert hooks.log == [("Deep", "Python"), ("Hooked", "Python", "several", 5), ("Mixin", "Python")]
    assert Python.level == 7 and hooks.Several.level == 2


def test_what_the_pxd_and_the_pyx_say_of_a_class_belongs_together(hooks):
    assert hooks.Both.level == 6
    assert "hooks.both" in [slot.name for slot in cython_customslots.slots(hooks.Both)]


def test_a_keyword_that_nobody_takes_is_an_error(hooks):
    with pytest.raises(TypeError, match="accepts only C fields as keyword arguments: found tga"):
        class Misspelt(hooks.Deep, tga=5):
            pass


def test_a_cdef_class_of_another_module_is_announced(hooks):
    module = support.load(build("class_hooks_user.pyx"))
    assert hooks.log == [("Hooked", "Derived", "derived", None), ("Hooked", "UnderDerived", "derived", None)]
    assert module.UnderDerived["x"] == ("UnderDerived", "x")
    assert module.Further.level == 9


def test_classes_take_items(hooks):
    class Python(hooks.Deep):
        pass

    assert (hooks.Hooked[1], hooks.Several[2, 3], Python["x"]) == (
        ("Hooked", 1), ("Several", (2, 3)), ("Python", "x"))


FAILING = """# cython: freethreading_compatible=True
cimport cython_customslots as customslots
import class_hooks
@customslots.extensible
cdef class Base:
    def __init_subclass__(cls):
        class_hooks.log.append(cls.__name__)
        if len(class_hooks.log) == 1: raise ValueError("the hook's own")
cdef class Derived(Base): pass
"""
WRONG = """# cython: freethreading_compatible=True
cimport cython_customslots as customslots
@customslots.extensible
@(lambda cls: 5)
cdef class A: pass
"""


def test_a_hook_that_raises_ends_the_import_which_can_be_repeated(hooks, tmp_path):
    path = written(tmp_path, "failing_hook", FAILING)
    with pytest.raises(ValueError, match="the hook's own"):
        support.load(path)
    assert "failing_hook" not in sys.modules
    assert support.load(path).Derived.__base__.__name__ == "Base" and hooks.log == ["Derived"] * 2


def test_a_decorator_that_raises_or_returns_something_else_ends_the_import(tmp_path):
    with pytest.raises(TypeError, match="of class 'other_decorator.A': found 5, expected the class itself"):
        support.load(written(tmp_path, "other_decorator", WRONG))
    with pytest.raises(ZeroDivisionError):
        support.load(written(tmp_path, "raising_decorator", WRONG.replace("cls: 5", "cls: 1 / 0")))


def test_plain_classes_keep_what_cython_says():
    result, = compile_all({"plain": {"mod.pyx": "cdef class A:\n    def __init_subclass__(cls): pass\n"}}).values()
    assert result.errors == [("mod.pyx", 2, 4, "'__init_subclass__' is not supported by extension class")]


def test_the_class_that_cython_tries_bases_with_dies(hooks):
    support.need_mortal_classes()
    gc.collect()
    assert sorted(cls.__name__ for cls in hooks.Deep.__subclasses__() if cls.__module__ != __name__) == [
        "Final", "Several"]
