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
                   ("arrays", "arrays.pyx", False, []), ("borrowed", "borrowed.pyx", True, []),
                   ("views", "views.pyx", False, []), ("borrowed_views", "views.pyx", True, ["--borrow-views"]))]
    return [Variant(module, f"copy{i}") for i in range(COPIES) for module in modules]


@functools.cache
def copies() -> list:
    copies = [load("arrays", f"copy{i}") for i in range(COPIES)]
    for i, module in enumerate(copies):
        vars(module).update(vars(load("borrowed", f"copy{i}")))
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


def from_python() -> list[Case]:
    import numpy

    x, y = numpy.arange(10.0), numpy.arange(10.0)
    names = [{"f": module, "x": x, "y": y, "m": other.viewed(x), "dot": numpy.dot}
             for module, other in zip(copies(), copies()[1:] + copies()[:1])]

    def statement(text):
        return python_loop(text, [{**each, **{name: getattr(each["f"], name) for name in (
            "nothing", "first_typed", "first_view", "first_borrowed", "first_buffer", "first_borrowed_buffer",
            "dot_typed", "dot_view", "dot_borrowed")}}
                                  for each in names])
    without, dot, borrowed = statement("nothing(x)"), statement("dot_typed(x, y)"), statement("dot_borrowed(x, y)")
    dot_view, numpy_dot = statement("dot_view(x, y)"), statement("dot(x, y)")
    return [Case("f(x), typed array", statement("first_typed(x)"), "f(x), no array", without, 12, unit="ns"),
            Case("f(x), memoryview", statement("first_view(x)"), "f(x), no array", without, unit="ns"),
            Case("f(x), borrowed memoryview", statement("first_borrowed(x)"), "f(x), no array", without, 12, unit="ns"),
            Case("f(m), m a memoryview of another module", statement("first_view(m)"), "f(x), no array", without,
                 unit="ns"),
            Case("f(m), which borrows from it", statement("first_borrowed(m)"), "f(x), no array", without, 18,
                 unit="ns"),
            Case("f(x), old buffer syntax", statement("first_buffer(x)"), "f(x), no array", without, unit="ns"),
            Case("f(x), borrowed, in old buffer syntax", statement("first_borrowed_buffer(x)"), "f(x), no array",
                 without, 12, unit="ns"),
            Case("dot(x, y) of ten, typed arrays", dot, "memoryviews", dot_view, unit="faster"),
            Case("dot(x, y) of ten, typed arrays", dot, "numpy.dot", numpy_dot, unit="faster"),
            Case("dot(x, y) of ten, borrowed memoryviews", borrowed, "memoryviews", dot_view, 5, unit="faster"),
            Case("dot(x, y) of ten, borrowed memoryviews", borrowed, "numpy.dot", numpy_dot, 8, unit="faster")]


#: {what is done with views: (statement, nanoseconds that are allowed if they borrow)}
USES = {"x.size": ("size(x)", 50), "x.size, .ndim, .itemsize and .nbytes": ("attributes(x)", 40),
        "two that may be None": ("both(x, y)", 25), "a local variable": ("local(x)", 28),
        "x[:] = y": ("copy(x, y)", None),
        "an object on a rare path": ("rarely(x)", None), "an object on every path": ("always(x)", None)}


def uses() -> list[Case]:
    import numpy

    x, y = numpy.arange(10.0), numpy.arange(10.0)

    def statement(which, text):
        return python_loop(text, [{**vars(load(which, f"copy{i}")), "x": x, "y": y} for i in range(COPIES)])
    return [Case(f"{name}{said}", statement(which, text), "f(x), no array", statement(which, "nothing(x)"), allowed,
                 unit="ns")
            for name, (text, target) in USES.items()
            for which, said, allowed in (("views", "", None), ("borrowed_views", ", borrowing", target))]


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
