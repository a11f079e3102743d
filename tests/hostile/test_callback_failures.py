# SPDX-License-Identifier: MIT
"""Callbacks in libraries with things that lie, memory that is short, and what is freed meanwhile."""
import ctypes
import os
from pathlib import Path

import pytest
import support
from cython_customslots import typed
from test_allocation_failures import MODULES

SOURCE = Path(__file__).resolve().parents[1] / "typed" / "callbacks.c"


def library():
    return support.build_c(
        "callbacks", SOURCE, cflags=("-std=gnu99", *support.STRICT_FLAGS, "-Wno-unused-function"),
        ldflags=() if os.name == "nt" else ("-lm", "-lpthread"))


@pytest.fixture(scope="module")
def c():
    return support.load(library())


def capsule(name, pointer=1, context=None):
    """A capsule whose name is *name*, which is kept for ever."""
    api = ctypes.pythonapi
    api.PyCapsule_New.restype = ctypes.py_object
    api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    api.PyCapsule_SetContext.argtypes = [ctypes.py_object, ctypes.c_void_p]
    kept.append(name)
    made = api.PyCapsule_New(pointer, name, None)
    if context is not None:
        api.PyCapsule_SetContext(made, context)
    return made


kept = []


class LowLevelCallable(tuple):
    """SciPy's in name only."""


class Liar:
    """Says it is anything."""
    __class__ = property(lambda self: ctypes.CFUNCTYPE(None))

    def __call__(self, x):
        return x

    def __getattr__(self, name):
        raise SystemError(name)


@pytest.mark.parametrize("thing", [
    LowLevelCallable(), LowLevelCallable((1, 2)), LowLevelCallable((1, 2, 3)),
    LowLevelCallable((capsule(None), None, None)), LowLevelCallable((capsule(b""), None, None)),
    LowLevelCallable((capsule(b"double"), None, None)),
    LowLevelCallable((capsule(b"double ("), None, None)),
    LowLevelCallable((capsule(b"double (double, void *, void *)"), None, None)),
    LowLevelCallable((capsule(b"\xff\xfe(double)"), None, None)),
    LowLevelCallable((capsule(b"double (void *, double)"), None, None)),     # no user data in front
    LowLevelCallable((capsule(b"double (double)"), None, 5)),                # user data for nobody
    capsule(b"double (int *, double)"), capsule(None), (3, "f8(f8)"), (0, "f8(f8)"), (),
])
def test_what_holds_no_such_c_function_is_refused_with_words(c, thing):
    with pytest.raises(ValueError, match=r"expected a C function with one of these signatures: f8\(f8\)"):
        c.chosen(thing)


def test_object_that_lies_about_its_class_is_called_through_python(c):
    index, is_typed, why = c.chosen(Liar())
    assert (index, is_typed) == (0, False) and why
    assert c.sum(Liar(), 3, "last") == 3.0


def test_exception_that_is_no_error_of_the_package_is_raised(c, monkeypatch):
    def interrupted(callable, forms):
        raise KeyboardInterrupt
    monkeypatch.setattr(typed, "adapt_any", interrupted)
    with pytest.raises(KeyboardInterrupt):
        c.chosen(Liar())


def test_package_of_another_version_is_no_error(c, monkeypatch):
    for answer in 5, None, "text":
        monkeypatch.setattr(typed, "adapt_any", lambda callable, forms, answer=answer: answer)
        monkeypatch.setattr(typed, "why_not_any", lambda callable, forms, answer=answer: answer)
        assert c.sum(Liar(), 3, "last") == 3.0
        assert isinstance(c.chosen(Liar())[2], str)
    monkeypatch.delattr(typed, "adapt_any")
    monkeypatch.delattr(typed, "why_not_any")
    assert c.sum(Liar(), 3, "last") == 3.0


def test_error_that_cannot_be_shown_is_still_an_error(c):
    class Unshowable:
        def __repr__(self):
            raise KeyError("no")

        def __call__(self, n, x):
            return 0.0
    with pytest.raises(ValueError, match="expected a C function"):
        c.chosen(Unshowable(), "unhooked")


_MEMORY = """
import callbacks
from failing import attempts
from probe import call_failing
ok = 0
for action in (lambda: callbacks.chosen(3), lambda: callbacks.sum(callbacks.square, 3, "last"),
               lambda: callbacks.sum(abs, 3, "gil"), lambda: callbacks.call(sum, (1.0, 2.0)),
               lambda: callbacks.chosen(abs), lambda: callbacks.sum(callbacks.until_three, 9, "last")):
    for attempt in attempts(call_failing, least=0, limit=400):
        result = attempt(action)
        assert callbacks.obtained(callbacks.square) == (1, 1, 1, 1)
        assert not isinstance(result, type) or result in (MemoryError, TypeError, ValueError), result
        ok += attempt.reached
assert ok > 20, ok
print("done")
"""


#: Nothing of ours, but that an allocation fails: CPython 3.12 and 3.13 let go the code of a function, or
#: of a generator, once too often where there is no memory for it.
_FUNCTIONS = """
import sys, types
from probe import call_failing
def outer():
    def inner(n): return n
    return inner(5)
code, = (each for each in outer.__code__.co_consts if isinstance(each, types.CodeType))
held = [code] * 100
before = sys.getrefcount(code)
for n in range(60):
    if not call_failing(outer, n, False)[1]: break
assert sys.getrefcount(code) == before
"""


def need_memory_that_may_fail():
    if not support.TYPE_SURVIVES_NO_MEMORY:
        pytest.skip("type() itself corrupts the heap of this CPython when memory runs out")
    if support.run_child(_FUNCTIONS, modules=[support.probe_path()]).returncode != 0:
        pytest.skip("this CPython lets go the code of a function once too often when memory runs out")


def test_short_memory_is_an_error_and_nothing_stays_behind(c):
    need_memory_that_may_fail()
    assert support.check_child(_MEMORY, modules=[c.__file__, *MODULES]) == "done"


_HANDED = """
import sys
import typed_array_consumer
from cython_customslots import typed
from cython_customslots.typed import _typed
from failing import attempts
from probe import call_failing

sys.unraisablehook = lambda said: None
number, array = (_typed.parse(text) for text in ("f8(f8)", "f8(const f8[::1])"))
guarded, failing = _typed.guarded(abs, number, None), _typed.guarded(len, number, None)
kept = []
def keeps(x):
    kept[:] = [x[1:]]
    raise KeyError("mine")
holder = typed_array_consumer.Holder(keeps, "f8(const f8[::1])")
values, ok = [1.0, 2.0], 0
for action, expected in ((lambda: _typed.guarded(abs, number, None)(-2.0), 2.0), (lambda: guarded(-2.0), 2.0),
                         (lambda: failing(1.0) != failing(1.0), True), (lambda: _typed.boxed(sum, array)[1] > 0, True),
                         (lambda: holder.reading(values), BufferError)):
    for attempt in attempts(call_failing, least=0, limit=400):
        result = attempt(action)
        assert result in (expected, MemoryError, KeyError) or result != result, (expected, result)
        assert attempt.reached or result == expected, result
        ok += attempt.reached
assert ok > 20, ok
print("done")
"""


def test_short_memory_for_what_calls_python_is_an_error_or_a_defined_value():
    """Of wrappers for other libraries, and of arrays that are lent."""
    need_memory_that_may_fail()
    consumer = support.build_cython(SOURCE.parents[1] / "compiler" / "modules" / "typed_array_consumer.pyx")
    assert support.check_child(_HANDED, modules=[consumer, *MODULES]) == "done"
