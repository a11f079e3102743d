# SPDX-License-Identifier: MIT
"""What no C compiler looks at: NULL, objects of another kind and impossible counts, passed to
the functions of the table.  Each gets an exception, and nothing has changed."""
import abc
import ctypes
import gc
import sys

import foreign_api
import pytest
import support
from cython_customslots import ExtensibleType
from foreign_api import (NULL, PROTOTYPES, W, as_class, call, find, slot_id, slots, table, unready,
                         write)
from foreign_api import address_of as address

A, B = slot_id(0xE1), slot_id(0xE2)
HUGE = [2 ** 16 + 1, sys.maxsize // 8, sys.maxsize]
NONE = (NULL, None, 42, 3.5, "text", (), [int], object())       # no classes

#: Of each function that is given a type: what stands behind it.
ABOUT_A_TYPE = {
    "ready": (0,), "finish": (), "inherit_fields": (),
    "register_fields": (None, 0, 88), "set_field": (0, None, 0), "delete_field": (0,),
    "mark_fields": (None, 0), "set_field_object": ("name", 1), "set_slots": (None, 0),
    "publish": (None, 0), "new_static": (NULL, NULL, NULL), "static_block": (),
    "new_class": (b"m", b"X", NULL, None, 0), "find": (A, 0), "find_any": (A, 0), "slot_count": (),
    "slot_table": (), "register_slot": (slots((A, 1))[0],), "ready_block": (None, 0),
    "calculate_metaclass": (NULL, NULL), "from_spec": (NULL, None, NULL, None, 0),
}
READERS = ["find", "find_any", "slot_count", "slot_table"]
#: NULL is something that these have a meaning for.
NULL_IS_FINE = ["static_block", "new_class", "calculate_metaclass", "from_spec"]


def nameless():
    return unready(None)


def made(thing):
    """An argument: two functions stand for a type that they make, because a test's name must not have its address."""
    return thing() if thing is unready or thing is nameless else thing


@pytest.fixture
def cls():
    return call("new_class", NULL, b"somewhere", b"Shape", NULL, *slots((A, 1), (B, 2)))


def test_no_function_of_the_table_is_forgotten_here():
    elsewhere = {"intern", "combine"}           # names and tuples: below
    assert set(ABOUT_A_TYPE) | elsewhere == set(PROTOTYPES) == set(foreign_api.NAMES)


@pytest.mark.parametrize("name", sorted(set(ABOUT_A_TYPE) - set(READERS)))
def test_what_is_no_type_is_said_to_be_none(name):
    for thing in NONE[1:] if name in NULL_IS_FINE else NONE:
        if name == "from_spec":
            given = (thing, NULL, ctypes.addressof(SPEC), NULL, None, 0)
        else:
            given = (address(thing) if name == "ready_block" else thing, *ABOUT_A_TYPE[name])
        with pytest.raises((TypeError, ValueError),
                           match=r"found (NULL|an object of type '\w+'|a type object that is no)"
                                 ".*expected "):
            call(name, *given)


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_type_has_no_slots(name):
    """Nor an exception: readers raise none."""
    for thing in (*NONE, unready()):
        assert not call(name, thing, *ABOUT_A_TYPE[name])


# ---------------------------------------------------------------- types that are not ready

@pytest.mark.parametrize("name", ["inherit_fields", "register_fields", "calculate_metaclass",
                                  "static_block", "new_class", "from_spec", "new_static"])
def test_a_metaclass_that_is_not_ready_is_said_to_be(name, extensibletype):
    metaclass = write(unready(b"foreign.Meta", type), tp_base=id(extensibletype),
                      tp_basicsize=extensibletype.__basicsize__ + W)
    more = {"from_spec": (NULL, ctypes.addressof(SPEC), NULL, None, 0)}.get(name, ABOUT_A_TYPE[name])
    given = (unready(), metaclass, *more[1:]) if name == "new_static" else (metaclass, *more)
    with pytest.raises(TypeError, match=r"found a type \('foreign.Meta'\) that is not ready, .*"
                                        r"PyType_Ready\(\)"):
        call(name, *given)


def static_block():
    return foreign_api.fill(call("static_block", NULL), b"foreign.Block")


BAD_BASES = [
    ("tp_base", 42, "'int' as base 0, expected a class"),
    ("tp_base", unready, "a type that is not ready as base 0, .*PyType_Ready"),
    ("tp_bases", [int], "'list' as the bases, expected a tuple of classes"),
    ("tp_bases", (int, "text"), "'str' as base 1, expected a class"),
]


@pytest.mark.parametrize("member, bases, words", BAD_BASES)
def test_bases_that_are_none_are_refused_and_the_type_can_be_readied_with_others(member, bases, words):
    for name, block, more in ("ready", unready(), (0,)), ("ready_block", static_block(), (None, 0)):
        write(block, **{member: address(made(bases))})
        before = ctypes.string_at(block, type.__basicsize__)
        with pytest.raises(TypeError, match=words):
            call(name, block, *more)
        assert ctypes.string_at(block, type.__basicsize__) == before
        write(block, tp_base=0, tp_bases=0)
        assert call(name, block, *more) == 0 and as_class(block).__mro__[1:] == (object,)


# ------------------------------------------------------------------------------------ specs

class Slot(ctypes.Structure):
    _fields_ = [("slot", ctypes.c_int), ("pfunc", ctypes.c_void_p)]


class Spec(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("basicsize", ctypes.c_int), ("itemsize", ctypes.c_int),
                ("flags", ctypes.c_uint), ("slots", ctypes.c_void_p)]


TP_BASE, TP_BASES = 48, 49                      # typeslots.h
END = Slot()
SPEC = Spec(b"foreign.Spec", object.__basicsize__, 0, 1 << 10, ctypes.addressof(END))


NAME = ctypes.create_string_buffer(b"foreign.Spec")
#: What is NULL in them.
SPECS = [(None, "spec"), ((ctypes.c_size_t * 6)(), "name in it"),
         ((ctypes.c_size_t * 6)(ctypes.addressof(NAME)), "slots in it")]


@pytest.mark.parametrize("slot, value, words", [
    (TP_BASE, 42, "'int' as base 0"), (TP_BASES, [int], "'list' as base 0"),
    (TP_BASE, unready, "not ready as base 0"), (TP_BASES, (int, 42), "'int' as base 1")])
def test_bases_in_a_spec_that_are_none_are_refused(slot, value, words):
    array = (Slot * 2)((slot, address(made(value))))
    spec = Spec(b"foreign.Spec", object.__basicsize__, 0, 1 << 10, ctypes.addressof(array))
    with pytest.raises(TypeError, match=rf"from_spec\('foreign.Spec'\): .*{words}"):
        call("from_spec", NULL, NULL, ctypes.addressof(spec), NULL, None, 0)


# -------------------------------------------------------------------------- whatever else cannot be

class Refusing:
    def __init_subclass__(cls):
        raise RuntimeError("no subclasses")


#: (function, arguments, exception, words): what a class or a name cannot be.
REFUSED = [
    ("intern", (None,), ValueError, 'found NULL, expected a name, such as "package.name"'),
    ("intern", (b"",), ValueError, 'found an empty string, expected a name, such as "package.name"'),
    *[("new_class", given, error, words) for given, error, words in [
        ((int, b"m", b"X", NULL, None, 0), TypeError, "metaclass 'int', expected one that derives"),
        ((type, b"m", b"X", NULL, None, 0), TypeError, "metaclass 'type', expected one that derives"),
        ((NULL, b"m", None, NULL, None, 0), ValueError, "found 'NULL' as the name, expected that of a"),
        ((NULL, b"m", b"Outer.", NULL, None, 0), ValueError, "found 'Outer.' as the name"),
        ((NULL, b"m", b"\xff", NULL, None, 0), UnicodeDecodeError, "utf-8"),
        ((NULL, b"\xff", b"X", NULL, None, 0), UnicodeDecodeError, "utf-8"),
        ((NULL, b"m", b"X", [int], None, 0), TypeError, "'list' as the bases, expected a tuple"),
        ((NULL, b"m", b"X", (int, 3), None, 0), TypeError, "'int' as base 1, expected a class"),
        ((NULL, b"m", b"X", (bool,), None, 0), TypeError, "not an acceptable base type"),
        ((NULL, b"m", b"X", (abc.ABC,), None, 0), TypeError, "metaclass conflict"),
        ((NULL, b"m", b"X", (Refusing,), None, 0), RuntimeError, "no subclasses"),
        ((NULL, b"m", b"X", NULL, None, 2), ValueError, "found 2 slots at address"),
        ((NULL, b"m", b"X", NULL, *slots((A, 1), (A, 2))), ValueError, "stands at position 0"),
        ((NULL, b"m", b"X", NULL, *slots((1, 1))), ValueError, "position 0 has ID 1")]],
    *[(name, (int, *slots((A, 1))), TypeError,
       "slots cannot be given to 'int': found a type with metaclass 'type'") for name in ("publish", "set_slots")],
    *[(name, (int, *more), TypeError, "found|cannot be") for name, more in (
        ("register_fields", (None, 0, 88)), ("set_field", (0, None, 0)),
        ("delete_field", (0,)), ("mark_fields", ((ctypes.c_ssize_t * 1)(), 1)), ("set_field_object", ("name", 1)))],
    *[("from_spec", (NULL, NULL, words and ctypes.addressof(words), NULL, None, 0), ValueError,
       f"from_spec: found NULL as the {what}, expected a PyType_Spec") for words, what in SPECS],
    *[("ready_block", (address, None, 0), ValueError, words) for address, words in (
        (None, "found NULL, expected what static_block"), (id(int), "that is no such block"),
        (id(Refusing), "that is no such block"))],
    ("static_block", (type,), TypeError, "metaclass 'type', expected one that derives"),
    *[("inherit_fields", (wrong,), TypeError, f"found '.*{wrong.__name__}', which is not")
      for wrong in (type, abc.ABCMeta, int)],
    *[(name, (unready, *ABOUT_A_TYPE[name]), TypeError, "found a type that is not ready") for name in (
        "inherit_fields", "register_fields", "set_field", "delete_field", "mark_fields", "new_class",
        "set_field_object", "set_slots", "publish", "static_block", "calculate_metaclass", "register_slot")],
    ("ready", (nameless, 0), ValueError, "Ready: found NULL as tp_name, expected 'module.name'"),
    ("new_static", (nameless, ExtensibleType, NULL, NULL), ValueError,
     "new_static: found NULL as tp_name, expected 'module.name'"),
    *[(name, (*first, base, bases), TypeError, words + ".*expected a") for base, bases, words in [
        (42, NULL, "'int' as base 0"), (unready, NULL, "not ready as base 0"), (NULL, [int], "'list' as the bases"),
        (NULL, (int, 42), "'int' as base 1"), (object, (42,), "'int' as base 0")]
      for name, *first in [("new_static", unready, ExtensibleType), ("calculate_metaclass", NULL)]],
    *[("new_static", (unready, metaclass, NULL, NULL), TypeError, f"new_static.*: .*{words}") for metaclass, words in [
        (NULL, "found NULL as the metaclass"), (42, "'int' as the metaclass"),
        (unready, "a type that is not ready as the metaclass"),
        (int, "found metaclass 'int', expected one that derives"),
        (abc.ABCMeta, "found metaclass 'ABCMeta', expected one that derives")]],
    *[("new_static", (template, ExtensibleType, NULL, NULL), ValueError, rf"new_static\({words}, expected a static")
      for template, words in [(int, r"int\): found a type that is ready already"),
                              (Refusing, r"Refusing\): found a type that is on the heap")]],
    *[("ready", (thing, 0), ValueError, "found a type that is .*expected a static type object")
      for thing in (int, dict, Refusing)],
    *[("from_spec", (NULL, NULL, ctypes.addressof(SPEC), bases, None, 0), TypeError, rf"'foreign.Spec'\): .*{words}")
      for bases, words in [(42, "'int' as base 0, expected a class"), (None, "'NoneType' as base 0"),
                           ((int, 42), "'int' as base 1"), (unready, "not ready as base 0.*PyType_Ready")]],
    *[("combine", (metaclasses, who), TypeError, f"{prefix}: .*{words}") for metaclasses, words in [
        (NULL, "found NULL, expected a tuple of metaclasses"),
        (42, "found an object of type 'int', expected a tuple of metaclasses"),
        ([type], "found an object of type 'list', expected a tuple of metaclasses"),
        ((type, 42), "found 42, an object of type 'int'; expected a metaclass"), ((type, int), "expected a metaclass")]
      for who, prefix in [(b"somebody", "somebody"), (None, "combine")]],
]


@pytest.mark.parametrize("name, given, error, words", REFUSED, ids=lambda part: part if isinstance(part, str) else "")
def test_what_cannot_be_is_refused_and_nothing_is_left(name, given, error, words):
    bases = given[3] if name == "new_class" and isinstance(given[3], tuple) else ()
    before = [kind.__subclasses__() for kind in bases if isinstance(kind, type)]
    with pytest.raises(error, match=words):
        call(name, *map(made, given))
    gc.collect()
    if not support.THREADS_MAKE_IMMORTAL:
        assert before == [kind.__subclasses__() for kind in bases if isinstance(kind, type)]


@pytest.mark.parametrize("name", [NULL, 3])
def test_a_field_is_named_by_a_str(cls, name):
    with pytest.raises(TypeError, match="found (NULL|int) as the name, expected a str"):
        call("set_field_object", cls, name, 1)


# ----------------------------------------------------------------------- arrays and their counts

@pytest.mark.parametrize("count", [-1, -sys.maxsize - 1, *HUGE])
@pytest.mark.parametrize("name", ["set_slots", "publish", "new_class", "from_spec", "ready_block",
                                  "ready"])
def test_a_count_of_slots_that_cannot_be_is_refused_before_they_are_read(name, count, cls):
    array, block = slots((A, 7))[0], unready()
    words = (ctypes.c_ssize_t * 2).from_address(block + type.__basicsize__)
    words[:] = count, ctypes.addressof(array)
    given = {"new_class": (NULL, b"m", b"X", NULL, array, count), "ready": (block, sys.maxsize),
             "from_spec": (NULL, NULL, ctypes.addressof(SPEC), NULL, array, count),
             "ready_block": (static_block(), array, count)}.get(name, (cls, array, count))
    with pytest.raises(ValueError, match=rf"found {count} slots at address.* 0 to 65536"):
        call(name, *given)
    assert table(cls) == [(A, 1), (B, 2)]


def test_as_many_slots_as_are_allowed_can_be_had(cls):
    """None of them with an ID: all pairs of IDs are compared."""
    count = 2 ** 16
    array = (foreign_api.Slot * count)()
    array[count - 1].id, array[count - 1].data = A, 9
    assert call("set_slots", cls, array, count) == 0 and find(cls, A) == 9


@pytest.mark.parametrize("count", [-1, -sys.maxsize - 1, *HUGE])
def test_a_count_of_fields_that_cannot_be_is_refused_before_they_are_read(probe, count):
    meta = probe.metaclasses()[0]
    provider = meta("Provider", (), {})
    offsets = (ctypes.c_ssize_t * 1)(type(provider).__base__.__basicsize__)
    for array, number in (offsets, count), (None, 1):
        with pytest.raises(ValueError, match=f"found {number} offsets at address .*array"):
            call("mark_fields", provider, array, number)
    with pytest.raises(ValueError, match=f"found {count} descriptions of {11 * W} bytes at address"):
        call("register_fields", meta, ctypes.addressof(offsets), count, 11 * W)


@pytest.mark.parametrize("size", [-1, 0, 11 * W - 1, 4097, sys.maxsize // 8, sys.maxsize])
def test_a_description_of_a_size_that_cannot_be_is_refused_before_it_is_read(extensibletype, size):
    class Meta(extensibletype): pass
    with pytest.raises(ValueError, match=f"found 1 descriptions of {size} bytes .* to 4096 bytes"):
        call("register_fields", Meta, ctypes.addressof(END), 1, size)
