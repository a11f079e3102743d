# SPDX-License-Identifier: MIT
"""__module__, __doc__ and what rests on them: pickle, copy, doctest, inspect, help."""
import abc
import copy
import doctest
import inspect
import pickle
import pydoc
import sys
import types

import pytest
from support import A


SOURCE = """
class Meta(extensibletype):
    "Doc of Meta."
    def method(cls):
        '''
        >>> 1 + 1
        2
        '''
class Combined(abc.ABCMeta, extensibletype): pass
class Heap(Static):
    '''Doc of Heap.

    >>> Heap().method()
    'result'
    '''
    def method(self): return 'result'
class ByMeta(metaclass=Meta): "Doc of ByMeta."
class NoDoc(metaclass=Combined): pass
"""


@pytest.fixture(scope="module")
def module(probe, extensibletype):
    """A module with static classes, heap classes and metaclasses in it."""
    module = types.ModuleType("names_module", "The module.")
    sys.modules[module.__name__] = module
    vars(module).update(
        extensibletype=extensibletype, abc=abc, NumberMeta=probe.metaclasses()[0],
        Static=probe.draft_ready(probe.draft("names_module.Static", (), [(A, 1)], 4, None), 4),
        Emitted=probe.emitted("names_module.Emitted", None, (), [(A, 1)]),
        WithFields=probe.emitted("names_module.WithFields", probe.metaclasses()[0], (), []))
    vars(module)["extensibletype_meta"] = type(extensibletype)
    exec(SOURCE, vars(module))
    module.OfPython = probe.emitted("names_module.OfPython", module.Meta, (), [])
    yield module
    del sys.modules[module.__name__]


CLASSES = ["Static", "Emitted", "WithFields", "Heap", "ByMeta", "NoDoc", "OfPython"]
METACLASSES = ["Meta", "Combined"]
OF_OTHERS = ["NumberMeta", "extensibletype", "extensibletype_meta"]


@pytest.mark.parametrize("name", CLASSES + METACLASSES)
def test_class_and_metaclass_know_their_module_and_name(module, name):
    cls = getattr(module, name)
    assert (cls.__module__, cls.__name__, cls.__qualname__) == ("names_module", name, name)
    assert repr(cls) == f"<class 'names_module.{name}'>"
    assert inspect.getmodule(cls) is module


def test_docstrings_are_those_of_the_class_and_not_of_the_metaclass(module):
    for name in CLASSES + METACLASSES:
        doc = f"Doc of {name}." if name in ("Heap", "Meta", "ByMeta") else None
        assert (getattr(module, name).__doc__ or "").partition("\n")[0] == (doc or ""), name


def test_metaclasses_in_c_have_names_and_docs(module, extensibletype):
    for cls in extensibletype, type(extensibletype):
        assert repr(cls) == f"<class '_extensibletype.{cls.__name__}'>"
    assert (module.NumberMeta.__module__, module.NumberMeta.__name__) == ("probe", "NumberMeta")
    assert "SEP 200" in extensibletype.__doc__ and module.NumberMeta.__doc__ is None
    assert type(extensibletype).__doc__ is None or isinstance(type(extensibletype).__doc__, str)


def test_names_can_be_set_on_heap_classes_only(extensibletype, module):
    cls = extensibletype("Cls", (), {})
    cls.__module__ = "elsewhere"
    cls.__doc__ = "words"
    assert (cls.__module__, cls.__doc__) == ("elsewhere", "words")
    assert "elsewhere" in repr(cls)
    for static in module.Static, module.WithFields, extensibletype:
        for name in "__module__", "__doc__":
            with pytest.raises(TypeError):
                setattr(static, name, "x")


@pytest.mark.parametrize("name", CLASSES + METACLASSES + ["extensibletype"])
def test_class_and_metaclass_are_pickled_and_copied_by_reference(module, name):
    cls = getattr(module, name)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(cls, protocol)) is cls
    assert copy.copy(cls) is cls and copy.deepcopy([cls]) == [cls]


def test_doctest_finds_the_examples_of_all_classes_of_the_module(module):
    found = {test.name for test in doctest.DocTestFinder().find(module) if test.examples}
    assert found == {"names_module.Heap", "names_module.Meta.method"}
    assert doctest.testmod(module) == (0, 2)


@pytest.mark.parametrize("name", CLASSES + METACLASSES + OF_OTHERS)
def test_help_and_inspect_work(module, name):
    cls = getattr(module, name)
    text = pydoc.plain(pydoc.render_doc(cls))
    assert f"class {cls.__name__}" in text
    assert dict(inspect.getmembers(cls))["__class__"] is type(cls)
    inspect.getdoc(cls)
    inspect.classify_class_attrs(cls)
    assert inspect.isclass(cls) and inspect.getmro(cls) == cls.__mro__
