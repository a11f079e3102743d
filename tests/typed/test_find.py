# SPDX-License-Identifier: MIT
"""PyTypedMethod_Find(): behind which callables there is something, and behind which not."""
import functools
import gc
import math
import sys
import threading
import types
import weakref

import pytest
import support
from typed_support import entry, found, new_function, new_method, probe_path, sig, typed_probe


@pytest.fixture(scope="module")
def function_type(typed):
    """A type of functions, registered as Cython's are."""
    cls = typed.function_type()
    typed.register_layout(cls)
    return cls


def method_entry(typed):
    return entry("f8(object, f8)", "scale", typed.SELF | typed.MAYBE, -1.0)


# --------------------------------------------------------------- builtin functions --

def test_module_function_is_found_under_its_signature_only(typed):
    function = new_function(entry("f8(f8)", "double_0", typed.MAYBE | typed.NOGIL), self=types.ModuleType("m"))
    assert typed.find(function, sig("f8(f8)")) == ("double_0", None, typed.MAYBE | typed.NOGIL, 0)
    for other in "f4(f4)", "f8()", "f8(f8, f8)", "void(f8)", "f8(object)", "f8(object, f8)":
        assert found(function, other) is None


def test_overloads_are_found_each_under_its_own(typed):
    function = new_function(entry("f8(f8)", "double_0"), entry("i8(i8)", "long_1"), entry("f8()", "no_arguments"))
    assert [found(function, text) for text in ("f8()", "i8(i8)", "f8(f8)")] == [
        "no_arguments", "long_1", "double_0"]
    assert typed.signatures(function) == ("f8(f8)", "i8(i8)", "f8()")
    assert typed.overloads(function) == (3, None)
    assert typed.why_not(function, sig("f8(f8)")) == ""
    assert typed.why_not(function, sig("f4(f4)")) == (
        "found f8(f8); i8(i8); f8(), expected f4(f4): types must be the same, nothing is converted")


def test_bound_builtin_method_gets_its_receiver_as_context(typed):
    receiver = object()
    function = new_function(method_entry(typed), self=receiver)
    assert typed.find(function, sig("f8(f8)")) == (
        "scale", id(receiver), typed.SELF | typed.MAYBE | typed.FIRST,
        typed.find(function, sig("f8(f8)"))[3])
    assert found(function, "f8(object, f8)") is None
    assert typed.overloads(function) == (1, receiver)
    assert typed.signatures(function) == ("f8(f8)",)


def test_context_of_a_builtin_function_is_its_self(typed):
    closure = object()
    for flag in typed.FIRST, typed.LAST:
        function = new_function(entry("f8(f8)", "first", flag), self=closure)
        assert typed.find(function, sig("f8(f8)"))[:3] == ("first", id(closure), flag)
        assert found(new_function(entry("f8(f8)", "first", flag)), "f8(f8)") is None


# -------------------------------------------------------------- method descriptors --

def test_method_descriptor_takes_the_receiver_as_an_argument(typed):
    descriptor = typed.descriptor(new_method(method_entry(typed)), float)
    assert found(descriptor, "f8(object, f8)") == "scale"
    assert found(descriptor, "f8(f8)") is None
    assert typed.signatures(descriptor) == ("f8(object, f8)",)
    assert found(types.MethodType(descriptor, 2.5), "f8(f8)") == "scale"
    without = typed.descriptor(new_method(entry("f8(object, f8)", "scale")), float)
    assert found(without, "f8(object, f8)") is None is found(without, "f8(f8)")
    assert "nothing in it can be called this way" in typed.why_not(without, sig("f8(f8)"))


# ------------------------------------------------------------------ bound methods --

def test_bound_method_of_a_builtin_function(typed):
    function = new_function(entry("f8(object, f8)", "scale", typed.NOGIL))
    receiver = object()
    method = types.MethodType(function, receiver)
    assert typed.find(method, sig("f8(f8)"))[:3] == ("scale", id(receiver), typed.NOGIL | typed.FIRST)
    assert found(method, "f8(object, f8)") is None
    assert typed.overloads(method) == (1, receiver)
    assert typed.signatures(method) == ("f8(f8)",)


def test_methods_that_would_need_two_receivers_are_not_found(typed):
    bound = new_function(entry("f8(object, object)", "scale", typed.SELF), self=object())
    assert found(bound, "f8(object)") == "scale"
    assert found(types.MethodType(bound, 5), "f8()") is None
    assert typed.signatures(types.MethodType(bound, 5)) == ()
    with_context = new_function(entry("f8(object)", "first", typed.FIRST), self=object())
    assert found(with_context, "f8(object)") == "first"
    assert found(types.MethodType(with_context, 5), "f8()") is None
    once = types.MethodType(new_function(entry("f8(object, object)", "scale")), 5)
    assert found(once, "f8(object)") == "scale"
    assert found(types.MethodType(once, 6), "f8()") is None
    assert "is a bound method of a bound method" in typed.why_not(types.MethodType(bound, 5), sig("f8()"))
    assert "binds an object to a function that takes a context" in typed.why_not(
        types.MethodType(with_context, 5), sig("f8()"))
    assert typed.why_not(types.MethodType(once, 6), sig("f8()")).endswith("pass the inner method")


def test_what_wraps_a_c_function_is_called_through_python_and_says_what_it_wraps(typed):
    function = new_function(entry("f8(f8)", "double_0"))

    class Callable:
        __call__ = staticmethod(function)

    class Closed:
        def __getattr__(self, name):
            raise ZeroDivisionError(name)

        def __call__(self, x):
            return x
    for wrapper, where in [
            (functools.partial(function), "func"), (functools.lru_cache(function), "__wrapped__"),
            (functools.wraps(function)(lambda x: function(x)), "__wrapped__"),
            (staticmethod(function), "__wrapped__" if sys.version_info >= (3, 10) else "__func__"),
            (Callable(), "__call__"), (function.__call__, "__self__")]:
        assert found(wrapper, "f8(f8)") is None
        assert f"but its {where}, {function!r}, has C functions (f8(f8))" in typed.why_not(wrapper, sig("f8(f8)"))
    for other in functools.partial(len), Closed(), function.__eq__, lambda x: x, len.__call__:
        assert found(other, "f8(f8)") is None
        assert "has C functions" not in typed.why_not(other, sig("f8(f8)"))


def test_function_whose_first_argument_is_no_object_has_no_bound_method(typed):
    function = new_function(entry("f8(f8, f8)", "scale"), entry("f8()", "no_arguments"))
    method = types.MethodType(function, 5)
    assert [found(method, text) for text in ("f8(f8)", "f8()", "f8(f8, f8)")] == [None] * 3
    assert typed.signatures(method) == ()


@pytest.mark.parametrize("count", [10, 11, 12, 13, 126])
def test_bound_methods_of_any_length(typed, count):
    """With eleven arguments the function's signature no longer fits into the number."""
    full = "f8(object" + ", f8" * count + ")"
    short = "f8(" + ", ".join(["f8"] * count) + ")"
    function = new_function(entry(full, "eleven"))
    method = types.MethodType(function, 5)
    assert found(method, short) == "eleven"
    assert found(method, short.replace("f8)", "f4)")) is None
    assert typed.signatures(method) == (short,)
    assert found(new_function(entry(full, "eleven", typed.SELF), self=5), short) == "eleven"


# ------------------------------------------------------------------- other functions --

def test_function_that_is_bound_inside_itself_has_its_receiver_as_context(typed, function_type):
    receiver = object()
    function = function_type(new_method(method_entry(typed)), receiver)
    assert typed.find(function, sig("f8(f8)"))[1] == id(receiver)
    assert found(function, "f8(object, f8)") is None
    assert typed.overloads(function) == (1, receiver)


def test_methods_of_classes_are_found_as_python_binds_them(typed, function_type):
    class Shape:
        scale = function_type(new_method(method_entry(typed)))
        static = staticmethod(function_type(new_method(entry("f8(f8)", "double_0"))))
        of_class = classmethod(function_type(new_method(method_entry(typed))))

    class Square(Shape): pass
    square = Square()
    assert type(square.scale) is types.MethodType
    assert typed.find(square.scale, sig("f8(f8)"))[1] == id(square)
    assert found(Square.scale, "f8(object, f8)") == "scale"
    assert found(square.static, "f8(f8)") == "double_0" == found(Square.static, "f8(f8)")
    assert typed.find(square.of_class, sig("f8(f8)"))[1] == id(Square)
    assert typed.find(Shape.of_class, sig("f8(f8)"))[1] == id(Shape)
    assert found(super(Square, square).scale, "f8(f8)") == "scale"


def test_type_that_was_not_registered_leads_nowhere(typed):
    function = typed.function_type()(new_method(entry("f8(f8)", "double_0")))
    assert found(function, "f8(f8)") is None
    assert "no module registered how they lead to a PyMethodDef" in typed.why_not(function, sig("f8(f8)"))


def test_registered_type_without_receivers(typed):
    cls = typed.function_type()
    typed.register_layout(cls, *offsets(typed), -1)
    function = cls(new_method(method_entry(typed)), object())
    assert found(function, "f8(object, f8)") == "scale" and found(function, "f8(f8)") is None


def offsets(typed):
    """That of the PyMethodDef *, which is the default."""
    return (object.__basicsize__ + tuple.__itemsize__,)


def test_layout_may_be_registered_again_but_not_another(typed, function_type):
    typed.register_layout(function_type)
    gc.collect()                                 # functions of other tests, which hold their type
    before = sys.getrefcount(function_type)
    typed.register_layout(function_type)
    assert sys.getrefcount(function_type) == before
    with pytest.raises(ValueError, match=r"Function\): found offsets \d+ and -1, expected"):
        typed.register_layout(function_type, *offsets(typed), -1)
    assert sys.getrefcount(function_type) == before
    assert found(function_type(new_method(entry("f8(f8)", "double_0"))), "f8(f8)") == "double_0"


@pytest.mark.parametrize("def_offset, self_offset, words", [
    (0, -1, "found 0 as the offset of the PyMethodDef"), (17, -1, "found 17 as"), (4096, -1, "found 4096 as"),
    (2 ** 40, -1, f"found {2 ** 40} as the offset of the PyMethodDef"),
    (None, 3, "found 3 as the offset of the receiver, expected -1"),
    (None, -2, "found -2 as the offset of the receiver"),
])
def test_offsets_outside_the_instance_are_refused(typed, def_offset, self_offset, words):
    cls = typed.function_type()
    def_offset = offsets(typed)[0] if def_offset is None else def_offset
    if abs(def_offset) > sys.maxsize:
        pytest.skip(f"{def_offset} does not fit into an offset of this build")
    with pytest.raises(ValueError, match=words):
        typed.register_layout(cls, def_offset, self_offset)
    with pytest.raises(TypeError, match="expected a type of functions"):
        typed.register_layout(5)


@pytest.mark.usefixtures("mortal_classes")
def test_interpreter_keeps_the_type_alive(typed):
    cls, other = typed.function_type(), typed.function_type()
    typed.register_layout(cls)
    weak, forgotten = weakref.ref(cls), weakref.ref(other)
    del cls, other
    gc.collect()
    assert weak() is not None and forgotten() is None


# --------------------------------------------------------------------- native calls --

def test_instance_with_a_native_call_is_found(typed):
    native = typed.Native(typed.record([entry("f8(f8)", "first", typed.FIRST | typed.NOGIL)]), 2.5)
    name, context, flags, _ = typed.find(native, sig("f8(f8)"))
    assert (name, flags) == ("first", typed.FIRST | typed.NOGIL)
    assert context not in (None, id(native))
    assert typed.signatures(native) == ("f8(f8)",)
    method = typed.Native(typed.record([method_entry(typed), entry("f8(object)", "double_0")]))
    assert typed.find(method, sig("f8(f8)"))[:2] == ("scale", id(method))       # the instance is the receiver
    assert typed.overloads(method) == (2, method)
    assert found(types.MethodType(method, 5), "f8()") == "double_0"


NEEDS_TP_CALL = support.only_on_cpython("PyPy does not say what a subclass overrides")


def native_class(typed, *bases, **members):
    """A class of Python below one with a native call, and an instance of it."""
    cls = type("Sub", (*bases, typed.Native), members)
    return cls, cls(typed.record([entry("f8(f8)", "double_0")]))


@NEEDS_TP_CALL
def test_subclass_that_overrides_call_has_no_native_call(typed):
    cls, native = native_class(typed, __call__=lambda self, x: 0.0)
    below = type("Below", (cls,), {})(typed.record([entry("f8(f8)", "double_0")]))
    for each in native, below:
        assert found(each, "f8(f8)") is None and typed.overloads(each) is None
        assert "overrides the __call__ that belongs to its native call" in typed.why_not(each, sig("f8(f8)"))


@NEEDS_TP_CALL
def test_call_of_another_base_counts_where_python_would_call_it(typed):
    class Mixin:
        def __call__(self, x):
            return 0.0
    assert found(native_class(typed, Mixin)[1], "f8(f8)") is None
    behind = type("Behind", (typed.Native, Mixin), {})(typed.record([entry("f8(f8)", "double_0")]))
    assert found(behind, "f8(f8)") == "double_0"


@NEEDS_TP_CALL
def test_call_may_be_overridden_later_and_deleted_again(typed):
    cls, native = native_class(typed)
    below = type("Below", (cls,), {})(typed.record([entry("f8(f8)", "double_0")]))
    cls.__call__ = lambda self, x: 0.0
    assert found(native, "f8(f8)") is None is found(below, "f8(f8)")
    type(below).__call__ = typed.Native.__call__
    assert found(native, "f8(f8)") is None and found(below, "f8(f8)") == "double_0"
    del cls.__call__, type(below).__call__
    assert found(native, "f8(f8)") == "double_0" == found(below, "f8(f8)")


@NEEDS_TP_CALL
def test_an_attribute_of_the_instance_overrides_nothing(typed):
    _, native = native_class(typed)
    native.__call__ = lambda x: 0.0              # nor does it for Python
    assert found(native, "f8(f8)") == "double_0"


def test_call_is_overridden_while_other_threads_look(typed):
    cls, native = native_class(typed)
    done, wrong = threading.Event(), []

    def look():
        while not done.is_set():
            name = found(native, "f8(f8)")
            if name not in (None, "double_0"):
                wrong.append(name)
    threads = [threading.Thread(target=look) for _ in range(3)]
    with support.running(threads, done):
        for _ in range(200):
            cls.__call__ = lambda self, x: 0.0
            del cls.__call__
    assert not wrong and found(native, "f8(f8)") == "double_0"


def test_instance_without_a_record_has_no_native_call(typed):
    native = typed.Native(None)
    assert found(native, "f8(f8)") is None
    assert "this one has no record" in typed.why_not(native, sig("f8(f8)"))
    assert typed.signatures(native) == () and typed.overloads(native) is None


@pytest.mark.parametrize("change, words", [         # test_records.py has all that is looked at
    ({"magic": 5}, "found magic number 5"), ({"count": 0}, "found 0 entries"), ({"shift_record": 1}, "aligned")])
def test_bad_record_of_a_native_call_is_a_no_with_a_reason(typed, change, words):
    native = typed.Native(typed.record([entry("f8(f8)", "double_0")], **change))
    assert found(native, "f8(f8)") is None
    why = typed.why_not(native, sig("f8(f8)"))
    assert "the native call of 'typed_probe.Native' is refused" in why and words in why


@pytest.mark.parametrize("function, flags, reserved, words", [
    (None, 0, 0, "found NULL as the function"), ("double_0", 24, 0, "found flags 24, expected at most one of")])
def test_bad_entry_of_a_native_call_is_passed_over(typed, function, flags, reserved, words):
    bad = entry("f8(f8)", function, flags, 0, reserved)
    native = typed.Native(typed.record([bad]))
    assert found(native, "f8(f8)") is None
    assert f"an entry is refused: {words}" in typed.why_not(native, sig("f8(f8)"))
    native = typed.Native(typed.record([bad, entry("f8(f8)", "double_any")]))
    assert found(native, "f8(f8)") == "double_any"
    assert typed.signatures(native) == ("f8(f8)",)


# ----------------------------------------------------------------------------- misses --

class Callable:
    def __call__(self, x):
        return x


NOTHING = [
    None, 5, object(), type, Callable(), Callable, Callable().__call__, lambda x: x, functools.partial(math.sqrt),
    functools.lru_cache(math.sqrt), len, [].append, list.append, (5).__add__, int.__add__, dict.fromkeys,
    staticmethod(len), property(len), types.MethodType(len, 5), types.MethodType(Callable(), 5), sys,
    type.__dict__["__dict__"], types.FunctionType.__code__, threading.Lock().acquire]


@pytest.mark.parametrize("junk", NOTHING, ids=lambda junk: type(junk).__name__)
def test_nothing_is_found_behind_anything_else(typed, junk):
    new_function(entry("f8(f8)", "double_0"))           # something is registered
    for text in "f8(f8)", "object(object)", "void()", "f8(" + "f8, " * 11 + "f8)":
        assert typed.find(junk, sig(text)) is None
        assert typed.why_not(junk, sig(text)) != ""
    assert typed.overloads(junk) is None and typed.signatures(junk) == ()


def test_numbers_that_are_no_signature_are_not_found(typed):
    function = new_function(entry("f8(f8)", "double_0"))
    for callable_ in function, types.MethodType(function, 5), typed.Native(None):
        for number in 0, 1, 2, 12345678, 2 ** 64 - 1, 2 ** 64 - 2:
            assert typed.find(callable_, number) is None
            with pytest.raises(ValueError, match="which is no signature"):
                typed.why_not(callable_, number)


def test_everything_alive_is_asked_without_harm(typed, function_type):
    """As a consumer may: anything that Python can hand out."""
    everything, signature = gc.get_objects()[:20000], sig("f8(f8)")
    assert all(typed.find(thing, signature) or True for thing in everything)
    assert all(type(typed.signatures(thing)) is tuple for thing in everything[::37])


def test_find_leaves_exceptions_alone(typed):
    function = new_function(entry("f8(f8)", "double_0"))
    for callable_ in function, len, 5, types.MethodType(function, 5), typed.Native(None):
        for text in "f8(f8)", "f8()", "f8(" + "f8, " * 11 + "f8)":
            assert typed.find_is_quiet(callable_, KeyError("mine"), sig(text))


def test_very_first_find_of_a_library_leaves_exceptions_alone():
    support.check_child("""
        import typed_probe as p
        assert p.find_is_quiet(len, KeyError("mine"), 25)
        assert p.find_is_quiet(p.call, KeyError("mine"), 25)
        """, modules=[probe_path()])


# ---------------------------------------------------------- libraries, threads, interpreters --

def test_two_libraries_built_apart_share_the_table(typed):
    twin = typed_probe("typed_twin")
    function = new_function(entry("f8(f8)", "double_0"))
    assert twin.find(function, sig("f8(f8)")) is not None
    assert twin.table_state() == typed.table_state()
    method = twin.method("f")
    twin.register([(method, twin.record([entry("i8(i8)", "long_1")]))])
    assert typed.find(twin.function(method, None), sig("i8(i8)")) is not None
    long = "f8(" + "f8, " * 11 + "f8)"
    assert twin.parse(long) == typed.parse(long)


def test_sub_interpreter_finds_and_calls_and_its_types_are_gone_with_it(typed):
    function = new_function(entry("f8(f8)", "double_0"))
    before = typed.table_state()
    for _ in range(3):
        support.run_in_new_interpreter("""
import types, typed_probe as p
signature = p.parse("f8(f8)")
method = p.method("f")
p.register([(method, p.record([(signature, "double_0", p.MAYBE, 0.0)]))])
function = p.function(method, None)
assert p.find(function, signature)[0] == "double_0"
for callable_ in function, lambda x: x:
    assert p.call("gil", "d_d", p.Held(callable_, signature), 0.0) == 0.0
try: p.call("gil", "d_d", p.Held(lambda x: 1 / x, signature), 0.0)
except ZeroDivisionError: pass
else: raise AssertionError("nothing was raised")
for _ in range(5):
    cls = p.function_type()
    p.register_layout(cls)
    assert p.find(cls(method), signature)[0] == "double_0"
    assert p.find(types.MethodType(cls(method), 5), signature) is None
    assert p.is_registered(id(cls))
# Long signatures are the same number in all interpreters.
assert p.parse("d" * 20 + "->d") == p.intern("f8(" + ", ".join(["f8"] * 20) + ")")
""", modules=[probe_path()])
    after = typed.table_state()
    assert after["address"] == before["address"]
    assert after["live"] == before["live"] + 3          # the methods, not the types
    assert found(function, "f8(f8)") == "double_0"


def test_when_its_capsule_goes_everybody_looks_for_a_new_table():
    """As when the main interpreter ends and the process starts another one."""
    support.check_child("""
        import gc, sys
        sys.path.insert(0, sys.argv[1])
        from foreign import state
        import probe, typed_probe as typed
        signature = typed.parse("f8(f8)")
        def function():
            method = typed.method("f")
            typed.register([(method, typed.record([(signature, "double_0", 0, 0)]))])
            return typed.function(method, None)
        cls, old, name = type("Cls", (), {}), function(), probe.intern(b"some.name")
        for owner in list, cls: probe.register_slot(owner, 257, 1)
        registered = typed.function_type()
        typed.register_layout(registered)
        assert probe.find_any([], 257) == 1 and typed.find(old, signature)
        before = probe.table_state()
        assert before["count"] == 2 and before["names"] and before["functions"]

        del state()["_customslots_table_v3"]
        after = probe.table_state()
        assert after["address"] != before["address"] and not after["used"], after
        assert probe.find_any([], 257) is None and probe.find_any(cls(), 257) is None
        assert typed.find(old, signature) is None
        new = probe.intern(b"some.name")                # the former one is still a name's
        assert new != name and new == probe.intern(b"some.name")
        for owner in list, cls: probe.register_slot(owner, 257, 2)
        assert probe.find_any([], 257) == probe.find_any(cls(), 257) == 2
        assert typed.find(function(), signature) and probe.table_state()["count"] == 2
        typed.register_layout(registered)
        typed.parse("d" * 20 + "->d")
        assert typed.table_state()["address"] == probe.table_state()["address"]
        del cls, owner, registered
        gc.collect()                                    # takes its slots out of both
        """, support.TESTS / "docs", modules=[support.probe_path(), probe_path()])
