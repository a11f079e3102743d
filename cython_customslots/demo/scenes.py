# SPDX-License-Identifier: MIT
"""What the demo builds, and what it says about each example."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from .. import get_include
from ..tools.building import Module


CRASH = "a crash"   # what some examples are about


@dataclasses.dataclass(frozen=True)
class Field:
    """A C field `const char *name` that the examples keep in a type object."""

    name: str
    owner: str          # the class whose instances (classes) have it
    of_metaclass: bool = False  # it is in type(cls), not in cls


@dataclasses.dataclass(frozen=True)
class Scene:
    """One example: its folder, its text, and which classes are worth a look."""

    name: str
    title: str
    shows: str
    classes: tuple[str, ...] = ()   # "module:Class"; those in `look.py` by name alone
    field: Field | None = None
    slots: bool = False
    picture: str = ""               # one of `classes`
    # What FriendlyHello("you").greet() has to give.
    friendly: str = ""
    summary: tuple[str, str] = ("", "")   # the sentence is in; made from C array


_IN_CLASS = Field("sentence", "GreetType")

SCENES = (
    Scene(
        "greetings/simple_cdef_class", "A plain cdef class",
        "C fields of a cdef class belong to each instance. What all instances share,\n"
        "here the word Hello, is written into the code.",
        friendly="Hello you!", summary=("in the code", "no")),
    Scene(
        "greetings/static_attribute", "Class data in a C variable of the module",
        "As fast as can be, but each class has to be written by hand: none can be made\n"
        "from the C array of greetings.",
        friendly="Hello you!", summary=("C variable of the module", "no")),
    Scene(
        "greetings/dictionary_map", "A dictionary from the class to its C data",
        "Classes are made from the C array. Each call pays for a dictionary look-up, and\n"
        "a subclass written in Python is not in the dictionary.",
        friendly="raises KeyError", summary=("dictionary", "yes")),
    Scene(
        "greetings/simple_metaclass", "The C field in the type object: a cdef metaclass",
        "Py_TYPE(self)->sentence, one load. The classes are made from the C array, each\n"
        "with its sentence filled in.",
        ("greetings:Hello", "greetings:GoodMorning"), _IN_CLASS,
        friendly=CRASH, summary=("C field of the class", "yes")),
    Scene(
        "greetings/metaclass_crash", "... and what happens to a subclass",
        "class FriendlyHello(Hello) is a new type object, whose field is not filled\n"
        "in. The example calls it in a child process and reports the signal.",
        ("greetings:Hello", "FriendlyHello"), _IN_CLASS,
        friendly=CRASH, summary=("C field of the class", "yes")),
    Scene(
        "greetings/mro_metaclass", "NULL means: ask the bases",
        "The field is still NULL, and each read tests for that. Python subclasses pay\n"
        "for a walk along the MRO in each call.",
        ("greetings:Hello", "FriendlyHello"), _IN_CLASS,
        friendly="Hello you!", summary=("C field, else a walk", "yes")),
    Scene(
        "greetings/meta_metaclass", "A metaclass for each class",
        "The field is one level further away, in the metaclass, which subclasses share.\n"
        "Right, at the price of two type objects for each class.",
        ("greetings:Hello", "FriendlyHello"),
        Field("sentence", "GreetMetaType", of_metaclass=True),
        friendly="Hello you!", summary=("C field of the metaclass", "yes")),
    Scene(
        "greetings/customslots", "This package: C fields that subclasses inherit",
        "Py_TYPE(self)->sentence, one load, in static cdef classes, in classes made from\n"
        "the C array and in Python subclasses; right even while __init_subclass__ runs.",
        ("greetings:Greet", "greetings:GoodNight", "greetings:Hello",
         "greetings:GoodMorning", "FriendlyHello"), _IN_CLASS,
        picture="FriendlyHello",
        friendly="Hello you!", summary=("C field of the class", "yes")),
    Scene(
        "duck_typing", "Duck typing in C",
        "polynomial.pyx (Cython) and sine_wave.c (C) put a slot into their types: \"I am a\n"
        "C function double -> double\". summing.pyx, which knows neither of them, finds\n"
        "it in a loop without the GIL.",
        ("polynomial:Polynomial", "sine_wave:SineWave", "Line", "builtins:int"),
        slots=True, picture="polynomial:Polynomial"),
    Scene(
        "integrate", "Python callables, called as C functions",
        "integrate.pyx takes any callable. Where it finds a C function double -> double behind\n"
        "it, as in functions.pyx, which does not know it, that is called, without the GIL if\n"
        "it needs none; everything else is called by Python."),
)

#: The modules of an example, where they have names of their own.
_SOURCES = {"duck_typing": ("polynomial.pyx", "sine_wave.c", "summing.pyx"),
            "integrate": ("functions.pyx", "integrate.pyx")}


def modules_of(scene: Scene, root: Path) -> Iterator[tuple[str, Module, Path]]:
    """(label, module, directory to build it into) for the copied examples in `root`."""
    folder = root / scene.name
    fast = ("-O1", "-g0")  # the demo is about what happens, not about how fast
    if scene.name.startswith("greetings/"):
        common = root / "greetings" / "common"
        yield scene.name, Module(
            "greetings", [folder / "greetings.pyx", common / "greetings.c"],
            include_dirs=[common], cflags=fast), folder
        return
    for source in _SOURCES[scene.name]:
        # Only C written by hand needs our include path.
        by_hand = source.endswith(".c")
        yield f"{scene.name}/{source}", Module(
            source.partition(".")[0], [folder / source],
            include_dirs=[folder, *([get_include()] if by_hand else [])],
            cflags=fast, ldflags=["-lm"]), folder
