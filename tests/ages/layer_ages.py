# SPDX-License-Identifier: MIT
"""Modules that the compiler layer made, with headers of other ages (texts.py).

The layer of this tree writes their C.  The headers that stand in it are then taken out, and those
of the age included: so a wheel of that age looks.
"""
import functools
import inspect
import re

import generated_c
import support
import typed_texts
from ages import all_ages, headers_directory
from deriving import HERE
from texts import THIS

#: A released age is not here: its own layer wrote the C of its wheels, not that of this tree.
AGES = tuple(age for age in all_ages() if not age.startswith("frozen_"))

#: The age of the typedmethod.h of those that are newer.  ("record" has another ABI: its layer writes
#: other records.)
TYPED = {"new": "flags", "function": "entry", "field": "layout", "state": "layout"}

MARK = re.compile(r"/\* \[cython-customslots: (begin|end) (\S+)\] \*/\n")


def with_includes(text, but=None):
    """C with an #include in place of each header of ours, but one."""
    kept, start, outer = [], 0, None
    for mark in MARK.finditer(text):
        kind, name = mark.groups()
        if outer is None and kind == "begin" and name != but:
            kept.append(f'{text[start:mark.start()]}#include "{name}"\n')
            outer = name
        elif kind == "end" and name == outer:
            start, outer = mark.end(), None
    assert outer is None and kept
    return "".join(kept) + text[start:]


def cythonize(directory, module, source, output):
    """As support.build() wants it."""
    generated_c.cythonize(directory, module, source, output)
    output.write_text(with_includes(output.read_text(encoding="utf-8")), encoding="utf-8")


def headers_of(age):
    """A directory with the headers of an age, and nothing else."""
    typed = typed_texts.all_ages()[TYPED.get(age, "this")].text
    return headers_directory(all_ages()[age].text, {"typedmethod.h": with_includes(typed, "typedmethod.h")})


# -------------------------------------------------------------------------- modules --


def number(age):
    """NUMBER in the sources."""
    return 100 * (1 + AGES.index(age))


def sources_of(age):
    return support.CACHE / "ages" / "layer" / age


def write_sources(directory, name, template, **words):
    """The template's .pyx and .pxd, under this name."""
    for path in HERE.glob(f"{template}.p[yx][xd]"):
        text = path.read_text(encoding="utf-8")
        for word, value in words.items():
            text = re.sub(rf"\b{word}\b", str(value), text)
        support.write_source(directory / f"{name}{path.suffix}", text)
    return directory / f"{name}.pyx"


def built(source, name, age, *, runtime="embedded", include_dirs=()):
    """The file of the module *name* in *source*, with the headers of this age."""
    module = support.cython_module(
        source, name=name, include_dirs=include_dirs, cython_args=[f"--runtime={runtime}"],
        cflags=[f"-I{headers_of(age)}"])
    return support.build(module, support.cache_directory("layer", name, runtime, module.cflags,
                                                          inspect.getsource(cythonize)),
                         cythonize, carries=True)


@functools.lru_cache(maxsize=None)
def build(age, name=None, *, runtime="embedded"):
    """layer_AGE, or with this name: layer_sample.pyx."""
    name = name or f"layer_{age}"
    source = write_sources(sources_of(age) / name, name, "layer_sample", NUMBER=number(age), NAME=name)
    return built(source, name, age, runtime=runtime)


@functools.lru_cache(maxsize=None)
def build_below(age, age_above, above=None, *, runtime="embedded"):
    """below_ABOVE, of this age: derives from the classes of another module, layer_ABOVE."""
    above = above or age_above
    name, provider = f"below_{above}", f"layer_{above}"
    source = write_sources(sources_of(age) / f"{name} of {age_above}", name, "layer_below",
                           NUMBER=number(age) + 10, PROVIDER=provider)
    return built(source, name, age, runtime=runtime, include_dirs=[sources_of(age_above) / provider])


def refusal(number):
    """How the words of an implementation end for a field that is read-only: a mistake that 9.2.0 mended."""
    return "is read-only" if number in (all_ages()["old"].number, THIS) else "is read-only, and that is a fact"
