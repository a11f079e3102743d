# SPDX-License-Identifier: MIT
"""What Python sees of a module is the same with and without decorators and switches."""
import functools
import json
from pathlib import Path

import pytest
import support

SOURCE = Path(__file__).parent / "language" / "look.pyx.in"

#: The same lines in all variants: a decorator is a comment where it does not apply.
VARIANTS = {"plain": (False, False, ()), "decorated": (True, True, ()),
            "switched": (False, True, ("--extend-all", "--typed"))}

LOOK = """
import inspect, json, re, sys, traceback

lines = []

# What vars() has besides: the values of C fields that the decorator sets, and their names.
ours = {"level", "__customslots_fields__"}

def trace(frame, event, argument):
    if frame.f_code.co_filename.endswith("look.pyx"):
        lines.append([event, frame.f_code.co_name, frame.f_lineno])
    return trace

sys.settrace(trace)
import look
sys.settrace(None)
imported, lines = lines, []

def clean(text):
    # The metaclass's name is in the repr of its classes' __new__.
    text = re.sub("(_extensibletype.extensibletype_v4|look.Meta) object", "type object", str(text))
    return re.sub("0x[0-9a-f]+", "0x", text)

def signature(thing):
    try:
        return str(inspect.signature(thing))
    except (TypeError, ValueError) as error:
        return type(error).__name__

def described(thing):
    seen = {name: clean(getattr(thing, name, "nothing")) for name in (
        "__doc__", "__module__", "__name__", "__qualname__", "__text_signature__", "__defaults__",
        "__kwdefaults__", "__annotations__", "__isabstractmethod__")}
    code = getattr(thing, "__code__", None)
    if code is not None:
        seen["code"] = [code.co_name, code.co_firstlineno, code.co_varnames, code.co_argcount,
                        code.co_filename.rpartition("/")[2]]
    return [seen, clean(repr(thing)), type(thing).__name__ if not isinstance(thing, type) else "",
            signature(thing) if callable(thing) else ""]

def failing(call):
    try:
        call()
    except Exception as error:
        return [clean(error), [[f.name, f.lineno, f.filename.rpartition("/")[2], f.line]
                               for f in traceback.extract_tb(error.__traceback__)[1:]]]

result = {"module": [look.__doc__, sorted(look.__test__.items()), sorted(look.__pyx_capi__),
                     sorted(set(vars(look)) - {"Meta"}), clean(look.__pyx_capi__["exported"])]}
for name, thing in vars(look).items():
    if getattr(thing, "__module__", None) == "look" and name != "Meta":
        result[name] = described(thing)
    if isinstance(thing, type) and thing.__module__ == "look" and name != "Meta":
        result[name] += [[c.__name__ for c in thing.__mro__], thing.__basicsize__,
                         thing.__dictoffset__, thing.__weakrefoffset__, thing.__flags__ >> 10 & 1,
                         sorted(set(dir(thing)) - ours)]
        for member, value in vars(thing).items():
            if member not in ours: result[name + "." + member] = described(value)
one, two = look.Documented(0), look.Derived(1)
result["errors"] = [failing(call) for call in (
    lambda: one.method(-1.0), lambda: one.plain(), lambda: look.function(2),
    lambda: two.method(-2.0), lambda: look.Python(0).plain(1),
    lambda: look.Documented("x"), lambda: one.method(), lambda: look.cpdef_function("a"))]
sys.setprofile(trace)
two.method(3.0), two.plain(), two.prop, look.cpdef_function(3), look.Python(1).plain(1)
sys.setprofile(None)
result["lines"] = [imported, lines]
result["doctest"] = str(__import__("doctest").testmod(look))
print(json.dumps(result, default=clean))
"""


@functools.lru_cache(maxsize=None)
def seen(variant):
    """What is seen of it, built when a test asks for it."""
    decorated, layer, arguments = VARIANTS[variant]
    directory = support.cache_directory("look", variant)
    text = SOURCE.read_text(encoding="utf-8")
    source = support.write_source(directory / "look.pyx", text.replace("#@ ", "") if decorated else text)
    path = support.build_cython(source, layer, cython_args=arguments,
                                cflags=("-DCYTHON_TRACE=1",), directory=directory / "built")
    return json.loads(support.check_child(LOOK, modules=[path]))


by_variant = pytest.mark.parametrize("variant", support.thoroughly(["decorated", "switched"], plain=0))


@by_variant
def test_docstrings_signatures_and_tracebacks_are_those_of_plain_cython(variant):
    plain, ours = seen("plain"), seen(variant)
    assert list(plain) == list(ours)
    for name, value in plain.items():
        if name != "lines":
            assert ours[name] == value, name


@by_variant
def test_line_traces_are_those_of_plain_cython(variant):
    assert seen(variant)["lines"] == seen("plain")["lines"]
