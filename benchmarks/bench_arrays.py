# SPDX-License-Identifier: MIT
"""Arrays as C sees them: what it costs to get one, for each kind of object, beside a typed memoryview.

An array is taken, its first item is read, and it is given back, in nanoseconds above a loop that does not.
The second group is the same as a ratio to the memoryview, the third what a Python caller sees. In the fourth typed
memoryviews are used, in a module that was compiled plain and with --borrow-views; in the last an array is the
argument of a callback.
"""
from __future__ import annotations

import array
import functools
import sys

from common import HERE, Case, Loop, Module, Variant, load, main, python_loop

COPIES = 4


def modules() -> list[Variant]:
    import numpy

    # A loop of ten turns that lies across two lines of the cache takes 2.4 ns longer, whoever calls it.
    modules = [Module(name, [HERE / source], layer=layer, cflags=["-O2", "-falign-loops=32"],
                      include_dirs=[numpy.get_include()], cython_args=arguments)
               for name, source, layer, arguments in (
                   ("arrays", "arrays.pyx", False, []), ("records", "records.pyx", True, []),
                   ("plain", "views.pyx", False, []), ("borrowing", "views.pyx", True, ["--borrow-views"]))]
    return [Variant(module, f"copy{i}") for i in range(COPIES) for module in modules]


@functools.cache
def copies() -> list:
    copies = [load("arrays", f"copy{i}") for i in range(COPIES)]
    for i, module in enumerate(copies):
        vars(module).update(vars(load("records", f"copy{i}")))
    return copies


def tensors() -> dict[str, list]:
    """For each copy of the module an object of each kind, with the same ten doubles."""
    import cython_customslots
    import numpy

    kinds = {}
    for module in copies():
        by_slot = cython_customslots.Slotted("BySlot", (module.Tensor,), {
            "__customslots__": {"dlpack.exchange_api": module.capsule}})
        registered = type("Registered", (module.Tensor,), {})
        module.register(registered)
        by_attribute = type("ByAttribute", (module.Tensor,), {"__dlpack_c_exchange_api__": module.capsule})
        for name, x in {
                "numpy.ndarray": numpy.arange(10.0), "a class with the slot": by_slot(),
                "a class with a registered slot": registered(),
                "a class with the capsule attribute": by_attribute(),
                "array.array": array.array("d", range(10)),
                "memoryview": memoryview(array.array("d", range(10)))}.items():
            kinds.setdefault(name, []).append(x)
    return kinds


def loop(which: str, objects: list) -> Loop:
    return Loop([functools.partial(call, getattr(module, which), x) for module, x in zip(copies(), objects)], 1)


def call(run, x, repetitions: int) -> float:
    return run(repetitions, x)


TARGETS = {"numpy.ndarray": 8, "a class with the slot": 6, "a class with the capsule attribute": 8, "array.array": 17}


def getting() -> list[Case]:
    cases = []
    for name, objects in tensors().items():
        empty = loop("empty", objects)

        def case(what, which, target=None):
            cases.append(Case(f"{what}, {name}", loop(which, objects), "empty loop", empty, target, unit="ns"))
        case("Init and Clear", "typed", TARGETS.get(name))
        case("memoryview", "view")
        if name == "numpy.ndarray":
            case("Init and Clear, C-contiguous", "typed_contiguous")
            case("Own and Clear", "owned")
            case("__dlpack__() alone", "by_method")
        if "class" in name:
            case("look-up, call and reference alone", "least")
        if "attribute" in name:
            case("attribute and capsule", "attribute")
        if name == "array.array":
            case("PyObject_GetBuffer and PyBuffer_Release alone", "least_buffer")
    return cases


def against_memoryview() -> list[Case]:
    return [Case(f"Init and Clear, {name}", loop("typed", objects), "memoryview", loop("view", objects),
                 18 if name == "numpy.ndarray" else None, unit="faster") for name, objects in tensors().items()]


@functools.cache
def names() -> list[dict]:
    """For each copy what statements may name: functions of views.pyx, compiled both ways, and what they take."""
    import numpy

    x, y = numpy.arange(10.0), numpy.arange(10.0)
    views = {way: [vars(load(way, f"copy{i}")) for i in range(COPIES)] for way in ("plain", "borrowing")}
    return [{**vars(module), "x": x, "y": y, "m": views["borrowing"][i - 1]["always"](x), "numpy_dot": numpy.dot,
             **{f"{way}_{name}": function for way, modules in views.items() for name, function in modules[i].items()}}
            for i, module in enumerate(copies())]


def statement(text: str) -> Loop:
    return python_loop(text, names())


def from_python() -> list[Case]:
    without, numpy_dot = statement("nothing(x)"), statement("numpy_dot(x, y)")
    typed, plain, borrowed = (statement(f"{which}(x, y)") for which in ("dot_typed", "plain_dot", "borrowing_dot"))

    def case(name, text, target=None):
        return Case(name, statement(text), "f(x), no array", without, target, unit="ns")
    return [case("f(x), typed array", "first_typed(x)", 12),
            case("f(x), memoryview", "plain_first(x)"),
            case("f(x), borrowed memoryview", "borrowing_first(x)", 12),
            case("f(m), m a memoryview of another module", "plain_first(m)"),
            case("f(m), which borrows from it", "borrowing_first(m)", 18),
            case("f(x), old buffer syntax", "plain_first_of_buffer(x)"),
            case("f(x), borrowed, in old buffer syntax", "borrowing_first_of_buffer(x)", 12),
            Case("dot(x, y) of ten, typed arrays", typed, "memoryviews", plain, unit="faster"),
            Case("dot(x, y) of ten, typed arrays", typed, "numpy.dot", numpy_dot, unit="faster"),
            Case("dot(x, y) of ten, borrowed memoryviews", borrowed, "memoryviews", plain, 5, unit="faster"),
            Case("dot(x, y) of ten, borrowed memoryviews", borrowed, "numpy.dot", numpy_dot, 8, unit="faster")]


#: {what is done with views: (function and arguments, nanoseconds that are allowed if they borrow)}
USES = {"x.size": ("size(x)", 50), "x.size, .ndim, .itemsize and .nbytes": ("attributes(x)", 40),
        "two that may be None": ("both(x, y)", 25), "a local variable": ("local(x)", 28),
        "x[:] = y": ("copy(x, y)", None),
        "an object on a rare path": ("rarely(x)", None), "an object on every path": ("always(x)", None)}


def uses() -> list[Case]:
    return [Case(f"{name}{said}", statement(f"{way}_{text}"), "f(x), no array", statement("nothing(x)"), allowed,
                 unit="ns")
            for name, (text, target) in USES.items()
            for way, said, allowed in (("plain", "", None), ("borrowing", ", borrowing", target))]


def callbacks() -> list[Case]:
    cases = []
    for name, what in (("first", "its first item"), ("sum", "the sum of its ten items")):
        records = [getattr(module, f"{name}_record") for module in copies()]
        pointer = loop("through_pointer", [name] * COPIES)
        cases += [Case(f"PyTyped{caller}, {what}", loop(f"through_{caller.lower()}", records), "a pointer", pointer, 2,
                       unit="ns") for caller in ("Callback", "Callable")]
    python = loop("through_callback", [lambda x: 0.0] * COPIES)
    return [*cases, Case("a Python function, which gets a memoryview", python, "a pointer", pointer, unit="ns")]


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        "getting an array": getting, "against a memoryview": against_memoryview, "called from Python": from_python,
        "uses of a view": uses,
        "a callback with an array, C to C": callbacks}))
