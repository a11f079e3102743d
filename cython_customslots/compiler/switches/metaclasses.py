# SPDX-License-Identifier: MIT
"""Metaclasses that are named for classes from outside: the option `metaclass`.

    abc.ABCMeta                      for all classes that are extended
    package.module=abc.ABCMeta       for those of one module
    package.module.Class=abc.ABCMeta for one class

A metaclass is named by its module and its name, `package.module.Meta`, or with a colon where
the name has dots: `package.module:Outer.Meta`.  `type` stands for none.
"""

from collections.abc import Mapping

from ...python.showing import show

#: The name under which the metaclass for all classes is kept.
ALL = ""

METACLASS_OPTION = "--metaclass"
EXPECTED_METACLASS = "expected the full name of a metaclass, such as abc.ABCMeta"


def parse_named(value):
    """Return {module, class or ALL: metaclass} of what an option says.

    A string, with commas between several; a mapping, as is returned; an iterable of strings; or None.
    ValueError for a text that is no name, and for a name that is given twice.
    """
    if value is None:
        return {}
    if isinstance(value, Mapping):
        pairs = list(value.items())
    else:
        items = value.split(",") if isinstance(value, str) else list(value)
        pairs = [_pair(item) for item in items if not isinstance(item, str) or item.strip()]
    found = {}
    for name, metaclass in pairs:
        if name != ALL and not _is_dotted(name):
            raise ValueError(f"metaclass: found {show(name)} in front of '=', expected the full name "
                             f"of a module or of a class, such as package.module.Class")
        if not isinstance(metaclass, str) or located(metaclass) is None:
            raise ValueError(f"metaclass: found {show(metaclass)}, {EXPECTED_METACLASS}")
        if found.setdefault(name, metaclass) != metaclass:
            raise ValueError(f"metaclass: {name or 'the one for all classes'} is given twice, "
                             f"{found[name]!r} and {metaclass!r}")
    return found


def _pair(item):
    if not isinstance(item, str):
        raise ValueError(f"metaclass: found {show(item)}, expected a string such as abc.ABCMeta or "
                         f"package.module.Class=abc.ABCMeta")
    name, equals, metaclass = (part.strip() for part in item.partition("="))
    return (name, metaclass) if equals else (ALL, name)


def _is_dotted(name):
    return isinstance(name, str) and all(part.isidentifier() for part in name.split("."))


def located(metaclass):
    """Return (module, attribute) of a metaclass's name, ("", "type") for `type`; None for any other text."""
    if metaclass == "type":
        return "", "type"
    module, separator, attribute = metaclass.partition(":")
    if not separator:
        module, separator, attribute = metaclass.rpartition(".")
    return (module, attribute) if _is_dotted(module) and _is_dotted(attribute) else None


def text(named):
    """What parse_named() has returned, as a string that says the same, without spaces."""
    return ",".join(f"{name}={metaclass}" if name else metaclass
                    for name, metaclass in sorted(named.items()))


def check_modules(named, modules):
    """ValueError if a name is neither one of the modules that are compiled nor a class in one."""
    for name in sorted(named):
        if name == ALL or name in modules or name.rpartition(".")[0] in modules:
            continue
        raise ValueError(f"metaclass: {name!r} is neither one of the modules that are compiled nor "
                         f"a class in one of them; there are {', '.join(sorted(modules))}")
