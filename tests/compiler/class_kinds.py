# SPDX-License-Identifier: MIT
"""modules/kinds.pyx, compiled by plain Cython and in all the ways that make it extensible.

A scenario is a function of the module that answers with what it saw.  `alike` makes a
test of it: whatever made the classes extensible, they behave as those of plain Cython.
"""
import functools
import re
import sys

import pytest
import support
from compiling import CYTHON
from layer_modules import MODULES

#: From 3.12 on, CPython makes classes with a metaclass from a type spec.
HEAP_TYPES = sys.version_info >= (3, 12)
SPECS = "-DCYTHON_USE_TYPE_SPECS=1"
STATE = "-DCYTHON_USE_MODULE_STATE=1"

#: name -> (is every class decorated?, C++?, arguments for Cython, for the C compiler)
WAYS = {
    "kinds_plain": (False, False, None, ()),         # no layer
    "kinds_all": (False, False, ["--extend-all"], ()),
    "kinds_own": (True, False, [], ()),
    "kinds_cpp": (True, True, [], ()),
}
if HEAP_TYPES:
    WAYS["kinds_specs"] = (True, False, [], (SPECS,))
if HEAP_TYPES and CYTHON >= (3, 1):              # before, its C does not compile, without us either
    WAYS["kinds_state"] = (True, True, [], (SPECS, STATE))
DECORATED = [name for name, way in WAYS.items() if way[0]]
IN_EVERY_RUN = "kinds_own"
CPP = [name for name, way in WAYS.items() if way[1]]

#: The field of a class that has none of its own, if it derives from no other of ours.
ID = 0x01000F01


def kinds_source(name):
    """The text of kinds.pyx as it is compiled under this name."""
    decorated, cplus, _, _ = WAYS[name]
    wanted = {"fields": decorated, "cpp": cplus, "3.2": CYTHON >= (3, 2)}
    lines = []
    for line in (MODULES / "kinds.pyx").read_text(encoding="utf-8").splitlines():
        if marked := re.match(r"#(fields|cpp|3\.2) ", line):
            if not wanted[marked.group(1)]:
                continue
            line = line[marked.end():]
        if line.startswith("#@ "):
            if decorated:
                value = line[3:]
                lines += [f"@customslots.slot({ID:#x}, flags=1000 + {value})",
                          f"@customslots.metaclass(KindType, level={value}, note='note {value}')"]
            continue
        lines.append(line)
    return "\n".join(lines) + "\n"


def values():
    """{class: the value that it has, of its own or inherited} of a decorated kinds.pyx."""
    found, value = {}, None
    for line in kinds_source("kinds_cpp").splitlines():
        if match := re.match(r"@customslots.metaclass\(KindType, level=(\d+),", line):
            value = int(match.group(1))
        elif match := re.match(r"cdef class (\w+)(?:\((\w+))?", line):
            name, base = match.groups()
            if name != "KindType":
                found[name] = value if value is not None else found[base]
            value = None
    return found


def kinds_module(name):
    """The building.Module of this name, its source written into a directory of its own."""
    _, cplus, arguments, cflags = WAYS[name]
    path = support.cache_directory("kinds", CYTHON) / name / f"{name}.pyx"
    return support.cython_module(
        support.write_source(path, kinds_source(name)), arguments is not None, cplus=cplus,
        include_dirs=[MODULES], cython_args=arguments or (), cflags=cflags)


@functools.lru_cache(maxsize=None)
def module(name):
    """The module, built at the first call."""
    support.load(support.build_cython(MODULES / "kinds_foreign.pyx", layer=False, include_dirs=[MODULES]))
    made = kinds_module(name)
    return support.load(support.build(made, made.sources[0].parent))


def by_way(names):
    """These ways, one of them in every run."""
    return pytest.mark.parametrize("name", [
        name if name == IN_EVERY_RUN else pytest.param(name, marks=pytest.mark.nightly) for name in names])


def raised(function, *args, **kwargs):
    """What a call that must fail raises, as text."""
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError(f"nothing was raised, but {result!r} returned")


def outcome(scenario, module):
    """What a scenario sees, as text in which the module's name does not occur."""
    del module.log[:]
    text = repr(scenario(module)).replace(module.__name__, "kinds")
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def alike(scenario):
    """Make a test: does a scenario see in every module what it sees in plain Cython's?"""

    @by_way([name for name in WAYS if name != "kinds_plain"])
    def test(name):
        expected = outcome(scenario, module("kinds_plain"))
        assert outcome(scenario, module(name)) == expected

    test.__doc__ = scenario.__doc__
    return test
