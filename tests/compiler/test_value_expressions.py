# SPDX-License-Identifier: MIT
"""Values in decorators are Cython expressions, wherever in the module things are declared."""
import ctypes
import re
import struct

import pytest
import support
from compiling import compile_all, uncompiled
from layer_modules import LANGUAGE, module_of

ID = 0x7F000101


def built(name):
    return support.build_cython(LANGUAGE / name, include_dirs=[LANGUAGE])


other = module_of("values_other.pyx", build=built)
values = module_of("values.pyx", "values_other.pyx", build=built)
pure = module_of("pure_values.py", build=built)


def found(reader, cls, first, distances):
    return {d: reader.find(cls(), first + d) for d in distances}


def test_constants_and_addresses_may_be_declared_below(values):
    assert values.fields(values.Early) == {
        "number": struct.calcsize("i") * 5 - 3, "real": 7.0,
        "short_one": ctypes.c_short(70000).value, "flag": True,
        "text": b"ascii", "function": -2.0, "pair": (3, 4.0),
        "address": values.addresses()["numbers"], "tuple": (1, 2.5), "cplx": 1 + 2j, "enum": 6,
        "obj": None, "other": None}


def test_extern_values_are_evaluated_before_the_class_is_made(values):
    got = values.fields(values.Extern)
    assert (got["number"], got["real"], got["text"], got["function"]) == (8, 3.0, b"a name", -2.0)
    assert (got["pair"], got["flag"]) == ((5, 12.0), False)
    assert got["address"] == values.addresses()["sizes"]


def test_values_come_from_other_modules(values, other):
    got = values.fields(values.Cimported)
    assert (got["number"], got["real"], got["function"]) == (43, 42.0, 6.0)
    assert (got["pair"], got["flag"]) == ((1, 2.5), True)
    assert got["address"] == other.addresses()["number"] and got["obj"] is other.get_thing()


def test_functions_are_called_before_the_module_body(values):
    got = values.fields(values.Calls)
    assert (got["function"], got["number"], got["real"]) == (6.0, 55, 5.5)


def test_comprehensions_and_lambdas_are_values_of_object_fields(values):
    assert values.fields(values.Calls)["obj"] == {
        "squares": [0, 1, 4, 9], "map": {1: -1, 2: -2}, "sum": 3}
    assert values.fields(values.Lambda)["obj"](1) == (1, 2, "of the module")


def test_objects_of_all_kinds_are_values(values, reader):
    got = dict(values.fields(values.Objects)["obj"])
    assert got.pop("method")(values.Early()) == "called" and got.pop("c function")(2.0) == -2.0
    assert got == {"closure": 3, "nested": [[0, 0], [0, 1], [0, 2]], "generator": [1, 2], "theirs": [7, 8, 9]}
    assert values.fields(values.Objects)["other"] == 0
    number = values.addresses()["number"]
    assert found(reader, values.Objects, ID, (22, 24)) == {22: number, 24: number}


def test_classes_are_values_of_each_other(values):
    assert values.fields(values.Left)["other"] is values.Right
    assert values.fields(values.Right)["other"] is values.Left
    assert values.fields(values.Lambda)["other"] is values.Early
    assert values.fields(values.Itself)["other"] is values.Itself
    assert values.fields(values.Right)["obj"] == (1, "text", b"bytes", 2.5, [None, ...], "012")
    assert values.fields(values.Itself)["number"] == 65


def test_a_class_made_in_the_module_body_has_the_same_values(values):
    got = values.fields(values.Several)
    assert (got["number"], got["obj"], got["other"]) == (2, [1, 2], values.Early)


def test_slots_take_the_same_expressions(values, reader):
    expected = values.expected_slots()
    assert found(reader, values.Itself, ID, expected) == expected
    assert reader.find(values.Itself(), ID + 2)
    assert reader.ids(values.Itself)[9] == ID + 18


@pytest.mark.thorough
def test_an_exception_while_values_are_evaluated_is_that_of_the_import():
    modules = [built("values_other.pyx"), built("values_failing.pyx")]
    assert support.check_child("""
        import gc, sys, weakref, values_other

        class Mine(Exception): pass

        def attempt():
            try:
                import values_failing
            except Exception as error:
                assert "values_failing" not in sys.modules
                return error.with_traceback(None)
            return values_failing

        def early():
            sys.values_failing_early = mine = Mine("early")
            assert attempt() is mine
            del sys.values_failing_early
            return weakref.ref(mine)

        for _ in range(3):
            watch = early()
            gc.collect()
            assert watch() is None
        values_other.set_failing(True)
        for _ in range(3):
            error = attempt()
            assert (type(error), str(error)) == (LookupError, "values_other is told to fail")
        values_other.set_failing(False)
        module = attempt()
        print([module.fields(c) for c in (module.First, module.Failing, module.Under)])
        """, modules=modules) == "[(2, 3, ['first']), (5, 7, [7, 8]), (5, 7, [7, 8])]"


HEADER = """\
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype
"""

ORDERS = {
    "a metaclass below its classes and under another name": """\
@cs.metaclass(Name, number=1)
cdef class A: pass
cdef class Meta(extensibletype):
    cdef long number
ctypedef Meta Name
""",
    "a metaclass that is declared above and defined below": """\
cdef class Meta(extensibletype)
@cs.metaclass(Meta, number=1)
cdef class A: pass
cdef class Meta(extensibletype):
    cdef long number
""",
    "a metaclass with two bases below its classes": """\
@cs.metaclass(Meta, number=1)
cdef class A: pass
cdef class B(A): pass
class Mixin: pass
cdef class Meta(extensibletype, Mixin):
    cdef long number
""",
}


def test_the_order_of_declaration_does_not_matter():
    results = compile_all({f"order{i}": {"mod.pyx": HEADER + text} for i, text in enumerate(ORDERS.values())})
    for (what, text), result in zip(ORDERS.items(), results.values()):
        assert result.errors == [], (what, result.messages)
        assert (result.c.count("__Pyx_CustomSlots_NewStatic(&") == len(re.findall("cdef class [AB]", text))), what


def test_a_metaclass_made_in_the_module_body_delays_its_classes():
    c = compile_all({"order": {"mod.pyx": HEADER + ORDERS[
        "a metaclass with two bases below its classes"]}})["order"].c
    body = c[c.index("__pyx_pymod_exec_mod("):]
    assert "__Pyx_CustomSlots_NewStatic(&" not in c[:c.index("__pyx_pymod_exec_mod(")]
    assert body.count("__Pyx_CustomSlots_NewStatic(&") == 2


def test_pure_python_mode_has_values_of_all_kinds(pure, reader):
    size = struct.calcsize("i")
    assert pure.fields(pure.Values) == (5, size, b"text", (1, [0, 1, 4]), "first", True)
    assert pure.fields(pure.Under) == (2, size, b"text", (1, [0, 1, 4]), "first", True)
    expected = pure.expected_slots()
    assert found(reader, pure.Values, 0x7F000300, expected) == expected
    assert pure.Values.label == "first"


def test_a_pure_python_module_runs_uncompiled():
    assert uncompiled("""
        import pure_values
        assert pure_values.__file__.endswith(".py")
        print(pure_values.Values().plain(), type(pure_values.Under).__name__)
        """, LANGUAGE) == "works type"
