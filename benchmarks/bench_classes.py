# SPDX-License-Identifier: MIT
"""What Python code pays for its classes being extensible.

The yardstick is the same class with an empty Python metaclass, `class Meta(type): pass`:
some metaclass there has to be, and what a metaclass costs is the interpreter's doing.  On
3.12 and 3.13, which do not specialise look-ups on such classes, `C.attribute` takes 2.4
times as long with any of them.  The ratio to a class without one is published beside it.
Judged is on the versions that the target names, 3.11 and 3.14.
"""
from __future__ import annotations

import gc
import sys
import time

from common import HERE, Case, Loop, Module, main, python_loop

COPIES = 4              # of each class, its instances and the code
ACCESS: float | None    # the target
CREATION: float | None
HOOK = 1.02
if sys.version_info[:2] in {(3, 11), (3, 14)}:
    ACCESS, CREATION = 1.02, 1.05
else:
    ACCESS = CREATION = None
BASES = 1.5


def modules() -> list[Module]:
    return [Module("classes", [HERE / "classes.pyx"], cflags=["-O2"])]


class Meta(type):
    """The yardstick."""


def kinds() -> dict[str, tuple]:
    """Name: (bases, metaclass) of the extensible class, of the yardstick, of the plain
    one.  None: the metaclass follows from the bases."""
    import classes
    from cython_customslots import ExtensibleType

    return {
        "metaclass=ExtensibleType": (((), ExtensibleType), ((), Meta), ((), None)),
        "subclass of a slot provider": (
            ((classes.SlotProvider,), None), ((classes.Plain,), Meta),
            ((classes.Plain,), None)),
        "subclass of a field provider": (
            ((classes.FieldProvider,), None), ((classes.Plain,), Meta),
            ((classes.Plain,), None)),
    }


def make(bases: tuple, metaclass: type | None) -> type:
    keywords = {} if metaclass is None else {"metaclass": metaclass}

    class Subject(*bases, **keywords):
        attribute = 1

        def __init__(self, value=0):
            self.value = value

        def method(self):
            pass

    return Subject


def make_without_init(bases: tuple, metaclass: type | None) -> type:
    keywords = {} if metaclass is None else {"metaclass": metaclass}

    class Subject(*bases, **keywords):
        pass

    return Subject


def cases_of(what: str, kind: str, loops: list[Loop], target: float | None) -> list[Case]:
    extensible, yardstick, plain = loops
    return [Case(f"{what}, {kind}", extensible, "empty metaclass", yardstick, target=target),
            Case(f"{what}, {kind}", extensible, "plain class", plain)]


def statements(table: list[tuple]) -> list[Case]:
    cases = []
    for statement, maker, target in table:
        for kind, variants in kinds().items():
            loops = []
            for bases, metaclass in variants:
                names = []
                for _ in range(COPIES):
                    cls = maker(bases, metaclass)
                    sub = type(cls)("Sub", (cls,), {})
                    names.append({"C": cls, "o": cls(), "S": sub, "s": sub()})
                loops.append(python_loop(statement, names))
            cases += cases_of(statement, kind, loops, target)
    return cases


def attributes() -> list[Case]:
    """Attribute access and calls of methods."""
    return statements([
        ("C.attribute", make, ACCESS),
        ("o.attribute", make, ACCESS),
        ("o.value", make, ACCESS),
        ("o.value = 1", make, ACCESS),
        ("o.method()", make, ACCESS),
        ("C.method(o)", make, ACCESS),
    ])


def checks() -> list[Case]:
    """isinstance() and issubclass(), S being a subclass of C and s one of its instances.  If
    the metaclass is not type itself, CPython looks for its __instancecheck__ first."""
    return statements([
        ("isinstance(o, C)", make_without_init, ACCESS),
        ("isinstance(s, C)", make_without_init, ACCESS),
        ("isinstance(5, C)", make_without_init, ACCESS),
        ("issubclass(S, C)", make_without_init, ACCESS),
    ])


def instantiation() -> list[Case]:
    """Making instances, with and without an __init__."""
    return statements([
        ("C()", make_without_init, ACCESS),
        ("C(1)", make, ACCESS),
    ])


def static_types() -> list[Case]:
    """The providers themselves.  There is no static class with a Python metaclass to
    compare them with, so nothing is judged."""
    import classes

    cases = []
    for statement in "C.c_method", "o.c_method()", "C()", "isinstance(o, C)":
        plain = python_loop(statement, [{"C": classes.Plain, "o": classes.Plain()}
                                        for _ in range(COPIES)])
        for cls in classes.SlotProvider, classes.FieldProvider:
            loop = python_loop(statement, [{"C": cls, "o": cls()} for _ in range(COPIES)])
            cases.append(Case(f"{statement}, {cls.__name__}", loop, "plain cdef class", plain))
    return cases


def creation_loop(header: str, body: str, names: dict) -> Loop:
    """Times class statements.  The classes of a slice die together, after the clock was
    stopped: classes are cycles, and the collector's time belongs to none of them."""
    arguments = "".join(f", {name}={name}" for name in names)
    source = (f"def loop(repetitions, _clock=_clock, _keep=_keep{arguments}):\n"
              f"    start = _clock()\n"
              f"    for _ in range(repetitions):\n"
              f"        class X({header}):\n"
              f"            {body}\n"
              f"        _keep(X)\n"
              f"    return _clock() - start\n")
    runs = []
    for _ in range(COPIES):
        kept: list[type] = []
        namespace = {**names, "_clock": time.perf_counter_ns, "_keep": kept.append}
        exec(compile(source, f"<class X({header})>", "exec"), namespace)

        def run(repetitions, loop=namespace["loop"], kept=kept):
            took = loop(repetitions)
            kept.clear()
            gc.collect()
            return took

        runs.append(run)
    return Loop(runs, 1)


def creation() -> list[Case]:
    """Making classes."""
    bodies = {"class statement, empty": "pass",
              "class statement, 3 members": "a = 1; b = lambda self: 1; c = property(b)"}
    cases = []
    for kind, variants in kinds().items():
        for what, body in bodies.items():
            loops = []
            for bases, metaclass in variants:
                names = {f"B{i}": base for i, base in enumerate(bases)}
                header = ", ".join(names)
                if metaclass is not None:
                    names["M"] = metaclass
                    header += ", metaclass=M" if header else "metaclass=M"
                loops.append(creation_loop(header, body, names))
            cases += cases_of(what, kind, loops, CREATION)
    import classes

    cases.append(Case("class statement, empty, an idle metaclass in C",
                      creation_loop("metaclass=M", "pass", {"M": classes.Idle}), "empty metaclass",
                      creation_loop("metaclass=M", "pass", {"M": Meta})))

    class Hooked(classes.SlotProvider):
        def __init_subclass__(cls, **keywords):
            super().__init_subclass__(**keywords)

    cases.append(Case("class statement, __init_subclass__ of a cdef class",
                      creation_loop("B", "pass", {"B": classes.Hooked}), "that of a Python class",
                      creation_loop("B", "pass", {"B": Hooked}), HOOK))
    gc.collect()
    gc.freeze()      # what lives now need not be looked at in each collection
    gc.disable()
    return cases


def bases_assignment() -> list[Case]:
    """Assigning __bases__, to and fro, in a class with 0, 10 and 100 subclasses."""
    import classes

    cases = []
    for subclasses in 0, 10, 100:
        loops = []
        for provider, metaclass in (classes.SlotProvider, None), (classes.Plain, Meta):
            names = []
            for _ in range(COPIES):
                one, two = (make_without_init((provider,), metaclass) for _ in range(2))
                top = make_without_init((one,), None)
                kept = [make_without_init((top,), None) for _ in range(subclasses)]
                names.append({"C": top, "one": (one,), "two": (two,), "kept": kept})
            loops.append(python_loop("C.__bases__ = two; C.__bases__ = one", names, unroll=1))
        cases.append(Case(f"C.__bases__ = x, {subclasses} subclasses", loops[0],
                          "empty metaclass", loops[1], target=BASES))
    return cases


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {
        "attributes": attributes, "checks": checks, "instantiation": instantiation,
        "creation": creation, "bases": bases_assignment, "static types": static_types}))
